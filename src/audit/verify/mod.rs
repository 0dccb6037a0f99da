//! Is everything in a PGN file true? Every game is replayed by the rules core.
//!
//! | file | what |
//! |---|---|
//! | `finding` | what can be found, in words |
//! | `start` | start number and castling rights against the FEN |
//! | `ending` | result, `Termination` and `PlyCount` against the final position |

mod ending;
mod finding;
mod start;

use std::io::{self, Read};

pub use finding::{Finding, FindingKind};

use crate::pgn::{PgnErrorKind, Place, RawGame, Reader};

/// What was read, and how much of it is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Games, those that were set aside included.
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

/// Replays all games of a file and hands out what is wrong or odd, in the file's order.
///
/// # Errors
/// If the input cannot be read. Whatever is wrong inside of it is a finding.
pub fn verify(input: impl Read, mut report: impl FnMut(Finding)) -> io::Result<Summary> {
    let mut reader = Reader::new(input);
    let mut summary = Summary::default();
    let mut found = Vec::new();
    while let Some(game) = reader.next_game() {
        match game {
            Ok(game) => {
                summary.games += 1;
                summary.moves += u64::from(verify_game(&game, &mut found));
            }
            Err(error) => match error.kind {
                PgnErrorKind::Io(error) => return Err(error),
                kind => found.push(Finding {
                    place: error.place,
                    kind: kind.into(),
                }),
            },
        }
        for finding in found.drain(..) {
            let warning = finding.kind.is_warning();
            *(if warning {
                &mut summary.warnings
            } else {
                &mut summary.findings
            }) += 1;
            report(finding);
        }
    }
    Ok(summary)
}

/// Replays a game; the number of half-moves that could be played.
fn verify_game(game: &RawGame<'_>, found: &mut Vec<Finding>) -> u32 {
    let warnings = game.warnings().into_iter().map(|warning| Finding {
        place: Place {
            line: warning.line,
            game: game.number(),
            ply: 0,
        },
        kind: warning.kind.into(),
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
    match replay.finish() {
        Ok(()) => ending::check(game, &replay, found),
        Err(error) => found.push(error.into()),
    }
    replay.plies()
}

/// A finding about a tag.
fn tag_finding(game: &RawGame<'_>, tag: &str, ply: u32, kind: FindingKind) -> Finding {
    Finding {
        place: Place {
            line: game.tag_line(tag),
            game: game.number(),
            ply,
        },
        kind,
    }
}
