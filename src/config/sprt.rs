//! `[sprt]`: a test that decides when to stop.

use std::time::Duration;

use super::problem::Problem;
use super::section::Section;
use super::tournament::SprtSettings;
use crate::stats::sprt::Model;

/// Elo bounds beyond this are a slip.
const MAX_ELO: f64 = 1000.0;

const MODELS: [(&str, Model); 3] = [
    ("normalized", Model::Normalized),
    ("logistic", Model::Logistic),
    ("bayesian", Model::Bayesian),
];

/// The settings, for an event with this number of participants.
pub(super) fn read(mut section: Section<'_>, participants: usize) -> SprtSettings {
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
    };
    section.finish();
    settings
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
