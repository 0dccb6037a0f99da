//! Mates that might come about: squares for the king and for men that mate it there.
//!
//! A plan does not show how the men come there, and may be impossible: it is one goal among others for the search.

use super::pattern::{MateChoice, MateMen, distance};
use super::promise::promotion;
use super::reach::{Reach, Tracked, around};
use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, rook_attacks};
use crate::board::Board;
use crate::{Bitboard, Color, PieceKind, Square};

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
    let Some(reach) = Reach::of(board) else {
        return Vec::new();
    };
    let not_king = |man: &&Tracked| man.kind != PieceKind::King;
    let plan = |king: Square| {
        let men = MateMen::new(
            king,
            reach.pieces(winner),
            reach.pieces(!winner).filter(not_king),
        );
        let goal = |(man, choice): (&Tracked, MateChoice)| {
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
    let empty = Bitboard::EMPTY;
    match kind {
        Some(PieceKind::Bishop) => bishop_attacks(from, empty),
        Some(PieceKind::Knight) => knight_attacks(from),
        Some(PieceKind::King | PieceKind::Pawn) => king_attacks(from),
        Some(PieceKind::Rook) => rook_attacks(from, empty),
        Some(PieceKind::Queen) | None => bishop_attacks(from, empty) | rook_attacks(from, empty),
    }
}

/// A piece that is needed is gone.
const LOST: u8 = 8;
/// The king cannot come nearer now.
const BARRED: usize = 3;
