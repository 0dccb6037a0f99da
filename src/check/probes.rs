//! Positions that show whether an engine castles right: one for every place of a king from b to
//! g, of a rook beyond it, and for either colour.
//!
//! In each, castling mates and nothing else does; or, where the rook stays and so cannot give
//! check, castling is the only move after which the opponent has no mate in one. An engine that
//! understands castling plays it at once, and one that does not cannot. The tests derive all
//! this from the rules core.

use crate::chess::{
    CastlingRule, CastlingSide, File, Move, Piece, PieceKind, Position, PositionBuilder, Square,
};

/// The positions, with the castling as `bm`.
const PROBES: &str = include_str!("probes.epd");

/// A position with one good move, which is castling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CastlingProbe {
    pub position: Position,
    /// The good move: the king takes its own rook.
    pub castling: Move,
    /// Towards which edge.
    pub side: CastlingSide,
}

/// All 84, by king, rook and colour.
pub(crate) fn castling_probes() -> impl Iterator<Item = CastlingProbe> {
    PROBES
        .lines()
        .map(|line| probe(line).expect("the tests read every line"))
}

fn probe(line: &str) -> Option<CastlingProbe> {
    let (fen, best) = line.strip_suffix(';')?.split_once(" bm ")?;
    let position = Position::from_fen(&format!("{fen} 0 1")).ok()?;
    let castling = position.parse_san(best).ok()?;
    Some(CastlingProbe {
        side: position.is_castling(castling)?,
        position,
        castling,
    })
}

/// The probes with a second rook of the same side further out, where castling with the inner
/// one stays the only good move: an engine that takes the outer rook for the one meant, or
/// loses the right, does not find it.
pub(crate) fn inner_rook_probes() -> impl Iterator<Item = CastlingProbe> {
    castling_probes().flat_map(|probe| {
        let (rook, rank) = (probe.castling.to(), probe.castling.to().rank());
        let outer = File::ALL.into_iter().filter(move |file| match probe.side {
            CastlingSide::KingSide => *file > rook.file(),
            CastlingSide::QueenSide => *file < rook.file(),
        });
        outer.filter_map(move |file| with_rook(&probe, Square::new(file, rank)))
    })
}

fn with_rook(probe: &CastlingProbe, square: Square) -> Option<CastlingProbe> {
    let old = &probe.position;
    if old.occupied().contains(square) {
        return None;
    }
    let (color, kind) = (old.side_to_move(), PieceKind::Rook);
    let position = PositionBuilder::from(old)
        .put(Piece { color, kind }, square)
        .counters(0, 1)
        .build()
        .ok()?;
    let moved = CastlingProbe {
        position,
        ..probe.clone()
    };
    let mates = old.mates(probe.castling);
    moved.has_one_good_move(mates).then_some(moved)
}

impl CastlingProbe {
    /// Whether castling is legal and everything else worse, as its merit says.
    fn has_one_good_move(&self, by_mate: bool) -> bool {
        let good = |mv: &Move| {
            let next = self.position.after(*mv);
            let escapes = || !next.legal_moves().iter().any(|&reply| next.mates(reply));
            if by_mate {
                self.position.mates(*mv)
            } else {
                escapes()
            }
        };
        let moves = self.position.legal_moves();
        moves.iter().copied().filter(good).eq([self.castling])
    }
}

/// The four ways in which king and rook can come to their squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CastlingShape {
    /// The king is on its square already.
    KingStays,
    /// The rook does.
    RookStays,
    /// Each goes to the square of the other.
    BothSwap,
    /// Both go elsewhere.
    BothMove,
}

impl CastlingShape {
    /// The shape of this castling.
    pub(crate) fn of_probe(probe: &CastlingProbe) -> CastlingShape {
        let [king, rook] = [probe.castling.from(), probe.castling.to()].map(|square| square.file());
        let king_to = CastlingRule::Fischer.king_landing(king, rook);
        let rook_to = CastlingRule::Fischer.rook_landing(king, rook);
        match (king_to == king, rook_to == rook) {
            (true, _) => CastlingShape::KingStays,
            (_, true) => CastlingShape::RookStays,
            _ if king_to == rook && rook_to == king => CastlingShape::BothSwap,
            _ => CastlingShape::BothMove,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_place_of_king_and_rook_has_a_probe() {
        let place = |probe: &CastlingProbe| {
            let (king, rook) = (probe.castling.from(), probe.castling.to());
            (
                king.file().index(),
                rook.file().index(),
                probe.position.side_to_move().index(),
            )
        };
        let probes: Vec<CastlingProbe> = castling_probes().collect();
        assert_eq!(probes.len(), PROBES.lines().count());
        let places: BTreeSet<_> = probes.iter().map(place).collect();
        let kings = (1..7).flat_map(|king| (0..8).map(move |rook| (king, rook)));
        let beyond = kings.filter(|(king, rook)| king != rook);
        let wanted: BTreeSet<_> = beyond
            .flat_map(|(king, rook)| [(king, rook, 0), (king, rook, 1)])
            .collect();
        assert_eq!((places, probes.len()), (wanted, 84));
    }

    #[test]
    fn castling_is_the_only_good_move() {
        for probe in castling_probes() {
            let position = &probe.position;
            assert_eq!(position.is_castling(probe.castling), Some(probe.side));
            let by_mate = position.mates(probe.castling);
            assert!(probe.has_one_good_move(by_mate), "{position:?}");
        }
    }

    #[test]
    fn inner_rooks_have_probes_for_both_sides_and_colours() {
        let probes: Vec<CastlingProbe> = inner_rook_probes().collect();
        let kinds: BTreeSet<_> = probes
            .iter()
            .map(|probe| {
                (
                    probe.side == CastlingSide::KingSide,
                    probe.position.side_to_move().index(),
                )
            })
            .collect();
        assert_eq!((probes.len(), kinds.len()), (64, 4));
        for probe in &probes {
            assert_eq!(
                probe
                    .position
                    .castling_rook(probe.position.side_to_move(), probe.side),
                Some(probe.castling.to())
            );
        }
    }

    #[test]
    fn only_where_the_rook_stays_it_does_not_mate() {
        for probe in castling_probes() {
            let [king, rook] =
                [probe.castling.from(), probe.castling.to()].map(|square| square.file());
            let landing: File = CastlingRule::Fischer.rook_landing(king, rook);
            let stays = landing == rook;
            assert_eq!(
                !probe.position.mates(probe.castling),
                stays,
                "{:?}",
                probe.position
            );
        }
    }

    #[test]
    fn every_shape_has_its_probes() {
        let count = |shape| {
            let of_shape = |probe: &CastlingProbe| CastlingShape::of_probe(probe) == shape;
            castling_probes().filter(of_shape).count()
        };
        // King c with two rooks a, b; king g with rook h. Rook d with kings b, c do not
        // count: they castle towards h. Twice, for the colours.
        assert_eq!(count(CastlingShape::KingStays), 2 * 3);
        // Rook d with kings e, f, g; rook f with kings b to e.
        assert_eq!(count(CastlingShape::RookStays), 2 * 7);
        // King f, rook g; king d, rook c.
        assert_eq!(count(CastlingShape::BothSwap), 2 * 2);
        assert_eq!(count(CastlingShape::BothMove), 84 - 2 * 12);
    }
}
