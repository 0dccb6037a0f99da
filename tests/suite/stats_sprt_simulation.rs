//! Do sequential tests err as rarely as they promise? Played with known truth.
//!
//! `ARBITER960_STUDY=4 cargo test simulation -- --nocapture` plays the whole table of the documentation with
//! 1,000 tests per number (10,000 where they are short), and prints it.

use super::simulated_match::{SplitMix, Truth};
use super::study;
use arbiter960::stats::sprt::{DEFAULT_BATCH, Decision, Hypotheses, Model, Sprt};

const RUNS: u64 = 1_000;

/// A test of normalised Elo between engines whose equals would draw this share of games.
#[derive(Clone, Copy)]
struct Case {
    bounds: [f64; 2],
    draws: f64,
    correction: bool,
}

/// The results of many tests: share of passed ones and mean length under H0 and H1.
struct Outcome {
    passed: [f64; 2],
    pairs: [f64; 2],
}

impl Outcome {
    /// Errors of both kinds are 5 % and this margin at most.
    #[track_caller]
    fn assert_errors_within(&self, margin: f64) {
        let [error, power] = self.passed;
        assert!(error <= 0.05 + margin, "type I error {error}");
        assert!(power >= 0.95 - margin, "power {power}");
    }
}

impl Case {
    /// Plays `runs` tests under each hypothesis, one hypothesis a thread.
    fn simulate(self, runs: u64) -> Outcome {
        let results = std::thread::scope(|scope| {
            let play = |truth| scope.spawn(move || self.play(truth, runs));
            let threads = self.bounds.map(play);
            threads.map(|thread| thread.join().expect("no test panics"))
        });
        let outcome = Outcome {
            passed: results.map(|(passed, _)| passed as f64 / runs as f64),
            pairs: results.map(|(_, pairs)| pairs as f64 / runs as f64),
        };
        let Outcome { passed, pairs } = &outcome;
        println!(
            "| {:?} | {} | {} | {:.4} | {:.4} | {:.0} | {:.0} |",
            self.bounds, self.draws, self.correction, passed[0], passed[1], pairs[0], pairs[1],
        );
        outcome
    }

    /// Tests passed and pairs played at this true difference.
    fn play(self, nelo: f64, runs: u64) -> (u64, u64) {
        let [elo0, elo1] = self.bounds;
        let hypotheses = Hypotheses::new(Model::Normalized, elo0, elo1, 0.05, 0.05);
        let hypotheses = hypotheses.expect("a possible test");
        let truth = Truth::new(nelo, self.draws);
        let (mut passed, mut pairs) = (0, 0);
        for seed in 0..runs {
            let mut random = SplitMix::new(seed);
            let mut sprt = Sprt::new(hypotheses, DEFAULT_BATCH, self.correction);
            while sprt.update(truth.pair(&mut random)).decision == Decision::Undecided {}
            passed += u64::from(sprt.status().decision == Decision::Accepted);
            pairs += sprt.status().pairs;
        }
        (passed, pairs)
    }
}

#[test]
fn error_rates_hold_by_simulation() {
    let case = Case {
        bounds: [0.0, 20.0],
        draws: 0.5,
        correction: true,
    };
    let outcome = case.simulate(study::size(RUNS));
    outcome.assert_errors_within(0.015);
}

/// A normal approximation stops after the first pair here, and errs in a third of tests.
#[test]
fn wide_bounds_do_not_stop_at_once_by_simulation() {
    let case = Case {
        bounds: [0.0, 60.0],
        draws: 0.9,
        correction: true,
    };
    let outcome = case.simulate(study::size(RUNS));
    outcome.assert_errors_within(0.015);
    assert!(outcome.pairs[1] > 20.0, "{} pairs", outcome.pairs[1]);
}

/// Draws, bounds and correction; few runs, and no long tests, unless the table is asked for.
#[test]
fn the_table_of_error_rates_by_simulation() {
    println!("| bounds | draws | Siegmund | passed, H0 | passed, H1 | pairs, H0 | pairs, H1 |");
    let long = study::is_large().then_some([0.0, 20.0]);
    for bounds in long.into_iter().chain([[0.0, 60.0], [0.0, 150.0]]) {
        // Tests of wide bounds are short: ten times as many cost no more.
        let is_long = study::is_large() && bounds[1] > 20.0;
        let runs = study::size(RUNS / 4) * if is_long { 10 } else { 1 };
        for draws in [0.5, 0.9] {
            let [plain, corrected] = [false, true].map(|correction| {
                let case = Case {
                    bounds,
                    draws,
                    correction,
                };
                case.simulate(runs)
            });
            // Four standard errors of a true 5 %.
            let margin = 4.0 * (0.05 * 0.95 / runs as f64).sqrt();
            for outcome in [&plain, &corrected] {
                outcome.assert_errors_within(margin);
            }
            // The correction shortens tests.
            assert!(corrected.pairs[0] <= plain.pairs[0]);
        }
    }
}

/// After the stop the plain Elo is biased upwards; the stage-wise estimate is not.
#[test]
fn estimates_after_the_stop_cover_the_truth_by_simulation() {
    let runs = study::size(RUNS / 4);
    let hypotheses = Hypotheses::new(Model::Normalized, 0.0, 20.0, 0.05, 0.05).expect("a test");
    let truth = Truth::new(20.0, 0.5);
    let (mut covered, mut above) = (0, 0);
    for seed in 0..runs {
        let mut random = SplitMix::new(seed);
        let mut sprt = Sprt::new(hypotheses, DEFAULT_BATCH, true);
        while sprt.update(truth.pair(&mut random)).decision == Decision::Undecided {}
        let estimate = sprt.estimate(0.95).expect("some pairs").stagewise;
        covered += u64::from(estimate.lo <= truth.elo() && truth.elo() <= estimate.hi);
        above += u64::from(estimate.elo > truth.elo());
    }
    let (coverage, above) = (covered as f64 / runs as f64, above as f64 / runs as f64);
    println!("stage-wise interval covers {coverage:.3}, estimate above the truth {above:.3}");
    assert!(coverage >= 0.93, "coverage {coverage}");
    assert!((0.45..=0.55).contains(&above), "above the truth {above}");
}
