//! `live.pgn`: the running games and the finished games of their round, for broadcasts that poll a file or an address.
//!
//! **Invariant: a game never goes backwards.** A stored game is never replaced by updates. A game that has ended keeps its
//! moves here until it is stored. Only a game that is played again starts from its first move.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::event::live::{GameChange, LiveUpdate, RunningGame, RunningGames};
use crate::event::{ArbiterDecision, Decisions, GameId, GameNames, Named, PlayedGame};
use crate::pgn::{Comments, EngineTags, EventTags, GameEnd, PgnDialect, write_game_with};
use crate::store::{Reader, StoredGame};
use crate::tournament::is_in_rounds;

use super::pgn::{event_tags, place, text_of};
use super::{Sink, SinkError, has_rested, replace_file};

/// Maximum number of finished games kept if the event has no rounds, or if a round has more.
const MAX_FINISHED: [usize; 2] = [64, 256];

/// The games of the round that is played.
#[derive(Debug)]
pub(crate) struct RoundGames {
    folder: PathBuf,
    tags: EventTags,
    in_rounds: bool,
    /// What the arbiter has decided, up to the last decision received.
    decisions: Decisions,
    comments: Comments,
    running: RunningGames,
    /// Games that have ended and are not stored yet.
    ended: BTreeMap<GameId, RunningGame>,
    /// Texts, with their places in the order of finishing.
    finished: BTreeMap<GameId, (u64, String)>,
    /// The place of the last game that finished.
    last: u64,
    pub(crate) version: u64,
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
            running: RunningGames::default(),
            ended: BTreeMap::new(),
            finished: BTreeMap::new(),
            last: 0,
            version: 0,
        };
        games.read_finished(reader)?;
        Ok(games)
    }

    fn most(&self) -> usize {
        MAX_FINISHED[usize::from(self.in_rounds)]
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
        self.ended.remove(&game.id);
        self.version += 1;
        if self.decisions.changes(game.id) {
            return self.read_finished(&Reader::open(&self.folder)?);
        }
        self.place(game.id)?;
        let (mut text, end) = (String::new(), GameEnd::Over(None));
        write_game_with(&mut text, &self.tags, game, end, self.comments);
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
    pub(crate) fn hear(&mut self, update: &LiveUpdate) -> Result<(), SinkError> {
        let before: Vec<RunningGame> = match update {
            LiveUpdate::Now { .. } => self.running.iter().map(|(_, game)| game.clone()).collect(),
            LiveUpdate::Lane(lane_update) => match lane_update.change {
                GameChange::Thinking { .. } | GameChange::Moved { .. } => Vec::new(),
                GameChange::Game(_) | GameChange::Over(_) => {
                    Vec::from_iter(self.running.in_lane(lane_update.lane).cloned())
                }
            },
        };
        if !self.running.update(update) {
            return Ok(());
        }
        let stored = |id: &GameId| self.finished.contains_key(id);
        let before = before.into_iter().filter(|game| !stored(&game.id));
        self.ended.extend(before.map(|game| (game.id, game)));
        let running: Vec<GameId> = self.running.iter().map(|(_, game)| game.id).collect();
        for id in running {
            self.ended.remove(&id);
            self.place(id)?;
        }
        let is_thinking = |change: &GameChange| matches!(change, GameChange::Thinking { .. });
        if !matches!(update, LiveUpdate::Lane(lane_update) if is_thinking(&lane_update.change)) {
            self.version += 1;
            self.prune();
        }
        Ok(())
    }

    /// The games that are not stored.
    fn in_play(&self) -> BTreeMap<GameId, &RunningGame> {
        let running = self.running.iter().map(|(_, game)| (game.id, game));
        let ended = self.ended.iter().map(|(id, game)| (*id, game));
        let all = running.chain(ended);
        all.filter(|(id, _)| !self.finished.contains_key(id))
            .collect()
    }

    fn place(&mut self, id: GameId) -> Result<(), SinkError> {
        if self.in_rounds {
            place(&mut self.tags, id, &self.folder)
        } else {
            Ok(())
        }
    }

    /// Keeps the rounds that are being played, or else the last one; for events without rounds, the last games.
    fn prune(&mut self) {
        if self.in_rounds {
            let names = &self.tags.games;
            let in_play = self.in_play();
            let running = in_play.keys().map(|id| round_of(names, *id)).min();
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

    /// The game of this name.
    pub(crate) fn find(&self, name: &str) -> Option<GameId> {
        match self.tags.games.find(name)? {
            Named::Game(id) => Some(id),
            Named::Pair(_) => None,
        }
    }

    /// One game, running or stored.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn game(&self, id: GameId) -> Result<Option<String>, SinkError> {
        if let Some(game) = self.in_play().get(&id) {
            return Ok(Some(self.open_text(game)));
        }
        let reader = Reader::open(&self.folder)?;
        let stored = reader.game(id)?;
        let text = stored.map(|stored| text_of(&reader, &stored, self.comments));
        Ok(text.transpose()?.flatten())
    }

    fn open_text(&self, game: &RunningGame) -> String {
        let mut text = String::new();
        let so_far = game.so_far();
        write_game_with(&mut text, &self.tags, &so_far, GameEnd::Open, self.comments);
        text
    }

    /// The engines, in the order of the event file.
    pub(crate) fn engines(&self) -> &[EngineTags] {
        &self.tags.engines
    }

    /// A game's name for people.
    pub(crate) fn name(&self, id: GameId) -> String {
        self.tags.games.name(id).into()
    }

    /// All games in the order of the plan.
    pub(crate) fn text(&self) -> String {
        let in_play = self.in_play();
        let ids: BTreeSet<&GameId> = self.finished.keys().chain(in_play.keys()).collect();
        let mut out = String::new();
        for id in ids {
            match in_play.get(id) {
                None => out.push_str(&self.finished[id].1),
                Some(game) => out.push_str(&self.open_text(game)),
            }
        }
        out
    }
}

/// The round of a game.
fn round_of(names: &GameNames, id: GameId) -> u16 {
    names.place(id.pair).map_or(0, |place| place.round)
}

/// The file's name in the event's folder.
pub(crate) const FILE: &str = "live.pgn";

/// Minimum time between two versions of the file.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// Replaces the whole `live.pgn` after each change, at most once a second. A file that cannot be written is given up:
/// the event matters more.
pub(crate) struct LivePgnSink {
    games: RoundGames,
    path: PathBuf,
    written: Option<Instant>,
    version: Option<u64>,
}

impl LivePgnSink {
    /// For the event in `folder`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn new(
        reader: &Reader,
        folder: &Path,
        dialect: PgnDialect,
    ) -> Result<LivePgnSink, SinkError> {
        Ok(LivePgnSink {
            games: RoundGames::read(reader, dialect)?,
            path: folder.join(FILE),
            written: None,
            version: None,
        })
    }

    fn write_if_due(&mut self, durable: bool) -> Result<(), SinkError> {
        let rested = has_rested(self.written, WRITE_INTERVAL);
        if self.version == Some(self.games.version) || !(rested || durable) {
            return Ok(());
        }
        self.version = Some(self.games.version);
        self.written = Some(Instant::now());
        let written = replace_file(&self.path, self.games.text().as_bytes(), durable);
        written.map_err(|error| {
            let words = format!("{}: {error}", self.path.display());
            SinkError::Output(io::Error::new(error.kind(), words))
        })
    }
}

impl Sink for LivePgnSink {
    fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        self.games.committed(game)?;
        self.write_if_due(false)
    }

    fn decided(&mut self, _decisions: &[ArbiterDecision]) -> Result<(), SinkError> {
        self.games.decided()?;
        self.write_if_due(false)
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn live(&mut self, update: &LiveUpdate) -> Result<(), SinkError> {
        self.games.hear(update)?;
        self.write_if_due(false)
    }

    fn refresh(&mut self) -> Result<(), SinkError> {
        self.write_if_due(false)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.write_if_due(true)
    }
}
