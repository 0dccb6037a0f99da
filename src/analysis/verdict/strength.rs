//! Who is stronger, and the result of a sequential test. This is judged only here: for two engines by the interval that
//! is clustered by position if positions repeat, for more by the places that they may have.

use serde_json::json;

use crate::analysis::{
    EncounterReport, EventStatistics, FieldReport, GameSelection, RatingModel, Unnamed,
};
use crate::stats::ratings::{RatingWarning, Unrated};
use crate::stats::sprt::Decision;
use crate::text::{count, decimal, elo, is_narrow, short_name};
use crate::tournament::{SequentialEstimate, SprtWatch};

use super::claim::{Basis, Claim, Refusal, interval, model_word, names, tested};
use super::{ClaimInput, EventKind};

/// The result of the event's own sequential test.
pub(super) fn sequential(known: &ClaimInput<'_>) -> Option<Claim> {
    let state = known.state?;
    let test = state.test()?;
    let participants = &state.roster().participants;
    let [first, second] = test.compared().map(|engine| participants.get(engine));
    let (first, second) = (first?, second?);
    let opponents = test.heroes().map(|_| participants.len() - 2);
    let status = test.sprt().status();
    let hypotheses = test.sprt().hypotheses();
    // Statistics of the same test take its stopping rule into account.
    let same = known.statistics.and_then(|found| found.sprt.as_ref());
    let same = same.filter(|found| found.status == status);
    let stage = same.and_then(|found| found.estimate.as_ref());
    let stage = stage.map(|estimate| &estimate.stagewise);
    let decided = status.decision != Decision::Undecided;
    let elo = match stage {
        Some(stage) => Some([stage.elo, stage.lo, stage.hi]),
        None if decided || opponents.is_some() => None,
        None => at_any_time(known),
    };
    let numbers = json!({
        "engines": [first.name, second.name],
        "opponents": opponents,
        "decision": status.decision,
        "elo0": hypotheses.elo0(),
        "elo1": hypotheses.elo1(),
        "model": hypotheses.model(),
        "llr": status.llr,
        "bounds": status.corrected_bounds,
        "pairs": status.pairs,
        "games": status.games,
        "unit": test.sprt().unit(),
        "games_left": test.games_left_range(),
        "elo": elo,
    });
    let words = test_words(test, [&first.name, &second.name], opponents, elo);
    let refused = (!decided).then_some(Refusal::Undecided);
    Some(Claim::new("sprt", refused, numbers, words))
}

/// `opponents`: how many others the two have met, and not each other.
fn test_words(
    test: &SprtWatch,
    engines: [&str; 2],
    opponents: Option<usize>,
    elo: Option<[f64; 3]>,
) -> String {
    let [first, second] = engines.map(short_name);
    let against = opponents.map(|all| format!(" against the same {}", count(all, "opponent")));
    let second = second + &against.unwrap_or_default();
    let (status, hypotheses) = (test.sprt().status(), test.sprt().hypotheses());
    let [low, high] = status.corrected_bounds;
    let (elo0, elo1) = (hypotheses.elo0(), hypotheses.elo1());
    let scale = model_word(hypotheses.model());
    let bounds = format!("SPRT of {elo0} to {elo1} {scale}");
    let after = tested(test, status.pairs, status.games);
    let llr = format!("LLR {}", decimal(status.llr, 2));
    let measured = elo.filter(|[_, low, high]| *low > 0.0 || *high < 0.0 || is_narrow(high - low));
    let measured = measured.map_or_else(String::new, |elo| format!("; {}", interval(elo, 0.95)));
    match status.decision {
        Decision::Accepted => {
            // A test against a loss shows nothing about a gain.
            let better = if elo0 < 0.0 {
                "is no worse than"
            } else {
                "is better than"
            };
            format!(
                "{first} {better} {second}: {bounds} passed after {after} ({llr}, needed {high:.2}){measured}."
            )
        }
        Decision::Rejected => format!(
            "{first} did not pass against {second}: {bounds} failed after {after} ({llr}, needed {low:.2}){measured}."
        ),
        Decision::Undecided => {
            if let Some(within) = test.known_within() {
                return format!(
                    "Known to ± {within} Elo, however often it is looked at: {first} against {second}{measured}; {bounds} not \
                     decided after {after} ({llr})."
                );
            }
            let left = test.games_left_range();
            let left = left.map_or_else(String::new, |[low, _, high]| {
                format!("; {low:.0} to {high:.0} games left (80 %)")
            });
            format!(
                "Not decided: {first} against {second}, {bounds} at {llr} after {after} (fails at {low:.2}, passes at \
                 {high:.2}){left}{measured}."
            )
        }
    }
}

/// Who is stronger.
pub(super) fn stronger(known: &ClaimInput<'_>) -> Option<Claim> {
    let is_tested = known.state.is_some_and(|state| state.test().is_some());
    if is_tested || known.kind == EventKind::SelfPlay {
        return None;
    }
    match known.at_the_end() {
        Some(statistics) if statistics.engines.len() > 2 => field(statistics),
        Some(statistics) => of_two(statistics),
        None => watched(known),
    }
}

/// The difference of two engines with the interval that holds at any time: of the games that the tables show, where
/// there are tables.
fn at_any_time(known: &ClaimInput<'_>) -> Option<[f64; 3]> {
    let in_tables = known.statistics.and_then(|found| found.encounter.as_ref());
    let estimate = match in_tables {
        Some(encounter) => SequentialEstimate::new(&encounter.sample),
        None => known.state?.board().match_estimate(),
    };
    estimate.map(|estimate| estimate.elo())
}

/// Of two engines while they play.
fn watched(known: &ClaimInput<'_>) -> Option<Claim> {
    let elo = at_any_time(known)?;
    let engines = known.state?.roster().participants.iter();
    let engines: Vec<String> = engines.map(|one| one.name.clone()).collect();
    let [first, second] = engines.try_into().ok()?;
    let basis = Basis::AlwaysValid;
    Some(difference([first, second], elo, 0.95, basis, None))
}

/// Of two engines when all games are played.
fn of_two(statistics: &EventStatistics) -> Option<Claim> {
    let found = statistics.encounter.as_ref()?;
    let values = found.statistics.as_ref()?;
    // Without variance the error is unknown.
    let clustered = found
        .by_position
        .and_then(|own| Some((own.elo, own.elo_error?)));
    let profile = [values.elo, values.profile.elo_lo, values.profile.elo_hi];
    let (elo, basis) = match clustered {
        Some((elo, error)) => ([elo, elo - error, elo + error], Basis::Positions),
        None if found.has_pairs() => (profile, Basis::Pairs),
        None => (profile, Basis::Games),
    };
    let (engines, without) = (found.engines.clone(), without_copies(found));
    Some(difference(engines, elo, statistics.level, basis, without))
}

/// The difference of two engines from the point of view of the one that scored more.
fn difference(
    [first, second]: [String; 2],
    [elo, low, high]: [f64; 3],
    level: f64,
    basis: Basis,
    without_copies: Option<[f64; 2]>,
) -> Claim {
    if elo < 0.0 {
        let turned = |[low, high]: [f64; 2]| [-high, -low];
        let without = without_copies.map(turned);
        return difference([second, first], [-elo, -high, -low], level, basis, without);
    }
    let refused = match without_copies {
        _ if low <= 0.0 && !is_narrow(high - low) => Some(Refusal::TooFewGames),
        _ if low <= 0.0 => Some(Refusal::HoldsZero),
        Some([low, _]) if low <= 0.0 => Some(Refusal::HoldsZeroWithoutCopies),
        _ => None,
    };
    // Zero has no sign.
    let elo = [elo.abs(), low, high];
    let numbers = json!({
        "engines": [{ "engine": first, "elo": null, "elo_error": null }],
        "than": second,
        "of": 2,
        "elo": elo,
        "level": level,
        "basis": basis,
    });
    let words = difference_words([&first, &second], interval(elo, level), basis, &refused);
    Claim::new("stronger", refused, numbers, words).based(basis)
}

fn difference_words(
    engines: [&str; 2],
    difference: String,
    basis: Basis,
    refused: &Option<Refusal>,
) -> String {
    let [one, other] = engines.map(short_name);
    let (basis, so_far) = match basis {
        Basis::Positions => (", for start positions like these", ""),
        Basis::AlwaysValid => ("", " so far"),
        _ => ("", ""),
    };
    match refused {
        None => format!("{one} is stronger than {other}: {difference}{basis}{so_far}."),
        Some(Refusal::TooFewGames) => {
            format!("Too few games to say whether {one} or {other} is stronger.")
        }
        Some(why @ Refusal::HoldsZeroWithoutCopies) => {
            format!("Not decided whether {one} or {other} is stronger: {why}.")
        }
        Some(_) => format!("Not decided{so_far}: {one} against {other} {difference}{basis}."),
    }
}

/// The interval without copies of games that are counted, if there are such copies; unbounded if too few games are
/// left.
fn without_copies(found: &EncounterReport) -> Option<[f64; 2]> {
    let mut selections = found.selections.iter();
    let one = selections.find(|one| one.selection == GameSelection::WithoutCopies)?;
    let ends = one.elo_lo.zip(one.elo_hi);
    Some(ends.map_or([f64::NEG_INFINITY, f64::INFINITY], Into::into))
}

/// For three engines or more: the only one that may be the strongest, or all that may be.
fn field(statistics: &EventStatistics) -> Option<Claim> {
    let field = statistics.ratings.as_ref()?;
    if field.model != RatingModel::Logistic || statistics.counted.is_empty() {
        return None;
    }
    let refused = unknown(statistics, field);
    let may_be_first = |engine: &usize| {
        let ranks = field.ranks[*engine].as_ref();
        ranks.is_some_and(|set| set.best == 1)
    };
    let mut first: Vec<usize> = match refused {
        Some(_) => Vec::new(),
        None => (0..statistics.engines.len()).filter(may_be_first).collect(),
    };
    if first.is_empty() && refused.is_none() {
        return None;
    }
    let rating = |engine: usize| field.shown(engine).0.unwrap_or(f64::NEG_INFINITY);
    first.sort_by(|one, other| rating(*other).total_cmp(&rating(*one)));
    let refused = refused.or((first.len() > 1).then_some(Refusal::NotSeparated));
    let rated = first.iter().map(|engine| {
        let (elo, elo_error) = field.shown(*engine);
        json!({ "engine": statistics.engines[*engine], "elo": elo, "elo_error": elo_error })
    });
    let numbers = json!({
        "engines": rated.collect::<Vec<_>>(),
        "than": null,
        "of": statistics.engines.len(),
        "elo": null,
        "level": statistics.level,
        "basis": Basis::Places,
    });
    let words = field_words(statistics, field, &first, &refused);
    Some(Claim::new("stronger", refused, numbers, words).based(Basis::Places))
}

fn field_words(
    statistics: &EventStatistics,
    field: &FieldReport,
    first: &[usize],
    refused: &Option<Refusal>,
) -> String {
    let engines = first.iter().map(|place| statistics.engines[*place].clone());
    let engines: Vec<String> = engines.collect();
    match refused {
        None => {
            let shown = first.first().map(|engine| field.shown(*engine));
            let shown = shown.and_then(|(value, error)| Some((value?, error?)));
            let shown = shown.filter(|(_, error)| is_narrow(2.0 * error));
            let shown = shown.map_or_else(String::new, |(value, error)| {
                format!(" (rating {} ± {error:.1})", elo(value))
            });
            format!(
                "{} is the strongest for certain (95 %){shown}.",
                names(&engines)
            )
        }
        Some(Refusal::NotSeparated) if engines.len() == statistics.engines.len() => {
            "Open who is the strongest: the games do not separate any of them.".to_owned()
        }
        Some(Refusal::NotSeparated) => {
            let some = names(&engines).replace(" and ", " or ");
            format!("Open who is the strongest: {some} may be (95 %).")
        }
        Some(why) => format!("Who is the strongest is not known: {why}."),
    }
}

/// Why the games do not show which of many is the strongest.
fn unknown(statistics: &EventStatistics, field: &FieldReport) -> Option<Refusal> {
    if statistics.first_move.unnamed == Some(Unnamed::Copies) {
        return Some(Refusal::Copies);
    }
    let Some(logistic) = &field.ratings.logistic else {
        return Some(Refusal::TooFewGames);
    };
    let unrated = statistics.engines.iter().zip(&logistic.unrated);
    let above = unrated.filter(|(_, why)| **why == Some(Unrated::AboveAll));
    let above: Vec<String> = above.map(|(name, _)| name.clone()).collect();
    if !above.is_empty() {
        return Some(Refusal::Unrated { engines: above });
    }
    let has = |warning| logistic.warnings.contains(&warning);
    if has(RatingWarning::Disconnected) {
        Some(Refusal::NeverMet)
    } else if has(RatingWarning::NoErrors) || has(RatingWarning::NoVariation) {
        Some(Refusal::TooFewGames)
    } else {
        None
    }
}
