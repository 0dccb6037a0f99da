//! What is known of an event: all that a page is made of, and its changes as messages.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use hyper::body::Bytes;
use serde_json::json;

use crate::analysis::Verdict;
use crate::config::Tournament;
use crate::event::live::LiveUpdate;
use crate::event::{GameId, PairId, PlayedGame, Seat};
use crate::page::PlayedMoves;
use crate::pgn::PgnDialect;
use crate::platform::proc;
use crate::report::verdict::{FirstLines, first_lines};
use crate::schedule::PairSpec;
use crate::sink::{RoundGames, SinkError};
use crate::store::{Reader, StoreError};
use crate::text::printable;
use crate::tournament::{EventState, EventView};

use super::boards::{Boards, NamedGame};
use super::http::Text;

/// Counters of changes: of the facts, of the running games, of the figures.
pub(super) type ChangeCounters = [u64; 3];

/// Where the facts come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageStage {
    /// This process plays the event.
    Playing,
    /// This process has played the event.
    Over,
    /// The event is read from the store; another process may play it.
    Stored,
}

/// What is known of an event: all that a page is made of.
#[derive(Debug)]
pub(super) struct ShownEvent {
    pub(super) folder: PathBuf,
    pub(super) view: EventView,
    pub(super) stage: PageStage,
    pub(super) boards: Boards,
    /// The pairs in the order in which they will begin.
    pub(super) coming: VecDeque<(PairId, PairSpec)>,
    /// How many of them have begun.
    begun: u64,
    /// The event as its file has it, if this process plays it.
    pub(super) tournament: Option<Arc<Tournament>>,
    /// The commitment to the draw.
    pub(super) commitment: String,
    /// On what it is played.
    pub(super) machine: Option<String>,
    /// The drawings.
    pub(super) figures: String,
    /// What went wrong in this run.
    pub(super) warnings: Vec<String>,
    /// The first lines with all statistics; only when the event is over.
    pub(super) said: FirstLines,
    pub(super) round: RoundGames,
    /// The number of times that figures were drawn.
    pub(super) drawn: u64,
    /// The versions that viewers were last sent.
    told: [u64; 2],
}

impl ShownEvent {
    /// Reads the event from its store.
    pub(super) fn read(
        reader: &Reader,
        view: EventView,
        stage: PageStage,
    ) -> Result<ShownEvent, SinkError> {
        let identity = reader.begun()?.identity;
        let name = view.read(|event| event.roster().event.clone());
        Ok(ShownEvent {
            folder: reader.folder().to_path_buf(),
            view,
            stage,
            boards: Boards::new(identity.adjudication.clone()),
            coming: VecDeque::new(),
            begun: 0,
            tournament: None,
            commitment: identity.commitment(&name),
            machine: proc::processor_name().filter(|_| stage == PageStage::Playing),
            figures: String::new(),
            warnings: Vec::new(),
            said: Vec::new(),
            round: RoundGames::read(reader, PgnDialect::Standard)?,
            drawn: 0,
            told: [0; 2],
        })
    }

    /// Takes over the drawings of the state before.
    pub(super) fn take_figures(&mut self, before: ShownEvent) {
        (self.drawn, self.told) = (before.drawn, before.told);
        self.figures = before.figures;
        self.said = before.said;
        self.warnings = before.warnings;
    }

    /// The versions of everything that texts are made of.
    pub(super) fn version(&self) -> ChangeCounters {
        [self.tables_version(), self.round.version, self.drawn]
    }

    /// Takes in a game that was stored.
    pub(super) fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        self.round.committed(game)?;
        self.begins(game.id.pair);
        Ok(())
    }

    /// Takes in an update from a running game.
    pub(super) fn hear(&mut self, update: &LiveUpdate) -> Result<(), SinkError> {
        self.round.hear(update)?;
        match update {
            LiveUpdate::Lane(told) => self.begins(told.game.pair),
            LiveUpdate::Now { games, .. } => {
                let games = games.iter();
                games.for_each(|(_, game)| self.begins(game.id.pair));
            }
        }
        let (view, round) = (&self.view, &self.round);
        self.boards
            .hear(update, &|id, seats| names(view, round, id, seats));
        Ok(())
    }

    /// A game of the pair has begun, or is over.
    fn begins(&mut self, pair: PairId) {
        // Pairs begin in about this order, so this one is near the front.
        let place = self.coming.iter().position(|(known, _)| *known == pair);
        self.begun += u64::from(place.and_then(|place| self.coming.remove(place)).is_some());
    }

    /// The first lines. While games are played they contain only values that stay valid under repeated looks; else, those
    /// of the statistics, as `status` has them.
    pub(super) fn first_lines(&self) -> FirstLines {
        self.view.read(|event| {
            let has_statistics = event.is_over() || self.stage == PageStage::Stored;
            if has_statistics && !self.said.is_empty() {
                return self.said.clone();
            }
            first_lines(&Verdict::of_event(event, None))
        })
    }

    /// What went wrong in this run, and the games that wait before they are played again.
    pub(super) fn warnings(&self) -> Vec<String> {
        let words = |event: &EventState| {
            let waiting = event.waiting.iter().map(ToString::to_string);
            self.warnings.iter().cloned().chain(waiting).collect()
        };
        self.view.read(words)
    }

    /// The version of what the tables are computed from.
    fn tables_version(&self) -> u64 {
        // One higher once the first lines have all statistics.
        let said = u64::from(!self.said.is_empty()) + self.warnings.len() as u64;
        self.view.read(EventState::version) + self.begun + said
    }

    /// What has changed since the last call, as messages.
    pub(super) fn changes(&mut self) -> String {
        let mut text = String::new();
        if let Some(changes) = self.boards.changes(Instant::now()) {
            let lost = self.boards.lost;
            let data = json!({ "boards": changes, "lost": lost });
            push_message(&mut text, "boards", &data.to_string());
        }
        let now = [self.tables_version(), self.drawn];
        for (place, name) in ["tables", "figures"].into_iter().enumerate() {
            if self.told[place] != now[place] {
                push_message(&mut text, name, &now[place].to_string());
            }
        }
        self.told = now;
        text
    }

    /// The whole state, for a viewer.
    pub(super) fn everything(&self, lost: u64) -> Bytes {
        let now = json!({
            "boards": self.boards.all(Instant::now()),
            "lost": self.boards.lost,
            "missed": lost,
            "tables": self.tables_version(),
            "figures": self.drawn,
        });
        message("now", &now.to_string())
    }

    /// One game, running or stored: `2.1.1.json`, `2.1.1.pgn`.
    pub(super) fn game(&self, file: &str) -> Option<Text> {
        let (name, kind) = file.rsplit_once('.')?;
        let id = self.round.find(name)?;
        let found = match kind {
            "json" => match self.boards.game(name, Instant::now()) {
                Some(running) => Ok(Some(running.to_string())),
                None => self.stored_game(id).map_err(SinkError::from),
            },
            "pgn" => self.round.game(id),
            _ => return None,
        };
        let text = found.unwrap_or_else(|error| {
            tracing::warn!(%error, "a game for the page cannot be read");
            None
        });
        Some(Text::new(file, text?))
    }

    fn stored_game(&self, id: GameId) -> Result<Option<String>, StoreError> {
        let reader = Reader::open(&self.folder)?;
        let Some(stored) = reader.game(id)? else {
            return Ok(None);
        };
        let (game, outcome) = (&stored.game, &stored.game.record.outcome);
        let (name, players, of_round) = names(&self.view, &self.round, id, game.seats);
        let ending = |event: &EventState| {
            let end = event.board().ending(game.seats, outcome.to_string());
            printable(&end).into_owned()
        };
        let played = PlayedMoves::new(&game.record);
        let mut value = played.json(&name, game.number, players.each_ref().map(|name| &**name));
        played.add_to(&mut value, 0, true);
        value["result"] = json!(outcome.result());
        value["end"] = json!(self.view.read(ending));
        value["playoff"] = json!(of_round.playoff);
        Ok(Some(value.to_string()))
    }
}

fn names(view: &EventView, round: &RoundGames, id: GameId, seats: [Seat; 2]) -> NamedGame {
    view.read(|event| {
        let contest = event.board().contest();
        let of_round = contest.and_then(|contest| contest.game(id.pair));
        let players = seats.map(|seat| event.roster().name(seat));
        (round.name(id), players, of_round.unwrap_or_default())
    })
}

/// A message of server-sent events.
pub(super) fn message(name: &str, data: &str) -> Bytes {
    let mut text = String::new();
    push_message(&mut text, name, data);
    Bytes::from(text)
}

/// Appends a message; the data are JSON and contain no line ends.
fn push_message(text: &mut String, name: &str, data: &str) {
    for part in ["event: ", name, "\ndata: ", data, "\n\n"] {
        text.push_str(part);
    }
}
