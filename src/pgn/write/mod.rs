//! A finished game as PGN.
//!
//! | file | what |
//! |---|---|
//! | `tags` | the tag section |
//! | `movetext` | moves, comments, result |
//! | `comments` | which comments there are |
//! | `annotation` | what an engine thought, as a comment |
//! | `wrap` | words to lines of at most 79 columns |
//! | `number` | numbers, clocks and dates as text |

mod annotation;
mod comments;
mod movetext;
mod number;
mod tags;
mod wrap;

use std::collections::BTreeMap;

use crate::chess::start::Variant;
use crate::event::{Place, PlayedGame};

pub(crate) use comments::Comments;

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
    /// Where pairs stand in an event that is played in rounds, by their number from 0; others
    /// have the number of their pair as their round.
    pub places: BTreeMap<u64, Place>,
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
}

/// The same with these comments, where the outcome of `game` is what the arbiter has made of it.
pub(crate) fn write_game_with(
    out: &mut String,
    event: &EventTags,
    game: &PlayedGame,
    ruling: Option<&RulingTags>,
    comments: Comments,
) {
    tags::write(out, event, game, ruling);
    out.push('\n');
    movetext::write(out, &game.record, comments);
    out.push('\n');
}
