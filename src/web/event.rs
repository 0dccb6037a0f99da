//! Everything that is shown of one event.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hyper::body::Bytes;
use tokio::sync::mpsc::Receiver;

use super::coming::{Coming, ComingPair};
use super::document::PageStage;
use super::shown::{ChangeCounters, ShownEvent, message};
use super::text::Text;
use super::viewers::Viewers;
use crate::event::PlayedGame;
use crate::report::verdict::FirstLines;
use crate::sink::SinkError;
use crate::store::Reader;
use crate::tournament::{EventState, EventView};

/// The event of one page: listeners write to it, viewers read it.
#[derive(Debug, Default)]
pub struct LiveEvent {
    viewers: Viewers,
    shown: Mutex<Option<ShownEvent>>,
    texts: Mutex<HashMap<String, (ChangeCounters, Arc<Text>)>>,
    /// Somebody has looked since the figures were last drawn.
    wanted: AtomicBool,
}

impl LiveEvent {
    /// Reads the current state of the event from its store; later reads use `view`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn begin(&self, reader: &Reader, view: EventView, playing: bool) -> Result<(), SinkError> {
        let stage = match playing {
            true => PageStage::Playing,
            false => PageStage::Stored,
        };
        let mut shown = ShownEvent::read(reader, view, stage)?;
        let mut guard = self.lock();
        if let Some(old) = guard.take() {
            shown.take_figures(old);
        }
        *guard = Some(shown);
        drop(guard);
        self.want_figures();
        Ok(())
    }

    /// Sets the pairs that will be played, in this order.
    pub(crate) fn expect(&self, pairs: Vec<ComingPair>) {
        if let Some(shown) = self.lock().as_mut() {
            shown.page.coming = Coming::new(pairs);
        }
    }

    /// A game was stored.
    pub(super) fn committed(&self, game: &PlayedGame) {
        self.change("a finished game", |shown| shown.committed(game));
    }

    /// The run is over: viewers are informed, and nothing follows.
    pub(super) fn end(&self) {
        if let Some(shown) = self.lock().as_mut() {
            shown.end();
        }
        self.tell();
        if let Some(shown) = self.lock().as_ref() {
            self.dismiss(shown);
        }
    }

    fn dismiss(&self, shown: &ShownEvent) {
        let over = message("over", "{}");
        self.viewers.tell(&over, |lost| shown.everything(lost));
        self.viewers.dismiss();
    }

    /// Changes what is shown, if anything is shown yet.
    pub(super) fn change(
        &self,
        what: &str,
        change: impl FnOnce(&mut ShownEvent) -> Result<(), SinkError>,
    ) {
        if let Some(shown) = self.lock().as_mut()
            && let Err(error) = change(shown)
        {
            tracing::warn!(%error, "the page could not take in {what}");
        }
    }

    /// Sends viewers what has changed since the last call.
    pub(super) fn tell(&self) {
        if self.viewers.count() == 0 {
            return;
        }
        let mut guard = self.lock();
        let Some(shown) = guard.as_mut() else { return };
        let text = shown.changes();
        if !text.is_empty() {
            let shown = &*shown;
            self.viewers
                .tell(&Bytes::from(text), |lost| shown.everything(lost));
        }
    }

    /// Sends a message without content, so that nobody takes the connection for dead.
    pub(super) fn keep_alive(&self) {
        if let Some(shown) = self.lock().as_ref() {
            let silence = Bytes::from_static(b":\n\n");
            self.viewers.tell(&silence, |lost| shown.everything(lost));
        }
    }

    /// Adds a viewer, which is first sent all that is shown; `None` before there is anything to show.
    pub(super) fn join(&self) -> Option<Receiver<Bytes>> {
        self.want_figures();
        let guard = self.lock();
        let shown = guard.as_ref()?;
        let messages = self.viewers.add(shown.everything(0));
        if shown.page.stage == PageStage::Over {
            self.dismiss(shown);
        }
        Some(messages)
    }

    /// Figures are wanted.
    pub(super) fn want_figures(&self) {
        self.wanted.store(true, Ordering::Relaxed);
    }

    /// Whether figures are wanted: somebody is looking, or has looked since the last call.
    pub(super) fn wants_figures(&self) -> bool {
        self.wanted.swap(false, Ordering::Relaxed) || self.viewers.count() > 0
    }

    /// The folder of the event, and the version that figures drawn now would show.
    pub(super) fn place(&self) -> Option<(PathBuf, u64)> {
        let guard = self.lock();
        let shown = guard.as_ref()?;
        let page = &shown.page;
        Some((page.folder.clone(), page.view.read(EventState::version)))
    }

    /// Replaces the drawings.
    pub(super) fn set_figures(&self, figures: String, said: FirstLines) {
        if let Some(shown) = self.lock().as_mut() {
            shown.set_figures(figures, said);
        }
    }

    /// The folder of the event.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        self.lock().as_ref().map(|shown| shown.page.folder.clone())
    }

    /// The state of the event.
    pub(super) fn view(&self) -> Option<EventView> {
        self.lock().as_ref().map(|shown| shown.page.view.clone())
    }

    /// The event's name; `None` before it has begun.
    pub(super) fn title(&self) -> Option<String> {
        let view = self.view()?;
        Some(view.read(|event| event.roster().event.clone()))
    }

    /// The text at an address of the event; made again if something has changed since. `None` for an unknown address.
    pub(super) fn text(&self, address: &str) -> Option<Arc<Text>> {
        let guard = self.lock();
        let shown = guard.as_ref()?;
        let version = shown.version();
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        // This page contains running clocks.
        let is_fresh = |known: &ChangeCounters| *known == version && !address.is_empty();
        if let Some((_, text)) = texts.get(address).filter(|(known, _)| is_fresh(known)) {
            return Some(Arc::clone(text));
        }
        if matches!(address, "" | "figures.html") {
            self.want_figures();
        }
        let text = Arc::new(shown.text(address)?);
        texts.insert(address.to_owned(), (version, Arc::clone(&text)));
        Some(text)
    }

    fn lock(&self) -> MutexGuard<'_, Option<ShownEvent>> {
        // A page that missed something is sent it again later.
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
