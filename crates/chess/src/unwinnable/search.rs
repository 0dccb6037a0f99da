//! The complete search: is there any series of legal moves that ends with mate by one side?
//!
//! The question and the frame of the answer are M. Ambrona's ("A Practical Algorithm for Chess
//! Unwinnability", FUN 2022): look for a mate with both sides helping, and cut what is proved to
//! lead to none. Where nothing is left to look at, there is none. Here every position is looked
//! at once, the most promising first, so that a mate is mostly found soon, and the end of all
//! positions is the proof. Counters do not matter: whatever is repeated can be left out.

use super::promise::{GUESSES, promises};
use super::store::Store;
use super::{Winnability, material::too_little_material, mates::never_mates};
use super::relaxed::never_mates_closed;
use crate::board::Board;
use crate::generate::{count_legal_moves, legal_moves};
use crate::position::forget_useless_en_passant;
use crate::{Bitboard, Color, PieceKind};

use std::collections::VecDeque;

/// How many degrees of promise are told apart.
const DEGREES: usize = 128;

/// So many positions are looked at before a proof for closed positions is tried: a mate is mostly
/// found before.
const BEFORE_CLOSED: u32 = 500;
/// How many positions of kings and pawns that proof may take.
const MOST_CLOSED: usize = 200_000;

/// So many tests for a proof are made without asking whether they succeed.
const FIRST_TESTS: u32 = 64;
/// A test is worth its time if one in so many succeeds; if not, one in so many is made.
const WORTHWHILE: u32 = 16;

/// Positions that are still to be looked at, by one guess.
struct Waiting {
    by_degree: Vec<VecDeque<u32>>,
    /// The first degree that may have some.
    best: usize,
    taken: u32,
}

impl Waiting {
    fn new() -> Waiting {
        Waiting {
            by_degree: vec![VecDeque::new(); DEGREES],
            best: 0,
            taken: 0,
        }
    }

    fn add(&mut self, number: u32, degree: usize) {
        let degree = degree.min(DEGREES - 1);
        self.best = self.best.min(degree);
        self.by_degree[degree].push_back(number);
    }

    /// The most promising position; of equal ones mostly the last that was found, and every
    /// fourth time the first, so that a line without end does not hide all others.
    fn next(&mut self) -> Option<u32> {
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

/// How often the test for a proof is made, by how often it succeeded: where it does not, it takes
/// most of the time.
#[derive(Default)]
struct Tests {
    /// Positions that could be tested.
    offered: u32,
    made: u32,
    succeeded: u32,
}

impl Tests {
    /// Whether to test the next position: the first ones all, later ones in proportion to success.
    fn are_due(&mut self) -> bool {
        self.offered += 1;
        self.made < FIRST_TESTS
            || self.succeeded * WORTHWHILE >= self.made
            || self.offered.is_multiple_of(WORTHWHILE)
    }

    fn count(&mut self, succeeded: bool) {
        self.made += 1;
        self.succeeded += u32::from(succeeded);
    }
}

/// Positions found, and those that are still to be looked at.
pub(super) struct Search {
    winner: Color,
    store: Store,
    waiting: [Waiting; GUESSES],
    /// Of each position found, what is known.
    states: Vec<State>,
    tests: Tests,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Looked at, or proved to lead to no mate.
    Done,
    /// Came about by a move that can be taken back: what pieces can reach is as it was.
    Waiting,
    /// May be tested for a proof that no mate can follow.
    Untested,
}

impl Search {
    /// Looks for a mate by `winner`, looking at no more than `most` positions.
    pub(super) fn run(start: &Board, winner: Color, most: u32) -> (Winnability, u32) {
        if is_mate(start, winner) {
            return (Winnability::Winnable(Vec::new()), 0);
        }
        let mut search = Search {
            winner,
            store: Store::new(start),
            waiting: std::array::from_fn(|_| Waiting::new()),
            states: Vec::new(),
            tests: Tests::default(),
        };
        search.wait(start, 0, State::Untested);
        let mut looked_at = 0;
        while let Some((number, board)) = search.next(looked_at) {
            if looked_at == most {
                return (Winnability::Undecided, looked_at);
            }
            looked_at += 1;
            if looked_at == BEFORE_CLOSED && never_mates_closed(start, winner, MOST_CLOSED) {
                return (Winnability::Unwinnable, looked_at);
            }
            if let Some(mate) = search.look(&board, number) {
                return (Winnability::Winnable(search.store.line(mate)), looked_at);
            }
        }
        (Winnability::Unwinnable, looked_at)
    }

    /// The next position to look at, by each guess in turn.
    fn next(&mut self, looked_at: u32) -> Option<(u32, Board)> {
        loop {
            let number = self.waiting[looked_at as usize % GUESSES].next()?;
            let state = std::mem::replace(&mut self.states[number as usize], State::Done);
            if state == State::Done {
                continue;
            }
            let board = self.store.board(number);
            if state == State::Waiting || !self.is_lost(&board) {
                return Some((number, board));
            }
        }
    }

    fn wait(&mut self, board: &Board, number: u32, state: State) {
        self.states.push(state);
        let promises = promises(board, self.winner);
        for (waiting, degree) in self.waiting.iter_mut().zip(promises) {
            waiting.add(number, degree);
        }
    }

    /// Finds what follows from a position; the number of a mate, if one does.
    fn look(&mut self, board: &Board, number: u32) -> Option<u32> {
        for &mv in &legal_moves(board, Bitboard::ALL) {
            let mut next = board.after(mv);
            forget_useless_en_passant(&mut next);
            let Some(found) = self.store.add(&next, number, mv) else {
                continue;
            };
            if is_mate(&next, self.winner) {
                return Some(found);
            }
            // What pieces can reach changes with irreversible moves.
            let irreversible = number == 0
                || next.occupied().len() < board.occupied().len()
                || board.kind(PieceKind::Pawn).contains(mv.from())
                || next.castling_rooks != board.castling_rooks;
            let state = if irreversible { State::Untested } else { State::Waiting };
            self.wait(&next, found, state);
        }
        None
    }

    /// Whether it is proved that no mate can follow.
    fn is_lost(&mut self, board: &Board) -> bool {
        if too_little_material(board, self.winner) {
            return true;
        }
        if !self.tests.are_due() {
            return false;
        }
        let lost = never_mates(board, self.winner);
        self.tests.count(lost);
        lost
    }
}

/// Whether the side to move is mated by `winner`.
fn is_mate(board: &Board, winner: Color) -> bool {
    board.side_to_move != winner
        && !board.checkers().is_empty()
        && count_legal_moves(board) == 0
}
