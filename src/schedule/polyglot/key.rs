//! The key under which a book has a position.

use super::random64::RANDOM64;
use crate::chess::{CastlingSide, Color, Piece, PieceKind, Position, Square};

/// Where the numbers begin that are not of pieces.
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// The key of a position. `pushed` is the square of the pawn that was pushed by two ranks just before, if one was.
/// `None` where a rook that is not the outermost on its side may castle: the format has no number for this right, and
/// no book has such positions.
///
/// Source: Van den Bergh, "Polyglot book format", with its convention for Chess960.
pub(super) fn key(position: &Position, pushed: Option<Square>) -> Option<u64> {
    let pieces = Square::all().filter_map(|square| Some((square, position.piece_at(square)?)));
    let mut key = pieces.fold(0, |key, (square, piece)| {
        key ^ RANDOM64[64 * kind(piece) + square.index()]
    });
    let sides = [CastlingSide::KingSide, CastlingSide::QueenSide];
    let rights = Color::ALL
        .into_iter()
        .flat_map(|color| sides.map(|side| (color, side)));
    for (index, (color, side)) in rights.enumerate() {
        if let Some(rook) = position.castling_rook(color, side) {
            if !is_outermost(position, color, side, rook) {
                return None;
            }
            key ^= RANDOM64[CASTLING + index];
        }
    }
    if let Some(pawn) = pushed.filter(|pawn| has_neighbour(position, *pawn)) {
        key ^= RANDOM64[EN_PASSANT + pawn.file().index()];
    }
    if position.side_to_move() == Color::White {
        key ^= RANDOM64[WHITE_TO_MOVE];
    }
    Some(key)
}

/// The pawn that can be taken in passing in a position of which no more is known.
pub(super) fn pushed(position: &Position) -> Option<Square> {
    let behind = position.en_passant()?;
    let theirs = position.pieces(!position.side_to_move(), PieceKind::Pawn);
    let near = theirs
        .into_iter()
        .filter(|pawn| pawn.file() == behind.file());
    near.min_by_key(|pawn| pawn.rank().index().abs_diff(behind.rank().index()))
}

/// Black's pawns are the first of twelve, then White's, and so on up to the kings.
fn kind(piece: Piece) -> usize {
    let kind = match piece.kind {
        PieceKind::Pawn => 0,
        PieceKind::Knight => 1,
        PieceKind::Bishop => 2,
        PieceKind::Rook => 3,
        PieceKind::Queen => 4,
        PieceKind::King => 5,
    };
    2 * kind + usize::from(piece.color == Color::White)
}

fn is_outermost(position: &Position, color: Color, side: CastlingSide, rook: Square) -> bool {
    let rooks = position.pieces(color, PieceKind::Rook).into_iter();
    let mut same_rank = rooks.filter(|other| other.rank() == rook.rank());
    match side {
        CastlingSide::KingSide => same_rank.all(|other| other.file() <= rook.file()),
        CastlingSide::QueenSide => same_rank.all(|other| other.file() >= rook.file()),
    }
}

/// Whether a pawn of the side to move is on the next square to the left or right, be a capture legal or not.
fn has_neighbour(position: &Position, pawn: Square) -> bool {
    let own = position.pieces(position.side_to_move(), PieceKind::Pawn);
    own.into_iter().any(|other| {
        other.rank() == pawn.rank() && other.file().index().abs_diff(pawn.file().index()) == 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::UciDialect;

    /// The moves from the standard start, and the key after them: the test data of the format.
    const KEYS: [(&str, u64); 9] = [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ];

    #[test]
    fn the_keys_are_those_of_the_format() {
        for (moves, expected) in KEYS {
            let mut position = Position::standard();
            let mut last = None;
            for text in moves.split_whitespace() {
                let played = position.parse_uci(text, UciDialect::Standard).unwrap();
                position.play(played);
                let ranks = played
                    .from()
                    .rank()
                    .index()
                    .abs_diff(played.to().rank().index());
                let pawn = position.piece_at(played.to()).unwrap().kind == PieceKind::Pawn;
                last = (pawn && ranks == 2).then_some(played.to());
            }
            assert_eq!(key(&position, last), Some(expected), "after {moves:?}");
            assert_eq!(
                key(&position, pushed(&position)),
                Some(expected),
                "after {moves:?}"
            );
        }
    }

    #[test]
    fn an_inner_rook_that_may_castle_has_no_key() {
        let outer = Position::from_fen("4k3/8/8/8/8/8/8/4KR1R w H - 0 1").unwrap();
        assert!(key(&outer, None).is_some());
        let inner = Position::from_fen("4k3/8/8/8/8/8/8/4KR1R w F - 0 1").unwrap();
        assert_eq!(key(&inner, None), None);
    }
}
