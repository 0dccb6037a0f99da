//! Who has won an event by its own rules, which differs from the question who is stronger.

use super::claim::{Claim, DecidedBy, DecidingEncounter, Refusal, Statement, Winner};
use super::{ClaimInput, EventKind};
use crate::schedule::{EncounterDecision, TreeProgress};
use crate::stats::standings::Standing;
use crate::tournament::{Contest, EventState, Scoreboard};

/// Who has won. `None` where standings do not name a winner: for a match of two, because its score does; for a
/// gauntlet, because its engines have not met the same opponents; and for a file that does not show how it was decided.
pub(super) fn winner(known: &ClaimInput<'_>) -> Option<Claim> {
    let state = known.state?;
    let board = state.board();
    match known.kind {
        EventKind::Tree => {
            let contest = board.contest()?;
            Some(of_tree(board, contest, &contest.progress()?))
        }
        EventKind::League | EventKind::Swiss => by_points(state, known.is_final),
        _ => None,
    }
}

/// For a tree: who has won the last encounter, or who is still in.
fn of_tree(board: &Scoreboard, contest: &Contest, progress: &TreeProgress) -> Claim {
    let standings = progress.standings();
    let first = standings.first().filter(|first| first.is_final);
    let mut winner = Winner::default();
    let Some(first) = first else {
        let still = standings.iter().filter(|one| !one.is_final);
        winner.engines = still.map(|one| board.engine_name(one.engine)).collect();
        return Claim {
            said: Statement::Winner(winner),
            refused: Some(Refusal::NotOver { missing: None }),
        };
    };
    winner.engines = vec![board.engine_name(first.engine)];
    let won = progress.decisions().filter(|(_, winner, loser, by)| {
        *winner == first.engine && loser.is_some() && *by != EncounterDecision::NotNeeded
    });
    if let Some((place, _, Some(loser), by)) = won.max_by_key(|(place, ..)| *place) {
        winner.decided_by = Some(DecidedBy::Encounter(by));
        let encounter = encounter(contest, place, first.engine);
        winner.encounter = encounter.map(|(points, extra_games)| DecidingEncounter {
            name: progress.name(place.0, place.1),
            against: board.engine_name(loser),
            points,
            extra_games,
        });
    }
    Claim::allowed(Statement::Winner(winner))
}

/// The points of an encounter from the winner's side, and the games beyond those that were planned.
fn encounter(contest: &Contest, place: (u16, u16), winner: u16) -> Option<([f64; 2], u32)> {
    let encounters = contest.history().encounters();
    let found = encounters.get(&place)?;
    let side = found.side(winner)?;
    // A pair has two games in every event in rounds.
    let planned = 2 * contest.planned_pairs();
    let points = [side, 1 - side].map(|side| f64::from(found.half_points[side]) / 2.0);
    Some((points, found.played.saturating_sub(planned)))
}

/// By points and tie-breaks.
fn by_points(state: &EventState, is_final: bool) -> Option<Claim> {
    let board = state.board();
    let standings = board.standings();
    let [first, rest @ ..] = standings.as_slice() else {
        return None;
    };
    if board.games() == 0 {
        return None;
    }
    let name = |row: &Standing| board.participants()[usize::from(row.engine)].name.clone();
    let mut engines = vec![name(first)];
    let level = rest.iter().filter(|row| row.place == first.place);
    engines.extend(level.map(name));
    let second = rest.first().filter(|_| engines.len() == 1);
    let at_second = |second: &Standing| {
        let level = rest.iter().filter(|row| row.place == second.place);
        (level.map(name).collect(), second.points())
    };
    let refused = match (is_final, engines.len()) {
        (false, _) => Some(Refusal::NotOver {
            missing: state.missing_games(),
        }),
        (true, 1) => None,
        (true, _) => Some(Refusal::Level),
    };
    let decided_by = second.filter(|second| second.half_points == first.half_points);
    Some(Claim {
        said: Statement::Winner(Winner {
            points: Some(first.points()),
            games: first.games,
            unplayed_points: first.unplayed_points(),
            second: second.map(at_second),
            decided_by: decided_by
                .and_then(|second| second.decided_by)
                .map(DecidedBy::TieBreak),
            encounter: None,
            engines,
        }),
        refused,
    })
}
