//! Mates that might come about: squares for the king and for men that mate it there.
//!
//! A plan does not show how the men come there, and may be impossible: it is one goal among others for the search.

use super::pattern::{MateChoice, MatePieces, distance};
use super::reach::{Reach, ReachablePiece, around};
use crate::attacks::piece_attacks;
use crate::board::Board;
use crate::{Bitboard, Color, Piece, PieceKind, Rank, Square};

/// A mate that might come about.
pub(super) struct MatePlan {
    king: Square,
    men: Vec<Goal>,
}

/// Places in a plan for a man of this kind; for any piece, if a pawn is to become one.
struct Goal {
    color: Color,
    kind: Option<PieceKind>,
    /// From each square, about how many moves to the nearest of the places.
    steps: [u8; 64],
}

/// The `most` plans that seem nearest, each for another square of the king.
pub(super) fn plans(board: &Board, winner: Color, most: usize) -> Vec<MatePlan> {
    let Some(reach) = Reach::new(board) else {
        return Vec::new();
    };
    let not_king = |man: &&ReachablePiece| man.kind != PieceKind::King;
    let plan = |king: Square| {
        let men = MatePieces::new(
            king,
            reach.pieces(winner),
            reach.pieces(!winner).filter(not_king),
        );
        let goal = |(man, choice): (&ReachablePiece, MateChoice)| {
            let kind = (!choice.promoted).then_some(man.kind);
            Goal {
                color: man.color,
                kind,
                steps: steps(kind, choice.places),
            }
        };
        let men = men.places(0)?.into_iter().map(goal).collect();
        Some(MatePlan { king, men })
    };
    let kings = reach.king(!winner).into_iter();
    let mut plans: Vec<MatePlan> = kings.filter_map(plan).collect();
    plans.sort_by_cached_key(|plan| plan.distance(board, winner));
    plans.truncate(most);
    plans
}

impl MatePlan {
    /// About how many moves are left, of either side.
    pub(super) fn distance(&self, board: &Board, winner: Color) -> usize {
        let king = distance(board.king(!winner), self.king);
        let men = self.men.iter().map(|goal| goal.distance(board));
        let barred = BARRED * usize::from(king > 0 && !self.king_can_come(board, winner));
        2 * king + barred + 2 * men.sum::<usize>()
    }

    /// Whether the king has a step towards its square.
    fn king_can_come(&self, board: &Board, winner: Color) -> bool {
        let from = board.king(!winner);
        let occupied = board.occupied() & !from.bitboard();
        let free = around(from) & !board.color(!winner);
        free.into_iter().any(|square| {
            distance(square, self.king) < distance(from, self.king)
                && !board.is_attacked(square, winner, occupied)
        })
    }
}

impl Goal {
    fn distance(&self, board: &Board) -> usize {
        let pieces = match self.kind {
            Some(kind) => board.pieces(self.color, kind),
            None => {
                let others = board.kind(PieceKind::Pawn) | board.kind(PieceKind::King);
                board.color(self.color) & !others
            }
        };
        let steps = |from: Square| usize::from(self.steps[from.index()]);
        let nearest = pieces.into_iter().map(steps).min();
        nearest.unwrap_or_else(|| match self.kind {
            None => 2 + promotion(board, self.color),
            Some(_) => usize::from(LOST),
        })
    }
}

/// From each square, about how many moves a piece needs to the nearest of these places, if
/// nothing is in its way.
fn steps(kind: Option<PieceKind>, places: Bitboard) -> [u8; 64] {
    let mut steps = [LOST; 64];
    let mut reached = places;
    for moves in 0..LOST {
        for square in reached {
            let first = &mut steps[square.index()];
            *first = moves.min(*first);
        }
        reached = reached
            .into_iter()
            .fold(reached, |set, from| set | attacks(kind, from));
    }
    steps
}

fn attacks(kind: Option<PieceKind>, from: Square) -> Bitboard {
    let kind = match kind {
        Some(PieceKind::Pawn) => PieceKind::King,
        kind => kind.unwrap_or(PieceKind::Queen),
    };
    let color = Color::White;
    piece_attacks(Piece { color, kind }, from, Bitboard::EMPTY)
}

/// A piece that is needed is gone.
const LOST: u8 = 8;
/// The king cannot come nearer now.
const BARRED: usize = 3;

/// How many guesses there are.
pub(super) const HEURISTIC_COUNT: usize = 3;

/// How far a mate seems to be by each guess; less is better.
pub(super) fn heuristic_distances(board: &Board, winner: Color) -> [usize; HEURISTIC_COUNT] {
    let (own, theirs) = (board.king(winner), board.king(!winner));
    let occupied = board.occupied() ^ theirs.bitboard();
    let free = around(theirs) & !board.color(!winner);
    let flights = free
        .into_iter()
        .filter(|&square| !board.is_attacked(square, winner, occupied))
        .count();
    let apart = distance(own, theirs).saturating_sub(2);
    let heavy = !board.straight_sliders(winner).is_empty();
    let promotion = if heavy { 0 } else { promotion(board, winner) };
    let pawns = board.kind(PieceKind::Pawn).len() as usize;
    let pieces = board.color(winner) & !(board.kind(PieceKind::Pawn) | board.kind(PieceKind::King));
    let near = pieces
        .into_iter()
        .map(|piece| distance(piece, theirs))
        .min();
    let quiet = board.side_to_move != winner && board.checkers().is_empty();
    let near = near.unwrap_or(7);
    let quiet = usize::from(quiet);
    let edge = distance_from_edges(theirs);
    let corner = corner_distance(board, winner, theirs);
    [
        3 * flights + 2 * (apart + edge + promotion.min(8)) + pawns + near + 3 * quiet,
        3 * flights + 3 * corner + 2 * apart + near + 3 * quiet + promotion,
        4 * promotion + board.color(!winner).len() as usize + 2 * apart + flights,
    ]
}

/// Steps to a corner in which the winner's pieces can mate: bishops alone only on their colour.
fn corner_distance(board: &Board, winner: Color, king: Square) -> usize {
    let bishops = board.pieces(winner, PieceKind::Bishop);
    let others = board.color(winner) & !(bishops | board.kind(PieceKind::King));
    let corners = Bitboard(0x8100_0000_0000_0081);
    let colours = [Bitboard::DARK, Bitboard::LIGHT];
    let alike = colours
        .into_iter()
        .find(|&colour| others.is_empty() && (bishops & !colour).is_empty());
    let corners = (corners & alike.unwrap_or(Bitboard::ALL)).into_iter();
    corners
        .map(|corner| distance(corner, king))
        .min()
        .unwrap_or(0)
}

/// Moves until a pawn is promoted, with some more for each pawn in its way.
pub(super) fn promotion(board: &Board, color: Color) -> usize {
    let goal = Rank::back(!color).index();
    let cost = |pawn: Square| {
        let steps = pawn.rank().index().abs_diff(goal);
        let file = Bitboard::file(pawn.file());
        let ahead = file
            & match color {
                Color::White => Bitboard(!0 << pawn.index() << 1),
                Color::Black => Bitboard((1 << pawn.index()) - 1),
            };
        let pawns = ahead & board.kind(PieceKind::Pawn);
        let pieces = ahead & board.occupied() & !pawns;
        steps + 4 * pawns.len() as usize + pieces.len() as usize
    };
    let pawns = board.pieces(color, PieceKind::Pawn).into_iter();
    pawns.map(cost).min().unwrap_or(0)
}

fn distance_from_edges(square: Square) -> usize {
    let inwards = |index: usize| index.min(7 - index);
    inwards(square.file().index()) + inwards(square.rank().index())
}
