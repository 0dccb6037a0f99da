//! The complete search: is there any series of legal moves that ends with mate by one side?
//!
//! The question and the frame of the answer are M. Ambrona's ("A Practical Algorithm for Chess Unwinnability", FUN
//! 2022): look for a mate with both sides helping, and cut every position that is proved to lead to no mate. If no
//! position is left to look at, no mate is possible. Here every position is looked at once, and the end of all
//! positions is the proof. Several guesses choose the next position alternately, later also by how near it is to
//! certain mates, so that one guess that leads nowhere does not stop the others. Counters do not matter: whatever is
//! repeated can be left out.

use std::collections::VecDeque;

use super::plan::{HEURISTIC_COUNT, MatePlan, heuristic_distances, plans};
use super::relaxed::never_mates_closed;
use super::{Winnability, has_insufficient_material, is_mate, is_proved_unable_to_mate};
use crate::board::{Board, BoardSet};
use crate::generate::legal_moves;
use crate::position::forget_useless_en_passant;
use crate::{Bitboard, Color, Move, PieceKind};

/// Number of positions within which a mate is mostly found; proofs and plans that take longer come after.
const POSITIONS_BEFORE_PLANS: u32 = 500;
/// Number of plans that are followed at the same time.
const MAX_PLANS: usize = 4;
/// The proof for closed positions may take `CLOSED_POSITIONS_A_PLAN` positions of kings and pawns for each position that may be
/// looked at, but at most `MAX_CLOSED_POSITIONS` in all.
const CLOSED_POSITIONS_A_PLAN: usize = 50;
const MAX_CLOSED_POSITIONS: usize = 100_000;

/// Number of tests for a proof that are made first, before their success is taken into account.
const FIRST_TESTS: u32 = 64;
/// A test saves time if at least one in this many succeeds; if fewer do, only one in this many is made.
const SAMPLING_INTERVAL: u32 = 16;

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
            || self.succeeded * SAMPLING_INTERVAL >= self.made
            || self.offered.is_multiple_of(SAMPLING_INTERVAL)
    }

    fn count(&mut self, succeeded: bool) {
        self.made += 1;
        self.succeeded += u32::from(succeeded);
    }
}

/// Positions found, and those that are still to be looked at.
pub(super) struct MateSearch {
    winner: Color,
    store: PositionStore,
    /// By each guess, and then by each plan.
    waiting: Vec<SearchQueue>,
    plans: Vec<MatePlan>,
    /// What is known of each position found.
    states: Vec<PositionState>,
    tests: Tests,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PositionState {
    /// Looked at, or proved to lead to no mate.
    Done,
    /// Came about by a move that can be taken back: what pieces can reach has not changed.
    Waiting,
    /// May be tested for a proof that no mate can follow.
    Untested,
}

impl MateSearch {
    /// Looks for a mate by `winner`, looking at no more than `most` positions.
    pub(super) fn run(start: &Board, winner: Color, most: u32) -> (Winnability, u32) {
        if is_mate(start, winner) {
            return (Winnability::Winnable(Vec::new()), 0);
        }
        let mut search = MateSearch {
            winner,
            store: PositionStore::new(start),
            waiting: (0..HEURISTIC_COUNT).map(|_| SearchQueue::new()).collect(),
            plans: Vec::new(),
            states: Vec::new(),
            tests: Tests::default(),
        };
        search.wait(start, 0, PositionState::Untested);
        let mut looked_at = 0;
        while let Some((number, board)) = search.next(looked_at) {
            if looked_at == most {
                return (Winnability::Undecided, looked_at);
            }
            looked_at += 1;
            if looked_at == POSITIONS_BEFORE_PLANS {
                let most = (most as usize * CLOSED_POSITIONS_A_PLAN).min(MAX_CLOSED_POSITIONS);
                if never_mates_closed(start, winner, most) {
                    return (Winnability::Unwinnable, looked_at);
                }
                search.make_plans(start);
            }
            if let Some(mate) = search.look(&board, number) {
                return (Winnability::Winnable(search.store.line(mate)), looked_at);
            }
        }
        (Winnability::Unwinnable, looked_at)
    }

    /// The next position to look at; the guesses choose one after the other.
    fn next(&mut self, looked_at: u32) -> Option<(u32, Board)> {
        let turn = looked_at as usize % self.waiting.len();
        loop {
            let number = self.waiting[turn].next()?;
            let state = std::mem::replace(&mut self.states[number as usize], PositionState::Done);
            if state == PositionState::Done {
                continue;
            }
            let board = self.store.board(number);
            if state == PositionState::Waiting || !self.is_refuted(&board) {
                return Some((number, board));
            }
        }
    }

    fn wait(&mut self, board: &Board, number: u32, state: PositionState) {
        self.states.push(state);
        let heuristic_distances = heuristic_distances(board, self.winner);
        let plans = self
            .plans
            .iter()
            .map(|plan| plan.distance(board, self.winner));
        for (waiting, degree) in self
            .waiting
            .iter_mut()
            .zip(heuristic_distances.into_iter().chain(plans))
        {
            waiting.add(number, degree);
        }
    }

    /// Makes plans, and puts all positions that wait in their order.
    fn make_plans(&mut self, start: &Board) {
        for plan in plans(start, self.winner, MAX_PLANS) {
            let mut waiting = SearchQueue::new();
            let numbers = (0..)
                .zip(&self.states)
                .filter(|(_, state)| **state != PositionState::Done);
            for (number, _) in numbers {
                waiting.add(
                    number,
                    plan.distance(&self.store.board(number), self.winner),
                );
            }
            self.waiting.push(waiting);
            self.plans.push(plan);
        }
    }

    /// Finds the positions that follow from a position. Returns the number of a mate among them, if there is one.
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
            let state = if irreversible {
                PositionState::Untested
            } else {
                PositionState::Waiting
            };
            self.wait(&next, found, state);
        }
        None
    }

    /// Whether it is proved that no mate can follow.
    fn is_refuted(&mut self, board: &Board) -> bool {
        if has_insufficient_material(board, self.winner) {
            return true;
        }
        if !self.tests.are_due() {
            return false;
        }
        let lost = is_proved_unable_to_mate(board, self.winner);
        self.tests.count(lost);
        lost
    }
}

/// A position, and the one before it with the move between them.
struct FoundPosition {
    board: Board,
    before: u32,
    mv: Move,
}

/// All positions that were found, each once, numbered as they came.
pub(super) struct PositionStore {
    entries: Vec<FoundPosition>,
    known: BoardSet,
}

impl PositionStore {
    /// With the position where all begins, as number 0.
    pub(super) fn new(start: &Board) -> PositionStore {
        let king = start.king(Color::White);
        let mut store = PositionStore {
            entries: Vec::new(),
            known: BoardSet::default(),
        };
        store.add(start, 0, Move::new(king, king));
        store
    }

    /// The number of a position if it is new.
    pub(super) fn add(&mut self, board: &Board, before: u32, mv: Move) -> Option<u32> {
        let number = self.entries.len() as u32;
        self.known.insert(*board).then(|| {
            let board = *board;
            self.entries.push(FoundPosition { board, before, mv });
            number
        })
    }

    /// The position with this number.
    pub(super) fn board(&self, number: u32) -> Board {
        self.entries[number as usize].board
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
}

/// Number of degrees of promise.
const DEGREES: usize = 128;

/// Positions that are still to be looked at, by one guess.
struct SearchQueue {
    by_degree: Vec<VecDeque<u32>>,
    /// The first degree that may have some.
    best: usize,
    taken: u32,
}

impl SearchQueue {
    fn new() -> SearchQueue {
        SearchQueue {
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
