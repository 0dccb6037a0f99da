//! What is wrong or odd in a game, in words, and its place.

use std::fmt;

use crate::chess::{Ending, SanError};
use crate::pgn::{PgnError, PgnErrorKind, PgnPlace, RawGame, Style};

/// How much a finding counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingLevel {
    /// An error of the game.
    Error,
    /// An error in a strict check, else only odd.
    ErrorIfStrict,
    /// Only odd: reported, but not an error of the game.
    Warning,
}

/// Something wrong or odd, and its place.
#[derive(Debug)]
pub struct Finding {
    /// The place.
    pub place: PgnPlace,
    /// Whether it is an error.
    pub level: FindingLevel,
    /// What it is.
    pub words: String,
}

impl Finding {
    /// An error at a place.
    pub(super) fn error(place: PgnPlace, words: impl Into<String>) -> Finding {
        Finding {
            place,
            level: FindingLevel::Error,
            words: words.into(),
        }
    }

    /// An error in a tag.
    pub(super) fn in_tag(
        game: &RawGame<'_>,
        tag: &str,
        ply: u32,
        words: impl Into<String>,
    ) -> Finding {
        let place = PgnPlace {
            line: game.tag_line(tag),
            game: game.number(),
            ply,
        };
        Finding::error(place, words)
    }

    /// The same, only odd if this is so.
    pub(super) fn warning_if(self, is_warning: bool) -> Finding {
        let level = if is_warning {
            FindingLevel::Warning
        } else {
            self.level
        };
        Finding { level, ..self }
    }

    /// Whether it is only odd.
    pub fn is_warning(&self) -> bool {
        self.level != FindingLevel::Error
    }
}

impl From<Style> for Finding {
    fn from(style: Style) -> Finding {
        Finding {
            place: style.place,
            level: FindingLevel::ErrorIfStrict,
            words: style.kind.to_string(),
        }
    }
}

impl From<PgnError> for Finding {
    fn from(error: PgnError) -> Finding {
        let before = match &error.kind {
            PgnErrorKind::Move {
                reason: SanError::Malformed { .. },
                ..
            } => "unreadable move: ",
            PgnErrorKind::Move { .. } => "illegal move: ",
            _ => "",
        };
        Finding::error(error.place, format!("{before}{}", error.kind))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_warning() {
            f.write_str("warning: ")?;
        }
        f.write_str(&self.words)
    }
}

/// How a game has ended, in words.
pub(super) fn described(ending: Ending) -> String {
    match ending {
        Ending::Checkmate { .. } => format!("checkmate ({ending})"),
        Ending::DeadPosition => "dead: neither side can mate".to_owned(),
        other => format!("a draw by {other}"),
    }
}
