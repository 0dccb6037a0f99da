//! A sample of scores on a lattice: what every match statistic is computed from.

use super::counts::{Pentanomial, Trinomial};

/// What a zero count becomes in [`Sample::regularized`], as in Fishtest.
pub const REGULARIZED_ZERO: f64 = 1e-3;

/// What one observation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Single games: cells 0, 1/2, 1.
    Game,
    /// Pairs of games with colours swapped: cells 0, 1/4, 1/2, 3/4, 1.
    Pair,
}

/// Observed frequencies on the lattice aᵢ = i/(k-1), low to high.
///
/// Counts are real numbers here, because regularisation makes them so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    unit: Unit,
    cells: [f64; 5],
}

/// Mean, spread and shape of a [`Sample`]; the divisor is the number of observations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// Number of observations, not zero.
    pub n: f64,
    /// Mean score, in [0, 1].
    pub mean: f64,
    /// Variance of one observation's score.
    pub variance: f64,
    /// Third standardised moment; 0 if the variance is 0.
    pub skewness: f64,
    /// Fourth standardised moment less 3; 0 if the variance is 0.
    pub excess_kurtosis: f64,
}

impl From<Trinomial> for Sample {
    fn from(counts: Trinomial) -> Self {
        let [losses, draws, wins] = counts.0.map(|count| count as f64);
        Self {
            unit: Unit::Game,
            cells: [losses, draws, wins, 0.0, 0.0],
        }
    }
}

impl From<Pentanomial> for Sample {
    fn from(counts: Pentanomial) -> Self {
        Self {
            unit: Unit::Pair,
            cells: counts.0.map(|count| count as f64),
        }
    }
}

impl Sample {
    /// Pairs whose counts are no whole numbers.
    pub(crate) fn of_pairs(cells: [f64; 5]) -> Self {
        let unit = Unit::Pair;
        Self { unit, cells }
    }

    /// The counts, low to high: three or five.
    pub fn cells(&self) -> &[f64] {
        match self.unit {
            Unit::Game => &self.cells[..3],
            Unit::Pair => &self.cells,
        }
    }

    /// The scores of the cells, in the same order.
    pub fn lattice(&self) -> &'static [f64] {
        match self.unit {
            Unit::Game => &[0.0, 0.5, 1.0],
            Unit::Pair => &[0.0, 0.25, 0.5, 0.75, 1.0],
        }
    }

    /// Number of observations.
    pub fn observations(&self) -> f64 {
        self.cells().iter().sum()
    }

    /// Games in one observation: 1 or 2.
    pub fn games_per_observation(&self) -> f64 {
        match self.unit {
            Unit::Game => 1.0,
            Unit::Pair => 2.0,
        }
    }

    /// Nothing was observed.
    pub fn is_empty(&self) -> bool {
        self.observations() <= 0.0
    }

    /// Every zero count replaced by [`REGULARIZED_ZERO`]; the total grows accordingly.
    pub fn regularized(&self) -> Self {
        let length = self.cells().len();
        let mut sample = *self;
        for cell in &mut sample.cells[..length] {
            if *cell <= 0.0 {
                *cell = REGULARIZED_ZERO;
            }
        }
        sample
    }

    /// The same sample seen by the opponent.
    pub fn reversed(&self) -> Self {
        let length = self.cells().len();
        let mut sample = *self;
        sample.cells[..length].reverse();
        sample
    }

    /// Relative frequencies, padded with zeros; all zero for an empty sample.
    pub fn frequencies(&self) -> [f64; 5] {
        let n = self.observations();
        self.cells
            .map(|count| if n > 0.0 { count / n } else { 0.0 })
    }

    /// Mean, spread and shape; `None` for an empty sample.
    pub fn moments(&self) -> Option<Moments> {
        let n = self.observations();
        if n <= 0.0 {
            return None;
        }
        let mean = self.average(|a| a);
        let variance = self.average(|a| (a - mean).powi(2));
        let sd = variance.sqrt();
        let standardised = |power| match sd > 0.0 {
            true => self.average(|a| ((a - mean) / sd).powi(power)),
            false => 0.0,
        };
        let (skewness, kurtosis) = (standardised(3), standardised(4));
        let excess_kurtosis = if sd > 0.0 { kurtosis - 3.0 } else { 0.0 };
        Some(Moments {
            n,
            mean,
            variance,
            skewness,
            excess_kurtosis,
        })
    }

    fn average(&self, f: impl Fn(f64) -> f64) -> f64 {
        let pairs = self.lattice().iter().zip(self.cells());
        pairs.map(|(&a, &count)| count * f(a)).sum::<f64>() / self.observations()
    }
}

impl Moments {
    /// Standard error of the mean score.
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.n).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_a_known_pentanomial() {
        let moments = Sample::from(Pentanomial([13, 37, 50, 25, 3]))
            .moments()
            .unwrap();
        assert_eq!(
            (moments.n, moments.mean, moments.variance),
            (128.0, 0.4375, 0.0576171875)
        );
    }

    #[test]
    fn games_and_pairs_have_their_own_lattice() {
        let games = Sample::from(Trinomial([1, 0, 3]));
        assert_eq!(
            (games.cells(), games.lattice().len()),
            (&[1.0, 0.0, 3.0][..], 3)
        );
        assert!((games.regularized().observations() - 4.001).abs() < 1e-12);
        assert!(Sample::from(Pentanomial::default()).moments().is_none());
    }
}
