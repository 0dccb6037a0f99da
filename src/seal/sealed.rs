//! The present event files, compared to the record.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::config::{Tournament, parse_as_recorded};
use crate::event::GameId;
use crate::schedule::{Opening, PairSpec, Plan, PlanError, Shard};
use crate::store::Expectation;
use crate::text::count;

use super::manifest::{Manifest, SealError, SealedEvent, file_sha256, planned};

/// One sealed event with its plan.
#[derive(Debug)]
pub(crate) struct Sealed {
    /// The record.
    pub(crate) event: SealedEvent,
    /// Its pairs.
    pub(super) plan: Plan,
    /// The event from its present file.
    tournament: Tournament,
}

impl Sealed {
    /// What this game's pair plays, if the plan has the game.
    pub(super) fn planned(&self, id: GameId) -> Option<PairSpec> {
        let known = Some(id.pair).filter(|pair| pair.0 < self.plan.len());
        let spec = known.and_then(|pair| self.plan.pair(pair))?;
        (id.game < spec.games).then_some(spec)
    }

    /// What stored games must match, with the shard's part if it is a shard.
    pub(super) fn expectation(&self, shard: Option<Shard>) -> Result<Expectation, PlanError> {
        Ok(Expectation {
            plan: self.tournament.plan()?,
            openings: Arc::clone(&self.tournament.openings),
            shard,
        })
    }

    /// The opening of a pair.
    pub(super) fn opening(&self, spec: &PairSpec) -> Opening {
        self.tournament.openings.get(spec.opening)
    }

    /// All games of the plan.
    pub(super) fn games(&self) -> impl Iterator<Item = GameId> + '_ {
        self.plan
            .iter()
            .flat_map(|(pair, spec)| (0..spec.games).map(move |game| GameId { pair, game }))
    }
}

/// The sealed events of a manifest; `say` receives what has changed since then.
///
/// # Errors
/// An event file or its book is gone, or cannot be read as an event any more.
pub(crate) fn open(
    path: &Path,
    manifest: &Manifest,
    mut say: impl FnMut(String),
) -> Result<Vec<Sealed>, SealError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let events = manifest.events.iter();
    events
        .map(|event| open_event(folder, event, &mut say))
        .collect()
}

fn open_event(
    folder: &Path,
    event: &SealedEvent,
    say: &mut impl FnMut(String),
) -> Result<Sealed, SealError> {
    let file = folder.join(&event.file);
    let shown = file.display();
    let found = file_sha256(&file)?;
    if found != event.sha256 {
        say(format!(
            "{shown}: the file has changed: its SHA-256 is {found}, and {} was sealed",
            event.sha256
        ));
    }
    let text = fs::read_to_string(&file).map_err(|error| SealError::Unreadable {
        path: file.clone(),
        error,
    })?;
    let tournament = parse_as_recorded(&text, &file, None, &event.identity)?;
    let identity = tournament.identity_like(&event.identity);
    if tournament.name != event.name {
        say(format!(
            "{shown}: the event is called {}, and {} was sealed",
            tournament.name, event.name
        ));
    }
    for difference in event.identity.differences(&identity) {
        say(format!("{shown}: {difference}"));
    }
    if event.identity.commitment(&event.name) != event.commitment {
        say(format!(
            "{}: the commitment is not that of what was sealed",
            event.name
        ));
    }
    let (plan, plan_sha256) = planned(&tournament, &identity)?;
    if (plan.len(), plan.games()) != (event.pairs, event.games) {
        say(format!(
            "{shown}: the plan has {} and {}, and {} and {} were sealed",
            count(plan.len(), "pair"),
            count(plan.games(), "game"),
            event.pairs,
            event.games
        ));
    }
    if plan_sha256 != event.plan_sha256 {
        say(format!(
            "{shown}: the plan is another: its SHA-256 is {plan_sha256}, and {} was sealed",
            event.plan_sha256
        ));
    }
    Ok(Sealed {
        event: event.clone(),
        plan,
        tournament,
    })
}
