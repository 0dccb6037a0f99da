//! What the engine that is not to move uses of the processors while its opponent thinks.
//!
//! **Invariant: the mover's clock pays for none of it.** An engine's processes are looked for when no
//! clock runs, and for a hundredth of the time at most. While a clock runs they are read once, a
//! system call each, `SOON` after `go`: until then an engine may still be ending its own search, and
//! what it used of that is not counted by the kernel before its next tick.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::host::process_tree::{ProcessTree, Used};
use crate::platform::Root;
use crate::platform::proc::TELLS_PROCESSOR_TIME;
use crate::referee::IdleTimes;

/// How long after `go` the look begins. Shorter moves are not looked at.
const SOON: Duration = Duration::from_millis(5);

/// The time between two searches for processes, in times of what the last one took.
const SEARCH_INTERVAL_FACTOR: u32 = 100;

/// Watches the engine that waits. One for a lane.
#[derive(Debug, Default)]
pub(crate) struct IdleWatch {
    sides: [IdleEngine; 2],
    look: IdleLook,
}

/// One engine.
#[derive(Debug, Default)]
struct IdleEngine {
    root: Root,
    process_tree: ProcessTree,
    /// When its processes may be looked for again.
    rested: Option<Stamp>,
}

#[derive(Debug, Default)]
enum IdleLook {
    #[default]
    Off,
    /// It begins at this moment. The processes were looked for just before, if there is what
    /// those had used then that have ended.
    Begins {
        side: Color,
        at: Stamp,
        ended: Option<Duration>,
    },
    On {
        side: Color,
        since: Stamp,
        used: Used,
    },
}

impl IdleWatch {
    /// A game begins between engines with these roots.
    pub(crate) fn meet(&mut self, roots: [Root; 2]) {
        self.look = IdleLook::Off;
        self.sides = roots.map(|root| IdleEngine {
            root,
            ..IdleEngine::default()
        });
    }

    /// The clock of its opponent is about to be started, and this side has nothing to do. `clock`
    /// tells the time.
    pub(crate) fn begin(&mut self, side: Color, now: Stamp, clock: impl Fn() -> Stamp) {
        if !TELLS_PROCESSOR_TIME {
            return self.look = IdleLook::Off;
        }
        let waiting = &mut self.sides[side.index()];
        let ended = waiting
            .look_around(now, clock)
            .then(|| waiting.process_tree.ended());
        let at = now + SOON;
        self.look = IdleLook::Begins { side, at, ended };
    }

    /// Nobody waits with nothing to do.
    pub(crate) fn rest(&mut self) {
        self.look = IdleLook::Off;
    }

    /// When [`woken`](Self::woken) must be called if nothing else happens.
    pub(crate) fn due(&self) -> Option<Stamp> {
        match &self.look {
            IdleLook::Begins { at, .. } => Some(*at),
            IdleLook::Off | IdleLook::On { .. } => None,
        }
    }

    /// The lane has woken up, for whatever reason.
    pub(crate) fn woken(&mut self, now: Stamp) {
        if let IdleLook::Begins { side, at, ended } = self.look
            && now >= at
        {
            let (since, used) = (now, self.sides[side.index()].process_tree.used(ended));
            self.look = IdleLook::On { side, since, used };
        }
    }

    /// The opponent has moved, and no clock runs: what the side that waited has used. `None` if
    /// nobody looked.
    pub(crate) fn end(&mut self, now: Stamp, clock: impl Fn() -> Stamp) -> Option<IdleTimes> {
        let IdleLook::On { side, since, used } = std::mem::take(&mut self.look) else {
            return None;
        };
        let waiting = &mut self.sides[side.index()];
        let around = waiting.look_around(now, clock);
        let ended = around.then(|| waiting.process_tree.ended());
        Some(IdleTimes {
            watched: now.saturating_since(since),
            cpu: waiting.process_tree.used(ended).since(&used),
        })
    }
}

impl IdleEngine {
    /// Looks for the engine's processes, if the last time was long ago; whether it was.
    fn look_around(&mut self, now: Stamp, clock: impl Fn() -> Stamp) -> bool {
        if self.rested.is_some_and(|rested| now < rested) {
            return false;
        }
        self.process_tree = ProcessTree::read(self.root);
        let end = clock();
        self.rested = Some(end + end.saturating_since(now) * SEARCH_INTERVAL_FACTOR);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::platform::capabilities::{Capability, has};

    const MS: u64 = 1_000_000;

    fn watch() -> IdleWatch {
        let me = Root {
            process: i32::try_from(std::process::id()).unwrap(),
            is_engine: true,
        };
        let mut watch = IdleWatch::default();
        watch.meet([me; 2]);
        watch
    }

    #[test]
    fn a_short_move_is_not_looked_at_and_a_longer_one_is() {
        if !has(Capability::IdleEvidence) {
            return;
        }
        let mut watch = watch();
        let clock = || Stamp(0);
        watch.begin(Color::Black, Stamp(0), clock);
        assert_eq!(watch.due(), Some(Stamp(5 * MS)));
        watch.woken(Stamp(4 * MS));
        assert_eq!(watch.end(Stamp(4 * MS), clock), None);
        watch.begin(Color::Black, Stamp(5 * MS), clock);
        watch.woken(Stamp(11 * MS));
        std::hint::black_box((0..5_000_000u64).fold(0, |sum, next| sum ^ next));
        let seen = watch.end(Stamp(31 * MS), clock).unwrap();
        assert_eq!(seen.watched, Duration::from_millis(20));
        assert!(seen.cpu > Duration::ZERO);
        watch.begin(Color::White, Stamp(40 * MS), clock);
        watch.rest();
        assert_eq!(
            (watch.due(), watch.end(Stamp(90 * MS), clock)),
            (None, None)
        );
    }

    #[test]
    fn processes_are_looked_for_during_a_hundredth_of_the_time() {
        if !has(Capability::IdleEvidence) {
            return;
        }
        // Each search takes 2 ms, each move 6.
        let now = Cell::new(0);
        let searches = Cell::new(0);
        let clock = || {
            searches.set(searches.get() + 1);
            now.set(now.get() + 2 * MS);
            Stamp(now.get())
        };
        let mut watch = watch();
        while now.get() < 10_000 * MS {
            watch.begin(Color::White, Stamp(now.get()), clock);
            now.set(now.get() + 6 * MS);
            watch.woken(Stamp(now.get()));
            watch.end(Stamp(now.get()), clock);
        }
        assert!((48..=51).contains(&searches.get()), "{}", searches.get());
    }
}
