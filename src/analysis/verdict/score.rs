//! The score of two engines: in the table, and in the games that statistics count.

use serde_json::json;

use crate::analysis::EventStatistics;
use crate::text::{count, short_name};
use crate::tournament::EventState;

use super::claim::Claim;
use super::{ClaimInput, EventKind};

/// Two engines and their points.
type ScoreOfTwo = ([String; 2], [f64; 2]);

/// The score of two engines, and that they play alike, which makes every other claim on them pointless.
pub(super) fn score(known: &ClaimInput<'_>) -> Vec<Claim> {
    if !matches!(known.kind, EventKind::Test | EventKind::Match) {
        return Vec::new();
    }
    // The table has the games that ended after a test, too.
    let is_decided = known.state.is_some_and(EventState::is_decided);
    let table = known.state.and_then(score_of_table);
    let sample = known.statistics.filter(|_| table.is_none() || !is_decided);
    let sample = sample.and_then(score_of_sample);
    let found = sample.or_else(|| table.clone());
    let Some((engines, points)) = found.filter(|(_, points)| points.iter().sum::<f64>() > 0.0)
    else {
        return Vec::new();
    };
    let [one, other] = engines.each_ref().map(|engine| short_name(engine));
    let alike = known.statistics.filter(|found| found.is_mirrored());
    let alike = alike.map(|found| {
        let pairs = found.mirrored[0];
        let numbers = json!({ "engines": engines, "pairs": pairs });
        let words = format!(
            "{one} and {other} play the same moves in both games of all {}: is it one build?",
            count(pairs, "pair")
        );
        Claim::new("same-moves", None, numbers, words)
    });
    let [first, second] = points;
    let games = count((first + second).round() as u64, "game");
    let words = match table.filter(|table| table.0 == engines && table.1 != points) {
        Some((_, [won, lost])) => format!(
            "{one} {won:.1} - {lost:.1} {other}; {first:.1} - {second:.1} in the {games} that statistics count."
        ),
        None => format!("{one} {first:.1} - {second:.1} {other}."),
    };
    let numbers = json!({ "engines": engines, "points": points });
    let score = Claim::new("score", None, numbers, words);
    alike.into_iter().chain([score]).collect()
}

fn score_of_sample(statistics: &EventStatistics) -> Option<ScoreOfTwo> {
    let found = statistics.encounter.as_ref()?;
    let [losses, draws, wins] = found.trinomial.0.map(|games| games as f64);
    let points = [wins + draws / 2.0, losses + draws / 2.0];
    Some((found.engines.clone(), points))
}

fn score_of_table(state: &EventState) -> Option<ScoreOfTwo> {
    let [one, other] = state.board().participants() else {
        return None;
    };
    let record = state.board().encounter(0, 1).total();
    let points = [record.points(), record.reversed().points()];
    Some(([one.name.clone(), other.name.clone()], points))
}
