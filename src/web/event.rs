//! All that is shown of one event.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use hyper::body::Bytes;
use serde_json::json;
use tokio::sync::mpsc::Receiver;

use super::boards::Boards;
use super::document;
use super::text::Text;
use super::viewers::Viewers;
use crate::event::live::Update;
use crate::event::{GameId, PlayedGame, Seat};
use crate::pgn::PgnDialect;
use crate::sink::{RoundGames, SinkError, crosstable_json, schedule_json, standings_json};
use crate::store::{Reader, StoreError};
use crate::tournament::{EventState, EventView};

/// Finished games that are listed.
const LISTED: usize = 30;

/// An event on its page: fed by whoever hears of it, read by whoever looks.
#[derive(Debug, Default)]
pub struct LiveEvent {
    viewers: Viewers,
    shown: Mutex<Option<Shown>>,
    texts: Mutex<HashMap<&'static str, (Version, Arc<Text>)>>,
    /// Somebody has looked since figures were drawn.
    wanted: AtomicBool,
}

/// What changes with the facts, with the games that run, and with the figures.
type Version = [u64; 3];

#[derive(Debug)]
struct Shown {
    folder: PathBuf,
    view: EventView,
    stage: Stage,
    boards: Boards,
    round: RoundGames,
    finished: VecDeque<Finished>,
    /// Drawings, and how often they were made.
    figures: (String, u64),
    /// What viewers were told of.
    told: [u64; 2],
}

/// Where the facts come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// This process plays it.
    Playing,
    /// This process has played it.
    Over,
    /// From the store; another process may play it.
    Stored,
}

/// A game in the list of results.
#[derive(Debug, Clone)]
pub(super) struct Finished {
    pub(super) name: String,
    pub(super) number: Option<u32>,
    pub(super) players: [String; 2],
    pub(super) result: &'static str,
    pub(super) end: String,
}

impl LiveEvent {
    /// The event as its store has it now; `view` is read from then on.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn begin(&self, reader: &Reader, view: EventView, playing: bool) -> Result<(), SinkError> {
        let round = RoundGames::read(reader, PgnDialect::Standard)?;
        let mut shown = Shown {
            folder: reader.folder().to_path_buf(),
            view,
            stage: if playing {
                Stage::Playing
            } else {
                Stage::Stored
            },
            boards: Boards::default(),
            round,
            finished: VecDeque::new(),
            figures: Default::default(),
            told: [0; 2],
        };
        shown.list(reader)?;
        let mut guard = self.lock();
        if let Some(old) = guard.take() {
            shown.figures = old.figures;
        }
        *guard = Some(shown);
        drop(guard);
        self.wanted.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// A game is stored.
    pub(super) fn committed(&self, game: &PlayedGame) {
        self.change("a finished game", |shown| shown.committed(game));
    }

    /// The arbiter has decided something.
    pub(super) fn decided(&self) {
        self.change("a decision", |shown| {
            shown.round.decided()?;
            let reader = Reader::open(&shown.folder)?;
            Ok(shown.list(&reader)?)
        });
    }

    /// Something passed in the games that run.
    pub(super) fn hear(&self, update: &Update) {
        self.change("what runs", |shown| shown.hear(update));
    }

    /// The run is over: viewers are told, and nothing follows.
    pub(super) fn end(&self) {
        self.change("the end", |shown| {
            if shown.stage == Stage::Playing {
                shown.stage = Stage::Over;
            }
            Ok(())
        });
        self.tell();
        if let Some(shown) = self.lock().as_ref() {
            self.viewers
                .tell(&message("over", "{}"), |lost| shown.everything(lost));
        }
        self.viewers.dismiss();
    }

    fn change(&self, what: &str, change: impl FnOnce(&mut Shown) -> Result<(), SinkError>) {
        if let Some(shown) = self.lock().as_mut()
            && let Err(error) = change(shown)
        {
            tracing::warn!(%error, "the page could not take in {what}");
        }
    }

    /// Tells viewers what has changed since the last time.
    pub(super) fn tell(&self) {
        if self.viewers.count() == 0 {
            return;
        }
        let mut guard = self.lock();
        let Some(shown) = guard.as_mut() else { return };
        let changes = shown.boards.changes(Instant::now());
        let mut text = String::new();
        if let Some(changes) = changes {
            let lost = shown.boards.lost();
            push_message(
                &mut text,
                "boards",
                &json!({ "boards": changes, "lost": lost }).to_string(),
            );
        }
        let now = [shown.view.read(EventState::version), shown.figures.1];
        for (place, name) in ["tables", "figures"].into_iter().enumerate() {
            if shown.told[place] != now[place] {
                push_message(&mut text, name, &now[place].to_string());
            }
        }
        shown.told = now;
        if !text.is_empty() {
            let shown = &*shown;
            self.viewers
                .tell(&Bytes::from(text), |lost| shown.everything(lost));
        }
    }

    /// A line that says nothing, so that nobody thinks the connection is dead.
    pub(super) fn keep_alive(&self) {
        if let Some(shown) = self.lock().as_ref() {
            let silence = Bytes::from_static(b":\n\n");
            self.viewers.tell(&silence, |lost| shown.everything(lost));
        }
    }

    /// One more viewer, who is told all that is shown; `None` before there is anything.
    pub(super) fn join(&self) -> Option<Receiver<Bytes>> {
        self.wanted.store(true, Ordering::Relaxed);
        let guard = self.lock();
        let shown = guard.as_ref()?;
        let first = shown.everything(0);
        let messages = self.viewers.add(first);
        if shown.stage == Stage::Over {
            self.viewers
                .tell(&message("over", "{}"), |lost| shown.everything(lost));
            self.viewers.dismiss();
        }
        Some(messages)
    }

    /// Whether figures are wanted: somebody looks, or has looked since this was asked.
    pub(super) fn wants_figures(&self) -> bool {
        self.wanted.swap(false, Ordering::Relaxed) || self.viewers.count() > 0
    }

    /// Where the event is, and what figures of it would show.
    pub(super) fn place(&self) -> Option<(PathBuf, u64)> {
        let guard = self.lock();
        let shown = guard.as_ref()?;
        Some((shown.folder.clone(), shown.view.read(EventState::version)))
    }

    /// New drawings.
    pub(super) fn set_figures(&self, figures: String) {
        if let Some(shown) = self.lock().as_mut() {
            shown.figures = (figures, shown.figures.1 + 1);
        }
    }

    /// The folder of the event.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        self.lock().as_ref().map(|shown| shown.folder.clone())
    }

    /// The state of the event.
    pub(super) fn view(&self) -> Option<EventView> {
        self.lock().as_ref().map(|shown| shown.view.clone())
    }

    /// The event's name; nothing before it has begun.
    pub(super) fn title(&self) -> Option<String> {
        let view = self.view()?;
        Some(view.read(|event| event.roster().event.clone()))
    }

    /// The text at an address of the event; made anew where something has changed since. `None` where
    /// there is none.
    pub(super) fn text(&self, address: &'static str) -> Option<Arc<Text>> {
        let guard = self.lock();
        let shown = guard.as_ref()?;
        let version = shown.version();
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        // Clocks run in it.
        let is_fresh = |known: &Version| *known == version && !address.is_empty();
        if let Some((_, text)) = texts.get(address).filter(|(known, _)| is_fresh(known)) {
            return Some(Arc::clone(text));
        }
        if matches!(address, "" | "figures.html") {
            self.wanted.store(true, Ordering::Relaxed);
        }
        let text = Arc::new(shown.text(address)?);
        texts.insert(address, (version, Arc::clone(&text)));
        Some(text)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Shown>> {
        // A page that missed something is told it again later.
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shown {
    fn version(&self) -> Version {
        let facts = self.view.read(EventState::version);
        [facts, self.round.version(), self.figures.1]
    }

    fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        self.round.committed(game)?;
        let finished = self.finished(game);
        self.finished.push_front(finished);
        self.finished.truncate(LISTED);
        Ok(())
    }

    fn finished(&self, game: &PlayedGame) -> Finished {
        let (name, players) = self.names(game.id, game.seats);
        Finished {
            name,
            number: game.number.map(|number| number.0),
            players,
            result: game.record.outcome.result(),
            end: game.record.outcome.to_string(),
        }
    }

    /// The last games of the store.
    fn list(&mut self, reader: &Reader) -> Result<(), StoreError> {
        self.finished.clear();
        let after = reader.last_place()?.saturating_sub(LISTED as u64);
        for stored in reader.games_after(after) {
            let finished = self.finished(&stored?.game);
            self.finished.push_front(finished);
        }
        Ok(())
    }

    fn hear(&mut self, update: &Update) -> Result<(), SinkError> {
        self.round.hear(update)?;
        let (view, round) = (&self.view, &self.round);
        self.boards
            .hear(update, &|id, seats| names(view, round, id, seats));
        Ok(())
    }

    fn names(&self, id: GameId, seats: [Seat; 2]) -> (String, [String; 2]) {
        names(&self.view, &self.round, id, seats)
    }

    /// All that a viewer has to know.
    fn everything(&self, lost: u64) -> Bytes {
        let now = json!({
            "boards": self.boards.all(Instant::now()),
            "lost": self.boards.lost(),
            "missed": lost,
            "tables": self.view.read(EventState::version),
            "figures": self.figures.1,
        });
        message("now", &now.to_string())
    }

    fn text(&self, address: &str) -> Option<Text> {
        const JSON: &str = "application/json";
        const HTML: &str = "text/html; charset=utf-8";
        let read = |text: &dyn Fn(&EventState) -> String| self.view.read(text);
        Some(match address {
            "" => Text::new(HTML, document::page(&self.parts())),
            "tables.html" => Text::new(HTML, document::tables(&self.parts()).into_string()),
            "figures.html" => Text::new(HTML, self.figures.0.clone()),
            "live.pgn" => Text::new("application/x-chess-pgn", self.round.text()),
            "standings.json" => {
                let text =
                    read(&|event| standings_json(event.roster(), event.board(), event.running()));
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

    fn parts(&self) -> document::Parts<'_> {
        document::Parts {
            folder: &self.folder,
            view: &self.view,
            stage: self.stage,
            boards: &self.boards,
            finished: &self.finished,
            figures: &self.figures.0,
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
fn message(name: &str, data: &str) -> Bytes {
    let mut text = String::new();
    push_message(&mut text, name, data);
    Bytes::from(text)
}

/// Appends a message; the data have no line ends, as JSON has none.
fn push_message(text: &mut String, name: &str, data: &str) {
    for part in ["event: ", name, "\ndata: ", data, "\n\n"] {
        text.push_str(part);
    }
}
