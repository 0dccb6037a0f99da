//! Which men an ending has, and its name; and the numberings of squares.

use std::fmt;
use std::sync::LazyLock;

use crate::chess::{Color, PieceKind, Position};

/// The kinds except the king, in the order in which names have them.
const KINDS: [PieceKind; 5] = [
    PieceKind::Queen,
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Pawn,
];

/// The men of one side without its king: how many of each kind, in the order of names.
type SideMaterial = [u8; 5];

/// The men of both sides; of tables the side first that the name has first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Material([SideMaterial; 2]);

impl Material {
    /// What is on a board, White first.
    pub(super) fn from_position(position: &Position) -> Material {
        let men = |color| KINDS.map(|kind| position.pieces(color, kind).len() as u8);
        Material(Color::ALL.map(men))
    }

    /// By a name such as `KQvKR`.
    pub(super) fn from_name(name: &str) -> Option<Material> {
        let (first, second) = name.split_once('v')?;
        let material = Material([side(first)?, side(second)?]);
        (3..=super::MAX_MEN)
            .contains(&material.men())
            .then_some(material)
    }

    /// The other side first.
    pub(super) fn swapped(self) -> Material {
        Material([self.0[1], self.0[0]])
    }

    /// Whether both sides have the same men.
    pub(super) fn is_symmetric(self) -> bool {
        self.0[0] == self.0[1]
    }

    /// All men, the kings among them.
    pub(super) fn men(self) -> u32 {
        let men = self.0.as_flattened().iter();
        2 + men.map(|count| u32::from(*count)).sum::<u32>()
    }

    /// The pawns of the two sides.
    pub(super) fn pawns(self) -> [u8; 2] {
        self.0.map(|men| men[4])
    }

    /// Whether `count` counts the same men without the kings, the side first that is White here.
    pub(super) fn has(self, count: impl Fn(Color, PieceKind) -> usize) -> bool {
        let side = |color: Color| KINDS.map(|kind| count(color, kind));
        Color::ALL.map(side) == self.0.map(|men| men.map(usize::from))
    }

    /// Whether a side has exactly one man of some kind other than its king.
    pub(super) fn has_single(self) -> bool {
        self.0.as_flattened().contains(&1)
    }

    /// Every ending with this number of men, under the name that its files have: the stronger side first,
    /// by number of men and then by kinds.
    pub(super) fn all(men: u32) -> Vec<Material> {
        let mut all = Vec::new();
        for first in 0..=men - 2 {
            let others = men - 2 - first;
            for one in sides(first as u8) {
                for other in sides(others as u8) {
                    if (first, one) >= (others, other) {
                        all.push(Material([one, other]));
                    }
                }
            }
        }
        all.sort_unstable_by(|a, b| b.cmp(a));
        all
    }
}

fn side(name: &str) -> Option<SideMaterial> {
    let mut letters = name.strip_prefix('K')?.chars().peekable();
    let mut men = [0; 5];
    for (kind, count) in KINDS.into_iter().zip(&mut men) {
        while letters.next_if_eq(&kind.letter()).is_some() {
            *count += 1;
        }
    }
    letters.next().is_none().then_some(men)
}

/// Every choice of this number of men.
fn sides(men: u8) -> Vec<SideMaterial> {
    fn fill(kind: usize, left: u8, men: &mut SideMaterial, all: &mut Vec<SideMaterial>) {
        if kind == 4 {
            men[4] = left;
            return all.push(*men);
        }
        for count in 0..=left {
            men[kind] = count;
            fill(kind + 1, left - count, men, all);
        }
    }
    let mut all = Vec::new();
    fill(0, men, &mut [0; 5], &mut all);
    all
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (side, men) in self.0.iter().enumerate() {
            f.write_str(if side == 0 { "K" } else { "vK" })?;
            for (kind, &count) in KINDS.into_iter().zip(men) {
                (0..count).try_for_each(|_| write!(f, "{}", kind.letter()))?;
            }
        }
        Ok(())
    }
}

// The numberings of squares that the format is made of.
//
// Squares are numbers, a1 = 0, b1 = 1 … h8 = 63.

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
    fn names_are_read_and_written() {
        for name in ["KQvK", "KRPvKR", "KBBNvKQP", "KPvKP"] {
            assert_eq!(Material::from_name(name).unwrap().to_string(), name);
        }
        for name in ["KvK", "QvK", "KPQvK", "KQ", "KQRBNPPvKQ", "KQvKR.rtbw"] {
            assert_eq!(Material::from_name(name), None, "{name}");
        }
    }

    /// The numbers of files that complete sets have.
    #[test]
    fn complete_sets_have_the_right_size() {
        let sizes = [3, 4, 5, 6, 7].map(|men| Material::all(men).len());
        assert_eq!(sizes, [5, 30, 110, 365, 1001]);
        let three: Vec<String> = Material::all(3).iter().map(Material::to_string).collect();
        assert_eq!(three, ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
    }

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
