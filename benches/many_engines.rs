//! Speed of ratings and of the first move at full size: 1,013,760 games of twelve engines on all
//! 960 positions. `cargo bench --bench many_engines`

use arbiter960::stats::advantage::{AdvantageOptions, AdvantageReport};
use arbiter960::stats::ratings::RatingInput;
use arbiter960::stats::ratings::table::{RatingOptions, RatingTable};
use measure::measure;
use simulated_events::Event;

mod measure;
#[path = "../tests/suite/simulated_events.rs"]
mod simulated_events;

fn event(engines: usize, pairs: u32) -> Event {
    let strengths = (0..engines).map(|i| 0.1 * i as f64).collect();
    Event {
        strengths,
        ..Event::two_engines(pairs, 0.8, 0.5, 0.7)
    }
}

fn main() {
    let (games, _) = event(12, 8).play(1);
    assert_eq!(games.len(), 1_013_760);
    measure(
        "ratings, errors and the first move of 1,013,760 games",
        || (),
        |()| {
            let input = RatingInput::new(&games);
            let table = RatingTable::new(&input, &RatingOptions::default()).expect("ratings");
            (
                table,
                AdvantageReport::of_input(&input, &AdvantageOptions::default(), |_| None),
            )
        },
    );
}
