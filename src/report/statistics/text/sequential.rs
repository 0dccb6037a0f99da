//! The event's SPRT.

use crate::analysis::{EventStatistics, SequentialReport};
use crate::stats::sprt::repeats::FEWEST_STARTS;
use crate::stats::sprt::{Decision, Model, TestUnit};

use super::numbers::{count, elo, interval, labelled, line, percent};

/// The section on the event's SPRT.
pub(crate) fn section(statistics: &EventStatistics) -> Option<String> {
    let test = statistics.sprt.as_ref()?;
    let hypotheses = &test.hypotheses;
    let model = match hypotheses.model() {
        Model::Normalized => "nElo",
        Model::Logistic => "logistic Elo",
        Model::Bayesian => "BayesElo",
    };
    let mut text = format!(
        "SPRT of [{}, {}] {model}\n",
        hypotheses.elo0(),
        hypotheses.elo1()
    );
    text += &line("state", &state(test));
    let counted = |pairs: u64, games: u64| match test.unit {
        TestUnit::Pairs | TestUnit::Starts => count(pairs, "pair"),
        TestUnit::Games | TestUnit::Cutechess => count(games, "game"),
    };
    let [low, high] = test.status.corrected_bounds;
    let mut ratio = format!(
        "{:.2}  [{low:.2}, {high:.2}]   after {}",
        test.status.llr,
        counted(test.status.pairs, test.counted_games())
    );
    if test.status.bounds != test.status.corrected_bounds {
        let [lower, upper] = test.status.bounds;
        ratio += &format!("; Wald's bounds [{lower:.2}, {upper:.2}] less the expected excess");
    }
    text += &line("LLR", &ratio);
    text += &starts(test);
    if let Some(estimate) = &test.estimate {
        let stage = &estimate.stagewise;
        text += &labelled!(
            "Elo",
            "{}  {}   95 %, stage-wise: knows of the stopping rule",
            elo(stage.elo),
            interval(stage.lo, stage.hi)
        );
        text += &line("LOS", &percent(stage.los));
        let planned = &estimate.if_planned;
        text += &labelled!(
            "naive interval",
            "{}   biased: it ignores the stopping rule",
            interval(planned.elo_lo, planned.elo_hi)
        );
    }
    if test.late_games > 0 {
        let late = counted(test.late_pairs, test.late_games);
        let late = format!("{late} finished after the decision, not counted in it");
        text += &line("late", &late);
    }
    Some(text)
}

/// How the test counts start positions that repeat.
fn starts(test: &SequentialReport) -> String {
    let repeated = test.status.pairs > test.starts as u64;
    match test.unit {
        TestUnit::Starts if repeated && test.starts >= FEWEST_STARTS => labelled!(
            "start positions",
            "{}, pairs on one count as one observation: design effect {:.2}",
            test.starts,
            test.design_effect
        ),
        TestUnit::Starts if repeated => labelled!(
            "start positions",
            "{}, too few to be compared: it is about just these",
            test.starts
        ),
        _ => String::new(),
    }
}

fn state(test: &SequentialReport) -> String {
    match (test.status.decision, test.pairs_left_range) {
        (Decision::Accepted, _) => "passed: H1 is accepted".to_owned(),
        (Decision::Rejected, _) => "failed: H0 is accepted".to_owned(),
        (Decision::Undecided, Some([low, middle, high])) => format!(
            "undecided; about {:.0} more pairs, with 80 % probability {:.0} to {:.0}",
            middle.ceil(),
            low.ceil(),
            high.ceil()
        ),
        (Decision::Undecided, None) => "undecided".to_owned(),
    }
}
