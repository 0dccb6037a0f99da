//! A start that was made, in the store: a value of the table `event` for each.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::chess::{FenDialect, Position};
use crate::config::Tournament;
use crate::run::error::RunError;
use crate::schedule::{Opening, Openings};
use crate::store::{Reader, StoreError};

/// A start, and how it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) opening: Opening,
    /// Whether the players have the other colours than in the plan.
    pub(super) reversed: bool,
    /// The turns, for people.
    pub(super) turns: Vec<String>,
}

/// The same as the store has it.
#[derive(Serialize, Deserialize)]
struct Text {
    /// X-FEN.
    fen: String,
    /// Whether the players have the other colours than in the plan.
    reversed: bool,
    /// White and Black of the plan's first game.
    players: [String; 2],
    /// What they did, in order.
    turns: Vec<String>,
}

impl Made {
    /// The value for the store.
    pub(super) fn text(&self, players: &[String; 2]) -> String {
        let text = Text {
            fen: self.opening.start.fen(FenDialect::XFen),
            reversed: self.reversed,
            players: players.clone(),
            turns: self.turns.clone(),
        };
        serde_json::json!(text).to_string()
    }
}

/// The key of the start with this number, from 0; people count from 1.
pub(super) fn key(number: u32) -> String {
    format!("opening_{}", number + 1)
}

/// Whether this start was made.
///
/// # Errors
/// The store cannot be read.
pub(super) fn is_stored(reader: &Reader, number: u32) -> Result<bool, StoreError> {
    Ok(reader.value(&key(number))?.is_some())
}

/// The tournament with all starts that the store has; the others are as before.
///
/// # Errors
/// The store cannot be read, or does not hold what this program writes there.
pub(crate) fn with_stored(
    tournament: &Arc<Tournament>,
    reader: &Reader,
) -> Result<Arc<Tournament>, RunError> {
    if tournament.making.is_none() {
        return Ok(Arc::clone(tournament));
    }
    let openings = &tournament.openings;
    let (mut made, mut reversed) = (Vec::new(), Vec::new());
    for number in 0..openings.len() {
        let Some(text) = reader.value(&key(number))? else {
            made.push(openings.get(number));
            reversed.push(false);
            continue;
        };
        let (opening, is_reversed) = parsed(tournament, &text).ok_or_else(|| senseless(&text))?;
        made.push(opening);
        reversed.push(is_reversed);
    }
    let openings = Openings::made(openings.variant(), made, reversed);
    Ok(Arc::new(Tournament {
        openings: Arc::new(openings),
        ..Tournament::clone(tournament)
    }))
}

fn parsed(tournament: &Tournament, text: &str) -> Option<(Opening, bool)> {
    let Text { fen, reversed, .. } = serde_json::from_str(text).ok()?;
    let rule = tournament.variant.castling_rule();
    let position = Position::from_fen_with(&fen, rule).ok()?;
    let opening = Opening::new(tournament.variant, position, Vec::new()).ok()?;
    Some((opening, reversed))
}

fn senseless(text: &str) -> RunError {
    let what = format!("the event's store holds a start that makes no sense: {text}");
    RunError::System(std::io::Error::other(what))
}
