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

use std::fmt;
use std::sync::LazyLock;

use super::{BackRank, StartError, numbering};
use crate::PieceKind::{Bishop, King, Knight, Queen, Rook};
use crate::{Color, PieceKind};

/// The pieces on a rank, from a to h.
type PlacedRank = [Option<PieceKind>; 8];

/// White's pieces before any is placed.
const HAND: [PieceKind; 8] = [Bishop, Bishop, Knight, Knight, Queen, King, Rook, Rook];

/// A first rank that the players are filling. Files are indices, a = 0.
///
/// `Display` shows it as `Q.RB.N.N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    squares: PlacedRank,
    turn: Color,
    moved: [bool; 2],
    prospect: Prospect,
}

/// Whether none, one or several starts of Chess960 have these pieces on these squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prospect {
    Impasse,
    Finished(BackRank),
    Open,
}

/// The empty rank; Black begins.
impl Default for Placement {
    fn default() -> Self {
        Self {
            squares: [None; 8],
            turn: Color::Black,
            moved: [false; 2],
            prospect: Prospect::Open,
        }
    }
}

impl Placement {
    /// Whose turn it is.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The pieces on the rank, from a to h.
    pub const fn squares(&self) -> &PlacedRank {
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
    pub fn place(&mut self, kind: PieceKind, file: usize) -> Result<(), StartError> {
        let squares = self.check_placing(kind, file)?;
        self.end_turn(squares);
        Ok(())
    }

    /// Moves a piece that is on the rank: the player's option, or in an impasse the repair. The other player is to
    /// turn.
    pub fn relocate(&mut self, from: usize, to: usize) -> Result<(), StartError> {
        let squares = self.check_moving(from, to)?;
        let (player, used_option) = (self.turn.index(), !self.is_impasse());
        self.end_turn(squares);
        self.moved[player] |= used_option;
        Ok(())
    }

    fn end_turn(&mut self, squares: PlacedRank) {
        self.squares = squares;
        self.turn = !self.turn;
        self.prospect = prospect(&squares);
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

    /// The rank after this turn, if it is possible.
    fn check_placing(&self, kind: PieceKind, file: usize) -> Result<PlacedRank, StartError> {
        self.check_unfinished()?;
        if self.is_impasse() {
            return refused("an impasse: move a piece so that the rank can be completed");
        }
        if !self.waits(kind) {
            return refused(&format!("there is no {} left to place", kind.letter()));
        }
        self.check_free(file)?;
        let mut squares = self.squares;
        squares[file] = Some(kind);
        check_rules(&squares).map(|()| squares)
    }

    /// The rank after this turn, if it is possible.
    fn check_moving(&self, from: usize, to: usize) -> Result<PlacedRank, StartError> {
        self.check_unfinished()?;
        if self.square(from)?.is_none() {
            return refused(&format!("no piece stands on {}", file_letter(from)));
        }
        self.check_free(to)?;
        let mut squares = self.squares;
        squares.swap(from, to);
        if self.is_impasse() && prospect(&squares) == Prospect::Impasse {
            return refused("the rank could not be completed after this move either");
        }
        if !self.is_impasse() && !self.may_move(self.turn) {
            return refused(&format!("{} has moved a piece once already", self.turn));
        }
        check_rules(&squares).map(|()| squares)
    }

    fn check_unfinished(&self) -> Result<(), StartError> {
        match self.finished() {
            Some(_) => refused("only one start is left: the placing is over"),
            None => Ok(()),
        }
    }

    fn check_free(&self, file: usize) -> Result<(), StartError> {
        match self.square(file)? {
            Some(_) => refused(&format!("a piece stands on {} already", file_letter(file))),
            None => Ok(()),
        }
    }

    fn square(&self, file: usize) -> Result<Option<PieceKind>, StartError> {
        match self.squares.get(file) {
            Some(square) => Ok(*square),
            None => refused(&format!(
                "there is no file {file}: files are 0 (a) to 7 (h)"
            )),
        }
    }
}

fn refused<T>(why: &str) -> Result<T, StartError> {
    Err(StartError(why.to_owned()))
}

fn file_letter(file: usize) -> char {
    char::from(b'a' + file as u8)
}

/// The 960 arrays, with which every rank is compared.
static STARTS: LazyLock<Vec<BackRank>> = LazyLock::new(|| (0..960).map(numbering::array).collect());

/// What becomes of a rank with these pieces.
fn prospect(squares: &PlacedRank) -> Prospect {
    let fits = |rank: &&BackRank| {
        let mut pairs = squares.iter().zip(rank.kinds());
        pairs.all(|(square, kind)| square.is_none_or(|placed| placed == *kind))
    };
    let mut fitting = STARTS.iter().filter(fits);
    match (fitting.next(), fitting.next()) {
        (None, _) => Prospect::Impasse,
        (Some(&only), None) => Prospect::Finished(only),
        (Some(_), Some(_)) => Prospect::Open,
    }
}

/// The rules of Chess960, as far as the pieces placed so far can break them.
fn check_rules(squares: &PlacedRank) -> Result<(), StartError> {
    let files_of = |kind| (0..8).filter(move |&file| squares[file] == Some(kind));
    let bishops: Vec<usize> = files_of(Bishop).collect();
    if let [first, second] = bishops[..]
        && first % 2 == second % 2
    {
        return refused("bishops go on squares of different colours");
    }
    let rooks: Vec<usize> = files_of(Rook).collect();
    let outside = |king: usize| match rooks[..] {
        [first, second] => !(first..second).contains(&king),
        // In the corner no rook finds room beyond the king.
        _ => king == 0 || king == 7,
    };
    if files_of(King).any(outside) {
        return refused("the king goes between the rooks");
    }
    Ok(())
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
        let mut placement = Placement::default();
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
        assert_eq!(
            placement.place(Bishop, 4),
            refused("an impasse: move a piece so that the rank can be completed")
        );
        assert_eq!(
            placement.relocate(5, 4),
            refused("the rank could not be completed after this move either")
        );
        placement.relocate(2, 1).unwrap();
        assert!(!placement.is_impasse() && placement.may_move(Color::White));
    }

    #[test]
    fn the_option_to_move_is_for_once() {
        let mut placement = placed("Qa Bb");
        placement.relocate(0, 7).unwrap();
        placement.place(Knight, 0).unwrap();
        assert_eq!(
            placement.relocate(7, 6),
            refused("black has moved a piece once already")
        );
        placement.place(Knight, 4).unwrap();
        assert_eq!(placement.relocate(1, 2), Ok(()));
        assert_eq!(placement.to_string(), "N.B.N..Q");
    }

    #[test]
    fn rules_are_named() {
        let mut placement = placed("Ba Rc Rf");
        for (kind, file, error) in [
            (Bishop, 4, "bishops go on squares of different colours"),
            (King, 6, "the king goes between the rooks"),
            (Rook, 7, "there is no R left to place"),
            (Queen, 0, "a piece stands on a already"),
            (Queen, 8, "there is no file 8: files are 0 (a) to 7 (h)"),
        ] {
            assert_eq!(placement.place(kind, file), refused(error));
        }
    }
}
