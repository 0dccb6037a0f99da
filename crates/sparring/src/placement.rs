//! How good a square is for a piece, in the middlegame and in the endgame.
//!
//! The tables are made from a few rules at compile time: they hold for every start position,
//! where nobody has a usual square.

/// Two values in one word, middlegame and endgame: added and subtracted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackedScore(i32);

impl PackedScore {
    pub(crate) const ZERO: PackedScore = PackedScore(0);

    pub(crate) const fn new(middle: i32, end: i32) -> PackedScore {
        PackedScore(end * 0x1_0000 + middle)
    }

    pub(crate) const fn plus(self, other: PackedScore) -> PackedScore {
        PackedScore(self.0 + other.0)
    }

    pub(crate) const fn minus(self, other: PackedScore) -> PackedScore {
        PackedScore(self.0 - other.0)
    }

    pub(crate) const fn times(self, factor: i32) -> PackedScore {
        PackedScore(self.0 * factor)
    }

    pub(crate) const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    pub(crate) const fn end(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }
}

/// Material by kind: pawn, knight, bishop, rook, queen, king.
const MATERIAL: [PackedScore; 6] = [
    PackedScore::new(85, 110),
    PackedScore::new(330, 310),
    PackedScore::new(345, 330),
    PackedScore::new(470, 550),
    PackedScore::new(980, 1000),
    PackedScore::ZERO,
];

/// Material and place for each kind and square, as White sees it.
pub(crate) static PLACEMENT: [[PackedScore; 64]; 6] = tables();

const fn tables() -> [[PackedScore; 64]; 6] {
    let mut tables = [[PackedScore::ZERO; 64]; 6];
    let mut kind = 0;
    while kind < 6 {
        let mut square = 0;
        while square < 64 {
            let place = place(kind, square % 8, square / 8);
            tables[kind][square as usize] = MATERIAL[kind].plus(place);
            square += 1;
        }
        kind += 1;
    }
    tables
}

/// How near a file or rank is to the middle: 0 at the edge to 3.
const fn inner(index: i32) -> i32 {
    if index < 4 { index } else { 7 - index }
}

const fn place(kind: usize, file: i32, rank: i32) -> PackedScore {
    let (files, ranks) = (inner(file), inner(rank));
    let centre = files + ranks;
    match kind {
        0 => pawn(files, rank),
        1 => PackedScore::new(
            9 * centre - 30 + if rank >= 4 && rank < 6 { 8 } else { 0 },
            7 * centre - 24,
        ),
        2 => PackedScore::new(
            4 * centre - 10 - if rank == 0 { 8 } else { 0 },
            3 * centre - 9,
        ),
        3 => PackedScore::new(
            4 * files - 6 + if rank == 6 { 15 } else { 0 },
            if rank >= 6 { 12 } else { 0 },
        ),
        4 => PackedScore::new(
            2 * centre - 4 - if rank == 0 { 4 } else { 0 },
            6 * centre - 18,
        ),
        _ => PackedScore::new(
            22 - 8 * files - 22 * if rank < 4 { rank } else { 4 },
            11 * centre - 36,
        ),
    }
}

/// Pawns go forward: in the middle first, in the endgame everywhere.
const fn pawn(files: i32, rank: i32) -> PackedScore {
    let steps = rank - 1;
    let central = match (files, rank) {
        (3, 2) => 8,
        (3, 3) => 24,
        (3, 4) => 28,
        (2, 3) => 12,
        (2, 4) => 14,
        _ => 0,
    };
    PackedScore::new(central + 2 * steps, 2 * steps * steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_values_survive_arithmetic() {
        let pair = PackedScore::new(-120, 75)
            .minus(PackedScore::new(30, -5))
            .times(3);
        assert_eq!((pair.middle(), pair.end()), (-450, 240));
        let pair = PackedScore::new(5, -7).plus(PackedScore::new(-9, 3));
        assert_eq!((pair.middle(), pair.end()), (-4, -4));
    }

    #[test]
    fn files_are_judged_alike_from_both_edges() {
        for table in &PLACEMENT {
            for square in 0..64 {
                assert_eq!(table[square], table[square ^ 7]);
            }
        }
    }
}
