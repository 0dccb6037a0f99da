//! Moves after the game was over without a claim (FIDE 5.2.2, 9.6).

use super::dead::is_dead;
use super::{Finding, FindingKind};
use crate::chess::{Ending, Game};
use crate::pgn::{PgnPlace, RawGame, Replay};

/// Looks for an automatic end before the last move.
pub(super) fn check(game: &RawGame<'_>, replay: &Replay<'_>, found: &mut Vec<Finding>) {
    let played = replay.game();
    let obvious = played.played_on_after();
    let Some((moves, ending)) = obvious.or_else(|| dead(played)) else {
        return;
    };
    let before = replay.plies() - played.moves().len() as u32;
    let ply = before + moves as u32;
    found.push(Finding {
        place: PgnPlace {
            line: line_after(game, ply),
            game: game.number(),
            ply,
        },
        kind: FindingKind::PlayedOn {
            ending,
            obvious: obvious.is_some(),
        },
    });
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
