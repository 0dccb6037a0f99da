//! Which men an ending has, and its name.

use std::fmt;

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
        2 + self
            .0
            .as_flattened()
            .iter()
            .copied()
            .map(u32::from)
            .sum::<u32>()
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
}
