//! Choices of a command line: their words there, and the numbers as which `config.json` stores them.

use crate::chess::{FenDialect, UciDialect};

/// An enumeration that is serialized as the index of its variant; a word that is empty cannot be said.
macro_rules! numbered {
    ($(#[$meta:meta])* $name:ident { $($(#[$inner:meta])* $variant:ident = $number:literal $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(into = "u8", try_from = "u8")]
        pub(crate) enum $name { $($(#[$inner])* $variant = $number),+ }

        impl $name {
            /// Each in the place of its number.
            const WORDS: &[(&str, $name)] = &[$(($word, $name::$variant)),+];

            /// Sets what this word says.
            pub(crate) fn set(place: &mut $name, word: &str) -> Option<()> {
                let mut said = Self::WORDS.iter().filter(|(known, _)| !known.is_empty());
                *place = said.find(|(known, _)| *known == word)?.1;
                Some(())
            }
        }

        impl From<$name> for u8 {
            fn from(value: $name) -> u8 { value as u8 }
        }

        impl TryFrom<u8> for $name {
            type Error = String;

            fn try_from(number: u8) -> Result<$name, String> {
                let found = Self::WORDS.get(usize::from(number)).map(|(_, choice)| *choice);
                found.ok_or_else(|| format!("{number} is no {}", stringify!($name)))
            }
        }
    };
}

numbered! {
    /// How moves are written.
    Notation { #[default] San = 0 "san", Lan = 1 "lan", Uci = 2 "uci" }
}
numbered! {
    /// The order of a book.
    Order { Random = 0 "random", #[default] Sequential = 1 "sequential" }
}
numbered! {
    /// The format of a book.
    BookFormat { Epd = 0 "epd", Pgn = 1 "pgn", #[default] None = 2 "" }
}
numbered! {
    /// The variant of chess.
    Variant { #[default] Standard = 0 "standard", Chess960 = 1 "fischerandom" }
}
numbered! {
    /// Who meets whom.
    Kind { #[default] RoundRobin = 0 "roundrobin", Gauntlet = 1 "gauntlet" }
}
numbered! {
    /// The runner whose lines are printed.
    Output { #[default] Fastchess = 0 "fastchess", Cutechess = 1 "cutechess", None = 2 "" }
}
numbered! {
    /// The lowest level that is written to the log.
    Level { All = 0 "", Trace = 1 "trace", Info = 2 "info", #[default] Warn = 3 "warn", Err = 4 "err", Fatal = 5 "fatal" }
}

impl Variant {
    /// How moves and positions are written; in Chess960 the castling rights name the files of the rooks.
    pub(crate) fn dialects(self) -> (UciDialect, FenDialect) {
        match self {
            Variant::Standard => (UciDialect::Standard, FenDialect::XFen),
            Variant::Chess960 => (UciDialect::Chess960, FenDialect::Shredder),
        }
    }
}
