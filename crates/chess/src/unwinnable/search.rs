//! The complete search: is there any series of legal moves that ends with mate by one side?
//!
//! The question and the frame of the answer are M. Ambrona's ("A Practical Algorithm for Chess
//! Unwinnability", FUN 2022): look for a mate with both sides helping, and cut what is proved to
//! lead to none. Where nothing is left to look at, there is none. Here every position is looked
//! at once, the most promising first, so that a mate is mostly found soon, and the end of all
//! positions is the proof. Counters do not matter: whatever is repeated can be left out.

use super::reach::{around, distance_from_edges};
use super::{Winnability, mates::never_mates, too_little_material};
use crate::board::Board;
use crate::generate::legal_moves;
use crate::position::forget_useless_en_passant;
use crate::{Bitboard, Color, Move, PieceKind, Rank, Square};

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

/// How many degrees of promise are told apart.
const DEGREES: usize = 96;

/// Positions seen, and those that are still to be looked at.
pub(super) struct Search {
    winner: Color,
    seen: HashSet<u128, BuildHasherDefault<TakeAsItIs>>,
    /// By promise.
    waiting: Vec<VecDeque<(Board, u32)>>,
    /// The first degree that may have some.
    best: usize,
    /// How each position that was looked at came about: the one before, and the move.
    steps: Vec<(u32, Move)>,
}

impl Search {
    /// Looks for a mate by `winner`, looking at no more than `most` positions.
    pub(super) fn run(start: &Board, winner: Color, most: u32) -> (Winnability, u32) {
        let mut search = Search {
            winner,
            seen: HashSet::default(),
            waiting: vec![VecDeque::new(); DEGREES],
            best: 0,
            steps: Vec::new(),
        };
        if is_mate(start, winner) {
            return (Winnability::Winnable(Vec::new()), 0);
        }
        if !search.is_lost(start, true) {
            search.wait(*start, 0);
        }
        let mut looked_at = 0;
        while let Some((board, step)) = search.next(looked_at) {
            if looked_at == most {
                return (Winnability::Undecided, looked_at);
            }
            looked_at += 1;
            if let Some(line) = search.look(&board, step) {
                return (Winnability::Winnable(line), looked_at);
            }
        }
        (Winnability::Unwinnable, looked_at)
    }

    /// The most promising position; of equal ones mostly the last that was found, and every
    /// fourth time the first, so that a line without end does not hide all others.
    fn next(&mut self, looked_at: u32) -> Option<(Board, u32)> {
        while self.best < DEGREES {
            let waiting = &mut self.waiting[self.best];
            let next = match looked_at % 4 {
                3 => waiting.pop_front(),
                _ => waiting.pop_back(),
            };
            if next.is_some() {
                return next;
            }
            self.best += 1;
        }
        None
    }

    fn wait(&mut self, board: Board, step: u32) {
        let degree = promise(&board, self.winner).min(DEGREES - 1);
        self.best = self.best.min(degree);
        self.waiting[degree].push_back((board, step));
    }

    /// Looks at all moves of a position; the moves to mate, if one is.
    fn look(&mut self, board: &Board, step: u32) -> Option<Vec<Move>> {
        let moves = legal_moves(board, Bitboard::ALL);
        for &mv in &moves {
            let mut next = board.after(mv);
            forget_useless_en_passant(&mut next);
            if !self.seen.insert(fingerprint(&next)) {
                continue;
            }
            if is_mate(&next, self.winner) {
                return Some(self.line(step, mv));
            }
            let irreversible = next.occupied().len() < board.occupied().len()
                || board.kind(PieceKind::Pawn).contains(mv.from())
                || next.castling_rooks != board.castling_rooks;
            if !self.is_lost(&next, irreversible) {
                self.steps.push((step, mv));
                self.wait(next, self.steps.len() as u32);
            }
        }
        None
    }

    /// Whether no mate can follow. What pieces can reach changes with irreversible moves.
    fn is_lost(&self, board: &Board, irreversible: bool) -> bool {
        irreversible && (too_little_material(board, self.winner) || never_mates(board, self.winner))
    }

    /// The moves that lead over `step` to `last`.
    fn line(&self, mut step: u32, last: Move) -> Vec<Move> {
        let mut line = vec![last];
        while step > 0 {
            let (before, mv) = self.steps[step as usize - 1];
            line.push(mv);
            step = before;
        }
        line.reverse();
        line
    }
}

/// Whether the side to move is mated by `winner`.
fn is_mate(board: &Board, winner: Color) -> bool {
    board.side_to_move != winner
        && !board.checkers().is_empty()
        && legal_moves(board, Bitboard::ALL).is_empty()
}

/// How far a mate seems to be; less is better.
fn promise(board: &Board, winner: Color) -> usize {
    let (own, theirs) = (board.king(winner), board.king(!winner));
    let occupied = board.occupied() ^ theirs.bitboard();
    let free = around(theirs) & !board.color(!winner);
    let flights = free
        .into_iter()
        .filter(|&square| !board.is_attacked(square, winner, occupied))
        .count();
    let apart = distance(own, theirs).saturating_sub(2) as usize;
    let heavy = board.straight_sliders(winner);
    let promotion = if heavy.is_empty() {
        steps_to_promotion(board, winner)
    } else {
        0
    };
    let edge = distance_from_edges(theirs) as usize;
    let pawns = board.kind(PieceKind::Pawn).len() as usize;
    let pieces = board.color(winner) & !(board.kind(PieceKind::Pawn) | board.kind(PieceKind::King));
    let near = pieces
        .into_iter()
        .map(|piece| distance(piece, theirs))
        .min();
    let quiet = board.side_to_move != winner && board.checkers().is_empty();
    let near = near.unwrap_or(7) as usize;
    3 * flights + 2 * (apart + edge + promotion) + pawns + near + 3 * usize::from(quiet)
}

fn steps_to_promotion(board: &Board, color: Color) -> usize {
    let goal = Rank::back(!color).index();
    let steps = |pawn: Square| pawn.rank().index().abs_diff(goal);
    let pawns = board.pieces(color, PieceKind::Pawn).into_iter();
    pawns.map(steps).min().unwrap_or(0)
}

fn distance(a: Square, b: Square) -> u32 {
    let files = a.file().index().abs_diff(b.file().index());
    files.max(a.rank().index().abs_diff(b.rank().index())) as u32
}

/// 128 bits of everything that decides which moves are legal. Two of 10⁸ positions are alike
/// with a chance of 10⁻²².
fn fingerprint(board: &Board) -> u128 {
    let kinds = PieceKind::ALL.map(|kind| board.kind(kind).0);
    let words = [
        kinds[0],
        kinds[1],
        kinds[2],
        kinds[3],
        kinds[4],
        kinds[5],
        board.color(Color::White).0,
        board.castling_rooks.0,
        board.en_passant.0 << 1 | board.side_to_move.index() as u64,
    ];
    let (mut low, mut high) = (0x9E37_79B9_7F4A_7C15_u64, 0xD1B5_4A32_D192_ED03_u64);
    for word in words {
        low = mixed(low ^ word);
        high = mixed(high.rotate_left(32) ^ word ^ 0x8EBC_6AF0_9C88_C6E3);
    }
    u128::from(low) << 64 | u128::from(high)
}

/// A permutation of 64 bits that spreads each over all (SplitMix64's last step).
fn mixed(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// A fingerprint needs no hash of its own.
#[derive(Default)]
struct TakeAsItIs(u64);

impl Hasher for TakeAsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, value: u128) {
        self.0 = value as u64;
    }
}
