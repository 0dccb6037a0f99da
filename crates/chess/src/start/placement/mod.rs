//! Northam's placing: the two players alternately place pieces and so make a start of Chess960 together.
//!
//! Edward Northam proposed it as a way without dice. Beginning with Black, the players alternately put one of White's
//! bishops, knights and queen on the first rank; bishops go on different colours. Each player may once, instead of
//! placing, move a piece that is already there. At the end king and rooks go on the three squares left. Here kings and
//! rooks may also be placed by hand. The rank is finished as soon as only one way of completing it is left, so in
//! Northam's own form king and rooks place themselves.
//!
//! Placing kings and rooks early can end in an impasse: in `Q.RB.N.N` the second bishop needs e or g, and then the king
//! finds no square between the rooks. A placement is judged only by the pieces placed so far, so the players themselves
//! can cause an impasse; the player to turn then repairs it by moving one piece so that the rank can be completed
//! again. That is this player's turn, and does not use up the option.

mod rules;

use std::fmt;

use rules::{PlacedRank, Prospect, check_rules, prospect};

use super::BackRank;
use crate::PieceKind::{Bishop, King, Knight, Queen, Rook};
use crate::{Color, PieceKind};

pub use rules::PlacementError;

/// White's pieces before any is placed.
const HAND: [PieceKind; 8] = [Bishop, Bishop, Knight, Knight, Queen, King, Rook, Rook];

/// A first rank that the players are filling. Files are indices, a = 0.
///
/// `Display` shows it as `Q.RB.N.N`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    squares: PlacedRank,
    turn: Color,
    moved: [bool; 2],
    history: Vec<PlacementStep>,
    prospect: Prospect,
}

/// What a turn changed, so that it can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlacementStep {
    Placed {
        file: usize,
    },
    Moved {
        from: usize,
        to: usize,
        used_option: bool,
    },
}

impl Default for Placement {
    fn default() -> Self {
        Self::new()
    }
}

impl Placement {
    /// The empty rank; Black begins.
    pub const fn new() -> Self {
        Self {
            squares: [None; 8],
            turn: Color::Black,
            moved: [false; 2],
            history: Vec::new(),
            prospect: Prospect::Open,
        }
    }

    /// Whose turn it is.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The pieces on the rank, from a to h.
    pub const fn squares(&self) -> &[Option<PieceKind>; 8] {
        &self.squares
    }

    /// Whether this player has still the option to move a piece instead of placing one.
    pub fn may_move(&self, player: Color) -> bool {
        !self.moved[player.index()]
    }

    /// The pieces that wait to be placed, each kind once.
    pub fn in_hand(&self) -> Vec<PieceKind> {
        let mut kinds = HAND.to_vec();
        kinds.dedup();
        kinds.retain(|&kind| self.waits(kind));
        kinds
    }

    fn waits(&self, kind: PieceKind) -> bool {
        let all = HAND.iter().filter(|&&other| other == kind).count();
        self.squares
            .iter()
            .flatten()
            .filter(|&&other| other == kind)
            .count()
            < all
    }

    /// Every piece and file that [`place`](Self::place) accepts now.
    pub fn placements(&self) -> Vec<(PieceKind, usize)> {
        let pairs = self
            .in_hand()
            .into_iter()
            .flat_map(|kind| (0..8).map(move |file| (kind, file)));
        pairs
            .filter(|&(kind, file)| self.check_placing(kind, file).is_ok())
            .collect()
    }

    /// Every pair of files that [`relocate`](Self::relocate) accepts now: uses of the
    /// option, or in an impasse the repairs.
    pub fn relocations(&self) -> Vec<(usize, usize)> {
        let pairs = (0..8).flat_map(|from| (0..8).map(move |to| (from, to)));
        pairs
            .filter(|&(from, to)| self.check_moving(from, to).is_ok())
            .collect()
    }

    /// Places a piece from the hand; the other player is to turn.
    pub fn place(&mut self, kind: PieceKind, file: usize) -> Result<(), PlacementError> {
        self.check_placing(kind, file)?;
        self.squares[file] = Some(kind);
        self.end_turn(PlacementStep::Placed { file });
        Ok(())
    }

    /// Moves a piece that is on the rank: the player's option, or in an impasse the repair. The other player is to
    /// turn.
    pub fn relocate(&mut self, from: usize, to: usize) -> Result<(), PlacementError> {
        self.check_moving(from, to)?;
        let used_option = !self.is_impasse();
        if used_option {
            self.moved[self.turn.index()] = true;
        }
        self.squares.swap(from, to);
        self.end_turn(PlacementStep::Moved {
            from,
            to,
            used_option,
        });
        Ok(())
    }

    fn end_turn(&mut self, turn: PlacementStep) {
        self.history.push(turn);
        self.turn = !self.turn;
        self.prospect = prospect(&self.squares);
    }

    /// Takes the last turn back. False if there was none.
    pub fn undo(&mut self) -> bool {
        let Some(turn) = self.history.pop() else {
            return false;
        };
        self.turn = !self.turn;
        match turn {
            PlacementStep::Placed { file } => self.squares[file] = None,
            PlacementStep::Moved {
                from,
                to,
                used_option,
            } => {
                self.squares.swap(from, to);
                if used_option {
                    self.moved[self.turn.index()] = false;
                }
            }
        }
        self.prospect = prospect(&self.squares);
        true
    }

    /// Whether no start of Chess960 has these pieces on these squares.
    pub fn is_impasse(&self) -> bool {
        self.prospect == Prospect::Impasse
    }

    /// The back rank, once only one is possible.
    pub const fn finished(&self) -> Option<BackRank> {
        match self.prospect {
            Prospect::Finished(rank) => Some(rank),
            _ => None,
        }
    }

    fn check_placing(&self, kind: PieceKind, file: usize) -> Result<(), PlacementError> {
        if self.finished().is_some() {
            return Err(PlacementError::Finished);
        }
        if self.is_impasse() {
            return Err(PlacementError::Impasse);
        }
        if !self.waits(kind) {
            return Err(PlacementError::NotInHand(kind));
        }
        if self.square(file)?.is_some() {
            return Err(PlacementError::Occupied(file));
        }
        let mut squares = self.squares;
        squares[file] = Some(kind);
        check_rules(&squares)
    }

    fn check_moving(&self, from: usize, to: usize) -> Result<(), PlacementError> {
        if self.finished().is_some() {
            return Err(PlacementError::Finished);
        }
        if self.square(from)?.is_none() {
            return Err(PlacementError::Empty(from));
        }
        if self.square(to)?.is_some() {
            return Err(PlacementError::Occupied(to));
        }
        let mut squares = self.squares;
        squares.swap(from, to);
        if self.is_impasse() && prospect(&squares) == Prospect::Impasse {
            return Err(PlacementError::NoRepair);
        }
        if !self.is_impasse() && !self.may_move(self.turn) {
            return Err(PlacementError::OptionUsed(self.turn));
        }
        check_rules(&squares)
    }

    fn square(&self, file: usize) -> Result<Option<PieceKind>, PlacementError> {
        self.squares
            .get(file)
            .copied()
            .ok_or(PlacementError::NoSuchFile(file))
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(
            &self
                .squares
                .map(|square| square.map_or('.', PieceKind::letter))
                .iter()
                .collect::<String>(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places these pieces, given as letter and file.
    fn placed(turns: &str) -> Placement {
        let mut placement = Placement::new();
        for turn in turns.split(' ') {
            let (kind, file) = turn.split_at(1);
            let kind = PieceKind::from_letter(kind.chars().next().unwrap());
            let file = usize::from(file.as_bytes()[0] - b'a');
            placement.place(kind.unwrap(), file).unwrap();
        }
        placement
    }

    #[test]
    fn five_pieces_decide_the_rank() {
        let placement = placed("Qd Nb Bc Ng Bf");
        assert_eq!(placement.finished(), Some(BackRank::standard()));
        assert_eq!(placement.turn(), Color::White);
        assert!(placement.placements().is_empty() && placement.relocations().is_empty());
    }

    #[test]
    fn an_impasse_is_repaired_by_moving_one_piece() {
        let mut placement = placed("Qa Rc Bd Nf Nh");
        assert_eq!(placement.to_string(), "Q.RB.N.N");
        assert!(placement.is_impasse() && placement.finished().is_none());
        assert_eq!(placement.place(Bishop, 4), Err(PlacementError::Impasse));
        assert_eq!(placement.relocate(5, 4), Err(PlacementError::NoRepair));
        placement.relocate(2, 1).unwrap();
        assert!(!placement.is_impasse() && placement.may_move(Color::White));
        assert!(placement.undo());
        assert_eq!(placement, placed("Qa Rc Bd Nf Nh"));
    }

    #[test]
    fn the_option_to_move_is_for_once() {
        let mut placement = placed("Qa Bb");
        placement.relocate(0, 7).unwrap();
        placement.place(Knight, 0).unwrap();
        assert_eq!(
            placement.relocate(7, 6),
            Err(PlacementError::OptionUsed(Color::Black))
        );
        placement.place(Knight, 4).unwrap();
        assert_eq!(placement.relocate(1, 2), Ok(()));
        assert_eq!(placement.to_string(), "N.B.N..Q");
    }

    #[test]
    fn rules_are_named() {
        let mut placement = placed("Ba Rc Rf");
        for (kind, file, error) in [
            (Bishop, 4, PlacementError::BishopsOnOneColour),
            (King, 6, PlacementError::KingNotBetweenRooks),
            (Rook, 7, PlacementError::NotInHand(Rook)),
            (Queen, 0, PlacementError::Occupied(0)),
            (Queen, 8, PlacementError::NoSuchFile(8)),
        ] {
            assert_eq!(placement.place(kind, file), Err(error));
        }
        assert!(!Placement::new().undo());
    }
}
