//! The movetext as tokens; nothing is copied.

use memchr::memchr;

use super::tag::length_of;
use crate::pgn::GameResult;

/// One token of the movetext.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// `12.` or `12...`, or a number alone.
    MoveNumber,
    /// Something that should be a move.
    Move(&'a [u8]),
    /// `$6`, or `!`, `?`, `!!`, `??`, `!?`, `?!`.
    Nag,
    /// The text of a comment, without its braces or its semicolon.
    Comment(&'a [u8]),
    /// `{` without a `}`: the rest of the game.
    OpenComment,
    /// `e.p.`, which older files put after a capture en passant.
    Remark,
    /// `(`
    VariationStart,
    /// `)`
    VariationEnd,
    /// `1-0`, `0-1`, `1/2-1/2`, `*`
    Result(GameResult),
}

/// The tokens of a movetext, each with its place in it.
#[derive(Debug, Clone)]
pub struct MoveTokens<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> MoveTokens<'a> {
    /// The tokens of this movetext.
    pub fn new(movetext: &'a [u8]) -> MoveTokens<'a> {
        MoveTokens {
            text: movetext,
            at: 0,
        }
    }

    /// Skips everything that separates tokens; returns the next byte, if there is one.
    fn next_byte(&mut self) -> Option<u8> {
        loop {
            match *self.text.get(self.at)? {
                b'%' if self.at == 0 || self.text[self.at - 1] == b'\n' => self.skip_line(),
                b' ' | b'\n' | b'\r' | b'\t' | b'\x0b' | b'\x0c' | b'.' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += memchr(b'\n', rest).unwrap_or(rest.len());
    }

    fn brace_comment(&mut self) -> Token<'a> {
        let text = &self.text[self.at + 1..];
        match memchr(b'}', text) {
            Some(length) => {
                self.at += length + 2;
                Token::Comment(&text[..length])
            }
            None => {
                self.at = self.text.len();
                Token::OpenComment
            }
        }
    }

    fn line_comment(&mut self) -> Token<'a> {
        let start = self.at + 1;
        self.skip_line();
        Token::Comment(&self.text[start..self.at])
    }

    /// A number, a result, or castling written with zeros. A move directly after a number (`1e4`) is a separate token.
    fn number_or_word(&mut self) -> Token<'a> {
        let digits = length_of(&self.text[self.at..], u8::is_ascii_digit);
        let after = self.text.get(self.at + digits);
        let number = |&byte: &u8| !is_word(byte) || byte.is_ascii_alphabetic();
        if after.is_none_or(number) && !self.text[self.at..].starts_with(b"00") {
            self.at += digits;
            return Token::MoveNumber;
        }
        self.word()
    }

    /// A move or a result; a byte that belongs to neither becomes an unreadable move.
    fn word(&mut self) -> Token<'a> {
        let mut word = self.take(0, |&byte| is_word(byte));
        if word.is_empty() {
            word = &self.text[self.at..=self.at];
            self.at += 1;
        }
        if word.ends_with(b"e") {
            word = self.without_remark(word);
            if word.is_empty() {
                return Token::Remark;
            }
        }
        GameResult::parse(word).map_or(Token::Move(word), Token::Result)
    }

    /// A word without the `e` of a following `e.p.`; skips the rest of the remark.
    fn without_remark(&mut self, word: &'a [u8]) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let after = match rest {
            [b'.', b'p', b'.', ..] => 3,
            [b'.', b'p', ..] => 2,
            _ => return word,
        };
        if rest.get(after).is_some_and(|&byte| is_word(byte)) {
            return word;
        }
        self.at += after;
        &word[..word.len() - 1]
    }

    /// Takes `skipped` bytes and those after them that qualify; returns the latter.
    fn take(&mut self, skipped: usize, qualifies: impl Fn(&u8) -> bool) -> &'a [u8] {
        let rest = &self.text[self.at + skipped..];
        let length = length_of(rest, qualifies);
        self.at += skipped + length;
        &rest[..length]
    }
}

/// Whether a byte continues a move: anything but blanks and PGN's special characters, of which `*` and `.` are complete
/// tokens (specification, 7).
fn is_word(byte: u8) -> bool {
    const WORD: [bool; 256] = {
        let mut table = [true; 256];
        let ends = b" \n\r\t\x0b\x0c{}()[]<>;$!?*.";
        let mut at = 0;
        while at < ends.len() {
            table[ends[at] as usize] = false;
            at += 1;
        }
        table
    };
    WORD[usize::from(byte)]
}

impl<'a> Iterator for MoveTokens<'a> {
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<(usize, Token<'a>)> {
        let byte = self.next_byte()?;
        let place = self.at;
        let token = match byte {
            b'{' => self.brace_comment(),
            b';' => self.line_comment(),
            b'(' | b')' => {
                self.at += 1;
                [Token::VariationStart, Token::VariationEnd][usize::from(byte == b')')]
            }
            b'$' => {
                self.take(1, u8::is_ascii_digit);
                Token::Nag
            }
            b'!' | b'?' => {
                self.take(0, |byte| matches!(byte, b'!' | b'?'));
                Token::Nag
            }
            b'0'..=b'9' => self.number_or_word(),
            _ => self.word(),
        };
        Some((place, token))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        MoveTokens::new(text.as_bytes())
            .map(|(_, token)| token)
            .collect()
    }

    #[test]
    fn every_kind() {
        use Token::*;
        assert_eq!(
            tokens("1.e4! {good} e5?? $19 (1... c5) 2 . 0-0-0; rest\n%no\n1/2-1/2"),
            [
                MoveNumber,
                Move(b"e4"),
                Nag,
                Comment(b"good"),
                Move(b"e5"),
                Nag,
                Nag,
                VariationStart,
                MoveNumber,
                Move(b"c5"),
                VariationEnd,
                MoveNumber,
                Move(b"0-0-0"),
                Comment(b" rest"),
                Result(GameResult::Drawn),
            ]
        );
    }

    #[test]
    fn open_ends() {
        assert_eq!(
            tokens("e4 {never"),
            [Token::Move(b"e4"), Token::OpenComment]
        );
        assert_eq!(tokens("12"), [Token::MoveNumber]);
        assert_eq!(tokens("$"), [Token::Nag]);
        assert_eq!(tokens("]"), [Token::Move(b"]")]);
    }

    #[test]
    fn tokens_that_end_themselves() {
        use Token::*;
        assert_eq!(
            tokens("1e4 e5.2.Nf3*"),
            [
                MoveNumber,
                Move(b"e4"),
                Move(b"e5"),
                MoveNumber,
                Move(b"Nf3"),
                Result(GameResult::Unknown)
            ]
        );
        let remarks = "exd6 e.p. exd6e.p. exd6 e.p exd6 ep e.5";
        let captures: [Token<'_>; 9] = [
            Move(b"exd6"),
            Remark,
            Move(b"exd6"),
            Move(b"exd6"),
            Remark,
            Move(b"exd6"),
            Move(b"ep"),
            Move(b"e"),
            MoveNumber,
        ];
        assert_eq!(tokens(remarks), captures);
    }

    #[test]
    fn results_are_no_numbers() {
        assert_eq!(
            tokens("1-0"),
            [Token::Result(GameResult::Won(crate::chess::Color::White))]
        );
        assert_eq!(tokens("*"), [Token::Result(GameResult::Unknown)]);
    }
}
