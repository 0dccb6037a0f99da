//! The keys of a table as they are written: each with its value and its place. See `keys`.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::entry::{Entry, Place};
use super::keys::{Key, Kind};
use super::problem::Problem;
use super::section::Section;
use crate::platform::capabilities::{Capability, Support, support};

/// A key of a table. `V` is a value where the key has one by default, and else an `Option`.
pub(super) struct Value<'a, V> {
    /// The written value; `None` if the table does not have the key.
    pub(super) entry: Option<Entry<'a>>,
    /// The value in force. After an error, which has been reported, it is the default.
    pub(super) value: V,
    /// Whether the written value is an error, which has been reported.
    is_wrong: bool,
}

/// A value that is written, and where.
pub(super) struct Written<'a, T> {
    pub(super) entry: Entry<'a>,
    pub(super) value: T,
}

/// What a key can hold.
pub(super) trait Reading<'a>: Sized {
    /// The kind, if the key's row has no narrower one.
    const KIND: Kind;

    /// The value; `None` after the report of what is wrong with it.
    fn read(entry: &Entry<'a>, kind: &Kind, unit: &str) -> Option<Self>;
}

/// A type whose values are given by words.
pub(super) trait Words: Copy + 'static {
    /// Every word, and what it means.
    const WORDS: &'static [(&'static str, Self)];
    /// Every word.
    const NAMES: &'static [&'static str];
}

impl<'a, T: Reading<'a>> Value<'a, Option<T>> {
    /// A key without a default value. A missing required key is reported.
    pub(super) fn given(section: &mut Section<'a>, key: &'static Key) -> Self {
        let entry = section.entry(key);
        let value = entry
            .as_ref()
            .and_then(|entry| T::read(entry, &key.kind, key.unit));
        let is_wrong = entry.is_some() && value.is_none();
        Value {
            entry,
            value,
            is_wrong,
        }
    }
}

impl<'a, T> Value<'a, Option<T>> {
    /// The value and its place.
    pub(super) fn placed(self) -> Option<(T, Place<'a>)> {
        Some((self.value?, self.entry?.place))
    }
}

impl<'a, T: for<'b> Reading<'b>> Value<'a, T> {
    /// A key with a default, which is read as if it were written.
    pub(super) fn filled(section: &mut Section<'a>, key: &'static Key) -> Self {
        let given = Value::<Option<T>>::given(section, key);
        let usual = || {
            let literal = key.default_literal(&section.place());
            literal.expect("the default of a key is one of its values")
        };
        Value {
            entry: given.entry,
            value: given.value.unwrap_or_else(usual),
            is_wrong: given.is_wrong,
        }
    }
}

impl Key {
    /// The default, read as if it were written.
    fn default_literal<T: for<'b> Reading<'b>>(&self, place: &Place<'_>) -> Option<T> {
        let value = toml::de::DeValue::parse(self.default).ok()?;
        let entry = Entry::new(self.name, &value, place.report);
        T::read(&entry, &self.kind, self.unit)
    }
}

impl<'a, V> Value<'a, V> {
    /// Where it is written.
    pub(super) fn place(&self) -> Option<Place<'a>> {
        self.entry.as_ref().map(|entry| entry.place.clone())
    }

    /// Whether the file has the key.
    pub(super) fn is_written(&self) -> bool {
        self.entry.is_some()
    }

    /// Reports a problem of the key, if the file has it and nothing has been reported of it yet.
    pub(super) fn fail_if(&self, is_wrong: bool, problem: impl FnOnce() -> Problem) {
        if let (Some(entry), true) = (&self.entry, is_wrong && !self.is_wrong) {
            entry.fail::<()>(problem());
        }
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

/// Whole numbers, of the range that the row has.
macro_rules! whole {
    ($($type:ty),*) => {$(
        impl<'a> Reading<'a> for $type {
            const KIND: Kind = Kind::Whole(<$type>::MIN as i128, <$type>::MAX as i128);

            fn read(entry: &Entry<'a>, kind: &Kind, _unit: &str) -> Option<$type> {
                entry.whole(kind)
            }
        }
    )*};
}

whole!(u8, u16, u32, u64, usize, i8);

impl<'a> Reading<'a> for NonZeroUsize {
    const KIND: Kind = Kind::Whole(1, usize::MAX as i128);

    fn read(entry: &Entry<'a>, kind: &Kind, _unit: &str) -> Option<NonZeroUsize> {
        NonZeroUsize::new(entry.whole(kind)?)
    }
}

impl<'a> Reading<'a> for f64 {
    const KIND: Kind = Kind::Number(f64::MIN, f64::MAX);

    fn read(entry: &Entry<'a>, kind: &Kind, _unit: &str) -> Option<f64> {
        match *kind {
            Kind::Number(least, most) => entry.number(least..=most),
            _ => entry.number(f64::MIN..=f64::MAX),
        }
    }
}

/// A time in the unit of its row, to the microsecond.
impl<'a> Reading<'a> for Duration {
    const KIND: Kind = Kind::Number(0.001, 1e9);

    fn read(entry: &Entry<'a>, kind: &Kind, unit: &str) -> Option<Duration> {
        let number = match kind {
            Kind::Whole(..) => entry.whole::<u64>(kind)? as f64,
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

impl<'a> Reading<'a> for bool {
    const KIND: Kind = Kind::Boolean;

    fn read(entry: &Entry<'a>, _kind: &Kind, _unit: &str) -> Option<bool> {
        entry.boolean()
    }
}

impl<'a> Reading<'a> for String {
    const KIND: Kind = Kind::Text;

    fn read(entry: &Entry<'a>, _kind: &Kind, _unit: &str) -> Option<String> {
        entry.string().map(str::to_owned)
    }
}

/// A list; elements that are wrong are left out.
impl<'a, T: Reading<'a>> Reading<'a> for Vec<T> {
    const KIND: Kind = Kind::List(&T::KIND);

    fn read(entry: &Entry<'a>, kind: &Kind, unit: &str) -> Option<Vec<T>> {
        let element = match kind {
            Kind::List(element) => element,
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

impl<'a, T: Reading<'a>> Reading<'a> for Written<'a, T> {
    const KIND: Kind = T::KIND;

    fn read(entry: &Entry<'a>, kind: &Kind, unit: &str) -> Option<Written<'a, T>> {
        let value = T::read(entry, kind, unit)?;
        let entry = entry.clone();
        Some(Written { entry, value })
    }
}

/// Values that the reader of the table checks itself, because their range depends on other keys.
impl<'a> Reading<'a> for Entry<'a> {
    const KIND: Kind = Kind::Text;

    fn read(entry: &Entry<'a>, _kind: &Kind, _unit: &str) -> Option<Entry<'a>> {
        Some(entry.clone())
    }
}

impl<'a> Reading<'a> for Section<'a> {
    const KIND: Kind = Kind::Free;

    fn read(entry: &Entry<'a>, _kind: &Kind, _unit: &str) -> Option<Section<'a>> {
        entry.table()
    }
}

/// The words of types: `Model { "logistic" => Logistic }`; `School = School::WORDS` of those that list them
/// elsewhere; `Variant by name` of those that have a list `ALL` and name each.
macro_rules! words {
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
        impl crate::config::value::Words for $type {
            const WORDS: &'static [(&'static str, $type)] = $words;
            const NAMES: &'static [&'static str] =
                &crate::config::value::names::<$type, { Self::WORDS.len() }>();
        }

        impl<'a> crate::config::value::Reading<'a> for $type {
            const KIND: crate::config::keys::Kind =
                crate::config::keys::Kind::Word(<$type as crate::config::value::Words>::NAMES);

            fn read(
                entry: &crate::config::entry::Entry<'a>,
                _kind: &crate::config::keys::Kind,
                _unit: &str,
            ) -> Option<$type> {
                entry.choice(<$type as crate::config::value::Words>::WORDS)
            }
        }
    };
}

pub(super) use words;

/// The words alone.
pub(super) const fn names<T: Words, const COUNT: usize>() -> [&'static str; COUNT] {
    let mut names = [""; COUNT];
    let mut at = 0;
    while at < COUNT {
        names[at] = T::WORDS[at].0;
        at += 1;
    }
    names
}
