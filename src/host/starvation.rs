//! How long an engine that owes an answer, and has no clock, was kept off the processors.
//!
//! Where no clock runs an engine has a time to answer: to start, to be ready, to show progress. On
//! a busy machine it is given back what the scheduler took from it, so that nobody is at fault for
//! that. The first half of its time is not looked at: an answer at once costs nothing.

use std::time::Duration;

use crate::host::threads::{MOST_THREADS, Snapshot, Threads};

/// Engines that wait less than this part of their time have had the machine.
const PART: u32 = 20;

/// One engine, looked at.
#[derive(Debug)]
pub(crate) struct Starvation {
    leader: i32,
    look: Snapshot,
}

impl Starvation {
    /// Looks at the engine with this process.
    pub(crate) fn begin(leader: i32) -> Option<Starvation> {
        let look = look(leader)?;
        Some(Starvation { leader, look })
    }

    /// For how long since the last look the thread that waited longest was ready to run and did not,
    /// without what the engine's own threads can have caused. Nothing if it is less than a small
    /// part of `limit`, or if nobody can tell.
    pub(crate) fn since(&mut self, limit: Duration) -> Duration {
        let Some(now) = look(self.leader) else {
            return Duration::ZERO;
        };
        let times = now.since(&self.look);
        self.look = now;
        let wait = times.map(|times| times.longest_wait);
        wait.filter(|wait| *wait >= limit / PART)
            .unwrap_or_default()
    }
}

fn look(leader: i32) -> Option<Snapshot> {
    let threads = Threads::of(leader, MOST_THREADS)?;
    Some(threads.snapshot(MOST_THREADS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_sleeps_is_not_kept_waiting() {
        let mut sleeper = std::process::Command::new("sleep")
            .arg("600")
            .spawn()
            .unwrap();
        let leader = i32::try_from(sleeper.id()).unwrap();
        let mut starvation = Starvation::begin(leader);
        let waited = starvation
            .as_mut()
            .map(|it| it.since(Duration::from_secs(3600)));
        sleeper.kill().unwrap();
        sleeper.wait().unwrap();
        assert_eq!(waited, Some(Duration::ZERO));
        let mut nobody = Starvation::begin(0);
        let waited = nobody.as_mut().map(|it| it.since(Duration::from_secs(1)));
        assert_eq!(waited.unwrap_or_default(), Duration::ZERO);
    }
}
