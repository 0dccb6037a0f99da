//! A position's place in a table.
//!
//! Men of one colour and kind form a group. The leading group is numbered by what is left when the
//! board is turned: pawns with the leading one on files a to d; without pawns three different men or
//! both kings with the first one in the triangle a1–d1–d4. Every other group is numbered among the
//! squares that are still free. A place is the sum of the numbers, each with its factor.

use super::material::{MAPS, Material, off_diagonal};
use crate::chess::{Color, PieceKind, Position};

/// Placements of three different men, none of them a pawn.
const THREE_MEN: u64 = 31_332;
/// Placements of two kings.
const TWO_KINGS: u64 = 462;
/// The bit of Black's men in their codes; pawns are 1, knights 2 … kings 6.
const BLACK: u8 = 8;
const MAX_MEN: usize = super::MAX_MEN as usize;

/// The groups of men in one part of a table, and their factors.
#[derive(Debug)]
pub(super) struct Groups {
    men: Vec<u8>,
    groups: Vec<SquareGroup>,
    /// How many places there are.
    pub(super) size: u64,
    three_lead: bool,
    /// Whether the second group is the other side's pawns.
    pawns_follow: bool,
}

#[derive(Debug, Clone, Copy)]
struct SquareGroup {
    len: usize,
    factor: u64,
}

impl Groups {
    /// The groups of these men, the leading group's factor and that of the other pawns at these
    /// places in the order. `None` where that does not fit the ending.
    pub(super) fn new(
        material: Material,
        file: usize,
        men: Vec<u8>,
        order: [u8; 2],
    ) -> Option<Groups> {
        let pawns = material.pawns();
        let has_pawns = pawns != [0, 0];
        let pawns_follow = !pawns.contains(&0);
        let lead = leading(material);
        let three_lead = !has_pawns && material.has_single();
        let mut groups = lengths(&men, if three_lead { 3 } else { 2 }, has_pawns);
        let leads = match lead {
            Some((code, count)) => count == groups.first()?.len && code == men[0],
            None => groups.first()?.len == if three_lead { 3 } else { 2 },
        };
        if !leads || !fits(&men, material) {
            return None;
        }
        let others = if pawns_follow { groups.get(1)?.len } else { 0 };
        let mut free = 64 - groups[0].len - others;
        let mut next = 1 + usize::from(pawns_follow);
        let mut factor = 1;
        let last = order[0].max(if pawns_follow { order[1] } else { 0 });
        for place in 0..16 {
            if place == order[0] {
                groups[0].factor = factor;
                factor *= match lead {
                    Some((_, count)) => *MAPS.lead_size.get(count)?.get(file)?,
                    None if three_lead => THREE_MEN,
                    None => TWO_KINGS,
                };
            } else if pawns_follow && place == order[1] {
                groups[1].factor = factor;
                factor *= *MAPS.choose.get(others)?.get(48 - groups[0].len)?;
            } else if let Some(group) = groups.get_mut(next) {
                group.factor = factor;
                factor *= *MAPS.choose.get(group.len)?.get(free)?;
                free -= group.len;
                next += 1;
            } else if place > last {
                break;
            }
        }
        let complete = groups.iter().all(|group| group.factor > 0);
        complete.then_some(Groups {
            men,
            groups,
            size: factor,
            three_lead,
            pawns_follow,
        })
    }

    /// The place of a position of this ending.
    pub(super) fn place(&self, board: &TableBoard) -> u64 {
        let mut squares = self.in_order(board);
        let squares = &mut squares[..self.men.len()];
        if squares[0] % 8 > 3 {
            squares.iter_mut().for_each(|square| *square ^= 7);
        }
        let lead = self.groups[0].len;
        let mut place = self.groups[0].factor
            * match board.leading_pawns {
                0 => self.leading_men(squares),
                _ => leading_pawns(&mut squares[..lead]),
            };
        let mut begin = lead;
        for (index, group) in self.groups.iter().enumerate().skip(1) {
            let end = begin + group.len;
            squares[begin..end].sort_unstable();
            // Pawns of the other side have no first rank.
            let are_pawns = self.pawns_follow && index == 1;
            let skipped = if are_pawns { 8 } else { 0 };
            place += group.factor * choice(&squares[..end], begin, skipped);
            begin = end;
        }
        place
    }

    /// The squares in the order of this part's men.
    fn in_order(&self, board: &TableBoard) -> [usize; MAX_MEN] {
        let (mut squares, mut codes) = (board.squares, board.codes);
        for (index, code) in self.men.iter().enumerate().skip(board.leading_pawns) {
            let mut left = codes[index..self.men.len()].iter();
            if let Some(found) = left.position(|other| other == code) {
                squares.swap(index, index + found);
                codes.swap(index, index + found);
            }
        }
        squares
    }

    /// Turns the board until the first man is in the triangle, and numbers the leading men.
    fn leading_men(&self, squares: &mut [usize]) -> u64 {
        if squares[0] / 8 > 3 {
            squares.iter_mut().for_each(|square| *square ^= 56);
        }
        let mut leading = squares[..self.groups[0].len].iter();
        if let Some(first) = leading.position(|&square| off_diagonal(square) != 0)
            && off_diagonal(squares[first]) > 0
        {
            let mirrored = |square: &mut usize| *square = *square % 8 * 8 + *square / 8;
            squares.iter_mut().for_each(mirrored);
        }
        if self.three_lead {
            three_men([squares[0], squares[1], squares[2]])
        } else {
            MAPS.kings[MAPS.triangle[squares[0]] as usize][squares[1]]
        }
    }
}

/// The men of a board as a table sees them: colours and ranks turned where it has them so.
pub(super) struct TableBoard {
    squares: [usize; MAX_MEN],
    codes: [u8; MAX_MEN],
    leading_pawns: usize,
    /// The file of the leading pawn, from the edge.
    pub(super) file: usize,
    /// Who is to move.
    pub(super) side: usize,
}

impl TableBoard {
    /// The men of a position of this ending; `turned` where Black has what the name has first.
    pub(super) fn new(position: &Position, material: Material, turned: bool) -> TableBoard {
        let mut board = TableBoard {
            squares: [0; MAX_MEN],
            codes: [0; MAX_MEN],
            leading_pawns: 0,
            file: 0,
            side: usize::from(turned) ^ position.side_to_move().index(),
        };
        let lead = leading(material).map(|(code, _)| code);
        let mut count = 0;
        for first in [true, false] {
            let men = men(position, turned);
            for (code, square) in men.filter(|&(code, _)| (Some(code) == lead) == first) {
                board.codes[count] = code;
                board.squares[count] = square;
                count += 1;
            }
            if first {
                board.leading_pawns = count;
            }
        }
        let pawns = board.leading_pawns;
        let leading = (0..pawns).max_by_key(|&pawn| MAPS.pawns[board.squares[pawn]]);
        if let Some(leading) = leading {
            board.squares.swap(0, leading);
            let file = board.squares[0] % 8;
            board.file = file.min(7 - file);
        }
        board
    }
}

/// The men of a position with their codes and squares.
fn men(position: &Position, turned: bool) -> impl Iterator<Item = (u8, usize)> + '_ {
    let (colour, ranks) = if turned { (BLACK, 56) } else { (0, 0) };
    position.occupied().into_iter().filter_map(move |square| {
        let piece = position.piece_at(square)?;
        let code = code(piece.color, piece.kind) ^ colour;
        Some((code, square.index() ^ ranks))
    })
}

fn code(color: Color, kind: PieceKind) -> u8 {
    kind.index() as u8 + 1 + if color == Color::Black { BLACK } else { 0 }
}

/// The pawns that lead, their code and number: those of the side that has fewer, but some.
fn leading(material: Material) -> Option<(u8, usize)> {
    let [first, second] = material.pawns().map(usize::from);
    let first_leads = second == 0 || first > 0 && second >= first;
    let (color, count) = if first_leads {
        (Color::White, first)
    } else {
        (Color::Black, second)
    };
    (count > 0).then(|| (code(color, PieceKind::Pawn), count))
}

/// Runs of the same men; without pawns the first `leading` men are one.
fn lengths(men: &[u8], leading: usize, has_pawns: bool) -> Vec<SquareGroup> {
    let mut groups: Vec<SquareGroup> = Vec::new();
    for (index, man) in men.iter().enumerate() {
        let leads = !has_pawns && index > 0 && index < leading;
        match groups.last_mut() {
            Some(group) if leads || men[index - 1] == *man => group.len += 1,
            _ => groups.push(SquareGroup { len: 1, factor: 0 }),
        }
    }
    groups
}

/// Whether these are the men of an ending.
fn fits(men: &[u8], material: Material) -> bool {
    let count = |color, kind| men.iter().filter(|&&man| man == code(color, kind)).count();
    let kings = Color::ALL.map(|color| count(color, PieceKind::King));
    kings == [1, 1] && material.has(count)
}

/// Pawns of one side: the leading one's square, and which others are before it.
fn leading_pawns(squares: &mut [usize]) -> u64 {
    squares[1..].sort_unstable_by_key(|&square| MAPS.pawns[square]);
    let others = squares[1..].iter().zip(1..);
    MAPS.lead[squares.len()][squares[0]]
        + others
            .map(|(&square, count)| MAPS.choose[count][MAPS.pawns[square] as usize])
            .sum::<u64>()
}

/// Three different men, the first in the triangle, and the first that leaves the diagonal below it.
fn three_men([first, second, third]: [usize; 3]) -> u64 {
    let rank = |square: usize| (square / 8) as u64;
    let after_one = u64::from(second > first);
    let after_two = u64::from(third > first) + u64::from(third > second);
    let (second_left, third_left) = (second as u64 - after_one, third as u64 - after_two);
    const ON_DIAGONAL: u64 = 6 * 63 * 62;
    const TWO_ON_DIAGONAL: u64 = ON_DIAGONAL + 4 * 28 * 62;
    const THREE_ON_DIAGONAL: u64 = TWO_ON_DIAGONAL + 4 * 7 * 28;
    if off_diagonal(first) != 0 {
        (MAPS.triangle[first] * 63 + second_left) * 62 + third_left
    } else if off_diagonal(second) != 0 {
        ON_DIAGONAL + (rank(first) * 28 + MAPS.below[second]) * 62 + third_left
    } else if off_diagonal(third) != 0 {
        TWO_ON_DIAGONAL + rank(first) * 7 * 28 + (rank(second) - after_one) * 28 + MAPS.below[third]
    } else {
        THREE_ON_DIAGONAL
            + rank(first) * 7 * 6
            + (rank(second) - after_one) * 6
            + (rank(third) - after_two)
    }
}

/// Which of the squares that are left this group, from `begin` to the end, has taken.
fn choice(squares: &[usize], begin: usize, skipped: usize) -> u64 {
    let (before, group) = squares.split_at(begin);
    let number = |(&square, count): (&usize, usize)| {
        let taken = before.iter().filter(|&&other| other < square).count();
        let free = (square - skipped).checked_sub(taken);
        free.map_or(0, |free| MAPS.choose[count][free])
    };
    group.iter().zip(1..).map(number).sum()
}
