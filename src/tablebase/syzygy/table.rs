//! One file: its header, and what lies behind.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

use super::index::Groups;
use super::material::Material;
use super::pairs::Pairs;
use super::{Damage, FileBytes, byte, word};
use crate::platform::files::open_plain;
use crate::tablebase::{Dtz, Wdl};

/// What a table tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Metric {
    /// Who wins.
    Wdl,
    /// How far the next capture, pawn move or mate is.
    Dtz,
}

impl Metric {
    pub(super) const ALL: [Metric; 2] = [Metric::Wdl, Metric::Dtz];

    /// The ending of the names of its files.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Metric::Wdl => "rtbw",
            Metric::Dtz => "rtbz",
        }
    }

    fn magic(self) -> [u8; 4] {
        match self {
            Metric::Wdl => [0x71, 0xE8, 0x23, 0x5D],
            Metric::Dtz => [0xD7, 0x66, 0x0C, 0xA5],
        }
    }
}

/// A table, with its header in memory.
#[derive(Debug)]
pub(super) struct EndgameTable {
    content: FileBytes,
    /// By the leading pawn's file, and the side to move where they are stored apart.
    parts: Vec<Vec<TablePart>>,
}

/// The positions with one side to move, and one file of the leading pawn.
#[derive(Debug)]
pub(super) struct TablePart {
    /// How positions are numbered.
    pub(super) groups: Groups,
    pairs: Pairs,
    /// Distances by stored values, for losses, wins, and both beyond the fifty moves.
    distances: Option<[Vec<u16>; 4]>,
}

/// Whether a file can be a table of this kind.
pub(super) fn check(path: &Path, metric: Metric) -> Result<(), Damage> {
    let mut file = open_plain(path)?;
    let length = file.metadata()?.len();
    let mut magic = [0; 4];
    if file.read_exact(&mut magic).is_err() || magic != metric.magic() {
        return Err(Damage::NoTable("this is no table of this kind".to_owned()));
    }
    // The length of tables is a multiple of 64 and 16.
    match length % 64 {
        16 => Ok(()),
        _ => Err(Damage::NoTable(format!(
            "it is {length} bytes long, which no table is: the file is cut short or damaged"
        ))),
    }
}

/// Values are stored for the side that is to move as flag 1 says, the others are derived.
const SIDE_TO_MOVE: u8 = 1;
const MAPPED: u8 = 2;
/// Distances are stored in half-moves, not in full moves.
const WINS_IN_PLIES: u8 = 4;
const LOSSES_IN_PLIES: u8 = 8;
const WIDE: u8 = 16;

impl EndgameTable {
    /// Reads the header of a file.
    pub(super) fn open(
        path: &Path,
        material: Material,
        metric: Metric,
    ) -> Result<EndgameTable, Damage> {
        check(path, metric)?;
        let file = open_plain(path)?;
        let length = file.metadata()?.len();
        let mut input = BufReader::new(file);
        input.seek_relative(4)?;
        let (parts, end) = parts(&mut input, material, metric)?;
        if end > length {
            return Err(Damage::Short);
        }
        let content = FileBytes {
            file: input.into_inner(),
            length,
        };
        Ok(EndgameTable { content, parts })
    }

    /// The part for a file of the leading pawn and a side to move; tables that have only one side
    /// have it for both.
    pub(super) fn part(&self, file: usize, side: usize) -> Option<&TablePart> {
        let sides = self.parts.get(file)?;
        sides.get(side).or(sides.first())
    }

    /// Who wins in the position that has this place.
    pub(super) fn wdl(&self, part: &TablePart, place: u64) -> Result<Wdl, Damage> {
        let value = part.pairs.value(&self.content, place)?;
        // Stored from 0 for a loss to 4 for a win.
        let wdl = Wdl::ALL.get(usize::from(value));
        wdl.copied().ok_or(Damage::Content)
    }

    /// How far it is in the position that has this place, and ends like this.
    pub(super) fn dtz(&self, part: &TablePart, place: u64, wdl: Wdl) -> Result<Dtz, Damage> {
        let flags = part.pairs.flags;
        let stored = part.pairs.value(&self.content, place)?;
        let (list, in_plies, sign, beyond) = match wdl {
            Wdl::Win => (0, flags & WINS_IN_PLIES != 0, 1, 0),
            Wdl::Loss => (1, flags & LOSSES_IN_PLIES != 0, -1, 0),
            Wdl::CursedWin => (2, false, 1, 100),
            Wdl::BlessedLoss => (3, false, -1, 100),
            Wdl::Draw => return Ok(Dtz(0)),
        };
        let distance = match &part.distances {
            None => stored,
            Some(lists) => {
                let distance = lists[list].get(usize::from(stored));
                *distance.ok_or(Damage::Content)?
            }
        };
        let plies = i32::from(distance) * if in_plies { 1 } else { 2 } + 1;
        Ok(Dtz(sign * (plies + beyond)))
    }
}

impl TablePart {
    /// The side to move for which distances are stored.
    pub(super) fn side_to_move(&self) -> usize {
        usize::from(self.pairs.flags & SIDE_TO_MOVE)
    }
}

/// Everything before the indexes, and where the last block ends.
fn parts(
    input: &mut BufReader<File>,
    material: Material,
    metric: Metric,
) -> Result<(Vec<Vec<TablePart>>, u64), Damage> {
    let layout = byte(input)?;
    let has_pawns = material.pawns() != [0, 0];
    let split = metric == Metric::Wdl && !material.is_symmetric();
    // One bit says that sides are stored apart, one that there are pawns.
    if (layout & 2 != 0) != has_pawns || metric == Metric::Wdl && (layout & 1 != 0) != split {
        return Err(Damage::Content);
    }
    let files = if has_pawns { 4 } else { 1 };
    let sides = if split { 2 } else { 1 };
    let groups = (0..files)
        .map(|file| groups(input, material, file, sides))
        .collect::<Result<Vec<_>, _>>()?;
    align(input)?;
    let mut part = |groups: Groups| {
        let pairs = Pairs::read(input, groups.size)?;
        Ok(TablePart {
            groups,
            pairs,
            distances: None,
        })
    };
    let files = groups.into_iter();
    let mut parts = files
        .map(|sides| sides.into_iter().map(&mut part).collect())
        .collect::<Result<Vec<Vec<TablePart>>, Damage>>()?;
    if metric == Metric::Dtz {
        for part in parts.iter_mut().flatten() {
            part.distances = distances(input, part.pairs.flags)?;
        }
        align(input)?;
    }
    let at = input.stream_position()?;
    let end = Pairs::lay_out(parts.iter_mut().flatten().map(|part| &mut part.pairs), at);
    Ok((parts, end))
}

/// The order of the men for one file of the leading pawn, for each side to move: four bits each.
fn groups(
    input: &mut impl BufRead,
    material: Material,
    file: usize,
    sides: usize,
) -> Result<Vec<Groups>, Damage> {
    let both_have_pawns = !material.pawns().contains(&0);
    let first = byte(input)?;
    let second = if both_have_pawns { byte(input)? } else { 0xFF };
    let men: Vec<u8> = (0..material.men())
        .map(|_| byte(input))
        .collect::<Result<_, _>>()?;
    let side = |shift: u32| {
        let half = |byte: u8| byte >> shift & 0xF;
        let men: Vec<u8> = men.iter().copied().map(half).collect();
        Groups::new(material, file, men, [half(first), half(second)]).ok_or(Damage::Content)
    };
    [0, 4].into_iter().take(sides).map(side).collect()
}

/// The lists by which stored values are distances: for wins, losses, and both beyond the fifty
/// moves.
fn distances(input: &mut BufReader<File>, flags: u8) -> Result<Option<[Vec<u16>; 4]>, Damage> {
    if flags & MAPPED == 0 {
        return Ok(None);
    }
    let wide = flags & WIDE != 0;
    if wide {
        align(input)?;
    }
    let mut number = || {
        if wide {
            word(input)
        } else {
            byte(input).map(u16::from)
        }
    };
    let mut lists = [const { Vec::new() }; 4];
    for list in &mut lists {
        let count = number()?;
        *list = (0..count).map(|_| number()).collect::<Result<_, _>>()?;
    }
    Ok(Some(lists))
}

/// Goes on at an even place.
fn align(input: &mut BufReader<File>) -> io::Result<()> {
    if input.stream_position()? % 2 == 1 {
        byte(input)?;
    }
    Ok(())
}
