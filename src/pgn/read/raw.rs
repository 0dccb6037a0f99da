//! A game as written in the file: tags at hand, moves only when asked for.

use std::borrow::Cow;
use std::{fmt, io};

use memchr::memchr_iter;

use crate::chess::SanError;
use crate::pgn::GameResult;

use super::start::{GameStart, StartTagError, named_variant};
use super::tag::{TagSpan, decode, looks_like_a_move};
use super::{MAX_GAME_BYTES, MoveTokens, Replay};

/// One game of a file. Borrows the reader's buffer: nothing has been copied, and the moves have not been read.
#[derive(Debug, Clone, Copy)]
pub struct RawGame<'a> {
    pub(super) text: &'a [u8],
    pub(super) tags: &'a [TagSpan],
    pub(super) unreadable: &'a [usize],
    pub(super) movetext: usize,
    pub(super) number: u64,
    pub(super) line: u64,
}

impl<'a> RawGame<'a> {
    /// The number of this game in the file, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The line on which it begins, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The line of a byte of the game's text; the first byte of the tags is 0.
    pub fn line_at(&self, offset: usize) -> u64 {
        let before = &self.text[..offset.min(self.text.len())];
        self.line + memchr_iter(b'\n', before).count() as u64
    }

    /// Tags and moves as written in the file.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The moves, comments and result as written in the file.
    pub fn movetext(&self) -> &'a [u8] {
        &self.text[self.movetext..]
    }

    /// The movetext's tokens.
    pub fn tokens(&self) -> MoveTokens<'a> {
        MoveTokens::new(self.movetext())
    }

    /// Every tag with its value, in the file's order.
    pub fn tags(&self) -> impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)> {
        let game = *self;
        let both = move |tag| (decode(game.name(tag)), game.value(tag));
        self.tags.iter().map(both)
    }

    /// A tag's value; if several tags have this name, the last. Upper and lower case of the name are the same (`Setup`
    /// for `SetUp` is common).
    pub fn tag(&self, name: &str) -> Option<Cow<'a, str>> {
        self.find(name).map(|tag| self.value(tag))
    }

    /// The line of a tag, or the game's first line if the tag is missing.
    pub fn tag_line(&self, name: &str) -> u64 {
        let tag = self.find(name);
        tag.map_or(self.line, |tag| self.line_at(tag.name.start))
    }

    /// The tag `Result`; `None` if it is missing or cannot be read.
    pub fn result(&self) -> Option<GameResult> {
        GameResult::parse(self.tag("Result")?.trim().as_bytes())
    }

    /// The start position and the rules of the game.
    ///
    /// # Errors
    /// A variant that is not supported, an invalid FEN, a start number out of range.
    pub fn start(&self) -> Result<GameStart, StartTagError> {
        GameStart::from_tags(self)
    }

    /// The game's moves, to be played one by one.
    ///
    /// # Errors
    /// As [`RawGame::start`], with the place.
    pub fn replay(&self) -> Result<Replay<'a>, PgnError> {
        match self.start() {
            Ok(start) => Ok(Replay::new(*self, start)),
            Err(error) => {
                let tag = self.find(error.tag).map_or(0, |tag| tag.name.start);
                Err(PgnError::at(self, tag, 0, PgnErrorKind::Start(error)))
            }
        }
    }

    /// Oddities in the tags that can still be read, in the order of the lines.
    pub fn warnings(&self) -> Vec<Warning> {
        let unreadable = self.unreadable.iter();
        let unreadable = unreadable.map(|&at| (at, false, "a tag that cannot be read".to_owned()));
        let odd = unreadable.chain(self.repeated_tags());
        let mut odd: Vec<(usize, bool, String)> = odd.chain(self.variation_tags()).collect();
        odd.sort_by_key(|&(at, ..)| at);
        let lines: Vec<u64> = lines_of(self, odd.iter().map(|&(at, ..)| at)).collect();
        let warning = |((_, may_be_meant, words), line)| Warning {
            line,
            words,
            may_be_meant,
        };
        odd.into_iter().zip(lines).map(warning).collect()
    }

    /// Tags that have another value than the previous tag of the same name: the last is used.
    fn repeated_tags(&self) -> Vec<(usize, bool, String)> {
        let mut sorted: Vec<&TagSpan> = self.tags.iter().collect();
        sorted.sort_by_key(|tag| (self.name(tag), tag.name.start));
        let repeats = |pair: &&[&TagSpan]| {
            self.name(pair[0]) == self.name(pair[1]) && self.value(pair[0]) != self.value(pair[1])
        };
        let repeated = |pair: &[&TagSpan]| {
            let name = decode(self.name(pair[1]));
            let words = format!("tag {name} repeated with another value: the last counts");
            (pair[1].name.start, true, words)
        };
        sorted.windows(2).filter(repeats).map(repeated).collect()
    }

    /// Tags `Variation`, which names an opening, that seem to be meant as `Variant`, if that tag is missing.
    fn variation_tags(&self) -> Vec<(usize, bool, String)> {
        if self.find("Variant").is_some() {
            return Vec::new();
        }
        let tags = self.tags.iter();
        let variations = tags.filter(|tag| self.name(tag) == b"Variation");
        let odd = |tag: &TagSpan| {
            let value = self.value(tag);
            named_variant(&value)?;
            let words = format!("tag Variation \"{value}\": did they mean Variant?");
            Some((tag.name.start, true, words))
        };
        variations.filter_map(odd).collect()
    }

    /// Whether this is a game: it has tags, or its text begins with moves.
    pub(super) fn is_game(&self) -> bool {
        !self.tags.is_empty() || self.tokens().find_map(begins_game) == Some(true)
    }

    fn find(&self, name: &str) -> Option<&'a TagSpan> {
        let named = |tag: &&TagSpan| self.name(tag).eq_ignore_ascii_case(name.as_bytes());
        self.tags.iter().rev().find(named)
    }

    fn name(&self, tag: &TagSpan) -> &'a [u8] {
        &self.text[tag.name.clone()]
    }

    fn value(&self, tag: &TagSpan) -> Cow<'a, str> {
        decode(&self.text[tag.value.clone()])
    }
}

/// The lines of these places in a game, which must be ascending, so that each byte is read once.
pub(super) fn lines_of(
    game: &RawGame<'_>,
    places: impl Iterator<Item = usize>,
) -> impl Iterator<Item = u64> {
    places.scan((0, game.line), move |(before, line), place| {
        *line += memchr_iter(b'\n', &game.text[*before..place]).count() as u64;
        *before = place;
        Some(*line)
    })
}

/// Whether the first token that is not a comment looks like part of a game.
fn begins_game((_, token): (usize, super::Token<'_>)) -> Option<bool> {
    use super::Token::*;
    match token {
        MoveNumber | Result(_) => Some(true),
        Move(word) => Some(looks_like_a_move(word)),
        Comment(_) | Nag | Remark => None,
        OpenComment | VariationStart | VariationEnd => Some(false),
    }
}

// What can be wrong with a game, and where.

/// A place in a file of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PgnPlace {
    /// The line, from 1.
    pub line: u64,
    /// The game, from 1; 0 before the first.
    pub game: u64,
    /// The half-move of the game, from 1; 0 before the first.
    pub ply: u32,
}

impl fmt::Display for PgnPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PgnPlace { line, game, ply } = self;
        write!(f, "line {line}, game {game}, ply {ply}")
    }
}

/// Why a game is set aside, and where. Reading continues with the next game.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {kind}")]
pub struct PgnError {
    /// The place in the file.
    pub place: PgnPlace,
    /// The reason.
    #[source]
    pub kind: PgnErrorKind,
}

/// What is wrong with a game.
#[derive(Debug, thiserror::Error)]
pub enum PgnErrorKind {
    /// The file cannot be read, or not beyond this place: no game follows.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// A game longer than the limit.
    #[error("a game of more than {} MiB", MAX_GAME_BYTES >> 20)]
    TooLong,
    /// The start position cannot be determined.
    #[error(transparent)]
    Start(#[from] StartTagError),
    /// A move that is illegal or cannot be read.
    #[error("{reason}")]
    Move {
        /// The move as written in the file.
        text: String,
        /// What is wrong with it.
        reason: SanError,
    },
    /// What cannot be played here, for another reason.
    #[error("{0}")]
    AtMove(String),
    /// What is no game, or cannot be read as one.
    #[error("{0}")]
    Form(&'static str),
}

/// Something odd in a game that can still be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The line, from 1.
    pub line: u64,
    /// What is odd.
    pub words: String,
    /// Whether the tags may be as they were meant; else one could not be read, and was skipped.
    pub may_be_meant: bool,
}

/// Something in the moves that deviates from PGN, and can be read in only one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// The place in the file.
    pub place: PgnPlace,
    /// How it is read.
    pub words: String,
}

impl PgnError {
    /// An error at a place in a game's text.
    pub(super) fn at(game: &RawGame<'_>, offset: usize, ply: u32, kind: PgnErrorKind) -> PgnError {
        let line = game.line_at(offset);
        PgnError {
            place: PgnPlace {
                line,
                game: game.number(),
                ply,
            },
            kind,
        }
    }
}
