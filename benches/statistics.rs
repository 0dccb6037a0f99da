//! Cost of the live statistics: everything a running display needs after one more pair
//! must take well under a millisecond.

use arbiter960::stats::anytime::{DEFAULT_PLANNED, anytime_interval};
use arbiter960::stats::counts::{GameScore, PairScore, Pentanomial};
use arbiter960::stats::match_statistics::MatchStatistics;
use arbiter960::stats::profile::profile_interval;
use arbiter960::stats::sample::Sample;
use arbiter960::stats::sprt::{Hypotheses, Model, Sprt, log_likelihood_ratio};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

const FEW: Pentanomial = Pentanomial([0, 3, 10, 7, 0]);
const MANY: Pentanomial = Pentanomial([39, 2226, 31451, 2412, 40]);

fn test(model: Model) -> Hypotheses {
    Hypotheses::new(model, 0.0, 5.0, 0.05, 0.05).expect("a possible test")
}

/// A test that looks after every pair, fed with results that do not decide it soon.
fn running_test() -> Sprt {
    use GameScore::{Draw, Loss, Win};
    let mut sprt = Sprt::new(test(Model::Normalized), 1, true);
    for (first, second) in [(Win, Loss), (Draw, Draw), (Loss, Draw), (Win, Draw)].repeat(25) {
        sprt.update(PairScore::new(first, second));
    }
    sprt
}

fn live_update(criterion: &mut Criterion) {
    let sprt = running_test();
    criterion.bench_function(
        "live update: SPRT, time left, always-valid interval",
        |bench| {
            bench.iter_batched(
                || sprt.clone(),
                |mut sprt| {
                    let status = sprt.update(PairScore::new(GameScore::Win, GameScore::Loss));
                    let sample = Sample::from(sprt.counts().pairs);
                    let interval = anytime_interval(&sample, DEFAULT_PLANNED, 0.95);
                    black_box((status, sprt.expected_pairs_left(), interval))
                },
                criterion::BatchSize::SmallInput,
            );
        },
    );
    criterion.bench_function("stage-wise estimate", |bench| {
        bench.iter(|| black_box(sprt.estimate(0.95)));
    });
}

fn likelihoods(criterion: &mut Criterion) {
    for (name, counts) in [("20 pairs", FEW), ("36,168 pairs", MANY)] {
        let sample = Sample::from(counts);
        for model in [Model::Normalized, Model::Logistic] {
            criterion.bench_function(&format!("LLR {model:?}, {name}"), |bench| {
                bench.iter(|| log_likelihood_ratio(model, [0.0, 5.0], black_box(&sample)));
            });
        }
        criterion.bench_function(&format!("profile interval, {name}"), |bench| {
            bench.iter(|| profile_interval(black_box(&sample), 0.95));
        });
        criterion.bench_function(&format!("all match statistics, {name}"), |bench| {
            bench.iter(|| MatchStatistics::new(black_box(&counts)));
        });
    }
}

criterion_group!(benches, live_update, likelihoods);
criterion_main!(benches);
