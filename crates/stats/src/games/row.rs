//! One game: its result, its flags, its row in the table.

/// The result of a game from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum WhiteResult {
    /// 0-1
    Loss = 0,
    /// 1/2-1/2
    Draw = 1,
    /// 1-0
    Win = 2,
}

impl WhiteResult {
    /// The three results, White's worst first.
    pub const ALL: [WhiteResult; 3] = [WhiteResult::Loss, WhiteResult::Draw, WhiteResult::Win];

    /// White's score in half points.
    pub fn half_points(self) -> u32 {
        self as u32
    }

    /// White's score: 0, ½ or 1.
    pub fn score(self) -> f64 {
        f64::from(self as u8) / 2.0
    }
}

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
    pub result: WhiteResult,
    /// What happened in it.
    pub flags: GameFlags,
}
