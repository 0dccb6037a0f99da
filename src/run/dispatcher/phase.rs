//! The phase of a run, and why it ended: one value, which only moves forward.

use crate::run::error::RunError;
use crate::tournament::PendingRound;

/// The phase of a run.
#[derive(Debug)]
pub(super) enum RunPhase {
    /// Pairs are handed out; the round that the next one waits for, if it does.
    Playing { waits: Option<PendingRound> },
    /// No more pairs are handed out; those that run are finished or broken off.
    Ending(EndReason),
    /// Nothing more can be stored or shown.
    Failing(RunError),
}

/// Why a run ended. Of two reasons the later in this list counts, and of two alike the first.
#[derive(Debug, Default)]
pub enum EndReason {
    /// There is nothing more to play now.
    #[default]
    NothingLeft,
    /// Another run continues the event at once.
    Again(NewBeginning),
    /// Nothing could be finished on this host any more, in words.
    GaveUp(String),
    /// A fault has ended the run, as the event file asks.
    Fault,
    /// The operator stopped it: 128 and the number of the signal.
    Signal(u8),
}

/// A run that follows at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewBeginning {
    /// With the event file that this run has read: with more lanes, or with games that are to be played again.
    SameFile,
    /// With the current event file: it has another engine, or another build of one.
    NewFile,
}

impl EndReason {
    fn rank(&self) -> u8 {
        match self {
            EndReason::NothingLeft => 0,
            EndReason::Again(NewBeginning::SameFile) => 1,
            EndReason::Again(NewBeginning::NewFile) => 2,
            EndReason::GaveUp(_) => 3,
            EndReason::Fault => 4,
            EndReason::Signal(_) => 5,
        }
    }
}

impl RunPhase {
    pub(super) fn is_playing(&self) -> bool {
        matches!(self, RunPhase::Playing { .. })
    }

    /// The round that the next pair waits for.
    pub(super) fn waits(&self) -> Option<&PendingRound> {
        match self {
            RunPhase::Playing { waits } => waits.as_ref(),
            RunPhase::Ending(_) | RunPhase::Failing(_) => None,
        }
    }

    /// The next pair waits for this round, or for nothing. A run that ends waits for nothing.
    pub(super) fn wait(&mut self, round: Option<PendingRound>) {
        if let RunPhase::Playing { waits } = self {
            *waits = round;
        }
    }

    /// The run ends, for this reason if there is no stronger one; returns whether it is this one.
    pub(super) fn end(&mut self, reason: EndReason) -> bool {
        let counts = match self {
            RunPhase::Playing { .. } => true,
            RunPhase::Ending(known) => reason.rank() > known.rank(),
            RunPhase::Failing(_) => false,
        };
        if counts {
            *self = RunPhase::Ending(reason);
        }
        counts
    }

    /// The run fails. The first failure counts.
    pub(super) fn fail(&mut self, error: RunError) {
        if !matches!(self, RunPhase::Failing(_)) {
            *self = RunPhase::Failing(error);
        }
    }

    /// Why the run ended.
    ///
    /// # Errors
    /// It failed.
    pub(super) fn into_reason(self) -> Result<EndReason, RunError> {
        match self {
            RunPhase::Playing { .. } => Ok(EndReason::NothingLeft),
            RunPhase::Ending(reason) => Ok(reason),
            RunPhase::Failing(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{EndReason, NewBeginning, PendingRound, RunPhase};

    fn all() -> Vec<EndReason> {
        vec![
            EndReason::NothingLeft,
            EndReason::Again(NewBeginning::SameFile),
            EndReason::Again(NewBeginning::NewFile),
            EndReason::GaveUp("no room".to_owned()),
            EndReason::Fault,
            EndReason::Signal(130),
        ]
    }

    #[test]
    fn of_any_two_reasons_the_stronger_counts_in_either_order() {
        for (first, stronger) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))) {
            let mut phase = RunPhase::Playing { waits: None };
            phase.end(all().swap_remove(first));
            phase.end(all().swap_remove(stronger));
            let reason = phase.into_reason().unwrap();
            let expected = &all()[first.max(stronger)];
            assert_eq!(format!("{reason:?}"), format!("{expected:?}"));
        }
    }

    #[test]
    fn the_first_signal_names_the_exit_code_and_an_end_waits_for_nothing() {
        let round = |round| PendingRound {
            round,
            starts_ms: 0,
            bids: None,
        };
        let waits = Some(round(2));
        let mut phase = RunPhase::Playing { waits };
        phase.end(EndReason::Signal(130));
        phase.end(EndReason::Signal(143));
        phase.wait(Some(round(3)));
        assert_eq!(phase.waits(), None);
        assert!(matches!(phase.into_reason(), Ok(EndReason::Signal(130))));
    }
}
