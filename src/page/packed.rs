//! Moves, evaluations, depths and clocks of many games in few bytes.
//!
//! The page's script unpacks them with the browser's `DecompressionStream`. The packed data are: the length of a JSON
//! text (4 bytes, low byte first), the text, then six columns with one byte per half-move, and one column of numbers of
//! variable length. The text contains the length of each game's part of that last column. Each column begins a new
//! compressed block, so that its codes fit its bytes.
//!
//! | column | what |
//! |---|---|
//! | 0 | which of the mover's pieces moves, from 0 in the order of squares: a1, b1 … h8 |
//! | 1 | where to: the target less the origin, modulo 64, both as the mover sees them |
//! | 2 | kind (4 bits), and how its text is made (4 bits): 1 the file, 2 the rank of its origin is written, 4 check, 8 mate |
//! | 3, 4 | low and high byte of White's evaluation, less the same engine's last, zigzag |
//! | 5 | depth less the same engine's last, modulo 256 |
//! | 6 | the clock after the move, less the same clock before, in tenths of a second; without a clock the time used, in hundredths; zigzag, seven bits a byte |
//!
//! The page contains the bytes as text in 85 characters, five for four bytes.
//!
//! Kinds: 0 a move, 2 en passant, 3–6 promotion to knight, bishop, rook, queen, 8 and more
//! castling: the file on which the king lands. `to` is then the square of the rook.

use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::chess::{Color, FenDialect, Move, PieceKind, Position, Square};
use crate::referee::{GameRecord, MoveRecord};
use crate::text::printable;
use crate::tournament::Roster;
use crate::uci::Score;

use super::listed::ListedGame;

/// Larger than every evaluation in centipawns; a mate in n is this value less n.
const MATE: i16 = 32_000;
/// No evaluation.
const NONE: i16 = i16::MIN;

/// Games that are being packed for a page.
#[derive(Default)]
pub(super) struct Packer {
    columns: [Vec<u8>; 6],
    times: Vec<u8>,
    games: Vec<Value>,
}

/// The moves of a game.
pub(super) struct PlayedMoves<'a> {
    pub(super) start: &'a Position,
    pub(super) book: &'a [Move],
    /// The engines' moves.
    pub(super) moves: &'a [MoveRecord],
    /// Whether the times of the moves are known.
    pub(super) is_timed: bool,
}

impl<'a> PlayedMoves<'a> {
    /// The moves of a stored game.
    pub(super) fn of(record: &'a GameRecord) -> PlayedMoves<'a> {
        PlayedMoves {
            start: &record.start,
            book: &record.opening,
            moves: &record.moves,
            is_timed: true,
        }
    }
}

impl Packer {
    pub(super) fn add(&mut self, game: &ListedGame, played: &PlayedMoves<'_>) {
        let begin = self.times.len();
        let mut position = played.start.clone();
        for book_move in played.book {
            self.chess_move(&position, *book_move);
            self.said(None, NONE, 0);
            position.play(*book_move);
        }
        let mut last = Last::default();
        for record in played.moves {
            let side = position.side_to_move();
            self.chess_move(&position, record.chess_move);
            self.thinking(record, side, &mut last);
            position.play(record.chess_move);
        }
        let has_clock = played.moves.iter().any(|record| record.clock.is_some());
        self.games.push(json!({
            "round": game.round,
            "number": game.number.map(|number| number.0),
            "seats": game.seats.map(|seat| [u16::from(seat.copy), seat.engine]),
            "result": game.result,
            "end": printable(&game.ending),
            "fen": played.start.fen(FenDialect::XFen),
            "book": played.book.len(),
            "plies": played.book.len() + played.moves.len(),
            "clock": has_clock,
            "timed": played.is_timed,
            "bytes": self.times.len() - begin,
        }));
    }

    fn chess_move(&mut self, position: &Position, played: Move) {
        let (from, to) = (played.from(), played.to());
        let kind = match (position.is_castling(played), played.promotion()) {
            (Some(_), _) => {
                let rule = position.castling_rule();
                8 + rule.king_landing(from.file(), to.file()).index() as u8
            }
            (None, Some(PieceKind::Knight)) => 3,
            (None, Some(PieceKind::Bishop)) => 4,
            (None, Some(PieceKind::Rook)) => 5,
            (None, Some(_)) => 6,
            (None, None) => 2 * u8::from(position.is_en_passant(played)),
        };
        let mover = position.side_to_move();
        let own = position.by_color(mover).into_iter();
        let before = own.filter(|square| square.index() < from.index()).count();
        // Black's board is turned around, so that the same moves have the same numbers.
        let seen = |square: Square| match mover {
            Color::White => square.index(),
            Color::Black => square.index() ^ 56,
        };
        self.columns[0].push(before as u8);
        self.columns[1].push((64 + seen(to) - seen(from)) as u8 % 64);
        let flags = text_flags(&position.san(played).to_string());
        self.columns[2].push(kind | flags << 4);
    }

    fn thinking(&mut self, played: &MoveRecord, side: Color, last: &mut Last) {
        let place = side.index();
        let evaluation = played
            .thinking
            .score
            .map_or(NONE, |score| white(score, side));
        let difference = evaluation.wrapping_sub(last.evaluations[place]);
        last.evaluations[place] = evaluation;
        let time = match played.clock {
            Some(clock) => {
                let now = hundredths(clock) / 10;
                now - std::mem::replace(&mut last.clocks[place], now)
            }
            None => hundredths(played.charged()),
        };
        let depth = played.thinking.depth.unwrap_or(0);
        let depth = u8::try_from(depth).unwrap_or(u8::MAX);
        let before = std::mem::replace(&mut last.depths[place], depth);
        self.said(Some(time), difference, depth.wrapping_sub(before));
    }

    fn said(&mut self, time: Option<i64>, difference: i16, depth: u8) {
        let zigzag = (difference << 1) ^ (difference >> 15);
        let [low, high] = zigzag.to_le_bytes();
        self.columns[3].push(low);
        self.columns[4].push(high);
        self.columns[5].push(depth);
        let time = time.unwrap_or(0);
        let mut rest = ((time << 1) ^ (time >> 63)).cast_unsigned();
        while rest > 0x7F {
            self.times.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.times.push(rest as u8);
    }

    /// Everything, compressed.
    pub(super) fn finish(self, roster: &Roster) -> Vec<u8> {
        let entries = || roster.participants.iter();
        let seats = entries().map(|entry| [u16::from(entry.seat.copy), entry.seat.engine]);
        let seats: Vec<[u16; 2]> = seats.collect();
        let names: Vec<_> = entries().map(|entry| printable(&entry.name)).collect();
        let text = json!({ "names": names, "seats": seats, "games": self.games }).to_string();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let mut parts: Vec<&[u8]> = vec![text.as_bytes()];
        parts.extend(self.columns.iter().map(Vec::as_slice));
        parts.push(&self.times);
        let written = encoder.write_all(&length.to_le_bytes());
        let mut part = |part: &&[u8]| {
            encoder.write_all(part)?;
            encoder.flush()
        };
        let written = written.and_then(|()| parts.iter().try_for_each(&mut part));
        // Writing into memory does not fail.
        written
            .and_then(|()| encoder.finish())
            .expect("a vector takes every byte")
    }
}

/// Bytes as text without characters special to HTML: five of 85 characters for four bytes, the first the most
/// significant digit; the remaining bytes at the end take one character more than they are bytes.
pub(super) fn in_85(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 5 / 4 + 8);
    for part in bytes.chunks(4) {
        let mut four = [0; 4];
        four[..part.len()].copy_from_slice(part);
        let mut rest = u32::from_be_bytes(four);
        let mut digits = [0; 5];
        for digit in digits.iter_mut().rev() {
            *digit = (rest % 85) as u8;
            rest /= 85;
        }
        text.extend(
            digits[..part.len() + 1]
                .iter()
                .map(|digit| character(*digit)),
        );
    }
    text
}

/// The characters from `(` on, except those that begin or end something in HTML or in a script.
fn character(digit: u8) -> char {
    char::from(match digit + b'(' {
        b'<' => b'}',
        b'\\' => b'~',
        b'`' => b'!',
        other => other,
    })
}

/// The previous evaluation and clock of each engine.
#[derive(Default)]
struct Last {
    evaluations: [i16; 2],
    clocks: [i64; 2],
    depths: [u8; 2],
}

fn hundredths(time: Duration) -> i64 {
    i64::try_from(time.as_millis() / 10).unwrap_or(i64::MAX / 4)
}

/// A score from White's point of view.
fn white(score: Score, side: Color) -> i16 {
    let own = match score {
        Score::Centipawns(value) => value.clamp(-30_000, 30_000) as i16,
        Score::Mate(moves) => {
            let distance = moves.unsigned_abs().min(1000) as i16;
            match moves > 0 {
                true => MATE - distance,
                false => distance - MATE,
            }
        }
    };
    match side {
        Color::White => own,
        Color::Black => -own,
    }
}

/// The difference between the text of a move and what its piece and target determine.
fn text_flags(san: &str) -> u8 {
    let mut flags = match san.chars().last() {
        Some('+') => 4,
        Some('#') => 8,
        _ => 0,
    };
    let bare = san.trim_end_matches(['+', '#']);
    if !bare.starts_with(|first: char| "NBRQK".contains(first)) {
        return flags;
    }
    // `Nbxd7`: the characters between the piece and the target, without the sign of a capture.
    let middle = bare[1..bare.len() - 2].trim_end_matches('x');
    if middle.contains(|c: char| c.is_ascii_lowercase()) {
        flags |= 1;
    }
    if middle.contains(|c: char| c.is_ascii_digit()) {
        flags |= 2;
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::CastlingSide;

    #[test]
    fn flags_say_how_a_move_is_written() {
        let flags = [
            "e4", "exd5", "Nf3", "Nbd7", "R1xe2+", "Qa1b2#", "O-O", "O-O-O+", "e8=Q#",
        ];
        let flags = flags.map(text_flags);
        assert_eq!(flags, [0, 0, 0, 1, 6, 11, 0, 4, 8]);
    }

    #[test]
    fn castling_names_the_file_on_which_the_king_lands() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/6KR w H - 0 1").unwrap();
        let played = *position
            .legal_moves()
            .iter()
            .find(|played| position.is_castling(**played) == Some(CastlingSide::KingSide))
            .expect("the king castles without leaving its square");
        let mut packer = Packer::default();
        packer.chess_move(&position, played);
        let [piece, way, kind] = [0, 1, 2].map(|column: usize| packer.columns[column][0]);
        assert_eq!(kind, 8 + 6);
        assert_eq!((piece, way), (0, 1));
    }

    #[test]
    fn bytes_as_text_have_nothing_that_html_looks_at() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        for length in 0..=all.len() {
            let text = in_85(&all[..length]);
            assert!(text.bytes().all(|byte| byte.is_ascii_graphic()));
            assert!(!text.contains(['<', '&', '\\', '`', '"', '\'']));
            assert_eq!(text.len(), length / 4 * 5 + [0, 2, 3, 4][length % 4]);
        }
        assert_eq!(in_85(&[0, 0, 0, 1]), "(((()");
    }
}
