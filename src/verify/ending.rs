//! Result, `Termination` and `PlyCount` against the final position and, on request, against tablebases; moves after the
//! end of a game.

use std::borrow::Cow;

use super::{Finding, FindingLevel, described};
use crate::chess::{Bitboard, Color, Ending, Game, PieceKind, Position, Winnability};
use crate::pgn::{GameResult, RawGame, Replay};
use crate::tablebase::{SolvedOutcome, Tablebase};

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
    let mut report = |tag, words| found.push(Finding::in_tag(game, tag, plies, words));
    let has_moves = plies > 0 || replay.result().is_some();
    if let Some(claimed) = game.tag("PlyCount").filter(|_| has_moves)
        && claimed.trim().parse() != Ok(plies)
    {
        let words = format!("PlyCount {claimed:?}, but there are {plies} half-moves");
        report("PlyCount", words);
    }
    let tag = game.result();
    if let (Some(text), None) = (game.tag("Result"), tag) {
        report("Result", format!("Result {text:?} is not a result"));
    }
    if let (Some(tag), Some(token)) = (tag, replay.result())
        && tag != token
    {
        let words = format!("Result \"{tag}\", but the moves end with {token}");
        report("Result", words);
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
    let played = ruled(game, "PlayedTermination").or_else(|| game.tag("Termination"));
    let termination = played.unwrap_or_default();
    // The specification's word, in its spelling: Lichess writes `Normal` for resignation too.
    let normal = termination == "normal";
    let error = |words| {
        let last_line = game.line_at(game.text().trim_ascii_end().len());
        Finding::error(game, last_line, replay.plies(), words)
    };
    match ending {
        Some(ending) if result == ending.winner().map_or(GameResult::Drawn, GameResult::Won) => {
            // If the board has ended a game without a claim, nothing else can have ended it.
            if !ending.needs_claim() && NOT_BY_THE_BOARD.contains(&&*termination) {
                let ending = described(ending);
                let words =
                    format!("Termination {termination:?}, but the final position is {ending}");
                found.push(Finding::in_tag(game, "Termination", replay.plies(), words));
            }
        }
        Some(ending) if normal || !ending.needs_claim() => {
            found.push(error(against_board(result, ending)));
        }
        _ => match (result, is_forfeit(&termination)) {
            (GameResult::Won(winner), true) => {
                check_forfeit(game, replay, winner, &termination, found);
            }
            _ => {
                let normal = normal && ending.is_none() && !resigned(game);
                let words = without_visible_ending(replay, result, normal);
                found.extend(words.map(error));
            }
        },
    }
}

fn against_board(result: GameResult, ending: Ending) -> String {
    let ending = described(ending);
    format!("result {result}, but the final position is {ending}")
}

/// The error in the result of a game that the board has not visibly ended: in a position that is dead in ways that few
/// programs see, a draw is right and a win is not.
fn without_visible_ending(replay: &Replay<'_>, result: GameResult, normal: bool) -> Option<String> {
    match (result, is_dead(replay.position())) {
        (GameResult::Won(_), true) => Some(against_board(result, Ending::DeadPosition)),
        (_, true) => None,
        (_, false) => normal.then(|| {
            format!("result {result} with Termination \"normal\" in an unfinished position")
        }),
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

/// A forfeit won by a side that cannot mate by any series of legal moves is a draw: the runner judges it so with
/// `flag_fall = "fide"`. If the event had another rule, a tag of the game names it.
fn check_forfeit(
    game: &RawGame<'_>,
    replay: &Replay<'_>,
    winner: Color,
    termination: &str,
    found: &mut Vec<Finding>,
) {
    let by_the_events_rule = game.tag("FlagFall").as_deref() == Some("loss");
    let (words, is_proved) = match winnability(replay.position(), winner) {
        Winnability::Unwinnable => (
            "cannot mate by any series of legal moves: a draw (FIDE 6.9)",
            true,
        ),
        Winnability::Undecided if !by_the_events_rule => (
            "may not be able to mate: undecided, neither a mate nor a proof was found (FIDE 6.9)",
            false,
        ),
        _ => return,
    };
    let words = format!("Termination {termination:?}, but {winner} {words}");
    let finding = Finding::in_tag(game, "Termination", replay.plies(), words);
    found.push(finding.warning_if(by_the_events_rule || !is_proved));
}

/// With at most this number of pieces a quick proof is always tried.
const MAX_PIECES_OF_QUICK_PROOF: u32 = 6;

/// Maximum number of positions of the complete search.
const MAX_SEARCHED_POSITIONS: u32 = 100_000;

/// Whether it is proved that neither side can mate any more. The complete search is used only for the second side,
/// after the quick proof has succeeded for the first.
fn is_dead(position: &Position) -> bool {
    if !(is_locked(position) || position.occupied().len() <= MAX_PIECES_OF_QUICK_PROOF) {
        return false;
    }
    let quick = Color::ALL
        .into_iter()
        .find(|side| position.cannot_win(*side));
    quick.is_some_and(|side| winnability(position, !side) == Winnability::Unwinnable)
}

/// Whether a side can mate: by the quick proof, and in locked positions by the complete search. No clock runs.
fn winnability(position: &Position, side: Color) -> Winnability {
    if position.cannot_win(side) {
        return Winnability::Unwinnable;
    }
    if is_locked(position) {
        return position.winnability(side, MAX_SEARCHED_POSITIONS);
    }
    Winnability::Winnable(Vec::new())
}

/// Whether there are pawns and all are blocked. In other positions mates are nearly always possible, and looking for
/// them would take longer than replaying the game.
fn is_locked(position: &Position) -> bool {
    let pawns = |color| position.pieces(color, PieceKind::Pawn);
    let ahead = pawns(Color::White).0 << 8 | pawns(Color::Black).0 >> 8;
    ahead != 0 && (Bitboard(ahead) & !position.occupied()).is_empty()
}

/// Looks for an automatic end before the last move.
pub(super) fn check_moves_after_end(
    game: &RawGame<'_>,
    replay: &Replay<'_>,
    found: &mut Vec<Finding>,
) {
    let played = replay.game();
    let obvious = played.played_on_after();
    let obvious = obvious.filter(|(_, ending)| was_a_rule(*ending, game.tag("Date").as_deref()));
    let Some((moves, ending)) = obvious.or_else(|| dead(played)) else {
        return;
    };
    let before = replay.plies() - played.moves().len() as u32;
    let ply = before + moves as u32;
    let words = format!("played on after the game was over: {}", described(ending));
    let finding = Finding::error(game, line_after(game, ply), ply, words);
    // A proof is seen by few programs.
    found.push(finding.warning_if(obvious.is_none()));
}

/// Whether games of this date ended so: five repetitions and 75 moves end a game since July 2014.
fn was_a_rule(ending: Ending, date: Option<&str>) -> bool {
    use Ending::{FivefoldRepetition, SeventyFiveMoves};
    let is_new = matches!(ending, FivefoldRepetition | SeventyFiveMoves);
    let year = date.and_then(|date| date.get(..4)?.parse::<u16>().ok());
    !is_new || year.is_none_or(|year| year >= 2014)
}

/// The number of moves after which neither side could mate any more, as far as that is proved, if moves follow.
///
/// A position that follows a dead one is dead, so most games need only one check, at their end.
fn dead(game: &Game) -> Option<(usize, Ending)> {
    let positions = game.positions().iter().rev();
    let dead = positions.take_while(|position| is_dead(position)).count();
    let moves = game.moves().len() + 1;
    (dead > 1).then(|| (moves - dead, Ending::DeadPosition))
}

/// The line of the first move after a number of half-moves.
fn line_after(game: &RawGame<'_>, plies: u32) -> u64 {
    let Ok(mut replay) = game.replay() else {
        return game.line();
    };
    while replay.plies() <= plies && matches!(replay.next_step(), Some(Ok(_))) {}
    replay.line()
}

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
pub(super) fn check_against_tables(
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
        let words =
            format!("the result is {result}, but by the tablebases the last position is {verdict}");
        let mut finding = Finding::in_tag(game, "Result", replay.plies(), words);
        // The winning side may agree to a draw, and a side that is not lost may resign.
        if !is("adjudication") {
            finding.level = FindingLevel::ErrorIfStrict;
        }
        found.push(finding);
    }
}
