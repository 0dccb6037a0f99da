//! `[faults]`: what a fault costs an engine.

use super::keys::faults::Faults;
use super::problem::Problem;
use super::section::Section;
use crate::platform::capabilities::Capability;
use crate::referee::{Disqualified, FaultKind, FaultPolicy, FaultRules, IdlePolicy, IdleRule};

/// The rules; `open_ended` if results decide how many games are played, or who meets whom. `fate` is the default for
/// the games of a disqualified engine.
pub(super) fn read(section: Section<'_>, open_ended: bool, fate: Disqualified) -> FaultRules {
    let keys = Faults::read(section);
    keys.replays
        .fail_if(keys.policy.value != FaultPolicy::Replay, || {
            let title = "`replays` says nothing without policy = \"replay\"";
            Problem::error(title).help("add that line, or take this one out")
        });
    let is_empty = keys.kinds.value.as_ref().is_some_and(Vec::is_empty);
    keys.kinds.fail_if(is_empty, || {
        let title = "`kinds` needs at least one kind of fault";
        Problem::error(title).help("for example: kinds = [\"crash\"]")
    });
    // A sequential test decides from games as they come. An adaptive event or one in rounds chooses its next games in
    // the same way. None of these decisions can be taken back.
    let disqualified = keys.disqualified.value.unwrap_or(fate);
    keys.disqualified.fail_if(open_ended && disqualified != Disqualified::Keep, || {
        let title =
            "with [sprt] or [adaptive], and in rounds, the games of a disqualified engine are kept";
        Problem::error(title).help("take this line out")
    });
    let idle_cpu = IdleRule {
        policy: keys.idle_cpu.value,
        // Per cent of one processor: an engine may keep several busy.
        percent: keys.idle_cpu_percent.value,
    };
    match idle_cpu.policy {
        IdlePolicy::Warn => {}
        IdlePolicy::Fault => keys.idle_cpu.needs(Capability::IdleEvidence),
        IdlePolicy::Freeze => keys.idle_cpu.needs(Capability::Freeze),
    }
    let mut usual_kinds = FaultRules::default().kinds;
    if idle_cpu.policy == IdlePolicy::Fault {
        usual_kinds.push(FaultKind::IdleCpu);
    }
    FaultRules {
        policy: keys.policy.value,
        replays: keys.replays.value,
        kinds: keys.kinds.value.unwrap_or(usual_kinds),
        strikes: keys.strikes.value,
        disqualified,
        voids: keys.voids.value,
        idle_cpu,
    }
}
