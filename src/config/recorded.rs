//! What holds where the event file is silent: words of the command line, and what an event that has
//! begun has recorded.

use std::num::NonZeroUsize;

use crate::event::identity::EventIdentity;
use crate::referee::{Disqualified, HostFaults};
use crate::stats::sprt::Unit;

/// What the command line says instead of the event file, and what holds where neither says it.
#[derive(Clone, Copy, Default)]
pub struct Overrides<'a> {
    /// `--seed`.
    pub seed: Option<u64>,
    /// `--concurrency`.
    pub concurrency: Option<NonZeroUsize>,
    /// What an event of this name has recorded, if it has begun.
    pub recorded: Option<&'a RecordedOf<'a>>,
    /// The seed of an event that has not begun, where nobody names one.
    pub drawn: Option<u64>,
    /// The event is rehearsed: former events may be rehearsals, too.
    pub rehearsal: bool,
}

/// What an event of a name has recorded.
pub(super) type RecordedOf<'a> = dyn Fn(&str) -> Option<Recorded> + 'a;

/// What an event has that has begun, where its file is silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// The seed.
    pub seed: u64,
    /// Whether its positions are played in a listed order.
    pub sequential: bool,
    /// What becomes of a game that was lost on time by the host's fault.
    pub host_faults: HostFaults,
    /// What becomes of the games of a disqualified engine.
    pub disqualified: Disqualified,
    /// What its sequential test counts, if it has one.
    pub sprt_unit: Option<Unit>,
}

impl Recorded {
    /// What the event of this identity has recorded.
    pub(crate) fn of(identity: &EventIdentity) -> Recorded {
        Recorded {
            seed: identity.seed,
            sequential: identity.order.is_some(),
            host_faults: identity.adjudication.host_faults,
            disqualified: identity.faults.disqualified,
            sprt_unit: identity.sprt.as_ref().map(|sprt| sprt.unit),
        }
    }
}
