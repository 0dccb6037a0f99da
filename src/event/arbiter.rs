//! One decision of the arbiter.

use serde::{Deserialize, Serialize};

use super::{GameId, PairId, Seat, UnixMillis};
use crate::referee::Uneven;
use crate::text::instant;

/// A decision in the arbiter's book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArbiterDecision {
    /// Its number, from 1.
    pub id: u64,
    /// When it was made.
    pub decided: UnixMillis,
    /// Who made it.
    pub author: String,
    /// Why.
    pub reason: String,
    /// What was decided.
    pub act: ArbiterAct,
    /// Pairs of a tree that were chosen for others than those who go on now: they are not played.
    pub unpairs: Vec<PairId>,
}

/// What was decided. Its JSON is what the store keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ArbiterAct {
    /// An engine plays no more pairs.
    Withdraw {
        /// Its place in the event file.
        engine: u16,
    },
    /// One side has lost a game, whatever was played.
    Forfeit {
        /// The pair, from 0.
        pair: PairId,
        /// The game of the pair, 0 or 1.
        game: u8,
        /// Whether White has lost; else Black.
        white_loses: bool,
        /// White and Black: so that a game that is never played counts.
        seats: [Seat; 2],
    },
    /// A played game has another result.
    Result {
        /// The pair, from 0.
        pair: PairId,
        /// The game of the pair, 0 or 1.
        game: u8,
        /// White's half points: 2 won, 1 drawn, 0 lost.
        white_half_points: u8,
    },
    /// A game gives both sides less than one point together, whatever was played.
    Uneven {
        /// The pair, from 0.
        pair: PairId,
        /// The game of the pair, 0 or 1.
        game: u8,
        /// The result.
        result: Uneven,
        /// White and Black: so that a game that is never played counts.
        seats: [Seat; 2],
    },
    /// A played game does not count, and is played again.
    Replay {
        /// The pair, from 0.
        pair: PairId,
        /// The game of the pair, 0 or 1.
        game: u8,
    },
    /// What a worker of a farm has played does not count, and is played again.
    Purge {
        /// The worker.
        worker: String,
        /// Its games: each pair, from 0, and 0 or 1.
        games: Vec<(PairId, u8)>,
    },
    /// An engine that the event file has at its end takes part from now on.
    Add {
        /// Its name.
        name: String,
    },
    /// The next run may play another build of an engine.
    Replace {
        /// Its place in the event file.
        engine: u16,
    },
    /// More rounds.
    Extend {
        /// How many.
        rounds: u16,
    },
    /// What the operator of an engine bids for the armageddon game of an encounter.
    Bid {
        /// Its place in the event file.
        engine: u16,
        /// The encounter's round.
        round: u16,
        /// Its board.
        board: u16,
        /// The part of White's time that it wants for Black; left out where it is sealed.
        #[serde(default, skip_serializing_if = "crate::text::is_usual")]
        percent: u8,
    },
    /// An earlier decision is taken back.
    Undo {
        /// Its number.
        decision: u64,
    },
    /// Those who look are told something; no game changes.
    Announce {
        /// The words.
        words: String,
    },
    /// The run was told something at the organiser's desk, and has done it; no game changes.
    Control {
        /// What it has answered.
        words: String,
    },
}

impl ArbiterDecision {
    /// Who decided, when and why.
    pub(crate) fn words(&self) -> String {
        let (id, moment) = (self.id, instant(self.decided.0));
        format!(
            "decision {id} by {}, {moment}: {}",
            self.author, self.reason
        )
    }
}

impl ArbiterAct {
    /// Whether what was played of its games does not count, and is played again.
    pub(crate) fn plays_again(&self) -> bool {
        matches!(self, ArbiterAct::Replay { .. } | ArbiterAct::Purge { .. })
    }

    /// Whether what was played of this game does not count.
    pub(crate) fn replays(&self, game: GameId) -> bool {
        self.plays_again() && self.games().contains(&game)
    }

    /// Whether it is a fact about the run alone, as its time is: nothing of it holds, or can be taken back.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self, ArbiterAct::Undo { .. } | ArbiterAct::Control { .. })
    }

    /// Whether games and engines are as they were without it.
    pub(crate) fn is_note(&self) -> bool {
        matches!(
            self,
            ArbiterAct::Announce { .. } | ArbiterAct::Control { .. }
        )
    }

    /// All games that it is about.
    pub(crate) fn games(&self) -> Vec<GameId> {
        let id = |&(pair, game): &(PairId, u8)| GameId { pair, game };
        match self {
            ArbiterAct::Purge { games, .. } => games.iter().map(id).collect(),
            act => act.game().into_iter().collect(),
        }
    }

    /// The one game that it is about.
    pub(crate) fn game(&self) -> Option<GameId> {
        match *self {
            ArbiterAct::Forfeit { pair, game, .. }
            | ArbiterAct::Result { pair, game, .. }
            | ArbiterAct::Uneven { pair, game, .. }
            | ArbiterAct::Replay { pair, game } => Some(GameId { pair, game }),
            _ => None,
        }
    }
}
