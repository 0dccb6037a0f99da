//! One row for each move of an engine: the view `moves` of the store.

use std::io::Write;
use std::time::Duration;

use super::table::ColumnType::{Count, Flag, Text, Whole};
use super::table::{ColumnField, ColumnValue, ParquetTable};
use crate::referee::{MoveRecord, Pondered};
use crate::report::export::ExportError;
use crate::store::StoredGame;
use crate::uci::{Bound, Score};

/// The same names as in the view, but pairs and games are counted from 1, as in all exports.
pub(super) const FIELDS: [ColumnField; 37] = [
    ColumnField::always("sequence", Whole),
    ColumnField::always("pair", Whole),
    ColumnField::always("game", Whole),
    ColumnField::always("ply", Whole),
    ColumnField::always("move", Text),
    ColumnField::always("sent_ns", Whole),
    ColumnField::always("received_ns", Whole),
    ColumnField::maybe("clock_ns", Whole),
    ColumnField::maybe("nodes_limit", Count),
    ColumnField::maybe("centipawns", Whole),
    ColumnField::maybe("mate", Whole),
    ColumnField::maybe("bound", Text),
    ColumnField::maybe("win", Whole),
    ColumnField::maybe("draw", Whole),
    ColumnField::maybe("loss", Whole),
    ColumnField::maybe("depth", Whole),
    ColumnField::maybe("seldepth", Whole),
    ColumnField::maybe("nodes", Count),
    ColumnField::maybe("nps", Count),
    ColumnField::maybe("hashfull", Whole),
    ColumnField::maybe("tbhits", Count),
    ColumnField::maybe("time_ms", Count),
    ColumnField::always("pv", Text),
    ColumnField::maybe("watched_ns", Whole),
    ColumnField::maybe("wakeup_ns", Whole),
    ColumnField::maybe("lane_wait_ns", Whole),
    ColumnField::maybe("engine_cpu_ns", Whole),
    ColumnField::maybe("engine_wait_ns", Whole),
    ColumnField::maybe("engine_longest_wait_ns", Whole),
    ColumnField::maybe("engine_complete", Flag),
    ColumnField::maybe("pressure_ns", Whole),
    ColumnField::maybe("suspended_ns", Whole),
    ColumnField::maybe("idle_watched_ns", Whole),
    ColumnField::maybe("idle_cpu_ns", Whole),
    ColumnField::maybe("pondered", Text),
    ColumnField::maybe("lines", Text),
    ColumnField::maybe("taken_ns", Whole),
];

/// Adds the moves of a game; `texts` are all its moves, the book's first.
pub(super) fn add(
    table: &mut ParquetTable<impl Write + Send>,
    stored: &StoredGame,
    texts: &[String],
) -> Result<(), ExportError> {
    let (id, record) = (stored.game.id, &stored.game.record);
    let book = record.opening.len();
    for (place, (text, played)) in texts[book..].iter().zip(&record.moves).enumerate() {
        let lines = (!played.lines.is_empty()).then(|| serde_json::json!(played.lines).to_string());
        let mut row = vec![
            ColumnValue::Whole(stored.sequence.cast_signed()),
            ColumnValue::Whole(id.pair.0.cast_signed() + 1),
            ColumnValue::Whole(i64::from(id.game) + 1),
            ColumnValue::Whole((book + place + 1) as i64),
            ColumnValue::Text(text),
            nanoseconds(Duration::from_nanos(played.sent.0)),
            nanoseconds(Duration::from_nanos(played.received.0)),
            ColumnValue::maybe(played.clock, nanoseconds),
            ColumnValue::maybe(played.nodes_limit, ColumnValue::Count),
        ];
        row.extend(thinking(played));
        row.extend(host(played));
        let taken = Some(played.taken).filter(|taken| !taken.is_zero());
        let pondered = played.pondered.map(Pondered::word);
        row.extend([
            ColumnValue::maybe(played.idle.map(|idle| idle.watched), nanoseconds),
            ColumnValue::maybe(played.idle.map(|idle| idle.cpu), nanoseconds),
            ColumnValue::maybe(pondered, ColumnValue::Text),
            ColumnValue::maybe(lines.as_deref(), ColumnValue::Text),
            ColumnValue::maybe(taken, nanoseconds),
        ]);
        table.row(&row)?;
    }
    Ok(())
}

/// The engine's thinking.
fn thinking(played: &MoveRecord) -> [ColumnValue<'_>; 14] {
    fn whole(number: Option<impl Into<i64>>) -> ColumnValue<'static> {
        ColumnValue::maybe(number, |number| ColumnValue::Whole(number.into()))
    }
    let said = &played.thinking;
    let (centipawns, mate) = Score::columns(said.score);
    let per_mille = |place: usize| whole(said.wdl.map(|wdl| wdl[place]));
    [
        whole(centipawns),
        whole(mate),
        ColumnValue::maybe(said.bound.map(Bound::word), ColumnValue::Text),
        per_mille(0),
        per_mille(1),
        per_mille(2),
        whole(said.depth),
        whole(said.seldepth),
        ColumnValue::maybe(said.nodes, ColumnValue::Count),
        ColumnValue::maybe(said.nps, ColumnValue::Count),
        whole(said.hashfull),
        ColumnValue::maybe(said.tbhits, ColumnValue::Count),
        ColumnValue::maybe(said.time_ms, ColumnValue::Count),
        ColumnValue::Text(&said.pv),
    ]
}

/// The evidence of the host.
fn host(played: &MoveRecord) -> [ColumnValue<'static>; 9] {
    let host = played.host.as_deref();
    let engine = host.and_then(|host| host.engine.as_ref());
    let time = |time: Option<Duration>| ColumnValue::maybe(time, nanoseconds);
    [
        time(host.map(|host| host.watched)),
        time(host.and_then(|host| host.wakeup)),
        time(host.and_then(|host| host.lane_wait)),
        time(engine.map(|engine| engine.cpu)),
        time(engine.map(|engine| engine.wait)),
        time(engine.map(|engine| engine.longest_wait)),
        ColumnValue::maybe(engine.map(|engine| engine.complete), ColumnValue::Flag),
        time(host.and_then(|host| host.pressure)),
        time(host.map(|host| host.suspended)),
    ]
}

fn nanoseconds(time: Duration) -> ColumnValue<'static> {
    ColumnValue::Whole(i64::try_from(time.as_nanos()).unwrap_or(i64::MAX))
}
