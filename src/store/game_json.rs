//! A game as one JSON object, for files and for other machines. It has the store's own columns, so that every fact has
//! only one written form.
//!
//! [`PlayedGame`] is serialised as this object. It contains the version of the store's columns; objects of earlier
//! versions are read, those of a later one are refused. The input is checked like data from a store: every move against
//! the rules, every word against the known words.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::chess::StartNumber;
use crate::event::{GameId, PlayedGame, Seat, UnixMillis};
use crate::referee::{Outcome, VoidReason};
use crate::stats::counts::GameScore;

use super::dialogues::DialogueRow;
use super::payload::{Payload, StoredPayload};
use super::schema::{self, SCHEMA};
use super::words;

/// The object.
#[derive(Serialize, Deserialize)]
struct GameObject<'a> {
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
    reason: Cow<'a, str>,
    detail: Option<Cow<'a, str>>,
    fen: Cow<'a, str>,
    castling: Cow<'a, str>,
    /// The text columns of `play`, unchanged.
    opening: Cow<'a, str>,
    moves: Cow<'a, str>,
    faults: Option<Cow<'a, str>>,
    breaches: Option<Cow<'a, str>>,
    dialogue: Option<DialogueRow>,
}

impl Serialize for PlayedGame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut columns = Payload::default();
        columns.encode(&self.record).map_err(S::Error::custom)?;
        let text = |bytes| std::str::from_utf8(bytes).map_err(S::Error::custom);
        let outcome = &self.record.outcome;
        let dialogue = self.record.dialogue.as_deref().map(DialogueRow::new);
        let object = GameObject {
            schema: SCHEMA,
            id: self.id,
            cycle: self.cycle,
            number: self.number.map(|number| number.0),
            seats: self.seats,
            started_ms: self.started.0,
            ended_ms: self.ended.0,
            white_half_points: outcome.white_score().map(GameScore::half_points),
            reason: outcome.reason().into(),
            detail: detail(outcome).map(Cow::from),
            fen: columns.fen.as_str().into(),
            castling: columns.castling.into(),
            opening: text(&columns.opening)?.into(),
            moves: text(&columns.moves)?.into(),
            faults: columns.faults.as_deref().map(Cow::from),
            breaches: columns.breaches.as_deref().map(Cow::from),
            dialogue: dialogue.transpose().map_err(S::Error::custom)?,
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

impl GameObject<'_> {
    fn game(self) -> Result<PlayedGame, String> {
        if !schema::is_known(self.schema) {
            let version = self.schema;
            return Err(format!(
                "a game of version {version} was written by another version of this program, \
                 which knows those up to {SCHEMA}"
            ));
        }
        let outcome = self.outcome()?;
        let columns = StoredPayload {
            fen: &self.fen,
            castling: &self.castling,
            opening: &self.opening,
            moves: &self.moves,
            faults: self.faults.as_deref(),
            breaches: self.breaches.as_deref(),
        };
        let mut record = columns.decode(outcome)?;
        let dialogue = self.dialogue.map(DialogueRow::dialogue);
        record.dialogue = dialogue.transpose()?.map(Box::new);
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
        let outcome = match self.white_half_points {
            Some(half_points) => GameScore::from_half_points(half_points)
                .and_then(|score| words::outcome(score, &self.reason)),
            None => {
                let detail = self.detail.as_deref().map(str::to_owned);
                words::void_reason(&self.reason, detail).map(Outcome::Void)
            }
        };
        outcome.ok_or_else(|| format!("unknown reason '{}'", self.reason))
    }
}

/// Details of a voided game that its reason does not contain.
fn detail(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Void(VoidReason::HostFault(what)) => Some(what),
        _ => None,
    }
}
