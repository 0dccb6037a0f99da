//! How good a position is: material, squares, mobility, passed pawns, attacks on the king; blended from
//! middlegame to endgame by the pieces that are left.

use crate::placement::{PLACEMENT, PackedScore};
use arbiter960_chess::attacks::{bishop_attacks, king_attacks, knight_attacks, rook_attacks};
use arbiter960_chess::{Bitboard, Color, PieceKind, Position, Square};

/// Mate on the board; a mate further away scores a point less for each ply.
pub const MATE: i32 = 31_000;
/// Scores at least this far from 0 are mates.
pub const MATED_AT_MOST: i32 = MATE - 500;

/// Rough values for exchanges, by kind, centipawns; the king above all.
pub(crate) const VALUES: [i32; 6] = [100, 320, 335, 500, 975, 2000];

/// Weight of each kind in the blend; all pieces together make [`ALL_PIECES`].
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const ALL_PIECES: i32 = 24;

/// For each square attacked, by kind.
const MOBILITY: [PackedScore; 6] = [
    PackedScore::ZERO,
    PackedScore::new(5, 4),
    PackedScore::new(5, 4),
    PackedScore::new(2, 4),
    PackedScore::new(1, 3),
    PackedScore::ZERO,
];

/// The usual number of squares attacked, by kind: mobility counts from here.
const USUAL_MOBILITY: [i32; 6] = [0, 4, 6, 6, 12, 0];

/// Danger for the king from each square next to it that a kind attacks.
const DANGER: [i32; 6] = [0, 4, 3, 5, 6, 0];

const BISHOP_PAIR: PackedScore = PackedScore::new(25, 40);
const TEMPO: i32 = 12;

/// A passed pawn by its rank from its own side.
const PASSED: [PackedScore; 8] = [
    PackedScore::ZERO,
    PackedScore::new(0, 6),
    PackedScore::new(2, 12),
    PackedScore::new(8, 26),
    PackedScore::new(22, 50),
    PackedScore::new(45, 88),
    PackedScore::new(75, 135),
    PackedScore::ZERO,
];

/// The exchange value of a kind.
#[inline]
pub(crate) fn value(kind: PieceKind) -> i32 {
    VALUES[kind.index()]
}

/// The worth of a position for the side to move, centipawns.
pub(crate) fn evaluate(position: &Position) -> i32 {
    let (white, black) = (side(position, Color::White), side(position, Color::Black));
    let balance = white.minus(black);
    let phase = phase(position);
    let blended = (balance.middle() * phase + balance.end() * (ALL_PIECES - phase)) / ALL_PIECES;
    let score = winnable(position, blended);
    TEMPO
        + if position.side_to_move() == Color::White {
            score
        } else {
            -score
        }
}

/// [`ALL_PIECES`] with all pieces on the board, 0 with none but pawns.
fn phase(position: &Position) -> i32 {
    let weigh = |kind: PieceKind| PHASE[kind.index()] * position.by_kind(kind).len() as i32;
    PieceKind::ALL
        .into_iter()
        .map(weigh)
        .sum::<i32>()
        .min(ALL_PIECES)
}

/// Without pawns, a small advantage in material does not win.
fn winnable(position: &Position, score: i32) -> i32 {
    let stronger = if score > 0 {
        Color::White
    } else {
        Color::Black
    };
    let pieces = |color: Color| -> i32 {
        let value =
            |kind: PieceKind| VALUES[kind.index()] * position.pieces(color, kind).len() as i32;
        PieceKind::ALL.into_iter().map(value).sum()
    };
    let pawns = position.pieces(stronger, PieceKind::Pawn);
    let small = pawns.is_empty() && pieces(stronger) - pieces(!stronger) < VALUES[3];
    if small { score / 4 } else { score }
}

/// What one side has.
fn side(position: &Position, us: Color) -> PackedScore {
    let mut score = pawns(position, us);
    let mut danger = 0;
    let ring = king_attacks(position.king(!us));
    let guarded = pawn_cover(position.pieces(!us, PieceKind::Pawn), !us);
    let flip = if us == Color::White { 0 } else { 56 };
    for kind in PieceKind::ALL {
        let table = &PLACEMENT[kind.index()];
        for square in position.pieces(us, kind) {
            score = score.plus(table[square.index() ^ flip]);
            let Some(reach) = reach(kind, square, position.occupied()) else {
                continue;
            };
            let safe = (reach & !guarded & !position.by_color(us)).len() as i32;
            score = score.plus(MOBILITY[kind.index()].times(safe - USUAL_MOBILITY[kind.index()]));
            danger += DANGER[kind.index()] * (reach & ring).len() as i32;
        }
    }
    // An attack grows with the square of its pieces, and fades with them.
    if position.pieces(us, PieceKind::Bishop).has_several() {
        score = score.plus(BISHOP_PAIR);
    }
    score.plus(PackedScore::new((danger * danger / 12).min(350), 0))
}

/// What a knight, bishop, rook or queen attacks.
#[inline]
fn reach(kind: PieceKind, square: Square, occupied: Bitboard) -> Option<Bitboard> {
    match kind {
        PieceKind::Knight => Some(knight_attacks(square)),
        PieceKind::Bishop => Some(bishop_attacks(square, occupied)),
        PieceKind::Rook => Some(rook_attacks(square, occupied)),
        PieceKind::Queen => Some(bishop_attacks(square, occupied) | rook_attacks(square, occupied)),
        PieceKind::Pawn | PieceKind::King => None,
    }
}

/// Passed pawns.
fn pawns(position: &Position, us: Color) -> PackedScore {
    let own = position.pieces(us, PieceKind::Pawn);
    let stopped = front(position.pieces(!us, PieceKind::Pawn), !us);
    let stopped = stopped | stopped.west() | stopped.east();
    let passed = own & !stopped & !front(own, !us);
    passed.into_iter().fold(PackedScore::ZERO, |score, pawn| {
        score.plus(PASSED[pawn.rank().seen_by(us).index()])
    })
}

/// The squares that a side's pawns attack.
fn pawn_cover(pawns: Bitboard, color: Color) -> Bitboard {
    let ahead = forward(pawns, color);
    ahead.west() | ahead.east()
}

/// One step forward, as a side sees it.
fn forward(set: Bitboard, color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(set.0 << 8),
        Color::Black => Bitboard(set.0 >> 8),
    }
}

/// All squares in front of the set, as a side sees it.
fn front(set: Bitboard, color: Color) -> Bitboard {
    let mut filled = set.0;
    match color {
        Color::White => [8, 16, 32]
            .into_iter()
            .for_each(|step| filled |= filled << step),
        Color::Black => [8, 16, 32]
            .into_iter()
            .for_each(|step| filled |= filled >> step),
    }
    forward(Bitboard(filled), color)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(fen: &str) -> i32 {
        evaluate(&Position::from_fen(fen).unwrap())
    }

    #[test]
    fn both_sides_are_judged_alike() {
        let pairs = [
            (
                "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2B1PP/R1BQ1RK1 w - - 0 9",
                "r1bq1rk1/pp2b1pp/2n1pn2/2pp4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 0 9",
            ),
            (
                "8/2k5/8/3P4/8/8/5K2/8 w - - 0 1",
                "8/5k2/8/8/3p4/8/2K5/8 b - - 0 1",
            ),
        ];
        for (white, black) in pairs {
            assert_eq!(score(white), score(black));
        }
    }

    #[test]
    fn simple_judgements() {
        let even = score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(even, TEMPO);
        assert!(score("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1") > 80);
        assert!(score("4k3/8/8/8/8/8/8/RK6 w - - 0 1") > 400);
        // a rook against a bishop, without pawns, does not win
        assert!(score("4k3/8/8/8/8/8/3b4/RK6 w - - 0 1") < 100);
        // a passed pawn far advanced
        assert!(
            score("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1") > score("4k3/8/8/8/8/1P6/8/4K3 w - - 0 1")
        );
    }
}
