//! `[faults]`: what a fault costs an engine.

use super::keys::KeyKind::Whole;
use super::keys::keys;
use super::section::Section;
use super::value::words;
use crate::event::{Disqualified, FaultPolicy, FaultRules};
use crate::platform::capabilities::Capability;
use crate::referee::{FaultKind, IdlePolicy, IdleRule};

/// The rules; `open_ended` if results decide how many games are played, or who meets whom. `fate` is the default for
/// the games of a disqualified engine.
pub(super) fn read(section: Section<'_>, open_ended: bool, fate: Disqualified) -> FaultRules {
    let keys = FaultKeys::read(section);
    let title = "`replays` says nothing without policy = \"replay\"";
    let help = "add that line, or take this one out";
    keys.replays
        .error_if(keys.policy.value != FaultPolicy::Replay, title, help);
    let is_empty = keys.kinds.value.as_ref().is_some_and(Vec::is_empty);
    let title = "`kinds` needs at least one kind of fault";
    keys.kinds
        .error_if(is_empty, title, "for example: kinds = [\"crash\"]");
    // A sequential test decides from games as they come. An adaptive event or one in rounds chooses its next games in
    // the same way. None of these decisions can be taken back.
    let disqualified = keys.disqualified.value.unwrap_or(fate);
    keys.disqualified.error_if(
        open_ended && disqualified != Disqualified::Keep,
        "with [sprt] or [adaptive], and in rounds, the games of a disqualified engine are kept",
        "take this line out",
    );
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

words! {
    FaultPolicy { "loss" => Loss, "replay" => Replay, "stop" => Stop }
    Disqualified { "keep" => Keep, "annul" => Annul, "half" => Half }
    IdlePolicy { "warn" => Warn, "fault" => Fault, "freeze" => Freeze }
}

words! {
    FaultKind by reason;
}

keys! {
    /// The values of `[faults]`.
    FaultKeys<'a>, "faults", "[faults]", "The cost of a fault of an engine: a crash, an illegal move, a loss on time … (docs/explain.md).";

    /// The game is lost; or played again; or lost, and the run ends.
    policy: FaultPolicy [= "loss"], "policy = \"replay\"";
    /// How often one game is played again before the fault loses it.
    replays: u32 [= 1] Whole(1, 100), in "times", "policy = \"replay\"\nreplays = 2",
        refused ["without policy = \"replay\""];
    /// The kinds of fault with these rules.
    kinds: Vec<FaultKind> [or "all but flag-fall, and idle-cpu with idle_cpu = \"fault\" alone"],
        "policy = \"replay\"\nkinds = [\"crash\", \"stall\"]",
        refused ["none"];
    /// An engine is disqualified after this number of faults.
    strikes: u32 [or "never"] Whole(1, 1_000_000), in "faults", "strikes = 3";
    /// Whether the games of a disqualified or withdrawn engine count: yes; no; or if it has played half of them (FIDE
    /// 5.4). If they count, its opponents win the games that it does not play.
    disqualified: Disqualified [or "\"half\"; \"keep\" with two engines, [sprt] or [adaptive], and in rounds"],
        "disqualified = \"keep\"",
        refused ["\"annul\" and \"half\" with [sprt] or [adaptive], and in rounds"];
    /// How many games of one engine are replayed because this computer was too slow or its program changed. After
    /// that it loses them.
    voids: u32 [= 50] Whole(1, 1_000_000), in "games", "voids = 10";
    /// An engine that uses processors while its opponent thinks: a warning; a loss; or its processes are stopped
    /// while it is not to move (docs/reliability.md).
    idle_cpu: IdlePolicy [= "warn"], "idle_cpu = \"freeze\"";
    /// The largest allowed share of its opponent's thinking time; 0.1 s in a game is always allowed.
    idle_cpu_percent: u32 [= 20] Whole(1, 100_000), in "per cent of one processor",
        "idle_cpu_percent = 5";
}
