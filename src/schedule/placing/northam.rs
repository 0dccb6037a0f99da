//! Northam's placing: both players fill White's rank, and Black's is its mirror. Freely, they place all eight pieces; who
//! is to turn when no start can follow any more moves one.

use super::PlacingTurn;
use super::ranks::{LEGAL_960, count, drawn};
use crate::chess::random::Random;
use crate::chess::start::{Placement, StartNumber, Variant};
use crate::chess::{Color, PieceKind};
use crate::event::OpeningSystem;
use crate::schedule::openings::Opening;

/// Number of the pieces that are placed: bishops, knights and queen; freely all.
const PIECES: u32 = 5;
const ALL_PIECES: u32 = 8;

/// A rank that is being filled.
#[derive(Debug, Clone)]
pub(crate) struct Northam {
    placement: Placement,
    system: OpeningSystem,
}

impl Northam {
    /// The empty rank; Black begins.
    pub(super) fn new(system: OpeningSystem) -> Northam {
        Northam {
            placement: Placement::default(),
            system,
        }
    }

    fn is_free(&self) -> bool {
        self.system == OpeningSystem::NorthamFree
    }

    pub(super) fn turn(&self) -> Option<Color> {
        match self.placement.finished() {
            Some(_) => None,
            None => Some(self.placement.turn()),
        }
    }

    pub(super) fn turns_left(&self) -> u32 {
        let placed = count(self.placement.squares());
        let all = if self.is_free() { ALL_PIECES } else { PIECES };
        all.saturating_sub(placed).div_ceil(2).max(1)
    }

    pub(super) fn choices(&self) -> Vec<PlacingTurn> {
        let is_northams = |kind| {
            matches!(
                kind,
                PieceKind::Bishop | PieceKind::Knight | PieceKind::Queen
            )
        };
        let placements = self.placement.placements().into_iter();
        let placements = placements.filter(|(kind, _)| self.is_free() || is_northams(*kind));
        let relocations = match self.system {
            OpeningSystem::NorthamStrict => Vec::new(),
            _ => self.placement.relocations(),
        };
        let moved = relocations
            .into_iter()
            .map(|(from, to)| PlacingTurn::Move(from, to));
        let placed = placements.map(|(kind, file)| PlacingTurn::Place(kind, file));
        placed.chain(moved).collect()
    }

    pub(super) fn make(&mut self, choice: PlacingTurn) {
        // A turn that is not possible changes nothing.
        let _ = match choice {
            PlacingTurn::Place(kind, file) => self.placement.place(kind, file),
            PlacingTurn::Move(from, to) => self.placement.relocate(from, to),
            PlacingTurn::PlaceOn(..) => Ok(()),
        };
    }

    pub(super) fn completed(&self, random: &mut Random) -> Option<Opening> {
        let number = drawn(self.placement.squares(), LEGAL_960, random)?;
        Opening::numbered(Variant::Chess960, StartNumber(number)).ok()
    }
}
