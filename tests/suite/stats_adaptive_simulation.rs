//! Adaptive allocation with known truth: what it gains, what it biases, what stays true.

use arbiter960::stats::advantage::{AdvantageOptions, AdvantageReport};
use arbiter960::stats::games::{GameFlags, GameRow, GameTable};
use arbiter960::stats::numeric::SplitMix;
use arbiter960::stats::planning::{BoundaryRule, Candidate};
use arbiter960::stats::ratings::RatingInput;
use arbiter960::stats::ratings::models::davidson;

use super::simulated_events::{Event, draw_result};
use super::study;

const POSITIONS: usize = 240;
const BATCHES: usize = 16;
const RUNS: u64 = 10;

/// Two equal engines, advantages with a spread of τ = 1 around 0.35, half of the games
/// drawn.
fn event() -> Event {
    Event {
        positions: POSITIONS as u32,
        ..Event::two_engines(0, 0.35, 1.0, 0.5)
    }
}

/// The games of an event while it is played.
struct Played {
    table: GameTable,
    alphas: Vec<f64>,
    random: SplitMix,
    pairs: Vec<u64>,
}

impl Played {
    fn begin(seed: u64) -> Played {
        let (table, alphas) = event().play(seed);
        Played {
            table,
            alphas,
            random: SplitMix::new(seed + 1_000_000),
            pairs: vec![0; POSITIONS],
        }
    }

    fn play(&mut self, positions: impl IntoIterator<Item = usize>) {
        for start in positions {
            let pair = self.pairs.iter().sum::<u64>() as u32;
            for (white, black) in [(0, 1), (1, 0)] {
                let probabilities = davidson(self.alphas[start], event().delta());
                let row = GameRow {
                    white,
                    black,
                    start: start as u32,
                    pair: Some(pair),
                    result: draw_result(&mut self.random, probabilities),
                    flags: GameFlags::default(),
                };
                self.table.push(row).expect("a valid game");
            }
            self.pairs[start] += 1;
        }
    }

    fn fit(&self) -> AdvantageReport {
        let input = RatingInput::new(&self.table);
        AdvantageReport::of_input(&input, &AdvantageOptions::default(), |_| None)
    }

    fn candidates(&self) -> Vec<Candidate> {
        let fit = self.fit();
        let positions = fit.positions.iter();
        let doubts = positions.map(|position| position.lfsr.expect("pairs"));
        let one = |(doubt, &pairs)| Candidate { doubt, pairs };
        doubts.zip(&self.pairs).map(one).collect()
    }
}

/// What one way to spend the pairs came to, on average over runs.
#[derive(Debug, Default)]
struct Summary {
    /// Positions on the right side of the mean.
    right: f64,
    /// Intervals that hold the truth.
    covered: f64,
    /// Mean of the model's estimate minus the truth over positions.
    model_bias: f64,
    /// How far raw scores lie beyond the truth, away from the mean.
    raw_away: f64,
}

impl Summary {
    fn add(&mut self, played: &Played, runs: f64) {
        let fit = played.fit();
        let mean = played.alphas.iter().sum::<f64>() / POSITIONS as f64;
        let cells = played.table.cells();
        for (index, position) in fit.positions.iter().enumerate() {
            let truth = played.alphas[index];
            let weight = 1.0 / (runs * POSITIONS as f64);
            let right = (position.p_above_mean > Some(0.5)) == (truth > mean);
            self.right += weight * f64::from(u8::from(right));
            let [loss, _, win] = davidson(truth, event().delta());
            let expected = 0.5 * (1.0 + win - loss);
            let elo = arbiter960::stats::elo::elo_from_score(expected);
            let covered = position.elo_lo.is_none_or(|low| low <= elo)
                && position.elo_hi.is_none_or(|high| elo <= high);
            self.covered += weight * f64::from(u8::from(covered));
            self.model_bias += weight * (position.shrunk.expect("pairs") - expected);
            let own = cells.iter().filter(|cell| cell.start as usize == index);
            let (games, score) = own.fold((0.0, 0.0), |(games, score), cell| {
                (games + cell.games(), score + cell.score())
            });
            self.raw_away += weight * (score / games - expected) * (truth - mean).signum();
        }
    }
}

fn simulate(runs: u64) -> [Summary; 2] {
    let rule = BoundaryRule {
        minimum: 2,
        threshold: 0.0,
        batch: POSITIONS / 4,
        reference: None,
    };
    let (mut equal, mut adaptive) = (Summary::default(), Summary::default());
    for seed in 0..runs {
        let mut played = Played::begin(seed);
        let visits = 2 + BATCHES / 4;
        played.play((0..visits * POSITIONS).map(|turn| turn % POSITIONS));
        equal.add(&played, runs as f64);
        let mut played = Played::begin(seed);
        played.play((0..2 * POSITIONS).map(|turn| turn % POSITIONS));
        for _ in 0..BATCHES {
            let batch = rule.next_batch(&played.candidates());
            played.play(batch);
        }
        adaptive.add(&played, runs as f64);
    }
    [equal, adaptive]
}

/// The sampling rule is biased, the posterior is not: it depends on the games alone.
#[test]
fn posteriors_survive_adaptive_allocation_by_simulation() {
    let runs = study::size(RUNS);
    let [equal, adaptive] = simulate(runs);
    println!("| {runs} runs | right side | covered | bias, model | raw, away |");
    for (name, result) in [("equal", &equal), ("adaptive", &adaptive)] {
        let [right, covered] = [result.right, result.covered];
        let [model, raw] = [result.model_bias, result.raw_away];
        println!("| {name} | {right:.3} | {covered:.3} | {model:+.4} | {raw:+.4} |");
    }
    assert!(adaptive.covered >= 0.92, "{adaptive:?}");
    assert!(adaptive.model_bias.abs() < 0.01, "{adaptive:?}");
    assert!(adaptive.right > equal.right, "{adaptive:?} {equal:?}");
    // Why raw scores must not be believed.
    let is_biased = equal.raw_away.abs() < 0.01 && adaptive.raw_away > 0.02;
    assert!(is_biased, "{adaptive:?} {equal:?}");
}
