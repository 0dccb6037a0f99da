//! Short texts on the stack, for moves: writing one allocates nothing.

use std::fmt;
use std::ops::Deref;

/// A text of at most eight ASCII characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ShortText {
    bytes: [u8; 8],
    len: u8,
}

impl ShortText {
    pub(crate) const fn new() -> ShortText {
        ShortText {
            bytes: [0; 8],
            len: 0,
        }
    }

    /// Adds an ASCII character.
    pub(crate) fn push(&mut self, character: char) {
        debug_assert!(character.is_ascii());
        self.bytes[usize::from(self.len)] = character as u8;
        self.len += 1;
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        text.chars().for_each(|character| self.push(character));
    }
}

impl Deref for ShortText {
    type Target = str;

    fn deref(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).expect("only ASCII was pushed")
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

/// Declares a public text type around [`ShortText`].
macro_rules! short_text {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name(pub(crate) $crate::text::ShortText);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::ops::Deref for $name {
            type Target = str;
            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(self.as_str(), f)
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }
    };
}

pub(crate) use short_text;

impl fmt::Debug for ShortText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
