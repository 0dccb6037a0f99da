//! Evaluations as a second witness: the factor that they are worth, and what they say of positions.

use arbiter960::stats::numeric::quadrature::GaussHermite;
use arbiter960::stats::numeric::random::SplitMix;
use arbiter960::stats::ratings::models::davidson;
use arbiter960::stats::surrogate::{Surrogate, SurrogateGame, SurrogateReport};

use crate::simulated_truths::{Design, TRUTHS, Truth};
use crate::tally::{self, Tally};

const POSITIONS: u32 = 240;
const PAIRS: u32 = 8;

/// What varies from game to game and is seen by evaluations, logits.
const GAME: f64 = 0.8;

/// What an engine says at ply 24.
#[derive(Clone, Copy, PartialEq)]
enum Evaluations {
    Constant,
    Random,
    Telling,
}

/// The table, with so many events each.
pub(crate) fn table(events: u64, wanted: &str) -> String {
    let truths = TRUTHS.into_iter().filter(|(truth, label)| {
        let of_games = matches!(truth, Truth::Interaction | Truth::PairsShareEngine);
        !of_games && label.contains(wanted)
    });
    let tallies: Vec<_> = truths
        .map(|(truth, label)| (label, simulate(truth, events)))
        .collect();
    format!(
        "### Evaluations, 240 positions, 8 pairs, half of the games drawn, spread 0.5\n\n{}",
        tally::table(&tallies)
    )
}

fn simulate(truth: Truth, events: u64) -> Tally {
    let design = Design::two_engines(truth, POSITIONS, PAIRS, 0.5);
    let mut tally = Tally::default();
    let (mut combined, mut results, mut factors) = (0.0, 0.0, Vec::new());
    let first = 1_000_000 * truth as u64;
    for seed in first..first + events {
        for (evaluations, name) in [
            (
                Evaluations::Constant,
                "all 0.00: the factor's interval holds 1 (70)",
            ),
            (
                Evaluations::Random,
                "random: the factor's interval holds 1 (70)",
            ),
        ] {
            let (games, _) = play(&design, evaluations, seed);
            let Ok(report) = SurrogateReport::new(&games, 0.95) else {
                continue;
            };
            if let Some((low, high)) = report.gain_lo.zip(report.gain_hi) {
                tally.add(name, low <= 1.0 && 1.0 <= high);
            }
        }
        let (games, truths) = play(&design, Evaluations::Telling, seed);
        let report = SurrogateReport::new(&games, 0.95).expect("enough games");
        let inside: Vec<bool> = report
            .positions
            .iter()
            .zip(&truths)
            .map(|(p, truth)| p.lo <= *truth && *truth <= p.hi)
            .collect();
        tally.add_mean("telling: the interval of a position 95", &inside);
        // Evaluations of 0.00 leave the results alone, drawn towards their mean.
        let blind = games.iter().map(|game| SurrogateGame {
            surrogate: Surrogate::Evaluation {
                pawns: 0.0,
                ply: 24,
            },
            ..*game
        });
        let Ok(alone) = SurrogateReport::new(&blind.collect::<Vec<_>>(), 0.95) else {
            continue;
        };
        for ((one, other), truth) in report.positions.iter().zip(&alone.positions).zip(&truths) {
            combined += (one.combined - truth).powi(2);
            results += (other.combined - truth).powi(2);
        }
        factors.extend(report.gain_lo.zip(report.gain_hi));
    }
    let factor = results / combined;
    for (low, high) in factors {
        tally.add(
            "telling: the factor's interval holds the true one (70)",
            low <= factor && factor <= high,
        );
    }
    tally
}

/// Games of equal engines, and White's true score by position.
fn play(design: &Design, evaluations: Evaluations, seed: u64) -> (Vec<SurrogateGame>, Vec<f64>) {
    let mut generator = SplitMix::new(seed.wrapping_mul(0xD134_2543_DE82_EF95) ^ 5);
    let rule = GaussHermite::new(21);
    let shared_spread = design.truth.spreads()[1];
    let score = |x: f64| {
        let [_, draw, win] = davidson(x, design.delta());
        win + 0.5 * draw
    };
    let (mut games, mut truths) = (Vec::new(), Vec::new());
    for start in 0..design.positions {
        let alpha = design.advantage(&mut generator);
        truths.push(rule.expectation(alpha, GAME.hypot(shared_spread), score));
        for pair in 0..design.pairs {
            let shared = shared_spread * generator.normal();
            for _ in 0..2 {
                let x = alpha + shared + GAME * generator.normal();
                let pawns = match evaluations {
                    Evaluations::Constant => 0.0,
                    Evaluations::Random => generator.normal(),
                    Evaluations::Telling => x + 0.3 * generator.normal(),
                };
                let [loss, draw, _] = davidson(x, design.delta());
                let u = generator.uniform();
                let result = usize::from(u >= loss) + usize::from(u >= loss + draw);
                games.push(SurrogateGame {
                    start,
                    pair: start * design.pairs + pair,
                    result: arbiter960::stats::games::GameScore::ALL[result],
                    surrogate: Surrogate::Evaluation { pawns, ply: 24 },
                });
            }
        }
    }
    (games, truths)
}
