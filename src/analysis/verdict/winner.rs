//! The score of two engines, in the table and in the games that statistics count; who has won an event by its own rules,
//! which differs from the question who is stronger.

use serde_json::{Value, json};

use crate::analysis::EventStatistics;
use crate::event::EncounterTieBreak;
use crate::schedule::{EncounterDecision, TreeProgress};
use crate::sink::{armageddon_words, decision_word};
use crate::stats::standings::{Standing, TieBreak};
use crate::text::{count, short_name};
use crate::tournament::{Contest, EventState, Scoreboard, StageBoard, points_words};

use super::claim::{Claim, Refusal, names};
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
    let points = [
        found.trinomial.points(),
        found.trinomial.reversed().points(),
    ];
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

/// Who has won. `None` where standings do not name a winner: for a match of two, because its score does; for a
/// gauntlet, because its engines have not met the same opponents; and for a file that does not show how it was decided.
pub(super) fn winner(known: &ClaimInput<'_>) -> Option<Claim> {
    let state = known.state?;
    let board = state.board();
    match known.kind {
        EventKind::Tree => {
            let contest = board.contest()?;
            match contest.progress() {
                Some(progress) => Some(of_tree(board, contest, &progress)),
                None => of_stages(state),
            }
        }
        EventKind::League | EventKind::Swiss => {
            by_points(board, known.is_final, state.missing_games())
        }
        _ => None,
    }
}

/// For an event in stages: who has won the one that ranks first, or how the one that is played stands. Divisions, and the groups of
/// a stage beside each other, have a winner each.
fn of_stages(state: &EventState) -> Option<Claim> {
    let board = state.board();
    let (all, places) = (board.stages(), board.contest()?.places()?);
    // A stage that is played later may be about lower places.
    let first = places.first().filter(|_| state.is_over());
    let has_won =
        |stage: &&StageBoard| first.is_none_or(|row| stage.part.engines.contains(&row.engine));
    let last = all.iter().rfind(has_won)?;
    let has_divisions = all.iter().any(|stage| stage.part.moves() != [0, 0]);
    let is_beside =
        |stage: &&StageBoard| has_divisions || stage.part.rounds.start == last.part.rounds.start;
    let beside: Vec<&StageBoard> = all.iter().filter(is_beside).collect();
    if beside.len() > 1 {
        return Some(of_groups(&beside, state.is_over()));
    }
    let claim = of_stage(last)?;
    if state.is_over() {
        return Some(claim);
    }
    let is_played = last.part.is_played();
    let before = if is_played { "Not over. " } else { "" };
    let words = format!("{before}{}: {}", last.part.name, claim.words);
    let refused = Some(Refusal::NotOver { missing: None });
    Some(Claim::new("winner", refused, claim.numbers, words))
}

fn of_stage(stage: &StageBoard) -> Option<Claim> {
    let contest = stage.board.contest()?;
    match contest.progress() {
        Some(progress) => Some(of_tree(&stage.board, contest, &progress)),
        None => by_points(&stage.board, stage.part.is_played(), None),
    }
}

/// The winners of groups that do not meet.
fn of_groups(groups: &[&StageBoard], is_over: bool) -> Claim {
    let played = groups.iter().filter(|group| group.part.is_played());
    let won = played.filter_map(|group| {
        let winners = &of_stage(group)?.numbers["engines"];
        let winners: Vec<String> = serde_json::from_value(winners.clone()).ok()?;
        Some((group.part.name.as_str(), winners))
    });
    let won: Vec<(&str, Vec<String>)> = won.collect();
    let told = |(group, engines): &(&str, Vec<String>)| format!("{group}: {}", names(engines));
    let told = won.iter().map(told).collect::<Vec<_>>().join("; ");
    let all = groups.len();
    let words = match (is_over, won.is_empty()) {
        (true, _) => format!("Winners: {told}."),
        (false, true) => format!("Not over: none of {all} groups has a winner yet."),
        (false, false) => format!("Not over. Winners so far: {told}."),
    };
    let engines: Vec<String> = won.into_iter().flat_map(|(_, engines)| engines).collect();
    let numbers = without_points(&engines, None, None);
    let refused = (!is_over).then_some(Refusal::NotOver { missing: None });
    Claim::new("winner", refused, numbers, words)
}

/// For a tree: who has won the last encounter, or who is still in.
fn of_tree(board: &Scoreboard, contest: &Contest, progress: &TreeProgress) -> Claim {
    let standings = progress.standings();
    let first = standings.first().filter(|first| first.is_final);
    let engines = first.map_or_else(|| progress.still_in(), |first| vec![first.engine]);
    let engines = engines.into_iter().map(|engine| board.engine_name(engine));
    let engines: Vec<String> = engines.collect();
    let last = first.and_then(|first| {
        let decisions = progress.decisions().filter(|(_, winner, loser, by)| {
            *winner == first.engine && loser.is_some() && *by != EncounterDecision::NotNeeded
        });
        decisions.max_by_key(|(place, ..)| *place)
    });
    let named = names(&engines);
    let mut words = match first {
        Some(_) => format!("{named} won"),
        None => format!("Not over: still in {named}"),
    };
    let (mut decided_by, mut decider) = (None, None);
    if let Some((place, winner, Some(loser), by)) = last {
        decided_by = Some(decision_word(by));
        if let Some((points, extra)) = encounter(contest, place, winner) {
            let (name, against) = (progress.name(place.0, place.1), board.engine_name(loser));
            let title = name.unwrap_or("last encounter");
            let [own, other] = points;
            let opponent = short_name(&against);
            words += &format!(": the {title} against {opponent}, {own:.1} to {other:.1}");
            if extra > 0 {
                words += &format!(" after {}", count(u64::from(extra), "extra game"));
            }
            if let Some(how) = decision_words(by) {
                words += &format!(", decided by {how}");
                let met = contest.encounters().remove(&place);
                let colours = met.and_then(|met| armageddon_words(board, contest, &met));
                if let Some(colours) = colours.filter(|_| by == EncounterDecision::Armageddon) {
                    words += &format!(" ({colours})");
                }
            }
            decider = Some(json!({
                "name": name,
                "against": against,
                "points": points,
                "extra_games": extra,
            }));
        }
    }
    let numbers = without_points(&engines, decided_by, decider);
    let refused = first
        .is_none()
        .then_some(Refusal::NotOver { missing: None });
    Claim::new("winner", refused, numbers, words + ".")
}

/// The numbers of a claim about engines whose points over the whole event mean nothing.
fn without_points(engines: &[String], decided_by: Option<&str>, encounter: Option<Value>) -> Value {
    json!({
        "engines": engines,
        "points": null,
        "games": 0,
        "unplayed_points": 0.0,
        "second": null,
        "decided_by": decided_by,
        "encounter": encounter,
    })
}

/// How an encounter was decided, if not by its points.
pub(crate) fn decision_words(decision: EncounterDecision) -> Option<&'static str> {
    Some(match decision {
        EncounterDecision::Points | EncounterDecision::NotNeeded => return None,
        EncounterDecision::Armageddon => "an armageddon game",
        EncounterDecision::TieBreak(EncounterTieBreak::DoubleWins) => "pairs won with both colours",
        EncounterDecision::TieBreak(EncounterTieBreak::BlackWins) => "games won with Black",
        EncounterDecision::TieBreak(EncounterTieBreak::Seed) => "the higher seed",
        EncounterDecision::TieBreak(EncounterTieBreak::Lot) => "lot",
        EncounterDecision::Walkover => "walkover",
        EncounterDecision::Bye => "a bye",
    })
}

/// The points of an encounter from the winner's side, and the games beyond those that were planned.
fn encounter(contest: &Contest, place: (u16, u16), winner: u16) -> Option<([f64; 2], u32)> {
    let found = contest.encounters().remove(&place)?;
    let side = found.side(winner)?;
    // Every pair before the playoffs has two games.
    let planned = 2 * contest.rounds.pairs(place.0);
    let points = [side, 1 - side].map(|side| f64::from(found.half_points[side]) / 2.0);
    Some((points, found.played.saturating_sub(planned)))
}

/// By points and tie-breaks.
fn by_points(board: &Scoreboard, is_final: bool, missing: Option<u64>) -> Option<Claim> {
    let standings = board.standings();
    let [first, rest @ ..] = standings.as_slice() else {
        return None;
    };
    if board.games() == 0 {
        return None;
    }
    let name = |row: &Standing| board.participants()[usize::from(row.engine)].name.clone();
    let at = |place: usize| -> Vec<String> {
        let level = standings.iter().filter(|row| row.place == place);
        level.map(name).collect()
    };
    let engines = at(first.place);
    let second = rest.first().filter(|_| engines.len() == 1);
    let behind = second.map(|second| at(second.place));
    let is_level = |second: &&Standing| second.half_points == first.half_points;
    let rule = second.filter(is_level).and_then(|row| row.decided_by);
    let refused = match (is_final, engines.len()) {
        (false, _) => Some(Refusal::NotOver { missing }),
        (true, 1) => None,
        (true, _) => Some(Refusal::Level),
    };
    let played = points_words(first.points(), first.games, first.unplayed_points());
    let named = names(&engines);
    let next = behind.as_ref().zip(second);
    let next = next.map_or_else(String::new, |(behind, second)| {
        behind_words(behind, second.points(), rule)
    });
    let words = match refused {
        None => format!("{named} won with {played}{next}."),
        Some(Refusal::Level) => format!("{named} share the first place with {played}."),
        Some(_) => {
            let verb = if engines.len() == 1 { "leads" } else { "lead" };
            let missing = missing.map(|games| format!(" {} missing.", count(games, "game")));
            let missing = missing.unwrap_or_default();
            format!("Not over: {named} {verb} with {played}{next}.{missing}")
        }
    };
    let numbers = json!({
        "engines": engines,
        "points": first.points(),
        "games": first.games,
        "unplayed_points": first.unplayed_points(),
        "second": behind.zip(second.map(Standing::points)),
        "decided_by": rule.map(TieBreak::name),
        "encounter": null,
    });
    Some(Claim::new("winner", refused, numbers, words))
}

/// Who is second; with equal points, by which rule.
fn behind_words(behind: &[String], points: f64, rule: Option<TieBreak>) -> String {
    let named = names(behind);
    let verb = if behind.len() == 1 { "has" } else { "have" };
    match (rule, behind) {
        (Some(TieBreak::Lot), _) => format!(", by lot ahead of {named}, who {verb} as many"),
        (Some(rule), _) => format!(
            ", ahead of {named}, who {verb} as many, by {}",
            rule.words()
        ),
        (None, [_]) => format!("; {named} is second with {points:.1}"),
        (None, _) => format!("; {named} share the second place with {points:.1}"),
    }
}
