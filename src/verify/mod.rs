//! Is everything in a PGN file true? Every game is replayed by the rules core.
//!
//! | file | what |
//! |---|---|
//! | `start` | start number and castling rights against the FEN; on request: `SetUp`, move numbers, marks of check and mate |
//! | `ending` | result, `Termination` and `PlyCount` against the final position; moves after the end; tablebases |

mod ending;
mod start;

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

use crate::chess::{Ending, SanError};
use crate::pgn::{PgnError, PgnErrorKind, PgnPlace, RawGame, Style, read_in_parallel};
use crate::tablebase::Tablebase;

/// The amount read, and the number of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Games, including those that were left out.
    pub games: u64,
    /// Half-moves that were played.
    pub moves: u64,
    /// What is wrong.
    pub findings: u64,
    /// What is odd.
    pub warnings: u64,
}

impl std::ops::AddAssign for Summary {
    fn add_assign(&mut self, other: Summary) {
        self.games += other.games;
        self.moves += other.moves;
        self.findings += other.findings;
        self.warnings += other.warnings;
    }
}

/// The result for a part of a file.
#[derive(Debug, Default)]
struct PartFindings {
    games: u64,
    moves: u64,
    found: Vec<Finding>,
}

/// Additional checks.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// `SetUp`, move numbers, marks of check and mate; and badly written text counts as wrong.
    pub strict: bool,
    /// The tablebases that a result is compared to, if the board has not ended the game.
    pub tables: Option<Arc<dyn Tablebase>>,
}

/// Replays all games of a file, with all processors, and reports what is wrong or odd, in the file's order.
///
/// # Errors
/// If the input cannot be read. Whatever is wrong inside of it is a finding.
pub fn verify(
    input: impl Read,
    options: Options,
    mut report: impl FnMut(Finding),
) -> io::Result<Summary> {
    let mut summary = Summary::default();
    let judge = |game: Result<RawGame<'_>, PgnError>, part: &mut PartFindings| match game {
        Ok(game) => {
            part.games += 1;
            part.moves += u64::from(verify_game(&game, &options, &mut part.found));
        }
        Err(error) => {
            part.games += u64::from(matches!(error.kind, PgnErrorKind::TooLong));
            part.found.push(error.into());
        }
    };
    read_in_parallel(input, judge, |part, games_before| {
        summary.games += part.games;
        summary.moves += part.moves;
        for mut finding in part.found {
            finding.place.game += games_before;
            if options.strict && finding.level == FindingLevel::ErrorIfStrict {
                finding.level = FindingLevel::Error;
            }
            if finding.is_warning() {
                summary.warnings += 1;
            } else {
                summary.findings += 1;
            }
            report(finding);
        }
    })?;
    Ok(summary)
}

/// Replays a game; the number of half-moves that could be played.
fn verify_game(game: &RawGame<'_>, options: &Options, found: &mut Vec<Finding>) -> u32 {
    let warnings = game.warnings().into_iter().map(|warning| {
        let finding = Finding::error(game, warning.line, 0, warning.words);
        finding.warning_if(warning.may_be_meant)
    });
    found.extend(warnings);
    let mut replay = match game.replay() {
        Ok(replay) => replay,
        Err(error) => {
            found.push(error.into());
            return 0;
        }
    };
    start::check(game, replay.start(), found);
    let finished = replay.finish();
    found.extend(replay.styles().map(Finding::from));
    match finished {
        Ok(()) => {
            ending::check(game, &replay, found);
            ending::check_moves_after_end(game, &replay, found);
            if let Some(tables) = &options.tables {
                ending::check_against_tables(game, &replay, tables.as_ref(), found);
            }
            if options.strict {
                start::check_strictly(game, found);
            }
        }
        Err(error) => found.push(error.into()),
    }
    replay.plies()
}

// What is wrong or odd in a game, in words, and its place.

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
    /// An error in a line of a game, after a number of half-moves.
    fn error(game: &RawGame<'_>, line: u64, ply: u32, words: impl Into<String>) -> Finding {
        let game = game.number();
        Finding {
            place: PgnPlace { line, game, ply },
            level: FindingLevel::Error,
            words: words.into(),
        }
    }

    /// An error in a tag.
    fn in_tag(game: &RawGame<'_>, tag: &str, ply: u32, words: impl Into<String>) -> Finding {
        Finding::error(game, game.tag_line(tag), ply, words)
    }

    /// The same, only odd if this is so.
    fn warning_if(mut self, is_warning: bool) -> Finding {
        if is_warning {
            self.level = FindingLevel::Warning;
        }
        self
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
            words: style.words,
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
        Finding {
            place: error.place,
            level: FindingLevel::Error,
            words: format!("{before}{}", error.kind),
        }
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
fn described(ending: Ending) -> String {
    match ending {
        Ending::Checkmate { .. } => format!("checkmate ({ending})"),
        Ending::DeadPosition => "dead: neither side can mate".to_owned(),
        other => format!("a draw by {other}"),
    }
}
