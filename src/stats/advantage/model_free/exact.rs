//! The frequentist companion: exact mid-p values of the positions' totals
//! under one common advantage, and Benjamini & Hochberg's step-up procedure.

use crate::stats::games::Cell;
use crate::stats::ratings::ModelFit;
use crate::stats::ratings::models::davidson;

/// Two-sided mid-p value of White's total in one position: twice the smaller
/// of `P(S < s) + ½P(S = s)` and its complement. The distribution is the
/// convolution of the games'.
pub fn exact_p_value(position: &[Cell], common: &ModelFit) -> f64 {
    let mut law = TotalLaw::certain();
    let mut observed = 0;
    for cell in position {
        if !(common.connectivity.is_rated(cell.white) && common.connectivity.is_rated(cell.black)) {
            continue;
        }
        let x = common.difference(cell.white, cell.black);
        let game = davidson(x, common.draw_parameter());
        let [losses, draws, wins] = cell.results;
        (0..losses + draws + wins).for_each(|_| law.add_game(game));
        observed += (2 * wins + draws) as usize;
    }
    law.two_sided_mid_p(observed)
}

/// Distribution of a total in half points, without tails too small to matter.
struct TotalLaw {
    lowest: usize,
    probability: Vec<f64>,
    padded: Vec<f64>,
}

/// Probabilities below this are cut off the ends: a position's p value is
/// never wanted beyond 1e-15.
const NEGLIGIBLE: f64 = 1e-20;

impl TotalLaw {
    fn certain() -> Self {
        Self {
            lowest: 0,
            probability: vec![1.0],
            padded: Vec::new(),
        }
    }

    fn add_game(&mut self, [loss, draw, win]: [f64; 3]) {
        let old = self.probability.len();
        // old[k−2], old[k−1] and old[k] as three views of one padded array.
        self.padded.clear();
        self.padded.extend([0.0, 0.0]);
        self.padded.extend_from_slice(&self.probability);
        self.padded.extend([0.0, 0.0]);
        let (two_less, one_less, same) = (
            &self.padded[..old + 2],
            &self.padded[1..old + 3],
            &self.padded[2..old + 4],
        );
        self.probability.resize(old + 2, 0.0);
        for (k, value) in self.probability.iter_mut().enumerate() {
            *value = loss * same[k] + draw * one_less[k] + win * two_less[k];
        }
        self.trim();
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
        let mut law = TotalLaw::certain();
        law.add_game([0.2, 0.5, 0.3]);
        law.add_game([0.1, 0.6, 0.3]);
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
        let mut law = TotalLaw::certain();
        (0..2000).for_each(|_| law.add_game([0.2, 0.6, 0.2]));
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
