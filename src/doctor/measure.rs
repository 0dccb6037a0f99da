//! Round trips, wake-ups and waits, in lanes as a run has them: each lane is a thread
//! with its own runtime and its own engines.
//!
//! A lane alternates between two parts. First its engines think as hard as they can for a
//! moment while the lane sleeps and wakes; then one of them answers at once a number of times.
//! The lanes are not in step, so each is measured under the load of the others.

use std::io;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::Planned;
use super::speed::{best_move, started};
use crate::config::EngineSpec;
use crate::engine::guardian::Guardian;
use crate::engine::process::Process;
use crate::engine::surroundings::Surroundings;
use crate::platform::{proc, runtime};
use crate::run::RunError;

/// Quantiles, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Distribution {
    /// How many there were.
    pub count: usize,
    /// Half were shorter.
    pub p50_us: u64,
    /// 99 of 100 were not longer.
    pub p99_us: u64,
    /// 999 of 1000 were not longer.
    pub p999_us: u64,
    /// The longest.
    pub max_us: u64,
}

impl Distribution {
    /// The quantiles of these; nearest rank (Hyndman and Fan's definition 1).
    pub(crate) fn from_durations(mut durations: Vec<Duration>) -> Distribution {
        durations.sort_unstable();
        let rank = |part: f64| {
            let rank = (part * durations.len() as f64).ceil() as usize;
            let duration = durations.get(rank.max(1) - 1).copied().unwrap_or_default();
            u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
        };
        Distribution {
            count: durations.len(),
            p50_us: rank(0.5),
            p99_us: rank(0.99),
            p999_us: rank(0.999),
            max_us: rank(1.0),
        }
    }
}

/// How long the engines of a lane think at a time.
const THINKING_TIME: Duration = Duration::from_millis(20);

/// How long a lane sleeps at a time.
const SLEEP_TIME: Duration = Duration::from_millis(1);

/// Answers at once between two times of thinking.
const QUICK_ANSWERS: usize = 10;

/// What the machine costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Latency {
    /// From writing `go` to having read `bestmove`, of an engine that answers at once. Its
    /// clock pays for it.
    pub round_trip: Distribution,
    /// How much later than it should a sleeping lane wakes while its engines think. The
    /// kernel's usual slack of 50 µs is in it.
    pub wake_up: Distribution,
    /// How long an engine that thinks for 20 ms is ready to run and does not: the host
    /// runs somebody else. `None` if the kernel does not count it.
    pub kept_waiting: Option<Distribution>,
}

impl Latency {
    /// How many measurements the weakest of the numbers rests on that time controls follow from.
    pub(crate) fn fewest(&self) -> usize {
        let waits = self.kept_waiting.map_or(usize::MAX, |waits| waits.count);
        self.round_trip.count.min(waits)
    }
}

#[derive(Default)]
struct Samples {
    round_trips: Vec<Duration>,
    wake_ups: Vec<Duration>,
    waits: Vec<Duration>,
}

/// Measures in all lanes at once.
///
/// # Errors
/// An engine cannot be started, or ends.
pub(super) fn measure(
    planned: Planned,
    time: Duration,
    built_in: &EngineSpec,
) -> Result<Latency, RunError> {
    let guardian = Guardian::start()?;
    let end = Instant::now() + time;
    let lanes: Vec<_> = (0..planned.lanes)
        .map(|_| {
            let (spec, around) = (built_in.clone(), Surroundings::new(guardian.clone()));
            std::thread::Builder::new().spawn(move || lane(&spec, planned.threads, end, &around))
        })
        .collect();
    let panicked = |_| io::Error::other("a lane panicked");
    let lanes = lanes.into_iter();
    let ended = lanes.map(|lane| lane?.join().map_err(panicked)?);
    // Every lane ends before the first failure is told.
    let ended: Vec<Result<Samples, RunError>> = ended.collect();
    guardian.dismiss();
    let mut all = Samples::default();
    for samples in ended {
        let samples = samples?;
        all.round_trips.extend(samples.round_trips);
        all.wake_ups.extend(samples.wake_ups);
        all.waits.extend(samples.waits);
    }
    let counted = !all.waits.is_empty();
    Ok(Latency {
        round_trip: Distribution::from_durations(all.round_trips),
        wake_up: Distribution::from_durations(all.wake_ups),
        kept_waiting: counted.then(|| Distribution::from_durations(all.waits)),
    })
}

fn lane(
    spec: &EngineSpec,
    threads: usize,
    end: Instant,
    around: &Surroundings,
) -> Result<Samples, RunError> {
    runtime()?.block_on(async {
        let mut engines = Vec::new();
        for _ in 0..threads {
            engines.push(started(spec, around).await?);
        }
        let mut samples = Samples::default();
        // At least once: a number that was not measured is no number.
        loop {
            load(&mut engines, &mut samples).await?;
            for _ in 0..QUICK_ANSWERS {
                let begun = Instant::now();
                engines[0].input.send("position startpos\ngo nodes 1\n")?;
                best_move(&mut engines[0]).await?;
                samples.round_trips.push(begun.elapsed());
            }
            if Instant::now() >= end {
                break;
            }
        }
        for engine in engines {
            engine.shut_down().await;
        }
        Ok(samples)
    })
}

/// All engines think; meanwhile the lane sleeps and wakes.
async fn load(engines: &mut [Process], samples: &mut Samples) -> Result<(), RunError> {
    let before = engines.iter().map(|engine| run_delay(engine.id()));
    let before: Vec<_> = before.collect();
    let movetime = THINKING_TIME.as_millis();
    let think = format!("position startpos\ngo movetime {movetime}\n");
    for engine in &mut *engines {
        engine.input.send(&think)?;
    }
    let begun = Instant::now();
    while begun.elapsed() < THINKING_TIME {
        let asleep = Instant::now();
        // Not tokio's timer, which only knows milliseconds.
        std::thread::sleep(SLEEP_TIME);
        let late = asleep.elapsed().saturating_sub(SLEEP_TIME);
        samples.wake_ups.push(late);
    }
    for engine in &mut *engines {
        best_move(engine).await?;
    }
    for (engine, before) in engines.iter().zip(before) {
        let waited = before.zip(run_delay(engine.id()));
        let waited = waited.map(|(before, after)| after.saturating_sub(before));
        samples.waits.extend(waited);
    }
    Ok(())
}

/// How long all threads of a process have been ready to run and did not.
fn run_delay(process: i32) -> Option<Duration> {
    let delay = |thread| Some(proc::schedstat(process, thread)?.wait);
    let delays: Option<Vec<u64>> = proc::threads(process).map(delay).collect();
    let delays = delays.filter(|delays| !delays.is_empty());
    Some(Duration::from_nanos(delays?.into_iter().sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_by_nearest_rank() {
        let durations = (1..=1000).rev().map(Duration::from_micros).collect();
        let expected = Distribution {
            count: 1000,
            p50_us: 500,
            p99_us: 990,
            p999_us: 999,
            max_us: 1000,
        };
        assert_eq!(Distribution::from_durations(durations), expected);
        let one = Distribution::from_durations(vec![Duration::from_micros(7)]);
        assert_eq!((one.p50_us, one.max_us), (7, 7));
        assert_eq!(
            Distribution::from_durations(Vec::new()),
            Distribution::default()
        );
    }
}
