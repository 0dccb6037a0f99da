//! A game as PGN: finished or running.
//!
//! | file | what |
//! |---|---|
//! | `tags` | the tag section |
//! | `movetext` | moves, comments, result; the same in the format that the viewers of the TCEC read |
//! | `comments` | the choice of comments, and an engine's report on a move as one |
//! | this one | a game as PGN; words to lines of at most 79 columns; numbers, clocks and dates as text |

mod comments;
mod movetext;
mod tags;

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;

use crate::chess::start::Variant;
use crate::clock::GivenTime;
use crate::event::{GameNames, PlayedGame, UnixMillis};
use crate::schedule::GameLimits;
use crate::text::{is_harmful, push_number, push_padded};

pub(crate) use comments::{Comments, PgnDialect};
pub(crate) use movetext::ending_words;
pub(crate) use tags::BIDS;

/// The data of the event for the tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventTags {
    /// The tag `Event`.
    pub event: String,
    /// The tag `Site`; `?` if it is not known.
    pub site: String,
    /// The event's variant: decides `Variant` and `StartVariant`.
    pub variant: Variant,
    /// Written instead of `Chess960` as the value of `Variant` (`fischerandom`, for cutechess and TCEC's tools).
    pub variant_tag: Option<String>,
    /// The engines, in the order of [`Seat::engine`](crate::event::Seat::engine).
    pub engines: Vec<EngineTags>,
    /// The names of the games, for the tag `Round`.
    pub games: GameNames,
    /// By the number of a pair, from 0: what each of White and Black gave of its time before the games of the pair. Pairs
    /// without an entry have full time.
    pub time_given: BTreeMap<u64, [GivenTime; 2]>,
    /// The limits of games that are not those of their engines.
    pub(crate) limits: GameLimits,
}

impl EventTags {
    /// The tags of an event without rounds.
    pub fn new(event: &str, site: &str, variant: Variant, engines: Vec<EngineTags>) -> EventTags {
        EventTags {
            event: event.to_owned(),
            site: site.to_owned(),
            variant,
            variant_tag: None,
            engines,
            games: GameNames::default(),
            time_given: BTreeMap::new(),
            limits: GameLimits::default(),
        }
    }
}

/// The data of an engine for the tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineTags {
    /// The tag `White` or `Black`.
    pub name: String,
    /// The name that the engine gives itself (`id name`), if it was asked.
    pub version: Option<String>,
    /// Options that were set, in the order in which they were sent.
    pub options: Vec<(String, String)>,
    /// Its limits in the form of the tag `TimeControl`: the text of [`Limits`](crate::clock::Limits).
    pub time_control: String,
}

/// Appends a game: tags, an empty line, moves with comments and result, an empty line.
///
/// The text depends only on the arguments, byte for byte. A voided game has the result `*`; the caller must leave it
/// out.
pub fn write_game(out: &mut String, event: &EventTags, game: &PlayedGame) {
    write_game_with(out, event, game, GameEnd::Over(None), Comments::default());
}

/// The arbiter's ruling on a game, as tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RulingTags {
    /// Who decided what, when and why.
    pub words: String,
    /// The tag `Result` before the ruling.
    pub played_result: &'static str,
    /// The tag `Termination` before the ruling.
    pub played_termination: String,
    /// The last comment's text about the end of the game, before the ruling.
    pub played_ending: String,
}

/// Appends a game that was decided and not played, for which `game` has no moves: its tags and its result.
pub(crate) fn write_unplayed(out: &mut String, event: &EventTags, game: &PlayedGame, ruling: &str) {
    tags::write_unplayed(out, event, game, ruling);
    out.push('\n');
    movetext::write(out, &game.record, Comments::NONE, true);
    out.push('\n');
}

/// Whether a game is over.
#[derive(Debug, Clone, Copy)]
pub(crate) enum GameEnd<'a> {
    /// It is played: its outcome and its end are ignored, and its result is `*`.
    Open,
    /// Its outcome is the arbiter's, if there is a ruling.
    Over(Option<&'a RulingTags>),
}

/// Appends a game with these comments.
pub(crate) fn write_game_with(
    out: &mut String,
    event: &EventTags,
    game: &PlayedGame,
    end: GameEnd<'_>,
    comments: Comments,
) {
    tags::write(out, event, game, end, comments.dialect);
    out.push('\n');
    let is_over = matches!(end, GameEnd::Over(_));
    movetext::write(out, &game.record, comments, is_over);
    out.push('\n');
}

// Words to lines, and texts that fit into comments: PGN's export format has fewer than 80 columns (specification, 4.3).

/// Maximum length of a line, without its end.
const LINE: usize = 79;

/// Appends words to a text, each after a space, or after a line end if the line would become too long.
///
/// Words are written directly into the text: the space before a word is replaced by the line end if the finished word
/// is too long for the line.
struct WrappedWords<'a> {
    out: &'a mut String,
    /// Start of the line that is being written.
    line: usize,
    /// Place of the space before the word that is being written.
    space: usize,
}

impl<'a> WrappedWords<'a> {
    /// Starts with an empty line.
    fn new(out: &'a mut String) -> WrappedWords<'a> {
        let end = out.len();
        WrappedWords {
            out,
            line: end,
            space: end,
        }
    }

    /// Adds what `write` appends as one word, which is never split between lines.
    fn word(&mut self, write: impl FnOnce(&mut String)) {
        self.space = self.out.len();
        if self.space > self.line {
            self.out.push(' ');
        }
        let word = self.out.len();
        write(self.out);
        // At the beginning of a line `%` escapes it, and `[` looks like a tag to readers that read line by line.
        let may_begin_a_line = !matches!(self.out.as_bytes().get(word), Some(b'%' | b'['));
        if word > self.space && self.out.len() - self.line > LINE && may_begin_a_line {
            self.out.replace_range(self.space..word, "\n");
            self.line = word;
        }
    }

    /// Adds a word.
    fn text(&mut self, word: &str) {
        self.word(|out| out.push_str(word));
    }

    /// Adds a comment of these words.
    fn comment<'t>(&mut self, words: impl Iterator<Item = &'t str>) {
        let mut words = words.peekable();
        let mut opening = "{";
        while let Some(word) = words.next() {
            let closing = if words.peek().is_none() { "}" } else { "" };
            self.word(|out| out.extend([opening, word, closing]));
            opening = "";
        }
    }

    /// Ends the last line.
    fn end(self) {
        self.out.push('\n');
    }
}

/// A text that is safe in a comment: a closing brace would end the comment.
fn printable(text: &str) -> String {
    let replace = |character: char| match character {
        '{' => '(',
        '}' => ')',
        other if is_harmful(other) => ' ',
        other => other,
    };
    text.chars().map(replace).collect()
}

/// Appends a time as `h:mm:ss`, with milliseconds up to the last digit that is not zero; shorter fractions are cut off,
/// so that no clock shows more than it has.
fn push_clock(out: &mut String, time: Duration) {
    let seconds = time.as_secs();
    push_number(out, seconds / 3600);
    out.push(':');
    push_padded(out, seconds / 60 % 60, 2);
    out.push(':');
    push_padded(out, seconds % 60, 2);
    let millis = u64::from(time.subsec_millis());
    if millis > 0 {
        out.push('.');
        push_padded(out, millis, 3);
        out.truncate(out.trim_end_matches('0').len());
    }
}

/// A moment in ISO 8601, UTC, with milliseconds: `2026-11-20T11:26:23.394Z`; `None` outside the years -9999 to 9999.
fn iso(at: UnixMillis) -> Option<String> {
    let moment = Timestamp::from_millisecond(at.0).ok()?;
    Some(format!("{moment:.3}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(words: &[&str]) -> String {
        let mut out = String::from("before\n");
        let mut lines = WrappedWords::new(&mut out);
        words.iter().for_each(|word| lines.text(word));
        lines.end();
        out
    }

    #[test]
    fn no_line_has_80_columns() {
        let text = wrapped(&["twenty-one-characters"; 40]);
        assert!(text.lines().all(|line| line.len() < 80), "{text}");
        assert_eq!(text.split_whitespace().count(), 41);
    }

    #[test]
    fn a_word_longer_than_a_line_has_a_line_to_itself() {
        let long = "x".repeat(100);
        assert_eq!(
            wrapped(&["a", &long, "b"]),
            format!("before\na\n{long}\nb\n")
        );
    }

    #[test]
    fn no_line_begins_like_an_escape_or_a_tag() {
        let long = "x".repeat(79);
        assert_eq!(
            wrapped(&[&long, "%clk", "[b"]),
            format!("before\n{long} %clk [b\n")
        );
    }

    fn text(write: impl Fn(&mut String)) -> String {
        let mut out = String::new();
        write(&mut out);
        out
    }

    #[test]
    fn clocks_show_no_more_than_they_have() {
        let clock = |millis| text(|out| push_clock(out, Duration::from_micros(millis)));
        assert_eq!(clock(9_800_000), "0:00:09.8");
        assert_eq!(clock(3_723_000_999), "1:02:03");
        assert_eq!(clock(60_050_000), "0:01:00.05");
    }

    #[test]
    fn moments_are_in_utc() {
        let moment = |millis| iso(UnixMillis(millis));
        let expected = Some("2020-11-23T16:18:27.275Z".to_owned());
        assert_eq!(moment(1_606_148_307_275), expected);
        let expected = Some("2020-11-23T16:18:27.000Z".to_owned());
        assert_eq!(moment(1_606_148_307_000), expected);
        assert_eq!(moment(i64::MAX), None);
    }
}
