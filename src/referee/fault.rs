//! What an engine did wrong. What the host did wrong is never a fault.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::{FlagEvidence, Termination};

crate::chess::worded! {
    /// The kinds of fault that lose a game.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum FaultKind,
    /// A stable word, for files that programs read.
    reason: &'static str {
        /// More time was used than the clock, the margin and the limit allowed.
        FlagFall = "flag-fall",
        /// The answer to `go` was not a legal move.
        IllegalMove = "illegal-move",
        /// The process ended or closed its output when a move was due.
        Crash = "crash",
        /// No answer where no clock runs, for longer than `timeouts.stall`.
        Stall = "stall",
        /// No `readyok` within the time allowed, at the start of a game.
        NotReady = "not-ready",
        /// The engine could not be started again after an earlier game.
        StartFailure = "start-failure",
        /// It used more memory than the event file allows, and was ended.
        MemoryLimit = "memory-limit",
        /// It had more processes than the event file allows, and was ended.
        ProcessLimit = "process-limit",
        /// It wrote more to the disk than the event file allows, and was ended.
        DiskLimit = "disk-limit",
        /// It thought on its opponent's time, for more than the event file allows.
        IdleCpu = "idle-cpu",
    }
}

impl FaultKind {
    /// The PGN `Termination` of a game lost by this fault.
    pub fn termination(self) -> Termination {
        match self {
            FaultKind::FlagFall => Termination::TimeForfeit,
            FaultKind::IllegalMove | FaultKind::IdleCpu => Termination::RulesInfraction,
            _ => Termination::Abandoned,
        }
    }

    /// What the engine did: the rest of a sentence that begins with its name.
    pub(crate) fn deed(self) -> &'static str {
        match self {
            FaultKind::FlagFall => "lost on time",
            FaultKind::IllegalMove => "made an illegal move",
            FaultKind::Crash => "crashed",
            FaultKind::Stall => "did not move",
            FaultKind::NotReady => "did not answer `isready`",
            FaultKind::StartFailure => "could not be started",
            FaultKind::MemoryLimit => "used too much memory",
            FaultKind::ProcessLimit => "started too many processes",
            FaultKind::DiskLimit => "wrote too much to the disk",
            FaultKind::IdleCpu => "thought on its opponent's time",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::FlagFall => "loss on time",
            FaultKind::IllegalMove => "illegal move",
            FaultKind::NotReady => "not ready",
            FaultKind::Crash | FaultKind::Stall => self.reason(),
            FaultKind::StartFailure => "could not be started",
            FaultKind::MemoryLimit => "too much memory",
            FaultKind::ProcessLimit => "too many processes",
            FaultKind::DiskLimit => "too much on the disk",
            FaultKind::IdleCpu => "thinking on the opponent's time",
        })
    }
}

/// One fault, with its evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Who did it.
    pub side: Color,
    /// What it was.
    pub kind: FaultKind,
    /// How many half-moves had been played in the game when it happened, the
    /// book's moves included.
    pub ply: u32,
    /// When the referee saw it.
    pub at: Stamp,
    /// What the engine said or did, quoted; for people.
    pub detail: String,
    /// Of a crash: the end of what it wrote to its stderr, if it wrote any.
    pub stderr: Option<String>,
    /// For a flag fall: who is to blame, and the evidence; `None` if the host was not watched.
    pub evidence: Option<FlagEvidence>,
}

impl Fault {
    /// The detail, and what the engine wrote to its stderr, in one line.
    pub(crate) fn explained(&self) -> Cow<'_, str> {
        match &self.stderr {
            Some(stderr) => Cow::from(format!("{}; stderr: {stderr:?}", self.detail)),
            None => Cow::from(&self.detail),
        }
    }
}

/// Breaches of the protocol that lose nothing, counted per game and side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Breaches {
    /// `bestmove` lines without a `go`, or too late; never played.
    pub unasked_bestmoves: u32,
    /// Lines longer than the buffer, of which only the beginning was read.
    pub overlong_lines: u32,
}
