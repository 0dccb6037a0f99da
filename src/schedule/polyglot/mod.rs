//! Polyglot books: moves for positions, in entries of 16 bytes with the highest byte first.
//!
//! A book says which moves may be played in a position. An event needs lines that both games of a
//! pair begin with, so lines are followed through the book before the event: `lines`.
//!
//! | file | what |
//! |---|---|
//! | `random64` | the numbers of the keys |
//! | `key` | the key under which a book has a position |
//! | `lines` | lines through a book |

mod key;
mod lines;
mod random64;

use crate::chess::{Position, Square};

pub(crate) use lines::{BookLines, LineError, MoveChoice};

/// Bytes of an entry.
const ENTRY: usize = 16;

/// A book.
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

/// What is no book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PolyglotError {
    /// Nothing in it.
    #[error("it is empty")]
    Empty,
    /// Something is missing at its end, or it is something else.
    #[error("it has {0} bytes, and the entries of a Polyglot book have 16 each")]
    Length(usize),
    /// Polyglot looks for positions by halving, so its books are in order.
    #[error(
        "entry {0} has a smaller key than the one before: a Polyglot book is in the order of its keys"
    )]
    Order(usize),
}

impl PolyglotBook {
    /// Reads a book.
    ///
    /// # Errors
    /// It is none: see [`PolyglotError`].
    pub(crate) fn read(bytes: &[u8]) -> Result<PolyglotBook, PolyglotError> {
        let (whole, rest) = bytes.as_chunks::<ENTRY>();
        if !rest.is_empty() {
            return Err(PolyglotError::Length(bytes.len()));
        }
        let entries: Vec<BookEntry> = (1..)
            .zip(whole)
            .map(|(place, bytes)| entry(place, bytes))
            .collect();
        if entries.is_empty() {
            return Err(PolyglotError::Empty);
        }
        match entries.windows(2).find(|two| two[1].key < two[0].key) {
            Some(two) => Err(PolyglotError::Order(two[1].place)),
            None => Ok(PolyglotBook { entries }),
        }
    }

    /// Whether the book has a move for a position from which no move was played.
    pub(crate) fn has(&self, start: &Position) -> bool {
        !self.of(start, key::pushed(start)).is_empty()
    }

    /// The entries of a position; empty if it is not in the book.
    fn of(&self, position: &Position, pushed: Option<Square>) -> &[BookEntry] {
        let Some(key) = key::key(position, pushed) else {
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(PolyglotBook::read(&[]), Err(PolyglotError::Empty));
        assert_eq!(PolyglotBook::read(&[0; 17]), Err(PolyglotError::Length(17)));
        let mut two = [0; 32];
        two[0] = 9;
        assert_eq!(PolyglotBook::read(&two), Err(PolyglotError::Order(2)));
    }
}
