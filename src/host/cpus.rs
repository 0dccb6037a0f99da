//! Separate processors for each lane: disjoint sets, chosen with regard to the cores
//! behind them.

use std::collections::BTreeSet;
use std::io;

use crate::platform::{machine, proc};
use crate::text::count;

/// A processor as the system numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cpu {
    pub number: u16,
    /// The socket it is in, and the first processor of its core; processors with the
    /// same two share a core.
    pub core: (u16, u16),
}

/// There are not as many processors as the lanes take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "event.cpus_per_lane = {each} and event.concurrency = {lanes} take {}, and there are {there}; \
     lower one of them", count((each * lanes) as u64, "processor")
)]
pub struct TooFewCpus {
    each: usize,
    lanes: usize,
    there: usize,
}

/// The processors that this process may use, with their cores.
///
/// # Errors
/// The system does not say.
pub(crate) fn usable() -> io::Result<Vec<Cpu>> {
    let numbers = machine::processors()?.into_iter();
    let cpu = |number| {
        let [socket, first] = proc::core_of(number);
        // If the system does not say, the processor counts as a separate core.
        let core = (socket.unwrap_or(0), first.unwrap_or(number));
        Cpu { number, core }
    };
    Ok(numbers.map(cpu).collect())
}

/// How many cores are behind these processors.
pub(crate) fn cores(cpus: &[Cpu]) -> usize {
    let cores: BTreeSet<_> = cpus.iter().map(|cpu| cpu.core).collect();
    cores.len()
}

/// A set of `each` processors for every lane; no two lanes share one. While there are
/// cores enough every processor has a core to itself; then lanes get whole cores as far
/// as that goes. The processors of a lane are neighbours.
///
/// # Errors
/// There are too few.
pub(crate) fn share(cpus: &[Cpu], lanes: usize, each: usize) -> Result<Vec<Vec<u16>>, TooFewCpus> {
    let mut sorted = cpus.to_vec();
    sorted.sort_by_key(|cpu| (cpu.core, cpu.number));
    let mut firsts = sorted.clone();
    firsts.dedup_by_key(|cpu| cpu.core);
    let needed = lanes.saturating_mul(each);
    let chosen = if firsts.len() >= needed {
        firsts
    } else {
        sorted
    };
    if chosen.len() < needed {
        let there = chosen.len();
        return Err(TooFewCpus { each, lanes, there });
    }
    let numbers: Vec<u16> = chosen.iter().map(|cpu| cpu.number).collect();
    let shares = numbers.chunks(each).take(lanes);
    Ok(shares.map(<[u16]>::to_vec).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sockets of two cores of two threads: the threads of a core are n and n + 4.
    fn machine() -> Vec<Cpu> {
        let cpu = |number| Cpu {
            number,
            core: (number % 4 / 2, number % 4),
        };
        (0..8).map(cpu).collect()
    }

    #[test]
    fn cores_of_their_own_while_there_are_enough() {
        assert_eq!(cores(&machine()), 4);
        assert_eq!(share(&machine(), 4, 1).unwrap(), [[0], [1], [2], [3]]);
        assert_eq!(share(&machine(), 2, 2).unwrap(), [[0, 1], [2, 3]]);
    }

    #[test]
    fn whole_cores_where_threads_must_do() {
        let lanes = share(&machine(), 4, 2).unwrap();
        assert_eq!(lanes, [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(share(&machine(), 2, 3).unwrap(), [[0, 4, 1], [5, 2, 6]]);
    }

    #[test]
    fn too_few_are_said() {
        let error = share(&machine(), 3, 3).unwrap_err().to_string();
        assert!(
            error.contains("take 9 processors, and there are 8"),
            "{error}"
        );
    }

    #[test]
    fn this_machine_has_a_processor() {
        assert!(!usable().unwrap().is_empty());
    }
}
