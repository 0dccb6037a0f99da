//! Positions that were found, each once, and how each came about.
//!
//! A position is kept in 48 bytes and compared whole, so none is ever taken for another.

use std::collections::VecDeque;

use crate::board::Board;
use crate::{Bitboard, CastlingRule, Color, Move, PieceKind};

/// Everything that decides which moves are legal. Of the kinds' numbers, 1 to 6, each of the first
/// three words has one binary digit for every square; then White's pieces, the castling rooks, and
/// the square of a capture in passing with the turn.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Packed([u64; 6]);

impl Packed {
    fn new(board: &Board) -> Packed {
        let digit = |digit: usize| {
            let kinds = (0..PieceKind::ALL.len()).filter(|kind| (kind + 1) >> digit & 1 == 1);
            kinds.fold(0, |set, kind| set | board.kind(PieceKind::ALL[kind]).0)
        };
        // No capture in passing goes to a1 or b1.
        let turn = board.side_to_move.index() as u64;
        Packed([
            digit(0),
            digit(1),
            digit(2),
            board.color(Color::White).0,
            board.castling_rooks.0,
            board.en_passant.0 | turn,
        ])
    }

    fn board(&self, rule: CastlingRule) -> Board {
        let Packed([ones, twos, fours, white, castling_rooks, last]) = *self;
        let has = |number: usize, digit: usize, set: u64| {
            if number >> digit & 1 == 1 { set } else { !set }
        };
        let kind = |kind: PieceKind| {
            let number = kind.index() + 1;
            Bitboard(has(number, 0, ones) & has(number, 1, twos) & has(number, 2, fours))
        };
        let occupied = ones | twos | fours;
        let colors = [Bitboard(white), Bitboard(occupied & !white)];
        let mut board = Board::new(rule, PieceKind::ALL.map(kind), colors);
        board.castling_rooks = Bitboard(castling_rooks);
        board.en_passant = Bitboard(last & !1);
        board.side_to_move = Color::ALL[(last & 1) as usize];
        board
    }

    fn hash(&self) -> u64 {
        self.0.iter().fold(0, |hash, word| {
            let mixed = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed ^ mixed >> 32
        })
    }
}

/// A position, and the one before it with the move between them.
struct FoundPosition {
    packed: Packed,
    before: u32,
    mv: Move,
}

/// All positions that were found, numbered as they came.
pub(super) struct PositionStore {
    rule: CastlingRule,
    entries: Vec<FoundPosition>,
    /// By hash, the next free place if taken: the number of an entry and 1, or 0.
    places: Vec<u32>,
}

impl PositionStore {
    /// With the position where all begins, as number 0.
    pub(super) fn new(start: &Board) -> PositionStore {
        let mut store = PositionStore {
            rule: start.rule,
            entries: Vec::new(),
            places: vec![0; 1 << 10],
        };
        store.add(
            start,
            0,
            Move::new(start.king(Color::White), start.king(Color::White)),
        );
        store
    }

    /// The number of a position if it is new.
    pub(super) fn add(&mut self, board: &Board, before: u32, mv: Move) -> Option<u32> {
        let packed = Packed::new(board);
        let place = self.place(&packed);
        if self.places[place] != 0 {
            return None;
        }
        let number = self.entries.len() as u32;
        self.places[place] = number + 1;
        self.entries.push(FoundPosition { packed, before, mv });
        if 2 * self.entries.len() > self.places.len() {
            self.grow();
        }
        Some(number)
    }

    /// The position with this number.
    pub(super) fn board(&self, number: u32) -> Board {
        self.entries[number as usize].packed.board(self.rule)
    }

    /// The moves that lead to a position.
    pub(super) fn line(&self, number: u32) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = number;
        while at > 0 {
            let entry = &self.entries[at as usize];
            line.push(entry.mv);
            at = entry.before;
        }
        line.reverse();
        line
    }

    /// The index of a position in `places`, or of the free entry for it.
    fn place(&self, packed: &Packed) -> usize {
        let last = self.places.len() - 1;
        let mut place = packed.hash() as usize & last;
        loop {
            match self.places[place] {
                0 => return place,
                number if self.entries[number as usize - 1].packed == *packed => return place,
                _ => place = (place + 1) & last,
            }
        }
    }

    fn grow(&mut self) {
        self.places = vec![0; 4 * self.places.len()];
        for number in 0..self.entries.len() {
            let place = self.place(&self.entries[number].packed);
            self.places[place] = number as u32 + 1;
        }
    }
}

/// Number of degrees of promise.
const DEGREES: usize = 128;

/// Positions that are still to be looked at, by one guess.
pub(super) struct SearchQueue {
    by_degree: Vec<VecDeque<u32>>,
    /// The first degree that may have some.
    best: usize,
    taken: u32,
}

impl SearchQueue {
    pub(super) fn new() -> SearchQueue {
        SearchQueue {
            by_degree: vec![VecDeque::new(); DEGREES],
            best: 0,
            taken: 0,
        }
    }

    pub(super) fn add(&mut self, number: u32, degree: usize) {
        let degree = degree.min(DEGREES - 1);
        self.best = self.best.min(degree);
        self.by_degree[degree].push_back(number);
    }

    /// The most promising position; of equal ones mostly the last that was found, and every
    /// fourth time the first, so that a line without end does not hide all others.
    pub(super) fn next(&mut self) -> Option<u32> {
        self.taken += 1;
        while self.best < DEGREES {
            let waiting = &mut self.by_degree[self.best];
            let next = match self.taken % 4 {
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
}
