//! No counts and no bounds lead to a panic or to something that is not a number.

use arbiter960::stats::counts::Sample;
use arbiter960::stats::counts::{GameScore, PairCounts, PairScore, Pentanomial, Trinomial};
use arbiter960::stats::interval::profile_interval;
use arbiter960::stats::match_statistics::MatchStatistics;
use arbiter960::stats::match_statistics::{middle_pairs, position_bias};
use arbiter960::stats::planning::allocation::{
    BoundaryRule, Candidate, MINIMUM_PAIRS, doubts_of_best,
};
use arbiter960::stats::planning::{PlanSummary, PositionPlan};
use arbiter960::stats::sprt::characteristics::characteristics;
use arbiter960::stats::sprt::hypotheses::cutechess_llr;
use arbiter960::stats::sprt::llr::log_likelihood_at_t;
use arbiter960::stats::sprt::stagewise::stopped_test;
use arbiter960::stats::sprt::{Hypotheses, Model, Sprt, log_likelihood_ratio};
use arbiter960::stats::start_pairs::StartPairs;
use proptest::prelude::*;
use serde_json::Value;

use super::study;

/// Counts of every size, empty cells being frequent.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => Just(0),
        4 => 0..20u64,
        2 => 0..100_000u64,
        1 => any::<u64>(),
    ]
}

fn model() -> impl Strategy<Value = Model> {
    prop_oneof![
        Just(Model::Normalized),
        Just(Model::Logistic),
        Just(Model::Bayesian)
    ]
}

/// Two bounds in order, from hardly apart to absurdly wide.
fn bounds() -> impl Strategy<Value = [f64; 2]> {
    let lower = prop_oneof![Just(0.0), -10.0..10.0f64, -500.0..500.0f64, -1e7..1e7f64];
    let step = prop_oneof![
        Just(300.0),
        1e-6..1.0f64,
        1.0..50.0f64,
        50.0..2000.0f64,
        1.0..1e7f64
    ];
    (lower, step).prop_map(|(lower, step)| [lower, lower + step])
}

/// Numbers that some results do not define, by their place in a match's statistics.
const MAY_BE_UNDEFINED: &str =
    "match.fastchess.elo_error match.ratios.pairs_ratio estimate.stagewise.los";

/// The value has numbers, or `inf` and `-inf`, which JSON has no numbers for. An undefined
/// number is null, never text, and only where [`MAY_BE_UNDEFINED`] allows it.
fn assert_numbers(place: &str, value: &Value) {
    match value {
        Value::Object(fields) => fields
            .iter()
            .for_each(|(name, value)| assert_numbers(&format!("{place}.{name}"), value)),
        Value::Array(items) => items.iter().for_each(|item| assert_numbers(place, item)),
        Value::Null => {
            let is_allowed = MAY_BE_UNDEFINED.split(' ').any(|other| other == place);
            assert!(is_allowed, "{place} is not a number");
        }
        Value::String(text) => {
            assert!(text == "inf" || text == "-inf", "{place} is {text:?}");
        }
        Value::Number(_) | Value::Bool(_) => {}
    }
}

/// A ratio is undefined where no pair was decided, and an error is a number or undefined.
fn assert_defined(statistics: &MatchStatistics, cells: &[u64; 5]) {
    if let Some(ratios) = statistics.ratios {
        let is_decided = [0, 1, 3, 4].iter().any(|cell| cells[*cell] > 0);
        assert_eq!(ratios.pairs_ratio.is_some(), is_decided, "{cells:?}");
        assert!(ratios.pairs_ratio.is_none_or(|ratio| !ratio.is_nan()));
    }
    let error = statistics.fastchess.and_then(|interval| interval.elo_error);
    assert!(error.is_none_or(f64::is_finite), "{cells:?}: {error:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(study::cases(512)) })]

    #[test]
    fn match_statistics_are_numbers(cells in prop::array::uniform5(count())) {
        let games = Trinomial([cells[0], cells[1], cells[2]]);
        for statistics in [
            MatchStatistics::of_pairs(&StartPairs::on_own_starts(Pentanomial(cells)), 0.95),
            MatchStatistics::of_games(&games, 0.99),
        ].into_iter().flatten() {
            assert_numbers("match", &serde_json::to_value(statistics).unwrap());
            assert_defined(&statistics, &cells);
            prop_assert!(statistics.profile.score_lo <= statistics.score + 1e-12);
            prop_assert!(statistics.profile.score_hi >= statistics.score - 1e-12);
        }
        let counts = PairCounts { pairs: Pentanomial(cells), games };
        let _ = middle_pairs(&counts);
        if let Some(bias) = position_bias(&counts) {
            assert_numbers("bias", &serde_json::to_value(bias).unwrap());
        }
    }

    #[test]
    fn ratios_are_finite(
        cells in prop::array::uniform5(count()), model in model(), bounds in bounds(),
    ) {
        let games = Trinomial([cells[0], cells[1], cells[2]]);
        for sample in [Sample::from(Pentanomial(cells)), Sample::from(games)] {
            let llr = log_likelihood_ratio(model, bounds, &sample);
            prop_assert!(llr.is_finite(), "{llr}");
        }
        prop_assert!(cutechess_llr(bounds, &games).is_finite());
    }

    #[test]
    fn tests_accept_every_result(
        pairs in prop::collection::vec((0..3usize, 0..3usize), 0..40),
        model in model(), bounds in bounds(), batch in 0..5u64,
    ) {
        const SCORES: [GameScore; 3] = [GameScore::Loss, GameScore::Draw, GameScore::Win];
        let hypotheses = Hypotheses::new(model, bounds[0], bounds[1], 0.05, 0.1).unwrap();
        let mut sprt = Sprt::new(hypotheses, batch, true);
        for (first, second) in pairs {
            let status = sprt.update(PairScore::new(SCORES[first], SCORES[second]));
            prop_assert!(status.llr.is_finite());
            prop_assert!(sprt.expected_pairs_left().is_none_or(|pairs| pairs >= 0.0));
        }
        if let Some(estimate) = sprt.estimate(0.95) {
            assert_numbers("estimate", &serde_json::to_value(estimate).unwrap());
        }
    }

    #[test]
    fn estimates_and_expectations_are_numbers(
        cells in prop::array::uniform5(count()), model in model(), bounds in bounds(),
        elo in -2000.0..2000.0f64, draws in 0.0..1.0f64, bias in 0.0..300.0f64,
    ) {
        let hypotheses = Hypotheses::new(model, bounds[0], bounds[1], 0.01, 0.2).unwrap();
        let games = Trinomial([cells[0], cells[1], cells[2]]);
        if let Some(found) =
            stopped_test(&hypotheses, &Pentanomial(cells).into(), &games, 1.0, 0.95)
        {
            let found = found.stagewise;
            prop_assert!(found.lo <= found.elo && found.elo <= found.hi, "{found:?}");
            prop_assert!(found.los.is_none_or(|los| (0.0..=1.0).contains(&los)));
        }
        if let Ok(expected) = characteristics(&hypotheses, elo, draws, bias) {
            prop_assert!((0.0..=1.0).contains(&expected.pass_prob), "{expected:?}");
            prop_assert!(expected.games >= 0.0, "{expected:?}");
        }
    }

    #[test]
    fn plans_are_numbers_or_named_errors(
        draw_ratio in -0.1..1.1f64, white_score in 0.0..1.0f64, positions in 0..2_000u64,
        pairs in prop_oneof![Just(0.0), Just(1.0), 0.0..100.0f64, 0.0..1e12f64],
        tau_elo in prop_oneof![Just(0.0), 0.0..100.0f64], dispersion in 0.1..3.0f64,
    ) {
        let plan =
            PositionPlan { draw_ratio, white_score, pairs, positions, tau_elo, dispersion };
        if let Ok(PlanSummary { pairs_for_reliability_0_8, mde_tau_elo, .. }) = plan.summary() {
            let mut summary = serde_json::to_value(plan.summary().unwrap()).unwrap();
            let fields = summary.as_object_mut().unwrap();
            if pairs_for_reliability_0_8.is_none() {
                prop_assert_eq!(tau_elo, 0.0);
                fields.remove("pairs_for_reliability_0_8");
            }
            if mde_tau_elo.is_none() {
                prop_assert!(positions < 2 || pairs <= 1.0);
                fields.remove("mde_tau_elo");
            }
            assert_numbers("plan", &summary);
        }
    }

    #[test]
    fn allocations_are_within_the_batch_and_lists(
        positions in prop::collection::vec((0.0..=1.0f64, 0..9u64), 0..30),
        threshold in prop_oneof![Just(0.0), 0.0..0.5f64],
        minimum in 0..5u64, batch in 0..35usize, reference in prop::option::of(0..35usize),
    ) {
        let rule = BoundaryRule { minimum, threshold, batch, reference };
        let candidates: Vec<Candidate> = positions
            .iter()
            .map(|&(doubt, pairs)| Candidate { doubt, pairs })
            .collect();
        let chosen = rule.next_batch(&candidates);
        prop_assert!(chosen.len() <= batch);
        prop_assert!(chosen.iter().all(|&index| index < candidates.len()));
        let minimum = minimum.max(MINIMUM_PAIRS);
        let starving = candidates.iter().any(|position| position.pairs < minimum);
        prop_assert!(!starving || chosen.iter().all(|&i| candidates[i].pairs < minimum));
        let mut others: Vec<usize> =
            chosen.into_iter().filter(|&i| starving || Some(i) != reference).collect();
        others.sort_unstable();
        prop_assert!(others.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn doubts_are_probabilities_or_refused(
        posteriors in prop::collection::vec(prop::array::uniform2(any::<f64>()), 0..30),
        wanted in 0..35usize,
    ) {
        if let Ok(doubts) = doubts_of_best(&posteriors, wanted) {
            prop_assert!(doubts.iter().all(|doubt| (0.0..=0.5).contains(doubt)));
        }
    }

    /// No law that fulfils the constraint is likelier than the maximum that is found.
    #[test]
    fn the_constrained_maximum_is_global(
        cells in prop::array::uniform5(prop_oneof![Just(0), 0..4u64, 0..40u64]),
        tilt in prop::array::uniform5(-4.0..4.0f64),
    ) {
        let sample = Sample::from(Pentanomial(cells)).regularized();
        let observed = sample.frequencies();
        let mut law: Vec<f64> = observed.iter().zip(tilt).map(|(p, x)| p * x.exp()).collect();
        let total: f64 = law.iter().sum();
        law.iter_mut().for_each(|q| *q /= total);
        let average = |f: &dyn Fn(f64) -> f64| -> f64 {
            law.iter().zip(sample.lattice()).map(|(q, &a)| q * f(a)).sum()
        };
        let mean = average(&|a| a);
        let sd = average(&|a| (a - mean).powi(2)).sqrt();
        let likelihood: f64 = observed.iter().zip(&law).map(|(p, q)| p * (q / p).ln()).sum();
        prop_assume!(((mean - 0.5) / sd).abs() < 100.0);
        prop_assert!(log_likelihood_at_t(&sample, (mean - 0.5) / sd) >= likelihood - 1e-9);
    }
}

#[test]
fn nothing_between_the_bounds_is_a_named_error() {
    let equal = Hypotheses::new(Model::Normalized, 2.0, 2.0, 0.05, 0.05);
    let words = "both bounds of the test are 2: there is nothing to decide";
    assert_eq!(equal.unwrap_err().to_string(), words);
}

/// Every small table at bounds where a fixed-point iteration fails.
#[test]
fn all_small_tables_have_a_ratio_at_wide_bounds() {
    let mut tables = 0;
    for code in 0..5u32.pow(4) {
        let mut cells = [0; 5];
        for place in 0..4 {
            cells[(code / 5u32.pow(place) % 5) as usize] += 1;
        }
        let sample = Sample::from(Pentanomial(cells));
        let llr = log_likelihood_ratio(Model::Normalized, [0.0, 300.0], &sample);
        let mirrored = log_likelihood_ratio(Model::Normalized, [0.0, -300.0], &sample.reversed());
        let is_mirrored = (llr - mirrored).abs() < 1e-9;
        assert!(llr.is_finite() && is_mirrored, "{cells:?}: {llr}");
        assert!(profile_interval(&sample, 0.95).elo_lo < 200.0, "{cells:?}");
        tables += 1;
    }
    assert_eq!(tables, 625);
}
