//! Whether the machine has a processor for every thread that is on a clock.

use std::num::NonZeroUsize;

use super::RunError;
use crate::clock::TimeLimit;
use crate::config::{EngineSpec, Launch, Tournament};
use crate::engine::allowance::number_option;
use crate::engine::pool::MAX_ENGINES_PER_LANE;
use crate::engine::probe::Probed;
use crate::host::memory::Memory;
use crate::text::{count, printable};
use crate::uci::OptionKind;

/// A warning, for people, where more threads than processors may think at once: each lane has one
/// engine that thinks, and two where one of them thinks on its opponent's time. `None` if all is
/// well, or nobody is on a clock.
pub fn warning(tournament: &Tournament, processors: NonZeroUsize) -> Option<String> {
    let timed = tournament.engines.iter();
    let timed = timed.filter(|engine| engine.limits.time != TimeLimit::None);
    let timed: Vec<&EngineSpec> = timed.collect();
    let most = timed.iter().copied().map(threads).max()?;
    let in_a_lane = at_once(&timed);
    let lanes = tournament.concurrency.get();
    let needed = lanes.saturating_mul(in_a_lane);
    let both = if in_a_lane > most {
        ", both of which think at once where one thinks on its opponent's time,"
    } else {
        ""
    };
    let engines = format!("engines of {}{both}", count(most, "thread"));
    let processor = |number: usize| count(number, "processor");
    if needed > processors.get() {
        return Some(format!(
            "warning: {} at once with {engines} want {}, and there are {processors}: engines will wait \
             for one with their clocks running, and may lose on time by the host's fault \
             (docs/reliability.md)",
            count(lanes, "game"),
            processor(needed)
        ));
    }
    let own = tournament.cpus_per_lane?.get();
    (own < in_a_lane).then(|| {
        format!(
            "warning: {engines} want {}, and cpus_per_lane = {own}: engines will wait for one with \
             their clocks running",
            processor(in_a_lane)
        )
    })
}

/// How many threads think at once in one lane, at most.
pub(crate) fn threads_at_once(tournament: &Tournament) -> usize {
    at_once(&tournament.engines.iter().collect::<Vec<_>>())
}

fn at_once(engines: &[&EngineSpec]) -> usize {
    let of_pair = |(index, one): (usize, &&EngineSpec)| {
        let others = engines.iter().enumerate();
        let others = others.filter(|(other, spec)| *other != index || spec.copies > 1);
        let together = others.filter(|(_, other)| one.ponder || other.ponder);
        let most = together.map(|(_, other)| threads(other)).max();
        threads(one).saturating_add(most.unwrap_or(0))
    };
    let pairs = engines.iter().enumerate().map(of_pair);
    pairs.max().unwrap_or(0)
}

/// At least the threads of an engine: 1 where its option says no number.
fn threads(engine: &EngineSpec) -> usize {
    engine.threads().unwrap_or(1).max(1)
}

/// The default hash table of the engine inside this program, MiB.
const SPARRING_HASH: u64 = 16;

/// What one engine takes, at least.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EngineMemory {
    name: String,
    /// The hash table that it was told to have, or has by its own account; MiB.
    hash: u64,
    /// That, or what was resident when it was ready: some engines touch their table at once, others when they need it; MiB.
    least: u64,
}

impl EngineMemory {
    /// Of an engine that was started once, or else by the event file alone.
    fn new(spec: &EngineSpec, started: Option<&Probed>) -> EngineMemory {
        let declared = match (started, &spec.launch) {
            (Some(probed), _) => declared_hash(probed),
            (None, Launch::Sparring) => Some(SPARRING_HASH),
            (None, Launch::Program { .. }) => None,
        };
        let hash = number_option(spec, "Hash").or(declared).unwrap_or(0);
        let resident = started.map_or(0, |probed| probed.memory >> 20);
        EngineMemory {
            name: spec.name.clone(),
            hash,
            least: hash.max(resident),
        }
    }
}

/// A warning, for people, where the participants' engines that lanes keep alive want more memory than can be had.
///
/// # Errors
/// [`RunError::Refused`] where not even those that play at the same time have room.
fn check(
    mut each: Vec<EngineMemory>,
    lanes: NonZeroUsize,
    memory: Memory,
) -> Result<Option<String>, RunError> {
    each.sort_by_key(|engine| std::cmp::Reverse(engine.least));
    let lanes = lanes.get() as u64;
    let of_lane = |count: usize| each.iter().take(count).map(|one| one.least).sum::<u64>();
    let (play, kept) = (lanes * of_lane(2), lanes * of_lane(MAX_ENGINES_PER_LANE));
    let largest = each.first().map_or(String::new(), |one| {
        let (name, hash, mib) = (printable(&one.name), one.hash, one.least);
        format!("the largest, \"{name}\", has {mib} MiB, {hash} of them hash table")
    });
    let [total, available, swap] = [memory.total, memory.available, memory.swap];
    if play > total + swap {
        return Err(RunError::Refused(format!(
            "{} at once want at least {play} MiB for the engines that play, and this \
             machine has {total} MiB and {swap} MiB of swap; {largest}: lower `Hash` or `concurrency`",
            count(lanes, "game")
        )));
    }
    Ok((kept > available).then(|| {
        let alive = each.len().min(MAX_ENGINES_PER_LANE);
        format!(
            "warning: the engines that may be alive at once, {alive} in each of {lanes} lanes, want \
             at least {kept} MiB, and {available} MiB of {total} can be had now; {largest}: lower \
             `Hash` or `concurrency`, or engines will be slowed down by swapping or ended by the system"
        )
    }))
}

/// The default hash table by an engine's own account, MiB.
fn declared_hash(probed: &Probed) -> Option<u64> {
    match probed.ready.identity.options.get("Hash")?.kind {
        OptionKind::Spin { default, .. } => u64::try_from(default).ok(),
        _ => None,
    }
}

/// The same for the engines of an event on this machine, by what the event file says, and by what was seen of those that
/// were `started` once.
///
/// # Errors
/// As [`check`].
pub(crate) fn check_here(
    tournament: &Tournament,
    started: &[Probed],
    lanes: NonZeroUsize,
) -> Result<Option<String>, RunError> {
    let engines = tournament.engines.iter().enumerate();
    let each = engines.flat_map(|(place, spec)| {
        let memory = EngineMemory::new(spec, started.get(place));
        std::iter::repeat_n(memory, spec.copies.into())
    });
    let memory = Memory::of_this_machine();
    memory.map_or(Ok(None), |memory| check(each.collect(), lanes, memory))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(hash: u64, resident: u64) -> EngineMemory {
        EngineMemory {
            name: "Big".to_owned(),
            hash,
            least: hash.max(resident),
        }
    }

    fn checked(engines: &[EngineMemory], lanes: usize) -> Result<Option<String>, RunError> {
        let memory = Memory {
            total: 8_000,
            available: 6_000,
            swap: 1_000,
        };
        check(engines.to_vec(), NonZeroUsize::new(lanes).unwrap(), memory)
    }

    #[test]
    fn what_plays_must_fit_and_what_is_kept_should() {
        let two = [engine(1_000, 100), engine(100, 1_500)];
        assert_eq!(checked(&two, 2).unwrap(), None);
        let words = checked(&two, 3).unwrap().expect("7500 MiB of 6000");
        assert!(
            words.contains("2 in each of 3 lanes, want at least 7500 MiB"),
            "{words}"
        );
        assert!(
            words.contains("has 1500 MiB, 100 of them hash table"),
            "{words}"
        );
        let refused = checked(&two, 4).unwrap_err().to_string();
        assert!(refused.contains("want at least 10000 MiB"), "{refused}");
        assert!(
            refused.contains("8000 MiB and 1000 MiB of swap"),
            "{refused}"
        );
    }

    #[test]
    fn a_lane_keeps_six_and_self_play_needs_two() {
        let seven: Vec<EngineMemory> = (0..7).map(|_| engine(900, 0)).collect();
        assert_eq!(checked(&seven, 1).unwrap(), None, "six of them");
        assert!(checked(&seven, 2).unwrap().unwrap().contains("10800 MiB"));
        let alone = [engine(3_500, 0), engine(3_500, 0)];
        assert!(checked(&alone, 1).unwrap().unwrap().contains("7000 MiB"));
    }
}
