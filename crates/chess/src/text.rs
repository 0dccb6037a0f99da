//! Moves as short texts on the stack: writing one allocates nothing. Enums with a word for each value.

use std::fmt;
use std::ops::Deref;

/// A move as text: at most eight ASCII characters.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct MoveText {
    bytes: [u8; 8],
    len: u8,
}

impl MoveText {
    /// Adds an ASCII character.
    pub(crate) fn push(&mut self, character: char) {
        debug_assert!(character.is_ascii());
        self.bytes[usize::from(self.len)] = character as u8;
        self.len += 1;
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        text.chars().for_each(|character| self.push(character));
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).expect("only ASCII was pushed")
    }
}

impl Deref for MoveText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq<&str> for MoveText {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

/// Declares an enum: the list `ALL` of its values, in their order, and a word for each.
#[macro_export]
macro_rules! worded {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident,
        $(#[$about:meta])*
        $word:ident: $kind:ty {
            $($(#[$doc:meta])* $value:ident = $text:expr,)*
        }
    ) => {
        $(#[$meta])*
        $vis enum $name {
            $($(#[$doc])* $value,)*
        }

        impl $name {
            /// All of them, in their order.
            $vis const ALL: [Self; [$($text),*].len()] = [$(Self::$value),*];

            $(#[$about])*
            $vis const fn $word(self) -> $kind {
                match self {
                    $(Self::$value => $text,)*
                }
            }
        }
    };
}
