//! A game as one JSON object, for files and for other machines. It has the store's own columns, so that every fact has
//! only one written form.
//!
//! [`PlayedGame`] is serialised as this object. It contains the version of the store's columns; objects of other
//! versions are refused. The input is checked like data from a store: every move against
//! the rules, every word against the known words.

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::payload::TextColumns;
use super::{SCHEMA, key};
use crate::chess::StartNumber;
use crate::event::{GameId, PlayedGame, Seat, UnixMillis};
use crate::referee::{Dialogue, Outcome};
use crate::stats::counts::GameScore;

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
        let outcome = match self.white_half_points {
            Some(half_points) => GameScore::from_half_points(half_points)
                .and_then(|score| key::outcome(score, &self.reason)),
            None => {
                let detail = self.detail.clone();
                key::void_reason(&self.reason, detail).map(Outcome::Void)
            }
        };
        outcome.ok_or_else(|| format!("unknown reason '{}'", self.reason))
    }
}
