//! The moves of a game of a PGN file, and what its comments say of them.

use crate::chess::FenDialect;
use crate::pgn::{Annotations, PgnError, RawGame, Step};
use crate::stats::surrogate::Surrogate;

use super::super::collection::record_hash;
use super::super::evaluations::EvaluationSearch;

/// A null move among the bits of moves: no move has these.
const NULL_MOVE: u16 = 0;

/// What the moves say.
#[derive(Debug)]
pub(super) struct Replayed {
    pub(super) moves: Vec<u16>,
    /// Equal for games that are the same from the same start.
    pub(super) record: u64,
    pub(super) surrogate: Surrogate,
    /// The moves of a book, where comments say so.
    pub(super) book: usize,
}

/// Plays a game through.
pub(super) fn replayed(game: &RawGame<'_>) -> Result<Replayed, PgnError> {
    let mut replay = game.replay()?;
    let fen = replay.start().position.fen(FenDialect::XFen);
    let (mut moves, mut book) = (Vec::new(), 0);
    let mut search = EvaluationSearch::default();
    while let Some(step) = replay.next_step() {
        match step? {
            Step::Move(chess_move) => moves.push(chess_move.bits()),
            Step::NullMove => moves.push(NULL_MOVE),
            Step::Comment(text) => {
                if book + 1 == moves.len() && text.trim_ascii().eq_ignore_ascii_case(b"book") {
                    book = moves.len();
                }
                if let Some(score) = Annotations::of(text).evaluation {
                    search.see(moves.len() as u32, score);
                }
            }
            Step::Result(_) => {}
        }
    }
    let surrogate = search.surrogate(moves.len() as u32);
    Ok(Replayed {
        record: record_hash(&fen, &moves),
        moves,
        surrogate,
        book,
    })
}
