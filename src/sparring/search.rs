//! Iterative deepening, the limits of a search, and the line of play it finds.

use std::time::Duration;

use super::budget::Budget;
use super::control::Control;
use super::evaluate::MATE;
use super::ordering::History;
use super::strength::Strength;
use super::table::Table;
use crate::chess::{Move, Position};

/// Deepest line of a search, plies.
pub(super) const MAX_PLY: usize = 96;
/// Above every score.
pub(super) const INFINITY: i32 = 32_000;

/// The clock is looked at once in this number of nodes: at a million nodes a second, twice a millisecond.
const NODES_PER_LOOK: u64 = 512;

/// What a finished iteration found.
pub(super) struct Finding<'a> {
    pub(super) depth: i32,
    pub(super) seldepth: usize,
    /// Centipawns or a mate, from the side to move.
    pub(super) score: i32,
    pub(super) nodes: u64,
    pub(super) time: Duration,
    /// Permille.
    pub(super) fill: usize,
    pub(super) line: &'a [Move],
}

/// What a search ends with.
pub(super) struct Outcome {
    /// `None` if there is no legal move.
    pub(super) best: Option<Move>,
    pub(super) ponder: Option<Move>,
    pub(super) nodes: u64,
    pub(super) time: Duration,
    /// The last iteration was broken off.
    pub(super) unfinished: bool,
}

/// One search.
pub(super) struct Search<'a> {
    pub(super) table: &'a mut Table,
    pub(super) history: History,
    pub(super) strength: Strength,
    /// Keys of the game and of the line being searched, this position's last.
    pub(super) keys: Vec<u64>,
    pub(super) line: Lines,
    /// The limits are used up: scores no longer mean anything.
    pub(super) aborted: bool,
    /// The last move of the line being searched was to pass.
    pub(super) passed: bool,
    budget: Budget,
    control: &'a Control,
    nodes: u64,
    seldepth: usize,
    iteration: i32,
}

impl<'a> Search<'a> {
    /// A search of a position whose game had these keys, its own last.
    pub(super) fn new(
        table: &'a mut Table,
        strength: Strength,
        keys: Vec<u64>,
        budget: Budget,
        control: &'a Control,
    ) -> Self {
        table.age();
        Search {
            table,
            history: History::new(),
            strength,
            keys,
            line: Lines::new(),
            aborted: false,
            passed: false,
            budget,
            control,
            nodes: 0,
            seldepth: 0,
            iteration: 0,
        }
    }

    /// Searches deeper and deeper until the limits are reached.
    pub(super) fn run(
        &mut self,
        position: &Position,
        mut tell: impl FnMut(&Finding<'_>),
    ) -> Outcome {
        let legal = position.legal_moves();
        let mut line: Vec<Move> = legal.first().copied().into_iter().collect();
        let deepest = if legal.is_empty() {
            0
        } else {
            self.budget.depth
        };
        for depth in 1..=deepest {
            self.iteration = depth;
            self.seldepth = 0;
            self.history.age();
            let score = self.alpha_beta(position, -INFINITY, INFINITY, depth, 0);
            if !self.line.first().is_empty() {
                line.clear();
                line.extend_from_slice(self.line.first());
            }
            if self.aborted {
                break;
            }
            tell(&self.finding(depth, score, &line));
            if self.is_enough(depth, score, legal.len()) {
                break;
            }
        }
        Outcome {
            best: line.first().copied(),
            ponder: line.get(1).copied(),
            nodes: self.nodes,
            time: self.budget.started.elapsed(),
            unfinished: self.aborted,
        }
    }

    /// Whether another iteration would be in vain. Only a clock makes the engine economical.
    fn is_enough(&self, depth: i32, score: i32, legal: usize) -> bool {
        let Some(soft) = self.budget.soft.filter(|_| !self.control.is_pondering()) else {
            return false;
        };
        let mated_by = MATE - score.abs();
        self.budget.started.elapsed() >= soft || legal == 1 || mated_by <= depth
    }

    fn finding<'b>(&self, depth: i32, score: i32, line: &'b [Move]) -> Finding<'b> {
        Finding {
            depth,
            seldepth: self.seldepth,
            score,
            nodes: self.nodes,
            time: self.budget.started.elapsed(),
            fill: self.table.fill(),
            line,
        }
    }

    /// Counts a node; true if the search is over.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize) -> bool {
        if self.aborted || self.nodes >= self.budget.nodes {
            self.aborted = true;
            return true;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes.is_multiple_of(NODES_PER_LOOK) || self.nodes >= self.budget.level_nodes {
            self.aborted = self.iteration > 1 && self.is_over();
        }
        self.aborted
    }

    fn is_over(&self) -> bool {
        self.control.is_stopped()
            || self.nodes >= self.budget.level_nodes
            || (!self.control.is_pondering()
                && self
                    .budget
                    .hard
                    .is_some_and(|hard| self.budget.started.elapsed() >= hard))
    }
}

/// The position after a move.
#[inline]
pub(super) fn after(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.play(mv);
    next
}

/// The best lines from every ply of the line being searched (a triangular table).
pub(super) struct Lines {
    moves: Vec<Vec<Move>>,
}

impl Lines {
    fn new() -> Lines {
        Lines {
            moves: vec![Vec::new(); MAX_PLY + 1],
        }
    }

    /// Nothing is known from this ply on.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.moves[ply].clear();
    }

    /// The best line from this ply is this move and the best line from the next.
    #[inline]
    pub(super) fn extend(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.moves.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }

    /// The best line from the root.
    fn first(&self) -> &[Move] {
        &self.moves[0]
    }
}
