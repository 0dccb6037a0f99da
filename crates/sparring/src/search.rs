//! Iterative deepening, the limits of a search, and the line of play it finds.

use std::time::Duration;

use crate::control::{Budget, Control};
use crate::evaluate::MATE;
use crate::ordering::HistoryTable;
use crate::strength::Strength;
use crate::table::TranspositionTable;
use arbiter960_chess::{Move, Position};

/// Deepest line of a search, plies.
pub(crate) const MAX_PLY: usize = 96;
/// Above every score.
pub(crate) const INFINITY: i32 = 32_000;

/// The clock is looked at once in this number of nodes: at a million nodes a second, twice a millisecond.
const NODES_PER_LOOK: u64 = 512;

/// What a finished iteration found.
pub struct IterationReport<'a> {
    /// Of the iteration.
    pub depth: i32,
    /// Deepest line, plies.
    pub seldepth: usize,
    /// Centipawns or a mate, from the side to move.
    pub score: i32,
    /// Nodes of the whole search.
    pub nodes: u64,
    /// Since the search was asked for.
    pub time: Duration,
    /// How full the table is, permille.
    pub fill: usize,
    /// The best moves for both sides.
    pub line: &'a [Move],
}

/// What a search ends with.
pub struct SearchOutcome {
    /// `None` if there is no legal move.
    pub best: Option<Move>,
    /// What the opponent is expected to answer.
    pub ponder: Option<Move>,
    /// Nodes of the whole search.
    pub nodes: u64,
    /// Since the search was asked for.
    pub time: Duration,
    /// The last iteration was broken off.
    pub unfinished: bool,
}

/// One search.
pub struct Search<'a> {
    pub(crate) table: &'a mut TranspositionTable,
    pub(crate) history: HistoryTable,
    pub(crate) strength: Strength,
    /// Keys of the game and of the line being searched, this position's last.
    pub(crate) keys: Vec<u64>,
    pub(crate) line: PvTable,
    /// The limits are used up: scores no longer mean anything.
    pub(crate) aborted: bool,
    /// The last move of the line being searched was to pass.
    pub(crate) passed: bool,
    budget: Budget,
    control: &'a Control,
    nodes: u64,
    seldepth: usize,
    iteration: i32,
}

impl<'a> Search<'a> {
    /// A search of a position whose game had these keys, its own last.
    pub fn new(
        table: &'a mut TranspositionTable,
        strength: Strength,
        keys: Vec<u64>,
        budget: Budget,
        control: &'a Control,
    ) -> Self {
        table.age();
        Search {
            table,
            history: HistoryTable::new(),
            strength,
            keys,
            line: PvTable::new(),
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
    pub fn run(
        &mut self,
        position: &Position,
        mut tell: impl FnMut(&IterationReport<'_>),
    ) -> SearchOutcome {
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
        SearchOutcome {
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

    fn finding<'b>(&self, depth: i32, score: i32, line: &'b [Move]) -> IterationReport<'b> {
        IterationReport {
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
    pub(crate) fn enter(&mut self, ply: usize) -> bool {
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

/// The best lines from every ply of the line being searched (a triangular table).
pub(crate) struct PvTable {
    moves: Vec<Vec<Move>>,
}

impl PvTable {
    fn new() -> PvTable {
        PvTable {
            moves: vec![Vec::new(); MAX_PLY + 1],
        }
    }

    /// Nothing is known from this ply on.
    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.moves[ply].clear();
    }

    /// The best line from this ply is this move and the best line from the next.
    #[inline]
    pub(crate) fn extend(&mut self, ply: usize, mv: Move) {
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
