//! What is known of an event, and the texts made of it.

use std::collections::VecDeque;
use std::time::Instant;

use hyper::body::Bytes;
use serde_json::json;

use crate::event::live::LiveUpdate;
use crate::event::{GameId, PlayedGame, Seat};
use crate::page::PlayedMoves;
use crate::pgn::PgnDialect;
use crate::platform::{machine, read_text_untrusted};
use crate::report::verdict::FirstLines;
use crate::sink::{RoundGames, SinkError, crosstable_json, schedule_json, standings_json};
use crate::store::{Reader, StoreError};
use crate::text::printable;
use crate::tournament::{EventState, EventView};

use super::boards::Boards;
use super::document;
use super::http::Text;
use super::parts::{FinishedGame, PageParts, PageStage, UpcomingPairs};

/// Maximum number of finished games that are listed.
const LISTED: usize = 30;

/// The addresses of the page, which shows other parts of itself at each.
pub(super) const VIEWS: [&str; 4] = ["", "wall", "start", "overlay"];

/// Counters of changes: of the facts, of the running games, of the figures.
pub(super) type ChangeCounters = [u64; 3];

/// What is known of an event.
#[derive(Debug)]
pub(super) struct ShownEvent {
    pub(super) page: PageParts,
    round: RoundGames,
    /// The number of times that figures were drawn.
    drawn: u64,
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
        let mut boards = Boards::default();
        boards.rules = identity.adjudication.without_tables();
        let round = RoundGames::read(reader, PgnDialect::Standard)?;
        let page = PageParts {
            folder: reader.folder().to_path_buf(),
            view,
            stage,
            boards,
            finished: VecDeque::new(),
            coming: UpcomingPairs::default(),
            tournament: None,
            engines: round.engines().to_vec(),
            commitment: identity.commitment(&name),
            machine: machine::processor_name().filter(|_| stage == PageStage::Playing),
            figures: String::new(),
            warnings: Vec::new(),
            said: Vec::new(),
        };
        let mut shown = ShownEvent {
            page,
            round,
            drawn: 0,
            told: [0; 2],
        };
        shown.list(reader)?;
        Ok(shown)
    }

    /// Takes over the drawings of the state before.
    pub(super) fn take_figures(&mut self, before: ShownEvent) {
        self.drawn = before.drawn;
        self.page.figures = before.page.figures;
        self.page.said = before.page.said;
        self.page.warnings = before.page.warnings;
    }

    /// Replaces the drawings.
    pub(super) fn set_figures(&mut self, figures: String, said: FirstLines) {
        self.drawn += 1;
        self.page.figures = figures;
        self.page.said = said;
    }

    /// Marks the event as over: nothing follows.
    pub(super) fn end(&mut self) {
        if self.page.stage == PageStage::Playing {
            self.page.stage = PageStage::Over;
        }
    }

    /// The versions of everything that texts are made of.
    pub(super) fn version(&self) -> ChangeCounters {
        [self.tables_version(), self.round.version(), self.drawn]
    }

    /// Takes in a game that was stored.
    pub(super) fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        self.round.committed(game)?;
        self.page.coming.begins(game.id.pair);
        let playing = |event: &EventState| event.roster().decisions.playing(game.id);
        let finished = self.finished(game, self.page.view.read(playing));
        self.page.finished.push_front(finished);
        self.page.finished.truncate(LISTED);
        Ok(())
    }

    fn finished(&self, game: &PlayedGame, playing: u32) -> FinishedGame {
        let (name, players) = names(&self.page.view, &self.round, game.id, game.seats);
        FinishedGame {
            name,
            number: game.number,
            players,
            seats: game.seats,
            id: game.id,
            playing,
            played: game.record.outcome.clone(),
        }
    }

    /// Takes in a decision of the arbiter.
    pub(super) fn decided(&mut self) -> Result<(), SinkError> {
        self.round.decided()?;
        self.page.engines = self.round.engines().to_vec();
        let reader = Reader::open(&self.page.folder)?;
        Ok(self.list(&reader)?)
    }

    /// Reads the last games of the store.
    fn list(&mut self, reader: &Reader) -> Result<(), StoreError> {
        self.page.finished.clear();
        let after = reader.last_place()?.saturating_sub(LISTED as u64);
        for stored in reader.games_after(after) {
            let stored = stored?;
            let finished = self.finished(&stored.game, stored.playing);
            self.page.finished.push_front(finished);
        }
        Ok(())
    }

    /// Takes in an update from a running game.
    pub(super) fn hear(&mut self, update: &LiveUpdate) -> Result<(), SinkError> {
        self.round.hear(update)?;
        let page = &mut self.page;
        match update {
            LiveUpdate::Lane(lane_update) => page.coming.begins(lane_update.game.pair),
            LiveUpdate::Now { games, .. } => {
                let running = games.iter();
                running.for_each(|(_, game)| page.coming.begins(game.id.pair));
            }
        }
        let (view, round) = (&page.view, &self.round);
        page.boards
            .hear(update, &|id, seats| names(view, round, id, seats));
        Ok(())
    }

    /// The version of what the tables are computed from.
    fn tables_version(&self) -> u64 {
        // One higher once the first lines have all statistics.
        let page = &self.page;
        let said = u64::from(!page.said.is_empty()) + page.warnings.len() as u64;
        page.view.read(EventState::version) + page.coming.begun + said
    }

    /// What has changed since the last call, as messages.
    pub(super) fn changes(&mut self) -> String {
        let mut text = String::new();
        if let Some(changes) = self.page.boards.changes(Instant::now()) {
            let lost = self.page.boards.lost;
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
            "boards": self.page.boards.all(Instant::now()),
            "lost": self.page.boards.lost,
            "missed": lost,
            "tables": self.tables_version(),
            "figures": self.drawn,
        });
        message("now", &now.to_string())
    }

    /// The text at an address; `None` for an unknown address.
    pub(super) fn text(&self, address: &str) -> Option<Text> {
        let view = &self.page.view;
        let text = match address {
            _ if VIEWS.contains(&address) => document::page(&self.page),
            "tables.html" => document::tables(&self.page).into_string(),
            "figures.html" => self.page.figures.clone(),
            "pairings.html" => document::pairings_page(&self.page)?,
            "live.pgn" => self.round.text(),
            "standings.json" => {
                // An event that is not played here: the text that its run has written, with the results of the
                // statistics.
                let written = (self.page.stage != PageStage::Playing)
                    .then(|| read_text_untrusted(&self.page.folder.join(address)).ok());
                let made = || view.read(|event| standings_json(event, event.running()));
                written.flatten().unwrap_or_else(made)
            }
            "crosstable.json" => view.read(|event| crosstable_json(event.roster(), event.board())),
            "schedule.json" => view.read(|event| schedule_json(event.roster(), event.board()))?,
            _ => return None,
        };
        Some(Text::named(address, text))
    }

    /// One game, running or stored: `2.1.1.json`, `2.1.1.pgn`.
    pub(super) fn game(&self, file: &str) -> Option<Text> {
        let (name, kind) = file.rsplit_once('.')?;
        let id = self.round.find(name)?;
        let found = match kind {
            "json" => match self.page.boards.game(name, Instant::now()) {
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
        Some(Text::named(file, text?))
    }

    fn stored_game(&self, id: GameId) -> Result<Option<String>, StoreError> {
        let reader = Reader::open(&self.page.folder)?;
        let Some(stored) = reader.game(id)? else {
            return Ok(None);
        };
        let listed = self.finished(&stored.game, stored.playing);
        let (result, end) = self.page.view.read(|event| listed.end(event));
        let played = PlayedMoves::new(&stored.game.record);
        let players = listed.players.each_ref().map(|name| &**name);
        let mut value = played.json(&listed.name, stored.game.number, players);
        played.add_to(&mut value, 0, true);
        value["result"] = json!(result);
        value["end"] = json!(printable(&end));
        Ok(Some(value.to_string()))
    }
}

fn names(
    view: &EventView,
    round: &RoundGames,
    id: GameId,
    seats: [Seat; 2],
) -> (String, [String; 2]) {
    let players = view.read(|event| seats.map(|seat| event.roster().name(seat)));
    (round.name(id), players)
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
