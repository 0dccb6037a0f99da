//! How fast one engine searches while this number of games are played at once: with its processors chosen
//! by the system, and with its own (`cpus_per_lane`). In a game one of two engines thinks, so one
//! engine is run for each game.

use std::io;
use std::time::Duration;

use serde::Serialize;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::config::EngineSpec;
use crate::engine::guardian::Guardian;
use crate::engine::probe::UnfitEngine;
use crate::engine::process::Process;
use crate::engine::start::Engine;
use crate::engine::surroundings::Surroundings;
use crate::host::cpus::{self, Cpu};
use crate::platform::capabilities::{Capability, has};
use crate::platform::runtime;
use crate::run::RunError;
use crate::text::duration;
use crate::uci::{Message, Thinking};

/// A game that has left its opening, with all that an engine can think of.
const POSITION: &str = "r2q1rk1/1b2bppp/p1n1pn2/1pp5/4P3/P1NB1N2/1P2QPPP/R1B2RK1 w - - 0 12";

/// A first search, that memory is there and the processor at its frequency.
const WARM_UP_TIME: Duration = Duration::from_millis(100);

/// Number of measurements of every number of games, in one order and then in the other.
const MEASUREMENTS: usize = 2;

/// Within this part of its speed alone an engine is as fast as alone.
const MIN_STEADY_PART: f64 = 0.95;

/// Separate processors for each lane are advised from this gain on: less is not worth a line in the event file.
const MIN_GAIN: f64 = 1.02;

/// The speed of the engines at one number of games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct EngineSpeed {
    /// Games at once.
    pub games: usize,
    /// The system places the engines.
    pub free: Rate,
    /// Every game has its own processors; `None` if there are too few.
    pub own_cpus: Option<Rate>,
}

/// Nodes a second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Rate {
    /// The mean over the engines.
    pub mean: f64,
    /// The slowest search.
    pub slowest: f64,
}

/// What was measured of an engine, and what follows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Speeds {
    pub engine: String,
    pub threads: usize,
    /// How long each search was, seconds.
    pub seconds: f64,
    /// From one game on.
    pub rows: Vec<EngineSpeed>,
    /// By how much the speed of one game alone differed between two measurements, percent.
    pub spread_percent: f64,
    /// The most games at once that leave every engine as fast as alone.
    pub concurrency: usize,
    /// Whether they need, or are faster with, separate processors.
    pub own_cpus: bool,
}

/// The numbers of games that are measured: all up to eight, then powers of two, the cores and the most.
fn numbers(most: usize, cores: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = match most {
        0..=8 => (1..=most).collect(),
        _ => (0..usize::BITS).map(|power| 1 << power).collect(),
    };
    numbers.extend([cores, most]);
    numbers.retain(|number| (1..=most).contains(number));
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Searches of this length, with up to `most` engines at once.
///
/// # Errors
/// The engine cannot be started, does not end a search, or says nothing of its nodes.
pub(super) fn measure(
    spec: &EngineSpec,
    threads: usize,
    most: usize,
    slice: Duration,
) -> Result<Speeds, RunError> {
    let usable = cpus::usable()?;
    let numbers = numbers(most, cpus::cores(&usable) / threads.max(1));
    let guardian = Guardian::start()?;
    let trial = SpeedTrial {
        spec,
        slice,
        around: Surroundings::new(guardian.clone()),
    };
    let measured = passes(&trial, &numbers, &usable, threads);
    guardian.dismiss();
    let (rows, spread_percent) = measured?;
    let (concurrency, own_cpus) = recommended(&rows);
    Ok(Speeds {
        engine: spec.name.clone(),
        threads,
        seconds: slice.as_secs_f64(),
        rows,
        spread_percent,
        concurrency,
        own_cpus,
    })
}

/// The rows, and the spread of the speeds of one game.
fn passes(
    trial: &SpeedTrial<'_>,
    numbers: &[usize],
    usable: &[Cpu],
    threads: usize,
) -> Result<(Vec<EngineSpeed>, f64), RunError> {
    let mut searches = vec![(Vec::new(), Vec::new()); numbers.len()];
    for pass in 0..MEASUREMENTS {
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        if pass % 2 == 1 {
            // What drifts meanwhile falls on few and on many games alike.
            order.reverse();
        }
        for row in order {
            let free = trial.run(&vec![Vec::new(); numbers[row]])?;
            searches[row].0.extend(free);
            if has(Capability::Processors)
                && let Ok(places) = cpus::share(usable, numbers[row], threads)
            {
                searches[row].1.extend(trial.run(&places)?);
            }
        }
    }
    // One game at once comes first.
    let alone = searches.first().map_or(0.0, |(free, _)| spread(free));
    let rows = numbers.iter().zip(searches);
    let rows = rows.map(|(games, (free, own))| EngineSpeed {
        games: *games,
        free: rate(&free),
        own_cpus: (!own.is_empty()).then(|| rate(&own)),
    });
    Ok((rows.collect(), alone))
}

fn rate(searches: &[f64]) -> Rate {
    Rate {
        mean: searches.iter().sum::<f64>() / searches.len().max(1) as f64,
        slowest: searches.iter().copied().fold(f64::INFINITY, f64::min),
    }
}

/// By how much numbers that should be equal differ, percent of the largest.
fn spread(numbers: &[f64]) -> f64 {
    let largest = numbers.iter().copied().fold(0.0, f64::max);
    let smallest = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    if numbers.is_empty() {
        return 0.0;
    }
    100.0 * (largest - smallest) / largest
}

/// The highest number of games up to which the engines stay as fast as one alone. Also whether they need
/// separate processors for it, or are faster with them.
fn recommended(rows: &[EngineSpeed]) -> (usize, bool) {
    let Some(first) = rows.first() else {
        return (1, false);
    };
    let alone_on_own = first.own_cpus.map_or(0.0, |own| own.mean);
    let alone = first.free.mean.max(alone_on_own);
    let is_steady = |rate: &Rate| rate.mean >= MIN_STEADY_PART * alone;
    let steady =
        |row: &&EngineSpeed| is_steady(&row.free) || row.own_cpus.as_ref().is_some_and(is_steady);
    let best = rows.iter().take_while(steady).last().unwrap_or(first);
    let own = best.own_cpus.filter(|_| best.games > 1);
    let needed =
        own.is_some_and(|own| !is_steady(&best.free) || own.mean > MIN_GAIN * best.free.mean);
    (best.games, needed)
}

/// One engine, started several times, each of which searches for a while.
struct SpeedTrial<'a> {
    spec: &'a EngineSpec,
    slice: Duration,
    around: Surroundings,
}

impl SpeedTrial<'_> {
    /// The nodes a second of an engine for each of these sets of processors, all at once; an empty
    /// set is any of them.
    fn run(&self, places: &[Vec<u16>]) -> Result<Vec<f64>, RunError> {
        runtime()?.block_on(async {
            let mut starts = JoinSet::new();
            for (index, cpus) in places.iter().enumerate() {
                let (spec, around) = (self.spec.clone(), self.around.of_lane(index, cpus.clone()));
                starts.spawn(async move { started(&spec, &around).await });
            }
            // All of them, before any searches.
            let engines = starts.join_all().await;
            let engines = engines.into_iter().collect::<Result<Vec<_>, _>>()?;
            let searches = engines.into_iter().map(|one| searched(one, self.slice));
            let speeds = searches.collect::<JoinSet<_>>().join_all().await;
            let named = |error: io::Error| {
                io::Error::new(error.kind(), format!("{}: {error}", self.spec.name))
            };
            let speeds = speeds.into_iter().collect::<io::Result<_>>();
            Ok(speeds.map_err(named)?)
        })
    }
}

/// An engine that has answered `readyok`.
pub(super) async fn started(spec: &EngineSpec, around: &Surroundings) -> Result<Process, RunError> {
    let started = Engine::start(spec, around).await;
    let name = spec.name.clone();
    let started = started.map_err(|error| RunError::Engines(vec![UnfitEngine { name, error }]));
    Ok(started?.process)
}

/// Searches twice, first for a moment; the nodes a second of the second search.
async fn searched(mut engine: Process, slice: Duration) -> io::Result<f64> {
    search(&mut engine, WARM_UP_TIME).await?;
    let speed = search(&mut engine, slice).await?;
    engine.shut_down().await;
    speed.ok_or_else(|| io::Error::other("it does not say how many nodes it has searched"))
}

async fn search(engine: &mut Process, slice: Duration) -> io::Result<Option<f64>> {
    let milliseconds = slice.as_millis();
    let begun = Instant::now();
    engine.input.send(&format!(
        "position fen {POSITION}\ngo movetime {milliseconds}\n"
    ))?;
    let limit = slice * 10 + Duration::from_secs(10);
    let Ok(report) = timeout(limit, best_move(engine)).await else {
        let within = duration(limit);
        let late = format!("no bestmove within {within} of `go movetime {milliseconds}`");
        return Err(io::Error::new(io::ErrorKind::TimedOut, late));
    };
    Ok(nodes_per_second(&report?, begun.elapsed()))
}

/// What the engine said last of its nodes and of its time.
pub(super) async fn best_move(engine: &mut Process) -> io::Result<Thinking> {
    let mut last = Thinking::default();
    loop {
        while let Some(line) = engine.output.lines.next_line() {
            match Message::parse(line.text) {
                Message::BestMove { .. } => return Ok(last),
                Message::Info(info) => {
                    let report = info.parse();
                    if report.nodes.is_some() {
                        last = report;
                    }
                }
                _ => {}
            }
        }
        if !engine.output.fill().await {
            return Err(io::Error::other("it ended while it searched"));
        }
    }
}

/// Nodes by the time of the same line, where the engine says one that can be true: its last line may
/// be older than the end of its search.
fn nodes_per_second(report: &Thinking, elapsed: Duration) -> Option<f64> {
    let nodes = report.nodes? as f64;
    let elapsed = elapsed.as_secs_f64();
    let said = report.time_ms.map(|milliseconds| milliseconds as f64 / 1e3);
    let said = said.filter(|seconds| (0.3 * elapsed..=1.05 * elapsed).contains(seconds));
    Some(nodes / said.unwrap_or(elapsed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(games: usize, free: f64, own: Option<f64>) -> EngineSpeed {
        let rate = |mean| Rate {
            mean,
            slowest: mean,
        };
        EngineSpeed {
            games,
            free: rate(free),
            own_cpus: own.map(rate),
        }
    }

    #[test]
    fn as_many_games_as_leave_engines_as_fast_as_alone() {
        let rows = [
            row(1, 100.0, Some(100.0)),
            row(2, 99.0, Some(100.0)),
            row(3, 94.0, Some(99.0)),
            row(4, 80.0, Some(90.0)),
        ];
        assert_eq!(recommended(&rows), (3, true));
        assert_eq!(recommended(&rows[..2]), (2, false));
        assert_eq!(
            recommended(&[row(1, 100.0, None), row(2, 94.0, None)]),
            (1, false)
        );
        let better = [row(1, 100.0, Some(101.0)), row(2, 97.0, Some(100.0))];
        assert_eq!(recommended(&better), (2, true));
        // Three games are not recommended because four seem to do.
        let noise = [row(1, 100.0, None), row(2, 90.0, None), row(3, 99.0, None)];
        assert_eq!(recommended(&noise), (1, false));
        assert_eq!(recommended(&[]), (1, false));
    }

    #[test]
    fn large_machines_are_measured_at_a_few_numbers() {
        assert_eq!(numbers(4, 2), [1, 2, 3, 4]);
        assert_eq!(numbers(24, 12), [1, 2, 4, 8, 12, 16, 24]);
        assert_eq!(numbers(1, 8), [1]);
    }

    #[test]
    fn the_time_of_the_last_line_counts_if_it_can_be_true() {
        let report = |nodes, time_ms| Thinking {
            nodes,
            time_ms,
            ..Thinking::default()
        };
        let second = Duration::from_secs(1);
        assert_eq!(
            nodes_per_second(&report(Some(500), Some(500)), second),
            Some(1000.0)
        );
        assert_eq!(
            nodes_per_second(&report(Some(500), Some(5)), second),
            Some(500.0)
        );
        assert_eq!(
            nodes_per_second(&report(Some(500), Some(5000)), second),
            Some(500.0)
        );
        assert_eq!(
            nodes_per_second(&report(Some(500), None), second),
            Some(500.0)
        );
        assert_eq!(nodes_per_second(&report(None, Some(500)), second), None);
    }

    #[test]
    fn a_spread_is_part_of_the_largest() {
        assert_eq!(spread(&[80.0, 100.0]), 20.0);
        assert_eq!(spread(&[]), 0.0);
    }
}
