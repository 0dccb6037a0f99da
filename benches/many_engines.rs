//! Speed of ratings and of the first move at full size: 1,013,760 games of twelve engines on all
//! 960 positions.

use arbiter960::stats::advantage::{AdvantageOptions, AdvantageReport};
use arbiter960::stats::ratings::RatingInput;
use arbiter960::stats::ratings::table::{RatingOptions, RatingTable};
use criterion::{Criterion, criterion_group, criterion_main};
use simulated_events::Event;

#[path = "../tests/suite/simulated_events.rs"]
mod simulated_events;

fn event(engines: usize, pairs: u32) -> Event {
    let strengths = (0..engines).map(|i| 0.1 * i as f64).collect();
    Event {
        strengths,
        ..Event::two_engines(pairs, 0.8, 0.5, 0.7)
    }
}

fn many_engines(c: &mut Criterion) {
    let mut group = c.benchmark_group("many_engines");
    group.sample_size(10);
    let (games, _) = event(12, 8).play(1);
    assert_eq!(games.len(), 1_013_760);
    group.bench_function(
        "ratings, errors and the first move of 1,013,760 games",
        |b| {
            b.iter(|| {
                let input = RatingInput::new(&games);
                let table = RatingTable::new(&input, &RatingOptions::default()).expect("ratings");
                (
                    table,
                    AdvantageReport::of_input(&input, &AdvantageOptions::default(), |_| None),
                )
            });
        },
    );
    group.finish();
}

criterion_group!(benches, many_engines);
criterion_main!(benches);
