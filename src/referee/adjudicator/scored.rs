//! A move as the rules of adjudication see it.

use crate::chess::{CastlingSide, Color, Game};
use crate::referee::Thinking;
use crate::uci::Score;

/// A move by an engine, with the score that it gave with it and the place of the move in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoredMove {
    /// Who made it.
    pub mover: Color,
    /// The last score that is not a bound, from the mover's view.
    pub score: Option<Score>,
    /// If no such score came, the last bound.
    pub bound: Option<Score>,
    /// The depth of that search in plies; 0 if the engine gave none.
    pub depth: u32,
    /// The position's full move number after the move, which the start position's counter begins.
    pub fullmove_number: u32,
    /// Half-moves on the board, including the book's and this one.
    pub plies: u32,
    /// Whether it was a move by a pawn or a capture.
    pub irreversible: bool,
    /// Whether it was the move of a rook with which its king could have castled.
    pub moves_castling_rook: bool,
}

impl ScoredMove {
    /// The last move on the board, with what the engine said of its search.
    pub fn last(game: &Game, thinking: &Thinking) -> ScoredMove {
        let position = game.position();
        let exact = thinking.bound.is_none();
        ScoredMove {
            mover: !position.side_to_move(),
            score: thinking.score.filter(|_| exact),
            bound: thinking.score.filter(|_| !exact),
            depth: thinking.depth.unwrap_or(0),
            fullmove_number: position.fullmove_number(),
            plies: u32::try_from(game.moves().len()).unwrap_or(u32::MAX),
            irreversible: position.halfmove_clock() == 0,
            moves_castling_rook: moves_castling_rook(game),
        }
    }

    /// The number of the full move that it belongs to.
    pub(super) fn move_number(&self) -> u32 {
        match self.mover {
            Color::White => self.fullmove_number,
            Color::Black => self.full_moves(),
        }
    }

    /// Full moves that are complete, by the position's own counter.
    pub(super) fn full_moves(&self) -> u32 {
        self.fullmove_number.saturating_sub(1)
    }
}

fn moves_castling_rook(game: &Game) -> bool {
    let Some((mv, before)) = game.moves().iter().zip(game.positions()).next_back() else {
        return false;
    };
    let rook = |side| before.castling_rook(before.side_to_move(), side);
    let rooks = [CastlingSide::KingSide, CastlingSide::QueenSide].map(rook);
    rooks.contains(&Some(mv.from()))
}

/// Whether a score is within the limit on either side of zero; a mate never is.
pub(super) fn is_level(score: Option<Score>, limit: u32) -> bool {
    matches!(score, Some(Score::Centipawns(points)) if points.unsigned_abs() <= limit)
}

/// Whether an engine says that it loses by the limit or more; every mate is more than any limit. `mate 0` comes from
/// the side that is mated.
pub(super) fn is_lost(score: Option<Score>, limit: u32) -> bool {
    match score {
        Some(Score::Centipawns(points)) => i64::from(points) <= -i64::from(limit),
        Some(Score::Mate(moves)) => moves <= 0,
        None => false,
    }
}

/// Whether an engine says that it wins by the limit or more.
pub(super) fn is_winning(score: Option<Score>, limit: u32) -> bool {
    match score {
        Some(Score::Centipawns(points)) => i64::from(points) >= i64::from(limit),
        Some(Score::Mate(moves)) => moves > 0,
        None => false,
    }
}
