//! Which move to try first: the table's, captures by what they take and with what, and quiet
//! moves by how often they have refuted a position.

use crate::evaluate::value;
use arbiter960_chess::attacks::pawn_attacks;
use arbiter960_chess::{Color, Move, PieceKind, Position};

const KNOWN_MOVE_RANK: i32 = 1 << 24;
const CAPTURE_RANK: i32 = 1 << 20;

/// How often a quiet move refuted its position: colour, from, to.
pub(crate) struct HistoryTable(Box<[[[i32; 64]; 64]; 2]>);

impl HistoryTable {
    pub(crate) fn new() -> HistoryTable {
        HistoryTable(Box::new([[[0; 64]; 64]; 2]))
    }

    /// Begins the search of a new position: what is old counts half.
    pub(crate) fn age(&mut self) {
        let values = self.0.iter_mut().flatten().flatten();
        values.for_each(|value| *value /= 2);
    }

    /// A quiet move refuted a position at this depth.
    pub(crate) fn reward(&mut self, color: Color, mv: Move, depth: i32) {
        let value = &mut self.0[color.index()][mv.from().index()][mv.to().index()];
        *value = (*value + depth * depth).min(CAPTURE_RANK / 2);
    }
}

/// The legal moves whose gain in material is wanted, the most promising first.
pub(crate) fn ordered(
    position: &Position,
    known: Option<Move>,
    history: &HistoryTable,
    wanted: impl Fn(i32) -> bool,
) -> Vec<Move> {
    let color = position.side_to_move();
    let rank = |&mv: &Move| {
        let (gain, quiet) = (gain(position, mv), !is_tactical(position, mv));
        let merit = if quiet {
            history.0[color.index()][mv.from().index()][mv.to().index()]
        } else {
            exchange(position, mv, gain)
        };
        let merit = if Some(mv) == known {
            KNOWN_MOVE_RANK
        } else {
            merit
        };
        // A losing capture gains nothing at first sight.
        wanted(if merit < 0 { 0 } else { gain }).then_some((merit, mv))
    };
    let mut ranked: Vec<(i32, Move)> = position.legal_moves().iter().filter_map(rank).collect();
    ranked.sort_by_key(|(merit, _)| -merit);
    ranked.into_iter().map(|(_, mv)| mv).collect()
}

/// Whether a move changes the material.
pub(crate) fn is_tactical(position: &Position, mv: Move) -> bool {
    mv.promotion().is_some() || position.is_capture(mv)
}

/// What a move takes and promotes to, centipawns; 0 for a quiet one.
fn gain(position: &Position, mv: Move) -> i32 {
    let taken = position.is_capture(mv).then(|| {
        // En passant there is nothing on the square.
        let victim = position.piece_at(mv.to());
        victim.map_or(PieceKind::Pawn, |piece| piece.kind)
    });
    let pawn = value(PieceKind::Pawn);
    taken.map_or(0, value) + mv.promotion().map_or(0, |kind| value(kind) - pawn)
}

/// The most valuable victim by the least valuable attacker. Below zero where a dearer piece
/// takes a cheaper one that a pawn protects, and for promotion to less than a queen.
fn exchange(position: &Position, mv: Move, gain: i32) -> i32 {
    let us = position.side_to_move();
    let attacker = position.piece_at(mv.from());
    let attacker = attacker.map_or(0, |piece| value(piece.kind));
    let guarded = pawn_attacks(us, mv.to()).intersects(position.pieces(!us, PieceKind::Pawn));
    let loses = gain + 50 < attacker && guarded;
    let less = mv.promotion().is_some_and(|kind| kind != PieceKind::Queen);
    let base = if loses || less {
        -CAPTURE_RANK
    } else {
        CAPTURE_RANK
    };
    base + 16 * gain - attacker
}
