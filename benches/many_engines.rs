//! Speed of ratings, the model-free analysis and the hierarchical model at full size: 1,013,760 games of
//! twelve engines on all 960 positions, and two engines.

use arbiter960::stats::advantage::hierarchical::{AdvantagePosterior, HierarchicalOptions};
use arbiter960::stats::advantage::model_free::OneWay;
use arbiter960::stats::advantage::values::white_values;
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
    group.bench_function("ratings, errors and layer A of 1,013,760 games", |b| {
        b.iter(|| {
            let input = RatingInput::new(&games);
            let table = RatingTable::new(&input, &RatingOptions::default()).expect("ratings");
            (
                table,
                OneWay::new(&white_values(&input.pairing.pairs), 0.95),
            )
        });
    });
    let options = HierarchicalOptions::default();
    let cells = games.cells();
    group.bench_function("layer B of twelve engines", |b| {
        b.iter(|| AdvantagePosterior::new(12, &cells, &options).expect("a fit"));
    });
    let cells = event(2, 10).play(1).0.cells();
    group.bench_function("layer B of two engines", |b| {
        b.iter(|| AdvantagePosterior::new(2, &cells, &options).expect("a fit"));
    });
    group.finish();
}

criterion_group!(benches, many_engines);
criterion_main!(benches);
