//! The names of moves and sides.

use serde::{Serialize, Serializer};

use crate::chess::{Color, Game, Move, Position};

/// The move that was made at this ply, from 1, as [`numbered`].
pub(super) fn move_name(board: &Game, ply: usize) -> String {
    numbered(&board.positions()[ply - 1], board.moves()[ply - 1])
}

/// `12. Nf3` or `12...d5`.
pub(super) fn numbered(here: &Position, played: Move) -> String {
    let dots = match here.side_to_move() {
        Color::White => ". ",
        Color::Black => "...",
    };
    format!("{}{dots}{}", here.fullmove_number(), here.san(played))
}

/// The side, as JSON has it.
pub(super) fn color<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(color)
}

/// The same of one that there may be.
pub(super) fn loser<S: Serializer>(
    loser: &Option<Color>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    loser.map(|loser| loser.to_string()).serialize(serializer)
}
