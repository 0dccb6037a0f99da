//! Events of seven truths, three of which the models assume least: where advantages come from,
//! and what makes games depend on each other.

use arbiter960::stats::elo::elo_from_score;
use arbiter960::stats::games::{GameFlags, GameRow, GameScore, GameTable};
use arbiter960::stats::numeric::quadrature::GaussHermite;
use arbiter960::stats::numeric::random::SplitMix;
use arbiter960::stats::ratings::models::davidson;

/// How the advantages of positions are distributed, or how games depend on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Truth {
    /// Advantages are normal; games are independent.
    Normal,
    /// Student's t with three degrees of freedom, divided by √3.
    HeavyTails,
    /// Exponential less its mean.
    Skewed,
    /// ±1 with equal chance, plus a tenth of a normal.
    TwoGroups,
    /// Nothing, but for 5 % of the positions ±√20.
    Sparse,
    /// Normal; and each engine is stronger or weaker from position to position (0.4 logits).
    Interaction,
    /// Normal; and both games of a pair share a deviation in White's favour (0.8 logits).
    PairsShareWhite,
    /// Normal; and both games of a pair share one in the first engine's favour (0.5 logits).
    PairsShareEngine,
}

/// All of them, with the names that tables show.
pub(crate) const TRUTHS: [(Truth, &str); 8] = [
    (Truth::Normal, "normal"),
    (Truth::HeavyTails, "t3"),
    (Truth::Skewed, "skewed"),
    (Truth::TwoGroups, "two groups"),
    (Truth::Sparse, "sparse"),
    (Truth::Interaction, "engine x position"),
    (Truth::PairsShareWhite, "pairs share White"),
    (Truth::PairsShareEngine, "pairs share engine"),
];

impl Truth {
    /// A standardised advantage: mean 0, variance 1.
    fn advantage(self, generator: &mut SplitMix) -> f64 {
        match self {
            Truth::HeavyTails => {
                let square = (0..3).map(|_| generator.normal().powi(2)).sum::<f64>();
                generator.normal() / square.sqrt()
            }
            Truth::Skewed => -(1.0 - generator.uniform()).ln() - 1.0,
            Truth::TwoGroups => {
                let side = if generator.uniform() < 0.5 { -1.0 } else { 1.0 };
                side + 0.1 * generator.normal()
            }
            Truth::Sparse if generator.uniform() >= 0.05 => 0.0,
            Truth::Sparse if generator.uniform() < 0.5 => -(20.0_f64.sqrt()),
            Truth::Sparse => 20.0_f64.sqrt(),
            _ => generator.normal(),
        }
    }

    /// Standard deviations: of an engine at a position, of White and of the first engine in a pair.
    pub(crate) fn spreads(self) -> [f64; 3] {
        match self {
            Truth::Interaction => [0.4, 0.0, 0.0],
            Truth::PairsShareWhite => [0.0, 0.8, 0.0],
            Truth::PairsShareEngine => [0.0, 0.0, 0.5],
            _ => [0.0; 3],
        }
    }
}

/// An event to be played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Design {
    pub truth: Truth,
    pub positions: u32,
    /// Pairs for each two engines and position.
    pub pairs: u32,
    pub engines: u16,
    /// Elo from the strongest to the weakest engine, in even steps.
    pub apart: f64,
    /// Mean and standard deviation of the advantages, in logits.
    pub mu: f64,
    pub tau: f64,
    /// Share of draws between equal engines without an advantage.
    pub draws: f64,
}

/// What was played, and what is true.
pub(crate) struct Played {
    pub table: GameTable,
    /// Advantage of each position, by start number.
    pub alphas: Vec<f64>,
    /// White's expected score there between equal engines, in Elo.
    pub elo: Vec<f64>,
    /// Elo of the first engine's expected score against the second over just these positions.
    pub first_elo_here: f64,
}

impl Design {
    /// Two equal engines, mean advantage 0.35, half of the games drawn.
    pub(crate) fn two_engines(truth: Truth, positions: u32, pairs: u32, tau: f64) -> Self {
        Self {
            truth,
            positions,
            pairs,
            engines: 2,
            apart: 0.0,
            mu: 0.35,
            tau,
            draws: 0.5,
        }
    }

    /// The draw parameter δ.
    pub(crate) fn delta(&self) -> f64 {
        (2.0 * self.draws / (1.0 - self.draws)).ln()
    }

    /// White's expected score with this advantage between equal engines, over what a pair shares.
    pub(crate) fn white_score(&self, alpha: f64, rule: &GaussHermite) -> f64 {
        let [_, white, engine] = self.truth.spreads();
        let score = |x: f64| {
            let [_, draw, win] = davidson(x, self.delta());
            win + 0.5 * draw
        };
        rule.expectation(alpha, white.hypot(engine), score)
    }

    /// Plays the event.
    pub(crate) fn play(&self, seed: u64) -> Played {
        self.play_on(seed, |_, generator| self.advantage(generator))
    }

    /// An advantage as this truth has them.
    pub(crate) fn advantage(&self, generator: &mut SplitMix) -> f64 {
        self.mu + self.tau * self.truth.advantage(generator)
    }

    /// Plays it on positions whose advantages are given one by one.
    pub(crate) fn play_on(
        &self,
        seed: u64,
        mut advantage: impl FnMut(u32, &mut SplitMix) -> f64,
    ) -> Played {
        let mut generator = SplitMix::new(seed.wrapping_mul(0xD134_2543_DE82_EF95));
        let names = (0..self.engines)
            .map(|i| format!("Engine {i:02}"))
            .collect();
        let mut table = GameTable::new(names);
        let strengths = self.strengths();
        let rule = GaussHermite::new(15);
        let [by_position, ..] = self.truth.spreads();
        let (mut alphas, mut first_score) = (Vec::new(), 0.0);
        for start in 0..self.positions {
            let alpha = advantage(start, &mut generator);
            let mut deviate = |s: &f64| s + by_position * generator.normal();
            let here: Vec<f64> = strengths.iter().map(&mut deviate).collect();
            let gap = here[0] - here[1];
            let white = self.white_score(alpha + gap, &rule);
            let black = 1.0 - self.white_score(alpha - gap, &rule);
            first_score += 0.5 * (white + black) / f64::from(self.positions);
            self.play_position(start, alpha, &here, &mut generator, &mut table);
            alphas.push(alpha);
        }
        let elo = |alpha: &f64| elo_from_score(self.white_score(*alpha, &rule));
        Played {
            table,
            elo: alphas.iter().map(elo).collect(),
            alphas,
            first_elo_here: elo_from_score(first_score),
        }
    }

    fn strengths(&self) -> Vec<f64> {
        let span = self.apart * std::f64::consts::LN_10 / 400.0;
        let last = f64::from(self.engines - 1);
        let strength = |i| span * (0.5 - f64::from(i) / last);
        (0..self.engines).map(strength).collect()
    }

    fn play_position(
        &self,
        start: u32,
        alpha: f64,
        here: &[f64],
        generator: &mut SplitMix,
        table: &mut GameTable,
    ) {
        let [_, for_white, for_first] = self.truth.spreads();
        for first in 0..here.len() {
            for second in first + 1..here.len() {
                for _ in 0..self.pairs {
                    let white = alpha + for_white * generator.normal();
                    let own = for_first * generator.normal();
                    let pair = Some((table.len() / 2) as u32);
                    let gap = here[first] - here[second] + own;
                    for (white_engine, black_engine, x) in
                        [(first, second, white + gap), (second, first, white - gap)]
                    {
                        let row = GameRow {
                            white: white_engine as u16,
                            black: black_engine as u16,
                            start,
                            pair,
                            result: result(generator, davidson(x, self.delta())),
                            flags: GameFlags::default(),
                        };
                        table.push(row).expect("a valid game");
                    }
                }
            }
        }
    }
}

fn result(generator: &mut SplitMix, [loss, draw, _]: [f64; 3]) -> GameScore {
    let u = generator.uniform();
    if u < loss {
        GameScore::Loss
    } else if u < loss + draw {
        GameScore::Draw
    } else {
        GameScore::Win
    }
}
