//! `[[engine]]` and `[defaults]`.

use super::Kind::{Boolean, Either, Free, List, Number, Table, Text, Whole, Word};
use super::{Key, KeyTable};

/// Start numbers of processors, and counts: none is larger.
const LARGEST: i128 = u32::MAX as i128;

pub(super) const ENGINE: KeyTable = KeyTable {
    name: "engine",
    header: "[[engine]]",
    meaning: "One engine. Missing keys come from [defaults].",
    keys: &[
        Key {
            name: "command",
            kind: Text,
            unit: "",
            default: "none",
            meaning: "The program: a name on PATH or in /usr/games, or a path (with a slash) relative to the event file. Arguments go into `args`.",
            example: "command = \"stockfish\"",
            errors: &[
                "no such program",
                "it may not be run",
                "together with `builtin`, or neither of them",
            ],
        },
        Key {
            name: "builtin",
            kind: Word(&["sparring"]),
            unit: "",
            default: "none",
            meaning: "The engine inside this program, instead of a `command`; its options are Strength (1 to 10) and Hash.",
            example: "builtin = \"sparring\"\noptions = { Strength = 3 }",
            errors: &["together with `command`, `args`, `directory` or `env`"],
        },
        Key {
            name: "args",
            kind: List(&Text),
            unit: "",
            default: "[]",
            meaning: "Arguments of the program, one string each; no shell splits them.",
            example: "command = \"gnuchess\"\nargs = [\"--uci\"]",
            errors: &["together with `builtin`"],
        },
        Key {
            name: "name",
            kind: Text,
            unit: "",
            default: "the program's file name",
            meaning: "The name in the tables and in the PGN.",
            example: "command = \"stockfish\"\nname = \"Stockfish 17\"",
            errors: &["empty, or a control character", "two engines of one name"],
        },
        Key {
            name: "directory",
            kind: Text,
            unit: "",
            default: "the folder of the event file",
            meaning: "The folder in which the program runs; relative to the event file.",
            example: "command = \"stockfish\"\ndirectory = \".\"",
            errors: &["no such folder", "together with `builtin`"],
        },
        ENV,
        OPTIONS,
        Key {
            name: "time",
            kind: Table("time"),
            unit: "",
            default: "[time]",
            meaning: "The engine's own limits: [engine.time], with the keys of [time].",
            example: "command = \"stockfish\"\ntime = { control = \"5+0.05\" }",
            errors: &[],
        },
        MARGIN,
        PONDER,
        Key {
            name: "copies",
            kind: Whole(1, 2),
            unit: "participants",
            default: "1",
            meaning: "2: the engine plays itself, which measures the start positions.",
            example: "command = \"stockfish\"\ncopies = 2",
            errors: &["2 with other engines"],
        },
        FEN,
        RESTART,
        REFUSED,
        VOLATILE,
        NEEDS,
        NICE,
        CPUS,
        MEMORY,
        PROCESSES,
        FILE_SIZE,
        SANDBOX,
        READ,
        WRITE,
    ],
};

pub(super) const DEFAULTS: KeyTable = KeyTable {
    name: "defaults",
    header: "[defaults]",
    meaning: "For every engine without the key. `options` are joined: an engine with its own Hash still gets the Threads of [defaults].",
    keys: &[
        OPTIONS, ENV, MARGIN, PONDER, FEN, RESTART, REFUSED, VOLATILE, NEEDS, NICE, CPUS, MEMORY,
        PROCESSES, FILE_SIZE, SANDBOX, READ, WRITE,
    ],
};

/// What stands for tables whose keys the user chooses.
pub(super) const FREE: KeyTable = KeyTable {
    name: "options",
    header: "[engine.options] and [engine.env]",
    meaning: "UCI options, or environment variables: the keys are the engine's own, the values strings, numbers, true or false.",
    keys: &[],
};

const ENV: Key = Key {
    name: "env",
    kind: Free,
    unit: "",
    default: "{}",
    meaning: "Environment variables, in addition to the runner's.",
    example: "command = \"stockfish\"\nenv = { OMP_NUM_THREADS = 1 }",
    errors: &["together with `builtin`"],
};

const OPTIONS: Key = Key {
    name: "options",
    kind: Free,
    unit: "",
    default: "{}",
    meaning: "UCI options, in the order in which they are sent. Each must be one that the engine declares.",
    example: "command = \"stockfish\"\noptions = { Hash = 64, Threads = 1, \"Move Overhead\" = 30 }",
    errors: &[
        "one option twice, also if only upper and lower case differ",
        "UCI_Chess960, which follows from event.variant",
        "Ponder, if it differs from the key `ponder`",
        "a line break",
    ],
};

const MARGIN: Key = Key {
    name: "margin_ms",
    kind: Number(0.0, 60_000.0),
    unit: "milliseconds",
    default: "margin_ms of [time]",
    meaning: "How far this engine may exceed its clock without losing.",
    example: "command = \"stockfish\"\nmargin_ms = 50",
    errors: &[],
};

const PONDER: Key = Key {
    name: "ponder",
    kind: Boolean,
    unit: "",
    default: "false",
    meaning: "Whether the engine thinks on its opponent's time, on the reply that it expects (`go ponder`; docs/pondering.md). Then both engines of a game need processors at the same time.",
    example: "command = \"stockfish\"\nponder = true",
    errors: &[
        "with `nodes` or `depth`, because such a search exceeds them",
        "an engine without the option Ponder, when it is started",
    ],
};

const FEN: Key = Key {
    name: "fen",
    kind: Word(&["shredder", "xfen"]),
    unit: "",
    default: "\"shredder\" where UCI_Chess960 is set, else \"xfen\"",
    meaning: "Castling rights in positions sent to the engine: HAha or KQkq.",
    example: "command = \"stockfish\"\nfen = \"xfen\"",
    errors: &[],
};

const RESTART: Key = Key {
    name: "restart",
    kind: Either(&[Boolean, Word(&["auto"])]),
    unit: "",
    default: "\"auto\"",
    meaning: "Whether the program is started again for every game; \"auto\": only after a fault.",
    example: "command = \"stockfish\"\nrestart = true",
    errors: &["another word"],
};

const REFUSED: Key = Key {
    name: "refused_options",
    kind: Word(&["error", "warn"]),
    unit: "",
    default: "\"error\"",
    meaning: "An option or value that the engine does not know: the event does not begin, or a warning is printed and the option is not sent.",
    example: "command = \"stockfish\"\nrefused_options = \"warn\"",
    errors: &[],
};

const VOLATILE: Key = Key {
    name: "volatile_files",
    kind: List(&Text),
    unit: "",
    default: "[]",
    meaning: "Files named in `options` or `args` that the engine itself changes, such as a learning file or a log: their changes do not change the event.",
    example: "command = \"stockfish\"\nvolatile_files = [\"learn.bin\"]",
    errors: &[],
};

const NEEDS: Key = Key {
    name: "needs",
    kind: List(&Text),
    unit: "",
    default: "[]",
    meaning: "Instruction sets that the engine needs, named as in /proc/cpuinfo (`avx2`, `bmi2`, `avx512f`; on ARM `asimddp`), and tags of machines (--tag). Only machines with all of them play the engine (docs/many-machines.md). It may be changed at any time.",
    example: "command = \"stockfish\"\nneeds = [\"avx2\", \"bmi2\"]",
    errors: &[
        "other letters than a to z, digits, `-`, `_` and `.`",
        "a machine without it, where `run` plays itself",
    ],
};

const NICE: Key = Key {
    name: "nice",
    kind: Whole(-20, 19),
    unit: "",
    default: "the runner's",
    meaning: "The niceness of the process (docs/sandbox.md).",
    example: "command = \"stockfish\"\nnice = 5",
    errors: &["lower than the runner's, without the right to it"],
};

const CPUS: Key = Key {
    name: "cpus",
    kind: List(&Whole(0, 1023)),
    unit: "",
    default: "all that the runner has",
    meaning: "The processors that the engine may use.",
    example: "command = \"stockfish\"\ncpus = [2, 3]",
    errors: &["none, or one twice", "together with event.cpus_per_lane"],
};

const MEMORY: Key = Key {
    name: "memory_mib",
    kind: Whole(1, LARGEST),
    unit: "MiB",
    default: "no limit; in a sandbox see docs/sandbox.md",
    meaning: "Resident memory of all its processes together; an engine that uses more is ended and loses.",
    example: "command = \"stockfish\"\nmemory_mib = 512",
    errors: &[],
};

const PROCESSES: Key = Key {
    name: "processes",
    kind: Whole(1, LARGEST),
    unit: "processes and threads",
    default: "no limit; in a sandbox see docs/sandbox.md",
    meaning: "How many processes and threads the engine may have.",
    example: "command = \"stockfish\"\nprocesses = 16",
    errors: &[],
};

const FILE_SIZE: Key = Key {
    name: "file_size_mib",
    kind: Whole(1, LARGEST),
    unit: "MiB",
    default: "no limit",
    meaning: "The longest file that the engine may write.",
    example: "command = \"stockfish\"\nfile_size_mib = 64",
    errors: &[],
};

const SANDBOX: Key = Key {
    name: "sandbox",
    kind: Either(&[Boolean, Word(&["best-effort"])]),
    unit: "",
    default: "false",
    meaning: "Leaves the engine its program, its own folder and no network; \"best-effort\": as far as this machine can (docs/sandbox.md).",
    example: "command = \"stockfish\"\nsandbox = true",
    errors: &[
        "another word",
        "true, on a machine that cannot",
        "an engine that could write where the event file lies",
    ],
};

const READ: Key = Key {
    name: "sandbox_read",
    kind: List(&Text),
    unit: "",
    default: "[]",
    meaning: "More files and folders that a sandboxed engine may read.",
    example: "command = \"stockfish\"\nsandbox = true\nsandbox_read = [\".\"]",
    errors: &["no such file or folder", "without a sandbox"],
};

const WRITE: Key = Key {
    name: "sandbox_write",
    kind: List(&Text),
    unit: "",
    default: "[]",
    meaning: "More files and folders that a sandboxed engine may write.",
    example: "command = \"stockfish\"\nsandbox = true\nsandbox_write = [\"learned\"]",
    errors: &[
        "no such file or folder",
        "without a sandbox",
        "the folder of the event file",
    ],
};
