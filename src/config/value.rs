//! The keys of a table as they are written: each with its value and its place. See `keys`.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::keys::{Key, KeyKind};
use super::problem::Problem;
use super::section::{Entry, EntryPlace, Section};
use super::tables::EventValue;
use crate::platform::capabilities::{Capability, Support, support};

/// A key of a table. `V` is a value where the key has one by default, and else an `Option`.
pub(super) struct ReadValue<'a, V> {
    /// The written value; `None` if the table does not have the key.
    pub(super) entry: Option<Entry<'a>>,
    /// The value in force. After an error, which has been reported, it is the default.
    pub(super) value: V,
    /// Whether the written value is an error, or another key stands for this one: that has been reported.
    is_wrong: bool,
}

/// A value that is written, and where.
pub(super) struct WrittenValue<'a, T> {
    pub(super) entry: Entry<'a>,
    pub(super) value: T,
}

/// What a key can hold.
pub(super) trait KeyType<'a>: Sized {
    /// The kind, if the key's row has no narrower one.
    const KIND: KeyKind;

    /// The value; `None` after the report of what is wrong with it.
    fn read(entry: &Entry<'a>, kind: &KeyKind, unit: &str) -> Option<Self>;
}

/// A type whose values are given by words.
pub(crate) trait WordValue: Copy + 'static {
    /// Every word, and what it means.
    const WORDS: &'static [(&'static str, Self)];
    const NAMES: &'static [&'static str];
}

impl<'a, T: KeyType<'a>> ReadValue<'a, Option<T>> {
    /// A key without a default value. A missing required key is reported.
    pub(super) fn given(section: &mut Section<'a>, key: &'static Key) -> Self {
        let entry = section.entry(key);
        let read = |entry| T::read(entry, &key.kind, key.unit);
        let value = entry.as_ref().and_then(read);
        let is_wrong = value.is_none() && (entry.is_some() || section.misspells(key.name));
        ReadValue {
            entry,
            value,
            is_wrong,
        }
    }
}

impl<'a, T> ReadValue<'a, Option<T>> {
    /// The key, as if it were not read again.
    pub(super) fn take(&mut self) -> Self {
        ReadValue {
            entry: self.entry.take(),
            value: self.value.take(),
            is_wrong: self.is_wrong,
        }
    }

    /// The value and its place.
    pub(super) fn placed(self) -> Option<(T, EntryPlace<'a>)> {
        Some((self.value?, self.entry?.place))
    }
}

impl<'a, T: for<'b> KeyType<'b>> ReadValue<'a, T> {
    /// A key with a default, which is read as if it were written.
    pub(super) fn filled(section: &mut Section<'a>, key: &'static Key) -> Self {
        let given = ReadValue::<Option<T>>::given(section, key);
        let usual = || {
            let value = EventValue::literal(key.default)?;
            let entry = Entry::new(key.name, &value, section.place().report);
            T::read(&entry, &key.kind, key.unit)
        };
        let value = given.value.or_else(usual);
        ReadValue {
            entry: given.entry,
            value: value.expect("the default of a key is one of its values"),
            is_wrong: given.is_wrong,
        }
    }
}

impl<'a, V> ReadValue<'a, V> {
    /// Where it is written.
    pub(super) fn place(&self) -> Option<EntryPlace<'a>> {
        self.entry.as_ref().map(|entry| entry.place.clone())
    }

    /// Whether the file has the key, or probably means it by one that does not exist.
    pub(super) fn is_written(&self) -> bool {
        self.entry.is_some() || self.is_wrong
    }

    /// Reports a problem of the key, if the file has it and nothing has been reported of it yet.
    pub(super) fn fail_if(&self, is_wrong: bool, problem: impl FnOnce() -> Problem) {
        if let (Some(entry), true) = (&self.entry, is_wrong && !self.is_wrong) {
            entry.fail::<()>(problem());
        }
    }

    /// As [`ReadValue::fail_if`]: an error, and what to do.
    pub(super) fn error_if(&self, wrong: bool, title: impl Into<String>, help: impl Into<String>) {
        self.fail_if(wrong, || Problem::error(title).help(help));
    }

    /// An error of the key, if the file has it.
    pub(super) fn error(&self, title: impl Into<String>, help: impl Into<String>) {
        self.error_if(true, title, help);
    }

    /// Reports that this system cannot do what the key asks for, if the file has the key.
    pub(super) fn needs(&self, capability: Capability) {
        let is_impossible = matches!(support(capability), Support::No(_));
        self.fail_if(is_impossible, || {
            let help = "take this line out; docs/platforms.md says what each system can do";
            Problem::error("this system cannot do that").help(help)
        });
    }
}

/// How types are read that need the entry and the kind of its row alone.
macro_rules! read_as {
    ($($(#[$about:meta])* $type:ty [$kind:expr] |$entry:pat_param, $of:pat_param| $read:expr;)*) => {$(
        $(#[$about])*
        impl<'a> KeyType<'a> for $type {
            const KIND: KeyKind = $kind;

            fn read($entry: &Entry<'a>, $of: &KeyKind, _unit: &str) -> Option<$type> {
                $read
            }
        }
    )*};
}

read_as! {
    NonZeroUsize [KeyKind::Whole(1, usize::MAX as i128)] |entry, kind| NonZeroUsize::new(entry.whole(kind)?);
    bool [KeyKind::Boolean] |entry, _| entry.boolean();
    String [KeyKind::Text] |entry, _| entry.string().map(str::to_owned);
    /// Values that the reader of the table checks itself, because their range depends on other keys.
    Entry<'a> [KeyKind::Text] |entry, _| Some(entry.clone());
    Section<'a> [KeyKind::Free] |entry, _| entry.table();
}

/// Whole numbers, of the range that the row has.
macro_rules! whole {
    ($($type:ty),*) => {$(
        impl<'a> KeyType<'a> for $type {
            const KIND: KeyKind = KeyKind::Whole(<$type>::MIN as i128, <$type>::MAX as i128);

            fn read(entry: &Entry<'a>, kind: &KeyKind, _unit: &str) -> Option<$type> {
                entry.whole(kind)
            }
        }
    )*};
}

whole!(u8, u16, u32, u64, usize, i8);

impl<'a> KeyType<'a> for f64 {
    const KIND: KeyKind = KeyKind::Number(f64::MIN, f64::MAX);

    fn read(entry: &Entry<'a>, kind: &KeyKind, _unit: &str) -> Option<f64> {
        match *kind {
            KeyKind::Number(least, most) => entry.number(least..=most),
            _ => entry.number(f64::MIN..=f64::MAX),
        }
    }
}

/// A time in the unit of its row, to the microsecond.
impl<'a> KeyType<'a> for Duration {
    const KIND: KeyKind = KeyKind::Number(0.001, 1e9);

    fn read(entry: &Entry<'a>, kind: &KeyKind, unit: &str) -> Option<Duration> {
        let number = match kind {
            KeyKind::Whole(..) => entry.whole::<u64>(kind)? as f64,
            _ => f64::read(entry, kind, unit)?,
        };
        let micros = match unit {
            "milliseconds" => 1e3,
            "hours" => 3.6e9,
            _ => 1e6,
        };
        Some(Duration::from_micros((number * micros).round() as u64))
    }
}

/// A list; elements that are wrong are left out.
impl<'a, T: KeyType<'a>> KeyType<'a> for Vec<T> {
    const KIND: KeyKind = KeyKind::List(&T::KIND);

    fn read(entry: &Entry<'a>, kind: &KeyKind, unit: &str) -> Option<Vec<T>> {
        let element = match kind {
            KeyKind::List(element) => element,
            _ => &T::KIND,
        };
        let elements = entry.list()?;
        let values = elements.iter();
        let values = values.filter_map(|entry| T::read(entry, element, unit));
        let values: Vec<T> = values.collect();
        // If all elements are wrong, that has been reported, and the list does not count as empty.
        (elements.is_empty() || !values.is_empty()).then_some(values)
    }
}

impl<'a, T: KeyType<'a>> KeyType<'a> for WrittenValue<'a, T> {
    const KIND: KeyKind = T::KIND;

    fn read(entry: &Entry<'a>, kind: &KeyKind, unit: &str) -> Option<WrittenValue<'a, T>> {
        let value = T::read(entry, kind, unit)?;
        let entry = entry.clone();
        Some(WrittenValue { entry, value })
    }
}

/// The words of types: `Model { "logistic" => Logistic }`, or `enum Model { … }` of a type that is defined so; `School = School::WORDS` of those that list them
/// elsewhere; `Variant by name` of those that have a list `ALL` and name each.
macro_rules! words {
    ($(
        $(#[$about:meta])* $visible:vis enum $type:ident {
            $($(#[$meaning:meta])* $word:literal => $value:ident),* $(,)?
        }
    )*) => {
        $(
            $(#[$about])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            $visible enum $type { $($(#[$meaning])* $value),* }
        )*
        crate::config::value::words! { $($type { $($word => $value),* })* }
    };
    ($($type:ident { $($word:literal => $value:ident),* $(,)? })*) => {
        $(crate::config::value::words!(@reading $type, &[$(($word, $type::$value)),*]);)*
    };
    ($($type:ident = $words:expr;)*) => {
        $(crate::config::value::words!(@reading $type, &$words);)*
    };
    ($($type:ident by $name:ident;)*) => {
        $(crate::config::value::words!(@reading $type, &{
            let mut words = [("", $type::ALL[0]); $type::ALL.len()];
            let mut at = 0;
            while at < words.len() {
                words[at] = ($type::ALL[at].$name(), $type::ALL[at]);
                at += 1;
            }
            words
        });)*
    };
    (@reading $type:ident, $words:expr) => {
        impl crate::config::value::WordValue for $type {
            const WORDS: &'static [(&'static str, $type)] = $words;
            const NAMES: &'static [&'static str] =
                &crate::config::value::names::<$type, { Self::WORDS.len() }>();
        }

        impl<'a> crate::config::value::KeyType<'a> for $type {
            const KIND: crate::config::keys::KeyKind =
                crate::config::keys::KeyKind::Word(<$type as crate::config::value::WordValue>::NAMES);

            fn read(
                entry: &crate::config::section::Entry<'a>,
                _kind: &crate::config::keys::KeyKind,
                _unit: &str,
            ) -> Option<$type> {
                entry.choice(<$type as crate::config::value::WordValue>::WORDS)
            }
        }
    };
}

pub(super) use words;

/// The words alone.
pub(super) const fn names<T: WordValue, const COUNT: usize>() -> [&'static str; COUNT] {
    let mut names = [""; COUNT];
    let mut at = 0;
    while at < COUNT {
        names[at] = T::WORDS[at].0;
        at += 1;
    }
    names
}
