//! What the arbiter lets another event file change: late entrants, and other builds of engines.

use std::collections::BTreeSet;

use crate::event::ArbiterAct;
use crate::event::identity::EventIdentity;
use crate::store::{Reader, StoreError};
use crate::tournament::open_replacements;

/// The identity of the store as the arbiter's decisions let it become.
#[derive(Debug)]
pub(super) struct DecidedIdentity {
    /// With the late entrants.
    pub(super) identity: EventIdentity,
    /// Engines that may be another build.
    replaced: BTreeSet<u16>,
}

impl DecidedIdentity {
    /// What the arbiter lets this identity become, on the way to the one of the event file.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(super) fn read(
        reader: &Reader,
        stored: &EventIdentity,
        now: &EventIdentity,
    ) -> Result<DecidedIdentity, StoreError> {
        let mut identity = stored.clone();
        let entrants: Vec<&str> = reader
            .decisions()
            .in_force()
            .filter_map(|decision| match &decision.act {
                ArbiterAct::Add { name } => Some(name.as_str()),
                _ => None,
            })
            .collect();
        for (place, engine) in (0..).zip(&now.engines).skip(stored.engines.len()) {
            if entrants.contains(&engine.name.as_str()) {
                identity.engines.push(engine.clone());
                if let Some(swiss) = &mut identity.swiss {
                    swiss.seeds.push(place);
                }
            }
        }
        let replaced = open_replacements(reader)?.into_iter();
        Ok(DecidedIdentity {
            identity,
            replaced: replaced.map(|(engine, _)| engine).collect(),
        })
    }

    /// Whether the event file differs in nothing but what was decided.
    pub(super) fn explains(&self, now: &EventIdentity) -> bool {
        let engines = 0..u16::try_from(self.identity.engines.len()).unwrap_or(u16::MAX);
        let known = engines
            .clone()
            .filter(|engine| !self.replaced.contains(engine));
        let entrant = |engine: u16| !self.identity.same_engine(engine, &self.identity, engine);
        let same = |engine: u16| now.same_engine(engine, &self.identity, engine) || entrant(engine);
        let mut builds = known;
        builds.all(same) && self.without_builds(&self.identity) == self.without_builds(now)
    }

    /// Everything but what the engines are made of, and those that may be others.
    fn without_builds(&self, identity: &EventIdentity) -> EventIdentity {
        let mut bare = identity.clone();
        bare.files.clear();
        for (place, engine) in (0..).zip(&mut bare.engines) {
            engine.files.clear();
            if self.replaced.contains(&place)
                && let Some(stored) = self.identity.engines.get(usize::from(place))
            {
                *engine = stored.clone();
                engine.files.clear();
            }
        }
        bare
    }
}
