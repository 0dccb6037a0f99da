//! Simulated matches with known truth.

use arbiter960::stats::counts::{GameScore, PairScore};
use arbiter960::stats::elo::{NORMALIZED_ELO_SCALE, elo_from_score};

use super::random::Random;

/// Small, fixed generator, so that every run is the same.
pub struct SplitMix(Random);

impl SplitMix {
    /// The generator of one simulated match; neighbouring seeds are far apart in its cycle.
    pub fn new(seed: u64) -> Self {
        Self(Random(seed.wrapping_mul(0xD134_2543_DE82_EF95)))
    }

    fn uniform(&mut self) -> f64 {
        (self.0.roll() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Two engines: chance of a win and of a draw in each game.
#[derive(Clone, Copy)]
pub struct Truth {
    win: f64,
    draw: f64,
}

impl Truth {
    /// Engines this far apart in normalised Elo, whose equals would draw this share of
    /// their games (Davidson's model).
    pub fn new(nelo: f64, draws_if_equal: f64) -> Self {
        let draw_weight = 2.0 * draws_if_equal / (1.0 - draws_if_equal);
        let (mut low, mut high) = (-20.0, 20.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if Self::davidson(middle, draw_weight).nelo() < nelo {
                low = middle;
            } else {
                high = middle;
            }
        }
        Self::davidson(low, draw_weight)
    }

    /// Win : draw : loss = e^(x/2) : weight : e^(-x/2).
    fn davidson(x: f64, draw_weight: f64) -> Self {
        let (win, loss) = ((0.5 * x).exp(), (-0.5 * x).exp());
        let total = win + draw_weight + loss;
        Self {
            win: win / total,
            draw: draw_weight / total,
        }
    }

    fn nelo(&self) -> f64 {
        let excess = self.score() - 0.5;
        let variance = self.win + self.draw / 4.0 - self.score().powi(2);
        NORMALIZED_ELO_SCALE * excess / variance.sqrt()
    }

    /// The true difference in Elo.
    pub fn elo(&self) -> f64 {
        elo_from_score(self.score())
    }

    /// The true mean score.
    pub fn score(&self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// The next pair of games.
    pub fn pair(&self, random: &mut SplitMix) -> PairScore {
        PairScore::new(self.game(random), self.game(random))
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
