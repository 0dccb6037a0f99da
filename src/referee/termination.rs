//! The values of the PGN tag `Termination`.

use std::fmt;

crate::chess::worded! {
    /// The PGN `Termination` tag's values.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Termination,
    /// The value of the tag.
    words: &'static str {
        /// Ended on the board.
        Normal = "normal",
        /// By score, length or tablebase.
        Adjudication = "adjudication",
        /// A flag fell.
        TimeForfeit = "time forfeit",
        /// An illegal move.
        RulesInfraction = "rules infraction",
        /// A crash, a stall, an engine that would not start.
        Abandoned = "abandoned",
        /// The game is void.
        Unterminated = "unterminated",
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}
