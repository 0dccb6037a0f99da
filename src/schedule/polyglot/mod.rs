//! Polyglot books: moves for positions, in entries of 16 bytes with the highest byte first.
//!
//! A book says which moves may be played in a position. An event needs lines that both games of a
//! pair begin with, so lines are followed through the book before the event: `lines`.
//!
//! | file | what |
//! |---|---|
//! | this one | a book, and the key under which it has a position |
//! | `lines` | lines through a book |

pub(crate) use lines::{BookLines, LineError, MoveChoice};

use crate::chess::{CastlingSide, Color, Piece, PieceKind, Position, Square};

mod lines;

/// Bytes of an entry.
const ENTRY: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PolyglotBook {
    /// By their keys.
    entries: Vec<BookEntry>,
}

/// A move for a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BookEntry {
    key: u64,
    /// Castling is the king to the place of its rook.
    mv: u16,
    /// 0: not to be played.
    weight: u16,
    /// Its place in the file, from 1.
    place: usize,
}

impl PolyglotBook {
    /// Reads a book.
    ///
    /// # Errors
    /// It is none: it is empty, its end is missing, or it is not in the order of its keys.
    pub(crate) fn read(bytes: &[u8]) -> Result<PolyglotBook, String> {
        let (whole, rest) = bytes.as_chunks::<ENTRY>();
        if !rest.is_empty() {
            let length = bytes.len();
            return Err(format!(
                "it has {length} bytes, and the entries of a Polyglot book have 16 each"
            ));
        }
        let entries = (1..).zip(whole).map(|(place, bytes)| entry(place, bytes));
        let entries: Vec<BookEntry> = entries.collect();
        if entries.is_empty() {
            return Err("it is empty".to_owned());
        }
        match entries.windows(2).find(|two| two[1].key < two[0].key) {
            Some(two) => Err(format!(
                "entry {} has a smaller key than the one before: a Polyglot book is in the order of its keys",
                two[1].place
            )),
            None => Ok(PolyglotBook { entries }),
        }
    }

    /// Whether the book has a move for a position from which no move was played.
    pub(crate) fn has(&self, start: &Position) -> bool {
        !self.entries_of(start, pushed_pawn(start)).is_empty()
    }

    /// The entries of a position; empty if it is not in the book.
    fn entries_of(&self, position: &Position, pushed: Option<Square>) -> &[BookEntry] {
        let Some(key) = book_key(position, pushed) else {
            return &[];
        };
        let first = self.entries.partition_point(|entry| entry.key < key);
        let rest = &self.entries[first..];
        let count = rest.iter().take_while(|entry| entry.key == key).count();
        &rest[..count]
    }
}

fn entry(place: usize, bytes: &[u8; ENTRY]) -> BookEntry {
    let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, w0, w1, ..] = *bytes;
    BookEntry {
        key: u64::from_be_bytes([k0, k1, k2, k3, k4, k5, k6, k7]),
        mv: u16::from_be_bytes([m0, m1]),
        weight: u16::from_be_bytes([w0, w1]),
        place,
    }
}

impl BookEntry {
    /// The move in UCI text: to file, to rank, from file, from rank, promotion, three bits each
    /// from the lowest.
    fn text(self) -> String {
        let part = |shift: u32| u8::try_from(self.mv >> shift & 7).unwrap_or_default();
        let mut text = String::new();
        for (file, rank) in [(6, 9), (0, 3)] {
            text.push(char::from(b'a' + part(file)));
            text.push(char::from(b'1' + part(rank)));
        }
        let promotion = ["", "n", "b", "r", "q", "?", "?", "?"];
        text + promotion[usize::from(part(12))]
    }
}

/// The numbers of the keys: 768 for pieces on squares, 4 for castling rights, 8 for files of en passant, 1 for White to
/// move.
///
/// They are a part of the format and were published with it for everybody who reads such books: Van den Bergh,
/// "Polyglot book format" (hgm.nubati.net/book_format.html), `Random64`. He says there that a table of random numbers
/// cannot be covered by copyright. No other numbers would do.
const RANDOM64: [u64; 781] = include!("random64.txt");

/// Where the numbers begin that are not of pieces.
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// The key of a position. `pushed` is the square of the pawn that was pushed by two ranks just before, if one was.
/// `None` where a rook that is not the outermost on its side may castle: the format has no number for this right, and
/// no book has such positions.
///
/// Source: Van den Bergh, "Polyglot book format", with its convention for Chess960.
fn book_key(position: &Position, pushed: Option<Square>) -> Option<u64> {
    let pieces = Square::all().filter_map(|square| Some((square, position.piece_at(square)?)));
    let mut key = pieces.fold(0, |key, (square, piece)| {
        key ^ RANDOM64[64 * kind(piece) + square.index()]
    });
    let sides = [CastlingSide::KingSide, CastlingSide::QueenSide];
    let rights = Color::ALL.map(|color| sides.map(|side| (color, side)));
    for (index, (color, side)) in rights.into_iter().flatten().enumerate() {
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
fn pushed_pawn(position: &Position) -> Option<Square> {
    let behind = position.en_passant()?;
    let theirs = position
        .pieces(!position.side_to_move(), PieceKind::Pawn)
        .into_iter();
    let near = theirs.filter(|pawn| pawn.file() == behind.file());
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

    #[test]
    fn moves_are_taken_apart_from_their_lowest_bit_on() {
        let text = |mv| {
            entry(
                1,
                &[
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    (mv >> 8) as u8,
                    mv as u8,
                    0,
                    1,
                    0,
                    0,
                    0,
                    0,
                ],
            )
            .text()
        };
        // e2e4, e1h1, a7a8=Q: to 28, from 12; to 7, from 4; to 56, from 48.
        assert_eq!(text(12_u16 << 6 | 28), "e2e4");
        assert_eq!(text(4 << 6 | 7), "e1h1");
        assert_eq!(text(4 << 12 | 48 << 6 | 56), "a7a8q");
    }

    #[test]
    fn what_is_no_book_is_refused() {
        let refused = |bytes: &[u8]| PolyglotBook::read(bytes).unwrap_err();
        assert_eq!(refused(&[]), "it is empty");
        assert!(refused(&[0; 17]).starts_with("it has 17 bytes"));
        let mut two = [0; 32];
        two[0] = 9;
        assert!(refused(&two).starts_with("entry 2 has a smaller key"));
    }

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
            assert_eq!(book_key(&position, last), Some(expected), "after {moves:?}");
            assert_eq!(
                book_key(&position, pushed_pawn(&position)),
                Some(expected),
                "after {moves:?}"
            );
        }
    }

    #[test]
    fn an_inner_rook_that_may_castle_has_no_key() {
        let outer = Position::from_fen("4k3/8/8/8/8/8/8/4KR1R w H - 0 1").unwrap();
        assert!(book_key(&outer, None).is_some());
        let inner = Position::from_fen("4k3/8/8/8/8/8/8/4KR1R w F - 0 1").unwrap();
        assert_eq!(book_key(&inner, None), None);
    }
}
