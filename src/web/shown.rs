//! What is known of an event, and the texts made of it.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Instant;

use hyper::body::Bytes;
use serde_json::json;

use super::boards::Boards;
use super::coming::{Coming, ComingPair};
use super::document::{self, FinishedGame, PageStage};
use super::text::Text;
use crate::event::live::Update;
use crate::event::{GameId, PlayedGame, Seat};
use crate::pgn::PgnDialect;
use crate::platform::text_of_strangers;
use crate::report::verdict::FirstLines;
use crate::sink::{RoundGames, SinkError, crosstable_json, schedule_json, standings_json};
use crate::store::{Reader, StoreError};
use crate::tournament::{EventState, EventView};

/// Maximum number of finished games that are listed.
const LISTED: usize = 30;

/// Counters of changes: of the facts, of the running games, of the figures.
pub(super) type ChangeCounters = [u64; 3];

/// What is known of an event.
#[derive(Debug)]
pub(super) struct ShownEvent {
    pub(super) folder: PathBuf,
    pub(super) view: EventView,
    stage: PageStage,
    boards: Boards,
    round: RoundGames,
    finished: VecDeque<FinishedGame>,
    coming: Coming,
    /// Drawings, and the number of times they were made.
    figures: (String, u64),
    /// What went wrong in this run.
    warnings: Vec<String>,
    /// The first lines with all statistics, of an event that is over.
    said: FirstLines,
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
        let mut shown = ShownEvent {
            folder: reader.folder().to_path_buf(),
            view,
            stage,
            boards: Boards::default(),
            round: RoundGames::read(reader, PgnDialect::Standard)?,
            finished: VecDeque::new(),
            coming: Coming::default(),
            figures: Default::default(),
            warnings: Vec::new(),
            said: Vec::new(),
            told: [0; 2],
        };
        shown.list(reader)?;
        Ok(shown)
    }

    /// Takes over the drawings of the state before.
    pub(super) fn take_figures(&mut self, before: ShownEvent) {
        self.figures = before.figures;
        self.said = before.said;
        self.warnings = before.warnings;
    }

    /// Sets the pairs that will be played.
    pub(super) fn expect(&mut self, pairs: Vec<ComingPair>) {
        self.coming = Coming::new(pairs);
    }

    /// Replaces the drawings.
    pub(super) fn set_figures(&mut self, figures: String, said: FirstLines) {
        self.figures = (figures, self.figures.1 + 1);
        self.said = said;
    }

    /// Shows these words above the tables.
    pub(super) fn warn(&mut self, words: &str) {
        self.warnings.push(words.to_owned());
    }

    /// Marks the event as over: nothing follows.
    pub(super) fn end(&mut self) {
        if self.stage == PageStage::Playing {
            self.stage = PageStage::Over;
        }
    }

    /// Whether this process has played it, and nothing follows.
    pub(super) fn is_over(&self) -> bool {
        self.stage == PageStage::Over
    }

    /// The versions of everything that texts are made of.
    pub(super) fn version(&self) -> ChangeCounters {
        [self.tables_version(), self.round.version(), self.figures.1]
    }

    /// Takes in a game that was stored.
    pub(super) fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        self.round.committed(game)?;
        self.coming.begins(game.id.pair);
        let finished = self.finished(game);
        self.finished.push_front(finished);
        self.finished.truncate(LISTED);
        Ok(())
    }

    fn finished(&self, game: &PlayedGame) -> FinishedGame {
        let (name, players) = self.names(game.id, game.seats);
        FinishedGame {
            name,
            number: game.number.map(|number| number.0),
            players,
            result: game.record.outcome.result(),
            end: game.record.outcome.to_string(),
        }
    }

    /// Takes in a decision of the arbiter.
    pub(super) fn decided(&mut self) -> Result<(), SinkError> {
        self.round.decided()?;
        let reader = Reader::open(&self.folder)?;
        Ok(self.list(&reader)?)
    }

    /// Reads the last games of the store.
    fn list(&mut self, reader: &Reader) -> Result<(), StoreError> {
        self.finished.clear();
        let after = reader.last_place()?.saturating_sub(LISTED as u64);
        for stored in reader.games_after(after) {
            let finished = self.finished(&stored?.game);
            self.finished.push_front(finished);
        }
        Ok(())
    }

    /// Takes in an update from a running game.
    pub(super) fn hear(&mut self, update: &Update) -> Result<(), SinkError> {
        self.round.hear(update)?;
        match update {
            Update::Glimpse(glimpse) => self.coming.begins(glimpse.game.pair),
            Update::Now { games, .. } => {
                let running = games.iter();
                running.for_each(|(_, game)| self.coming.begins(game.id.pair));
            }
        }
        let (view, round) = (&self.view, &self.round);
        self.boards
            .hear(update, &|id, seats| names(view, round, id, seats));
        Ok(())
    }

    fn names(&self, id: GameId, seats: [Seat; 2]) -> (String, [String; 2]) {
        names(&self.view, &self.round, id, seats)
    }

    /// The version of what the tables are computed from.
    fn tables_version(&self) -> u64 {
        // One higher once the first lines have all statistics.
        let said = u64::from(!self.said.is_empty()) + self.warnings.len() as u64;
        self.view.read(EventState::version) + self.coming.version() + said
    }

    /// What has changed since the last call, as messages.
    pub(super) fn changes(&mut self) -> String {
        let mut text = String::new();
        if let Some(changes) = self.boards.changes(Instant::now()) {
            let lost = self.boards.lost();
            let data = json!({ "boards": changes, "lost": lost });
            push_message(&mut text, "boards", &data.to_string());
        }
        let now = [self.tables_version(), self.figures.1];
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
            "lost": self.boards.lost(),
            "missed": lost,
            "tables": self.tables_version(),
            "figures": self.figures.1,
        });
        message("now", &now.to_string())
    }

    /// The text at an address; `None` for an unknown address.
    pub(super) fn text(&self, address: &str) -> Option<Text> {
        const JSON: &str = "application/json";
        const HTML: &str = "text/html; charset=utf-8";
        let read = |text: &dyn Fn(&EventState) -> String| self.view.read(text);
        Some(match address {
            "" => Text::new(HTML, document::page(&self.parts())),
            "tables.html" => Text::new(HTML, document::tables(&self.parts()).into_string()),
            "figures.html" => Text::new(HTML, self.figures.0.clone()),
            "live.pgn" => Text::new("application/x-chess-pgn", self.round.text()),
            "standings.json" => {
                // An event that is not played here: the text that its run has written, with the results of the
                // statistics.
                let written = (self.stage != PageStage::Playing)
                    .then(|| text_of_strangers(&self.folder.join(address)).ok());
                let text = written.flatten();
                let text =
                    text.unwrap_or_else(|| read(&|event| standings_json(event, event.running())));
                Text::new(JSON, text)
            }
            "crosstable.json" => {
                let text = read(&|event| crosstable_json(event.roster(), event.board()));
                Text::new(JSON, text)
            }
            "schedule.json" => {
                let text = self
                    .view
                    .read(|event| schedule_json(event.roster(), event.board()));
                Text::new(JSON, text?)
            }
            _ => return None,
        })
    }

    fn parts(&self) -> document::PageParts<'_> {
        document::PageParts {
            folder: &self.folder,
            view: &self.view,
            stage: self.stage,
            boards: &self.boards,
            finished: &self.finished,
            coming: &self.coming,
            figures: &self.figures.0,
            warnings: &self.warnings,
            said: &self.said,
            has_report: has_report(&self.folder),
        }
    }
}

fn has_report(folder: &Path) -> bool {
    folder.join("report.html").is_file()
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
