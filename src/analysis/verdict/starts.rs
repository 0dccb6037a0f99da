//! White's first-move advantage, and which start positions may be named.

use super::claim::{Basis, Claim, FirstMove, Refusal, Statement};
use super::{ClaimInput, EventKind};
use crate::analysis::EventStatistics;
use crate::stats::advantage::RankVerdict;
use crate::tournament::EventState;

/// The claims on start positions; while games are played, only those that are valid at any time.
pub(super) fn starts(known: &ClaimInput<'_>) -> Vec<Claim> {
    match known.at_the_end() {
        Some(statistics) if statistics.white.games() > 0 => vec![
            first_move(statistics),
            starts_differ(statistics),
            stands_out(statistics),
        ],
        Some(_) => Vec::new(),
        None if known.kind != EventKind::SelfPlay => Vec::new(),
        None => known.state.and_then(watched).into_iter().collect(),
    }
}

/// White's score in self-play while games are played.
fn watched(state: &EventState) -> Option<Claim> {
    let board = state.board();
    let found = board.white_estimate()?;
    let refused = (!found.says_something()).then_some(Refusal::TooFewGames);
    Some(Claim {
        said: Statement::FirstMove(FirstMove {
            elo: Some(found.elo()),
            score: Some(found.score),
            games: board.games(),
            positions: board.evidence().white().starts(),
            level: 0.95,
            basis: Basis::AlwaysValid,
        }),
        refused,
    })
}

fn first_move(statistics: &EventStatistics) -> Claim {
    let found = statistics.first_move.advantage.mean.as_ref();
    let (refused, error) = match statistics.first_move.measured() {
        Ok(error) => (None, Some(error)),
        Err(why) => (Some(Refusal::Unnamed { gate: why }), None),
    };
    let elo = found.zip(error);
    Claim {
        said: Statement::FirstMove(FirstMove {
            elo: elo.map(|(found, error)| [found.elo, found.elo - error, found.elo + error]),
            score: found.map(|found| found.score),
            games: statistics.white.games(),
            positions: statistics.starts.len(),
            level: statistics.level,
            basis: Basis::Pairs,
        }),
        refused,
    }
}

fn starts_differ(statistics: &EventStatistics) -> Claim {
    let report = &statistics.first_move;
    Claim {
        said: Statement::StartsDiffer {
            sd: report.spread_elo(),
            level: "95 %",
            p: report.advantage.spread.map(|spread| spread.p_value),
            positions: report.advantage.positions.len(),
        },
        refused: report.unnamed.map(|gate| Refusal::Unnamed { gate }),
    }
}

fn stands_out(statistics: &EventStatistics) -> Claim {
    let report = &statistics.first_move;
    let names = |verdict| -> Vec<String> {
        let named = report.named(verdict).into_iter();
        named.map(|one| statistics.start_label(one.start)).collect()
    };
    let better = names(RankVerdict::AboveAverage);
    let worse = names(RankVerdict::BelowAverage);
    let none = better.is_empty() && worse.is_empty();
    let smallest = report.smallest_s_value();
    let refused = match report.unnamed {
        Some(gate) => Some(Refusal::Unnamed { gate }),
        None => none.then_some(Refusal::NoneSeparated { smallest }),
    };
    Claim {
        said: Statement::StartStandsOut {
            better_for_white: better,
            worse_for_white: worse,
        },
        refused,
    }
}
