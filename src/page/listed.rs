//! A game as the page lists it, from any source.

use std::borrow::Cow;

use crate::chess::{Color, StartNumber};
use crate::event::{GameId, Seat};
use crate::stats::counts::GameScore;

/// One game.
#[derive(Debug, Clone)]
pub(super) struct ListedGame {
    /// The order of finishing, or the place in the file, from 1.
    pub sequence: u64,
    pub id: GameId,
    /// The name of the game on the page: `17.2`, or its place in the file if the file gives no name.
    pub round: String,
    /// The start's key in the statistics.
    pub start: Option<u32>,
    pub number: Option<StartNumber>,
    /// White and Black, by [`Color::index`].
    pub seats: [Seat; 2],
    /// The result as people write it.
    pub result: &'static str,
    /// The side that lost it to the other.
    pub loser: Option<Color>,
    /// A word for the end.
    pub reason: Cow<'static, str>,
    /// The end in full.
    pub ending: String,
    /// Half-moves, the book's included.
    pub plies: u32,
    /// Whose fault was seen in it.
    pub fault: Option<Color>,
}

/// A result in the form of PGN.
pub(super) fn token(white: GameScore) -> &'static str {
    match white {
        GameScore::Win => "1-0",
        GameScore::Draw => "1/2-1/2",
        GameScore::Loss => "0-1",
    }
}

/// The side that lost.
pub(super) fn loser(white: GameScore) -> Option<Color> {
    match white {
        GameScore::Win => Some(Color::Black),
        GameScore::Draw => None,
        GameScore::Loss => Some(Color::White),
    }
}
