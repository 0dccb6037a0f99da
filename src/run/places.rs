//! Where the lanes' engines run, with regard to other events on this machine: lanes that need their own
//! processors get some that no other event has taken, and all other lanes keep off processors that are taken.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::config::Tournament;
use crate::host::cpus::{self, Cpu, TooFewCpus};
use crate::host::neighbours::{CpuClaim, Register, Taken};
use crate::platform::capabilities::{Capability, has};
use crate::run::RunError;
use crate::run::capacity::threads_at_once;
use crate::text::{count, printable};

/// The time between two looks at who else is there.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// What an event wants of the machine.
#[derive(Debug, Clone, Copy)]
struct CpuNeeds<'a> {
    lanes: usize,
    /// Number of processors for each lane alone, if any.
    each: Option<usize>,
    /// Threads that think at once in a lane.
    threads: usize,
    /// Processors that its engines name.
    named: &'a BTreeSet<u16>,
}

/// Where the engines of a run are, and who else is there.
#[derive(Debug)]
pub(crate) struct CpuMap {
    /// The processors of each lane; empty where the system places engines.
    pub lanes: Vec<Vec<u16>>,
    /// For people.
    pub remarks: Vec<String>,
    /// Who else runs here.
    pub neighbours: Neighbours,
}

impl CpuMap {
    /// The first lanes run on these processors, one each, as far as there are such.
    ///
    /// # Errors
    /// The system does not say which there are.
    pub(crate) fn name(&mut self, cpus: &[u16]) -> Result<(), RunError> {
        if cpus.is_empty() {
            return Ok(());
        }
        let usable = cpus::usable()?;
        let known = |cpu: &&u16| usable.iter().any(|one| one.number == **cpu);
        for (lane, cpu) in self.lanes.iter_mut().zip(cpus.iter().filter(known)) {
            *lane = vec![*cpu];
        }
        Ok(())
    }
}

/// Looks from time to time who else has begun to play on this machine.
#[derive(Debug, Default)]
pub(crate) struct Neighbours {
    /// `None` where nobody is to be seen.
    claim: Option<CpuClaim>,
    own: Option<Taken>,
    processors: usize,
    /// The worst that was told of.
    told: u32,
    looked: Option<Instant>,
}

/// Chooses places for an event; `folder` is the folder with the files of all runs, if other runs count.
///
/// # Errors
/// There are too few processors, or the system does not say which there are.
pub(crate) fn choose(tournament: &Tournament, folder: Option<&Path>) -> Result<CpuMap, RunError> {
    let usable = cpus::usable()?;
    let named = tournament.engines.iter();
    let named = named.flat_map(|engine| engine.confinement.cpus.iter().copied());
    let named: BTreeSet<u16> = named.collect();
    let wanted = CpuNeeds {
        lanes: tournament.concurrency.get(),
        each: tournament.cpus_per_lane.map(|each| each.get()),
        threads: threads_at_once(tournament).max(1),
        named: &named,
    };
    let register = folder.and_then(|folder| {
        let unseen = |error: &_| {
            let folder = folder.display();
            tracing::info!(%error, %folder, "other runs on this machine are not seen");
        };
        Register::open(folder).inspect_err(unseen).ok()
    });
    let others = register.as_ref().map(Register::others).unwrap_or_default();
    let lanes = place(wanted, &usable, &others)?;
    for (index, share) in lanes.iter().enumerate() {
        if !share.is_empty() {
            let share = share.iter().copied().collect();
            tracing::info!(lane = index + 1, "runs on {}", processors(&share));
        }
    }
    let own = Taken {
        event: tournament.name.clone(),
        process: std::process::id(),
        threads: wanted.lanes.saturating_mul(wanted.threads),
        cpus: match wanted.each {
            Some(_) => lanes.concat(),
            None => named.iter().copied().collect(),
        },
    };
    let (told, words) = crowd(&own, &others, usable.len()).unzip();
    let unseen =
        |error: &_| tracing::info!(%error, "other runs on this machine do not see this one");
    let claim = register.and_then(|register| register.enter(&own).inspect_err(unseen).ok());
    Ok(CpuMap {
        remarks: Vec::from_iter(kept_apart(&others, &lanes).into_iter().chain(words)),
        lanes,
        neighbours: Neighbours {
            claim,
            own: Some(own),
            processors: usable.len(),
            told: told.unwrap_or_default(),
            looked: None,
        },
    })
}

/// The processors of each lane; none where the system places engines.
fn place(
    wanted: CpuNeeds<'_>,
    usable: &[Cpu],
    others: &[Taken],
) -> Result<Vec<Vec<u16>>, TooFewCpus> {
    let taken: BTreeSet<u16> = others.iter().flat_map(|other| other.cpus.clone()).collect();
    let is_free = |cpu: &&Cpu| !taken.contains(&cpu.number);
    let free: Vec<Cpu> = usable.iter().filter(is_free).copied().collect();
    if let Some(each) = wanted.each {
        let shared = usable.iter().filter(|cpu| !is_free(cpu));
        let shared: BTreeSet<_> = shared.map(|cpu| cpu.core).collect();
        let whole = free.iter().filter(|cpu| !shared.contains(&cpu.core));
        let whole: Vec<Cpu> = whole.copied().collect();
        // Cores that nobody is on, then processors, then those of others.
        let share = |pool: &[Cpu]| cpus::share(pool, wanted.lanes, each).ok();
        let lanes = [whole.as_slice(), &free].into_iter().find_map(share);
        return lanes.map_or_else(|| cpus::share(usable, wanted.lanes, each), Ok);
    }
    let room =
        has(Capability::Processors) && free.len() >= wanted.lanes.saturating_mul(wanted.threads);
    let lane = if room && free.len() < usable.len() && wanted.named.is_empty() {
        free.iter().map(|cpu| cpu.number).collect()
    } else {
        Vec::new()
    };
    Ok(vec![lane; wanted.lanes])
}

/// How two events share the processors, where they do.
fn kept_apart(others: &[Taken], lanes: &[Vec<u16>]) -> Option<String> {
    let own: BTreeSet<u16> = lanes.concat().into_iter().collect();
    let placed = others.iter().filter(|other| !other.cpus.is_empty());
    let theirs = placed.clone().flat_map(|other| other.cpus.clone());
    let theirs: BTreeSet<u16> = theirs.collect();
    if own.is_empty() || theirs.is_empty() || !own.is_disjoint(&theirs) {
        return None;
    }
    Some(format!(
        "{} on this machine too, on {}; this event keeps to {}",
        named(placed),
        processors(&theirs),
        processors(&own),
    ))
}

/// More threads than processors, with all events that run: how bad it is, and a sentence. Each level is twice the
/// load of the one before.
fn crowd(own: &Taken, others: &[Taken], processors: usize) -> Option<(u32, String)> {
    let shared = |other: &Taken| own.cpus.iter().any(|cpu| other.cpus.contains(cpu));
    let overlap = others.iter().any(shared);
    let wants = |taken: &Taken| taken.threads.max(taken.cpus.len());
    let theirs = others.iter().map(wants);
    let all = theirs.fold(wants(own), usize::saturating_add);
    if others.is_empty() || (all <= processors && !overlap) {
        return None;
    }
    let times = all / processors.max(1);
    let events = count(others.len(), "other event");
    let words = if all > processors {
        format!(
            "warning: this computer is too busy: of {processors} processors {all} are wanted \
             ({events}); lower `concurrency`, or end another event"
        )
    } else {
        format!(
            "warning: {events} on this computer may use the same processors as this one; change `cpus`"
        )
    };
    Some((1 + times.checked_ilog2().unwrap_or(0), words))
}

/// `event "a" (process 1) runs`, `events "a" (process 1), "b" (process 2) run`.
fn named<'t>(events: impl IntoIterator<Item = &'t Taken>) -> String {
    let word = |taken: &Taken| {
        let (event, process) = (printable(&taken.event), taken.process);
        format!("\"{event}\" (process {process})")
    };
    let words: Vec<String> = events.into_iter().map(word).collect();
    match words.as_slice() {
        [one] => format!("event {one} runs"),
        several => format!("events {} run", several.join(", ")),
    }
}

fn processors(cpus: &BTreeSet<u16>) -> String {
    let numbers: Vec<String> = cpus.iter().map(u16::to_string).collect();
    let plural = if cpus.len() == 1 { "" } else { "s" };
    format!("processor{plural} {}", numbers.join(", "))
}

impl Neighbours {
    /// A warning, if it has become worse than it ever was.
    pub(crate) fn warning(&mut self) -> Option<String> {
        let is_recent = |looked: Instant| looked.elapsed() < LOOK_INTERVAL;
        if self.looked.is_some_and(is_recent) {
            return None;
        }
        self.looked = Some(Instant::now());
        let others = self.claim.as_ref()?.others();
        let (level, words) = crowd(self.own.as_ref()?, &others, self.processors)?;
        if level <= self.told {
            return None;
        }
        self.told = level;
        tracing::info!("{} on this machine too", named(&others));
        Some(words)
    }
}

/// A warning of the events that run on this machine while it is measured.
pub(crate) fn measured_beside(folder: Option<PathBuf>) -> Option<String> {
    let others = crate::host::neighbours::alive(&folder?);
    let names = named(&others);
    (!others.is_empty()).then(|| {
        format!("{names} on this machine meanwhile: what was measured is measured beside it")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four cores of two threads: those of a core are n and n + 4.
    fn machine() -> Vec<Cpu> {
        let cpu = |number| Cpu {
            number,
            core: (0, number % 4),
        };
        (0..8).map(cpu).collect()
    }

    fn taken(process: u32, threads: usize, cpus: &[u16]) -> Taken {
        Taken {
            event: format!("e{process}"),
            process,
            threads,
            cpus: cpus.to_vec(),
        }
    }

    fn chosen(lanes: usize, each: Option<usize>, others: &[Taken]) -> Vec<Vec<u16>> {
        let wanted = CpuNeeds {
            lanes,
            each,
            threads: 1,
            named: &BTreeSet::new(),
        };
        place(wanted, &machine(), others).unwrap()
    }

    #[test]
    fn processors_of_others_are_left_alone_while_there_are_enough() {
        assert_eq!(chosen(2, Some(1), &[]), [[0], [1]]);
        assert_eq!(chosen(2, Some(1), &[taken(1, 2, &[0, 1])]), [[2], [3]]);
        // Not even the other half of a core, until there is nothing else.
        assert_eq!(chosen(1, Some(2), &[taken(1, 2, &[0, 1])]), [[2, 3]]);
        assert_eq!(
            chosen(4, Some(1), &[taken(1, 2, &[0, 1])]),
            [[2], [6], [3], [7]]
        );
        assert_eq!(chosen(5, Some(1), &[taken(1, 2, &[0, 1])])[..2], [[4], [5]]);
        assert_eq!(chosen(8, Some(1), &[taken(1, 1, &[0])]).concat().len(), 8);
    }

    #[test]
    fn who_has_no_processors_of_its_own_keeps_off_those_of_others() {
        if !has(Capability::Processors) {
            return;
        }
        let other = taken(1, 2, &[0, 1]);
        assert_eq!(
            chosen(2, None, std::slice::from_ref(&other)),
            vec![vec![2, 3, 4, 5, 6, 7]; 2]
        );
        assert_eq!(
            chosen(7, None, &[other]),
            vec![Vec::<u16>::new(); 7],
            "too many to keep apart"
        );
        assert_eq!(
            chosen(2, None, &[taken(1, 2, &[])]),
            vec![Vec::<u16>::new(); 2]
        );
    }

    #[test]
    fn people_are_told() {
        let others = [taken(7, 2, &[0, 1])];
        assert_eq!(
            kept_apart(&others, &[vec![2], vec![3]]).as_deref(),
            Some(
                "event \"e7\" (process 7) runs on this machine too, on processors 0, 1; this event \
                 keeps to processors 2, 3"
            )
        );
        assert_eq!(kept_apart(&others, &[vec![]]), None);
        assert_eq!(crowd(&taken(9, 6, &[]), &others, 8), None);
        let words = crowd(&taken(9, 7, &[]), &others, 8).unwrap().1;
        assert_eq!(
            words,
            "warning: this computer is too busy: of 8 processors 9 are wanted (1 other event); \
             lower `concurrency`, or end another event"
        );
        let shared = crowd(&taken(9, 1, &[1]), &others, 8).unwrap().1;
        assert!(shared.contains("the same processors"), "{shared}");
    }

    #[test]
    fn the_level_rises_with_every_doubling() {
        let level = |threads| {
            let others = [taken(7, threads, &[])];
            crowd(&taken(9, 2, &[]), &others, 2).unwrap().0
        };
        assert_eq!([1, 2, 5, 6, 13, 14].map(level), [1, 2, 2, 3, 3, 4]);
    }

    #[test]
    fn it_is_told_when_it_becomes_worse() {
        let outer = tempfile::tempdir().unwrap();
        let enter = |taken: &Taken| Register::open(outer.path()).unwrap().enter(taken).unwrap();
        let own = taken(1, 2, &[]);
        let mut neighbours = Neighbours {
            claim: Some(enter(&own)),
            own: Some(own),
            processors: 2,
            ..Neighbours::default()
        };
        assert_eq!(neighbours.warning(), None);
        let _other = enter(&taken(2, 1, &[]));
        assert_eq!(neighbours.warning(), None, "it is too soon to look again");
        let again = |neighbours: &mut Neighbours| {
            neighbours.looked = None;
            neighbours.warning()
        };
        let first = again(&mut neighbours).unwrap();
        assert!(first.contains("of 2 processors 3 are wanted"), "{first}");
        assert_eq!(again(&mut neighbours), None);
        let _third = enter(&taken(3, 0, &[]));
        assert_eq!(again(&mut neighbours), None, "no worse than before");
        let _fourth = enter(&taken(4, 2, &[]));
        let worse = again(&mut neighbours).unwrap();
        assert!(worse.contains("of 2 processors 5 are wanted"), "{worse}");
    }
}
