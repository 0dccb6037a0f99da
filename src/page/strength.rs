//! Who is stronger, and how sure that is: no more than the statistics allow.

use crate::analysis::{EncounterReport, EventStatistics, FieldReport, RatingModel, Unnamed};
use crate::report::statistics::elo;
use crate::stats::ratings::{RatingWarning, Unrated};

use super::winner::names;

/// The verdict in a sentence, where there is one beside the lines that `stats` has.
pub(super) fn verdict(statistics: &EventStatistics) -> Option<String> {
    copies(statistics)
        .or_else(|| strongest(statistics))
        .or_else(|| of_two(statistics))
}

/// Of an engine that plays itself: that nobody can be stronger, and how level its copies were.
fn copies(statistics: &EventStatistics) -> Option<String> {
    let [first, second] = statistics.engines.as_slice() else {
        return None;
    };
    let found = statistics
        .encounter
        .as_ref()
        .filter(|_| statistics.self_play)?;
    let measured = found.statistics.as_ref()?;
    let interval = &measured.profile;
    let ends = [measured.elo, interval.elo_lo, interval.elo_hi].map(elo);
    let level = if interval.elo_lo > 0.0 || interval.elo_hi < 0.0 {
        "This interval does not hold 0, which happens by chance in one event of twenty."
    } else {
        "No difference is seen between them, as it should be."
    };
    Some(format!(
        "Nobody: two copies of one engine play each other. {first} against {second} has Elo {} [{}, {}] 95 %. {level}",
        ends[0], ends[1], ends[2]
    ))
}

/// Of three engines or more: the one that no other can be above, or all that may be the strongest. Two engines have
/// a line of their own.
fn strongest(statistics: &EventStatistics) -> Option<String> {
    let field = statistics.ratings.as_ref()?;
    let has_ratings = statistics.engines.len() > 2 && field.model == RatingModel::Logistic;
    if !has_ratings || statistics.counted.is_empty() {
        return None;
    }
    if let Some(why) = unknown(statistics, field) {
        return Some(format!("Not known: {why}."));
    }
    let may_be_first = |engine: &usize| {
        field.ranks[*engine]
            .as_ref()
            .is_some_and(|set| set.best == 1)
    };
    let mut first: Vec<usize> = (0..statistics.engines.len()).filter(may_be_first).collect();
    let rating = |engine: usize| field.shown(engine).0.unwrap_or(f64::NEG_INFINITY);
    first.sort_by(|one, other| rating(*other).total_cmp(&rating(*one)));
    let rated = |engine: &usize| {
        let (value, error) = field.shown(*engine);
        let error = error.map_or_else(String::new, |error| format!(" ± {error:.1}"));
        let value = value.map_or_else(|| "-".to_owned(), elo);
        format!("{} ({value}{error} Elo)", statistics.engines[*engine])
    };
    let rated: Vec<String> = first.iter().map(rated).collect();
    match rated.as_slice() {
        [] => None,
        [only] => Some(format!(
            "{only} is stronger than all others: the games leave it no place but the first (95 %)."
        )),
        several if several.len() == statistics.engines.len() => Some(format!(
            "Not decided: these games do not separate any of them from the first place (95 %); by rating: {}.",
            names(several)
        )),
        several => Some(format!(
            "Not decided: the strongest may be any of {} (95 %), here by rating.",
            names(several)
        )),
    }
}

/// Why the games do not say who of many is the strongest.
fn unknown(statistics: &EventStatistics, field: &FieldReport) -> Option<String> {
    if statistics.first_move.unnamed == Some(Unnamed::Copies) {
        return Some("more than a tenth of the games are copies of others".to_owned());
    }
    let Some(logistic) = &field.ratings.logistic else {
        return Some("there are no ratings".to_owned());
    };
    let unrated = statistics.engines.iter().zip(&logistic.unrated);
    let above = unrated.filter(|(_, why)| **why == Some(Unrated::AboveAll));
    let above: Vec<String> = above.map(|(name, _)| name.clone()).collect();
    if !above.is_empty() {
        return Some(format!(
            "{} never lost a point to the others, which gives no finite rating and no error",
            names(&above)
        ));
    }
    let has = |warning| logistic.warnings.contains(&warning);
    let why = if has(RatingWarning::Disconnected) {
        "some engines have never met, not even by way of others"
    } else if has(RatingWarning::NoErrors) || has(RatingWarning::NoVariation) {
        "there are too few different results for an error of the ratings"
    } else if statistics.running {
        "games are being played, and the ratings' intervals hold for one look at the end"
    } else {
        return None;
    };
    Some(why.to_owned())
}

/// Of two engines: which one is stronger, if the interval leaves no doubt. A sequential test says it itself, and an
/// interval that is looked at while games are played says less.
fn of_two(statistics: &EventStatistics) -> Option<String> {
    let is_final = !statistics.self_play && !statistics.running && statistics.sprt.is_none();
    let found = statistics.encounter.as_ref().filter(|_| is_final)?;
    let [first, second] = &found.engines;
    let [low, high] = found.deciding_interval()?;
    let without = without_copies(found);
    Some(match () {
        () if low > 0.0 && without.is_none_or(|[low, _]| low > 0.0) => {
            format!("{first} is stronger than {second}: the whole interval says so.")
        }
        () if high < 0.0 && without.is_none_or(|[_, high]| high < 0.0) => {
            format!("{second} is stronger than {first}: the whole interval says so.")
        }
        () if low > 0.0 || high < 0.0 => {
            "Not decided: without the games that are copies of others the interval has 0 in it."
                .to_owned()
        }
        () => "Not decided: the interval has 0 in it.".to_owned(),
    })
}

/// The interval without copies of games that are counted, where there are such; of no end where too few are left.
fn without_copies(found: &EncounterReport) -> Option<[f64; 2]> {
    let mut selections = found.selections.iter();
    let one = selections.find(|one| one.selection == "without_copies")?;
    let ends = one.elo_lo.zip(one.elo_hi);
    Some(
        ends.map_or([f64::NEG_INFINITY, f64::INFINITY], |(low, high)| {
            [low, high]
        }),
    )
}
