//! All processes of the machine at one moment, by `/proc` (proc_pid_stat(5)): whose they
//! are and what they use.

use std::collections::HashMap;
use std::fs;

use rustix::process::Pid;

use crate::run::strays;

/// What the processes of one engine use together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Resident memory, bytes. What processes share is counted for each.
    pub resident: u64,
    /// Processes and threads.
    pub tasks: u64,
}

/// One process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sighting {
    process: i32,
    group: i32,
    /// When it began; with its number the name that no other process ever has.
    began: u64,
    usage: Usage,
}

/// The processes as they were when they were last counted.
#[derive(Debug, Default)]
pub struct Census {
    seen: Vec<Sighting>,
    /// The marks of processes that were seen before; a process keeps its mark.
    marks: HashMap<(i32, u64), Option<String>>,
}

impl Census {
    /// Counts anew.
    pub fn take(&mut self) {
        self.seen.clear();
        let page = rustix::param::page_size() as u64;
        let mut known = std::mem::take(&mut self.marks);
        // Without /proc nothing can be counted.
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        for process in entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()) {
            let stat = fs::read(format!("/proc/{process}/stat")).unwrap_or_default();
            let Some(sighting) = sighting(process, &String::from_utf8_lossy(&stat), page) else {
                continue;
            };
            let name = (process, sighting.began);
            let mark = known
                .remove(&name)
                .unwrap_or_else(|| strays::mark_of(process));
            self.marks.insert(name, mark);
            self.seen.push(sighting);
        }
    }

    /// What the processes of this group use, and those with this mark that have left it.
    pub fn usage(&self, group: Pid, mark: &str) -> Usage {
        let group = group.as_raw_nonzero().get();
        let marked = |sighting: &Sighting| {
            let name = (sighting.process, sighting.began);
            self.marks
                .get(&name)
                .is_some_and(|known| known.as_deref() == Some(mark))
        };
        let mut total = Usage::default();
        let mine = self
            .seen
            .iter()
            .filter(|seen| seen.group == group || marked(seen));
        for sighting in mine {
            total.resident += sighting.usage.resident;
            total.tasks += sighting.usage.tasks;
        }
        total
    }
}

/// Reads `/proc/<pid>/stat`; `None` for what has ended.
fn sighting(process: i32, stat: &str, page: u64) -> Option<Sighting> {
    // The second field is the program's name, in parentheses, with anything in it.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).copied();
    if matches!(field(3)?, "Z" | "X") {
        return None;
    }
    let resident: u64 = field(24)?.parse().ok()?;
    Some(Sighting {
        process,
        group: field(5)?.parse().ok()?,
        began: field(22)?.parse().ok()?,
        usage: Usage {
            resident: resident * page,
            tasks: field(20)?.parse().ok()?,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "42 (a) b) S 1 40 40 0 -1 4194304 100 0 0 0 5 6 0 0 20 0 3 0 777 1000000 \
                        25 18446744073709551615 1 1 0";

    #[test]
    fn a_name_with_parentheses_is_no_field() {
        let sighting = sighting(42, STAT, 4096).unwrap();
        assert_eq!((sighting.group, sighting.began), (40, 777));
        assert_eq!(
            (sighting.usage.resident, sighting.usage.tasks),
            (25 * 4096, 3)
        );
    }

    #[test]
    fn what_has_ended_uses_nothing() {
        assert_eq!(sighting(42, &STAT.replace(" S ", " Z "), 4096), None);
        assert_eq!(sighting(42, "", 4096), None);
    }

    #[test]
    fn this_process_is_found_by_its_group() {
        let mut census = Census::default();
        census.take();
        let usage = census.usage(rustix::process::getpgrp(), "no such mark");
        assert!(usage.resident > 1 << 20 && usage.tasks >= 1, "{usage:?}");
    }
}
