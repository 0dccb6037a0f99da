//! Every key of the event file: what it holds, and what it means to people.
//!
//! | file | what |
//! |---|---|
//! | this one | a key, and its place in the table |
//! | `event`, `positions` | the keys of `[event]` and `[positions]` |
//! | `time` | those of `[time]` and `[timeouts]` |
//! | `engine` | those of `[[engine]]` and `[defaults]` |
//! | `rounds` | those of formats in rounds, stages and standings |
//! | `series` | those of series of games between two engines |
//! | `adjudication`, `faults` | those of `[adjudication]` and `[faults]` |
//! | `stopping` | those of `[sprt]` and `[adaptive]` |
//!
//! A [`Section`](super::section::Section) gives out no key that is not in this table, and a reader
//! that ends without having asked for one of them is stopped where debug assertions are on: so the
//! table, from which the manual page, `docs/event-file.md` and the JSON Schema are made, is complete.

mod adjudication;
mod engine;
mod event;
mod faults;
mod positions;
mod rounds;
mod series;
mod stopping;
mod time;

/// What a key holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A string.
    Text,
    /// True or false.
    Boolean,
    /// A whole number of a range.
    Whole(i128, i128),
    /// A number of a range.
    Number(f64, f64),
    /// One of some words.
    Word(&'static [&'static str]),
    /// A list of one kind of value.
    List(&'static Kind),
    /// One of several kinds.
    Either(&'static [Kind]),
    /// A table of this name.
    Table(&'static str),
    /// A list of tables of this name, each `[[name]]`.
    Tables(&'static str),
    /// A table whose keys the user chooses; each value a string, a number, true or false.
    Free,
}

/// One key of the event file.
#[derive(Debug)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Of what a number is: `seconds`, `MiB`; empty where there is nothing to say.
    pub unit: &'static str,
    /// What holds where the key is not written, in words or as a value; empty: it must be written.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
    /// Lines of its table that show it, with those that it needs beside it.
    pub example: &'static str,
    /// What is refused besides a value of the wrong type or out of range.
    pub errors: &'static [&'static str],
}

/// One table of the event file.
#[derive(Debug)]
pub struct KeyTable {
    /// The name by which sections know it: `time` stands for `[time]` and `[engine.time]`.
    pub name: &'static str,
    /// How its header is written.
    pub header: &'static str,
    /// What it is for.
    pub meaning: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
}

/// The tables of the file itself.
const ROOT: KeyTable = KeyTable {
    name: "",
    header: "",
    meaning: "The tables of an event file.",
    keys: &[
        part(
            "event",
            Kind::Table("event"),
            "",
            "The name, the plan and who meets whom.",
        ),
        part(
            "positions",
            Kind::Table("positions"),
            "",
            "Where the games start.",
        ),
        part(
            "time",
            Kind::Table("time"),
            "none",
            "What limits the searches of all engines.",
        ),
        part(
            "defaults",
            Kind::Table("defaults"),
            "none",
            "Keys for every engine that does not have its own.",
        ),
        part(
            "engine",
            Kind::Tables("engine"),
            "",
            "An engine; one such table for each.",
        ),
        part(
            "adjudication",
            Kind::Table("adjudication"),
            "none",
            "When the referee ends a game.",
        ),
        part(
            "faults",
            Kind::Table("faults"),
            "a fault loses the game",
            "What a fault of an engine costs it.",
        ),
        part(
            "sprt",
            Kind::Table("sprt"),
            "none",
            "Stop when a sequential test has decided.",
        ),
        part(
            "adaptive",
            Kind::Table("adaptive"),
            "none",
            "Play more where a position is in doubt.",
        ),
        part(
            "knockout",
            Kind::Table("knockout"),
            "see there",
            "The rules of a knockout.",
        ),
        part(
            "double-elimination",
            Kind::Table("double-elimination"),
            "see there",
            "The rules of a double elimination.",
        ),
        part(
            "ladder",
            Kind::Table("ladder"),
            "see there",
            "The rules of a ladder.",
        ),
        part(
            "swiss",
            Kind::Table("swiss"),
            "none",
            "The rules of a Swiss.",
        ),
        part(
            "stage",
            Kind::Tables("stage"),
            "every engine takes part",
            "A former event that decides who takes part; one table for each.",
        ),
        part(
            "round",
            Kind::Tables("round"),
            "rounds follow at once",
            "When the rounds of an event in rounds begin; the first such table is about round 1.",
        ),
        part(
            "standings",
            Kind::Table("standings"),
            "see there",
            "What orders engines with equal points.",
        ),
        part(
            "series",
            Kind::Table("series"),
            "every pair has the next two engines",
            "How many games two engines play before the next two meet.",
        ),
        part(
            "timeouts",
            Kind::Table("timeouts"),
            "see there",
            "How long to wait where no chess clock runs.",
        ),
    ],
};

/// A table as a key of the file.
const fn part(name: &'static str, kind: Kind, default: &'static str, meaning: &'static str) -> Key {
    Key {
        name,
        kind,
        unit: "",
        default,
        meaning,
        example: "",
        errors: &[],
    }
}

/// Every table, in the order in which people should read of them.
pub const TABLES: [&KeyTable; 22] = [
    &ROOT,
    &event::EVENT,
    &positions::POSITIONS,
    &time::TIME,
    &engine::ENGINE,
    &engine::DEFAULTS,
    &adjudication::ADJUDICATION,
    &adjudication::DRAW,
    &adjudication::RESIGN,
    &faults::FAULTS,
    &stopping::SPRT,
    &stopping::ADAPTIVE,
    &rounds::KNOCKOUT,
    &rounds::DOUBLE_ELIMINATION,
    &rounds::LADDER,
    &rounds::SWISS,
    &rounds::STAGE,
    &rounds::ROUND,
    &rounds::STANDINGS,
    &series::SERIES,
    &time::TIMEOUTS,
    &engine::FREE,
];

/// A table by the name that sections know it by.
pub(crate) fn table(name: &str) -> Option<&'static KeyTable> {
    TABLES.into_iter().find(|table| table.name == name)
}

impl KeyTable {
    /// The key of this name.
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}
