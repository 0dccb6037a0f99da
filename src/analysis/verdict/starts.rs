//! White's first-move advantage, and which start positions may be named.

use serde_json::json;

use crate::analysis::{ComparisonReport, EventStatistics, Unnamed};
use crate::stats::advantage::RankVerdict;
use crate::text::{decimal, p_value, percent};
use crate::tournament::EventState;

use super::claim::{Basis, Claim, Refusal, interval};
use super::{ClaimInput, EventKind, Verdict};

/// Maximum number of positions of one list named in the sentence.
const MAX_NAMED: usize = 12;

/// The claims on start positions; while games are played, only those that are valid at any time.
pub(super) fn starts(known: &ClaimInput<'_>) -> Vec<Claim> {
    match known.at_the_end() {
        Some(found) if found.white.games() == 0 => Vec::new(),
        Some(found) => vec![measured(found), starts_differ(found), stands_out(found)],
        None if known.kind != EventKind::SelfPlay => Vec::new(),
        None => Vec::from_iter(known.state.and_then(watched)),
    }
}

/// White's score in self-play while games are played.
fn watched(state: &EventState) -> Option<Claim> {
    let board = state.board();
    let found = board.white_estimate()?;
    let refused = (!found.says_something()).then_some(Refusal::TooFewGames);
    Some(first_move(
        (Some(found.elo()), Some(found.score)),
        (board.games(), board.evidence().white.starts()),
        (0.95, Basis::AlwaysValid),
        refused,
    ))
}

/// White's score when all games are played.
fn measured(statistics: &EventStatistics) -> Claim {
    let found = statistics.first_move.advantage.mean.as_ref();
    let error = statistics.first_move.measured();
    let elo = found.zip(error.ok());
    let elo = elo.map(|(found, error)| [found.elo, found.elo - error, found.elo + error]);
    first_move(
        (elo, found.map(|found| found.score)),
        (statistics.white.games(), statistics.starts.len()),
        (statistics.level, Basis::Pairs),
        error.err().map(|gate| Refusal::Unnamed { gate }),
    )
}

fn first_move(
    (elo, score): (Option<[f64; 3]>, Option<f64>),
    (games, positions): (u64, usize),
    (level, basis): (f64, Basis),
    refused: Option<Refusal>,
) -> Claim {
    let words = match (elo, score, &refused) {
        (Some(values), Some(score), None) => {
            let starts = match positions {
                1 => "this start position".to_owned(),
                many => format!("these {many} start positions"),
            };
            let (worth, score) = (interval(values, level), percent(score));
            format!("White's first move is worth {worth} from {starts} (score {score}).")
        }
        (.., refused) => {
            let why = refused.as_ref();
            let why = why.map_or_else(String::new, |why| format!(": {why}"));
            format!("What White's first move is worth is not known{why}.")
        }
    };
    let numbers = json!({
        "elo": elo,
        "score": score,
        "games": games,
        "positions": positions,
        "level": level,
        "basis": basis,
    });
    Claim::new("first-move", refused, numbers, words).based(basis)
}

/// Whether positions differ, and by how much.
fn starts_differ(statistics: &EventStatistics) -> Claim {
    let report = &statistics.first_move;
    let (sd, level) = (report.spread_elo(), "95 %");
    let p = report.advantage.spread.map(|spread| spread.p_value);
    let refused = report.unnamed.map(|gate| Refusal::Unnamed { gate });
    let words = match (&refused, sd) {
        (Some(why), _) => {
            let p = p.map_or_else(String::new, |p| format!(" ({})", p_value(p)));
            let most = sd.filter(|[.., high]| high.is_finite());
            let most = most.map_or_else(String::new, |[.., high]| {
                format!("; if they do, then by {high:.0} Elo at most (standard deviation, {level})")
            });
            format!("Whether start positions differ is not known: {why}{p}{most}.")
        }
        (None, None) => "Start positions differ.".to_owned(),
        (None, Some([sd, low, high])) => {
            let p = p.map_or_else(String::new, |p| {
                format!("; {} that they do not", p_value(p))
            });
            format!(
                "Start positions differ by {sd:.0} Elo (standard deviation, {level}: {low:.0} to {high:.0}){p}."
            )
        }
    };
    let positions = report.advantage.positions.len();
    let numbers = json!({ "sd": sd, "level": level, "p": p, "positions": positions });
    Claim::new("starts-differ", refused, numbers, words)
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
    let is_tested = matches!(report.unnamed, None | Some(Unnamed::NotShown));
    let words = match &refused {
        Some(why) if is_tested => format!("No start position stands out: {why}."),
        Some(why) => format!("Whether a start position stands out is not known: {why}."),
        None => {
            let better = listed("better for White than the average:", &better);
            let lists = better.into_iter().chain(listed("worse:", &worse));
            let lists = lists.collect::<Vec<_>>().join("; ");
            format!("Start positions that stand out, the clearest first: {lists}.")
        }
    };
    let numbers = json!({ "better_for_white": better, "worse_for_white": worse });
    Claim::new("start-stands-out", refused, numbers, words)
}

/// What each of several events says of start positions by itself.
pub(super) fn by_event(each: &[(&str, &Verdict)]) -> Option<Claim> {
    let mut said = Vec::new();
    for (event, verdict) in each {
        let claim = |id| verdict.claims.iter().find(move |claim| claim.id == id);
        let sd = claim("starts-differ").filter(|claim| claim.allowed);
        let sd = sd.and_then(|claim| claim.numbers["sd"][0].as_f64());
        let named = claim("start-stands-out").filter(|claim| claim.allowed);
        let named = named.and_then(|claim| claim.words.split_once("first: "));
        let named = named.map(|(_, named)| named.trim_end_matches('.'));
        let differ = sd.map_or_else(|| "not shown".to_owned(), |sd| format!("{sd:.0} Elo"));
        let named = named.unwrap_or("none stands out");
        said.push(format!("{event} {differ} ({named})"));
    }
    let all = said.join("; ");
    let words = format!("Start positions differ within each event: {all}.");
    let numbers = json!({ "events": each.len() });
    (!said.is_empty()).then(|| Claim::new("starts-by-event", None, numbers, words))
}

/// Whether any two maps of White's advantage have something in common.
pub(super) fn agreement(maps: &ComparisonReport, each: &[(&str, &Verdict)]) -> Option<Claim> {
    let found = maps.pairs.iter().map(|pair| pair.correlation.as_ref());
    let found = found.collect::<Option<Vec<_>>>()?;
    let smallest = found.iter().map(|one| one.p_unrelated).reduce(f64::min)?;
    // Any of them, at 5 % for all together.
    let agree = smallest * (found.len() as f64) < 0.05;
    let stands_out = |verdict: &Verdict| {
        let mut claims = verdict.claims.iter();
        claims.any(|claim| claim.id == "start-stands-out" && claim.allowed)
    };
    let ends = found.iter().map(|one| one.correlation);
    let low = ends.clone().fold(f64::INFINITY, f64::min);
    let high = ends.fold(f64::NEG_INFINITY, f64::max);
    let (least, most) = (decimal(low, 2), decimal(high, 2));
    let p = p_value(smallest);
    let maps = format!("correlation {least} to {most}, the smallest {p}");
    let in_general = if each.iter().any(|(_, verdict)| stands_out(verdict)) {
        ": starts are unfair for an engine at a limit, not for engines in general"
    } else {
        ""
    };
    let words = if agree {
        format!(
            "Some of these maps of the advantage have something in common ({maps} that two have nothing)."
        )
    } else {
        format!(
            "No two of these maps of the advantage are shown to have anything in common ({maps}){in_general}."
        )
    };
    let numbers = json!({ "agree": agree, "correlation": [low, high], "p": smallest });
    Some(Claim::new("maps-agree", None, numbers, words))
}

/// A list of positions, unless it is empty.
fn listed(title: &str, all: &[String]) -> Option<String> {
    let (named, others) = all.split_at(all.len().min(MAX_NAMED));
    let more = match others.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!named.is_empty()).then(|| format!("{title} {}{more}", named.join(", ")))
}
