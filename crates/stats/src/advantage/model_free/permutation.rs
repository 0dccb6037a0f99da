//! The F test without normality: pair values reassigned to positions at
//! random, with a seed.

use crate::numeric::random::SplitMix;

/// Share of `permutations` random reassignments (the observed one included)
/// whose spread between positions is at least as large. `groups` holds the
/// values position by position. `None` without at least two positions, or
/// without a position that has two values.
pub fn permutation_p_value(groups: &[Vec<f64>], permutations: usize, seed: u64) -> Option<f64> {
    if groups.len() < 2 || groups.iter().all(|group| group.len() < 2) {
        return None;
    }
    let mut values: Vec<f64> = groups.concat();
    let sizes: Vec<usize> = groups.iter().map(Vec::len).filter(|n| *n > 0).collect();
    let observed = between(&values, &sizes);
    let mut generator = SplitMix::new(seed);
    let mut as_large = 1;
    for _ in 0..permutations {
        for i in (1..values.len()).rev() {
            values.swap(i, generator.below(i + 1));
        }
        // Equal arrangements must not differ by rounding.
        as_large += usize::from(between(&values, &sizes) >= observed - 1e-9);
    }
    Some(as_large as f64 / (permutations + 1) as f64)
}

/// `Σ (sum of a group)² / size`: grows with the F statistic, because the
/// total is fixed.
fn between(values: &[f64], sizes: &[usize]) -> f64 {
    let mut rest = values;
    let mut total = 0.0;
    for &size in sizes {
        let (group, tail) = rest.split_at(size);
        total += group.iter().sum::<f64>().powi(2) / size as f64;
        rest = tail;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separated_groups_are_rare_under_permutation() {
        let groups = vec![vec![0.0; 6], vec![1.0; 6]];
        // 2 of the 924 arrangements are as extreme.
        let p = permutation_p_value(&groups, 2000, 5).expect("two groups");
        assert!((0.0005..0.006).contains(&p), "{p}");
        assert_eq!(permutation_p_value(&[vec![0.5], vec![1.0]], 99, 1), None);
        assert_eq!(
            permutation_p_value(&[vec![0.5; 3], vec![0.5; 3]], 99, 1),
            Some(1.0)
        );
    }
}
