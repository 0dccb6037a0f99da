//! What is counted for an engine: results by colour, and the reasons for which its games ended.

use std::collections::BTreeMap;

use super::rating::CutechessRating;
use crate::chess::Color;
use crate::event::PlayedGame;
use crate::front::common::reason;
use crate::referee::{DrawnBy, FaultKind, Outcome, WonBy};
use crate::stats::counts::{GameScore, Trinomial};

/// What is counted for an engine.
#[derive(Debug, Clone, Default)]
pub(super) struct EngineTally {
    /// Results with White and with Black.
    pub(super) results: [Trinomial; 2],
    /// Why games ended, in words.
    pub(super) reasons: BTreeMap<String, u64>,
    /// The reasons by the fields of the table.
    kinds: BTreeMap<&'static str, u64>,
}

impl EngineTally {
    /// Counts a game in which the engine had this colour.
    pub(super) fn add(&mut self, game: &PlayedGame, color: Color) {
        let outcome = &game.record.outcome;
        if let Some(white) = outcome.white_score() {
            let (place, score) = match color {
                Color::White => (0, white),
                Color::Black => (1, GameScore::reversed(white)),
            };
            self.results[place].add(score);
        }
        let why = words(game);
        let why = match outcome {
            Outcome::Won { by, .. } if *by == color => format!("Win: {why}"),
            Outcome::Won { .. } => format!("Loss: {why}"),
            _ => why,
        };
        *self.reasons.entry(why).or_default() += 1;
        if let Some(kind) = kind(outcome, color) {
            *self.kinds.entry(kind).or_default() += 1;
        }
    }

    /// Results with both colours.
    pub(super) fn all(&self) -> Trinomial {
        let [white, black] = &self.results;
        Trinomial(std::array::from_fn(|cell| white.0[cell] + black.0[cell]))
    }

    /// The numbers of all results.
    pub(super) fn rating(&self) -> CutechessRating {
        CutechessRating::of(&self.all())
    }

    /// The number of games that ended in the way that a field of the table counts.
    pub(super) fn ended(&self, field: &str) -> String {
        self.kinds.get(field).copied().unwrap_or(0).to_string()
    }
}

/// From 0 to 1.
pub(super) fn points_per_game(results: &Trinomial) -> f64 {
    (2 * results.wins() + results.draws()) as f64 / (2 * results.games()) as f64
}

/// The field of the table that counts a game for the engine of this colour.
fn kind(outcome: &Outcome, color: Color) -> Option<&'static str> {
    let kind = match outcome {
        Outcome::Uneven(_) | Outcome::Void(_) => return None,
        Outcome::Won { by, how } => {
            let fault = match how {
                WonBy::Forfeit(FaultKind::FlagFall) => Some("Time"),
                WonBy::Forfeit(FaultKind::IllegalMove) => Some("Illegal"),
                WonBy::Forfeit(FaultKind::Stall | FaultKind::NotReady | FaultKind::IdleCpu) => {
                    Some("Stall")
                }
                WonBy::Forfeit(_) => Some("Discon"),
                _ => None,
            };
            match (fault, *by == color) {
                (Some(_), true) => "OtherW",
                (Some(fault), false) => fault,
                (None, true) => "RegulW",
                (None, false) => "RegulL",
            }
        }
        Outcome::Drawn(how) => match how {
            DrawnBy::Stalemate => "DStale",
            DrawnBy::ThreefoldRepetition | DrawnBy::FivefoldRepetition => "DRepet",
            DrawnBy::FiftyMoves | DrawnBy::SeventyFiveMoves => "DMoves",
            DrawnBy::DeadPosition => "DMater",
            _ => "DAdj",
        },
    };
    Some(kind)
}

/// The reason in the words of cutechess-cli: a loss on time is given without the time, an illegal move with the move.
pub(super) fn words(game: &PlayedGame) -> String {
    if let Outcome::Drawn(DrawnBy::LengthAdjudication) = game.record.outcome {
        return "Draw by adjudication: maximal game length".to_owned();
    }
    let text = reason::text(game, &[]);
    if let Some((flag, _)) = text.split_once(" (") {
        return flag.to_owned();
    }
    match reason::illegal_move(game) {
        Some(wrong) => format!("{text}: {wrong}"),
        None => text,
    }
}
