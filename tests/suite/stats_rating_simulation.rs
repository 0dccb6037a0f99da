//! Coverage of the ratings' intervals where engines do better from some
//! positions than from others, and positions are replayed.

use arbiter960::stats::ratings::table::{RatingOptions, RatingTable};
use arbiter960::stats::ratings::{ClusterUnit, RatingInput};

use super::simulated_events::Event;

/// Share of 95 % intervals that hold the truth: five equal engines, so every
/// rating is zero.
fn coverage(event: &Event, unit: ClusterUnit, runs: u64) -> f64 {
    let mut covered = 0;
    for seed in 0..runs {
        let input = RatingInput::new(&event.play(500 + seed).0);
        let options = RatingOptions {
            unit: Some(unit),
            ..Default::default()
        };
        let table = RatingTable::new(&input, &options).expect("ratings");
        let holds = |engine: &_| {
            let interval = table.elo(*engine).zip(table.half_width(*engine, 0.95));
            interval.is_some_and(|(elo, half)| elo.abs() <= half)
        };
        covered += (0..5).filter(holds).count();
    }
    covered as f64 / (5 * runs) as f64
}

/// The shares by pair and by position, of engines that do better from some of so many positions.
fn by_unit(positions: u32, pairs: u32) -> [f64; 2] {
    let event = Event {
        positions,
        strengths: vec![0.0; 5],
        interaction: 0.6,
        ..Event::two_engines(pairs, 0.35, 0.3, 0.5)
    };
    let units = [ClusterUnit::Pair, ClusterUnit::Position];
    let [pair, position] = units.map(|unit| coverage(&event, unit, 200));
    eprintln!("{positions} positions: clustered by pair {pair:.3}, by position {position:.3}");
    [pair, position]
}

#[test]
fn clustering_by_position_keeps_the_level() {
    let [pair, position] = by_unit(60, 2);
    assert!((0.92..=0.975).contains(&position), "by position {position}");
    assert!(pair < position - 0.02, "by pair {pair}");
}

#[test]
fn few_positions_use_students_t() {
    let [pair, position] = by_unit(12, 5);
    assert!(position >= 0.9 && pair < position - 0.05);
}
