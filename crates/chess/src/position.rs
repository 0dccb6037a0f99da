//! A position: the board, the counters, and the key by which repetitions are found.

use std::fmt;
use std::str::FromStr;

use super::board::Board;
use super::castling::CastlingSide;
use super::fen::FenError;
use super::generate::{count_legal_moves, legal_moves, legal_origins};
use super::{
    Bitboard, CastlingRule, Color, FenDialect, Move, MoveList, Piece, PieceKind, Square, fen,
    zobrist,
};

/// A legal position with its counters.
///
/// Equality compares everything, counters too; [`Position::is_same_as`] is the identity of the
/// FIDE Laws of Chess (9.2.3).
///
/// ```
/// use arbiter960_chess::{FenDialect, Position};
/// let mut position = Position::from_fen("4k3/8/8/8/8/8/8/RK4R1 w GA - 0 1")?;
/// let castling = position.parse_san("O-O")?;
/// position.play(castling);
/// assert_eq!(position.fen(FenDialect::XFen), "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    key: u64,
    halfmove_clock: u32,
    fullmove_number: u32,
}

impl Position {
    /// The start position of standard chess.
    pub fn standard() -> Position {
        Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
            .expect("the start position is legal")
    }

    /// Reads a FEN with the castling of Chess960, of which standard chess is a case.
    ///
    /// Every dialect is read and each castling letter judged by itself: `K` is the outermost rook
    /// on the h-side, `F` the rook on the f-file, so `KFkf` is fine. The two counters may be
    /// missing together (then they are 0 and 1); a move number of 0 is read as 1.
    ///
    /// # Errors
    /// Text that is not a FEN, and positions that cannot arise in a game: see [`FenError`].
    pub fn from_fen(text: &str) -> Result<Position, FenError> {
        Position::from_fen_with(text, CastlingRule::Fischer)
    }

    /// Reads a FEN of a variant with this castling rule.
    ///
    /// # Errors
    /// As [`Position::from_fen`].
    pub fn from_fen_with(text: &str, rule: CastlingRule) -> Result<Position, FenError> {
        fen::read(text, rule)
    }

    /// A position of a board that was checked to be legal.
    pub(crate) fn new(mut board: Board, halfmove_clock: u32, fullmove_number: u32) -> Position {
        forget_useless_en_passant(&mut board);
        Position {
            board,
            key: zobrist::key(&board),
            halfmove_clock,
            fullmove_number,
        }
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move
    }

    /// Plies since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// The number of the move, counted up after Black's.
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// How castling works in this position's variant.
    pub fn castling_rule(&self) -> CastlingRule {
        self.board.rule
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.piece_at(square)
    }

    /// The square of a side's king.
    pub fn king(&self, color: Color) -> Square {
        self.board.king(color)
    }

    /// All pieces of one side.
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.board.color(color)
    }

    /// All pieces of one kind, both sides.
    pub fn by_kind(&self, kind: PieceKind) -> Bitboard {
        self.board.kind(kind)
    }

    /// The pieces of one side and kind.
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.board.pieces(color, kind)
    }

    /// All pieces.
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// The rook with which a side still has the right to castle on this side.
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color);
        let rooks = self.board.castling_rooks & self.board.color(color) & !king.bitboard();
        rooks
            .into_iter()
            .find(|&rook| CastlingSide::towards(king, rook) == side)
    }

    /// Whether a side's king may still evacuate, as in [`CastlingRule::Moab`].
    pub fn may_evacuate(&self, color: Color) -> bool {
        self.board.castling_rooks.contains(self.king(color))
    }

    /// The square on which a pawn can now be taken in passing, if such a capture is legal.
    pub fn en_passant(&self) -> Option<Square> {
        self.board.en_passant.first()
    }

    /// All legal moves, in no particular order.
    pub fn legal_moves(&self) -> MoveList {
        legal_moves(&self.board, Bitboard::ALL)
    }

    /// The legal moves of the pieces on these squares.
    pub fn legal_moves_from(&self, squares: Bitboard) -> MoveList {
        legal_moves(&self.board, squares)
    }

    /// Which of the pieces on `movers` may legally step or take to a square; castling apart.
    pub(crate) fn legal_origins(&self, movers: Bitboard, to: Square) -> Bitboard {
        legal_origins(&self.board, movers, to)
    }

    /// Whether a move is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        legal_moves(&self.board, mv.from().bitboard()).contains(&mv)
    }

    /// Whether the side to move has a legal move: if not, it is mate or stalemate.
    pub fn has_legal_move(&self) -> bool {
        count_legal_moves(&self.board) > 0
    }

    /// Plays a move, which must be legal.
    ///
    /// # Panics
    /// With debug assertions, if the move is not legal.
    pub fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {self:?}");
        let resets = self.is_capture(mv) || self.board.kind(PieceKind::Pawn).contains(mv.from());
        let mut next = self.board.after(mv);
        forget_useless_en_passant(&mut next);
        self.key ^= zobrist::difference(&self.board, &next);
        self.halfmove_clock = if resets {
            0
        } else {
            self.halfmove_clock.saturating_add(1)
        };
        if self.side_to_move() == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.board = next;
    }

    /// The position after a move, which must be legal.
    pub fn after(&self, mv: Move) -> Position {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    /// Whether a legal move mates.
    pub fn mates(&self, mv: Move) -> bool {
        let next = self.after(mv);
        next.in_check() && !next.has_legal_move()
    }

    /// The position after passing, for searches and analysis; `None` in check.
    pub fn play_null(&self) -> Option<Position> {
        if self.in_check() {
            return None;
        }
        let mut next = self.clone();
        next.board.en_passant = Bitboard::EMPTY;
        next.board.side_to_move = !self.side_to_move();
        next.key ^= zobrist::difference(&self.board, &next.board);
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if self.side_to_move() == Color::Black {
            next.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        Some(next)
    }

    /// On which side a move castles, if it does.
    pub fn is_castling(&self, mv: Move) -> Option<CastlingSide> {
        let own_rook = self.board.color(self.side_to_move()).contains(mv.to());
        let king = self.king(self.side_to_move()) == mv.from();
        (own_rook && king).then(|| CastlingSide::towards(mv.from(), mv.to()))
    }

    /// Whether a legal move takes something, en passant included.
    pub fn is_capture(&self, mv: Move) -> bool {
        self.board.color(!self.side_to_move()).contains(mv.to()) || self.is_en_passant(mv)
    }

    /// Whether a legal move takes a pawn in passing.
    pub fn is_en_passant(&self, mv: Move) -> bool {
        self.board.en_passant.contains(mv.to())
            && self.board.kind(PieceKind::Pawn).contains(mv.from())
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.board.checkers()
    }

    /// A number that is equal for positions that are the same by FIDE 9.2.3: pieces, side to move,
    /// castling rights, and en passant where a capture is legal. The counters do not enter.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Whether two positions are the same by FIDE 9.2.3; exact where [`Position::key`] is a hash.
    pub fn is_same_as(&self, other: &Position) -> bool {
        self.key == other.key && self.board == other.board
    }
}

/// Reads a FEN as [`Position::from_fen`] does.
impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Position, FenError> {
        Position::from_fen(text)
    }
}

/// The FEN in the dialect that most programs read, [`FenDialect::XFen`].
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.fen(FenDialect::XFen))
    }
}

/// Keeps the en passant square only where a capture is legal, so that equal positions look equal.
pub(crate) fn forget_useless_en_passant(board: &mut Board) {
    if board.en_passant.is_empty() {
        return;
    }
    let target = board.en_passant;
    let pawns = board.pieces(board.side_to_move, PieceKind::Pawn);
    if !legal_moves(board, pawns)
        .iter()
        .any(|mv| target.contains(mv.to()) && mv.from().file() != mv.to().file())
    {
        board.en_passant = Bitboard::EMPTY;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn the_key_follows_every_kind_of_move() {
        for (fen, moves) in [
            ("4k3/8/8/8/8/8/8/RK4R1 w GA - 0 1", "O-O Kd7 Rab1"),
            (
                "4k3/2p5/8/3P4/8/8/8/4K3 b - - 0 1",
                "c5 dxc6 Kd8 c7+ Kd7 c8=N",
            ),
            ("r3k3/1P6/8/8/8/8/8/4K2R w Kq - 0 1", "bxa8=Q+ Kd7 Qb7+"),
        ] {
            let mut position = position(fen);
            for san in moves.split(' ') {
                position.play(position.parse_san(san).unwrap());
                assert_eq!(position.key(), zobrist::key(&position.board), "{fen} {san}");
            }
        }
    }

    #[test]
    fn en_passant_counts_only_where_it_is_legal() {
        let mut useless = position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        useless.play(useless.parse_san("e4").unwrap());
        assert_eq!(useless.en_passant(), None);
        // The pawn on d4 is pinned by the rook on h4 once both pawns are gone.
        let mut pinned = position("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1");
        pinned.play(pinned.parse_san("e4").unwrap());
        assert_eq!(pinned.en_passant(), None);
        let mut real = position("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1");
        real.play(real.parse_san("e4").unwrap());
        assert_eq!(real.en_passant().unwrap().to_string(), "e3");
    }

    #[test]
    fn text_and_hash_follow_equality() {
        let fen = "4k3/8/8/8/8/8/8/RK4R1 w GA - 3 9";
        let read: Position = fen.parse().unwrap();
        assert_eq!(read.to_string().parse::<Position>(), Ok(read.clone()));
        let mut set = std::collections::HashSet::from([read.clone()]);
        assert!(!set.insert(read));
        assert!(set.insert("4k3/8/8/8/8/8/8/RK4R1 w GA - 4 9".parse().unwrap()));
        assert!("4k3/8".parse::<Position>().is_err());
        assert_eq!(Position::standard().fullmove_number(), 1);
    }

    #[test]
    fn passing_changes_the_turn_and_nothing_on_the_board() {
        let start = Position::standard();
        let passed = start.play_null().unwrap();
        assert_eq!(passed.side_to_move(), Color::Black);
        assert_eq!(passed.key(), zobrist::key(&passed.board));
        assert!(passed.play_null().unwrap().is_same_as(&start));
        assert!(
            position("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1")
                .play_null()
                .is_none()
        );
    }
}
