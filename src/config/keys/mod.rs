//! Every key of the event file: what it holds, and what it means to people.
//!
//! | file | what |
//! |---|---|
//! | this one | what a row is, and all tables |
//! | `engine`, `positions` | the rows of `[[engine]]`, `[defaults]` and `[positions]`; the others stand with their readers |
//!
//! A row is the only description of a key: its reader, the errors, `docs/event-file.md`, the JSON Schema, the manual
//! page and the words of `match` and `adjudicate --rule` come from it.

pub(in crate::config) mod engine;
pub(in crate::config) mod positions;

use std::ops::RangeInclusive;

use super::{
    adjudication, entrants, event, faults, playoffs, rounds, season, stages, stopping, time,
};

/// What a key holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KeyKind {
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
    List(&'static KeyKind),
    /// One of several kinds.
    Either(&'static [KeyKind]),
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
    pub kind: KeyKind,
    /// The unit of a number: `seconds`, `MiB`; empty for numbers without a unit.
    pub unit: &'static str,
    /// The default, in words or as a value; empty if the key is required.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
    /// Example lines of its table, with the other keys that it needs.
    pub example: &'static str,
    /// Refused values, apart from those of the wrong type or out of range.
    pub errors: &'static [&'static str],
    /// Other names of the key in the words of `match` and `adjudicate --rule`.
    pub aliases: &'static [&'static str],
}

/// One table of the event file.
#[derive(Debug)]
pub struct KeyTable {
    /// The name by which sections know it: `time` means both `[time]` and `[engine.time]`.
    pub name: &'static str,
    /// How its header is written.
    pub header: &'static str,
    /// What it is for.
    pub meaning: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
}

/// The keys of one table, one row each.
///
/// A row has what the key means, as its documentation; the key and its type. Then its default: `[required]`,
/// `[= literal]`, or `[or "words"]` for the default in words. Then its kind, if the type does not say it; its unit after `in`;
/// example, refused values, and other names in the words of `match`.
///
/// The struct has a field for each key. Its `read` reports every value that is wrong and every unknown key.
macro_rules! keys {
    (
        $(#[$about:meta])*
        $struct:ident<$life:lifetime>, $name:literal, $header:literal, $says:literal;
        $(
            $(#[doc = $meaning:literal])+
            $field:ident: $type:ty [$($default:tt)+] $($kind:expr)?, $(in $unit:literal,)?
            $example:literal
            $(, refused [$($error:literal),+ $(,)?])?
            $(, also [$($alias:literal),+])?;
        )+
    ) => {
        $(#[$about])*
        pub(in crate::config) struct $struct<$life> {
            $(
                pub(in crate::config) $field:
                    crate::config::value::ReadValue<$life, keys!(@held $type, $($default)+)>,
            )+
        }

        impl<$life> $struct<$life> {
            const KEYS: [crate::config::keys::Key; [$(stringify!($field)),+].len()] = [$(
                crate::config::keys::Key {
                    name: stringify!($field),
                    kind: keys!(@kind $type, $life, $($kind)?),
                    unit: concat!($($unit)?),
                    default: keys!(@default $($default)+),
                    meaning: concat!($($meaning),+).trim_ascii_start(),
                    example: $example,
                    errors: &[$($($error),+)?],
                    aliases: &[$($($alias),+)?],
                },
            )+];

            pub(in crate::config) const TABLE: crate::config::keys::KeyTable =
                crate::config::keys::KeyTable {
                    name: $name,
                    header: $header,
                    meaning: $says,
                    keys: &$struct::KEYS,
                };

            pub(in crate::config) fn read(
                mut section: crate::config::section::Section<$life>,
            ) -> Self {
                let [$($field),+] = &$struct::KEYS;
                $(let $field = keys!(@read section, $field, $($default)+);)+
                section.finish();
                $struct { $($field),+ }
            }
        }

        impl<$life> crate::config::value::KeyType<$life> for $struct<$life> {
            const KIND: crate::config::keys::KeyKind = crate::config::keys::KeyKind::Table($name);

            fn read(
                entry: &crate::config::section::Entry<$life>,
                _kind: &crate::config::keys::KeyKind,
                _unit: &str,
            ) -> Option<Self> {
                entry.table().map($struct::read)
            }
        }
    };
    (@held $type:ty, = $($default:tt)+) => { $type };
    (@held $type:ty, $($default:tt)+) => { Option<$type> };
    (@kind $type:ty, $life:lifetime,) => {
        <$type as crate::config::value::KeyType<$life>>::KIND
    };
    (@kind $type:ty, $life:lifetime, $kind:expr) => { $kind };
    (@default required) => { "" };
    (@default or $words:literal) => { $words };
    (@default = $($default:tt)+) => { stringify!($($default)+) };
    (@read $section:ident, $key:ident, = $($default:tt)+) => {
        crate::config::value::ReadValue::filled(&mut $section, $key)
    };
    (@read $section:ident, $key:ident, $($default:tt)+) => {
        crate::config::value::ReadValue::given(&mut $section, $key)
    };
}

pub(super) use keys;

/// Tables as keys of the file, a row each: name, kind, default, meaning.
macro_rules! parts {
    ($($name:literal $kind:ident $default:literal $meaning:literal;)+) => {
        &[$(Key {
            name: $name,
            kind: KeyKind::$kind($name),
            unit: "",
            default: $default,
            meaning: $meaning,
            example: "",
            errors: &[],
            aliases: &[],
        }),+]
    };
}

/// The tables of the file itself.
const ROOT: KeyTable = KeyTable {
    name: "",
    header: "",
    meaning: "The tables of an event file.",
    keys: parts! {
        "event" Table "" "The name, the plan and who meets whom.";
        "positions" Table "" "Where the games start.";
        "time" Table "none" "What limits the searches of all engines.";
        "defaults" Table "none" "Keys for every engine that does not have its own.";
        "engine" Tables "" "An engine; one such table for each.";
        "qualifier" Tables "every engine takes part" "A former event that decides who takes part; one table for each.";
        "stage" Tables "the event is one stage" "A stage of the event: leagues, a Swiss, a knockout, one after the other; one table for each.";
        "knockout" Table "see there" "The rules of a knockout.";
        "double-elimination" Table "see there" "The rules of a double elimination.";
        "ladder" Table "see there" "The rules of a ladder.";
        "playoff" Tables "none" "What is played while an encounter of a tree is level; one table for each step, in order.";
        "swiss" Table "none" "The rules of a Swiss.";
        "sprt" Table "none" "Stop when a sequential test has decided.";
        "adaptive" Table "none" "Play more where a position is in doubt.";
        "timeouts" Table "see there" "How long to wait where no chess clock runs.";
        "adjudication" Table "none" "When the referee ends a game.";
        "faults" Table "a fault loses the game" "What a fault of an engine costs it.";
        "series" Table "every pair has the next two engines" "How many games two engines play before the next two meet.";
        "round" Tables "rounds follow at once" "When the rounds of an event in rounds begin; the first such table is about round 1.";
        "standings" Table "see there" "What orders engines with equal points.";
    },
};

/// Every table, in a good order for reading.
pub const TABLES: [&KeyTable; 27] = [
    &ROOT,
    &event::EventKeys::TABLE,
    &positions::PositionKeys::TABLE,
    &time::TimeKeys::TABLE,
    &time::WHITE,
    &time::BLACK,
    &engine::EngineKeys::TABLE,
    &engine::DEFAULTS,
    &adjudication::AdjudicationKeys::TABLE,
    &adjudication::DrawKeys::TABLE,
    &adjudication::ResignKeys::TABLE,
    &faults::FaultKeys::TABLE,
    &stopping::SprtKeys::TABLE,
    &stopping::AdaptiveKeys::TABLE,
    &rounds::KnockoutKeys::TABLE,
    &rounds::DOUBLE_ELIMINATION,
    &rounds::LADDER,
    &playoffs::PlayoffKeys::TABLE,
    &rounds::SwissKeys::TABLE,
    &stages::QualifierKeys::TABLE,
    &season::StageKeys::TABLE,
    &entrants::FromKeys::TABLE,
    &stages::RoundKeys::TABLE,
    &stages::StandingsKeys::TABLE,
    &event::SeriesKeys::TABLE,
    &time::TimeoutKeys::TABLE,
    &engine::FREE,
];

/// A table by the name that sections know it by.
pub(crate) fn table(name: &str) -> Option<&'static KeyTable> {
    TABLES.into_iter().find(|table| table.name == name)
}

/// The numbers that a key takes; all if it has no range.
pub(crate) fn range(table: &str, key: &str) -> RangeInclusive<f64> {
    let key = self::table(table).and_then(|table| table.key(key));
    let range = key.and_then(|key| key.kind.range());
    range.unwrap_or(f64::NEG_INFINITY..=f64::INFINITY)
}

impl KeyKind {
    fn range(&self) -> Option<RangeInclusive<f64>> {
        match self {
            KeyKind::Whole(least, most) => Some(*least as f64..=*most as f64),
            KeyKind::Number(least, most) => Some(*least..=*most),
            KeyKind::Either(kinds) => kinds.iter().find_map(KeyKind::range),
            _ => None,
        }
    }
}

impl KeyTable {
    /// The key of this name.
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}
