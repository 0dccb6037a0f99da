//! The games of the present round, finished and running.
//!
//! **Invariant: a game never goes backwards.** The stored part of a game is never replaced by glimpses. A game that has
//! ended keeps its moves here until it is stored. Moves whose glimpses were lost are taken from the next glimpse with
//! the whole game. Only a game that is played again starts from its first move.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::game_in_play::GameInPlay;
use crate::event::live::{Live, RunningGame, RunningGames, Update};
use crate::event::{Decisions, GameId, GameNames, PlayedGame};
use crate::pgn::{Comments, EventTags, PgnDialect, write_game_with, write_running_game};
use crate::sink::SinkError;
use crate::sink::pgn::{event_tags, text_of};
use crate::store::{Reader, StoredGame};
use crate::tournament::{game_names, is_in_rounds};

/// Maximum number of finished games kept if the event has no rounds, or if a round has more.
const FINISHED: [usize; 2] = [64, 256];

/// The games of the round that is played.
#[derive(Debug)]
pub(crate) struct RoundGames {
    folder: PathBuf,
    tags: EventTags,
    in_rounds: bool,
    /// What the arbiter has decided, up to the last decision received.
    decisions: Decisions,
    comments: Comments,
    /// Put together from glimpses.
    heard: RunningGames,
    in_play: BTreeMap<GameId, GameInPlay>,
    /// Texts, with their places in the order of finishing.
    finished: BTreeMap<GameId, (u64, String)>,
    /// The place of the last game that finished.
    last: u64,
    version: u64,
}

impl RoundGames {
    /// The last games of a stored event.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn read(reader: &Reader, dialect: PgnDialect) -> Result<RoundGames, SinkError> {
        // What a broadcast shows. How long each move took follows from the clocks.
        let comments = Comments {
            time: false,
            ..Comments::default()
        };
        let mut games = RoundGames {
            folder: reader.folder().to_path_buf(),
            tags: event_tags(reader, reader.revision()?)?,
            in_rounds: is_in_rounds(reader)?,
            decisions: reader.decisions().clone(),
            comments: comments.in_dialect(dialect),
            heard: RunningGames::default(),
            in_play: BTreeMap::new(),
            finished: BTreeMap::new(),
            last: 0,
            version: 0,
        };
        games.read_finished(reader)?;
        Ok(games)
    }

    fn most(&self) -> usize {
        FINISHED[usize::from(self.in_rounds)]
    }

    /// The finished games as the store has them now.
    fn read_finished(&mut self, reader: &Reader) -> Result<(), SinkError> {
        self.finished.clear();
        self.last = reader.last_place()?;
        let first = self.last.saturating_sub(self.most() as u64);
        for stored in reader.games_after(first) {
            let stored = stored?;
            self.last = self.last.max(stored.sequence);
            self.finish(reader, &stored)?;
        }
        self.prune();
        Ok(())
    }

    fn finish(&mut self, reader: &Reader, stored: &StoredGame) -> Result<(), SinkError> {
        let id = stored.game.id;
        match text_of(reader, stored, self.comments)? {
            Some(text) => drop(self.finished.insert(id, (stored.sequence, text))),
            None => drop(self.finished.remove(&id)),
        }
        Ok(())
    }

    /// A game is stored.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        self.in_play.remove(&game.id);
        self.version += 1;
        if self.decisions.changes(game.id) {
            return self.read_finished(&Reader::open(&self.folder)?);
        }
        self.place(game.id)?;
        let mut text = String::new();
        write_game_with(&mut text, &self.tags, game, None, self.comments);
        self.last += 1;
        self.finished.insert(game.id, (self.last, text));
        self.prune();
        Ok(())
    }

    /// The arbiter has decided something: finished games may have other results, or are played again.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn decided(&mut self) -> Result<(), SinkError> {
        let reader = Reader::open(&self.folder)?;
        self.tags = event_tags(&reader, reader.revision()?)?;
        self.decisions = reader.decisions().clone();
        self.read_finished(&reader)?;
        self.version += 1;
        Ok(())
    }

    /// An update of the running games.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn hear(&mut self, update: &Update) -> Result<(), SinkError> {
        if !self.heard.update(update) {
            return Ok(());
        }
        match update {
            Update::Now { games, .. } => {
                for (_, game) in games.iter() {
                    self.whole(game)?;
                }
            }
            Update::Glimpse(glimpse) => match &glimpse.live {
                Live::Game(game) => self.whole(game)?,
                Live::Moved {
                    chess_move,
                    clocks,
                    thinking,
                    ..
                } => {
                    if let Some(game) = self.in_play.get_mut(&glimpse.game) {
                        game.moved(*chess_move, *clocks, thinking, glimpse.at);
                        self.version += 1;
                    }
                }
                Live::Thinking { .. } | Live::Over(_) => {}
            },
        }
        Ok(())
    }

    fn whole(&mut self, game: &RunningGame) -> Result<(), SinkError> {
        if self.finished.contains_key(&game.id) {
            // The glimpse was sent before the game was stored, and arrived afterwards.
            return Ok(());
        }
        self.place(game.id)?;
        match self.in_play.get_mut(&game.id) {
            Some(known) if known.is_begun_by(game) => known.take_in(game),
            _ => drop(self.in_play.insert(game.id, GameInPlay::new(game))),
        }
        self.prune();
        self.version += 1;
        Ok(())
    }

    /// The places of pairs chosen since then are read from the store, where they were written before the first game of
    /// the pair.
    fn place(&mut self, id: GameId) -> Result<(), SinkError> {
        if self.in_rounds && self.tags.games.place(id.pair).is_none() {
            self.tags.games = game_names(&Reader::open(&self.folder)?)?;
        }
        Ok(())
    }

    /// Keeps the rounds that are being played, or else the last one; for events without rounds, the last games.
    fn prune(&mut self) {
        if self.in_rounds {
            let names = &self.tags.games;
            let running = self.in_play.keys().map(|id| round_of(names, *id)).min();
            let last = self.finished.keys().map(|id| round_of(names, *id)).max();
            let first = running.or(last).unwrap_or(0);
            self.finished.retain(|id, _| round_of(names, *id) >= first);
        }
        let mut places: Vec<u64> = self.finished.values().map(|(place, _)| *place).collect();
        if places.len() > self.most() {
            places.sort_unstable();
            let first = places[places.len() - self.most()];
            self.finished.retain(|_, (place, _)| *place >= first);
        }
    }

    /// A game's name for people.
    pub(crate) fn name(&self, id: GameId) -> String {
        self.tags.games.name(id).into()
    }

    /// Changes with the text.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// All games in the order of the plan.
    pub(crate) fn text(&self) -> String {
        let ids = self.finished.keys().chain(self.in_play.keys());
        let ids: BTreeSet<GameId> = ids.copied().collect();
        let mut out = String::new();
        for id in ids {
            match (self.finished.get(&id), self.in_play.get(&id)) {
                (Some((_, text)), _) => out.push_str(text),
                (None, Some(game)) => {
                    write_running_game(&mut out, &self.tags, game.played(), self.comments);
                }
                (None, None) => {}
            }
        }
        out
    }
}

/// The round of a game.
fn round_of(names: &GameNames, id: GameId) -> u16 {
    names.place(id.pair).map_or(0, |place| place.round)
}
