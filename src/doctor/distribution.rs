//! Many durations in four numbers.

use std::time::Duration;

use serde::Serialize;

/// Quantiles, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Distribution {
    /// How many there were.
    pub count: usize,
    /// Half were shorter.
    pub p50_us: u64,
    /// 99 of 100 were not longer.
    pub p99_us: u64,
    /// 999 of 1000 were not longer.
    pub p999_us: u64,
    /// The longest.
    pub max_us: u64,
}

impl Distribution {
    /// The quantiles of these; nearest rank (Hyndman and Fan's definition 1).
    pub(crate) fn from_durations(mut durations: Vec<Duration>) -> Distribution {
        durations.sort_unstable();
        let rank = |part: f64| {
            let rank = (part * durations.len() as f64).ceil() as usize;
            let duration = durations.get(rank.max(1) - 1).copied().unwrap_or_default();
            u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
        };
        Distribution {
            count: durations.len(),
            p50_us: rank(0.5),
            p99_us: rank(0.99),
            p999_us: rank(0.999),
            max_us: rank(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_by_nearest_rank() {
        let durations = (1..=1000).rev().map(Duration::from_micros).collect();
        let expected = Distribution {
            count: 1000,
            p50_us: 500,
            p99_us: 990,
            p999_us: 999,
            max_us: 1000,
        };
        assert_eq!(Distribution::from_durations(durations), expected);
        let one = Distribution::from_durations(vec![Duration::from_micros(7)]);
        assert_eq!((one.p50_us, one.max_us), (7, 7));
        assert_eq!(
            Distribution::from_durations(Vec::new()),
            Distribution::default()
        );
    }
}
