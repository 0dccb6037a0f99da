//! How king and rook cross when they castle.

use crate::check::probes::CastlingProbe;
use crate::chess::CastlingRule;

/// The four ways in which king and rook can come to their squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// The king is on its square already.
    KingStays,
    /// The rook does.
    RookStays,
    /// Each goes to the square of the other.
    BothSwap,
    /// Both go elsewhere.
    BothMove,
}

impl Shape {
    /// The shape of this castling.
    pub(crate) fn of(probe: &CastlingProbe) -> Shape {
        let [king, rook] = [probe.castling.from(), probe.castling.to()].map(|square| square.file());
        let king_to = CastlingRule::Fischer.king_landing(king, rook);
        let rook_to = CastlingRule::Fischer.rook_landing(king, rook);
        match (king_to == king, rook_to == rook) {
            (true, _) => Shape::KingStays,
            (_, true) => Shape::RookStays,
            _ if king_to == rook && rook_to == king => Shape::BothSwap,
            _ => Shape::BothMove,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::probes::castling_probes;

    #[test]
    fn every_shape_has_its_probes() {
        let count = |shape| {
            let of_shape = |probe: &CastlingProbe| Shape::of(probe) == shape;
            castling_probes().filter(of_shape).count()
        };
        // King c with two rooks a, b; king g with rook h. Rook d with kings b, c do not
        // count: they castle towards h. Twice, for the colours.
        assert_eq!(count(Shape::KingStays), 2 * 3);
        // Rook d with kings e, f, g; rook f with kings b to e.
        assert_eq!(count(Shape::RookStays), 2 * 7);
        // King f, rook g; king d, rook c.
        assert_eq!(count(Shape::BothSwap), 2 * 2);
        assert_eq!(count(Shape::BothMove), 84 - 2 * 12);
    }
}
