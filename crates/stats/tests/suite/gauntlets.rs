//! One engine against several others, few pairs each: an opponent's own residuals say nothing of its error.

use arbiter960_stats::games::{GameFlags, GameRow, GameTable};
use arbiter960_stats::numeric::SplitMix;
use arbiter960_stats::ratings::RatingInput;
use arbiter960_stats::ratings::models::davidson;
use arbiter960_stats::ratings::ranks::RankDistribution;
use arbiter960_stats::ratings::table::{RatingOptions, RatingTable};

use super::calibrate::at_least;
use super::calibrate::truth::drawn;
use super::study;

/// Opponents of the first engine.
const OPPONENTS: u16 = 8;

/// All are equally strong; each pair has a start of its own, or all opponents play the same starts.
fn played(pairs: u32, same_starts: bool, random: &mut SplitMix) -> GameTable {
    let names = (0..=OPPONENTS).map(|engine| format!("Engine {engine}"));
    let mut table = GameTable::new(names.collect());
    let mut pair = 0;
    for opponent in 1..=OPPONENTS {
        for turn in 0..pairs {
            let start = if same_starts { turn } else { pair };
            for (white, black) in [(0, opponent), (opponent, 0)] {
                let row = GameRow {
                    white,
                    black,
                    start,
                    pair: Some(pair),
                    result: drawn(davidson(0.3, 0.7), random),
                    flags: GameFlags::default(),
                };
                table.push(row).expect("a valid game");
            }
            pair += 1;
        }
    }
    table
}

/// With the errors by pair alone intervals hold in 10 % (one pair each) to 91 % (eight), and some engine is the
/// strongest for certain in every sixth event.
#[test]
fn few_pairs_an_opponent_say_what_they_know() {
    for (pairs, same_starts) in [
        (1, false),
        (2, false),
        (4, false),
        (4, true),
        (8, true),
        (12, false),
    ] {
        let (mut held, mut rated, mut certain) = (0, 0, 0);
        let mut random = SplitMix::new(study::seed(u64::from(pairs)));
        let events = study::size(60);
        for event in 0..events {
            let input = RatingInput::new(&played(pairs, same_starts, &mut random));
            let Ok(table) = RatingTable::new(&input, &RatingOptions::default()) else {
                continue;
            };
            for engine in 0..=OPPONENTS {
                if let Some((elo, error)) = table.elo(engine).zip(table.half_width(engine, 0.95)) {
                    rated += 1;
                    held += u64::from(elo.abs() <= error);
                }
            }
            for members in table.fit.connectivity.rated_components() {
                let Some(places) = RankDistribution::new(&table, &members, event) else {
                    continue;
                };
                let first = (0..members.len()).filter(|i| places.rank_set(*i, 0.95).0 == 1);
                let all_rated = members.len() > usize::from(OPPONENTS);
                certain += u64::from(all_rated && first.count() == 1);
            }
        }
        println!(
            "{pairs} pairs, same starts {same_starts}: {held} of {rated} hold, certain in {certain} of {events}"
        );
        // Ratings of one event depend on each other: as if a third of them were independent.
        let missed = at_least((rated - held) / 3, rated / 3, 0.05);
        assert!(missed > 1e-3, "{pairs} {same_starts}: {held} of {rated}");
        assert!(
            at_least(certain, events, 0.05) > 1e-3,
            "{pairs} {same_starts}: {certain} of {events}"
        );
    }
}
