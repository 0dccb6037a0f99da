//! `[sprt]`: a test that decides when to stop.

use std::time::Duration;

use super::problem::Problem;
use super::section::Section;
use super::tournament::{RunningGames, SprtSettings};
use crate::stats::sprt::repeats::FEWEST_STARTS;
use crate::stats::sprt::{Model, Unit};

/// Elo bounds beyond this are a slip.
const MAX_ELO: f64 = 1000.0;

const MODELS: [(&str, Model); 3] = [
    ("normalized", Model::Normalized),
    ("logistic", Model::Logistic),
    ("bayesian", Model::Bayesian),
];

const UNITS: [(&str, Unit); 4] = [
    ("starts", Unit::Starts),
    ("pairs", Unit::Pairs),
    ("games", Unit::Games),
    ("cutechess", Unit::Cutechess),
];

const RUNNING: [(&str, RunningGames); 2] = [
    ("finish", RunningGames::Finish),
    ("void", RunningGames::Void),
];

/// Fewer start positions may leave a test undecided.
const FEW_STARTS: u32 = 100;

/// The settings, for an event with this number of participants and start positions; `lone_games` where
/// pairs are single games.
pub(super) fn read(
    mut section: Section<'_>,
    participants: usize,
    starts: Option<u32>,
    lone_games: bool,
) -> SprtSettings {
    if participants > 2 {
        let help = "take [sprt] out, or all engines but two";
        section.fail::<()>(Problem::error("an SPRT is between two engines").help(help));
    }
    let elo0 = number(&mut section, "elo0", -MAX_ELO..=MAX_ELO, 0.0);
    let upper = section.optional("elo1");
    let elo1 = upper
        .as_ref()
        .map_or(Some(5.0), |entry| entry.number(-MAX_ELO..=MAX_ELO));
    if elo1.is_some_and(|elo1| elo1 <= elo0) {
        let problem = Problem::error(format!("`elo1` must be above `elo0`, which is {elo0}"));
        match &upper {
            Some(entry) => entry.fail::<()>(problem),
            None => section.fail(problem.help("elo1 is 5 where the file is silent")),
        };
    }
    let model = section.optional("model");
    let max_pairs = section.optional("max_pairs");
    let settings = SprtSettings {
        elo0,
        elo1: elo1.unwrap_or(5.0),
        alpha: number(&mut section, "alpha", 1e-6..=0.4999, 0.05),
        beta: number(&mut section, "beta", 1e-6..=0.4999, 0.05),
        model: model
            .and_then(|entry| entry.choice(&MODELS))
            .unwrap_or_default(),
        max_pairs: max_pairs
            .and_then(|entry| entry.integer(1..=1_000_000_000))
            .unwrap_or(100_000),
        max_time: section
            .optional("max_hours")
            .and_then(|entry| entry.number(0.001..=1e5))
            .map(|hours| Duration::from_secs_f64(hours * 3600.0)),
        corrected: word(
            &mut section,
            "bounds",
            &[("corrected", true), ("wald", false)],
            true,
        ),
        unit: unit(&mut section, lone_games),
        running: word(&mut section, "running", &RUNNING, RunningGames::Finish),
    };
    if let Some(problem) = starts.and_then(|starts| of_starts(&settings, starts)) {
        section.fail::<()>(problem);
    }
    section.finish();
    settings
}

/// What is to be known of a test in which start positions repeat.
fn of_starts(settings: &SprtSettings, starts: u32) -> Option<Problem> {
    if u64::from(starts) >= settings.max_pairs {
        return None;
    }
    let (positions, these) = match starts {
        1 => ("start position".to_owned(), "it"),
        _ => (format!("{starts} start positions"), "these"),
    };
    let more = "more starts: `all = true` or a larger `sample` in [positions], or a book";
    let by_starts = settings.unit == Unit::Starts;
    if starts < FEWEST_STARTS as u32 {
        let title = format!(
            "this test says who is stronger from its {positions}, and nothing beyond {these}"
        );
        return Some(Problem::warning(title).help(more));
    }
    if !by_starts {
        let title = format!(
            "this test counts every result on its {positions} as a new one: the error rates hold for \
             {these} alone, not for starts like {these}"
        );
        return Some(Problem::warning(title).help("unit = \"starts\""));
    }
    let title = format!(
        "this test may not end before `max_pairs`: on its {positions} pairs repeat, and those on one \
         start count as one observation"
    );
    (starts < FEW_STARTS).then(|| Problem::warning(title).help(more))
}

/// What is counted. Pairs of one game are no pairs.
fn unit(section: &mut Section<'_>, lone_games: bool) -> Unit {
    let usual = if lone_games {
        Unit::Games
    } else {
        Unit::Starts
    };
    let entry = section.optional("unit");
    let chosen = entry.as_ref().and_then(|entry| entry.choice(&UNITS));
    if let (Some(entry), Some(Unit::Pairs | Unit::Starts), true) = (&entry, chosen, lone_games) {
        let title = "with pair_games = 1 there are no pairs to count";
        entry.fail::<()>(Problem::error(title).help("unit = \"games\""));
    }
    chosen.unwrap_or(usual)
}

fn word<T: Copy>(section: &mut Section<'_>, key: &'static str, words: &[(&str, T)], usual: T) -> T {
    let entry = section.optional(key);
    let chosen = entry.and_then(|entry| entry.choice(words));
    chosen.unwrap_or(usual)
}

fn number(
    section: &mut Section<'_>,
    key: &'static str,
    range: std::ops::RangeInclusive<f64>,
    default: f64,
) -> f64 {
    let entry = section.optional(key);
    entry
        .and_then(|entry| entry.number(range))
        .unwrap_or(default)
}
