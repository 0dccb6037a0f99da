//! `[[engine]]` and `[defaults]`.

use std::time::Duration;

use super::KeyKind::{Boolean, Either, List, Number, Whole, Word};
use super::{KeyKind, KeyTable, keys};
use crate::chess::FenDialect;
use crate::config::section::{Entry, Section};
use crate::config::time::TimeKeys;
use crate::config::value::{KeyType, WrittenValue, words};
use crate::event::identity::{Protocol, Restart};
use crate::platform::orders::Sandbox;

/// Start numbers of processors, and counts: none is larger.
const MAX_COUNT: i128 = u32::MAX as i128;

words! {
    /// The engines inside this program.
    pub(in crate::config) enum Builtin { "sparring" => Sparring }
    /// What happens to an option that an engine refuses, and to a limit that it misses.
    pub(in crate::config) enum Refused { "error" => Error, "warn" => Warn }
}

words! {
    Protocol { "uci" => Uci, "xboard" => Xboard }
    FenDialect { "shredder" => Shredder, "xfen" => XFen }
}

/// `"auto"`, true or false.
impl<'a> KeyType<'a> for Restart {
    const KIND: KeyKind = Either(&[Boolean, Word(&["auto"])]);

    fn read(entry: &Entry<'a>, _kind: &KeyKind, _unit: &str) -> Option<Restart> {
        let [no, yes] = [Restart::Never, Restart::Always];
        let title = "`restart` is \"auto\", true or false";
        entry.boolean_or(&[("auto", Restart::Auto)], [no, yes], title)
    }
}

/// True, false, `"strict"` or `"best-effort"`.
impl<'a> KeyType<'a> for Sandbox {
    const KIND: KeyKind = Either(&[Boolean, Word(&["strict", "best-effort"])]);

    fn read(entry: &Entry<'a>, _kind: &KeyKind, _unit: &str) -> Option<Sandbox> {
        let words = [
            ("best-effort", Sandbox::BestEffort),
            ("strict", Sandbox::Strict),
        ];
        let title = "`sandbox` is true, false, \"strict\" or \"best-effort\"";
        entry.boolean_or(&words, [Sandbox::Off, Sandbox::Required], title)
    }
}

/// For every engine that does not have the key itself: the keys of an engine except those that only one engine can
/// have.
pub(super) const DEFAULTS: KeyTable = KeyTable {
    name: "defaults",
    header: "[defaults]",
    meaning: "For every engine without the key. `options` are joined: an engine with its own Hash still gets the Threads of [defaults].",
    keys: EngineKeys::TABLE.keys.split_at(OWN_KEYS).1,
};

/// The number of keys that only one engine can have; they are the first ones.
const OWN_KEYS: usize = 9;

/// The placeholder for tables whose keys the user chooses.
pub(super) const FREE: KeyTable = KeyTable {
    name: "options",
    header: "[engine.options] and [engine.env]",
    meaning: "UCI options, or environment variables: the keys are the engine's own, the values strings, numbers, true or false.",
    keys: &[],
};

keys! {
    /// The values of `[[engine]]`.
    EngineKeys<'a>, "engine", "[[engine]]", "One engine. Missing keys come from [defaults].";

    /// The program: a name on PATH or in /usr/games, or a path (with a slash) relative to the event file. Arguments
    /// go into `args`.
    command: Entry<'a> [or "none"], "command = \"stockfish\"",
        refused ["no such program", "it may not be run"], also ["cmd"];
    /// The engine inside this program, instead of a `command`; its options are Strength (1 to 10) and Hash.
    builtin: Builtin [or "none"], "builtin = \"sparring\"\noptions = { Strength = 3 }",
        refused ["together with `command`, `args`, `directory`, `files`, `protocol` or `env`"];
    /// Arguments of the program, one string each; no shell splits them.
    args: Vec<String> [= []], "command = \"gnuchess\"\nargs = [\"--uci\"]",
        refused ["together with `builtin`"], also ["arg"];
    /// The name in the tables and in the PGN.
    name: String [or "the program's file name"], "command = \"stockfish\"\nname = \"Stockfish 17\"",
        refused ["empty, or a control character", "two engines of one name"];
    /// The folder in which the program runs; relative to the event file.
    directory: String [or "the folder of the event file"],
        "command = \"stockfish\"\ndirectory = \".\"",
        refused ["no such folder", "together with `builtin`"], also ["dir"];
    /// Files besides the program and those in `options`, `args` and `env` that make the engine what it is, relative
    /// to `directory`: the program that a script starts, a network.
    files: Vec<WrittenValue<'a, String>> [or "[]"],
        "command = \"stockfish\"\nfiles = [\"/usr/games/stockfish\"]",
        refused ["no such file", "together with `builtin`"];
    /// What the program speaks; "xboard" is XBoard's protocol, versions 1 and 2 (docs/engine-setup.md).
    protocol: Protocol [= "uci"], "command = \"gnuchess\"\nprotocol = \"xboard\"",
        refused ["together with `builtin`"], also ["proto"];
    /// The engine's own limits: [engine.time], with the keys of [time].
    time: TimeKeys<'a> [or "[time]"], "command = \"stockfish\"\ntime = { control = \"5+0.05\" }";
    /// 2: the engine plays itself, which measures the start positions.
    copies: u8 [= 1] Whole(1, 2), in "participants", "command = \"stockfish\"\ncopies = 2",
        refused ["2 with other engines"];
    /// Environment variables, in addition to the runner's.
    env: Section<'a> [or "{}"], "command = \"stockfish\"\nenv = { OMP_NUM_THREADS = 1 }",
        refused ["together with `builtin`"];
    /// UCI options, in the order in which they are sent.
    options: Section<'a> [or "{}"],
        "command = \"stockfish\"\noptions = { Hash = 64, Threads = 1, \"Move Overhead\" = 30 }",
        refused ["one option twice, also if only upper and lower case differ", "UCI_Chess960, which follows from event.variant", "Ponder, if it differs from the key `ponder`", "a line break"];
    /// How far this engine may exceed its clock without losing.
    margin_ms: Duration [or "margin_ms of [time]"] Number(0.0, 60_000.0), in "milliseconds",
        "command = \"stockfish\"\nmargin_ms = 50",
        also ["margin", "timemargin"];
    /// Whether the engine thinks on its opponent's time (`go ponder`; docs/pondering.md).
    ponder: bool [= false], "command = \"stockfish\"\nponder = true",
        refused ["with `nodes` or `depth`, because such a search exceeds them", "an engine without the option Ponder, when it is started"];
    /// Castling rights in positions: HAha or KQkq.
    fen: FenDialect [or "\"shredder\" where UCI_Chess960 is set, else \"xfen\""],
        "command = \"stockfish\"\nfen = \"xfen\"";
    /// Whether the program is started for every game; "auto": only after a fault.
    restart: Restart [= "auto"], "command = \"stockfish\"\nrestart = true";
    /// An option or value that the engine does not know: the event does not begin, or the option is not sent.
    refused_options: Refused [= "error"], "command = \"stockfish\"\nrefused_options = \"warn\"";
    /// An engine that misses `nodes`, or exceeds `depth`, by a factor of two: the event does not begin, or begins with a warning.
    missed_limit: Refused [= "error"], "command = \"stockfish\"\nmissed_limit = \"warn\"";
    /// Files that the engine itself changes, such as a log: their changes do not change the event.
    volatile_files: Vec<String> [= []], "command = \"stockfish\"\nvolatile_files = [\"learn.bin\"]";
    /// The niceness of the process (docs/sandbox.md).
    nice: i8 [or "the runner's"] Whole(-20, 19), "command = \"stockfish\"\nnice = 5",
        refused ["lower than the runner's, without the right to it"];
    /// The processors that the engine may use.
    cpus: Vec<WrittenValue<'a, u16>> [or "all that the runner has"] List(&Whole(0, 1023)),
        "command = \"stockfish\"\ncpus = [2, 3]",
        refused ["none, or one twice"];
    /// Resident memory of all its processes; an engine that uses more is ended and loses.
    memory_mib: u32 [or "no limit; in a sandbox see docs/sandbox.md"] Whole(1, MAX_COUNT), in "MiB",
        "command = \"stockfish\"\nmemory_mib = 512",
        also ["memory"];
    /// How many processes and threads the engine may have.
    processes: u32 [or "no limit; in a sandbox see docs/sandbox.md"] Whole(1, MAX_COUNT), in "processes and threads",
        "command = \"stockfish\"\nprocesses = 16";
    /// The longest file that the engine may write.
    file_size_mib: u32 [or "no limit"] Whole(1, MAX_COUNT), in "MiB",
        "command = \"stockfish\"\nfile_size_mib = 64",
        also ["file_size"];
    /// What a sandboxed engine may write; one that writes more is ended and loses.
    disk_mib: u32 [or "1024 in a sandbox, 256 with sandbox_keep = false"] Whole(1, MAX_COUNT), in "MiB",
        "command = \"stockfish\"\nsandbox = true\ndisk_mib = 64",
        also ["disk"];
    /// Leaves the engine its program, its own folder and no network; "strict": only with every wall; "best-effort":
    /// as far as this machine can (docs/sandbox.md).
    sandbox: Sandbox [= false], "command = \"stockfish\"\nsandbox = true",
        refused ["true, on a machine that cannot", "an engine that could write where the event file lies"];
    /// More files and folders that a sandboxed engine may read.
    sandbox_read: Vec<WrittenValue<'a, String>> [or "[]"],
        "command = \"stockfish\"\nsandbox = true\nsandbox_read = [\".\"]",
        refused ["no such file or folder"], also ["read"];
    /// More files and folders that a sandboxed engine may write.
    sandbox_write: Vec<WrittenValue<'a, String>> [or "[]"],
        "command = \"stockfish\"\nsandbox = true\nsandbox_write = [\"learned\"]",
        refused ["no such file or folder", "the folder of the event file"], also ["write"];
    /// Whether what a sandboxed engine writes in its `directory` is kept; else it writes to memory.
    sandbox_keep: bool [= true], "command = \"stockfish\"\nsandbox = true\nsandbox_keep = false",
        also ["keep"];
}
