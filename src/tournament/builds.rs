//! Which build of an engine has played a game: the program, files and options of a participant
//! may change between two revisions of an event.
//!
//! **Invariant: a fault belongs to the build that made it**, not to the place of its engine in
//! the event file: a mended program begins without strikes.

use std::collections::BTreeSet;

use crate::chess::Color;
use crate::event::Seat;
use crate::event::identity::EventIdentity;
use crate::referee::FaultKind;
use crate::store::{Reader, StoreError};

/// The identities of an event, and which games were played under which.
#[derive(Debug, Clone)]
pub(crate) struct Builds {
    /// By revision, from 1.
    identities: Vec<EventIdentity>,
    /// The place of the first game of each revision that has games, and the revision.
    starts: Vec<(u64, u32)>,
    /// What the event is now.
    current: EventIdentity,
}

impl Builds {
    /// The builds of a stored event, under the identity in force.
    ///
    /// # Errors
    /// The store cannot be read; [`StoreError::NotBegun`].
    pub(crate) fn read(reader: &Reader) -> Result<Builds, StoreError> {
        let current = reader.begun()?;
        Builds::until(reader, current.identity)
    }

    /// The same, where this identity is in force or about to be accepted.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn until(reader: &Reader, current: EventIdentity) -> Result<Builds, StoreError> {
        let accepted = reader.identities()?.into_iter();
        Ok(Builds {
            identities: accepted.map(|accepted| accepted.identity).collect(),
            starts: reader.revision_starts()?,
            current,
        })
    }

    /// The identity in force.
    pub(crate) fn current(&self) -> &EventIdentity {
        &self.current
    }

    /// The identity of a revision.
    pub(crate) fn identity(&self, revision: u32) -> Option<&EventIdentity> {
        let place = usize::try_from(revision).ok()?.checked_sub(1)?;
        self.identities.get(place)
    }

    /// The revision under which the game at this place in the order of finishing was played.
    pub(crate) fn revision_of(&self, sequence: u64) -> u32 {
        let after = self.starts.partition_point(|(first, _)| *first <= sequence);
        let known = self.starts.get(after.saturating_sub(1));
        known.map_or(1, |(_, revision)| *revision)
    }

    /// The place of the first game of each revision that has games, and the revision, in order.
    pub(crate) fn starts(&self) -> &[(u64, u32)] {
        &self.starts
    }

    /// The revisions with games, in order.
    pub(crate) fn revisions(&self) -> impl Iterator<Item = u32> {
        self.starts.iter().map(|(_, revision)| *revision)
    }

    /// The first revision since which this engine has been the same build as under `revision`.
    pub(crate) fn since(&self, revision: u32, engine: u16) -> u32 {
        let here = self.identity(revision);
        let same = |earlier: &u32| {
            let both = here.zip(self.identity(*earlier));
            both.is_some_and(|(here, other)| here.same_engine(engine, other, engine))
        };
        (1..revision).find(same).unwrap_or(revision)
    }

    /// Whether the engine of that revision is the one of now.
    pub(crate) fn is_current(&self, revision: u32, engine: u16) -> bool {
        let then = self.identity(revision);
        then.is_some_and(|then| then.same_engine(engine, &self.current, engine))
    }

    /// The fault, if the engine that made it is still the same build.
    pub(crate) fn strike(
        &self,
        revision: u32,
        seats: [Seat; 2],
        fault: Option<(Color, FaultKind)>,
    ) -> Option<(Color, FaultKind)> {
        fault.filter(|(side, _)| self.is_current(revision, seats[side.index()].engine))
    }

    /// The names of engines of which several builds have played. An engine that entered late has no earlier build.
    pub(crate) fn replaced_engines(&self) -> Vec<String> {
        let engines = (0..).zip(&self.current.engines);
        let several = engines.filter(|(engine, _)| {
            let takes_part = |revision: &u32| {
                let then = self.identity(*revision);
                then.is_some_and(|then| then.engines.len() > usize::from(*engine))
            };
            let builds = self.revisions().filter(takes_part);
            let builds: BTreeSet<u32> = builds
                .map(|revision| self.since(revision, *engine))
                .collect();
            builds.len() > 1
        });
        several.map(|(_, engine)| engine.name.clone()).collect()
    }
}
