//! Lines through a book: what both games of a pair begin with.

use std::collections::HashSet;

use super::{BookEntry, PolyglotBook, pushed_pawn};
use crate::chess::random::Random;
use crate::chess::start::{StartNumber, Variant};
use crate::chess::{FenDialect, Move, PieceKind, Position, Square};
use crate::schedule::Opening;
use crate::schedule::derive::derived;

/// Number of draws in a row that lead from one start only to known positions, after which the start is taken to have no
/// other line.
const MAX_VAIN_DRAWS: u32 = 2_000;

/// How a move is chosen among those of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MoveChoice {
    /// Each with a probability in proportion to its weight.
    Weighted,
    /// The one of the largest weight, the first of several.
    Best,
}

/// What is wrong with the lines.
#[derive(Debug)]
pub(crate) enum LineError {
    /// There are only so many different ones.
    TooFew(u32),
    /// Anything else, in words.
    Other(String),
}

impl From<String> for LineError {
    fn from(words: String) -> LineError {
        LineError::Other(words)
    }
}

/// How lines are followed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BookLines<'a> {
    pub book: &'a PolyglotBook,
    /// The variant of the starts.
    pub variant: Variant,
    /// Half-moves of a line at the most; it is shorter where the book ends.
    pub plies: u32,
    /// The event's seed.
    pub seed: u64,
}

impl PolyglotBook {
    /// A move after these, drawn by weight; `None` where the book has no move, or the drawn one repeats a position.
    pub(crate) fn drawn(
        &self,
        start: &Position,
        moves: &[Move],
        random: &mut Random,
    ) -> Option<Move> {
        let (mut position, mut pushed) = (start.clone(), pushed_pawn(start));
        let mut before = Vec::with_capacity(moves.len());
        for played in moves {
            pushed = double_step(&position, *played);
            before.push(position.clone());
            position.play(*played);
        }
        let entries = self.entries_of(&position, pushed);
        let chosen = legal(&position, entries[weighted(entries, random)?]).ok()?;
        position.play(chosen);
        let repeats = before.iter().any(|earlier| earlier.is_same_as(&position));
        (!repeats).then_some(chosen)
    }
}

impl BookLines<'_> {
    /// The line of the best moves from every start.
    ///
    /// # Errors
    /// See [`LineError`].
    pub(crate) fn best(&self, starts: &[StartNumber]) -> Result<Vec<Opening>, LineError> {
        let best = |entries: &[BookEntry]| {
            let most = entries.iter().map(|entry| entry.weight).max()?;
            entries.iter().position(|entry| entry.weight == most)
        };
        let lines = starts.iter().map(|start| self.follow(*start, best));
        lines.map(|line| Ok(line?.0)).collect()
    }

    /// Lines that end in different positions, drawn by weight, one from each start after the other until there are
    /// `count`.
    ///
    /// # Errors
    /// See [`LineError`].
    pub(crate) fn drawn(
        &self,
        starts: &[StartNumber],
        count: u32,
    ) -> Result<Vec<Opening>, LineError> {
        let mut random = Random::new(derived("polyglot", &[self.seed]));
        let mut known = HashSet::new();
        let mut lines: Vec<Opening> = Vec::new();
        let mut left: Vec<(StartNumber, u32)> = starts.iter().map(|start| (*start, 0)).collect();
        let mut turn = 0;
        while lines.len() < count as usize {
            let Some((start, vain)) = left.get_mut(turn) else {
                return Err(LineError::TooFew(lines.len() as u32));
            };
            let (line, end) = self.follow(*start, |entries| weighted(entries, &mut random))?;
            if known.insert(end.fen(FenDialect::Shredder)) {
                (*vain, turn) = (0, turn + 1);
                lines.push(line);
            } else {
                *vain += 1;
                if *vain == MAX_VAIN_DRAWS {
                    left.remove(turn);
                }
            }
            turn = if turn < left.len() { turn } else { 0 };
        }
        Ok(lines)
    }

    /// Plays what is chosen until the book or the half-moves end, or the game would; also the position after the line.
    fn follow(
        &self,
        start: StartNumber,
        mut choose: impl FnMut(&[BookEntry]) -> Option<usize>,
    ) -> Result<(Opening, Position), String> {
        let opening = Opening::numbered(self.variant, start).map_err(|error| error.to_string())?;
        let mut position = opening.start.clone();
        let mut pushed = pushed_pawn(&position);
        let mut moves = Vec::new();
        while moves.len() < self.plies as usize {
            let entries = self.book.entries_of(&position, pushed);
            for entry in entries {
                legal(&position, *entry)?;
            }
            let Some(chosen) = choose(entries) else {
                break;
            };
            let chosen = legal(&position, entries[chosen])?;
            let next = position.after(chosen);
            if !next.has_legal_move() {
                break;
            }
            pushed = double_step(&position, chosen);
            moves.push(chosen);
            position = next;
        }
        if moves.is_empty() && self.plies > 0 {
            return Err(format!("the book has no move for start {start}"));
        }
        let opening = Opening::new(self.variant, opening.start, moves)?;
        Ok((opening, position))
    }
}

/// A move with a probability in proportion to its weight.
fn weighted(entries: &[BookEntry], random: &mut Random) -> Option<usize> {
    let all: u64 = entries.iter().map(|entry| u64::from(entry.weight)).sum();
    if all == 0 {
        return None;
    }
    let mut left = random.below(all);
    entries.iter().position(|entry| {
        let weight = u64::from(entry.weight);
        let found = left < weight;
        left = left.saturating_sub(weight);
        found
    })
}

/// The move of an entry. Some books have castling as a step of the king by two squares, which
/// nothing else can mean.
fn legal(position: &Position, entry: BookEntry) -> Result<Move, String> {
    let (text, place) = (entry.text(), entry.place);
    position.parse_uci_loosely(&text).map_err(|_| {
        let fen = position.fen(FenDialect::XFen);
        format!("entry {place} of the book is {text}, which is not legal in {fen}")
    })
}

/// The target square of a pawn move by two ranks.
fn double_step(position: &Position, played: Move) -> Option<Square> {
    let pawn = position.piece_at(played.from())?.kind == PieceKind::Pawn;
    let [from, to] = [played.from(), played.to()].map(|square| square.rank().index());
    (pawn && from.abs_diff(to) == 2).then_some(played.to())
}
