//! Sequential tests under the truths: passes, estimates after the stop, the range of what is left.

use arbiter960::stats::counts::{GameScore, PairScore, Pentanomial};
use arbiter960::stats::elo::elo_from_score;
use arbiter960::stats::numeric::random::SplitMix;
use arbiter960::stats::ratings::models::davidson;
use arbiter960::stats::sample::Sample;
use arbiter960::stats::sprt::{DEFAULT_BATCH, Decision, Hypotheses, Model, Sprt};

use crate::simulated_truths::{Design, TRUTHS, Truth};
use crate::tally::{self, Tally};

/// Bounds of the test, normalised Elo.
const BOUNDS: [f64; 2] = [0.0, 20.0];

/// Pairs by which the difference of the second hypothesis is found.
const CALIBRATION: u32 = 200_000;

/// Positions of a cycle, in an order of their own in each.
const POSITIONS: u32 = 960;

/// Pairs after which the range of what is left is looked at.
const LOOK: u64 = 300;

/// The table, with so many tests under each hypothesis.
pub(crate) fn table(tests: u64, wanted: &str) -> String {
    let mut tallies = Vec::new();
    for (truth, label) in TRUTHS
        .into_iter()
        .filter(|(_, label)| label.contains(wanted))
    {
        tallies.push((label, simulate(truth, tests)));
    }
    format!(
        "### SPRT of [0, 20] nElo, 960 positions in cycles, half of the games drawn\n\n{}",
        tally::table(&tallies)
    )
}

fn simulate(truth: Truth, tests: u64) -> Tally {
    let design = Design::two_engines(truth, POSITIONS, 0, 0.5);
    let mut tally = Tally::default();
    for (nelo, passes, wrong) in [
        (BOUNDS[0], Decision::Accepted, "H0 is true, passed <= 5"),
        (BOUNDS[1], Decision::Rejected, "H1 is true, failed <= 5"),
    ] {
        let gap = gap_of(&design, nelo);
        let elo = elo_from_score(Engines::new(&design, gap, 1).sample().mean());
        let first = 1_000_000 * truth as u64;
        for seed in first..first + tests {
            let mut engines = Engines::new(&design, gap, seed);
            play(&mut engines, elo, passes, wrong, &mut tally);
        }
    }
    tally
}

fn play(engines: &mut Engines, elo: f64, error: Decision, name: &'static str, tally: &mut Tally) {
    let test = Hypotheses::new(Model::Normalized, BOUNDS[0], BOUNDS[1], 0.05, 0.05);
    let mut sprt = Sprt::new(test.expect("a test"), DEFAULT_BATCH, true);
    let mut range = None;
    while sprt.update(engines.pair()).decision == Decision::Undecided {
        if sprt.status().pairs == LOOK {
            range = sprt.pairs_left_range();
        }
    }
    tally.add(name, sprt.status().decision == error);
    let found = sprt.estimate(0.95).expect("pairs").stagewise;
    tally.add(
        "stage-wise interval, positions like these 95",
        found.lo <= elo && elo <= found.hi,
    );
    if let Some([low, _, high]) = range {
        let left = (sprt.status().pairs - LOOK) as f64;
        tally.add("pairs left, the range of 80 %", low <= left && left <= high);
    }
}

/// The difference in strength at which two engines are so many normalised Elo apart.
fn gap_of(design: &Design, nelo: f64) -> f64 {
    if nelo == 0.0 {
        return 0.0;
    }
    let at = |gap: f64| {
        let counts = Engines::new(design, gap, 0).sample();
        let deviation = (2.0 * counts.variance()).sqrt();
        800.0 / std::f64::consts::LN_10 * (counts.mean() - 0.5) / deviation
    };
    // Normalised Elo is all but proportional to so small a difference; chance is common to both.
    let zero = at(0.0);
    let mut gap = 0.1;
    for _ in 0..4 {
        gap *= nelo / (at(gap) - zero);
    }
    gap
}

/// Mean and variance of pairs.
struct Moments {
    counts: Pentanomial,
}

impl Moments {
    fn mean(&self) -> f64 {
        Sample::from(self.counts).moments().expect("pairs").mean
    }

    fn variance(&self) -> f64 {
        Sample::from(self.counts).moments().expect("pairs").variance
    }
}

/// Two engines that play pair after pair.
struct Engines {
    /// Advantage of White and deviation of the first engine, by position.
    positions: Vec<(f64, f64)>,
    order: Vec<usize>,
    next: usize,
    spreads: [f64; 3],
    gap: f64,
    delta: f64,
    generator: SplitMix,
}

impl Engines {
    fn new(design: &Design, gap: f64, seed: u64) -> Self {
        let mut generator = SplitMix::new(seed.wrapping_mul(0xD134_2543_DE82_EF95) ^ 11);
        let spreads = design.truth.spreads();
        let positions: Vec<(f64, f64)> = (0..POSITIONS)
            .map(|_| {
                let alpha = design.advantage(&mut generator);
                let own = generator.normal() - generator.normal();
                (alpha, spreads[0] * own)
            })
            .collect();
        Self {
            order: (0..positions.len()).collect(),
            next: positions.len(),
            positions,
            spreads,
            gap,
            delta: design.delta(),
            generator,
        }
    }

    fn pair(&mut self) -> PairScore {
        if self.next == self.order.len() {
            for i in (1..self.order.len()).rev() {
                self.order.swap(i, self.generator.below(i + 1));
            }
            self.next = 0;
        }
        let (alpha, own) = self.positions[self.order[self.next]];
        self.next += 1;
        let white = alpha + self.spreads[1] * self.generator.normal();
        let gap = self.gap + own + self.spreads[2] * self.generator.normal();
        let first = self.game(gap + white);
        let second = self.game(gap - white);
        PairScore::new(first, second)
    }

    /// From the first engine's point of view.
    fn game(&mut self, x: f64) -> GameScore {
        let [loss, draw, _] = davidson(x, self.delta);
        match self.generator.uniform() {
            u if u < loss => GameScore::Loss,
            u if u < loss + draw => GameScore::Draw,
            _ => GameScore::Win,
        }
    }

    fn sample(&mut self) -> Moments {
        let mut counts = Pentanomial::default();
        for played in 0..CALIBRATION {
            if played % POSITIONS == 0 {
                // Other positions in each cycle: the difference is one on positions like these.
                for place in &mut self.positions {
                    let own = self.generator.normal() - self.generator.normal();
                    place.1 = self.spreads[0] * own;
                }
            }
            counts.add(self.pair());
        }
        Moments { counts }
    }
}
