//! `[faults]`: what a fault costs an engine.

use super::entry::Entry;
use super::problem::Problem;
use super::section::Section;
use crate::platform::capabilities::{Capability, Support, support};
use crate::referee::{Disqualified, FaultKind, FaultPolicy, FaultRules, IdlePolicy, IdleRule};

const POLICIES: [(&str, FaultPolicy); 3] = [
    ("loss", FaultPolicy::Loss),
    ("replay", FaultPolicy::Replay),
    ("stop", FaultPolicy::Stop),
];

const DISQUALIFIED: [(&str, Disqualified); 3] = [
    ("keep", Disqualified::Keep),
    ("annul", Disqualified::Annul),
    ("half", Disqualified::Half),
];

const IDLE: [(&str, IdlePolicy); 3] = [
    ("warn", IdlePolicy::Warn),
    ("fault", IdlePolicy::Fault),
    ("freeze", IdlePolicy::Freeze),
];

/// The rules; `open_ended` where results decide how many games are played, or who meets whom. `fate` is
/// what becomes of a disqualified engine's games where the file does not say it.
pub(super) fn read(
    section: Option<Section<'_>>,
    open_ended: bool,
    fate: Disqualified,
) -> FaultRules {
    let usual = FaultRules {
        disqualified: fate,
        ..FaultRules::default()
    };
    let Some(mut section) = section else {
        return usual;
    };
    let policy = section.optional("policy");
    let policy = policy.and_then(|entry| entry.choice(&POLICIES));
    let replays = section.optional("replays");
    if let (Some(entry), true) = (&replays, policy != Some(FaultPolicy::Replay)) {
        let title = "`replays` says nothing without policy = \"replay\"";
        entry.fail::<()>(Problem::error(title).help("add that line, or take this one out"));
    }
    let kinds = section.optional("kinds").map(|entry| kinds(&entry));
    let strikes = section.optional("strikes");
    let strikes = strikes.and_then(|entry| entry.integer(1..=1_000_000));
    let disqualified = section.optional("disqualified");
    let voids = section.optional("voids");
    let idle_cpu = idle_rule(&mut section);
    let mut usual_kinds = usual.kinds;
    if idle_cpu.policy == IdlePolicy::Fault {
        usual_kinds.push(FaultKind::IdleCpu);
    }
    let rules = FaultRules {
        policy: policy.unwrap_or_default(),
        replays: replays
            .and_then(|entry| entry.integer(1..=100))
            .unwrap_or(usual.replays),
        kinds: kinds.unwrap_or(usual_kinds),
        strikes,
        disqualified: disqualified
            .and_then(|entry| annulment(&entry, open_ended))
            .unwrap_or(fate),
        voids: voids
            .and_then(|entry| entry.integer(1..=1_000_000))
            .unwrap_or(usual.voids),
        idle_cpu,
    };
    section.finish();
    rules
}

/// `idle_cpu` and `idle_cpu_percent`.
fn idle_rule(section: &mut Section<'_>) -> IdleRule {
    let usual = IdleRule::default();
    let policy = section.optional("idle_cpu");
    let percent = section.optional("idle_cpu_percent");
    IdleRule {
        policy: policy
            .and_then(|entry| possible_here(&entry))
            .unwrap_or(usual.policy),
        // Of one processor: an engine may keep several busy.
        percent: percent
            .and_then(|entry| entry.integer(1..=100_000))
            .unwrap_or(usual.percent),
    }
}

/// What is to become of an engine that uses processors while it is not to move, if this system can do that.
fn possible_here(entry: &Entry<'_>) -> Option<IdlePolicy> {
    let policy = entry.choice(&IDLE)?;
    let needed = match policy {
        IdlePolicy::Warn => return Some(policy),
        IdlePolicy::Fault => Capability::IdleEvidence,
        IdlePolicy::Freeze => Capability::Freeze,
    };
    if matches!(support(needed), Support::No(_)) {
        let problem = Problem::error("this system cannot do that");
        return entry.fail(
            problem.help("take this line out; docs/platforms.md says what each system can do"),
        );
    }
    Some(policy)
}

/// A test takes its decision from games as they come, and so does the choice of where an
/// adaptive event or one in rounds goes on: none of them can be taken back.
fn annulment(entry: &Entry<'_>, open_ended: bool) -> Option<Disqualified> {
    let rule = entry.choice(&DISQUALIFIED)?;
    if open_ended && rule != Disqualified::Keep {
        let title =
            "with [sprt] or [adaptive], and in rounds, the games of a disqualified engine are kept";
        return entry.fail(Problem::error(title).help("take this line out"));
    }
    Some(rule)
}

fn kinds(list: &Entry<'_>) -> Vec<FaultKind> {
    let words = FaultKind::ALL.map(|kind| (kind.reason(), kind));
    let Some(elements) = list.list() else {
        return Vec::new();
    };
    let kinds: Vec<FaultKind> = elements
        .iter()
        .filter_map(|entry| entry.choice(&words))
        .collect();
    if elements.is_empty() {
        let title = "`kinds` needs at least one kind of fault";
        list.fail::<()>(Problem::error(title).help("for example: kinds = [\"crash\"]"));
    }
    kinds
}
