//! What the numbers mean for time controls.

use serde::Serialize;

use super::{Disk, Distribution, Host, Latency, Planned, Speeds};
use std::time::Duration;

use crate::host::disk_space;
use crate::text::{count, duration};

/// The part of the increment that the machine may cost, one move in a hundred apart.
const INCREMENT_PARTS: u64 = 10;

/// A clock that takes longer to read asks the kernel or a device each time, nanoseconds.
const SLOW_CLOCK_NS: u64 = 500;

/// Waiting time of an engine in 20 ms, in microseconds: at this length it does not wait for its own lane.
const MUCH_WAITING_US: u64 = 1000;

/// Two measurements of one speed should not differ by more, percent.
const UNEVEN_PERCENT: f64 = 5.0;

/// A sleeper that wakes later than this in one of a hundred times does not hold fast time controls, microseconds.
const LATE_TIMER_US: u64 = 5000;

/// A write slower than this keeps results from being announced, microseconds.
const SLOW_WRITE_US: u64 = 50_000;

/// The time controls that this machine can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Advice {
    /// A margin that covers what the machine costs in 999 of 1000 moves, milliseconds.
    pub margin_ms: u64,
    /// From this increment on the machine costs less than a tenth of it in 99 of 100
    /// moves, milliseconds; 1, 2 or 5 and zeros.
    pub smallest_increment_ms: u64,
}

impl From<&Latency> for Advice {
    fn from(latency: &Latency) -> Advice {
        let cost = |quantile: fn(&Distribution) -> u64| {
            let waits = latency.kept_waiting.as_ref().map_or(0, quantile);
            // An engine pays for the trip of each move, and for its waits while it thinks.
            quantile(&latency.round_trip) + waits
        };
        let ordinary = cost(|distribution| distribution.p99_us);
        let rare = cost(|distribution| distribution.p999_us);
        Advice {
            margin_ms: rare.div_ceil(1000).max(1),
            smallest_increment_ms: smallest_increment(ordinary),
        }
    }
}

/// The increment of which this cost, in microseconds, is a tenth at most; milliseconds.
fn smallest_increment(cost: u64) -> u64 {
    round_up((cost * INCREMENT_PARTS).div_ceil(1000).max(1))
}

/// A time control with this increment, in milliseconds, as event files write it.
pub(crate) fn control(increment_ms: u64) -> String {
    let increment = increment_ms as f64 / 1e3;
    format!("{}+{increment}", increment * 100.0)
}

/// What keeps clocks from being fair here, in a sentence; `None` where nothing does.
pub(super) fn obstacle(planned: Planned, latency: &Latency, host: &Host) -> Option<String> {
    let taken = planned.lanes.saturating_mul(planned.threads);
    if taken > host.processors {
        let threads = count(taken, "thread");
        let processors = count(host.processors, "processor");
        let words = format!("{threads} would think at once on {processors}: lower --concurrency.");
        return Some(words);
    }
    if others(planned, latency, host).is_some() {
        return Some("something else is running: end it, and measure again.".to_owned());
    }
    let steal = host.steal_percent.filter(|steal| *steal >= 1.0);
    steal.map(|steal| format!("the hypervisor took {steal:.1} % of the processors' time."))
}

/// The next 1, 2 or 5 with zeros.
fn round_up(number: u64) -> u64 {
    let mut units = std::iter::successors(Some(1), |unit| Some(unit * 10));
    let steps = |unit: u64| [1, 2, 5].into_iter().map(move |step| step * unit);
    let next = units.find_map(|unit| steps(unit).find(|step| *step >= number));
    next.unwrap_or(number)
}

/// What should be looked at before engines are timed here.
pub(super) fn warnings(planned: Planned, latency: &Latency, host: &Host) -> Vec<String> {
    let mut warnings = Vec::new();
    warnings.extend(crowding(planned, host));
    if host.clock_reading_ns >= SLOW_CLOCK_NS {
        warnings.push(format!(
            "the clock takes {} to read; 20 to 50 ns are usual (on Linux with the clock source tsc)",
            duration(Duration::from_nanos(host.clock_reading_ns))
        ));
    }
    let governor = host.governor.as_deref();
    if let Some(governor) = governor.filter(|governor| *governor != "performance") {
        warnings.push(format!(
            "frequencies follow the governor `{governor}`: engines begin slowly after a pause; \
             `performance` does not"
        ));
    }
    if let Some(steal) = host.steal_percent.filter(|steal| *steal >= 1.0) {
        warnings.push(format!(
            "the hypervisor took {steal:.1} % of the processors' time: no clock inside can see it"
        ));
    }
    warnings.extend(late_timers(latency));
    warnings.extend(others(planned, latency, host));
    warnings
}

/// Engines that think by a timer answer as late as it ends.
fn late_timers(latency: &Latency) -> Option<String> {
    let late = latency.wake_up.p99_us;
    (late > LATE_TIMER_US).then(|| {
        let increment = smallest_increment(late);
        format!(
            "timers end {} late in one of 100 times: for engines that think by a timer, as with `movetime`, \
             no time control faster than {} holds",
            duration(Duration::from_micros(late)),
            control(increment)
        )
    })
}

/// Somebody else runs on the processors that were planned for engines.
fn others(planned: Planned, latency: &Latency, host: &Host) -> Option<String> {
    let room = planned.lanes * planned.threads <= host.processors;
    let waited = latency.kept_waiting?.p50_us;
    (room && waited >= MUCH_WAITING_US).then(|| {
        format!(
            "half of the engines' searches of 20 ms waited {} or longer though there are \
             processors enough: something else is running on this machine",
            duration(Duration::from_micros(waited))
        )
    })
}

/// The speed alone differs from one time to the next by more than what is looked for.
pub(super) fn uneven(speeds: &Speeds) -> Option<String> {
    (speeds.spread_percent > UNEVEN_PERCENT).then(|| {
        format!(
            "the speed of one engine alone differed by {:.0} % between two measurements: something \
             else is running, or frequencies change; measure again with a larger --seconds",
            speeds.spread_percent
        )
    })
}

fn crowding(planned: Planned, host: &Host) -> Option<String> {
    let taken = planned.lanes.saturating_mul(planned.threads);
    let (processors, cores) = (host.processors, host.cores);
    let threads = count(taken, "thread");
    if taken > processors {
        return Some(format!(
            "{threads} think at once and the machine has {}: engines wait \
             for each other, and their clocks run; lower --concurrency",
            count(processors, "processor")
        ));
    }
    (taken > cores).then(|| {
        format!(
            "{threads} think at once on {}: two on one core slow each other \
             down, though no clock shows it",
            count(cores, "core")
        )
    })
}

pub(super) fn of_disk(disk: &Disk) -> Vec<String> {
    let folder = disk.folder.display();
    let mut warnings = Vec::new();
    if let Some(free) = disk.free.filter(|free| *free < disk_space::LITTLE) {
        let left = free >> 20;
        warnings.push(format!("{left} MiB are left on the disk of {folder}"));
    }
    match disk.durable_write {
        None => warnings.push(format!("{folder} cannot be written")),
        Some(writes) if writes.p50_us > SLOW_WRITE_US => warnings.push(format!(
            "a write to {folder} takes {} to be saved: results are reported late, games are \
             not slowed down",
            duration(Duration::from_micros(writes.p50_us))
        )),
        Some(_) => {}
    }
    warnings
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn distribution(p99_us: u64, p999_us: u64) -> Distribution {
        Distribution {
            p99_us,
            p999_us,
            ..Distribution::default()
        }
    }

    #[test]
    fn the_margin_covers_trips_and_waits() {
        let mut latency = Latency {
            round_trip: distribution(300, 1100),
            wake_up: distribution(9000, 9000),
            kept_waiting: Some(distribution(900, 2000)),
        };
        let advice = Advice::from(&latency);
        assert_eq!((advice.margin_ms, advice.smallest_increment_ms), (4, 20));
        latency.kept_waiting = None;
        assert_eq!(Advice::from(&latency).margin_ms, 2);
    }

    #[test]
    fn round_numbers() {
        assert_eq!(
            [1, 2, 3, 6, 11, 20, 51].map(round_up),
            [1, 2, 5, 10, 20, 20, 100]
        );
    }

    #[test]
    fn a_sound_machine_has_no_warnings() {
        let host = Host {
            processors: 8,
            cores: 4,
            smt: Some(true),
            clock_source: Some("tsc".to_owned()),
            clock_reading_ns: 25,
            governor: None,
            steal_percent: Some(0.0),
            pressure_percent: None,
        };
        let plan = |lanes, threads| Planned { lanes, threads };
        let quiet = Latency {
            round_trip: distribution(100, 100),
            wake_up: distribution(100, 100),
            kept_waiting: Some(distribution(100, 100)),
        };
        let none = Vec::<String>::new();
        assert_eq!(warnings(plan(4, 1), &quiet, &host), none);
        let disk = Disk {
            folder: PathBuf::from("/r"),
            free: Some(1 << 40),
            durable_write: Some(distribution(100, 100)),
        };
        assert_eq!(of_disk(&disk), none);
        assert!(warnings(plan(3, 2), &quiet, &host)[0].contains("on 4 cores"));
        let crowded = warnings(plan(3, 3), &quiet, &host);
        assert!(crowded[0].contains("the machine has 8 processors"));
        let waits = Distribution {
            p50_us: 7000,
            ..distribution(9000, 9000)
        };
        let busy = Latency {
            kept_waiting: Some(waits),
            ..quiet
        };
        assert!(warnings(plan(4, 1), &busy, &host)[0].contains("something else"));
        let late = Latency {
            wake_up: distribution(15_100, 16_000),
            ..quiet
        };
        let said = warnings(plan(4, 1), &late, &host).join("\n");
        assert!(
            said.contains("15.1 ms late") && said.contains("faster than 20+0.2 holds"),
            "{said}"
        );
        let poor = Host {
            clock_source: Some("hpet".to_owned()),
            clock_reading_ns: 1400,
            governor: Some("powersave".to_owned()),
            steal_percent: Some(3.0),
            ..host
        };
        assert_eq!(warnings(plan(1, 1), &quiet, &poor).len(), 3);
    }
}
