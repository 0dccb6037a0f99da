//! The keys of `[time]` and `[timeouts]`.

use std::time::Duration;

use super::KeyKind::{Number, Whole};
use super::keys;
use crate::clock::MAX_SECONDS;
use crate::config::entry::Entry;

keys! {
    /// The values of `[time] and [engine.time]`.
    Time<'a>, "time", "[time] and [engine.time]", "The limits of searches: for all engines, or below an [[engine]] for that one. At least one of `control`, `movetime`, `nodes` and `depth`.";

    control: Entry<'a> [or "none"], "seconds, or minutes:seconds",
        "The chess clock: time and increment, \"10+0.1\"; minutes, \"1:30+1\"; periods, \"40/5400+30:1800+30\"; an hourglass, \"*60\": what a move takes is added to the other clock; \"inf\" for no clock, with `nodes` or `depth`.",
        "control = \"10+0.1\"",
        refused ["not a time control", "together with `movetime`"],
        also ["tc"];
    movetime: Duration [or "none"] Number(0.001, 1e9), "seconds",
        "A fixed time for each move.",
        "movetime = 0.5",
        refused ["together with `control`"],
        also ["st"];
    nodes: u64 [or "none"] Whole(1, 1_000_000_000_000_000), "nodes",
        "A limit of nodes for each move.",
        "nodes = 10000";
    depth: u32 [or "none"] Whole(1, 1000), "half-moves",
        "A limit of depth for each move.",
        "depth = 12",
        also ["plies"];
    nodes_jitter: f64 [or "0, but 0.1 where an engine plays itself with `nodes`"] Number(0.0, 0.5), "part of `nodes`",
        "How far the node limit of a move may differ from `nodes`, so that games differ: 0.1 is ± 10 %.",
        "nodes = 10000\nnodes_jitter = 0.1",
        refused ["without `nodes`"];
    scale: f64 [or "1"] Number(0.0001, 10_000.0), "",
        "Multiplies `control` or `movetime`: time odds for one engine, or a faster event.",
        "control = \"10+0.1\"\nscale = 0.5",
        refused ["with no time to multiply"];
    margin_ms: Duration [or "0"] Number(0.0, 60_000.0), "milliseconds",
        "How far an engine may exceed its clock without losing.",
        "control = \"10+0.1\"\nmargin_ms = 20";
    first_increment: bool [or "true"], "",
        "Whether the clock of a period begins with its increment added, as FIDE has it.",
        "control = \"10+0.1\"\nfirst_increment = false",
        refused ["without an increment"];
}

keys! {
    /// The values of `[timeouts]`.
    Timeouts<'a>, "timeouts", "[timeouts]", "How long to wait where no chess clock runs.";

    start: Duration [= 10] Number(0.001, MAX_SECONDS as f64), "seconds",
        "From the start of the program to its first answer, `uciok`.",
        "start = 30";
    ready: Duration [= 10] Number(0.001, MAX_SECONDS as f64), "seconds",
        "For `readyok`.",
        "ready = 30";
    each_move: Duration [or "none"] Number(0.001, MAX_SECONDS as f64), "seconds",
        "With this key `isready` is also sent before each `go` and after each `bestmove`, while no clock runs, and an engine without answer in this time loses. Without it, only at the beginning of a game.",
        "each_move = 60";
    newgame: Duration [= 30] Number(0.001, MAX_SECONDS as f64), "seconds",
        "For `readyok` after `ucinewgame`, when large tables are cleared.",
        "newgame = 60";
    stall: Duration [= 60] Number(0.001, MAX_SECONDS as f64), "seconds",
        "For a move without a clock (`nodes`, `depth`), since nodes or depth last grew.",
        "stall = 300";
    scale: f64 [= 1] Number(1.0, 1000.0), "",
        "Multiplies every time of this table, written or not: an engine under a sanitizer, a debugger or an emulator is slow to answer.",
        "scale = 20";
}
