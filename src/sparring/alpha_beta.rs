//! The tree: principal variation search with the usual means of leaving most of it out.

use super::ordering::{Picker, is_tactical};
use super::search::{INFINITY, MATE, MATED_AT_MOST, MAX_PLY, Search, after};
use super::table::{Entry, Limit};
use crate::chess::{Move, MoveList, PieceKind, Position};

/// At most this many plies above the leaves, margins replace searching.
const SHALLOW: i32 = 6;

/// What a node knows before it looks at its moves.
struct Node<'a> {
    position: &'a Position,
    alpha: i32,
    beta: i32,
    depth: i32,
    ply: usize,
    checked: bool,
    /// Static evaluation; meaningless in check.
    judged: i32,
    known: Option<Move>,
}

impl Node<'_> {
    /// Whether the exact score matters.
    fn is_exact(&self) -> bool {
        self.beta - self.alpha > 1
    }
}

impl Search<'_> {
    /// The score of a position for the side to move, within the window from `alpha` to `beta`.
    pub(super) fn alpha_beta(
        &mut self,
        position: &Position,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
    ) -> i32 {
        let checked = position.in_check();
        // A check must be answered before the position can be judged.
        let depth = depth + i32::from(checked);
        if depth <= 0 || ply >= MAX_PLY - 1 {
            return self.quiesce(position, alpha, beta, ply);
        }
        self.line.clear(ply);
        if self.enter(ply) || (ply > 0 && self.is_draw(position)) {
            return 0;
        }
        // No line is worth more than a mate shorter than those already found.
        let (alpha, beta) = (
            alpha.max(ply as i32 - MATE),
            beta.min(MATE - ply as i32 - 1),
        );
        if alpha >= beta {
            return alpha;
        }
        let found = self.memory.table.probe(position.key(), ply as i32);
        let judged = if checked {
            -INFINITY
        } else {
            self.judge(position)
        };
        let known = found.and_then(|entry| entry.best);
        let node = Node {
            position,
            alpha,
            beta,
            depth,
            ply,
            checked,
            judged,
            known,
        };
        match found {
            Some(entry) if self.settles(&node, entry) => entry.score,
            _ => self
                .early_cut(&node)
                .unwrap_or_else(|| self.search_moves(&node)),
        }
    }

    /// Whether the table answers for this node. Near the fifty-move limit its scores may come
    /// from positions with another count.
    fn settles(&self, node: &Node<'_>, entry: Entry) -> bool {
        !node.is_exact()
            && entry.depth >= node.depth
            && node.position.halfmove_clock() < 90
            && entry.decides(node.alpha, node.beta)
    }

    /// Repetition (one is enough in a search), fifty moves, dead material.
    fn is_draw(&self, position: &Position) -> bool {
        let count = position.halfmove_clock() as usize;
        if count >= 100 {
            return position.has_legal_move() || !position.in_check();
        }
        let earlier = self.keys.iter().rev().skip(2).step_by(2).take(count / 2);
        earlier.into_iter().any(|key| *key == position.key()) || position.is_dead_by_material()
    }

    /// A score that is good enough without looking at the moves.
    fn early_cut(&mut self, node: &Node<'_>) -> Option<i32> {
        if node.checked || node.is_exact() || node.beta.abs() >= MATED_AT_MOST {
            return None;
        }
        // Reverse futility: so far above beta that the opponent's best answer will not help.
        let surplus = node.judged - node.beta;
        if node.depth <= SHALLOW && surplus >= 85 * node.depth {
            return Some(node.judged);
        }
        if node.depth >= 3 && surplus >= 0 {
            self.null_move(node)
        } else {
            None
        }
    }

    /// If passing is good enough, a move is too; except in zugzwang, which needs few pieces,
    /// and never twice in a row.
    fn null_move(&mut self, node: &Node<'_>) -> Option<i32> {
        let (position, us) = (node.position, node.position.side_to_move());
        let simple = position.pieces(us, PieceKind::Pawn) | position.pieces(us, PieceKind::King);
        if self.passed || position.by_color(us) == simple {
            return None;
        }
        let next = position.play_null()?;
        let reduction = 3 + node.depth / 5 + ((node.judged - node.beta) / 200).min(2);
        let beta = node.beta;
        self.keys.push(next.key());
        self.passed = true;
        let score = -self.alpha_beta(
            &next,
            -beta,
            1 - beta,
            node.depth - 1 - reduction,
            node.ply + 1,
        );
        self.passed = false;
        self.keys.pop();
        (score >= beta && !self.aborted).then(|| score.min(MATED_AT_MOST - 1))
    }

    fn search_moves(&mut self, node: &Node<'_>) -> i32 {
        let mut picker = Picker::all(node.position, node.known, self.memory, node.ply);
        if picker.is_empty() {
            return if node.checked {
                node.ply as i32 - MATE
            } else {
                0
            };
        }
        let passed = std::mem::take(&mut self.passed);
        let result = self.try_moves(node, &mut picker);
        self.passed = passed;
        result
    }

    fn try_moves(&mut self, node: &Node<'_>, picker: &mut Picker) -> i32 {
        let (mut best, mut alpha, mut best_move) = (-INFINITY, node.alpha, None);
        let mut quiet_tried = MoveList::new();
        for (index, mv) in picker.enumerate() {
            let quiet = !is_tactical(node.position, mv);
            let next = after(node.position, mv);
            if quiet && best > -MATED_AT_MOST && is_hopeless(node, &next, index, alpha) {
                continue;
            }
            let score = self.try_move(node, &next, index, quiet, alpha);
            if self.aborted {
                return best;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    self.line.extend(node.ply, mv);
                }
            }
            if alpha >= node.beta {
                if quiet {
                    self.memory
                        .reward(node.position, node.ply, node.depth, mv, &quiet_tried);
                }
                break;
            }
            if quiet {
                quiet_tried.push(mv);
            }
        }
        self.remember(node, best, best_move);
        best
    }

    /// Searches one move: the first with the full window; the others only to show that they
    /// are not better, late quiet ones at less depth, and again in full where that fails.
    fn try_move(
        &mut self,
        node: &Node<'_>,
        next: &Position,
        index: usize,
        quiet: bool,
        alpha: i32,
    ) -> i32 {
        let (depth, ply) = (node.depth - 1, node.ply + 1);
        self.keys.push(next.key());
        let mut score = alpha + 1;
        if index > 0 {
            let reduction = if quiet {
                self.reduction(node, index)
            } else {
                0
            };
            score = -self.alpha_beta(next, -alpha - 1, -alpha, depth - reduction, ply);
            if score > alpha && reduction > 0 {
                score = -self.alpha_beta(next, -alpha - 1, -alpha, depth, ply);
            }
        }
        if index == 0 || (score > alpha && node.is_exact()) {
            score = -self.alpha_beta(next, -node.beta, -alpha, depth, ply);
        }
        self.keys.pop();
        score
    }

    /// How much less depth a late quiet move gets.
    fn reduction(&self, node: &Node<'_>, index: usize) -> i32 {
        if node.depth < 3 || index < 3 || node.checked {
            return 0;
        }
        let by_table = self.reductions[node.depth.min(63) as usize][index.min(63)];
        (i32::from(by_table) - i32::from(node.is_exact())).clamp(0, node.depth - 2)
    }

    fn remember(&mut self, node: &Node<'_>, score: i32, best: Option<Move>) {
        let limit = if score >= node.beta {
            Limit::AtLeast
        } else if best.is_some() {
            Limit::Exact
        } else {
            Limit::AtMost
        };
        let entry = Entry {
            best,
            score,
            depth: node.depth,
            limit,
        };
        self.memory
            .table
            .store(node.position.key(), node.ply as i32, entry);
    }
}

/// A quiet move near the leaves that comes late or cannot reach alpha, and gives no check.
fn is_hopeless(node: &Node<'_>, next: &Position, index: usize, alpha: i32) -> bool {
    if node.checked || node.is_exact() || node.depth > SHALLOW {
        return false;
    }
    let depth = node.depth;
    let late = index as i32 > 4 + 2 * depth * depth;
    (late || node.judged + 90 + 90 * depth <= alpha) && !next.in_check()
}
