//! Why a run could not begin or go on.

use std::fmt::Write as _;
use std::io;

use crate::run::probe::UnfitEngine;
use crate::sink::SinkError;
use crate::store::{Difference, StoreError};

/// An error of a run; the command line gives each its exit code.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Engines that cannot take part.
    #[error("{}", engines(.0))]
    Engines(Vec<UnfitEngine>),
    /// The event file is not the one that this event was begun with.
    #[error("{}", changes(.0))]
    Changed(Vec<Difference>),
    /// The event file makes another plan than the one that was begun.
    #[error("{}", other_plan(.0))]
    OtherPlan(Vec<Difference>),
    /// The store cannot be used any more.
    #[error(transparent)]
    Storage(#[from] StoreError),
    /// A file of results cannot be written any more.
    #[error(transparent)]
    Sink(#[from] SinkError),
    /// The engines cannot be told where the file that explains the variant is.
    #[error(
        "engines could not read the variant's file at {0:?}: they take a path apart at every \
         colon, and at double blanks; choose another event.name or --results"
    )]
    VariantsPath(std::path::PathBuf),
    /// There are not enough processors for all lanes.
    #[error(transparent)]
    TooFewCpus(#[from] crate::run::cpus::TooFewCpus),
    /// The system refuses a thread, a process or a signal handler.
    #[error("the system refuses: {0}")]
    System(#[from] io::Error),
}

fn engines(unfit: &[UnfitEngine]) -> String {
    let mut text = String::new();
    for (index, engine) in unfit.iter().enumerate() {
        let separator = if index == 0 { "" } else { "\n       " };
        let name = crate::report::printable(&engine.name);
        // Writing to a String cannot fail.
        let _ = write!(text, "{separator}engine \"{name}\": {}", engine.error);
    }
    text
}

fn changes(differences: &[Difference]) -> String {
    let advice = "--accept-changes goes on and records it; --fresh starts again from nothing";
    format!(
        "this event was begun differently:{}\n{advice}",
        listed(differences)
    )
}

fn other_plan(differences: &[Difference]) -> String {
    let advice = "the games that are stored belong to another plan: give the event another name, \
                  or start again from nothing with --fresh";
    format!(
        "this event was begun differently:{}\n{advice}",
        listed(differences)
    )
}

fn listed(differences: &[Difference]) -> String {
    differences
        .iter()
        .map(|difference| format!("\n  {difference}"))
        .collect()
}
