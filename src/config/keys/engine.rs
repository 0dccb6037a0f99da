//! `[[engine]]` and `[defaults]`.

use std::time::Duration;

use super::KeyKind::{self, Boolean, Either, List, Number, Whole, Word};
use super::time::Time;
use super::{KeyTable, keys};
use crate::chess::FenDialect;
use crate::config::entry::Entry;
use crate::config::section::Section;
use crate::config::tournament::Sandbox;
use crate::config::value::{KeyType, WrittenValue, words};
use crate::event::identity::{Protocol, Restart};

/// Start numbers of processors, and counts: none is larger.
const LARGEST: i128 = u32::MAX as i128;

/// The engines inside this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::config) enum Builtin {
    Sparring,
}

/// What happens to an option that an engine refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::config) enum Refused {
    Error,
    Warn,
}

words! {
    Builtin { "sparring" => Sparring }
    Protocol { "uci" => Uci, "xboard" => Xboard }
    Refused { "error" => Error, "warn" => Warn }
    FenDialect { "shredder" => Shredder, "xfen" => XFen }
}

/// `"auto"`, true or false.
impl<'a> KeyType<'a> for Restart {
    const KIND: KeyKind = Either(&[Boolean, Word(&["auto"])]);

    fn read(entry: &Entry<'a>, _kind: &KeyKind, _unit: &str) -> Option<Restart> {
        let [no, yes] = [Restart::Never, Restart::Always];
        entry.boolean_or(
            &[("auto", Restart::Auto)],
            [no, yes],
            "`restart` is \"auto\", true or false",
        )
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
    keys: Engine::TABLE.keys.split_at(OWN).1,
};

/// The number of keys that only one engine can have; they are the first ones.
const OWN: usize = 8;

/// The placeholder for tables whose keys the user chooses.
pub(super) const FREE: KeyTable = KeyTable {
    name: "options",
    header: "[engine.options] and [engine.env]",
    meaning: "UCI options, or environment variables: the keys are the engine's own, the values strings, numbers, true or false.",
    keys: &[],
};

keys! {
    /// The values of `[[engine]]`.
    Engine<'a>, "engine", "[[engine]]", "One engine. Missing keys come from [defaults].";

    command: Entry<'a> [or "none"], "",
        "The program: a name on PATH or in /usr/games, or a path (with a slash) relative to the event file. Arguments go into `args`.",
        "command = \"stockfish\"",
        refused ["no such program", "it may not be run", "together with `builtin`, or neither of them"],
        also ["cmd"];
    builtin: Builtin [or "none"], "",
        "The engine inside this program, instead of a `command`; its options are Strength (1 to 10) and Hash.",
        "builtin = \"sparring\"\noptions = { Strength = 3 }",
        refused ["together with `command`, `args`, `directory`, `protocol` or `env`"];
    args: Vec<String> [= []], "",
        "Arguments of the program, one string each; no shell splits them.",
        "command = \"gnuchess\"\nargs = [\"--uci\"]",
        refused ["together with `builtin`"],
        also ["arg"];
    name: String [or "the program's file name"], "",
        "The name in the tables and in the PGN.",
        "command = \"stockfish\"\nname = \"Stockfish 17\"",
        refused ["empty, or a control character", "two engines of one name"];
    directory: String [or "the folder of the event file"], "",
        "The folder in which the program runs; relative to the event file.",
        "command = \"stockfish\"\ndirectory = \".\"",
        refused ["no such folder", "together with `builtin`"],
        also ["dir"];
    protocol: Protocol [= "uci"], "",
        "What the program speaks; \"xboard\" is XBoard's protocol, versions 1 and 2 (docs/engine-setup.md).",
        "command = \"gnuchess\"\nprotocol = \"xboard\"",
        refused ["together with `builtin`"],
        also ["proto"];
    time: Time<'a> [or "[time]"], "",
        "The engine's own limits: [engine.time], with the keys of [time].",
        "command = \"stockfish\"\ntime = { control = \"5+0.05\" }";
    copies: u8 [= 1] Whole(1, 2), "participants",
        "2: the engine plays itself, which measures the start positions.",
        "command = \"stockfish\"\ncopies = 2",
        refused ["2 with other engines"];
    env: Section<'a> [or "{}"], "",
        "Environment variables, in addition to the runner's.",
        "command = \"stockfish\"\nenv = { OMP_NUM_THREADS = 1 }",
        refused ["together with `builtin`"];
    options: Section<'a> [or "{}"], "",
        "UCI options, in the order in which they are sent. Each must be one that the engine declares.",
        "command = \"stockfish\"\noptions = { Hash = 64, Threads = 1, \"Move Overhead\" = 30 }",
        refused ["one option twice, also if only upper and lower case differ", "UCI_Chess960, which follows from event.variant", "Ponder, if it differs from the key `ponder`", "a line break"];
    margin_ms: Duration [or "margin_ms of [time]"] Number(0.0, 60_000.0), "milliseconds",
        "How far this engine may exceed its clock without losing.",
        "command = \"stockfish\"\nmargin_ms = 50",
        also ["margin", "timemargin"];
    ponder: bool [= false], "",
        "Whether the engine thinks on its opponent's time, on the reply that it expects (`go ponder`; docs/pondering.md). Then both engines of a game need processors at the same time.",
        "command = \"stockfish\"\nponder = true",
        refused ["with `nodes` or `depth`, because such a search exceeds them", "an engine without the option Ponder, when it is started"];
    fen: FenDialect [or "\"shredder\" where UCI_Chess960 is set, else \"xfen\""], "",
        "Castling rights in positions sent to the engine: HAha or KQkq.",
        "command = \"stockfish\"\nfen = \"xfen\"";
    restart: Restart [= "auto"] Either(&[Boolean, Word(&["auto"])]), "",
        "Whether the program is started again for every game; \"auto\": only after a fault.",
        "command = \"stockfish\"\nrestart = true",
        refused ["another word"];
    refused_options: Refused [= "error"], "",
        "An option or value that the engine does not know: the event does not begin, or a warning is printed and the option is not sent.",
        "command = \"stockfish\"\nrefused_options = \"warn\"";
    volatile_files: Vec<String> [= []], "",
        "Files named in `options` or `args` that the engine itself changes, such as a learning file or a log: their changes do not change the event.",
        "command = \"stockfish\"\nvolatile_files = [\"learn.bin\"]";
    nice: i8 [or "the runner's"] Whole(-20, 19), "",
        "The niceness of the process (docs/sandbox.md).",
        "command = \"stockfish\"\nnice = 5",
        refused ["lower than the runner's, without the right to it"];
    cpus: Vec<WrittenValue<'a, u16>> [or "all that the runner has"] List(&Whole(0, 1023)), "",
        "The processors that the engine may use.",
        "command = \"stockfish\"\ncpus = [2, 3]",
        refused ["none, or one twice", "together with event.cpus_per_lane"];
    memory_mib: u32 [or "no limit; in a sandbox see docs/sandbox.md"] Whole(1, LARGEST), "MiB",
        "Resident memory of all its processes together; an engine that uses more is ended and loses.",
        "command = \"stockfish\"\nmemory_mib = 512",
        also ["memory"];
    processes: u32 [or "no limit; in a sandbox see docs/sandbox.md"] Whole(1, LARGEST), "processes and threads",
        "How many processes and threads the engine may have.",
        "command = \"stockfish\"\nprocesses = 16";
    file_size_mib: u32 [or "no limit"] Whole(1, LARGEST), "MiB",
        "The longest file that the engine may write.",
        "command = \"stockfish\"\nfile_size_mib = 64",
        also ["file_size"];
    disk_mib: u32 [or "1024 in a sandbox, 256 with sandbox_keep = false"] Whole(1, LARGEST), "MiB",
        "What a sandboxed engine may add to the places where it may write; one that writes more is ended and loses.",
        "command = \"stockfish\"\nsandbox = true\ndisk_mib = 64",
        refused ["without a sandbox"],
        also ["disk"];
    sandbox: Sandbox [= false] Either(&[Boolean, Word(&["strict", "best-effort"])]), "",
        "Leaves the engine its program, its own folder and no network; \"strict\": only with every wall; \"best-effort\": as far as this machine can (docs/sandbox.md).",
        "command = \"stockfish\"\nsandbox = true",
        refused ["another word", "true, on a machine that cannot", "an engine that could write where the event file lies"];
    sandbox_read: Vec<WrittenValue<'a, String>> [or "[]"], "",
        "More files and folders that a sandboxed engine may read.",
        "command = \"stockfish\"\nsandbox = true\nsandbox_read = [\".\"]",
        refused ["no such file or folder", "without a sandbox"],
        also ["read"];
    sandbox_write: Vec<WrittenValue<'a, String>> [or "[]"], "",
        "More files and folders that a sandboxed engine may write.",
        "command = \"stockfish\"\nsandbox = true\nsandbox_write = [\"learned\"]",
        refused ["no such file or folder", "without a sandbox", "the folder of the event file"],
        also ["write"];
    sandbox_keep: bool [= true], "",
        "Whether what a sandboxed engine writes in its `directory` is kept. false: it writes to memory, `disk_mib` at most, and each of its processes begins with the folder as you left it (docs/sandbox.md).",
        "command = \"stockfish\"\nsandbox = true\nsandbox_keep = false",
        refused ["without a sandbox"],
        also ["keep"];
}
