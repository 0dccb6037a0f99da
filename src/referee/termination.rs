//! The values of the PGN tag `Termination`.

use std::fmt;

/// The PGN `Termination` tag's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Termination {
    /// Ended on the board.
    Normal,
    /// By score, length or tablebase.
    Adjudication,
    /// A flag fell.
    TimeForfeit,
    /// An illegal move.
    RulesInfraction,
    /// A crash, a stall, an engine that would not start.
    Abandoned,
    /// The game is void.
    Unterminated,
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Termination::Normal => "normal",
            Termination::Adjudication => "adjudication",
            Termination::TimeForfeit => "time forfeit",
            Termination::RulesInfraction => "rules infraction",
            Termination::Abandoned => "abandoned",
            Termination::Unterminated => "unterminated",
        })
    }
}
