//! What the statistics say, against known truth: each of these once said more than it knew.

use arbiter960_stats::advantage::{AdvantageOptions, AdvantageReport};
use arbiter960_stats::games::{GameFlags, GameRow, GameScore, GameTable};
use arbiter960_stats::maps::AdvantageMap;
use arbiter960_stats::maps::correlation::MapCorrelation;
use arbiter960_stats::maps::{pooled, trend};
use arbiter960_stats::numeric::SplitMix;
use arbiter960_stats::ratings::RatingInput;
use arbiter960_stats::ratings::models::davidson;
use arbiter960_stats::ratings::ranks::comparisons;
use arbiter960_stats::ratings::report::RatingReport;
use arbiter960_stats::ratings::table::{RatingOptions, RatingTable};
use arbiter960_stats::standings::TieBreak;

use super::study;

/// A result with these probabilities of White's loss, draw and win.
fn draw_result(generator: &mut SplitMix, [loss, draw, _]: [f64; 3]) -> GameScore {
    let u = generator.uniform();
    GameScore::ALL[usize::from(u >= loss) + usize::from(u >= loss + draw)]
}

/// Games from known strengths.
#[derive(Clone)]
struct Truth {
    positions: u32,
    pairs: u32,
    /// Logits.
    strengths: Vec<f64>,
    mu: f64,
    tau: f64,
    /// Share of draws between equals.
    draws: f64,
    /// Spread of an engine's strength over positions, engine by engine.
    interaction: Vec<f64>,
    /// Spread of what the two games of a pair have in common for White.
    shared: f64,
}

impl Truth {
    fn two(positions: u32, pairs: u32) -> Truth {
        Truth {
            positions,
            pairs,
            strengths: vec![0.0; 2],
            mu: 0.5,
            tau: 0.4,
            draws: 0.5,
            interaction: vec![0.0; 2],
            shared: 0.0,
        }
    }

    fn delta(&self) -> f64 {
        (2.0 * self.draws / (1.0 - self.draws)).ln()
    }

    /// The games, and White's mean score between equals over these positions.
    fn play(&self, seed: u64) -> (GameTable, f64) {
        self.play_on(&mut SplitMix::new(!seed), seed)
    }

    /// As [`Self::play`], the starts' advantages being drawn apart from the games.
    fn play_on(&self, starts: &mut SplitMix, seed: u64) -> (GameTable, f64) {
        let mut generator = SplitMix::new(seed);
        let names = (0..self.strengths.len()).map(|i| format!("Engine {i}"));
        let mut table = GameTable::new(names.collect());
        let (mut pair, mut truth) = (0, 0.0);
        for start in 0..self.positions {
            let alpha = self.mu + self.tau * starts.normal();
            let [_, draw, win] = davidson(alpha, self.delta());
            truth += (win + 0.5 * draw) / f64::from(self.positions);
            let strengths = self.strengths.iter().zip(&self.interaction);
            let here: Vec<f64> = strengths
                .map(|(strength, spread)| strength + spread * generator.normal())
                .collect();
            for second in 1..here.len() {
                for first in 0..second {
                    for _ in 0..self.pairs {
                        let shared = alpha + self.shared * generator.normal();
                        for (white, black) in [(first, second), (second, first)] {
                            let x = here[white] - here[black] + shared;
                            let row = GameRow {
                                white: white as u16,
                                black: black as u16,
                                start,
                                pair: Some(pair),
                                result: draw_result(&mut generator, davidson(x, self.delta())),
                                flags: GameFlags::default(),
                            };
                            table.push(row).expect("a valid game");
                        }
                        pair += 1;
                    }
                }
            }
        }
        (table, truth)
    }

    fn report(&self, seed: u64) -> (AdvantageReport, f64) {
        let (table, truth) = self.play(seed);
        let options = AdvantageOptions::default();
        (
            AdvantageReport::of_input(&RatingInput::new(&table), &options, |start| Some(start ^ 1)),
            truth,
        )
    }
}

fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Neither the two games of a pair nor all of a position are taken for independent.
#[test]
fn the_advantage_of_all_starts_holds_where_games_of_a_pair_are_alike() {
    let truth = Truth {
        shared: 1.0,
        tau: 0.6,
        ..Truth::two(30, 4)
    };
    let whole: f64 = {
        let (_, mean) = Truth {
            positions: 20_000,
            pairs: 0,
            ..truth.clone()
        }
        .play(1);
        mean
    };
    let held = (0..60)
        .filter(|seed| {
            let found = truth.report(100 + seed).0.mean.expect("an estimate");
            let error = found.elo_error_all.expect("many positions");
            // What the games of a pair share draws the score towards one half.
            (found.elo - elo(whole)).abs() <= error + 6.0
        })
        .count();
    assert!(held >= 53, "held in {held} of 60");
}

/// With errors by pair and intervals by position together, 18.7 % of equal engines were called superior.
#[test]
fn superiority_has_the_errors_of_the_ratings() {
    let truth = Truth {
        strengths: vec![0.0; 3],
        interaction: vec![0.4; 3],
        ..Truth::two(24, 8)
    };
    let (mut beyond, mut by_pair) = (0, 0);
    for seed in 0..100 {
        let (table, _) = truth.play(seed);
        let (input, options) = (RatingInput::new(&table), RatingOptions::default());
        let rated = RatingTable::new(&input, &options);
        let report = RatingReport::new(&input, &rated, &options, &TieBreak::DEFAULT, [true; 2]);
        let logistic = report.logistic.expect("ratings");
        let extreme = |los: Option<f64>| los.is_some_and(|p| !(0.025..=0.975).contains(&p));
        beyond += u32::from(extreme(logistic.los[0][1]));
        by_pair += u32::from(extreme(logistic.los_pair[0][1]));
    }
    assert!(beyond <= 12, "beyond 97.5 % in {beyond} of 100");
    assert!(by_pair > beyond, "{by_pair} by pair");
}

/// A comparison of three builds makes three comparisons: with 95 % no interval of them misses, also where the games of
/// a pair have something in common.
#[test]
fn intervals_of_three_builds_hold_together() {
    let events = study::size(250);
    for shared in [0.0, 0.8] {
        let truth = Truth {
            strengths: vec![0.0; 3],
            interaction: vec![0.0; 3],
            shared,
            mu: 0.35,
            tau: 0.5,
            ..Truth::two(48, 4)
        };
        let held = |seed: &u64| {
            let (games, _) = truth.play(1000 + seed);
            let input = RatingInput::new(&games);
            let table = RatingTable::new(&input, &RatingOptions::default()).expect("ratings");
            let found = comparisons(&table, &[0, 1, 2], 0.95, *seed).expect("errors");
            found.iter().all(|two| two.elo <= two.elo_error)
        };
        let held = (0..events).filter(held).count();
        println!("shared {shared}: held in {held} of {events}");
        // Three errors of 250 events below 95 %.
        assert!(
            held as f64 >= 0.908 * events as f64,
            "held in {held} of {events}"
        );
    }
}

/// Opponents far apart must not drown an engine that likes some positions.
#[test]
fn an_interaction_is_found_between_engines_far_apart() {
    let interacting = |spread: f64| Truth {
        strengths: vec![0.0, 2.5, -2.5],
        interaction: vec![spread, 0.0, 0.0],
        ..Truth::two(60, 6)
    };
    let rejected = |truth: &Truth, seeds: std::ops::Range<u64>| {
        let p = |seed| truth.report(seed).0.interaction_p.expect("a test");
        seeds.filter(|seed| p(*seed) < 0.05).count()
    };
    let found = rejected(&interacting(0.9), 0..20);
    assert!(found >= 17, "found in {found} of 20");
    let falsely = rejected(&interacting(0.0), 100..160);
    assert!(falsely <= 7, "found in {falsely} of 60 where there is none");
}

#[test]
fn twins_keep_their_size() {
    let p_value_is_small = |seed: u64| {
        let truth = Truth {
            tau: 0.0,
            ..Truth::two(20, 4)
        };
        // None where one start carries the deviations.
        let mirror = truth.report(seed).0.mirror?;
        Some(mirror.p_value <= 0.05)
    };
    let told: Vec<bool> = (0..100).filter_map(p_value_is_small).collect();
    let rejected = told.iter().filter(|small| **small).count();
    assert!(told.len() >= 50, "told in {} of 100", told.len());
    assert!(rejected <= 11, "rejected in {rejected} of {}", told.len());
}

fn map(truth: &Truth, starts: u64, seed: u64) -> AdvantageMap {
    let (table, _) = truth.play_on(&mut SplitMix::new(starts), seed);
    let options = AdvantageOptions::default();
    let report = AdvantageReport::of_input(&RatingInput::new(&table), &options, |_| None);
    AdvantageMap::new("map", &report).expect("a map")
}

/// Two maps of one truth are as one once the noise is off; two of different truths are not.
#[test]
fn maps_of_one_truth_agree_and_others_do_not() {
    let truth = Truth {
        tau: 0.8,
        ..Truth::two(120, 10)
    };
    let (mut same, mut other, mut false_alarms) = (0, 0, 0);
    for seed in 0..12 {
        let (a, b) = (
            map(&truth, 1000 + seed, seed),
            map(&truth, 1000 + seed, 500 + seed),
        );
        let found = MapCorrelation::new(&a, &b, 0.95).expect("common starts");
        assert!(
            found.raw < found.correlation,
            "noise was not taken off: {found:?}"
        );
        same += usize::from(found.hi >= 1.0 && found.lo > 0.5 && found.p_unrelated < 0.05);
        let c = map(&truth, 3000 + seed, 900 + seed);
        let found = MapCorrelation::new(&a, &c, 0.95).expect("common starts");
        other += usize::from(found.lo <= 0.0 && found.hi >= 0.0 && found.hi < 1.0);
        false_alarms += usize::from(found.p_unrelated < 0.05);
    }
    assert!(
        same >= 10 && other >= 10 && false_alarms <= 3,
        "{same} {other} {false_alarms}"
    );
}

#[test]
fn one_estimate_from_several_is_never_surer_than_they_allow() {
    let equal = pooled(&[(10.0, 4.0), (12.0, 4.0), (11.0, 4.0)], 0.95).expect("three");
    assert!((equal.mean - 11.0).abs() < 1e-9 && equal.p_equal > 0.5 && equal.spread == 0.0);
    let apart = pooled(&[(-30.0, 4.0), (12.0, 4.0), (55.0, 4.0)], 0.95).expect("three");
    assert!(apart.p_equal < 1e-6 && apart.error > 50.0 && apart.spread > 20.0);
    assert!(apart.heterogeneity > 0.9 && apart.another.is_some());
    let rising = trend(&[(0.0, 0.0, 1.0), (1.0, 5.0, 1.0), (2.0, 10.0, 1.0)], 0.95);
    let rising = rising.expect("a line");
    assert!((rising.slope - 5.0).abs() < 1e-9 && rising.p_value.is_some_and(|p| p < 0.1));
}
