//! One move as a JSON array, in the order of the view `moves`. Variations and lines are limited: to what is enough for
//! any honest engine, and not so much that one which writes without end could fill a disk.

use std::borrow::Cow;
use std::time::Duration;

use serde::ser::{SerializeSeq, SerializeTuple};
use serde::{Deserialize, Serialize, Serializer};

use crate::chess::Move;
use crate::clock::{Stamp, nanoseconds};
use crate::referee::{IdleTimes, MoveRecord, Observation, Pondered, Thinking};
use crate::uci::{Bound, Score};

/// Number of elements of a move's array.
const ELEMENTS: usize = 25;

/// The moves of a game.
pub(crate) struct MoveRows<'a>(pub(crate) &'a [MoveRecord]);

impl Serialize for MoveRows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.0.len()))?;
        let mut variations = Allowance::default();
        let mut lines = Allowance::default();
        for record in self.0 {
            rows.serialize_element(&MoveRow {
                record,
                variation: variations.keep(&record.thinking.pv),
                lines: record.lines.iter().map(|line| lines.keep(line)).collect(),
            })?;
        }
        rows.end()
    }
}

/// A move, and the stored parts of its variation and of its lines.
struct MoveRow<'a> {
    record: &'a MoveRecord,
    variation: Cow<'a, str>,
    lines: Vec<Cow<'a, str>>,
}

impl Serialize for MoveRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = self.record;
        let said = &record.thinking;
        let (centipawns, mate) = Score::columns(said.score);
        let [win, draw, loss] = said.wdl.map_or([None; 3], |wdl| wdl.map(Some));
        let mut row = serializer.serialize_tuple(ELEMENTS)?;
        // Castling is king takes own rook in every variant.
        row.serialize_element(&format_args!("{}", record.chess_move))?;
        row.serialize_element(&record.sent.0)?;
        row.serialize_element(&record.received.0)?;
        row.serialize_element(&record.clock.map(nanoseconds))?;
        row.serialize_element(&record.nodes_limit)?;
        row.serialize_element(&centipawns)?;
        row.serialize_element(&mate)?;
        row.serialize_element(&said.bound)?;
        row.serialize_element(&win)?;
        row.serialize_element(&draw)?;
        row.serialize_element(&loss)?;
        row.serialize_element(&said.depth)?;
        row.serialize_element(&said.seldepth)?;
        row.serialize_element(&said.nodes)?;
        row.serialize_element(&said.nps)?;
        row.serialize_element(&said.hashfull)?;
        row.serialize_element(&said.tbhits)?;
        row.serialize_element(&said.time_ms)?;
        row.serialize_element(&self.variation)?;
        row.serialize_element(&record.host)?;
        // Empty elements at the end are left out.
        let idle = record
            .idle
            .map(|idle| [idle.watched, idle.cpu].map(nanoseconds));
        let has_pauses = !record.interruptions.is_empty();
        let was_taken = !record.taken.is_zero() || has_pauses;
        let has_lines = !self.lines.is_empty() || was_taken;
        if idle.is_some() || record.pondered.is_some() || has_lines {
            row.serialize_element(&idle)?;
        }
        if record.pondered.is_some() || has_lines {
            row.serialize_element(&record.pondered)?;
        }
        if has_lines {
            let lines = Some(&self.lines).filter(|lines| !lines.is_empty());
            row.serialize_element(&lines)?;
        }
        if was_taken {
            row.serialize_element(&nanoseconds(record.taken))?;
        }
        if has_pauses {
            let pauses = record.interruptions.iter();
            row.serialize_element(&pauses.map(|away| nanoseconds(*away)).collect::<Vec<_>>())?;
        }
        row.end()
    }
}

/// A move in the form of the file: an array in this order.
#[derive(Deserialize)]
pub(crate) struct StoredMove<'a> {
    pub(crate) chess_move: &'a str,
    sent_ns: u64,
    received_ns: u64,
    clock_ns: Option<u64>,
    nodes_limit: Option<u64>,
    centipawns: Option<i32>,
    mate: Option<i32>,
    bound: Option<Bound>,
    win: Option<u16>,
    draw: Option<u16>,
    loss: Option<u16>,
    depth: Option<u32>,
    seldepth: Option<u32>,
    nodes: Option<u64>,
    nps: Option<u64>,
    hashfull: Option<u32>,
    tbhits: Option<u64>,
    time_ms: Option<u64>,
    #[serde(borrow)]
    pv: Cow<'a, str>,
    host: Option<Box<Observation>>,
    /// Watched, and processor time; missing if the move was not watched.
    #[serde(default)]
    idle: Option<[u64; 2]>,
    /// Missing if the engine did not search before.
    #[serde(default)]
    pondered: Option<Pondered>,
    /// Missing if no line was to be stored.
    #[serde(default, borrow)]
    lines: Option<Vec<Cow<'a, str>>>,
    /// Missing if nothing was taken.
    #[serde(default)]
    taken_ns: u64,
    /// Missing if the game was not interrupted after it.
    #[serde(default)]
    interruptions_ns: Vec<u64>,
}

impl StoredMove<'_> {
    /// The record of this move, which the caller has read from its text.
    pub(crate) fn record(self, chess_move: Move) -> MoveRecord {
        let lines = self.lines.into_iter().flatten();
        let interruptions = self.interruptions_ns.into_iter();
        let score = self.mate.map(Score::Mate);
        let wdl = self.win.zip(self.draw).zip(self.loss);
        MoveRecord {
            chess_move,
            sent: Stamp(self.sent_ns),
            received: Stamp(self.received_ns),
            taken: Duration::from_nanos(self.taken_ns),
            clock: self.clock_ns.map(Duration::from_nanos),
            nodes_limit: self.nodes_limit,
            host: self.host,
            idle: self.idle.map(|times| {
                let [watched, cpu] = times.map(Duration::from_nanos);
                IdleTimes { watched, cpu }
            }),
            pondered: self.pondered,
            lines: lines.map(Cow::into_owned).collect(),
            interruptions: interruptions.map(Duration::from_nanos).collect(),
            thinking: Thinking {
                score: score.or(self.centipawns.map(Score::Centipawns)),
                bound: self.bound,
                wdl: wdl.map(|((win, draw), loss)| [win, draw, loss]),
                depth: self.depth,
                seldepth: self.seldepth,
                nodes: self.nodes,
                nps: self.nps,
                hashfull: self.hashfull,
                tbhits: self.tbhits,
                time_ms: self.time_ms,
                pv: self.pv.into_owned(),
            },
        }
    }
}

/// Maximum length of one variation, in bytes: some two hundred half-moves.
pub(super) const MAX_VARIATION_BYTES: usize = 1024;

/// Maximum length of all variations of one game, in bytes.
const MAX_GAME_VARIATION_BYTES: usize = 256 * 1024;

/// Written at the end of a variation that was shortened.
pub const CUT_VARIATION: &str = "…";

/// The space left for the variations of a game.
#[derive(Debug)]
pub(super) struct Allowance(usize);

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance(MAX_GAME_VARIATION_BYTES)
    }
}

impl Allowance {
    /// The variation, or its beginning up to the end of a word, and [`CUT_VARIATION`].
    pub(super) fn keep<'a>(&mut self, variation: &'a str) -> Cow<'a, str> {
        let most = MAX_VARIATION_BYTES.min(self.0);
        if variation.len() <= most {
            self.0 -= variation.len();
            return Cow::Borrowed(variation);
        }
        // A word that ends exactly at the limit is kept.
        let begin = &variation.as_bytes()[..most];
        let end = match variation.as_bytes()[most] {
            b' ' => Some(most),
            _ => begin.iter().rposition(|byte| *byte == b' '),
        };
        let kept = end.and_then(|end| variation.get(..end)).unwrap_or("");
        self.0 -= kept.len();
        let separator = if kept.is_empty() { "" } else { " " };
        Cow::Owned(format!("{kept}{separator}{CUT_VARIATION}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variation_is_cut_at_a_words_end() {
        let mut allowance = Allowance::default();
        assert_eq!(allowance.keep("e2e4 e7e5"), "e2e4 e7e5");
        let endless = "e2e4 ".repeat(12_000);
        let kept = allowance.keep(&endless);
        assert_eq!(kept, format!("{}{CUT_VARIATION}", "e2e4 ".repeat(205)));
        assert_eq!(allowance.keep(&"x".repeat(5000)), CUT_VARIATION);
        assert_eq!(allowance.keep(&"é".repeat(5000)), CUT_VARIATION);
    }

    #[test]
    fn a_game_has_room_for_so_much() {
        let mut allowance = Allowance::default();
        let endless = "e2e4 ".repeat(12_000);
        let kept: usize = (0..10_000).map(|_| allowance.keep(&endless).len()).sum();
        assert!(
            kept <= MAX_GAME_VARIATION_BYTES + 10_000 * (CUT_VARIATION.len() + 1),
            "{kept}"
        );
    }
}
