//! The frequentist companion: exact mid-p values of the positions' totals
//! under one common advantage, and Benjamini & Hochberg's step-up procedure.

use crate::games::Cell;
use crate::ratings::ModelFit;

/// Two-sided mid-p value of White's total in one position: twice the smaller
/// of `P(S < s) + ½P(S = s)` and its complement. The distribution is the
/// convolution of the games'.
pub fn exact_p_value(position: &[Cell], common: &ModelFit) -> f64 {
    let mut laws = Vec::new();
    let mut observed = 0;
    for cell in position {
        if !(common.connectivity.is_rated(cell.white) && common.connectivity.is_rated(cell.black)) {
            continue;
        }
        let game = common.law(cell.white, cell.black);
        let [losses, draws, wins] = cell.results;
        laws.push(TotalLaw::of_games(game, losses + draws + wins));
        observed += (2 * wins + draws) as usize;
    }
    TotalLaw::together(laws).two_sided_mid_p(observed)
}

/// Distribution of a total in half points, without tails too small to matter.
#[derive(Clone)]
struct TotalLaw {
    lowest: usize,
    probability: Vec<f64>,
}

/// Probabilities below this are cut off the ends: a position's p value is
/// never wanted beyond 1e-15.
const NEGLIGIBLE: f64 = 1e-20;

impl TotalLaw {
    fn certain() -> Self {
        Self {
            lowest: 0,
            probability: vec![1.0],
        }
    }

    /// Of this number of equal games: by squares, so that the work grows with the games and not with
    /// their 1.5th power.
    fn of_games(game: [f64; 3], games: u32) -> Self {
        let mut power = Self {
            lowest: 0,
            probability: game.to_vec(),
        };
        let (mut law, mut rest) = (Self::certain(), games);
        while rest > 0 {
            if rest & 1 == 1 {
                law = law.convolved(&power);
            }
            rest >>= 1;
            if rest > 0 {
                power = power.convolved(&power);
            }
        }
        law
    }

    /// The law of the sum, joined in pairs: short laws with short ones.
    fn together(mut laws: Vec<Self>) -> Self {
        while laws.len() > 1 {
            let joined = |two: &[Self]| match two {
                [one, other] => one.convolved(other),
                _ => two[0].clone(),
            };
            laws = laws.chunks(2).map(joined).collect();
        }
        laws.pop().unwrap_or_else(Self::certain)
    }

    fn convolved(&self, other: &Self) -> Self {
        let (long, short) = if self.probability.len() < other.probability.len() {
            (other, self)
        } else {
            (self, other)
        };
        let mut probability = vec![0.0; long.probability.len() + short.probability.len() - 1];
        for (offset, weight) in short.probability.iter().enumerate() {
            let sums = probability[offset..].iter_mut().zip(&long.probability);
            sums.for_each(|(sum, value)| *sum += weight * value);
        }
        let mut law = Self {
            lowest: self.lowest + other.lowest,
            probability,
        };
        law.trim();
        law
    }

    fn trim(&mut self) {
        while self.probability.len() > 1 && self.probability.last().is_some_and(|p| *p < NEGLIGIBLE)
        {
            self.probability.pop();
        }
        let cut = self
            .probability
            .iter()
            .take_while(|p| **p < NEGLIGIBLE)
            .count();
        let cut = cut.min(self.probability.len() - 1);
        self.probability.drain(..cut);
        self.lowest += cut;
    }

    fn two_sided_mid_p(&self, observed: usize) -> f64 {
        let below = observed
            .saturating_sub(self.lowest)
            .min(self.probability.len());
        let at = observed
            .checked_sub(self.lowest)
            .and_then(|index| self.probability.get(index))
            .map_or(0.0, |p| 0.5 * p);
        let low = self.probability[..below].iter().sum::<f64>() + at;
        let high = self.probability[below..].iter().sum::<f64>() - at;
        (2.0 * low.min(high)).clamp(0.0, 1.0)
    }
}

/// Benjamini & Hochberg's adjusted p values, in the order given.
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let count = p_values.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| p_values[*b].total_cmp(&p_values[*a]));
    let mut adjusted = vec![1.0; count];
    let mut smallest: f64 = 1.0;
    for (position, &index) in order.iter().enumerate() {
        let rank = count - position;
        smallest = smallest.min(p_values[index] * count as f64 / rank as f64);
        adjusted[index] = smallest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_law_of_two_games_is_their_convolution() {
        let games = [[0.2, 0.5, 0.3], [0.1, 0.6, 0.3]];
        let law = TotalLaw::together(games.map(|game| TotalLaw::of_games(game, 1)).to_vec());
        let expected = [0.02, 0.17, 0.39, 0.33, 0.09];
        assert!(
            law.probability
                .iter()
                .zip(expected)
                .all(|(p, e)| (p - e).abs() < 1e-15)
        );
        assert!((law.two_sided_mid_p(0) - 0.02).abs() < 1e-15);
        assert!((law.two_sided_mid_p(4) - 0.09).abs() < 1e-15);
        assert!((law.two_sided_mid_p(2) - 2.0 * (0.19 + 0.195)).abs() < 1e-15);
    }

    #[test]
    fn many_games_keep_the_tails() {
        let law = TotalLaw::of_games([0.2, 0.6, 0.2], 2000);
        assert!((law.probability.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(
            law.probability.len() < 700,
            "{} values kept",
            law.probability.len()
        );
        assert!((law.two_sided_mid_p(2000) - 1.0).abs() < 1e-9);
        assert_eq!(law.two_sided_mid_p(0), 0.0);
    }

    #[test]
    fn adjusted_values_follow_the_published_procedure() {
        let adjusted = benjamini_hochberg(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.02, 0.04, 0.04, 0.02];
        assert!(
            adjusted
                .iter()
                .zip(expected)
                .all(|(a, e)| (a - e).abs() < 1e-15),
            "{adjusted:?}"
        );
        assert!(benjamini_hochberg(&[]).is_empty());
    }
}
