//! The numberings of squares that the format is made of.
//!
//! Squares are numbers, a1 = 0, b1 = 1 … h8 = 63.

use std::sync::LazyLock;

/// All numberings.
pub(super) struct Maps {
    /// How many ways there are to choose `k` of `n`: `[k][n]`.
    pub(super) choose: [[u64; 65]; 7],
    /// The squares below the diagonal a1–h8.
    pub(super) below: [u64; 64],
    /// The triangle a1–d1–d4, the diagonal last.
    pub(super) triangle: [u64; 64],
    /// Two kings, the first in the triangle, by its number and the other's square.
    pub(super) kings: [[u64; 64]; 10],
    /// Squares of pawns, from the edge and from the second rank downwards.
    pub(super) pawns: [u64; 64],
    /// The first position whose leading pawn is here: `[pawns][square]`.
    pub(super) lead: [[u64; 64]; 6],
    /// The number of placements of this number of leading pawns, the leading one on this file: `[pawns][file]`.
    pub(super) lead_size: [[u64; 4]; 6],
}

/// Made once.
pub(super) static MAPS: LazyLock<Maps> = LazyLock::new(Maps::new);

/// Above the diagonal a1–h8 positive, on it zero.
pub(super) fn off_diagonal(square: usize) -> isize {
    (square / 8) as isize - (square % 8) as isize
}

impl Maps {
    fn new() -> Maps {
        let choose = choose();
        let triangle = triangle();
        let mut maps = Maps {
            choose,
            below: below(),
            kings: kings(&triangle),
            triangle,
            pawns: pawns(),
            lead: [[0; 64]; 6],
            lead_size: [[0; 4]; 6],
        };
        for count in 1..6 {
            for file in 0..4 {
                let mut next = 0;
                for square in (1..7).map(|rank| rank * 8 + file) {
                    maps.lead[count][square] = next;
                    next += choose[count - 1][maps.pawns[square] as usize];
                }
                maps.lead_size[count][file] = next;
            }
        }
        maps
    }
}

fn choose() -> [[u64; 65]; 7] {
    let mut table = [[0; 65]; 7];
    table[0] = [1; 65];
    for k in 1..7 {
        for n in 1..65 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
        }
    }
    table
}

fn below() -> [u64; 64] {
    let mut map = [0; 64];
    let squares = (0..64).filter(|&square| off_diagonal(square) < 0);
    squares
        .zip(0..)
        .for_each(|(square, number)| map[square] = number);
    map
}

fn triangle() -> [u64; 64] {
    let mut map = [0; 64];
    let quarter = || (0..28).filter(|square| square % 8 < 4);
    let below = quarter().filter(|&square| off_diagonal(square) < 0);
    let on = quarter().filter(|&square| off_diagonal(square) == 0);
    below
        .chain(on)
        .zip(0..)
        .for_each(|(square, number)| map[square] = number);
    map
}

/// Kings that do not touch; where the first is on the diagonal, the second is not above it, and the
/// pairs with both on it come last.
fn kings(triangle: &[u64; 64]) -> [[u64; 64]; 10] {
    let mut map = [[0; 64]; 10];
    let firsts = (0..10).filter_map(|number| {
        let on_board = |&square: &usize| square % 8 < 4 && off_diagonal(square) <= 0;
        let mut squares = (0..28).filter(on_board);
        squares.find(|&square| triangle[square] == number)
    });
    let (mut next, mut both) = (0, Vec::new());
    for ((number, first), row) in firsts.enumerate().zip(&mut map) {
        for (second, place) in row.iter_mut().enumerate() {
            let apart =
                (first % 8).abs_diff(second % 8) > 1 || (first / 8).abs_diff(second / 8) > 1;
            match (off_diagonal(first), off_diagonal(second)) {
                _ if !apart => {}
                (0, 1..) => {}
                (0, 0) => both.push((number, second)),
                _ => {
                    *place = next;
                    next += 1;
                }
            }
        }
    }
    for (number, second) in both {
        map[number][second] = next;
        next += 1;
    }
    map
}

fn pawns() -> [u64; 64] {
    let mut map = [0; 64];
    let mut next = 48;
    for file in 0..4 {
        for rank in 1..7 {
            for file in [file, 7 - file] {
                next -= 1;
                map[rank * 8 + file] = next;
            }
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_format() {
        let most = MAPS.kings.iter().flatten().max();
        assert_eq!(most, Some(&461));
        assert_eq!(MAPS.below.iter().max(), Some(&27));
        assert_eq!(MAPS.triangle.iter().max(), Some(&9));
        assert_eq!((MAPS.pawns[8], MAPS.pawns[15], MAPS.pawns[51]), (47, 46, 1));
        assert_eq!(MAPS.lead_size[1], [6, 6, 6, 6]);
    }
}
