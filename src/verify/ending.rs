//! Result, `Termination` and `PlyCount` against the final position.

use std::borrow::Cow;

use super::dead::{is_dead, never_mates};
use super::{Finding, FindingKind, tag_finding};
use crate::chess::{Color, Ending};
use crate::pgn::{GameResult, PgnPlace, RawGame, Replay};

/// The known values of `Termination` for a game that the board has not ended. Other values come from other programs and
/// are not judged.
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
    // A game with tags only has no final position to judge by; a game with a ruling of an arbiter is judged by its
    // result before the ruling.
    let played = ruled(game, "PlayedResult");
    let played = played.and_then(|played| GameResult::parse(played.trim().as_bytes()));
    let result = played.or(replay.result()).or(tag).filter(|_| has_moves);
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
    let played = ruled(game, "PlayedTermination");
    let termination = played
        .or_else(|| game.tag("Termination"))
        .unwrap_or_default();
    // The specification's word, in its spelling: Lichess writes `Normal` for resignation too.
    let normal = termination == "normal";
    let last_line = game.line_at(game.text().trim_ascii_end().len());
    let place = PgnPlace {
        line: last_line,
        game: game.number(),
        ply: replay.plies(),
    };
    match ending {
        Some(ending) if result == result_of(ending) => {
            check_termination(game, replay.plies(), ending, termination, found);
        }
        Some(ending) if normal || !ending.needs_claim() => {
            found.push(Finding {
                place,
                kind: FindingKind::ResultAgainstBoard { result, ending },
            });
        }
        _ => match (result, is_forfeit(&termination)) {
            (GameResult::Won(winner), true) => {
                check_forfeit(game, replay, winner, &termination, found);
            }
            _ => found.extend(
                without_visible_ending(
                    replay,
                    result,
                    normal && ending.is_none() && !resigned(game),
                )
                .map(|kind| Finding { place, kind }),
            ),
        },
    }
}

/// The error in the result of a game that the board has not visibly ended: in a position that is dead in ways that few
/// programs see, a draw is right and a win is not.
fn without_visible_ending(
    replay: &Replay<'_>,
    result: GameResult,
    normal: bool,
) -> Option<FindingKind> {
    let ending = Ending::DeadPosition;
    match (result, is_dead(replay.position())) {
        (GameResult::Won(_), true) => Some(FindingKind::ResultAgainstBoard { result, ending }),
        (_, true) => None,
        (_, false) => normal.then_some(FindingKind::NotEnded { result }),
    }
}

/// Whether the last comment says that a side has resigned: the specification's `normal` covers that.
fn resigned(game: &RawGame<'_>) -> bool {
    let last = game.movetext().rsplit(|byte| *byte == b'{').next();
    last.is_some_and(|comment| memchr::memmem::find(comment, b"resign").is_some())
}

/// A tag's value for the game as played, if an arbiter has given it another result since.
fn ruled<'a>(game: &RawGame<'a>, tag: &str) -> Option<Cow<'a, str>> {
    game.tag("Ruling").and_then(|_| game.tag(tag))
}

/// Whether a player has lost by the clock or by an illegal move; case does not matter.
fn is_forfeit(termination: &str) -> bool {
    ["time forfeit", "rules infraction"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(termination.trim()))
}

/// If the board has ended a game without a claim, nothing else can have ended it.
fn check_termination(
    game: &RawGame<'_>,
    plies: u32,
    ending: Ending,
    termination: Cow<'_, str>,
    found: &mut Vec<Finding>,
) {
    if !ending.needs_claim() && NOT_BY_THE_BOARD.contains(&&*termination) {
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

/// A forfeit won by a side that cannot mate by any series of legal moves is a draw: the runner judges it so with
/// `flag_fall = "fide"`. If the event had another rule, a tag of the game names it.
fn check_forfeit(
    game: &RawGame<'_>,
    replay: &Replay<'_>,
    winner: Color,
    termination: &str,
    found: &mut Vec<Finding>,
) {
    if never_mates(replay.position(), winner) {
        let kind = FindingKind::WonWithoutMate {
            winner,
            termination: termination.to_owned(),
            by_the_events_rule: game.tag("FlagFall").as_deref() == Some("loss"),
        };
        found.push(tag_finding(game, "Termination", replay.plies(), kind));
    }
}
