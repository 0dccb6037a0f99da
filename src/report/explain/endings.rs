//! The tablebases' findings about a game's ending: where it was won, and which move gave the win away.

use serde::{Serialize, Serializer};

use super::names::{color, move_name};
use crate::chess::{Color, Game};
use crate::tablebase::{SolvedOutcome, Tablebase};

/// The tablebases' findings about a game, from the first position that they have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct EndingStory {
    /// After this ply, the book's counted, the tables have the position; 0 is the start.
    pub ply: usize,
    /// The move of that ply; `None` at the start.
    pub after: Option<String>,
    /// Number of men on the board at that ply.
    pub men: u32,
    /// How it ends with best play.
    #[serde(serialize_with = "verdict")]
    pub verdict: SolvedOutcome,
    /// The moves that changed that, in their order.
    pub changes: Vec<EndingChange>,
}

/// A move by which its side got less than it could have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct EndingChange {
    /// From 1, the book's moves counted.
    pub ply: usize,
    /// Who made it.
    #[serde(serialize_with = "color")]
    pub mover: Color,
    /// `61. Kd3` or `61...Kd6`.
    pub san: String,
    /// How the game ended with best play before the move.
    #[serde(serialize_with = "verdict")]
    pub before: SolvedOutcome,
    /// How it ended after it.
    #[serde(serialize_with = "verdict")]
    pub after: SolvedOutcome,
}

/// `white`, `black` or `draw`.
fn verdict<S: Serializer>(verdict: &SolvedOutcome, serializer: S) -> Result<S::Ok, S::Error> {
    match verdict {
        SolvedOutcome::Won(winner) => color(winner, serializer),
        SolvedOutcome::Drawn => serializer.serialize_str("draw"),
    }
}

impl EndingStory {
    /// For a game, with the fifty-move rule; `None` if the tables know nothing of it.
    pub(super) fn of(game: &Game, tables: &dyn Tablebase) -> Option<EndingStory> {
        let positions = game.positions();
        let known: Vec<Option<SolvedOutcome>> = positions
            .iter()
            .map(|position| tables.verdict(position, true))
            .collect();
        let (ply, verdict) = known
            .iter()
            .enumerate()
            .find_map(|(ply, known)| Some((ply, (*known)?)))?;
        let changes = positions.iter().enumerate().filter_map(|(index, here)| {
            let (before, after) = (known[index]?, (*known.get(index + 1)?)?);
            (before != after).then(|| EndingChange {
                ply: index + 1,
                mover: here.side_to_move(),
                san: move_name(game, index + 1),
                before,
                after,
            })
        });
        Some(EndingStory {
            ply,
            after: ply.checked_sub(1).map(|before| move_name(game, before + 1)),
            men: positions[ply].occupied().len(),
            verdict,
            changes: changes.collect(),
        })
    }
}
