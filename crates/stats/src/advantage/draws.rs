//! Joint draws of what is known of all positions' advantages: for questions that nobody has
//! thought of here, such as which of ten positions is the best.

use crate::numeric::linear::Symmetric;

use super::hierarchical::AdvantagePosterior;

/// Draws from the posterior.
#[derive(Clone, Debug, Default)]
pub struct JointDraws {
    /// The positions, by start number.
    pub starts: Vec<u32>,
    /// Their advantages in Elo between equal engines, a row a draw.
    pub elo: Vec<Vec<f64>>,
}

impl JointDraws {
    /// Those that a fit was told to keep.
    pub fn of(fit: &AdvantagePosterior) -> Self {
        let in_elo = |draw: &Vec<f64>| draw.iter().map(|alpha| fit.elo(*alpha)).collect();
        Self {
            starts: fit
                .positions
                .iter()
                .map(|position| position.start)
                .collect(),
            elo: fit.draws.iter().map(in_elo).collect(),
        }
    }

    /// Their covariances, Elo²; `None` without two draws.
    pub fn covariance(&self) -> Option<Symmetric> {
        let count = self.elo.len() as f64;
        let mut means = vec![0.0; self.starts.len()];
        for draw in &self.elo {
            let sums = means.iter_mut().zip(draw);
            sums.for_each(|(mean, value)| *mean += value / count);
        }
        let mut total = Symmetric::zeros(self.starts.len());
        for draw in &self.elo {
            let centred: Vec<f64> = draw.iter().zip(&means).map(|(x, m)| x - m).collect();
            total.add_outer(&centred, 1.0 / (count - 1.0));
        }
        (self.elo.len() > 1).then_some(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covariances_are_those_of_the_draws() {
        let draws = JointDraws {
            starts: vec![0, 518],
            elo: vec![vec![1.0, 4.0], vec![3.0, 0.0]],
        };
        let covariance = draws.covariance().expect("two draws");
        let values = [(0, 0), (0, 1), (1, 1)].map(|(i, j)| covariance.at(i, j));
        assert_eq!(values, [2.0, -4.0, 8.0]);
        assert!(JointDraws::default().covariance().is_none());
    }
}
