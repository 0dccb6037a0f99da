//! How long an engine that owes an answer, and has no clock, was kept off the processors.
//!
//! Where no clock runs an engine has a time to answer: to start, to be ready, to show progress. On
//! a busy machine it is given back what the scheduler took from it, so that nobody is at fault for
//! that. The first half of its time is not looked at: an answer at once costs nothing.

use std::time::{Duration, Instant};

use crate::host::threads::{EngineThreads, MAX_THREADS, ThreadTimes};
use crate::platform::proc::Stat;

/// Engines that wait less than this part of their time have had the machine.
const PART: u32 = 20;

/// One engine, looked at.
#[derive(Debug)]
pub(crate) struct Starvation {
    leader: i32,
    look: Look,
}

/// What its threads have had up to a moment, and whether they want to run then.
#[derive(Debug)]
struct Look {
    at: Instant,
    times: ThreadTimes,
    states: Vec<(i32, Stat)>,
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
    ///
    /// A wait that has not ended is in no file: a thread that is ready at both looks has waited for all
    /// that it did not run in between. (On a machine that many others keep busy a wait is as long as the
    /// time between two looks.)
    pub(crate) fn since(&mut self, limit: Duration) -> Duration {
        let Some(now) = look(self.leader) else {
            return Duration::ZERO;
        };
        let ready = [&self.look, &now].map(Look::ready);
        let all_along = |thread| ready.iter().all(|ready| ready.contains(&thread));
        let between = now.at - self.look.at;
        let wait = now.times.longest_wait(&self.look.times, between, all_along);
        self.look = now;
        wait.filter(|wait| *wait >= limit / PART)
            .unwrap_or_default()
    }
}

impl Look {
    /// The threads that run, or would like to.
    fn ready(&self) -> Vec<i32> {
        let states = self.states.iter();
        let ready = states.filter(|(_, state)| state.state == 'R');
        ready.map(|(thread, _)| *thread).collect()
    }
}

fn look(leader: i32) -> Option<Look> {
    let threads = EngineThreads::read(leader, MAX_THREADS)?;
    Some(Look {
        at: Instant::now(),
        times: threads.snapshot(MAX_THREADS),
        states: threads.states(),
    })
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
