//! A game as PGN: a finished one, or one that runs.
//!
//! | file | what |
//! |---|---|
//! | `tags` | the tag section |
//! | `movetext` | moves, comments, result |
//! | `comments` | which comments there are |
//! | `annotation` | what an engine thought, as a comment |
//! | `tcec` | the same as the viewers of the TCEC read it |
//! | `wrap` | words to lines of at most 79 columns |
//! | `number` | numbers, clocks and dates as text |

mod annotation;
mod comments;
mod movetext;
mod number;
mod tags;
mod tcec;
mod wrap;

use std::collections::BTreeMap;

use crate::chess::start::Variant;
use crate::event::{GameNames, PlayedGame};

pub(crate) use comments::{Comments, PgnDialect};
pub(crate) use movetext::ending_words;

/// What the tags need to know about the event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventTags {
    /// The tag `Event`.
    pub event: String,
    /// The tag `Site`; `?` if nobody knows.
    pub site: String,
    /// The event's variant: decides `Variant` and `StartVariant`.
    pub variant: Variant,
    /// Written instead of `Chess960` where that is the value of `Variant`
    /// (`fischerandom`, for cutechess and TCEC's tools).
    pub variant_tag: Option<String>,
    /// The engines, in the order of [`Seat::engine`](crate::event::Seat::engine).
    pub engines: Vec<EngineTags>,
    /// What the games are called: the tag `Round`.
    pub games: GameNames,
    /// How much of its time White and Black gave away before the games of a pair, percent, by the pair's
    /// number from 0; nothing in the others.
    pub time_given: BTreeMap<u64, [u8; 2]>,
}

/// What the tags need to know about an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineTags {
    /// The tag `White` or `Black`.
    pub name: String,
    /// What the engine calls itself (`id name`), where it was asked.
    pub version: Option<String>,
    /// Options that were set, in the order in which they were sent.
    pub options: Vec<(String, String)>,
    /// Its limits as the tag `TimeControl` has them: the text of
    /// [`Limits`](crate::clock::Limits).
    pub time_control: String,
}

/// Appends a game: tags, an empty line, moves with comments and result, an empty line.
///
/// The text depends on nothing but the arguments, byte for byte. A voided game
/// has the result `*`; it is for the caller to leave it out.
pub fn write_game(out: &mut String, event: &EventTags, game: &PlayedGame) {
    write_game_with(out, event, game, None, Comments::default());
}

/// What the arbiter has made of a game, as tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RulingTags {
    /// Who decided what, when and why.
    pub words: String,
    /// The tag `Result` of the game as it was played.
    pub played_result: &'static str,
    /// The tag `Termination` of the game as it was played.
    pub played_termination: String,
    /// What the last comment said of the end of the game as it was played.
    pub played_ending: String,
}

/// Appends a game that was decided and not played, `game` having no moves: its tags and its result.
pub(crate) fn write_unplayed(out: &mut String, event: &EventTags, game: &PlayedGame, ruling: &str) {
    tags::write_unplayed(out, event, game, ruling);
    out.push('\n');
    movetext::write(out, &game.record, Comments::NONE, true);
    out.push('\n');
}

/// The same with these comments, where the outcome of `game` is what the arbiter has made of it.
pub(crate) fn write_game_with(
    out: &mut String,
    event: &EventTags,
    game: &PlayedGame,
    ruling: Option<&RulingTags>,
    comments: Comments,
) {
    tags::write(out, event, game, &tags::End::Over(ruling), comments.dialect);
    out.push('\n');
    movetext::write(out, &game.record, comments, true);
    out.push('\n');
}

/// Appends a game that runs: its outcome and its end are not looked at, and its result is `*`.
pub(crate) fn write_running_game(
    out: &mut String,
    event: &EventTags,
    game: &PlayedGame,
    comments: Comments,
) {
    tags::write(out, event, game, &tags::End::Open, comments.dialect);
    out.push('\n');
    movetext::write(out, &game.record, comments, false);
    out.push('\n');
}
