//! The keys of `[faults]`.

use super::KeyKind::Whole;
use super::keys;
use crate::config::value::words;
use crate::referee::{Disqualified, FaultKind, FaultPolicy, IdlePolicy};

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
    Faults<'a>, "faults", "[faults]", "The cost of a fault of an engine: a crash, an illegal move, a loss on time … (docs/explain.md).";

    policy: FaultPolicy [= "loss"], "",
        "The game is lost; or played again with a new process; or lost, and the run ends (the next run continues).",
        "policy = \"replay\"";
    replays: u32 [= 1] Whole(1, 100), "times",
        "How often one game is played again before the fault loses it.",
        "policy = \"replay\"\nreplays = 2",
        refused ["without policy = \"replay\""];
    kinds: Vec<FaultKind> [or "all but flag-fall, and idle-cpu with idle_cpu = \"fault\" alone"], "",
        "The kinds of fault with these rules.",
        "policy = \"replay\"\nkinds = [\"crash\", \"stall\"]",
        refused ["none"];
    strikes: u32 [or "never"] Whole(1, 1_000_000), "faults",
        "An engine is disqualified after this number of faults.",
        "strikes = 3";
    disqualified: Disqualified [or "\"half\"; \"keep\" with two engines, [sprt] or [adaptive], and in rounds"], "",
        "Whether the games of a disqualified or withdrawn engine count: yes; no; or only if it has played half of them (FIDE article 5.4). If they count, its opponents win the games that it does not play.",
        "disqualified = \"keep\"",
        refused ["\"annul\" and \"half\" with [sprt] or [adaptive], and in rounds"];
    voids: u32 [= 50] Whole(1, 1_000_000), "games",
        "How many games of one engine are replayed because this computer was too slow or its program changed for an unknown reason. After that it loses them.",
        "voids = 10";
    idle_cpu: IdlePolicy [= "warn"], "",
        "An engine that uses processors while its opponent thinks: a warning; or it loses the game; or all its processes are stopped while it is not to move (docs/reliability.md).",
        "idle_cpu = \"freeze\"";
    idle_cpu_percent: u32 [= 20] Whole(1, 100_000), "per cent of one processor",
        "The largest allowed share of its opponent's thinking time; 0.1 s in a game is always allowed.",
        "idle_cpu_percent = 5";
}
