//! What the store says of the event and of its engines, and whether that is still so.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Session;
use crate::config::Launch;
use crate::event::UnixMillis;
use crate::run::error::RunError;
use crate::run::game::unix_now;
use crate::store::{Difference, EngineEntry, PLANNED_ENCOUNTERS, compare_identity};
use crate::uci::Ready;

impl Session {
    /// Before the first game an event may still be changed at will; afterwards a
    /// change must be accepted, and is recorded.
    pub(super) fn settle_identity(&self, accept_changes: bool) -> Result<(), RunError> {
        let reader = self.reader()?;
        let stored = reader.identity()?;
        let differences = match &stored {
            Some(stored) => compare_identity(&stored.identity, &self.identity),
            None => Vec::new(),
        };
        let begun = reader.counts()?.finished > 0;
        if begun && !differences.is_empty() {
            if differences.iter().any(changes_the_plan) {
                return Err(RunError::OtherPlan(differences));
            }
            if !accept_changes {
                return Err(RunError::Changed(differences));
            }
        }
        if stored.is_none() || !differences.is_empty() {
            self.store
                .accept_identity(self.identity.clone(), unix_now())?;
            self.describe_event()?;
        } else if self.tournament.adaptive.is_some() {
            // How long it may go on is not part of its identity.
            let planned = self.planned_games()?;
            self.store.set_event(&[("planned_games", &planned)])?;
        }
        Ok(())
    }

    fn describe_event(&self) -> Result<(), RunError> {
        let UnixMillis(now) = unix_now();
        let event = &self.tournament;
        let planned = self.planned_games()?;
        Ok(self.store.set_event(&[
            ("name", &event.name),
            ("site", &event.site),
            ("seed", &event.seed.to_string()),
            ("variant", event.variant.name()),
            ("positions", &event.positions_label),
            ("created", &now.to_string()),
            ("planned_games", &planned),
            ("program", env!("CARGO_PKG_VERSION")),
            ("config", &self.text),
            ("source", &event.source.display().to_string()),
            (PLANNED_ENCOUNTERS, &self.planned_encounters()?),
        ])?)
    }

    /// How many games the event has; nothing where its results decide.
    fn planned_games(&self) -> Result<String, RunError> {
        let event = &self.tournament;
        if event.sprt.is_some() {
            return Ok(String::new());
        }
        let work = self.work()?;
        let adaptive = self.adaptive(&self.reader()?)?;
        Ok(match event.adaptive.zip(adaptive) {
            Some((_, choices)) if choices.is_over(work.plan()) => work.plan().games().to_string(),
            // It may end before its last pair, when every position is settled.
            Some((settings, _)) if settings.threshold > 0.0 => String::new(),
            Some((settings, _)) => {
                (settings.max_pairs * u64::from(event.games_per_pair())).to_string()
            }
            None => work.plan().games().to_string(),
        })
    }

    /// The games of the plan by encounter, for the rules on disqualified engines; empty
    /// where there are none, and where a stop rule decides.
    fn planned_encounters(&self) -> Result<String, RunError> {
        let event = &self.tournament;
        if event.faults.strikes.is_none() || event.sprt.is_some() {
            return Ok(String::new());
        }
        let mut planned: BTreeMap<[u16; 2], u64> = BTreeMap::new();
        for (_, spec) in self.plan()?.iter() {
            let mut engines = [spec.first.engine, spec.second.engine];
            engines.sort_unstable();
            *planned.entry(engines).or_default() += u64::from(spec.games);
        }
        let rows = planned
            .iter()
            .map(|([first, second], games)| (first, second, games));
        Ok(Value::from_iter(rows.map(|row| serde_json::json!(row))).to_string())
    }

    pub(super) fn describe_engines(&self, ready: Vec<Ready>) -> Result<(), RunError> {
        let entry = |(index, ready): (usize, Ready)| {
            let spec = &self.tournament.engines[index];
            let sha256 = &self.identity["engines"][index]["launch"]["sha256"];
            EngineEntry {
                engine: u16::try_from(index).unwrap_or(u16::MAX),
                name: spec.name.clone(),
                command: match &spec.launch {
                    Launch::Program { command, .. } => command.clone(),
                    Launch::Sparring => String::new(),
                },
                id_name: Some(ready.identity.name),
                author: Some(ready.identity.author),
                sha256: sha256.as_str().map(str::to_owned),
                time_control: spec.limits.to_string(),
                options: ready
                    .sent
                    .into_iter()
                    .map(|(n, v)| (n, v.unwrap_or_default()))
                    .collect(),
            }
        };
        let entries = ready.into_iter().enumerate().map(entry).collect();
        Ok(self.store.set_engines(entries)?)
    }
}

/// Whether this difference gives the pairs of the plan another meaning. Then
/// stored games cannot be told from missing ones by their number, and no consent
/// makes it right. More pairs per position only make the plan longer.
fn changes_the_plan(difference: &Difference) -> bool {
    let path = difference.path.as_str();
    let starts = |prefix: &str| path.starts_with(prefix);
    let of_engine = || {
        let member = path.split_once("].").map(|(_, member)| member);
        starts("engines[") && matches!(member, None | Some("name" | "copies"))
    };
    [
        "variant",
        "format",
        "heroes",
        "positions",
        "seed",
        "adaptive",
    ]
    .into_iter()
    .any(starts)
        || of_engine()
}
