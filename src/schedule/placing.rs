//! Starts that two players make by turns, before their games: Northam's placing and Pre-Chess.
//!
//! Whatever is placed, the rank can still become one of its arrays: a turn after which it could not is none.

use std::fmt;
use std::sync::LazyLock;

use crate::chess::random::Random;
use crate::chess::start::{self, Placement, Setup, StartNumber, Variant};
use crate::chess::{Color, PieceKind, Position};
use crate::event::OpeningSystem;

use super::opening::Opening;

/// The pieces of an array.
const PIECES: u32 = 8;
/// Of Northam's five pieces, bishops, knights and queen, how many there are.
const NORTHAM_PIECES: u32 = 5;
/// The arrays of Chess960, which are the first of [`ARRAYS`].
const LEGAL_960: usize = 960;

/// The 2,880 arrays with bishops on squares of both colours, by their numbers.
static ARRAYS: LazyLock<Vec<Squares>> = LazyLock::new(|| {
    let array = |number| Setup::new(Variant::Shuffle, StartNumber(number));
    let arrays = (0..2880).filter_map(|number| array(number).ok());
    arrays.map(|setup| setup.white.kinds().map(Some)).collect()
});

/// What stands on a rank, from a to h.
type Squares = [Option<PieceKind>; 8];

/// One turn of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlacingTurn {
    /// This piece on this file.
    Place(PieceKind, usize),
    /// The piece of one file to another.
    Move(usize, usize),
}

impl fmt::Display for PlacingTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = |file: usize| char::from(b'a' + file as u8);
        match *self {
            PlacingTurn::Place(kind, to) => write!(f, "{}{}", kind.letter(), file(to)),
            PlacingTurn::Move(from, to) => write!(f, "{}{}", file(from), file(to)),
        }
    }
}

/// A start that is being made.
#[derive(Debug, Clone)]
pub(crate) enum Placing {
    /// Both players fill White's rank, and Black's is its mirror.
    Northam {
        /// What stands.
        placement: Placement,
        /// Whether each player may once move a piece instead of placing one.
        moves: bool,
    },
    /// Each player fills his own rank.
    PreChess {
        /// What stands, White's and Black's.
        ranks: [Squares; 2],
        /// Who is to place.
        turn: Color,
        /// The arrays that a rank may become: so many of [`ARRAYS`].
        arrays: usize,
    },
}

impl Placing {
    /// The empty ranks of a system in which pieces are placed; `None` for the others.
    pub(crate) fn new(system: OpeningSystem) -> Option<Placing> {
        let pre_chess = |arrays| Placing::PreChess {
            ranks: [[None; 8]; 2],
            turn: Color::White,
            arrays,
        };
        let northam = |moves| Placing::Northam {
            placement: Placement::new(),
            moves,
        };
        match system {
            OpeningSystem::Northam => Some(northam(true)),
            OpeningSystem::NorthamStrict => Some(northam(false)),
            OpeningSystem::PreChess => Some(pre_chess(ARRAYS.len())),
            OpeningSystem::PreChess960 => Some(pre_chess(LEGAL_960)),
            OpeningSystem::Auction | OpeningSystem::Exchange | OpeningSystem::AuctionExchange => {
                None
            }
        }
    }

    /// Who is to turn; `None` if the start is finished.
    pub(crate) fn turn(&self) -> Option<Color> {
        match self {
            Placing::Northam { placement, .. } => match placement.finished() {
                Some(_) => None,
                None => Some(placement.turn()),
            },
            Placing::PreChess { ranks, turn, .. } => {
                let is_open = ranks.as_flattened().iter().any(Option::is_none);
                is_open.then_some(*turn)
            }
        }
    }

    /// The most turns that the player to turn still has, this one included.
    pub(crate) fn turns_left(&self) -> u32 {
        match self {
            Placing::Northam { placement, .. } => {
                let placed = count(placement.squares());
                NORTHAM_PIECES.saturating_sub(placed).div_ceil(2).max(1)
            }
            Placing::PreChess { ranks, turn, .. } => PIECES - count(&ranks[turn.index()]),
        }
    }

    /// Every turn that is possible now.
    pub(crate) fn choices(&self) -> Vec<PlacingTurn> {
        match self {
            Placing::Northam { placement, moves } => {
                let is_northams = |kind| {
                    matches!(
                        kind,
                        PieceKind::Bishop | PieceKind::Knight | PieceKind::Queen
                    )
                };
                let placements = placement.placements().into_iter();
                let placements = placements.filter(|(kind, _)| is_northams(*kind));
                let relocations = match moves {
                    true => placement.relocations(),
                    false => Vec::new(),
                };
                let moved = relocations
                    .into_iter()
                    .map(|(from, to)| PlacingTurn::Move(from, to));
                let placed = placements.map(|(kind, file)| PlacingTurn::Place(kind, file));
                placed.chain(moved).collect()
            }
            Placing::PreChess {
                ranks,
                turn,
                arrays,
            } => {
                let mut choices: Vec<PlacingTurn> = Vec::new();
                for array in fitting(&ranks[turn.index()], *arrays) {
                    let empty = ranks[turn.index()].iter().zip(array).enumerate();
                    let new = empty.filter(|(_, (square, _))| square.is_none());
                    for (file, (_, kind)) in new {
                        let choice = kind.map(|kind| PlacingTurn::Place(kind, file));
                        choices.extend(choice.filter(|choice| !choices.contains(choice)));
                    }
                }
                choices
            }
        }
    }

    /// The same after one of the [`choices`](Self::choices).
    pub(crate) fn after(&self, choice: PlacingTurn) -> Placing {
        let mut next = self.clone();
        match (&mut next, choice) {
            // What is no choice changes nothing.
            (Placing::Northam { placement, .. }, PlacingTurn::Place(kind, file)) => {
                let _ = placement.place(kind, file);
            }
            (Placing::Northam { placement, .. }, PlacingTurn::Move(from, to)) => {
                let _ = placement.relocate(from, to);
            }
            (Placing::PreChess { ranks, turn, .. }, PlacingTurn::Place(kind, file)) => {
                ranks[turn.index()][file] = Some(kind);
                *turn = !*turn;
            }
            (Placing::PreChess { .. }, PlacingTurn::Move(..)) => {}
        }
        next
    }

    /// A finished start that can follow, drawn from all; the start itself when it is finished.
    pub(crate) fn completed(&self, random: &mut Random) -> Option<Opening> {
        let mut drawn = |squares: &Squares, arrays| {
            let fitting: Vec<u32> = (0..)
                .zip(&ARRAYS[..arrays])
                .filter(|(_, array)| fits(squares, array))
                .map(|(number, _)| number)
                .collect();
            let place = random.below(fitting.len().max(1) as u64);
            fitting.get(place as usize).copied()
        };
        match self {
            Placing::Northam { placement, .. } => {
                let number = drawn(placement.squares(), LEGAL_960)?;
                Opening::numbered(Variant::Chess960, StartNumber(number)).ok()
            }
            Placing::PreChess { ranks, arrays, .. } => {
                let [white, black] = [drawn(&ranks[0], *arrays)?, drawn(&ranks[1], *arrays)?];
                match *arrays {
                    LEGAL_960 => {
                        let number = white * LEGAL_960 as u32 + black;
                        Opening::numbered(Variant::Dfrc, StartNumber(number)).ok()
                    }
                    _ => independent(white, black),
                }
            }
        }
    }
}

/// A start with these two arrays, where castling is orthodox and from the orthodox squares alone.
fn independent(white: u32, black: u32) -> Option<Opening> {
    let numbers = StartNumber(white * ARRAYS.len() as u32 + black);
    let bare = start::position(Variant::Transcendental, numbers).ok()?;
    let fen = bare.fen(crate::chess::FenDialect::XFen);
    let mut rights = String::new();
    for (side, letters) in [(white, "KQ"), (black, "kq")] {
        let array = &ARRAYS[side as usize];
        let at = |file: usize, kind| array[file] == Some(kind);
        for (letter, file) in letters.chars().zip([7, 0]) {
            if at(4, PieceKind::King) && at(file, PieceKind::Rook) {
                rights.push(letter);
            }
        }
    }
    let rights = if rights.is_empty() { "-" } else { &rights };
    let fen = fen.replacen(" w - ", &format!(" w {rights} "), 1);
    let rule = Variant::Shuffle.castling_rule();
    let position = Position::from_fen_with(&fen, rule).ok()?;
    Opening::new(Variant::Shuffle, position, Vec::new()).ok()
}

/// The arrays with these pieces where they stand.
fn fitting(squares: &Squares, arrays: usize) -> impl Iterator<Item = &'static Squares> {
    let squares = *squares;
    ARRAYS[..arrays]
        .iter()
        .filter(move |array| fits(&squares, array))
}

fn fits(squares: &Squares, array: &Squares) -> bool {
    let mut pairs = squares.iter().zip(array);
    pairs.all(|(square, kind)| square.is_none() || square == kind)
}

fn count(squares: &Squares) -> u32 {
    squares.iter().flatten().count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A start that is made by turns that are drawn, and the number of turns.
    fn drawn(system: OpeningSystem, seed: u64) -> (Opening, u32) {
        let mut random = Random::new(seed);
        let mut placing = Placing::new(system).unwrap();
        let mut turns = 0;
        while placing.turn().is_some() {
            let choices = placing.choices();
            assert!(!choices.is_empty(), "{placing:?}");
            placing = placing.after(choices[random.below(choices.len() as u64) as usize]);
            turns += 1;
        }
        let opening = placing.completed(&mut random).unwrap();
        assert_eq!(placing.completed(&mut random).unwrap(), opening);
        (opening, turns)
    }

    #[test]
    fn every_placing_ends_with_a_start() {
        for seed in 0..60 {
            let (opening, turns) = drawn(OpeningSystem::Northam, seed);
            assert!(
                opening.number.is_some() && (4..=7).contains(&turns),
                "{turns}"
            );
            let (opening, turns) = drawn(OpeningSystem::NorthamStrict, seed);
            assert!(
                opening.number.is_some() && (4..=5).contains(&turns),
                "{turns}"
            );
            let (opening, turns) = drawn(OpeningSystem::PreChess960, seed);
            assert!(
                opening
                    .number
                    .is_some_and(|number| Variant::Dfrc.has(number))
            );
            assert_eq!(turns, 16);
            assert_eq!(drawn(OpeningSystem::PreChess, seed).1, 16);
        }
    }

    #[test]
    fn northams_first_turn_is_blacks_and_pre_chess_begins_with_white() {
        let northam = Placing::new(OpeningSystem::Northam).unwrap();
        assert_eq!(
            (northam.turn(), northam.turns_left()),
            (Some(Color::Black), 3)
        );
        // Bishop, knight and queen on any of eight files.
        assert_eq!(northam.choices().len(), 24);
        let placed = northam.after(PlacingTurn::Place(PieceKind::Queen, 3));
        let moves = |placing: &Placing| {
            let choices = placing.choices().into_iter();
            choices
                .filter(|choice| matches!(choice, PlacingTurn::Move(..)))
                .count()
        };
        assert_eq!(moves(&placed), 7);
        let strict = Placing::new(OpeningSystem::NorthamStrict).unwrap();
        assert_eq!(
            moves(&strict.after(PlacingTurn::Place(PieceKind::Queen, 3))),
            0
        );
        let pre_chess = Placing::new(OpeningSystem::PreChess).unwrap();
        assert_eq!(
            (pre_chess.turn(), pre_chess.turns_left()),
            (Some(Color::White), 8)
        );
        assert_eq!(pre_chess.choices().len(), 40);
        // With a legal array no king stands in a corner.
        let legal = Placing::new(OpeningSystem::PreChess960).unwrap();
        assert_eq!(legal.choices().len(), 38);
    }

    #[test]
    fn castling_of_pre_chess_needs_king_and_rook_at_home() {
        let opening = independent(518, 0).unwrap();
        let fen = opening.start.fen(crate::chess::FenDialect::XFen);
        assert_eq!(
            fen,
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"
        );
        assert_eq!(opening.number, None);
    }
}
