//! An answer that is waited for without a clock: what the host takes from the engine meanwhile is
//! given back to it.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::{Stamp, nanoseconds};
use crate::engine::process::Process;
use crate::engine::start::ReplyDeadline;
use crate::host::starvation::Starvation;
use crate::referee::Referee;

/// Who is looked at since when.
#[derive(Debug, Default)]
pub(super) struct StarvationAllowance {
    looks: [Option<Starvation>; 2],
    /// The end of the wait to which they belong, and when they are made again.
    until: Option<Stamp>,
    next: Stamp,
}

impl StarvationAllowance {
    /// When [`Self::attend`] must be called if nothing else happens: when half of the time of an
    /// answer is gone, and from time to time after that.
    pub(super) fn due(&self, referee: &Referee) -> Option<Stamp> {
        let (_, until, limit) = referee.unclocked()?;
        Some(if self.until == Some(until) {
            self.next
        } else {
            half(until, limit)
        })
    }

    /// Looks at the engine that is waited for. It gets more time if it was kept from running.
    pub(super) fn attend(
        &mut self,
        referee: &mut Referee,
        engines: &[&mut Process; 2],
        now: Stamp,
    ) {
        let Some((waits, until, limit)) = referee.unclocked() else {
            return;
        };
        if self.until == Some(until) {
            if now > until.min(self.next) {
                self.next = after(now, limit);
                self.give_back(referee, waits, limit);
            }
        } else if now >= half(until, limit) {
            self.until = Some(until);
            self.next = after(now, limit);
            for side in Color::ALL {
                let leader = || engines[side.index()].id();
                let look = waits[side.index()].then(|| Starvation::begin(leader()));
                self.looks[side.index()] = look.flatten();
            }
        }
    }

    /// Two that are waited for have what the one that waited longest is given.
    fn give_back(&mut self, referee: &mut Referee, waits: [bool; 2], limit: Duration) {
        let looks = self.looks.iter_mut().zip(waits);
        let waited = looks.filter(|(_, waits)| *waits);
        let waited = waited.filter_map(|(look, _)| {
            Some(look.as_mut()?.since(limit / ReplyDeadline::OBSERVATIONS))
        });
        let waited = waited.max().unwrap_or_default();
        if !waited.is_zero() {
            tracing::info!(
                ?waited,
                "an engine was kept from running and is given more time"
            );
            referee.kept_waiting(waited);
            self.until = referee.unclocked().map(|(_, until, _)| until);
        }
    }
}

/// When an engine that was looked at now is looked at again.
fn after(now: Stamp, limit: Duration) -> Stamp {
    Stamp(
        now.0
            .saturating_add(nanoseconds(limit / ReplyDeadline::OBSERVATIONS)),
    )
}

/// The moment when half of the time is gone.
fn half(until: Stamp, limit: Duration) -> Stamp {
    Stamp(until.0.saturating_sub(nanoseconds(limit / 2)))
}
