//! The start of a game of a PGN file, and its moves: from the tags, the moves of a book and the comments.

use crate::chess::start::{StartNumber, Variant, number_of};
use crate::chess::{FenDialect, Position};
use crate::hash::moves_hash;
use crate::pgn::{GameStart, PgnError, RawGame, Step};

use super::super::collection::Collector;

/// The start a game is counted for.
#[derive(Debug)]
pub(super) enum StartOf {
    /// A numbered start.
    Numbered(Variant, StartNumber),
    /// Any other, by its X-FEN.
    Named(String),
}

impl Collector {
    /// The start's key.
    pub(super) fn start_of(&mut self, start: &StartOf) -> u32 {
        match start {
            StartOf::Numbered(variant, number) => self.found.starts.numbered(*variant, *number),
            StartOf::Named(fen) => self.found.starts.named(fen),
        }
    }
}

/// The start as given by the tags and the moves of a book.
pub(super) fn start_key(game: &RawGame<'_>, replayed: Option<&Replayed>, key: &mut String) {
    key.clear();
    for tag in ["Variant", "StartVariant", "FEN"] {
        key.push_str(game.tag(tag).as_deref().unwrap_or_default());
        key.push('\n');
    }
    if game.tag("FEN").is_none() {
        key.push_str(game.tag("StartNumber").as_deref().unwrap_or_default());
    }
    if let Some(replayed) = replayed.filter(|replayed| replayed.book > 0) {
        let book = &replayed.moves[..replayed.book];
        key.extend(book.iter().map(|bits| format!(" {bits:04x}")));
    }
}

/// The start of a game that begins with a number of book moves.
pub(super) fn start_of(game: &RawGame<'_>, book: usize) -> Result<StartOf, PgnError> {
    let mut replay = game.replay()?;
    let numbered = numbered(replay.start()).filter(|_| book == 0);
    if let Some((variant, number)) = numbered {
        return Ok(StartOf::Numbered(variant, number));
    }
    while (replay.plies() as usize) < book {
        match replay.next_step() {
            Some(step) => step?,
            None => break,
        };
    }
    Ok(StartOf::Named(replay.position().fen(FenDialect::XFen)))
}

/// The number of the start, where it is one of Chess960, or of the variant named.
fn numbered(start: &GameStart) -> Option<(Variant, StartNumber)> {
    let position: &Position = &start.position;
    let named = start.numbering();
    [named, Variant::Chess960, Variant::Dfrc]
        .into_iter()
        .find_map(|variant| Some((variant, number_of(variant, position)?)))
}

/// A null move among the bits of moves: no move has these.
const NULL_MOVE: u16 = 0;

/// What replaying the moves gives.
#[derive(Debug)]
pub(super) struct Replayed {
    pub(super) moves: Vec<u16>,
    /// Equal for games that are the same from the same start.
    pub(super) record: u64,
    /// The moves of a book, if comments mark them.
    pub(super) book: usize,
}

/// Plays a game through.
pub(super) fn replayed(game: &RawGame<'_>) -> Result<Replayed, PgnError> {
    let mut replay = game.replay()?;
    let fen = replay.start().position.fen(FenDialect::XFen);
    let (mut moves, mut book) = (Vec::new(), 0);
    while let Some(step) = replay.next_step() {
        match step? {
            Step::Move(chess_move) => moves.push(chess_move.bits()),
            Step::NullMove => moves.push(NULL_MOVE),
            Step::Comment(text) => {
                if book + 1 == moves.len() && text.trim_ascii().eq_ignore_ascii_case(b"book") {
                    book = moves.len();
                }
            }
            Step::Result(_) => {}
        }
    }
    Ok(Replayed {
        record: moves_hash(&fen, moves.iter().copied()),
        moves,
        book,
    })
}
