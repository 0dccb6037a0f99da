//! The text columns of a game: the parts of a record that are not counted, and the dialogues of faults.
//!
//! A move is one JSON array with a fixed order of elements. So a game of 80 plies takes a few kilobytes, and the view
//! `moves` can show it as rows.
//!
//! As one JSON object, for files and for other machines, a game has the same columns, so that every fact has only one
//! written form: [`PlayedGame`] is serialised as this object. It contains the version of the store's columns; objects
//! of other versions are refused. The input is checked like data from a store: every move against the rules, every word
//! against the known words.

use std::borrow::Cow;

use rusqlite::{Connection, OptionalExtension, params};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::checksum::{self, DIALOGUES};
use super::move_row::{MoveRows, StoredMove};
use super::{SCHEMA, key};
use crate::chess::{FenDialect, Move, Position, StartNumber, UciDialect};
use crate::event::{GameId, PlayedGame, Seat, UnixMillis};
use crate::referee::{Breaches, Dialogue, GameRecord, Outcome};
use crate::stats::counts::GameScore;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TextColumns<'a> {
    pub(super) fen: Cow<'a, str>,
    pub(super) castling: Cow<'a, str>,
    pub(super) opening: Cow<'a, str>,
    pub(super) moves: Cow<'a, str>,
    pub(super) faults: Option<Cow<'a, str>>,
    pub(super) breaches: Option<Cow<'a, str>>,
}

impl TextColumns<'_> {
    /// The columns of a record.
    pub(super) fn encode(record: &GameRecord) -> serde_json::Result<TextColumns<'static>> {
        let opening: Vec<String> = record.opening.iter().map(Move::to_string).collect();
        let faults = Some(&record.faults).filter(|faults| !faults.is_empty());
        let faults = faults.map(serde_json::to_string).transpose()?;
        let breaches = Some(&record.breaches).filter(|all| **all != [Breaches::default(); 2]);
        let breaches = breaches.map(serde_json::to_string).transpose()?;
        Ok(TextColumns {
            fen: record.start.fen(FenDialect::XFen).into(),
            castling: key::castling_word(record.start.castling_rule()).into(),
            opening: serde_json::to_string(&opening)?.into(),
            moves: serde_json::to_string(&MoveRows(&record.moves))?.into(),
            faults: faults.map(Cow::from),
            breaches: breaches.map(Cow::from),
        })
    }

    /// The record; every move is checked against the rules.
    ///
    /// # Errors
    /// What is wrong with the columns, for people.
    pub(super) fn decode(&self, outcome: Outcome) -> Result<GameRecord, String> {
        let rule = key::castling(&self.castling).ok_or("unknown castling rule")?;
        let start = Position::from_fen_with(&self.fen, rule).map_err(|e| e.to_string())?;
        let mut position = start.clone();
        let mut next = |text: &str| play(&mut position, text);
        let opening: Vec<&str> = parse(&self.opening)?;
        let opening = opening.into_iter().map(&mut next);
        let opening = opening.collect::<Result<_, String>>()?;
        let breaches = self.breaches.as_deref();
        let rows: Vec<StoredMove<'_>> = parse(&self.moves)?;
        let moves = rows.into_iter().map(|row| {
            let chess_move = next(row.chess_move)?;
            Ok(row.record(chess_move))
        });
        Ok(GameRecord {
            start,
            opening,
            moves: moves.collect::<Result<_, String>>()?,
            outcome,
            faults: self.faults.as_deref().map_or(Ok(Vec::new()), parse)?,
            breaches: breaches.map_or(Ok(Default::default()), parse)?,
            dialogue: None,
        })
    }
}

pub(super) fn play(position: &mut Position, text: &str) -> Result<Move, String> {
    let parsed = position.parse_uci(text, UciDialect::Chess960);
    let chess_move = parsed.map_err(|error| format!("move {text}: {error}"))?;
    position.play(chess_move);
    Ok(chess_move)
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Writes the dialogue of a finished game (`attempt` 0) or of a voided one.
pub(super) fn write_dialogue(
    connection: &Connection,
    (id, playing): (GameId, u32),
    attempt: i64,
    dialogue: &Dialogue,
) -> rusqlite::Result<()> {
    let pair = key::pair_column(id, playing);
    let text = serde_json::to_string(dialogue).map_err(unwritable)?;
    let mut statement = connection.prepare_cached(&DIALOGUES.write("INSERT"))?;
    statement.execute(params![pair, id.game, attempt, text])?;
    Ok(())
}

/// The dialogue of a game, if it was kept.
pub(super) fn read_dialogue(
    connection: &Connection,
    (id, playing): (GameId, u32),
    attempt: u64,
) -> rusqlite::Result<Option<Dialogue>> {
    let sql = format!(
        "SELECT dialogue, {} FROM dialogues WHERE pair = ?1 AND game = ?2 AND attempt = ?3",
        DIALOGUES.intact()
    );
    let pair = key::pair_column(id, playing);
    let key = params![pair, id.game, attempt.cast_signed()];
    let mut statement = connection.prepare_cached(&sql)?;
    let row = statement.query_row(key, |row| {
        checksum::check(row, 1, || format!("the dialogue of game {id}"))?;
        key::json(row, 0)
    });
    row.optional()
}

/// A value that cannot be JSON; none is known.
pub(super) fn unwritable(error: serde_json::Error) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(Box::new(error))
}

#[derive(Serialize, Deserialize)]
struct GameObject {
    /// The version of the columns.
    schema: i64,
    id: GameId,
    cycle: u32,
    number: Option<u32>,
    seats: [Seat; 2],
    started_ms: i64,
    ended_ms: i64,
    /// `None` for a voided game.
    white_half_points: Option<u8>,
    reason: String,
    detail: Option<String>,
    /// The text columns of `play`, unchanged.
    #[serde(flatten)]
    columns: TextColumns<'static>,
    dialogue: Option<Box<Dialogue>>,
}

impl Serialize for PlayedGame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let outcome = &self.record.outcome;
        let object = GameObject {
            schema: SCHEMA,
            id: self.id,
            cycle: self.cycle,
            number: self.number.map(|number| number.0),
            seats: self.seats,
            started_ms: self.started.0,
            ended_ms: self.ended.0,
            white_half_points: outcome.white_score().map(GameScore::half_points),
            reason: outcome.reason().to_owned(),
            detail: match outcome {
                Outcome::Void(reason) => reason.detail().map(str::to_owned),
                _ => None,
            },
            columns: TextColumns::encode(&self.record).map_err(S::Error::custom)?,
            dialogue: self.record.dialogue.clone(),
        };
        object.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PlayedGame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlayedGame, D::Error> {
        let object = GameObject::deserialize(deserializer)?;
        object.game().map_err(D::Error::custom)
    }
}

impl GameObject {
    fn game(self) -> Result<PlayedGame, String> {
        if self.schema != SCHEMA {
            let version = self.schema;
            return Err(format!(
                "a game of version {version} was written by another version of this program, which has {SCHEMA}"
            ));
        }
        let outcome = self.outcome()?;
        let mut record = self.columns.decode(outcome)?;
        record.dialogue = self.dialogue;
        if self.id.game > 1 {
            return Err(format!("a pair has no game {}", self.id.game));
        }
        Ok(PlayedGame {
            id: self.id,
            cycle: self.cycle,
            number: self.number.map(StartNumber),
            seats: self.seats,
            started: UnixMillis(self.started_ms),
            ended: UnixMillis(self.ended_ms),
            record,
        })
    }

    fn outcome(&self) -> Result<Outcome, String> {
        let score = self.white_half_points.map(GameScore::from_half_points);
        let outcome = match score {
            Some(score) => score.and_then(|score| key::outcome(score, &self.reason)),
            None => key::void_reason(&self.reason, self.detail.clone()).map(Outcome::Void),
        };
        outcome.ok_or_else(|| format!("unknown reason '{}'", self.reason))
    }
}
