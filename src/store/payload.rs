//! The text columns of a game: the parts of a record that are not counted.
//!
//! A move is one JSON array with a fixed order of elements. So a game of 80 plies takes a few kilobytes, and the view
//! `moves` can show it as rows.

use rusqlite::types::ValueRef;
use serde::{Deserialize, Serialize};

use crate::chess::{FenDialect, Move, Position, UciDialect};
use crate::clock::Stamp;
use crate::referee::{Breaches, Fault, FlagEvidence, GameRecord, Outcome};

use super::evidence_row::EvidenceRow;
use super::move_row::{MoveRows, MoveText, StoredMove};
use super::{checksum, words};

/// The text columns; the buffers are reused from game to game.
#[derive(Debug, Default)]
pub(crate) struct Payload {
    pub(crate) fen: String,
    pub(crate) castling: &'static str,
    pub(crate) opening: Vec<u8>,
    pub(crate) moves: Vec<u8>,
    pub(crate) faults: Option<String>,
    pub(crate) breaches: Option<String>,
}

impl Payload {
    /// Fills the columns from a record.
    pub(crate) fn encode(&mut self, record: &GameRecord) -> serde_json::Result<()> {
        self.fen = record.start.fen(FenDialect::XFen);
        self.castling = words::castling_word(record.start.castling_rule());
        self.opening.clear();
        let opening: Vec<MoveText> = record.opening.iter().map(MoveText::new).collect();
        serde_json::to_writer(&mut self.opening, &opening)?;
        self.moves.clear();
        serde_json::to_writer(&mut self.moves, &MoveRows(&record.moves))?;
        self.faults = encode_faults(&record.faults)?;
        self.breaches = encode_breaches(&record.breaches)?;
        Ok(())
    }

    /// The checksum of the row of `play` with these columns.
    pub(crate) fn checksum(&self, sequence: i64) -> i64 {
        fn optional(text: &Option<String>) -> ValueRef<'_> {
            text.as_deref().map_or(ValueRef::Null, ValueRef::from)
        }
        let values = [
            ValueRef::from("play"),
            ValueRef::Integer(sequence),
            ValueRef::from(self.fen.as_str()),
            ValueRef::from(self.castling),
            ValueRef::Text(&self.opening),
            ValueRef::Text(&self.moves),
            optional(&self.faults),
            optional(&self.breaches),
        ];
        checksum::of(values.into_iter())
    }
}

/// The text columns as read from the file.
pub(crate) struct StoredPayload<'a> {
    pub(crate) fen: &'a str,
    pub(crate) castling: &'a str,
    pub(crate) opening: &'a str,
    pub(crate) moves: &'a str,
    pub(crate) faults: Option<&'a str>,
    pub(crate) breaches: Option<&'a str>,
}

impl StoredPayload<'_> {
    /// The record; every move is checked against the rules.
    ///
    /// # Errors
    /// What is wrong with the columns, for people.
    pub(crate) fn decode(&self, outcome: Outcome) -> Result<GameRecord, String> {
        let rule = words::castling(self.castling).ok_or("unknown castling rule")?;
        let start = Position::from_fen_with(self.fen, rule).map_err(|e| e.to_string())?;
        let mut position = start.clone();
        let mut next = |text: &str| play(&mut position, text);
        let opening: Vec<&str> = parse(self.opening)?;
        let opening = opening.into_iter().map(&mut next);
        let opening = opening.collect::<Result<_, String>>()?;
        let rows: Vec<StoredMove<'_>> = parse(self.moves)?;
        let moves = rows.into_iter().map(|row| {
            let chess_move = next(row.chess_move)?;
            Ok(row.record(chess_move))
        });
        Ok(GameRecord {
            start,
            opening,
            moves: moves.collect::<Result<_, String>>()?,
            outcome,
            faults: decode_faults(self.faults)?,
            breaches: decode_breaches(self.breaches)?,
            dialogue: None,
        })
    }
}

fn play(position: &mut Position, text: &str) -> Result<Move, String> {
    let parsed = position.parse_uci(text, UciDialect::Chess960);
    let chess_move = parsed.map_err(|error| format!("move {text}: {error}"))?;
    position.play(chess_move);
    Ok(chess_move)
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// The kind of a fault in SQL, in a row `fault` of `json_each`: the element of [`FaultRow`].
pub(super) const KIND: &str = "fault.value ->> 1";

/// The cause of a flag fall, in the same form.
pub(super) const VERDICT: &str = "fault.value ->> '$[5].verdict'";

/// Side, kind, ply, stamp, detail, evidence, stderr.
#[derive(Serialize, Deserialize)]
struct FaultRow<S>(
    S,
    S,
    u32,
    u64,
    String,
    Option<EvidenceRow>,
    /// In games of earlier programs this is a part of the detail.
    #[serde(default)]
    Option<String>,
);

fn encode_faults(faults: &[Fault]) -> serde_json::Result<Option<String>> {
    let row = |fault: &Fault| -> FaultRow<&'static str> {
        FaultRow(
            words::color_word(fault.side),
            fault.kind.reason(),
            fault.ply,
            fault.at.0,
            fault.detail.clone(),
            fault.evidence.as_ref().map(EvidenceRow::from),
            fault.stderr.clone(),
        )
    };
    let rows: Vec<FaultRow<&str>> = faults.iter().map(row).collect();
    if rows.is_empty() {
        return Ok(None);
    }
    serde_json::to_string(&rows).map(Some)
}

fn decode_faults(text: Option<&str>) -> Result<Vec<Fault>, String> {
    let Some(text) = text else {
        return Ok(Vec::new());
    };
    let rows: Vec<FaultRow<&str>> = parse(text)?;
    let fault = |FaultRow(side, kind, ply, at, detail, evidence, stderr): FaultRow<&str>| {
        Ok(Fault {
            side: words::color(side).ok_or("unknown colour")?,
            kind: words::fault_kind(kind).ok_or("unknown kind of fault")?,
            ply,
            at: Stamp(at),
            detail,
            stderr,
            evidence: evidence.as_ref().map(FlagEvidence::from),
        })
    };
    rows.into_iter().map(fault).collect()
}

/// `[[unasked, overlong], [unasked, overlong]]`, White first.
type BreachRows = [[u32; 2]; 2];

fn encode_breaches(breaches: &[Breaches; 2]) -> serde_json::Result<Option<String>> {
    if *breaches == [Breaches::default(); 2] {
        return Ok(None);
    }
    let rows: BreachRows = breaches.map(|side| [side.unasked_bestmoves, side.overlong_lines]);
    serde_json::to_string(&rows).map(Some)
}

fn decode_breaches(text: Option<&str>) -> Result<[Breaches; 2], String> {
    let Some(text) = text else {
        return Ok([Breaches::default(); 2]);
    };
    let rows: BreachRows = parse(text)?;
    Ok(rows.map(|[unasked_bestmoves, overlong_lines]| Breaches {
        unasked_bestmoves,
        overlong_lines,
    }))
}
