//! Do the intervals of a match cover what they promise? Played with known truth.

use super::simulated_match::{SplitMix, Truth};
use arbiter960::stats::counts::PairCounts;
use arbiter960::stats::counts::Sample;
use arbiter960::stats::interval::profile_interval;
use arbiter960::stats::start_pairs::leaves_out;

/// From 8 pairs on the profile interval covers at least 93 %, where the normal
/// approximation covers as little as 70 %.
#[test]
fn short_matches_are_covered_by_simulation() {
    const RUNS: u64 = 2_000;
    for (nelo, draws) in [(0.0, 0.5), (150.0, 0.3), (0.0, 0.9)] {
        let truth = Truth::new(nelo, draws);
        let covered = (0..RUNS).filter(|&seed| {
            let mut random = SplitMix::new(seed);
            let counts: PairCounts = (0..8).map(|_| truth.pair(&mut random)).collect();
            let interval = profile_interval(&counts.pairs.into(), 0.95);
            interval.score_lo <= truth.score() && truth.score() <= interval.score_hi
        });
        let coverage = covered.count() as f64 / RUNS as f64;
        println!("8 pairs, {nelo} nElo, {draws} drawn: profile interval covers {coverage:.3}");
        assert!(coverage >= 0.93, "{nelo} nElo, {draws} drawn: {coverage}");
    }
}

/// Watched after every pair from the 20th to the 1,000th, the always-valid interval
/// excludes the truth in at most 5 % of all matches.
#[test]
fn watched_matches_are_covered_at_all_times_by_simulation() {
    const RUNS: u64 = 1_000;
    let truth = Truth::new(30.0, 0.5);
    let excluded = (0..RUNS).filter(|&seed| {
        let mut random = SplitMix::new(seed);
        let mut counts = PairCounts::default();
        (1..=1_000).any(|pairs| {
            counts.add(truth.pair(&mut random));
            let sample = Sample::from(counts.pairs);
            pairs >= 20 && leaves_out(&sample, truth.score(), 0.95)
        })
    });
    let share = excluded.count() as f64 / RUNS as f64;
    println!("always-valid interval: truth excluded at some time in {share:.3}");
    assert!(share <= 0.05, "{share}");
}
