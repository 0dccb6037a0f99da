//! The time of a call, for benchmarks that compare nothing.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Long calls are measured ten times at least, and not for longer than this.
const LONG: Duration = Duration::from_secs(5);

/// Prints the median time of a call. What it needs is made before, for so many calls at once that they take a
/// millisecond.
pub(crate) fn measure<Given, Made>(
    name: &str,
    given: impl Fn() -> Given,
    call: impl Fn(Given) -> Made,
) {
    let batch = |calls: usize| {
        let given: Vec<Given> = (0..calls).map(|_| black_box(given())).collect();
        let mut made = Vec::with_capacity(calls);
        let begun = Instant::now();
        made.extend(given.into_iter().map(&call));
        let time = begun.elapsed();
        black_box(made);
        time
    };
    let mut calls = 1;
    while batch(calls) < Duration::from_millis(1) && calls < 100_000 {
        calls *= 2;
    }
    let begun = Instant::now();
    let mut times = Vec::new();
    while times.len() < 10 || (times.len() < 200 && begun.elapsed() < LONG) {
        times.push(batch(calls));
    }
    times.sort_unstable();
    let median = 1e6 * times[times.len() / 2].as_secs_f64() / calls as f64;
    match median < 1e4 {
        true => println!("{name:<55} {median:.2} µs"),
        false => println!("{name:<55} {:.2} ms", median / 1e3),
    }
}
