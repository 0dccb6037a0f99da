//! Pair values by position: the data of the analysis of variance.

use crate::games::Pair;

/// The pair values of one position, summed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionValues {
    /// Start number.
    pub start: u32,
    /// Number of pairs n.
    pub pairs: f64,
    /// Sum of the values.
    pub sum: f64,
    /// Sum of the squared values.
    pub squares: f64,
}

impl PositionValues {
    /// Mean value.
    pub fn mean(&self) -> f64 {
        self.sum / self.pairs
    }

    /// Sum of squared deviations from the mean.
    pub fn scatter(&self) -> f64 {
        (self.squares - self.sum * self.sum / self.pairs).max(0.0)
    }
}

/// White's mean score in each pair, by position in ascending order.
pub fn white_values(pairs: &[Pair]) -> Vec<PositionValues> {
    by_position(pairs.iter().map(|pair| (pair.start, pair.white_value())))
}

/// White's mean score in each pair, the single values position by position.
pub fn white_value_groups(pairs: &[Pair]) -> Vec<Vec<f64>> {
    let mut groups = std::collections::BTreeMap::<u32, Vec<f64>>::new();
    for pair in pairs {
        groups
            .entry(pair.start)
            .or_default()
            .push(pair.white_value());
    }
    groups.into_values().collect()
}

/// One engine's mean score in each pair it played, by position.
pub fn engine_values(pairs: &[Pair], engine: u16) -> Vec<PositionValues> {
    by_position(
        pairs
            .iter()
            .filter_map(|pair| Some((pair.start, pair.value_of(engine)?))),
    )
}

/// Sums values of (start, value). Pair values are quarters, so the sums are
/// exact.
fn by_position(values: impl Iterator<Item = (u32, f64)>) -> Vec<PositionValues> {
    let mut values: Vec<(u32, f64)> = values.collect();
    values.sort_unstable_by_key(|(start, _)| *start);
    let summed = |group: &[(u32, f64)]| PositionValues {
        start: group[0].0,
        pairs: group.len() as f64,
        sum: group.iter().map(|(_, value)| value).sum(),
        squares: group.iter().map(|(_, value)| value * value).sum(),
    };
    values.chunk_by(|a, b| a.0 == b.0).map(summed).collect()
}
