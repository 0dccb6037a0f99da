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
        covered += (0..5)
            .filter(|e| {
                table
                    .elo(*e)
                    .zip(table.half_width(*e, 0.95))
                    .is_some_and(|(r, h)| r.abs() <= h)
            })
            .count();
    }
    covered as f64 / (5 * runs) as f64
}

#[test]
fn clustering_by_position_keeps_the_level() {
    let event = Event {
        positions: 60,
        strengths: vec![0.0; 5],
        interaction: 0.6,
        ..Event::two_engines(2, 0.35, 0.3, 0.5)
    };
    let (pair, position) = (
        coverage(&event, ClusterUnit::Pair, 200),
        coverage(&event, ClusterUnit::Position, 200),
    );
    eprintln!("60 positions: clustered by pair {pair:.3}, by position {position:.3}");
    assert!((0.92..=0.975).contains(&position), "by position {position}");
    assert!(pair < position - 0.02, "by pair {pair}");
}

#[test]
fn few_positions_use_students_t() {
    let event = Event {
        positions: 12,
        strengths: vec![0.0; 5],
        interaction: 0.6,
        ..Event::two_engines(5, 0.35, 0.3, 0.5)
    };
    let (pair, position) = (
        coverage(&event, ClusterUnit::Pair, 200),
        coverage(&event, ClusterUnit::Position, 200),
    );
    eprintln!("12 positions: clustered by pair {pair:.3}, by position {position:.3}");
    assert!(position >= 0.9 && pair < position - 0.05);
}
