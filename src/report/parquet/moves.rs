//! One row for each move of an engine: the view `moves` of the store.

use std::time::Duration;

use super::table::{ColumnField, ColumnType, ColumnValue, parquet_columns};
use crate::referee::{MoveRecord, Observation, Pondered, Thinking};
use crate::store::StoredGame;
use crate::uci::{Bound, Score};

/// A move of an engine.
pub(super) struct ParquetMove<'a> {
    stored: &'a StoredGame,
    /// From 1, the book's moves counted.
    ply: usize,
    text: &'a str,
    played: &'a MoveRecord,
}

impl<'a> ParquetMove<'a> {
    /// The moves of a game; `texts` are all its moves, the book's first.
    pub(super) fn of(
        stored: &'a StoredGame,
        texts: &'a [String],
    ) -> impl Iterator<Item = ParquetMove<'a>> {
        let record = &stored.game.record;
        let texts = (1..).zip(texts).skip(record.opening.len());
        let moves = texts.zip(&record.moves);
        moves.map(move |((ply, text), played)| ParquetMove {
            stored,
            ply,
            text,
            played,
        })
    }

    fn said(&self) -> &Thinking {
        &self.played.thinking
    }

    /// The evidence of the host.
    fn host<T>(&self, value: impl FnOnce(&Observation) -> Option<T>) -> Option<T> {
        self.played.host.as_deref().and_then(value)
    }
}

// The same names as in the view, but pairs and games are counted from 1, as in all exports.
parquet_columns! {
    ParquetMove<'_> {
        "sequence": always Whole, |row| row.stored.sequence.cast_signed();
        "pair": always Whole, |row| row.stored.game.id.pair.0.cast_signed() + 1;
        "game": always Whole, |row| i64::from(row.stored.game.id.game) + 1;
        "ply": always Whole, |row| row.ply as i64;
        "move": always Text, |row| row.text;
        "sent_ns": always Whole, |row| Duration::from_nanos(row.played.sent.0);
        "received_ns": always Whole, |row| Duration::from_nanos(row.played.received.0);
        "clock_ns": maybe Whole, |row| row.played.clock;
        "nodes_limit": maybe Count, |row| row.played.nodes_limit;
        "centipawns": maybe Whole, |row| Score::columns(row.said().score).0;
        "mate": maybe Whole, |row| Score::columns(row.said().score).1;
        "bound": maybe Text, |row| row.said().bound.map(Bound::word);
        "win": maybe Whole, |row| row.said().wdl.map(|wdl| wdl[0]);
        "draw": maybe Whole, |row| row.said().wdl.map(|wdl| wdl[1]);
        "loss": maybe Whole, |row| row.said().wdl.map(|wdl| wdl[2]);
        "depth": maybe Whole, |row| row.said().depth;
        "seldepth": maybe Whole, |row| row.said().seldepth;
        "nodes": maybe Count, |row| row.said().nodes;
        "nps": maybe Count, |row| row.said().nps;
        "hashfull": maybe Whole, |row| row.said().hashfull;
        "tbhits": maybe Count, |row| row.said().tbhits;
        "time_ms": maybe Count, |row| row.said().time_ms;
        "pv": always Text, |row| row.said().pv.as_str();
        "watched_ns": maybe Whole, |row| row.host(|host| Some(host.watched));
        "wakeup_ns": maybe Whole, |row| row.host(|host| host.wakeup);
        "lane_wait_ns": maybe Whole, |row| row.host(|host| host.lane_wait);
        "engine_cpu_ns": maybe Whole, |row| row.host(|host| Some(host.engine.as_ref()?.cpu));
        "engine_wait_ns": maybe Whole, |row| row.host(|host| Some(host.engine.as_ref()?.wait));
        "engine_longest_wait_ns": maybe Whole, |row| row.host(|host| Some(host.engine.as_ref()?.longest_wait));
        "engine_complete": maybe Flag, |row| row.host(|host| Some(host.engine.as_ref()?.complete));
        "pressure_ns": maybe Whole, |row| row.host(|host| host.pressure);
        "suspended_ns": maybe Whole, |row| row.host(|host| Some(host.suspended));
        "idle_watched_ns": maybe Whole, |row| row.played.idle.map(|idle| idle.watched);
        "idle_cpu_ns": maybe Whole, |row| row.played.idle.map(|idle| idle.cpu);
        "pondered": maybe Text, |row| row.played.pondered.map(Pondered::word);
        "lines": maybe Text, |row| (!row.played.lines.is_empty()).then(|| serde_json::json!(row.played.lines).to_string());
        "taken_ns": maybe Whole, |row| Some(row.played.taken).filter(|taken| !taken.is_zero());
    }
}
