//! Starts that two players set up alternately, before their games: Northam's placing, Pre-Chess, and the set-up of Moab
//! chess.
//!
//! | file | what |
//! |---|---|
//! | this one | a turn, what all systems have, and Northam's placing |
//! | `ranks` | the arrays that a rank may become; two ranks that become independent arrays |
//!
//! After every turn the rank can still become one of its arrays; a turn that prevents this is not allowed.

mod ranks;

use std::fmt;

use super::openings::Opening;
use crate::chess::random::Random;
use crate::chess::start::{Placement, StartNumber, Variant};
use crate::chess::{Color, PieceKind, Rank};
use crate::event::OpeningSystem;
use ranks::{LEGAL_960, Ranks, count, drawn};

/// One turn of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlacingTurn {
    /// This piece on this file of the rank that the player fills.
    Place(PieceKind, usize),
    /// This piece of a side on this file of its rank.
    PlaceOn(Color, PieceKind, usize),
    /// The piece of one file to another.
    Move(usize, usize),
}

impl fmt::Display for PlacingTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = |file: usize| char::from(b'a' + file as u8);
        match *self {
            PlacingTurn::Place(kind, to) => write!(f, "{}{}", kind.letter(), file(to)),
            PlacingTurn::PlaceOn(color, kind, to) => {
                write!(f, "{}{}{}", kind.letter(), file(to), Rank::back(color))
            }
            PlacingTurn::Move(from, to) => write!(f, "{}{}", file(from), file(to)),
        }
    }
}

/// Number of the pieces that are placed in Northam's placing: bishops, knights and queen; freely all.
const NORTHAM_PIECES: u32 = 5;
const ALL_PIECES: u32 = 8;

/// A start that is being made.
#[derive(Debug, Clone)]
pub(crate) enum Placing {
    /// Northam's placing: both players fill White's rank, and Black's is its mirror; Black begins. Freely, they place all
    /// eight pieces; who is to turn when no start can follow any more moves one.
    Northam(Placement, OpeningSystem),
    /// They fill both ranks.
    Ranks(Ranks),
}

impl Placing {
    /// The empty ranks of a system in which pieces are placed; `None` for the others.
    pub(crate) fn new(system: OpeningSystem) -> Option<Placing> {
        match system {
            OpeningSystem::Northam | OpeningSystem::NorthamStrict | OpeningSystem::NorthamFree => {
                Some(Placing::Northam(Placement::default(), system))
            }
            _ if system.places() => Some(Placing::Ranks(Ranks::new(system.variant()))),
            _ => None,
        }
    }

    /// The player to turn; `None` if the start is finished.
    pub(crate) fn turn(&self) -> Option<Color> {
        match self {
            Placing::Northam(rank, _) => rank.finished().is_none().then(|| rank.turn()),
            Placing::Ranks(ranks) => ranks.turn(),
        }
    }

    /// The most turns that the player to turn still has, this one included.
    pub(crate) fn turns_left(&self) -> u32 {
        match self {
            Placing::Northam(rank, system) => {
                let is_free = *system == OpeningSystem::NorthamFree;
                let all = if is_free { ALL_PIECES } else { NORTHAM_PIECES };
                let left = all.saturating_sub(count(rank.squares()));
                left.div_ceil(2).max(1)
            }
            Placing::Ranks(ranks) => ranks.turns_left(),
        }
    }

    /// Every turn that is possible now.
    pub(crate) fn choices(&self) -> Vec<PlacingTurn> {
        let (rank, system) = match self {
            Placing::Northam(rank, system) => (rank, *system),
            Placing::Ranks(ranks) => return ranks.choices(),
        };
        let (mut placements, mut relocations) = (rank.placements(), rank.relocations());
        if system != OpeningSystem::NorthamFree {
            use PieceKind::{Bishop, Knight, Queen};
            placements.retain(|(kind, _)| matches!(kind, Bishop | Knight | Queen));
        }
        if system == OpeningSystem::NorthamStrict {
            relocations.clear();
        }
        let placed = placements
            .into_iter()
            .map(|(kind, file)| PlacingTurn::Place(kind, file));
        let moved = relocations
            .into_iter()
            .map(|(from, to)| PlacingTurn::Move(from, to));
        placed.chain(moved).collect()
    }

    /// The same after one of the [`choices`](Self::choices).
    pub(crate) fn after(&self, choice: PlacingTurn) -> Placing {
        let mut next = self.clone();
        match &mut next {
            Placing::Northam(rank, _) => {
                // A turn that is not possible changes nothing.
                let _ = match choice {
                    PlacingTurn::Place(kind, file) => rank.place(kind, file),
                    PlacingTurn::Move(from, to) => rank.relocate(from, to),
                    PlacingTurn::PlaceOn(..) => Ok(()),
                };
            }
            Placing::Ranks(ranks) => ranks.make(choice),
        }
        next
    }

    /// A finished start that can follow, drawn from all; the start itself when it is finished.
    pub(crate) fn completed(&self, random: &mut Random) -> Option<Opening> {
        match self {
            Placing::Northam(rank, _) => {
                let number = drawn(rank.squares(), LEGAL_960, random)?;
                Opening::numbered(Variant::Chess960, StartNumber(number)).ok()
            }
            Placing::Ranks(ranks) => ranks.completed(random),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A start made by random turns, and the number of turns.
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
            let (opening, turns) = drawn(OpeningSystem::NorthamFree, seed);
            assert!(
                opening.number.is_some() && (3..=17).contains(&turns),
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
            let (opening, turns) = drawn(OpeningSystem::Moab, seed);
            assert!(
                opening.number.is_some()
                    && Color::ALL.map(|color| opening.start.may_evacuate(color)) == [true; 2]
            );
            assert_eq!(turns, 16);
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
        // In a legal array no king is in a corner.
        let legal = Placing::new(OpeningSystem::PreChess960).unwrap();
        assert_eq!(legal.choices().len(), 38);
    }

    #[test]
    fn in_moab_chess_both_players_place_on_both_ranks() {
        let mut moab = Placing::new(OpeningSystem::Moab).unwrap();
        assert_eq!((moab.turn(), moab.turns_left()), (Some(Color::White), 8));
        assert_eq!(moab.choices().len(), 80);
        // White fills Black's rank, and the other way round.
        for turn in 0..16 {
            let other = [Color::Black, Color::White][turn % 2];
            let on_other = |choice: &&PlacingTurn| matches!(choice, PlacingTurn::PlaceOn(on, ..) if *on == other);
            let choices = moab.choices();
            let choice = choices.iter().find(on_other).unwrap();
            moab = moab.after(*choice);
        }
        assert_eq!(moab.turn(), None);
        let placed = PlacingTurn::PlaceOn(Color::Black, PieceKind::Knight, 6);
        assert_eq!(placed.to_string(), "Ng8");
    }
}
