//! What a round was for one engine.

/// What a round was for one engine. Points, the next bye, and every tie-break that looks at rounds
/// follow from these alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundOutcome {
    /// It played: all games of the encounter, or those that are finished so far.
    Played {
        /// Whom it met.
        opponent: u16,
        /// Half points of these games.
        half_points: u32,
    },
    /// Some games were played, and the others are not: one of the two plays no more.
    HalfPlayed {
        /// Whom it met.
        opponent: u16,
        /// Half points of the games that were played.
        half_points: u32,
        /// Half points for the other games: as for wins, or none for an engine that plays no more.
        awarded: u32,
    },
    /// No game was played, because the opponent plays no more: all are won.
    Walkover {
        /// Half points.
        half_points: u32,
    },
    /// It had no opponent.
    Bye {
        /// Half points that the event gives for that.
        half_points: u32,
    },
    /// It did not take part: it entered later, or plays no more.
    Absent,
}

impl RoundOutcome {
    /// All half points.
    pub fn half_points(self) -> u32 {
        let played = match self {
            RoundOutcome::Played { half_points, .. }
            | RoundOutcome::HalfPlayed { half_points, .. } => half_points,
            _ => 0,
        };
        played + self.awarded()
    }

    /// Half points for what was not played.
    pub fn awarded(self) -> u32 {
        match self {
            RoundOutcome::Played { .. } | RoundOutcome::Absent => 0,
            RoundOutcome::HalfPlayed { awarded, .. } => awarded,
            RoundOutcome::Walkover { half_points } | RoundOutcome::Bye { half_points } => {
                half_points
            }
        }
    }

    /// Whom it met, if it played at all.
    pub fn opponent(self) -> Option<u16> {
        match self {
            RoundOutcome::Played { opponent, .. } | RoundOutcome::HalfPlayed { opponent, .. } => {
                Some(opponent)
            }
            _ => None,
        }
    }

    /// Whether it had a bye, or won without a move: such an engine gets no bye as long as others had none (FIDE
    /// Handbook C.04.1, article 4).
    pub fn is_free(self) -> bool {
        matches!(
            self,
            RoundOutcome::Walkover { .. } | RoundOutcome::Bye { .. }
        )
    }
}

/// The same with the round and the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineRound {
    /// The round, from 1.
    pub round: u32,
    /// The engine.
    pub engine: u16,
    /// What the round was for it.
    pub outcome: RoundOutcome,
}

/// Games that count as won without play, because the opponent plays no more; in an event that is not played in rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnplayedWins {
    /// The engine that has won them.
    pub winner: u16,
    /// The engine that plays no more.
    pub loser: u16,
    /// Half points.
    pub half_points: u32,
}
