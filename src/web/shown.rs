//! What is known of an event, and the texts made of it.

use std::time::Instant;

use hyper::body::Bytes;
use serde_json::json;

use crate::event::live::LiveUpdate;
use crate::event::{GameId, PlayedGame, Seat};
use crate::page::PlayedMoves;
use crate::pgn::PgnDialect;
use crate::platform::{proc, read_text_untrusted};
use crate::sink::{RoundGames, SinkError, crosstable_json, schedule_json, standings_json};
use crate::store::{Reader, StoreError};
use crate::text::printable;
use crate::tournament::{EventState, EventView};

use super::boards::{Boards, NamedGame};
use super::document;
use super::http::Text;
use super::parts::{PageStage, ShownEvent, UpcomingPairs};

/// The addresses of the page, which shows other parts of itself at each.
pub(super) const VIEWS: [&str; 5] = ["", "wall", "start", "overlay", "desk"];

/// Counters of changes: of the facts, of the running games, of the figures.
pub(super) type ChangeCounters = [u64; 3];

impl ShownEvent {
    /// Reads the event from its store.
    pub(super) fn read(
        reader: &Reader,
        view: EventView,
        stage: PageStage,
    ) -> Result<ShownEvent, SinkError> {
        let identity = reader.begun()?.identity;
        let name = view.read(|event| event.roster().event.clone());
        let mut boards = Boards::default();
        boards.rules = identity.adjudication.without_tables();
        let round = RoundGames::read(reader, PgnDialect::Standard)?;
        Ok(ShownEvent {
            folder: reader.folder().to_path_buf(),
            view,
            stage,
            boards,
            coming: UpcomingPairs::default(),
            tournament: None,
            engines: round.engines().to_vec(),
            commitment: identity.commitment(&name),
            machine: proc::processor_name().filter(|_| stage == PageStage::Playing),
            figures: String::new(),
            warnings: Vec::new(),
            said: Vec::new(),
            round,
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
        self.coming.begins(game.id.pair);
        Ok(())
    }

    /// Takes in a decision of the arbiter.
    pub(super) fn decided(&mut self) -> Result<(), SinkError> {
        self.round.decided()?;
        self.engines = self.round.engines().to_vec();
        Ok(())
    }

    /// Takes in an update from a running game.
    pub(super) fn hear(&mut self, update: &LiveUpdate) -> Result<(), SinkError> {
        self.round.hear(update)?;
        match update {
            LiveUpdate::Lane(lane_update) => self.coming.begins(lane_update.game.pair),
            LiveUpdate::Now { games, .. } => {
                let running = games.iter();
                running.for_each(|(_, game)| self.coming.begins(game.id.pair));
            }
        }
        let (view, round) = (&self.view, &self.round);
        self.boards
            .hear(update, &|id, seats| names(view, round, id, seats));
        Ok(())
    }

    /// The version of what the tables are computed from.
    fn tables_version(&self) -> u64 {
        // One higher once the first lines have all statistics.
        let said = u64::from(!self.said.is_empty()) + self.warnings.len() as u64;
        self.view.read(EventState::version) + self.coming.begun + said
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

    /// The text at an address; `None` for an unknown address.
    pub(super) fn text(&self, address: &str) -> Option<Text> {
        let view = &self.view;
        let text = match address {
            _ if VIEWS.contains(&address) => document::page(self),
            "tables.html" => document::tables(self).into_string(),
            "figures.html" => self.figures.clone(),
            "pairings.html" => document::pairings_page(self)?,
            "live.pgn" => self.round.text(),
            "standings.json" => {
                // An event that is not played here: the text that its run has written, with the results of the
                // statistics.
                let written = (self.stage != PageStage::Playing)
                    .then(|| read_text_untrusted(&self.folder.join(address)).ok());
                let made = || view.read(|event| standings_json(event, event.running()));
                written.flatten().unwrap_or_else(made)
            }
            "crosstable.json" => view.read(|event| crosstable_json(event.roster(), event.board())),
            "schedule.json" => view.read(|event| schedule_json(event.roster(), event.board()))?,
            _ => return None,
        };
        Some(Text::new(address, text))
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
        let (game, record) = (&stored.game, &stored.game.record);
        let (name, players, _) = names(&self.view, &self.round, id, game.seats);
        let played = PlayedMoves::new(record);
        let mut value = played.json(&name, game.number, players.each_ref().map(|name| &**name));
        let result = record.outcome.result();
        let end = record.outcome.to_string();
        let end = self
            .view
            .read(|event| event.board().ending(game.seats, end).into_owned());
        played.add_to(&mut value, 0, true);
        value["result"] = json!(result);
        value["end"] = json!(printable(&end));
        Ok(Some(value.to_string()))
    }
}

fn names(view: &EventView, round: &RoundGames, id: GameId, seats: [Seat; 2]) -> NamedGame {
    let (players, rules) = view.read(|event| {
        let rules = event.board().contest();
        let rules = rules.and_then(|contest| contest.adjudication(id.pair));
        (seats.map(|seat| event.roster().name(seat)), rules)
    });
    (round.name(id), players, rules)
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
