//! A game as PGN: finished or running.
//!
//! | file | what |
//! |---|---|
//! | `tags` | the tag section |
//! | `movetext` | moves, comments, result; the same in the format that the viewers of the TCEC read |
//! | `comments` | the choice of comments, and an engine's report on a move as one |
//! | `words` | words to lines of at most 79 columns; numbers, clocks and dates as text |

mod comments;
mod movetext;
mod tags;
mod words;

use std::collections::BTreeMap;

use crate::chess::start::Variant;
use crate::clock::GivenTime;
use crate::event::{GameNames, PlayedGame};
use crate::schedule::GameLimits;

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
