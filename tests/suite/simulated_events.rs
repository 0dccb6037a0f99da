//! Events with known truth, for the simulation gates.

use arbiter960::stats::games::{GameFlags, GameRow, GameScore, GameTable};
use arbiter960::stats::numeric::SplitMix;
use arbiter960::stats::ratings::models::davidson;

/// A simulated event: every pair of engines plays `pairs` colour-swapped pairs
/// from each position.
#[derive(Clone)]
pub(crate) struct Event {
    pub positions: u32,
    pub pairs: u32,
    /// Strengths in logits.
    pub strengths: Vec<f64>,
    /// Mean advantage, and its spread over positions.
    pub mu: f64,
    pub tau: f64,
    /// Share of draws between equal engines without an advantage.
    pub draws: f64,
    /// Spread of the draw parameter over positions.
    pub omega: f64,
    /// Standard deviation of each engine's strength from position to position.
    pub interaction: f64,
}

impl Event {
    /// Two equal engines on all 960 positions.
    pub(crate) fn two_engines(pairs: u32, mu: f64, tau: f64, draws: f64) -> Self {
        Self {
            positions: 960,
            pairs,
            strengths: vec![0.0; 2],
            mu,
            tau,
            draws,
            omega: 0.0,
            interaction: 0.0,
        }
    }

    /// The draw parameter δ.
    pub(crate) fn delta(&self) -> f64 {
        (2.0 * self.draws / (1.0 - self.draws)).ln()
    }

    /// The games, and each position's true advantage α.
    pub(crate) fn play(&self, seed: u64) -> (GameTable, Vec<f64>) {
        let mut generator = SplitMix::new(seed);
        let names = (0..self.strengths.len()).map(|i| format!("Engine {i:02}"));
        let mut table = GameTable::new(names.collect());
        let mut draw = || self.mu + self.tau * generator.normal();
        let alphas: Vec<f64> = (0..self.positions).map(|_| draw()).collect();
        let mut pair = 0;
        for (start, alpha) in alphas.iter().enumerate() {
            let strengths = self.strengths.iter();
            let here = strengths.map(|s| s + self.interaction * generator.normal());
            let here: Vec<f64> = here.collect();
            let mut delta = self.delta();
            if self.omega > 0.0 {
                delta += self.omega * generator.normal();
            }
            for (first, second) in meetings(here.len()) {
                for _ in 0..self.pairs {
                    for (white, black) in [(first, second), (second, first)] {
                        let x = here[white] - here[black] + alpha;
                        let result = draw_result(&mut generator, davidson(x, delta));
                        let row = GameRow {
                            white: white as u16,
                            black: black as u16,
                            start: start as u32,
                            pair: Some(pair),
                            result,
                            flags: GameFlags::default(),
                        };
                        table.push(row).expect("a valid game");
                    }
                    pair += 1;
                }
            }
        }
        (table, alphas)
    }
}

fn meetings(engines: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..engines).flat_map(move |first| (first + 1..engines).map(move |second| (first, second)))
}

/// A result with these probabilities of White's loss, draw and win.
pub(crate) fn draw_result(generator: &mut SplitMix, [loss, draw, _]: [f64; 3]) -> GameScore {
    let u = generator.uniform();
    if u < loss {
        GameScore::Loss
    } else if u < loss + draw {
        GameScore::Draw
    } else {
        GameScore::Win
    }
}
