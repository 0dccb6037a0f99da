//! `[faults]`: what a fault costs, and what too many of them cost.

use serde::{Deserialize, Serialize};

use crate::referee::{FaultKind, GameRecord, IdleRule, Outcome, VoidReason};

/// What a fault costs an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FaultRules {
    /// Whether the game is lost or played again.
    pub policy: FaultPolicy,
    /// How often one game is played again before a fault loses it.
    pub replays: u32,
    /// The kinds of fault that this is about; others lose the game and no more.
    pub kinds: Vec<FaultKind>,
    /// The number of faults after which an engine is disqualified.
    pub strikes: Option<u32>,
    /// What becomes of the games that a disqualified engine has played.
    pub disqualified: Disqualified,
    /// Number of games that are voided for one engine; after that, what the host does to it counts.
    pub voids: u32,
    /// What thinking on the opponent's time costs.
    pub idle_cpu: IdleRule,
}

/// What becomes of a game with a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultPolicy {
    /// It is lost.
    #[default]
    Loss,
    /// It is voided and played again, a bounded number of times.
    Replay,
    /// It is lost, and the run ends.
    Stop,
}

/// What becomes of the games that a disqualified engine has played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Disqualified {
    /// They count.
    #[default]
    Keep,
    /// They do not count, for it and for its opponents.
    Annul,
    /// They do not count if they are fewer than half of its planned games: FIDE
    /// Tournament Rules (Handbook C.06), article 5.4, of a player who is expelled
    /// from a round-robin.
    Half,
}

impl Default for FaultRules {
    fn default() -> FaultRules {
        FaultRules {
            policy: FaultPolicy::Loss,
            replays: 1,
            kinds: FaultRules::usual_kinds(),
            strikes: None,
            disqualified: Disqualified::Keep,
            voids: 50,
            idle_cpu: IdleRule::default(),
        }
    }
}

impl FaultRules {
    /// Every kind except two. A fallen flag is left out because an engine that thinks too long has played badly, not
    /// broken down; thinking on the opponent's time is left out because it is not always a fault.
    pub fn usual_kinds() -> Vec<FaultKind> {
        let mut all = Vec::from(FaultKind::ALL);
        all.retain(|kind| !matches!(kind, FaultKind::FlagFall | FaultKind::IdleCpu));
        all
    }

    /// Whether these rules are about faults of this kind.
    pub fn concern(&self, kind: FaultKind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Whether these rules are about the game: its first fault is the one that decided it.
    fn concern_game(&self, record: &GameRecord) -> bool {
        let first = record.faults.first();
        first.is_some_and(|fault| self.concern(fault.kind)) && !record.outcome.is_void()
    }

    /// Whether a run ends with this game.
    pub fn stop_after(&self, record: &GameRecord) -> bool {
        self.policy == FaultPolicy::Stop && self.concern_game(record)
    }

    /// Voids the game if its fault may be forgiven once more, after `replayed` times. Returns whether it did.
    pub fn forgive(&self, record: &mut GameRecord, replayed: u32) -> bool {
        let forgiven = self.policy == FaultPolicy::Replay
            && replayed < self.replays
            && self.concern_game(record);
        if forgiven {
            record.outcome = Outcome::Void(VoidReason::FaultReplayed);
        }
        forgiven
    }
}
