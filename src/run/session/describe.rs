//! What the store records of the event and of its engines.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Session, inspection};
use crate::clock::both_limits;
use crate::config::Launch;
use crate::engine::own_sha256;
use crate::event::UnixMillis;
use crate::run::error::RunError;
use crate::store::{EngineEntry, FACTS, PROGRAMS, Reader, SHARD, StoreError};
use crate::uci::Ready;

impl Session {
    /// What the table `event` of the store says: all of [`FACTS`].
    pub(super) fn facts(&self) -> Result<Vec<(String, String)>, RunError> {
        let created = created(&self.reader()?)?.unwrap_or_else(UnixMillis::now);
        let event = &self.tournament;
        let values: [String; FACTS.len()] = [
            event.name.clone(),
            event.site.clone(),
            event.seed.to_string(),
            event.variant.name().to_owned(),
            event.positions_label.clone(),
            created.0.to_string(),
            self.planned_games()?
                .map_or_else(String::new, |games| games.to_string()),
            env!("CARGO_PKG_VERSION").to_owned(),
            event.text.clone(),
            event.source.display().to_string(),
            self.planned_encounters()?,
        ];
        let keys = FACTS.into_iter().map(str::to_owned);
        let shard = event
            .shard
            .map(|shard| (SHARD.to_owned(), shard.to_string()));
        Ok(keys.zip(values).chain(shard).collect())
    }

    /// The fact that names this program with those that have played the event, before it plays a game of it; `None` if
    /// it is known. Workers of a farm do not say which programs they are.
    pub(super) fn signature(&self) -> Result<Option<(String, String)>, RunError> {
        let known = self.reader()?.value(PROGRAMS)?.unwrap_or_default();
        let mut programs: Vec<&str> = known.split_whitespace().collect();
        let own = own_sha256()?;
        programs.push(&own);
        if self.lanes().1 > 0 {
            programs.push("workers");
        }
        let programs = each_once(&programs);
        Ok((programs != known).then(|| (PROGRAMS.to_owned(), programs)))
    }

    /// How many games the event has; `None` where its results decide.
    pub(super) fn planned_games(&self) -> Result<Option<u64>, RunError> {
        let event = &self.tournament;
        let work = self.work()?;
        // In rounds it follows from what was chosen.
        if event.rounds().is_some() || (event.sprt.is_some() && work.missing_games() > 0) {
            return Ok(None);
        }
        let reader = self.reader()?;
        let decisions = reader.decisions().len();
        let adaptive = inspection::continued(&self.tournament, &reader)?;
        Ok(match event.adaptive.zip(adaptive) {
            Some((_, choices)) if choices.is_over(&work.plan, decisions) => Some(work.plan.games()),
            // It may end before its last pair, when every position is settled.
            Some((settings, _)) if settings.terms.threshold > 0.0 => None,
            Some((settings, _)) => Some(settings.max_pairs * u64::from(event.games_per_pair())),
            None => {
                let pairs = event.pairs_here(work.plan.len());
                Some(pairs * u64::from(event.games_per_pair()))
            }
        })
    }

    /// The games of the plan by encounter, the smaller index first, for what becomes of the games of
    /// engines that play no more, as the store has them; nothing where a stop rule or the results decide.
    fn planned_encounters(&self) -> Result<String, RunError> {
        let event = &self.tournament;
        let open_ended = event.adaptive.is_some() && event.faults.strikes.is_none();
        if open_ended || event.sprt.is_some() || event.rounds().is_some() {
            return Ok(String::new());
        }
        let plan = inspection::plan(&self.tournament)?;
        let mut planned: BTreeMap<[u16; 2], u64> = BTreeMap::new();
        if let (None, Some(engines)) = (event.shard, plan.only_encounter()) {
            planned.insert(engines, plan.games());
        } else {
            let here = |pair| event.shard.is_none_or(|shard| shard.holds(pair));
            for (_, spec) in plan.iter().filter(|(pair, _)| here(*pair)) {
                let mut engines = [spec.first.engine, spec.second.engine];
                engines.sort_unstable();
                *planned.entry(engines).or_default() += u64::from(spec.games);
            }
        }
        let rows = planned.iter();
        let rows = rows.map(|([first, second], games)| serde_json::json!((first, second, games)));
        Ok(Value::from_iter(rows).to_string())
    }

    /// The engines as they answered, in the order of the event file.
    pub(super) fn engine_entries(&self, ready: &[Ready]) -> Vec<EngineEntry> {
        let entry = |(index, ready): (usize, &Ready)| {
            let spec = &self.tournament.engines[index];
            let launch = &self.identity.engines[index].launch;
            let sent = ready.sent.iter();
            let sent = sent.map(|(name, value)| (name.clone(), value.clone().unwrap_or_default()));
            EngineEntry {
                engine: u16::try_from(index).unwrap_or(u16::MAX),
                name: spec.name.clone(),
                command: match &spec.launch {
                    Launch::Program { command, .. } => command.clone(),
                    Launch::Sparring => String::new(),
                },
                id_name: Some(ready.identity.name.clone()),
                author: Some(ready.identity.author.clone()),
                sha256: launch.sha256().map(str::to_owned),
                time_control: match &self.tournament.limits_by_colour {
                    Some(limits) => both_limits(limits),
                    None => spec.limits.to_string(),
                },
                options: sent.collect(),
            }
        };
        ready.iter().enumerate().map(entry).collect()
    }
}

/// When an event was created: what its store says, else when its first identity was accepted.
pub(super) fn created(reader: &Reader) -> Result<Option<UnixMillis>, StoreError> {
    let stored = reader.value("created")?;
    let stored = stored.and_then(|text| text.parse().ok()).map(UnixMillis);
    let first = reader.identities()?.into_iter().next();
    Ok(stored.or(first.map(|first| first.accepted)))
}

/// The words, joined by blanks, each only at its first occurrence.
pub(super) fn each_once(words: &[&str]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for word in words {
        if !kept.contains(word) {
            kept.push(word);
        }
    }
    kept.join(" ")
}
