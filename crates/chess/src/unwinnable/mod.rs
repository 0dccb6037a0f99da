//! Whether a side can still mate by *any* series of legal moves (FIDE 5.2.2 and 6.9).
//!
//! The answer "cannot" is proved and always right. Quick proofs, in microseconds
//! ([`Position::cannot_win`]):
//!
//! * a lone king mates nobody; one knight, or bishops on one colour, cannot mate certain pieces, see
//!   [`has_insufficient_material`];
//! * no piece can ever reach the squares from which a mate could be given, see `mates`;
//! * a short search decides positions whose few legal moves all lead to one of these.
//!
//! The complete answer, in a budget of positions, is [`Position::winnability`].
//!
//! | file | what |
//! |---|---|
//! | `reach` | the squares that each piece can ever reach |
//! | `relaxed` | proofs in closed positions: kings and pawns by the rules, other pieces anywhere |
//! | `plan` | mates that might come about, as goals of the search; how near a mate seems to be; what a mate on a square needs, and places of men that do it |
//! | `search` | the complete search; the positions that were found, each once, and those to be looked at, in the order of their promise |

mod plan;
mod reach;
mod relaxed;
mod search;

use plan::MatePieces;
use reach::{Reach, ReachablePiece};
use search::MateSearch;

use crate::attacks::king_attacks;
use crate::board::Board;
use crate::generate::count_legal_moves;
use crate::{Bitboard, Color, Move, PieceKind, Position, Square};

/// Whether a side can still mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Winnability {
    /// It can: by these moves, in which both sides help.
    Winnable(Vec<Move>),
    /// It cannot, by any series of legal moves.
    Unwinnable,
    /// Not known within the positions that were to be looked at.
    Undecided,
}

/// How deep the search for forced lines goes.
const MAX_FORCED_PLIES: u32 = 10;
/// How many positions it looks at; it gives up at the first line without proof anyway.
const MAX_POSITIONS: u32 = 1_000;

impl Position {
    /// Whether it is proved that `color` cannot mate by any series of legal moves.
    /// `false` is no proof of the opposite.
    ///
    /// ```
    /// use arbiter960_chess::{Color, Position};
    /// let position = Position::from_fen("3qk3/8/8/8/8/8/8/3NK3 w - - 0 1")?;
    /// assert!(position.cannot_win(Color::White));
    /// assert!(!position.cannot_win(Color::Black));
    /// # Ok::<(), arbiter960_chess::FenError>(())
    /// ```
    pub fn cannot_win(&self, color: Color) -> bool {
        let mut positions_left = MAX_POSITIONS;
        is_proved_unable_to_mate(self.board(), color)
            || cannot_win_within(self, color, MAX_FORCED_PLIES, &mut positions_left)
    }

    /// Whether `color` can mate by any series of legal moves (FIDE 6.9), looking at `most` positions at most. A mate is
    /// mostly found within some hundred; a mate that is far away, or the proof that no mate exists, may need hundreds
    /// of thousands. Each takes about a kilobyte of memory, because what follows from it is kept. After the first 500 a
    /// proof for closed positions is tried once, so a smaller `most` finds less.
    ///
    /// ```
    /// use arbiter960_chess::{Color, Position, Winnability};
    /// let position = Position::from_fen("7k/8/8/8/8/8/8/K5Q1 w - - 0 1")?;
    /// let Winnability::Winnable(mate) = position.winnability(Color::White, 100_000) else {
    ///     panic!("a queen mates");
    /// };
    /// let mut end = position.clone();
    /// mate.into_iter().for_each(|mv| end.play(mv));
    /// assert!(end.in_check() && !end.has_legal_move());
    /// assert_eq!(position.winnability(Color::Black, 100_000), Winnability::Unwinnable);
    /// # Ok::<(), arbiter960_chess::FenError>(())
    /// ```
    pub fn winnability(&self, color: Color, most: u32) -> Winnability {
        self.count_winnability(color, most).0
    }

    /// The same, and how many positions were looked at.
    pub fn count_winnability(&self, color: Color, most: u32) -> (Winnability, u32) {
        MateSearch::run(self.board(), color, most)
    }

    /// Whether it is proved that neither side can mate: a dead position (FIDE 5.2.2). `false` is no proof of the
    /// opposite. [`Position::is_dead_by_material`] is the part of it that every program knows.
    ///
    /// ```
    /// use arbiter960_chess::Position;
    /// let wall = "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1";
    /// assert!(Position::from_fen(wall)?.is_dead());
    /// # Ok::<(), arbiter960_chess::FenError>(())
    /// ```
    pub fn is_dead(&self) -> bool {
        Color::ALL.into_iter().all(|color| self.cannot_win(color))
    }

    /// Whether neither side has the pieces to mate, whatever both play: the two kings alone, or with one knight, or
    /// with any number of bishops of either side on squares of one colour.
    ///
    /// ```
    /// use arbiter960_chess::Position;
    /// assert!(Position::from_fen("b3k3/8/8/8/8/8/8/3K1B2 w - - 0 1")?.is_dead_by_material());
    /// assert!(!Position::from_fen("1b2k3/8/8/8/8/8/8/3K1B2 w - - 0 1")?.is_dead_by_material());
    /// # Ok::<(), arbiter960_chess::FenError>(())
    /// ```
    pub fn is_dead_by_material(&self) -> bool {
        let [pawns, knights, bishops, rooks, queens, _] =
            PieceKind::ALL.map(|kind| self.by_kind(kind));
        if !(pawns | rooks | queens).is_empty() {
            return false;
        }
        if knights.is_empty() {
            return !(bishops.intersects(Bitboard::DARK) && bishops.intersects(Bitboard::LIGHT));
        }
        bishops.is_empty() && !knights.has_several()
    }
}

fn cannot_win_within(
    position: &Position,
    color: Color,
    plies: u32,
    positions_left: &mut u32,
) -> bool {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return position.side_to_move() == color || !position.in_check();
    }
    if has_insufficient_material(position.board(), color) {
        return true;
    }
    if plies == 0 {
        return false;
    }
    moves.into_iter().all(|mv| {
        if *positions_left == 0 {
            return false;
        }
        *positions_left -= 1;
        cannot_win_within(&position.after(mv), color, plies - 1, positions_left)
    })
}

// Whether a side can mate at all, judged by the squares that the pieces can reach.
//
// First all squares of all pieces count at once, but for the attackers' king: it has one
// place. Where that leaves a mate possible, places are looked for, one for each man, from which
// they do all of it together (`pattern`).

/// Whether the side to move is mated by `winner`.
fn is_mate(board: &Board, winner: Color) -> bool {
    board.side_to_move != winner && !board.checkers().is_empty() && count_legal_moves(board) == 0
}

/// Whether it is proved that a side can never mate; `false` is no proof of the opposite.
fn is_proved_unable_to_mate(board: &Board, winner: Color) -> bool {
    let Some(reach) = Reach::new(board) else {
        return false;
    };
    let not_king = |piece: &&ReachablePiece| piece.kind != PieceKind::King;
    let pieces = |color| reach.pieces(color).filter(not_king);
    let attacked = pieces(winner).fold(Bitboard::EMPTY, |set, piece| set | piece.attacks());
    let helped = pieces(!winner).fold(Bitboard::EMPTY, |set, piece| {
        set | piece.squares | piece.promoted
    });
    let kings = reach.king(winner);
    let mate = |on: &Square| {
        let open = king_attacks(*on) & !(attacked | helped);
        let far = kings & !(king_attacks(*on) | on.bitboard());
        let covers = |king: Square| (open & !king_attacks(king)).is_empty();
        attacked.contains(*on) && far.into_iter().any(covers)
    };
    let mut squares = reach.king(!winner).into_iter().filter(mate);
    !squares.any(|on| MatePieces::new(on, reach.pieces(winner), pieces(!winner)).can(0))
}

/// Whether a side's pieces can never mate, on whatever squares they and the opponent's pieces are.
///
/// One knight against king and queens: let the king be at (0, 0) and the knight check from
/// (1, 2). A queen on (0, 1) or (1, 1) would take it, so both are empty and guarded by the king
/// on (0, 2), the only square that guards both and is no neighbour of the mated king. Then
/// (1, 0) is on the board, not guarded, and a queen there would take the knight too.
///
/// Bishops on one colour against king, queens, rooks and bishops on that colour: let the check come over (1, 1). The
/// squares (1, 0) and (0, 1) are of the other colour. A rook or queen there is not pinned and reaches (1, 1), so both
/// are empty; a king that guards both would be next to the mated king.
fn has_insufficient_material(position: &Board, color: Color) -> bool {
    let own = |kind| position.pieces(color, kind);
    let theirs = |kind| position.pieces(!color, kind);
    let strong = [PieceKind::Pawn, PieceKind::Rook, PieceKind::Queen];
    if strong.into_iter().any(|kind| !own(kind).is_empty()) {
        return false;
    }
    let (knights, bishops) = (own(PieceKind::Knight), own(PieceKind::Bishop));
    if knights.is_empty() && bishops.is_empty() {
        return true;
    }
    let helpers = theirs(PieceKind::Pawn) | theirs(PieceKind::Knight);
    if bishops.is_empty() {
        let helpers = helpers | theirs(PieceKind::Bishop) | theirs(PieceKind::Rook);
        return !knights.has_several() && helpers.is_empty();
    }
    let all_bishops = position.kind(PieceKind::Bishop);
    let one_colour =
        !(all_bishops.intersects(Bitboard::DARK) && all_bishops.intersects(Bitboard::LIGHT));
    knights.is_empty() && one_colour && helpers.is_empty()
}

#[cfg(test)]
mod tests;
