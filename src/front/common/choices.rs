//! Choices of a command line, which `config.json` stores as numbers.

use crate::chess::{FenDialect, UciDialect};

/// An enumeration that is serialized as the index of its variant.
macro_rules! numbered {
    ($(#[$meta:meta])* $name:ident { $($(#[$inner:meta])* $variant:ident = $number:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(into = "u8", try_from = "u8")]
        pub(crate) enum $name { $($(#[$inner])* $variant = $number),+ }

        impl From<$name> for u8 {
            fn from(value: $name) -> u8 { value as u8 }
        }

        impl TryFrom<u8> for $name {
            type Error = String;

            fn try_from(number: u8) -> Result<$name, String> {
                match number {
                    $($number => Ok($name::$variant),)+
                    _ => Err(format!("{number} is no {}", stringify!($name))),
                }
            }
        }
    };
}

numbered! {
    /// How moves are written.
    #[derive(Default)]
    Notation { #[default] San = 0, Lan = 1, Uci = 2 }
}
numbered! {
    /// The order of a book.
    #[derive(Default)]
    Order { Random = 0, #[default] Sequential = 1 }
}
numbered! {
    /// The format of a book.
    #[derive(Default)]
    BookFormat { Epd = 0, Pgn = 1, #[default] None = 2 }
}
numbered! {
    /// The variant of chess.
    #[derive(Default)]
    Variant { #[default] Standard = 0, Chess960 = 1 }
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

numbered! {
    /// Who meets whom.
    #[derive(Default)]
    Kind { #[default] RoundRobin = 0, Gauntlet = 1 }
}
numbered! {
    /// The runner whose lines are printed.
    #[derive(Default)]
    Output { #[default] Fastchess = 0, Cutechess = 1, None = 2 }
}
numbered! {
    /// The lowest level that is written to the log.
    #[derive(Default)]
    Level { All = 0, Trace = 1, Info = 2, #[default] Warn = 3, Err = 4, Fatal = 5 }
}
