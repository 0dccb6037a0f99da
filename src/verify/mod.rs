//! Is everything in a PGN file true? Every game is replayed by the rules core.
//!
//! | file | what |
//! |---|---|
//! | `finding` | the possible findings, in words |
//! | `start` | start number and castling rights against the FEN |
//! | `ending` | result, `Termination` and `PlyCount` against the final position; moves after the end; tablebases |
//! | `strict` | on request: `SetUp`, move numbers, marks of check and mate |

mod ending;
mod finding;
mod start;
mod strict;

use std::io::{self, Read};
use std::sync::Arc;

pub use finding::{Finding, FindingLevel};

use crate::pgn::{PgnError, PgnErrorKind, PgnPlace, RawGame, WarningKind, read_in_parallel};
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

impl PartFindings {
    fn judge(&mut self, game: Result<RawGame<'_>, PgnError>, options: &Options) {
        match game {
            Ok(game) => {
                self.games += 1;
                self.moves += u64::from(verify_game(&game, options, &mut self.found));
            }
            Err(error) => {
                self.games += u64::from(matches!(error.kind, PgnErrorKind::TooLong));
                self.found.push(error.into());
            }
        }
    }
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
pub fn verify(input: impl Read, report: impl FnMut(Finding)) -> io::Result<Summary> {
    verify_with(input, Options::default(), report)
}

/// The same, with additional checks.
///
/// # Errors
/// As [`verify`].
pub fn verify_with(
    input: impl Read,
    options: Options,
    mut report: impl FnMut(Finding),
) -> io::Result<Summary> {
    let mut summary = Summary::default();
    let judge =
        |game: Result<RawGame<'_>, PgnError>, part: &mut PartFindings| part.judge(game, &options);
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
        let place = PgnPlace {
            line: warning.line,
            game: game.number(),
            ply: 0,
        };
        let is_odd = matches!(
            warning.kind,
            WarningKind::RepeatedTag(_) | WarningKind::VariationForVariant(_)
        );
        Finding::error(place, warning.kind.to_string()).warning_if(is_odd)
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
                strict::check(game, found);
            }
        }
        Err(error) => found.push(error.into()),
    }
    replay.plies()
}
