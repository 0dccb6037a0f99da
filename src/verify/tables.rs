//! The result against tablebases.

use super::{Finding, FindingKind, tag_finding};
use crate::pgn::{GameResult, RawGame, Replay};
use crate::tablebase::{SolvedOutcome, Tablebase};

/// A result that these words explain says nothing about the position.
const BY_OTHER_MEANS: [&str; 6] = [
    "time forfeit",
    "rules infraction",
    "abandoned",
    "unterminated",
    "emergency",
    "death",
];

/// Compares the result of a game that the board has not ended with how it ends with best play.
pub(super) fn check(
    game: &RawGame<'_>,
    replay: &Replay<'_>,
    tables: &dyn Tablebase,
    found: &mut Vec<Finding>,
) {
    let termination = game.tag("Termination").unwrap_or_default();
    let is = |word: &str| word.eq_ignore_ascii_case(termination.trim());
    let by_other_means = BY_OTHER_MEANS.into_iter().any(is) || game.tag("Ruling").is_some();
    if by_other_means || replay.plies() == 0 || replay.game().ending().is_some() {
        return;
    }
    let Some(result) = replay.result().or(game.result()) else {
        return;
    };
    let Some(verdict) = tables.verdict(replay.position(), true) else {
        return;
    };
    let agrees = match (result, verdict) {
        (GameResult::Unknown, _) => true,
        (GameResult::Won(winner), SolvedOutcome::Won(by)) => winner == by,
        (GameResult::Drawn, SolvedOutcome::Drawn) => true,
        _ => false,
    };
    if !agrees {
        let kind = FindingKind::AgainstTables {
            result,
            verdict,
            adjudicated: is("adjudication"),
        };
        found.push(tag_finding(game, "Result", replay.plies(), kind));
    }
}
