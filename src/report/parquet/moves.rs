//! One row for each move of an engine: the view `moves` of the store.

use std::io::Write;
use std::time::Duration;

use super::table::Kind::{Count, Flag, Text, Whole};
use super::table::{Field, Table, Value};
use crate::referee::{MoveRecord, Pondered};
use crate::report::export::ExportError;
use crate::store::StoredGame;
use crate::uci::{Bound, Score};

/// The same names as in the view, but pairs and games are counted from 1, as in all exports.
pub(super) const FIELDS: [Field; 36] = [
    Field::always("sequence", Whole),
    Field::always("pair", Whole),
    Field::always("game", Whole),
    Field::always("ply", Whole),
    Field::always("move", Text),
    Field::always("sent_ns", Whole),
    Field::always("received_ns", Whole),
    Field::maybe("clock_ns", Whole),
    Field::maybe("nodes_limit", Count),
    Field::maybe("centipawns", Whole),
    Field::maybe("mate", Whole),
    Field::maybe("bound", Text),
    Field::maybe("win", Whole),
    Field::maybe("draw", Whole),
    Field::maybe("loss", Whole),
    Field::maybe("depth", Whole),
    Field::maybe("seldepth", Whole),
    Field::maybe("nodes", Count),
    Field::maybe("nps", Count),
    Field::maybe("hashfull", Whole),
    Field::maybe("tbhits", Count),
    Field::maybe("time_ms", Count),
    Field::always("pv", Text),
    Field::maybe("watched_ns", Whole),
    Field::maybe("wakeup_ns", Whole),
    Field::maybe("lane_wait_ns", Whole),
    Field::maybe("engine_cpu_ns", Whole),
    Field::maybe("engine_wait_ns", Whole),
    Field::maybe("engine_longest_wait_ns", Whole),
    Field::maybe("engine_complete", Flag),
    Field::maybe("pressure_ns", Whole),
    Field::maybe("suspended_ns", Whole),
    Field::maybe("idle_watched_ns", Whole),
    Field::maybe("idle_cpu_ns", Whole),
    Field::maybe("pondered", Text),
    Field::maybe("lines", Text),
];

/// Adds the moves of a game; `texts` are all its moves, the book's first.
pub(super) fn add(
    table: &mut Table<impl Write + Send>,
    stored: &StoredGame,
    texts: &[String],
) -> Result<(), ExportError> {
    let (id, record) = (stored.game.id, &stored.game.record);
    let book = record.opening.len();
    for (place, (text, played)) in texts[book..].iter().zip(&record.moves).enumerate() {
        let lines = (!played.lines.is_empty()).then(|| serde_json::json!(played.lines).to_string());
        let mut row = vec![
            Value::Whole(stored.sequence.cast_signed()),
            Value::Whole(id.pair.0.cast_signed() + 1),
            Value::Whole(i64::from(id.game) + 1),
            Value::Whole((book + place + 1) as i64),
            Value::Text(text),
            nanoseconds(Duration::from_nanos(played.sent.0)),
            nanoseconds(Duration::from_nanos(played.received.0)),
            Value::maybe(played.clock, nanoseconds),
            Value::maybe(played.nodes_limit, Value::Count),
        ];
        row.extend(thinking(played));
        row.extend(host(played));
        let pondered = played.pondered.map(Pondered::word);
        row.extend([
            Value::maybe(played.idle.map(|idle| idle.watched), nanoseconds),
            Value::maybe(played.idle.map(|idle| idle.cpu), nanoseconds),
            Value::maybe(pondered, Value::Text),
            Value::maybe(lines.as_deref(), Value::Text),
        ]);
        table.row(&row)?;
    }
    Ok(())
}

/// The engine's thinking.
fn thinking(played: &MoveRecord) -> [Value<'_>; 14] {
    fn whole(number: Option<impl Into<i64>>) -> Value<'static> {
        Value::maybe(number, |number| Value::Whole(number.into()))
    }
    let said = &played.thinking;
    let (centipawns, mate) = Score::columns(said.score);
    let per_mille = |place: usize| whole(said.wdl.map(|wdl| wdl[place]));
    [
        whole(centipawns),
        whole(mate),
        Value::maybe(said.bound.map(Bound::word), Value::Text),
        per_mille(0),
        per_mille(1),
        per_mille(2),
        whole(said.depth),
        whole(said.seldepth),
        Value::maybe(said.nodes, Value::Count),
        Value::maybe(said.nps, Value::Count),
        whole(said.hashfull),
        Value::maybe(said.tbhits, Value::Count),
        Value::maybe(said.time_ms, Value::Count),
        Value::Text(&said.pv),
    ]
}

/// The evidence of the host.
fn host(played: &MoveRecord) -> [Value<'static>; 9] {
    let host = played.host.as_deref();
    let engine = host.and_then(|host| host.engine.as_ref());
    let time = |time: Option<Duration>| Value::maybe(time, nanoseconds);
    [
        time(host.map(|host| host.watched)),
        time(host.and_then(|host| host.wakeup)),
        time(host.and_then(|host| host.lane_wait)),
        time(engine.map(|engine| engine.cpu)),
        time(engine.map(|engine| engine.wait)),
        time(engine.map(|engine| engine.longest_wait)),
        Value::maybe(engine.map(|engine| engine.complete), Value::Flag),
        time(host.and_then(|host| host.pressure)),
        time(host.map(|host| host.suspended)),
    ]
}

fn nanoseconds(time: Duration) -> Value<'static> {
    Value::Whole(i64::try_from(time.as_nanos()).unwrap_or(i64::MAX))
}
