//! Finds the end of a game by skipping: comments and moves are not read.
//!
//! A game ends where a tag begins outside of a comment, and where `1.` follows a result, on the same line or the next.
//! If there are no tags, any move on the line after a result begins a game. A comment that is never closed would
//! swallow the following games. So a comment ends at a line `[Event "` inside it, if an opening brace comes after that
//! line and before the closing brace.

use std::ops::ControlFlow::{self, Break, Continue};

use memchr::{memchr, memchr2, memchr3};

use super::tag::{Seams, TagSpan, begins_like_a_tag, length_of, read};

/// The beginning of nearly every game.
const EVENT: &[u8] = b"[Event \"";

/// Maximum number of lines on which the end of a tag is searched.
const LINES_OF_A_TAG: usize = 16;

/// The parts of a game that begins at the start of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    /// Where the moves begin.
    pub(super) movetext: usize,
    /// The end of the game.
    pub(super) end: usize,
}

/// A text that begins with a game.
pub(super) struct Scan<'a> {
    /// The text that was read so far.
    pub(super) text: &'a [u8],
    /// Whether this is all of the text.
    pub(super) at_end: bool,
}

/// Where to continue, or where the game ends.
type NextPlace = ControlFlow<usize, usize>;

impl Scan<'_> {
    /// Finds the extent of the game, its tags and the lines that look like
    /// tags but cannot be read; `None` if more text is needed to know.
    pub(super) fn game(
        &self,
        tags: &mut Vec<TagSpan>,
        unreadable: &mut Vec<usize>,
    ) -> Option<Extent> {
        tags.clear();
        unreadable.clear();
        let (movetext, end) = match self.tag_section(tags, unreadable)? {
            Break(end) => (end, end),
            Continue(movetext) => (movetext, self.movetext_end(movetext, tags.is_empty())?),
        };
        Some(Extent { movetext, end })
    }

    /// Where the moves begin, or where the next game does.
    fn tag_section(
        &self,
        tags: &mut Vec<TagSpan>,
        unreadable: &mut Vec<usize>,
    ) -> Option<NextPlace> {
        let mut at = 0;
        let mut line_ends = 0;
        loop {
            match self.text.get(at) {
                None => return self.at_end.then_some(Continue(at)),
                Some(b'\n') => {
                    line_ends += 1;
                    at += 1;
                }
                Some(byte) if byte.is_ascii_whitespace() => at += 1,
                Some(b'%') if at == 0 || self.text[at - 1] == b'\n' => at = self.line_end(at)?,
                Some(b';') => at = self.line_end(at)?,
                Some(b'[') => {
                    let line_end = self.line_end(at)?;
                    match self.tag(at, line_end)? {
                        Some(tag) if self.begins_next_game(tags, &tag, line_ends > 1) => {
                            return Some(Break(at));
                        }
                        Some(tag) => {
                            at = tag.end;
                            tags.push(tag);
                        }
                        None => {
                            unreadable.push(at);
                            at = line_end;
                        }
                    }
                    line_ends = 0;
                }
                Some(_) => return Some(Continue(at)),
            }
        }
    }

    /// The tag at a place. The inner `None` means that no tag is there, the outer one that more text is needed to know.
    /// White space is allowed between the parts of a tag, also line ends (specification, 7), up to an empty line or one
    /// that begins with a bracket.
    fn tag(&self, at: usize, line_end: usize) -> Option<Option<TagSpan>> {
        let mut end = line_end;
        for _ in 0..LINES_OF_A_TAG {
            if let Some(tag) = read(&self.text[at..end]) {
                return Some(Some(tag.shifted(at)));
            }
            // A bracket ends the line: the tag cannot be read, and does not continue on the next.
            let closed = self.text[at..end].trim_ascii_end().ends_with(b"]");
            if closed || end + 1 > self.text.len() {
                return (closed || self.at_end).then_some(None);
            }
            let next_end = self.line_end(end + 1)?;
            let line = self.text[end + 1..next_end].trim_ascii();
            if line.is_empty() || line.starts_with(b"[") {
                break;
            }
            end = next_end;
        }
        Some(None)
    }

    /// Whether a tag belongs to the next game, after a game that has only tags.
    fn begins_next_game(&self, tags: &[TagSpan], tag: &TagSpan, after_empty_line: bool) -> bool {
        let name = |tag: &TagSpan| &self.text[tag.name.clone()];
        let Some(first) = tags.first() else {
            return false;
        };
        match name(tag) {
            b"Event" => after_empty_line || tags.iter().any(|tag| name(tag) == b"Event"),
            other => after_empty_line && other == name(first),
        }
    }

    fn movetext_end(&self, from: usize, tagless: bool) -> Option<usize> {
        let mut at = from;
        let mut seams = Seams::new(self.text, tagless);
        loop {
            let found = memchr3(b'\n', b'{', b';', &self.text[at..]);
            if found.is_none() && !self.at_end {
                return None;
            }
            let here = found.map_or(self.text.len(), |found| at + found);
            if let Some(end) = seams.next_game(at..here) {
                return Some(end);
            }
            let next = match self.text.get(here) {
                None => return Some(here),
                Some(b'{') => self.after_comment(here)?,
                Some(b';') => Continue(self.line_end(here)?),
                Some(_) => self.after_line_end(&seams, here)?,
            };
            match next {
                Continue(next) => at = next,
                Break(end) => return Some(end),
            }
        }
    }

    fn after_line_end(&self, seams: &Seams<'_>, line_end: usize) -> Option<NextPlace> {
        let line = line_end + 1;
        let rest = self.text.get(line..)?;
        let at = line + length_of(rest, |byte| matches!(byte, b' ' | b'\t' | b'\r'));
        Some(match self.text.get(at) {
            None if !self.at_end => return None,
            Some(b'[') if self.tag_begins(at)? => Break(at),
            Some(b'%') if at == line => Continue(self.line_end(at)?),
            Some(_) if seams.after_result => {
                if seams.begins_game(&self.text[at..self.line_end(at)?]) {
                    Break(at)
                } else {
                    Continue(at)
                }
            }
            _ => Continue(at),
        })
    }

    /// Whether a tag begins here, its value on the same line or on the next.
    fn tag_begins(&self, at: usize) -> Option<bool> {
        let line_end = self.line_end(at)?;
        let line = &self.text[at..line_end];
        if begins_like_a_tag(line) {
            return Some(true);
        }
        let name = line[1..].trim_ascii();
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        if !name.iter().all(is_name) {
            return Some(false);
        }
        let next_end = match self.text.get(line_end + 1..) {
            Some(_) => self.line_end(line_end + 1)?,
            None if self.at_end => line_end,
            None => return None,
        };
        Some(begins_like_a_tag(&self.text[at..next_end]))
    }

    fn after_comment(&self, open: usize) -> Option<NextPlace> {
        let text = &self.text[open + 1..];
        let close = memchr(b'}', text);
        match (find_event(&text[..close.unwrap_or(text.len())]), close) {
            (Some(line), _) => self.after_suspicious_comment(open + 1 + line),
            (None, Some(length)) => Some(Continue(open + length + 2)),
            (None, None) => self.at_end.then_some(Continue(self.text.len())),
        }
    }

    /// Decides about a comment that contains a line that looks like the start of a game.
    fn after_suspicious_comment(&self, line: usize) -> Option<NextPlace> {
        match memchr2(b'{', b'}', &self.text[line..]) {
            Some(brace) if self.text[line + brace] == b'}' => Some(Continue(line + brace + 1)),
            None if !self.at_end => None,
            _ => Some(Break(line)),
        }
    }

    /// The end of the line, without the line end itself; `None` if it was not read yet.
    fn line_end(&self, from: usize) -> Option<usize> {
        match memchr(b'\n', &self.text[from..]) {
            Some(length) => Some(from + length),
            None => self.at_end.then_some(self.text.len()),
        }
    }
}

/// The first line of a text that begins a game, not counting the line at its start.
pub(super) fn find_event(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr(b'\n', text.get(at..)?)? + 1;
        if text[at..].starts_with(EVENT) {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str, at_end: bool) -> Option<(usize, Extent)> {
        let (mut tags, mut unreadable) = (Vec::new(), Vec::new());
        let scan = Scan {
            text: text.as_bytes(),
            at_end,
        };
        let extent = scan.game(&mut tags, &mut unreadable)?;
        Some((tags.len(), extent))
    }

    /// The number of tags, the moves, and what is left for the next game.
    fn parts(text: &str) -> (usize, &str, &str) {
        let (tags, extent) = scan(text, true).expect("the text is complete");
        (
            tags,
            text[extent.movetext..extent.end].trim_end(),
            &text[extent.end..],
        )
    }

    #[test]
    fn a_game_ends_before_the_next_tag() {
        let text = "[Event \"a\"]\n[Site \"b\"]\n\n1. e4\ne5 1-0\n\n[Event \"c\"]\n";
        assert_eq!(parts(text), (2, "1. e4\ne5 1-0", "[Event \"c\"]\n"));
    }

    #[test]
    fn tags_in_comments_are_comments() {
        let comment = "1. e4 {\n[Event \"x\"]\n} e5 ; [Event \"y\"]\n%[Event \"z\"]\n*";
        let text = format!("[Event \"a\"]\n\n{comment}\n");
        assert_eq!(parts(&text), (1, comment, ""));
    }

    #[test]
    fn an_open_comment_does_not_swallow_the_next_game() {
        let text = "[Event \"a\"]\n\n1. e4 {oh\n\n[Event \"b\"]\n\n1. d4 {x} *\n";
        assert_eq!(parts(text).2, "[Event \"b\"]\n\n1. d4 {x} *\n");
    }

    #[test]
    fn games_may_have_tags_only_or_moves_only() {
        assert_eq!(
            parts("[Event \"a\"]\n\n[Event \"b\"]\n").2,
            "[Event \"b\"]\n"
        );
        assert_eq!(
            parts("[White \"a\"]\n\n[White \"b\"]\n").2,
            "[White \"b\"]\n"
        );
        assert_eq!(parts("[FEN \"a\"]\n[FEN \"b\"]\n\n*\n"), (2, "*", ""));
        assert_eq!(
            parts("1. e4 1-0\n\n1. d4 *\n"),
            (0, "1. e4 1-0", "1. d4 *\n")
        );
    }

    #[test]
    fn a_game_may_begin_on_the_line_of_a_result() {
        for (text, next) in [
            (
                "1. e4 e5 1-0 [Event \"b\"]\n\n1. d4 *\n",
                "[Event \"b\"]\n\n1. d4 *\n",
            ),
            ("1. e4 e5* 1. d4 *\n", "1. d4 *\n"),
            ("1. O-O-O 1/2-1/2 1. d4 *\n", "1. d4 *\n"),
            ("1. e4 1-0 {a} 1. d4 *\n", "1. d4 *\n"),
            ("1. e4 1-0 {a}\n1. d4 *\n", "1. d4 *\n"),
            ("e4 e5 1-0\nd4 d5 0-1\n", "d4 d5 0-1\n"),
            ("e4 e5 1-0 ; 1-0\nd4 d5 0-1\n", "d4 d5 0-1\n"),
        ] {
            assert_eq!(parts(text).2, next, "{text}");
        }
    }

    #[test]
    fn what_follows_a_result_is_no_game() {
        for text in [
            "1. e4 e5 1-0 2. Nf3\n",
            "1. e4 e5 1-0\n2. Nf3\n",
            "1. e4 ; 1-0\n1. e5\n",
            "1. e4 {1-0}\n1... e5\n",
            "1. e4 e5 1-0\n\n$1 (e5) hello\n",
            "1. O-O 1.e5 *\n",
        ] {
            assert_eq!(parts(text).2, "", "{text}");
        }
        assert_eq!(parts("[White \"a\"]\n\ne4 1-0\ne5\n").2, "");
    }

    #[test]
    fn a_tag_may_have_several_lines() {
        let text = "[Event\n\"a\"\n]\n[Site \"b\nc\"]\n\n1. e4 *\n[Event\n\"d\"]\n";
        assert_eq!(parts(text), (2, "1. e4 *", "[Event\n\"d\"]\n"));
        // A line that begins with a bracket, or an empty line, ends a broken tag.
        assert_eq!(parts("[Event \"a\n[Site \"b\"]\n\n*").0, 1);
        assert_eq!(parts("[Event \"a\n\n\"]\n\n*").0, 0);
    }

    #[test]
    fn an_incomplete_game_asks_for_more() {
        for text in [
            "[Event \"a\"]\n\n1. e4 {c} ; d\n%\n1-0\n\n[Event \"b\"]\n",
            "[Event\n\"a\"]\n\n1. e4 * [Event \"b\"]\n",
            "[Event\n\"a\"]\n\n1. e4 *\n[Event\n\"b\"]\n",
            "1. e4 O-O 1-0 {a} 1. d4 *\n",
            "e4 e5 0-1\nd4 d5 0-1\n",
        ] {
            let complete = scan(text, false).expect("the next game has begun");
            for length in 1..text.len() {
                if let Some(early) = scan(&text[..length], false) {
                    assert_eq!(early, complete, "{text:?} after {length} bytes");
                }
            }
        }
    }
}
