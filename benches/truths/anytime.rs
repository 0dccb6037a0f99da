//! The always-valid interval, watched after every pair of a match in which positions repeat.

use arbiter960::stats::anytime::{DEFAULT_PLANNED, anytime_interval};
use arbiter960::stats::counts::{GameScore, PairScore, Pentanomial};
use arbiter960::stats::numeric::random::SplitMix;
use arbiter960::stats::ratings::models::davidson;

/// Pairs of a match.
const PAIRS: usize = 2000;

/// Spread of an engine's strength from position to position, logits.
const SPREAD: f64 = 0.4;

/// How many matches at some time exclude the truth: of just these positions, and of the
/// engines on all positions there might be.
pub(crate) fn table(matches: u64) -> String {
    let mut text = format!(
        "### Always valid: at some time in {PAIRS} pairs the interval excludes the truth, in % of \
         {matches} matches\n\n| positions | of just these positions | of positions like these |\n|--:|--:|--:|\n"
    );
    for positions in [10, 40, 96, 960] {
        let mut excluded = [0_u32; 2];
        for seed in 0..matches {
            let found = watch(positions, seed);
            (0..2).for_each(|i| excluded[i] += u32::from(found[i]));
        }
        let share = |count: u32| 100.0 * f64::from(count) / matches as f64;
        let [these, all] = excluded.map(share);
        text += &format!("| {positions} | {these:.1} | {all:.1} |\n");
    }
    text
}

/// One match of two engines that are equal on the whole, in cycles over the positions.
fn watch(positions: usize, seed: u64) -> [bool; 2] {
    let mut generator = SplitMix::new(seed.wrapping_mul(0xD134_2543_DE82_EF95) ^ 7);
    let delta = 2.0_f64.ln();
    let gaps: Vec<f64> = (0..positions)
        .map(|_| SPREAD * (generator.normal() - generator.normal()))
        .collect();
    let alpha: Vec<f64> = (0..positions)
        .map(|_| 0.35 + 0.5 * generator.normal())
        .collect();
    let score = |x: f64| {
        let [_, draw, win] = davidson(x, delta);
        win + 0.5 * draw
    };
    let pair_mean = |p: usize| 0.5 * (score(alpha[p] + gaps[p]) + 1.0 - score(alpha[p] - gaps[p]));
    let these = (0..positions).map(pair_mean).sum::<f64>() / positions as f64;
    let mut counts = Pentanomial::default();
    let mut excluded = [false; 2];
    for pair in 0..PAIRS {
        let p = pair % positions;
        let mut game = |x: f64| {
            let [loss, draw, _] = davidson(x, delta);
            match generator.uniform() {
                u if u < loss => GameScore::Loss,
                u if u < loss + draw => GameScore::Draw,
                _ => GameScore::Win,
            }
        };
        let (first, second) = (game(alpha[p] + gaps[p]), game(-alpha[p] + gaps[p]));
        counts.add(PairScore::new(first, second));
        let interval = anytime_interval(&counts.into(), DEFAULT_PLANNED, 0.95).expect("a pair");
        for (excluded, truth) in excluded.iter_mut().zip([these, 0.5]) {
            *excluded |= truth < interval.score_lo || truth > interval.score_hi;
        }
    }
    excluded
}
