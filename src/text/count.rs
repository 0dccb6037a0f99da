//! Numbers of things in words.

/// `1 game`, `2 games`.
pub(crate) fn count(number: impl Into<u64>, noun: &str) -> String {
    match number.into() {
        1 => format!("1 {noun}"),
        number => format!("{number} {noun}s"),
    }
}
