//! Attacks of bishops and rooks for any occupancy, by magic multiplication.
//!
//! The tables (841 KB) are computed at compile time, so that a look-up need not check whether they exist. The compiler
//! needs a second or two for it and reports this by a lint, which guards against loops without end.
#![allow(long_running_const_eval)]

use super::super::{Bitboard, Square};

/// One factor a square, a1 first: multiplied with the blockers on a square's lines they give an index without harmful
/// collisions (P. Kannan, "Magic Move-Bitboard Generation in Computer Chess", 2007). Found by random search; a test
/// checks every entry against a walk along the lines.
const BISHOP_MAGICS: [u64; 64] = include!("bishop_magics.txt");
const ROOK_MAGICS: [u64; 64] = include!("rook_magics.txt");

/// How one square's blockers become an index into its part of the table.
#[derive(Clone, Copy)]
struct Magic {
    /// The squares whose occupancy matters: the lines without their last squares.
    mask: u64,
    factor: u64,
    shift: u32,
    start: u32,
}

/// The two lines through a square, without the square itself.
type LinePair = [u64; 2];

const BISHOP_SIZE: usize = 5_248;
const ROOK_SIZE: usize = 102_400;

static BISHOP: [Magic; 64] = magic_table(&BISHOP_MAGICS, false);
static ROOK: [Magic; 64] = magic_table(&ROOK_MAGICS, true);
static BISHOP_ATTACKS: [u64; BISHOP_SIZE] = attack_table(&BISHOP_MAGICS, false);
static ROOK_ATTACKS: [u64; ROOK_SIZE] = attack_table(&ROOK_MAGICS, true);

/// The squares a bishop attacks when these squares are occupied, blockers included.
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(BISHOP_ATTACKS[BISHOP[square.index()].index(occupied.0)])
}

/// The squares a rook attacks when these squares are occupied, blockers included.
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(ROOK_ATTACKS[ROOK[square.index()].index(occupied.0)])
}

impl Magic {
    const fn index(self, occupied: u64) -> usize {
        let hash = (occupied & self.mask).wrapping_mul(self.factor) >> (self.shift & 63);
        self.start as usize + hash as usize
    }
}

const fn magic_table(factors: &[u64; 64], rook: bool) -> [Magic; 64] {
    let mut table = [Magic {
        mask: 0,
        factor: 0,
        shift: 0,
        start: 0,
    }; 64];
    let (mut square, mut start) = (0, 0);
    while square < 64 {
        let mask = relevant(square, lines(square, rook));
        let bits = mask.count_ones();
        table[square] = Magic {
            mask,
            factor: factors[square],
            shift: 64 - bits,
            start,
        };
        start += 1 << bits;
        square += 1;
    }
    table
}

const fn attack_table<const SIZE: usize>(factors: &[u64; 64], rook: bool) -> [u64; SIZE] {
    let magics = magic_table(factors, rook);
    let mut table = [0; SIZE];
    let mut square = 0;
    while square < 64 {
        let (magic, lines) = (magics[square], lines(square, rook));
        let mut blockers: u64 = 0;
        loop {
            let along = line_attacks(square, lines[0], blockers);
            table[magic.index(blockers)] = along | line_attacks(square, lines[1], blockers);
            // The next subset of the mask (carry rippler).
            blockers = blockers.wrapping_sub(magic.mask) & magic.mask;
            if blockers == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

/// The mask of the squares whose occupancy changes what is attacked.
const fn relevant(square: usize, lines: LinePair) -> u64 {
    let (file, rank) = (square % 8, square / 8);
    let mut edges = 0;
    if rank != 0 {
        edges |= 0xFF;
    }
    if rank != 7 {
        edges |= 0xFF << 56;
    }
    if file != 0 {
        edges |= Bitboard::FILE_A;
    }
    if file != 7 {
        edges |= Bitboard::FILE_H;
    }
    (lines[0] | lines[1]) & !edges
}

/// Rank and file, or diagonal and antidiagonal.
const fn lines(square: usize, rook: bool) -> LinePair {
    let (file, rank) = (square as i32 % 8, square as i32 / 8);
    let mut lines = [0; 2];
    let mut other = 0;
    while other < 64 {
        let (files, ranks) = (other as i32 % 8 - file, other as i32 / 8 - rank);
        let on_line = if rook {
            [ranks == 0, files == 0]
        } else {
            [files == ranks, files == -ranks]
        };
        if other != square && on_line[0] {
            lines[0] |= 1 << other;
        }
        if other != square && on_line[1] {
            lines[1] |= 1 << other;
        }
        other += 1;
    }
    lines
}

/// Attacks along one line: subtracting the slider carries through the empty squares
/// up to the first blocker, once in each direction ("o ^ (o - 2r)").
const fn line_attacks(square: usize, line: u64, occupied: u64) -> u64 {
    let blockers = occupied & line;
    let slider = 1u64 << square;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers
        .reverse_bits()
        .wrapping_sub(slider.reverse_bits() << 1)
        .reverse_bits();
    (up ^ down) & line
}

#[cfg(test)]
mod tests {
    use super::super::step;
    use super::*;

    fn walk(square: usize, directions: [(i32, i32); 4], occupied: u64) -> u64 {
        let mut attacked = 0;
        for direction in directions {
            let mut at = square;
            while let Some(next) = step(at, direction) {
                attacked |= 1 << next;
                if occupied & 1 << next != 0 {
                    break;
                }
                at = next;
            }
        }
        attacked
    }

    #[test]
    fn every_table_entry_equals_a_walk_along_the_lines() {
        for square in Square::all() {
            for rook in [false, true] {
                let directions = if rook {
                    [(0, 1), (1, 0), (0, -1), (-1, 0)]
                } else {
                    [(1, 1), (1, -1), (-1, -1), (-1, 1)]
                };
                let mask = relevant(square.index(), lines(square.index(), rook));
                let mut blockers = 0u64;
                loop {
                    let found = if rook {
                        rook_attacks(square, Bitboard(blockers))
                    } else {
                        bishop_attacks(square, Bitboard(blockers))
                    };
                    assert_eq!(found.0, walk(square.index(), directions, blockers));
                    blockers = blockers.wrapping_sub(mask) & mask;
                    if blockers == 0 {
                        break;
                    }
                }
            }
        }
    }
}
