//! Do sequential tests err as rarely as they promise? Played with known truth.
//!
//! `ARBITER960_SIMULATION_RUNS` sets the number of tests per case (2,000), for
//! instance 20000 for the table of the documentation, printed with `--nocapture`.

use super::simulated_match::{SplitMix, Truth};
use arbiter960::stats::sprt::{DEFAULT_BATCH, Decision, Hypotheses, Model, Sprt};

const DEFAULT_RUNS: u64 = 2_000;

/// What came of many tests.
struct Outcome {
    passed: f64,
    mean_pairs: f64,
}

fn play(hypotheses: Hypotheses, truth: Truth, seeds: std::ops::Range<u64>) -> (u64, u64) {
    let (mut passed, mut pairs) = (0, 0);
    for seed in seeds {
        let mut random = SplitMix::new(seed);
        let mut sprt = Sprt::new(hypotheses, DEFAULT_BATCH, true);
        let decision = loop {
            match sprt.update(truth.pair(&mut random)).decision {
                Decision::Undecided => {}
                decision => break decision,
            }
        };
        passed += u64::from(decision == Decision::Accepted);
        pairs += sprt.status().pairs;
    }
    (passed, pairs)
}

/// Plays the tests on two threads; the result does not depend on the number of threads.
fn simulate(bounds: [f64; 2], truth: Truth) -> Outcome {
    let runs = match std::env::var("ARBITER960_SIMULATION_RUNS") {
        Ok(text) => text.parse().expect("a number of runs"),
        Err(_) => DEFAULT_RUNS,
    };
    let hypotheses =
        Hypotheses::new(Model::Normalized, bounds[0], bounds[1], 0.05, 0.05).expect("a test");
    let halves = [0..runs / 2, runs / 2..runs];
    let results = std::thread::scope(|scope| {
        let threads = halves.map(|seeds| scope.spawn(move || play(hypotheses, truth, seeds)));
        threads.map(|thread| thread.join().expect("no test panics"))
    });
    let (passed, pairs) = results
        .iter()
        .fold((0, 0), |sum, r| (sum.0 + r.0, sum.1 + r.1));
    let share = |count: u64| count as f64 / runs as f64;
    let outcome = Outcome {
        passed: share(passed),
        mean_pairs: share(pairs),
    };
    println!(
        "{bounds:?} nElo: passed {:.4}, {:.0} pairs",
        outcome.passed, outcome.mean_pairs
    );
    outcome
}

#[test]
fn error_rates_hold_by_simulation() {
    let wrong = simulate([0.0, 20.0], Truth::new(0.0, 0.5));
    assert!(wrong.passed <= 0.065, "type I error {}", wrong.passed);
    let right = simulate([0.0, 20.0], Truth::new(20.0, 0.5));
    assert!(right.passed >= 0.935, "power {}", right.passed);
}

#[test]
fn wide_bounds_do_not_stop_at_once_by_simulation() {
    let wrong = simulate([0.0, 60.0], Truth::new(0.0, 0.9));
    assert!(wrong.passed <= 0.065, "type I error {}", wrong.passed);
    let right = simulate([0.0, 60.0], Truth::new(60.0, 0.9));
    assert!(
        right.passed >= 0.935 && right.mean_pairs > 20.0,
        "power {}",
        right.passed
    );
}

/// After the stop the plain Elo is biased upwards; the stage-wise estimate is not.
#[test]
fn estimates_after_the_stop_cover_the_truth_by_simulation() {
    const RUNS: u64 = 1_000;
    let hypotheses = Hypotheses::new(Model::Normalized, 0.0, 20.0, 0.05, 0.05).expect("a test");
    let truth = Truth::new(20.0, 0.5);
    let (mut covered, mut above) = (0, 0);
    for seed in 0..RUNS {
        let mut random = SplitMix::new(seed);
        let mut sprt = Sprt::new(hypotheses, DEFAULT_BATCH, true);
        while sprt.update(truth.pair(&mut random)).decision == Decision::Undecided {}
        let estimate = sprt.estimate(0.95).expect("some pairs").stagewise;
        covered += u64::from(estimate.lo <= truth.elo() && truth.elo() <= estimate.hi);
        above += u64::from(estimate.elo > truth.elo());
    }
    let (coverage, above) = (covered as f64 / RUNS as f64, above as f64 / RUNS as f64);
    println!("stage-wise interval covers {coverage:.3}, estimate above the truth {above:.3}");
    assert!(coverage >= 0.93, "coverage {coverage}");
    assert!((0.45..=0.55).contains(&above), "above the truth {above}");
}
