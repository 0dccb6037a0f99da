//! The keys of `[time]` and `[timeouts]`.

use super::Kind::{Boolean, Number, Text, Whole};
use super::{Key, KeyTable};
use crate::clock::MAX_SECONDS;

pub(super) const TIME: KeyTable = KeyTable {
    name: "time",
    header: "[time] and [engine.time]",
    meaning: "The limits of searches: for all engines, or below an [[engine]] for that one. At least one of `control`, `movetime`, `nodes` and `depth`.",
    keys: &[
        Key {
            name: "control",
            kind: Text,
            unit: "seconds, or minutes:seconds",
            default: "none",
            meaning: "The chess clock: time and increment, \"10+0.1\"; minutes, \"1:30+1\"; periods, \"40/5400+30:1800+30\"; \"inf\" for no clock, with `nodes` or `depth`.",
            example: "control = \"10+0.1\"",
            errors: &["not a time control", "together with `movetime`"],
        },
        Key {
            name: "movetime",
            kind: Number(0.001, 1e9),
            unit: "seconds",
            default: "none",
            meaning: "A fixed time for each move.",
            example: "movetime = 0.5",
            errors: &["together with `control`"],
        },
        Key {
            name: "nodes",
            kind: Whole(1, 1_000_000_000_000_000),
            unit: "nodes",
            default: "none",
            meaning: "A limit of nodes for each move.",
            example: "nodes = 10000",
            errors: &[],
        },
        Key {
            name: "depth",
            kind: Whole(1, 1000),
            unit: "half-moves",
            default: "none",
            meaning: "A limit of depth for each move.",
            example: "depth = 12",
            errors: &[],
        },
        Key {
            name: "nodes_jitter",
            kind: Number(0.0, 0.5),
            unit: "part of `nodes`",
            default: "0, but 0.1 where an engine plays itself with `nodes`",
            meaning: "How far the node limit of a move may differ from `nodes`, so that games differ: 0.1 is ± 10 %.",
            example: "nodes = 10000\nnodes_jitter = 0.1",
            errors: &["without `nodes`"],
        },
        Key {
            name: "scale",
            kind: Number(0.0001, 10_000.0),
            unit: "",
            default: "1",
            meaning: "Multiplies `control` or `movetime`: time odds for one engine, or a faster event.",
            example: "control = \"10+0.1\"\nscale = 0.5",
            errors: &["with no time to multiply"],
        },
        Key {
            name: "margin_ms",
            kind: Number(0.0, 60_000.0),
            unit: "milliseconds",
            default: "0",
            meaning: "How far an engine may exceed its clock without losing.",
            example: "control = \"10+0.1\"\nmargin_ms = 20",
            errors: &[],
        },
        Key {
            name: "first_increment",
            kind: Boolean,
            unit: "",
            default: "true",
            meaning: "Whether the clock of a period begins with its increment added, as FIDE has it.",
            example: "control = \"10+0.1\"\nfirst_increment = false",
            errors: &["without an increment"],
        },
    ],
};

pub(super) const TIMEOUTS: KeyTable = KeyTable {
    name: "timeouts",
    header: "[timeouts]",
    meaning: "How long to wait where no chess clock runs.",
    keys: &[
        timeout(
            "start",
            "10",
            "From the start of the program to its first answer, `uciok`.",
            "start = 30",
        ),
        timeout("ready", "10", "For `readyok`.", "ready = 30"),
        timeout(
            "each_move",
            "none",
            "With this key `isready` is also sent before each `go` and after each `bestmove`, while no clock runs, and an engine without answer in this time loses. Without it, only at the beginning of a game.",
            "each_move = 60",
        ),
        timeout(
            "newgame",
            "30",
            "For `readyok` after `ucinewgame`, when large tables are cleared.",
            "newgame = 60",
        ),
        timeout(
            "stall",
            "60",
            "For a move without a clock (`nodes`, `depth`), since nodes or depth last grew.",
            "stall = 300",
        ),
    ],
};

const fn timeout(
    name: &'static str,
    default: &'static str,
    meaning: &'static str,
    example: &'static str,
) -> Key {
    Key {
        name,
        kind: Number(0.001, MAX_SECONDS as f64),
        unit: "seconds",
        default,
        meaning,
        example,
        errors: &[],
    }
}
