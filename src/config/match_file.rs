//! The `match` command's options as an event file, so that there is one way to read both.

/// later
pub struct MatchEngine;
