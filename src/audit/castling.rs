//! Positions that show whether an engine castles right: one for every place of a king from b to
//! g, of a rook beyond it, and for either colour.
//!
//! In each, castling mates and nothing else does; or, where the rook stays and so cannot give
//! check, castling is the only move after which the opponent has no mate in one. An engine that
//! understands castling plays it at once, and one that does not cannot. The tests derive all
//! this from the rules core.

use crate::chess::{CastlingSide, Color, Move, Position};

/// The positions, with the castling as `bm`.
const PROBES: &str = include_str!("castling.epd");

/// A position with one good move, which is castling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastlingProbe {
    /// The position.
    pub position: Position,
    /// The good move: the king takes its own rook.
    pub castling: Move,
    /// Towards which edge.
    pub side: CastlingSide,
    /// Why it is the only good one.
    pub merit: Merit,
}

/// Why castling is the only good move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Merit {
    /// It mates, and nothing else does.
    OnlyMate,
    /// After anything else the opponent mates.
    OnlyEscape,
}

/// All 84, by king, rook and colour.
pub fn castling_probes() -> impl Iterator<Item = CastlingProbe> {
    PROBES
        .lines()
        .map(|line| probe(line).expect("the tests read every line"))
}

fn probe(line: &str) -> Option<CastlingProbe> {
    let (fen, best) = line.strip_suffix(';')?.split_once(" bm ")?;
    let position = Position::from_fen(&format!("{fen} 0 1")).ok()?;
    let castling = position.parse_san(best).ok()?;
    let merit = if mates(&position, castling) {
        Merit::OnlyMate
    } else {
        Merit::OnlyEscape
    };
    Some(CastlingProbe {
        side: position.is_castling(castling)?,
        position,
        castling,
        merit,
    })
}

impl CastlingProbe {
    /// Who castles.
    pub fn color(&self) -> Color {
        self.position.side_to_move()
    }
}

fn mates(position: &Position, mv: Move) -> bool {
    let mut next = position.clone();
    next.play(mv);
    next.in_check() && !next.has_legal_move()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::chess::{CastlingRule, File};

    fn has_mate_in_one(position: &Position) -> bool {
        let moves = position.legal_moves();
        moves.iter().any(|&mv| mates(position, mv))
    }

    #[test]
    fn every_place_of_king_and_rook_has_a_probe() {
        let place = |probe: &CastlingProbe| {
            let (king, rook) = (probe.castling.from(), probe.castling.to());
            (
                king.file().index(),
                rook.file().index(),
                probe.color().index(),
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
            let bad = |mv: Move| {
                let mut next = position.clone();
                next.play(mv);
                match probe.merit {
                    Merit::OnlyMate => !mates(position, mv),
                    Merit::OnlyEscape => has_mate_in_one(&next),
                }
            };
            let moves = position.legal_moves();
            let good: Vec<Move> = moves.iter().copied().filter(|&mv| !bad(mv)).collect();
            assert_eq!(good, [probe.castling], "{position:?}");
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
                probe.merit == Merit::OnlyEscape,
                stays,
                "{:?}",
                probe.position
            );
        }
    }
}
