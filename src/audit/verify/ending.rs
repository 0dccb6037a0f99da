//! Result, `Termination` and `PlyCount` against the final position.

use std::borrow::Cow;

use super::{Finding, FindingKind, tag_finding};
use crate::chess::Ending;
use crate::pgn::{GameResult, Place, RawGame, Replay};

/// What `Termination` says of a game that the board has not ended. Other values
/// are other people's words, which are not judged.
const NOT_BY_THE_BOARD: [&str; 5] = [
    "adjudication",
    "time forfeit",
    "rules infraction",
    "abandoned",
    "unterminated",
];

/// Checks a game that has been played to its end.
pub(super) fn check(game: &RawGame<'_>, replay: &Replay<'_>, found: &mut Vec<Finding>) {
    let plies = replay.plies();
    let mut report = |tag, kind| found.push(tag_finding(game, tag, plies, kind));
    let has_moves = plies > 0 || replay.result().is_some();
    if let Some(claimed) = game.tag("PlyCount").filter(|_| has_moves)
        && claimed.trim().parse() != Ok(plies)
    {
        let claimed = claimed.into_owned();
        report(
            "PlyCount",
            FindingKind::PlyCount {
                claimed,
                counted: plies,
            },
        );
    }
    let tag = game.result();
    if let (Some(text), None) = (game.tag("Result"), tag) {
        report("Result", FindingKind::UnknownResult(text.into_owned()));
    }
    if let (Some(tag), Some(token)) = (tag, replay.result())
        && tag != token
    {
        report("Result", FindingKind::Results { tag, token });
    }
    // A game with tags only has no final position to judge by.
    let result = replay.result().or(tag).filter(|_| has_moves);
    if let Some(result) = result.filter(|&result| result != GameResult::Unknown) {
        check_result(game, replay, result, found);
    }
}

fn check_result(
    game: &RawGame<'_>,
    replay: &Replay<'_>,
    result: GameResult,
    found: &mut Vec<Finding>,
) {
    let ending = replay.game().ending();
    let termination = game.tag("Termination").unwrap_or_default();
    // The specification's word, in its spelling: Lichess writes `Normal` for resignation too.
    let normal = termination == "normal";
    let last_line = game.line_at(game.text().trim_ascii_end().len());
    let place = Place {
        line: last_line,
        game: game.number(),
        ply: replay.plies(),
    };
    match ending {
        Some(ending) if result == result_of(ending) => {
            check_termination(game, replay.plies(), ending, termination, found);
        }
        Some(ending) if normal || ends_without_claim(ending) => {
            found.push(Finding {
                place,
                kind: FindingKind::ResultAgainstBoard { result, ending },
            });
        }
        // Dead in ways that few programs see, as the referee may: a draw is right.
        None if result == GameResult::Drawn && replay.position().is_dead() => {}
        None if normal => found.push(Finding {
            place,
            kind: FindingKind::NotEnded { result },
        }),
        _ => {}
    }
}

/// A game that the board has ended without a claim was not ended by anything else.
fn check_termination(
    game: &RawGame<'_>,
    plies: u32,
    ending: Ending,
    termination: Cow<'_, str>,
    found: &mut Vec<Finding>,
) {
    if ends_without_claim(ending) && NOT_BY_THE_BOARD.contains(&&*termination) {
        let termination = termination.into_owned();
        let kind = FindingKind::TerminationAgainstBoard {
            termination,
            ending,
        };
        found.push(tag_finding(game, "Termination", plies, kind));
    }
}

fn result_of(ending: Ending) -> GameResult {
    ending.winner().map_or(GameResult::Drawn, GameResult::Won)
}

/// Whether the game is over although nobody claimed it: threefold repetition and
/// fifty moves have to be claimed, and a game may go on after them.
fn ends_without_claim(ending: Ending) -> bool {
    !matches!(ending, Ending::ThreefoldRepetition | Ending::FiftyMoves)
}
