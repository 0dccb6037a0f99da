//! One game: its result, its flags, its row in the table.

use crate::counts::GameScore;

/// Facts about a game that decide whether a statistic counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFlags(pub u8);

impl GameFlags {
    /// Decided by time, an illegal move, a crash or a disconnection.
    pub const FORFEIT: GameFlags = GameFlags(1);
    /// Ended by adjudication.
    pub const ADJUDICATED: GameFlags = GameFlags(2);
    /// A replay of an earlier game (see [`crate::duplicates`]).
    pub const REPLAY: GameFlags = GameFlags(4);
    /// The same as an earlier game, though drawn independently.
    pub const COINCIDENCE: GameFlags = GameFlags(8);
    /// A forfeit that the machine the engines ran on is to blame for.
    pub const HOST_FAULT: GameFlags = GameFlags(16);

    /// Both sets of flags.
    pub fn with(self, other: GameFlags) -> GameFlags {
        GameFlags(self.0 | other.0)
    }

    /// Is any of the other flags set here?
    pub fn intersects(self, other: GameFlags) -> bool {
        self.0 & other.0 != 0
    }
}

/// One game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// Index of the engine with the white pieces.
    pub white: u16,
    /// Index of the engine with the black pieces.
    pub black: u16,
    /// Start number, or the line number in a book.
    pub start: u32,
    /// The pair it was scheduled in, if any.
    pub pair: Option<u32>,
    /// Its result.
    pub result: GameScore,
    /// What happened in it.
    pub flags: GameFlags,
}
