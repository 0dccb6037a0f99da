//! Why an engine is not ready to play.

use std::path::Path;
use std::time::Duration;

use crate::config::EngineSpec;
use crate::text::duration;
use crate::uci::HandshakeError;

/// Why an engine is not ready.
#[derive(Debug, thiserror::Error)]
pub enum EngineStartError {
    /// The system would not run it, its launcher could not restrict itself as the event file asks, or it is another
    /// program than the event was begun with: not the engine's doing. In words.
    #[error("{0}")]
    Host(String),
    /// It did not answer in time.
    #[error("no {awaited} within {}{evidence}", duration(*limit))]
    Silent {
        /// `uciok` or `readyok`.
        awaited: &'static str,
        /// The time it had.
        limit: Duration,
        /// What the host took of it, and how its stderr ended, if it wrote any.
        evidence: String,
    },
    /// It ended instead of answering.
    #[error("it closed its output before {awaited}; {evidence}")]
    Ended {
        /// `uciok` or `readyok`.
        awaited: &'static str,
        /// Its exit status, and how its stderr ended.
        evidence: String,
    },
    /// It cannot do what the event asks of it.
    #[error("{}", join(.0))]
    Unfit(Vec<HandshakeError>),
    /// It searches what it likes, in words.
    #[error(
        "{0}. Give it a limit that it obeys, or play it with missed_limit = \"warn\" in its [[engine]]"
    )]
    MissesItsLimit(String),
    /// The run stopped before it had answered.
    #[error("the run was stopped")]
    Interrupted,
}

impl EngineStartError {
    /// With what an engine that said too little leaves to say, when its process has been ended.
    pub(super) fn with_evidence(mut self, exit: &str, words: &str) -> EngineStartError {
        match &mut self {
            EngineStartError::Silent { evidence, .. } => evidence.push_str(words),
            EngineStartError::Ended { evidence, .. } => *evidence = format!("{exit}{words}"),
            _ => {}
        }
        self
    }

    /// The same, if it may be because this file is gone.
    pub(crate) fn for_lack_of(self, gone: Option<&Path>) -> EngineStartError {
        let is_its_own = !self.is_the_hosts() && !matches!(self, EngineStartError::Interrupted);
        match gone.filter(|_| is_its_own) {
            Some(path) => EngineStartError::gone(path),
            None => self,
        }
    }

    /// Somebody has replaced its program, or one of its files, by another file.
    pub(crate) fn replaced(file: &Path) -> EngineStartError {
        EngineStartError::Host(format!(
            "{} is not what it was when the run began, and an event is played by the same engines from \
             its beginning to its end: put the old file back, or accept the new one with \
             --accept-changes",
            file.display()
        ))
    }

    /// One of its files is gone since its trial start.
    pub(crate) fn gone(file: &Path) -> EngineStartError {
        EngineStartError::Host(format!(
            "{} is gone since the engine was started for the first time: an event is played by the same engines \
             from its beginning to its end",
            file.display()
        ))
    }

    /// Whether it is not the engine's doing.
    pub fn is_the_hosts(&self) -> bool {
        matches!(self, EngineStartError::Host(_))
    }
}

fn join(errors: &[HandshakeError]) -> String {
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    errors.join("; ")
}

/// What the host took of an engine's time; nothing if it took none.
pub(super) fn given_back(given: Duration) -> String {
    match duration(given) {
        _ if given.is_zero() => String::new(),
        given => format!(" and {given} besides, for which the host kept it from running"),
    }
}

/// What an engine that did not start leaves to say.
pub(super) fn evidence(spec: &EngineSpec, last_line: &str, stderr: &str) -> String {
    let mut words = String::new();
    if !stderr.is_empty() {
        words += &format!("; stderr: {stderr:?}");
    }
    let declares = last_line.starts_with("id ") || last_line.starts_with("option ");
    if last_line.is_empty() && stderr.is_empty() {
        words += "; it wrote no line: its output may wait in a buffer, or it needs an argument \
                  (docs/engine-setup.md)";
    } else if !last_line.is_empty() && !declares {
        words += &format!("; its last line: {last_line:?}");
        // The prompt of GNU Chess.
        if last_line.starts_with("White (1) :") {
            words += "; GNU Chess needs args = [\"--uci\"]";
        }
    }
    if spec.confinement.is_shut_in() {
        words += "; its sandbox lets it read its program, its `directory`, the files that the \
                  event file names for it, and the system's; sandbox_read = [\"…\"] opens more";
    }
    words
}
