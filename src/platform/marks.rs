//! Marks in the environment of engines. All that an engine starts inherits its mark, so that processes are found which
//! have left the engine. A mark tells nothing, and only who has the key of an event can make one.

use std::fmt;

use sha2::{Digest, Sha256};

use super::orders::token;

/// The environment variable with an engine's mark.
pub(crate) const MARK_VARIABLE: &str = "ARBITER960_ENGINE";

/// Number of digits of each half of a mark.
const HALF: usize = 16;

/// By what all marks of an event are known, in every run of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MarkKey(String);

impl MarkKey {
    /// A key that nobody has.
    pub(crate) fn new() -> MarkKey {
        MarkKey(token())
    }

    /// The key with this text.
    pub(crate) fn parse(text: &str) -> Option<MarkKey> {
        let is_key = text.len() == 2 * HALF && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_key.then(|| MarkKey(text.to_owned()))
    }

    /// A mark that no other engine has: a random number, and what shows that it is one of this key.
    pub(crate) fn mark(&self) -> String {
        let mut mark = token();
        mark.truncate(HALF);
        mark += &self.seal(&mark);
        mark
    }

    /// Whether a mark is one of this key.
    #[allow(dead_code, reason = "only Linux finds marks")]
    pub(crate) fn has_made(&self, mark: &str) -> bool {
        let halves = mark.split_at_checked(HALF);
        halves.is_some_and(|(number, seal)| seal == self.seal(number))
    }

    fn seal(&self, number: &str) -> String {
        let digest = Sha256::digest(format!("{}{number}", self.0));
        let bytes = digest.iter().take(HALF / 2);
        bytes.map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Display for MarkKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_has_the_key_can_make_a_mark() {
        let (key, other) = (MarkKey::new(), MarkKey::new());
        let marks = [key.mark(), key.mark()];
        assert_ne!(marks[0][..HALF], marks[1][..HALF]);
        assert_ne!(marks[0][HALF..], marks[1][HALF..]);
        for mark in &marks {
            assert!(key.has_made(mark) && !other.has_made(mark), "{mark}");
            assert!(!mark.contains(&key.to_string()[..HALF]));
        }
        let mixed = format!("{}{}", &marks[0][..HALF], &marks[1][HALF..]);
        for forged in [
            mixed.as_str(),
            &marks[0][..HALF],
            "",
            "é".repeat(HALF).as_str(),
        ] {
            assert!(!key.has_made(forged), "{forged}");
        }
        assert_eq!(MarkKey::parse(&key.to_string()), Some(key));
        assert_eq!(MarkKey::parse("1234"), None);
    }
}
