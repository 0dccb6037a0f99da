//! Positions that show whether an engine castles right: one for every place of a king from b to
//! g, of a rook beyond it, and for either colour.
//!
//! In each, castling mates and nothing else does; or, where the rook stays and so cannot give
//! check, castling is the only move after which the opponent has no mate in one. An engine that
//! understands castling plays it at once, and one that does not cannot. The tests derive all
//! this from the rules core.

use crate::chess::{CastlingSide, File, Move, Piece, PieceKind, Position, Square};

/// The positions, with the castling as `bm`.
const PROBES: &str = include_str!("probes.epd");

/// A position with one good move, which is castling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CastlingProbe {
    /// The position.
    pub position: Position,
    /// The good move: the king takes its own rook.
    pub castling: Move,
    /// Towards which edge.
    pub side: CastlingSide,
    /// Why it is the only good one.
    pub merit: CastlingReason,
}

/// Why castling is the only good move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CastlingReason {
    /// It mates, and nothing else does.
    OnlyMate,
    /// After anything else the opponent mates.
    OnlyEscape,
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
    let merit = if position.mates(castling) {
        CastlingReason::OnlyMate
    } else {
        CastlingReason::OnlyEscape
    };
    Some(CastlingProbe {
        side: position.is_castling(castling)?,
        position,
        castling,
        merit,
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
    let position = old.with_piece(Piece { color, kind }, square).ok()?;
    let moved = CastlingProbe {
        position,
        ..probe.clone()
    };
    moved.has_one_good_move().then_some(moved)
}

impl CastlingProbe {
    /// Whether castling is legal and everything else worse, as its merit says.
    fn has_one_good_move(&self) -> bool {
        let good = |mv: &Move| match self.merit {
            CastlingReason::OnlyMate => self.position.mates(*mv),
            CastlingReason::OnlyEscape => {
                let next = self.position.after(*mv);
                !next.legal_moves().iter().any(|&reply| next.mates(reply))
            }
        };
        let moves = self.position.legal_moves();
        moves.iter().copied().filter(good).eq([self.castling])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::chess::CastlingRule;

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
            assert!(probe.has_one_good_move(), "{position:?}");
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
                probe.merit == CastlingReason::OnlyEscape,
                stays,
                "{:?}",
                probe.position
            );
        }
    }
}
