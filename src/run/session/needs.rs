//! Engines that only some machines can play: those with an instruction set or a tag.

use super::Session;
use crate::config::EngineSpec;
use crate::run::error::RunError;
use crate::uci::{EngineIdentity, Ready};

impl Session {
    /// What an engine needs and this machine does not have.
    pub(super) fn lacks(&self, spec: &EngineSpec) -> Vec<String> {
        self.features.missing(&spec.needs)
    }

    /// Refuses to play on a machine that lacks what an engine needs.
    ///
    /// # Errors
    /// All engines that cannot be played here.
    pub(super) fn check_needs(&self) -> Result<(), RunError> {
        let engines = self.tournament.engines.iter();
        let missing: Vec<(String, Vec<String>)> = engines
            .map(|spec| (spec.name.clone(), self.lacks(spec)))
            .filter(|(_, missing)| !missing.is_empty())
            .collect();
        match missing.is_empty() {
            true => Ok(()),
            false => Err(RunError::Needs(missing)),
        }
    }

    /// What is known of an engine that cannot be started on this machine: what the event file says.
    pub(super) fn unstarted(&self, spec: &EngineSpec) -> Ready {
        let options = spec.options.iter().cloned();
        Ready {
            identity: EngineIdentity::default(),
            sent: options.map(|(name, value)| (name, Some(value))).collect(),
            warnings: vec![format!(
                "it is not started on this machine, which does not have {}",
                self.lacks(spec).join(", ")
            )],
        }
    }
}
