//! What `/proc` says of a process or a thread in one line (proc_pid_stat(5)); other systems say nothing of it.

#![allow(
    dead_code,
    reason = "only Linux has all questions to which this is an answer"
)]

use std::fs;
use std::str::FromStr;

use super::capabilities::{SYSTEM, System};

/// The line of `stat` of a process or a thread.
#[derive(Debug)]
pub(crate) struct Stat {
    line: String,
    /// Start of the third field: the second is the program's name, in parentheses, and may contain any characters.
    third: usize,
}

impl Stat {
    /// The line of a process; `None` if the process does not exist.
    pub(crate) fn of_process(process: i32) -> Option<Stat> {
        Stat::read(&format!("/proc/{process}/stat"))
    }

    /// The line of a thread; `None` if the thread does not exist.
    pub(crate) fn of_thread(process: i32, thread: i32) -> Option<Stat> {
        Stat::read(&format!("/proc/{process}/task/{thread}/stat"))
    }

    fn read(file: &str) -> Option<Stat> {
        if SYSTEM != System::Linux {
            return None;
        }
        // A program's name need not be UTF-8.
        Stat::of_line(String::from_utf8_lossy(&fs::read(file).ok()?).into_owned())
    }

    fn of_line(line: String) -> Option<Stat> {
        let third = line.rfind(')')? + 1;
        Some(Stat { line, third })
    }

    fn field<T: FromStr>(&self, number: usize) -> Option<T> {
        let mut fields = self.line[self.third..].split_ascii_whitespace();
        fields.nth(number - 3)?.parse().ok()
    }

    /// Its state, as a letter.
    pub(crate) fn state(&self) -> Option<char> {
        self.field(3)
    }

    /// Whether it has ended, and only its number is left.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.state(), None | Some('Z' | 'X'))
    }

    /// The number of its parent.
    pub(crate) fn parent(&self) -> Option<i32> {
        self.field(4)
    }

    /// The number of its process group.
    pub(crate) fn group(&self) -> Option<i32> {
        self.field(5)
    }

    /// The number of its session.
    pub(crate) fn session(&self) -> Option<i32> {
        self.field(6)
    }

    /// Processor time of its children that have ended and were waited for, in ticks of 10 ms: the kernel reports
    /// hundredths of a second to users, whatever unit it counts in.
    pub(crate) fn ticks_of_ended_children(&self) -> Option<u32> {
        Some(self.field::<u32>(16)? + self.field::<u32>(17)?)
    }

    /// Its niceness; a thread that runs only when no other wants to (`SCHED_IDLE`) counts as the highest.
    pub(crate) fn nice(&self) -> i32 {
        const SCHED_IDLE: u32 = 5;
        match self.field(41) {
            Some(SCHED_IDLE) => i32::MAX,
            _ => self.field(19).unwrap_or(0),
        }
    }

    /// Number of its threads.
    pub(crate) fn threads(&self) -> Option<u64> {
        self.field(20)
    }

    /// When it began, in ticks since the machine was started; with its number, this identifies the process for ever.
    pub(crate) fn began(&self) -> Option<u64> {
        self.field(22)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "42 (a) b) S 1 40 41 0 -1 4194304 100 0 0 0 5 6 7 8 20 3 2 0 777 1000000 25";

    fn stat(line: &str) -> Stat {
        Stat::of_line(line.to_owned()).unwrap()
    }

    #[test]
    fn a_name_with_parentheses_is_no_field() {
        let stat = stat(LINE);
        assert_eq!((stat.state(), stat.parent()), (Some('S'), Some(1)));
        assert_eq!((stat.group(), stat.session()), (Some(40), Some(41)));
        assert_eq!((stat.threads(), stat.began()), (Some(2), Some(777)));
        assert_eq!(stat.ticks_of_ended_children(), Some(7 + 8));
        assert!(!stat.has_ended());
    }

    #[test]
    fn who_runs_only_when_nobody_else_does_is_the_nicest() {
        let nice = |nice: i32, policy: u32| {
            let mut fields: Vec<String> = (4..=52).map(|field| field.to_string()).collect();
            fields[19 - 4] = nice.to_string();
            fields[41 - 4] = policy.to_string();
            stat(&format!("7 (a) R (b c) S {}", fields.join(" "))).nice()
        };
        assert_eq!((nice(-5, 0), nice(19, 0), nice(0, 5)), (-5, 19, i32::MAX));
    }

    #[test]
    fn what_has_ended_is_known_by_its_letter() {
        assert!(stat(&LINE.replace(" S ", " Z ")).has_ended());
        assert!(Stat::of_line(String::new()).is_none());
    }
}
