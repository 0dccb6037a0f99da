//! Perft: counting the leaves of the tree of legal moves, the yardstick of a move generator.

use super::board::Board;
use super::generate::{MoveCount, PawnTargets, Visitor, generate};
use super::piece::{Black, Side, White};
use super::{Bitboard, CastlingRule, Color, FenError, PieceKind, Position, Square};

/// How many sequences of `depth` legal moves there are. The last move is counted, not played.
///
/// ```
/// use arbiter960_chess::{Position, perft};
/// assert_eq!(perft(&Position::standard(), 3), 8_902);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    match position.side_to_move() {
        Color::White => leaves::<White>(position.board(), depth),
        Color::Black => leaves::<Black>(position.board(), depth),
    }
}

fn leaves<S: Side>(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => {
            let mut count = MoveCount::default();
            generate::<S, _>(board, Bitboard::ALL, &mut count);
            count.0
        }
        _ => {
            let mut tree = LeafCounter {
                board,
                depth: depth - 1,
                leaves: 0,
            };
            generate::<S, _>(board, Bitboard::ALL, &mut tree);
            tree.leaves
        }
    }
}

/// Plays each move it is shown and counts below it.
struct LeafCounter<'a> {
    board: &'a Board,
    depth: u32,
    leaves: u64,
}

impl LeafCounter<'_> {
    #[inline(always)]
    fn descend<S: Side>(&mut self, next: Board) {
        self.leaves += leaves::<S::Other>(&next, self.depth);
    }
}

impl<S: Side> Visitor<S> for LeafCounter<'_> {
    #[inline(always)]
    fn piece(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        for to in targets {
            self.descend::<S>(self.board.after_step::<S>(kind, from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: PawnTargets) {
        for (set, back) in targets.steps::<S>() {
            for to in set & !S::LAST_RANK {
                self.descend::<S>(
                    self.board
                        .after_step::<S>(PieceKind::Pawn, to.offset(back), to),
                );
            }
            for to in set & S::LAST_RANK {
                for kind in PieceKind::PROMOTIONS {
                    let next = self.board.after_promotion::<S>(to.offset(back), to, kind);
                    self.descend::<S>(next);
                }
            }
        }
        for to in targets.double {
            self.descend::<S>(self.board.after_double_step::<S>(to));
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.descend::<S>(self.board.after_en_passant::<S>(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.descend::<S>(self.board.after_castling::<S>(king, rook));
    }
}

/// A line of a perft suite: a FEN and how many leaves it has at some depths, written
/// `FEN ;D1 20 ;D2 400`. Other fields after a `;` are left alone.
///
/// ```
/// use arbiter960_chess::{CastlingRule, PerftCase};
/// let line = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66";
/// let case = PerftCase::parse(line, CastlingRule::Fischer)?;
/// assert_eq!(case.expected, [(1, 15), (2, 66)]);
/// # Ok::<(), arbiter960_chess::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftCase {
    /// The position at the root.
    pub position: Position,
    /// Depths and leaves in the line's order.
    pub expected: Vec<(u32, u64)>,
}

impl PerftCase {
    /// Reads a line of a suite, of a variant with this castling rule.
    ///
    /// # Errors
    /// A wrong FEN, a depth without its number, or a line without any depth.
    pub fn parse(line: &str, rule: CastlingRule) -> Result<PerftCase, FenError> {
        let mut fields = line.split(';');
        let fen = fields.next().unwrap_or_default();
        let position = Position::from_fen_with(fen, rule)?;
        let expected = fields
            .filter_map(|field| field.trim().strip_prefix('D'))
            .map(|field| {
                read_count(field).ok_or_else(|| {
                    let field = format!("D{field}");
                    FenError(format!(
                        "{field:?} is not a depth and a number of leaves, as D3 8902"
                    ))
                })
            })
            .collect::<Result<Vec<_>, _>>()?;
        if expected.is_empty() {
            let words = "the line names no depth, as ;D3 8902";
            return Err(FenError(words.to_owned()));
        }
        Ok(PerftCase { position, expected })
    }
}

/// `3 8902` as depth and leaves.
fn read_count(field: &str) -> Option<(u32, u64)> {
    let (depth, leaves) = field.split_once(char::is_whitespace)?;
    Some((depth.parse().ok()?, leaves.trim().parse().ok()?))
}
