//! Do sequential tests err as rarely as they promise? Played with known truth.
//!
//! `ARBITER960_SIMULATION_RUNS` sets the number of tests per case (2,000), for
//! instance 20000 for the table of the documentation, printed with `--nocapture`.

use arbiter960::stats::counts::{GameScore, PairScore};
use arbiter960::stats::elo::NORMALIZED_ELO_SCALE;
use arbiter960::stats::sprt::{DEFAULT_BATCH, Decision, Hypotheses, Model, Sprt};

const DEFAULT_RUNS: u64 = 2_000;

/// Small, fixed generator (Steele, Lea & Flood 2014), so that every run is the same.
struct SplitMix(u64);

impl SplitMix {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Two engines: chance of a win and of a draw in each game.
#[derive(Clone, Copy)]
struct Truth {
    win: f64,
    draw: f64,
}

impl Truth {
    /// Engines this far apart in normalised Elo, drawing this share of their games.
    fn new(nelo: f64, draw: f64) -> Self {
        let t = nelo / NORMALIZED_ELO_SCALE;
        // score - 1/2 = t sd and sd² = (1-draw)/4 - (score - 1/2)²
        let excess = t * ((1.0 - draw) / 4.0 / (1.0 + t * t)).sqrt();
        Self {
            win: (1.0 - draw) / 2.0 + excess,
            draw,
        }
    }

    fn game(&self, random: &mut SplitMix) -> GameScore {
        let u = random.uniform();
        if u < self.win {
            GameScore::Win
        } else if u < self.win + self.draw {
            GameScore::Draw
        } else {
            GameScore::Loss
        }
    }
}

/// What came of many tests.
struct Outcome {
    passed: f64,
    mean_pairs: f64,
}

fn play(hypotheses: Hypotheses, truth: Truth, seeds: std::ops::Range<u64>) -> (u64, u64) {
    let (mut passed, mut pairs) = (0, 0);
    for seed in seeds {
        let mut random = SplitMix(seed.wrapping_mul(0xD134_2543_DE82_EF95));
        let mut sprt = Sprt::new(hypotheses, DEFAULT_BATCH, true);
        let decision = loop {
            let pair = PairScore::new(truth.game(&mut random), truth.game(&mut random));
            match sprt.update(pair).decision {
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
