//! An event that listeners write to and viewers read, each viewer behind a queue of bounded size.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hyper::body::Bytes;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Sender};
use tokio::sync::mpsc;

use crate::config::Tournament;
use crate::event::live::LiveUpdate;
use crate::event::{ArbiterDecision, PairId, PlayedGame};
use crate::report::verdict::FirstLines;
use crate::schedule::PairSpec;
use crate::sink::{Sink, SinkError};
use crate::store::Reader;
use crate::tournament::{EventState, EventView};

use super::document::{VIEWS, text};
use super::http::Text;
use super::shown::{ChangeCounters, PageStage, ShownEvent, message};

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
        let stage = if playing {
            PageStage::Playing
        } else {
            PageStage::Stored
        };
        let mut shown = ShownEvent::read(reader, view, stage)?;
        let mut guard = self.lock();
        match guard.take() {
            Some(old) => shown.take_figures(old),
            None => self.want_figures(),
        }
        *guard = Some(shown);
        Ok(())
    }

    /// Sets what is played, and the pairs that will be, in this order.
    pub(crate) fn expect(&self, tournament: &Tournament, pairs: Vec<(PairId, PairSpec)>) {
        if let Some(shown) = self.lock().as_mut() {
            shown.coming = pairs.into();
            shown.tournament = Some(Arc::new(tournament.clone()));
        }
    }

    /// One game: `2.1.1.json`, `2.1.1.pgn`.
    pub(super) fn game(&self, file: &str) -> Option<Text> {
        self.lock().as_ref()?.game(file)
    }

    /// The run is over: viewers are informed, and nothing follows.
    pub(super) fn end(&self) {
        if let Some(shown) = self.lock().as_mut() {
            shown.stage = PageStage::Over;
        }
        self.tell();
        self.dismiss();
    }

    /// Ends the stream: each connection is closed when all waiting messages are sent.
    fn dismiss(&self) {
        let mut viewers = self.viewers.all();
        let _nobody = viewers.send(message("over", "{}"));
        *viewers = Sender::new(WAITING);
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
        if self.viewers.all().receiver_count() == 0 {
            return;
        }
        let mut guard = self.lock();
        let text = guard.as_mut().map(ShownEvent::changes);
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            let _nobody = self.viewers.all().send(Bytes::from(text));
        }
    }

    /// Sends a message without content, so that nobody takes the connection for dead.
    pub(super) fn keep_alive(&self) {
        let _nobody = self.viewers.all().send(Bytes::from_static(b":\n\n"));
    }

    /// Adds a viewer, which is first sent all that is shown; `None` before there is anything to show.
    pub(super) fn join(self: Arc<LiveEvent>) -> Option<mpsc::Receiver<Bytes>> {
        self.want_figures();
        let guard = self.lock();
        let shown = guard.as_ref()?;
        let (first, is_over) = (shown.everything(0), shown.stage == PageStage::Over);
        let told = self.viewers.all().subscribe();
        if is_over {
            self.dismiss();
        }
        drop(guard);
        let (queue, messages) = mpsc::channel(1);
        let everything = move |lost| Some(self.lock().as_ref()?.everything(lost));
        tokio::spawn(forward(told, queue, first, everything));
        Some(messages)
    }

    /// Figures are wanted.
    pub(super) fn want_figures(&self) {
        self.wanted.store(true, Ordering::Relaxed);
    }

    /// Whether figures are wanted: somebody is looking, or has looked since the last call.
    pub(super) fn wants_figures(&self) -> bool {
        self.wanted.swap(false, Ordering::Relaxed) || self.viewers.all().receiver_count() > 0
    }

    /// The folder of the event, and the version of its state.
    pub(super) fn place(&self) -> Option<(PathBuf, u64)> {
        let guard = self.lock();
        let shown = guard.as_ref()?;
        Some((shown.folder.clone(), shown.view.read(EventState::version)))
    }

    /// Replaces the drawings.
    pub(super) fn set_figures(&self, figures: String, said: FirstLines) {
        if let Some(shown) = self.lock().as_mut() {
            shown.drawn += 1;
            (shown.figures, shown.said) = (figures, said);
        }
    }

    /// The state of the event.
    pub(super) fn view(&self) -> Option<EventView> {
        self.lock().as_ref().map(|shown| shown.view.clone())
    }

    /// The event's name, the first of what may be said of it, and where it stands; `None` before it has begun.
    pub(super) fn headline(&self) -> Option<[String; 3]> {
        self.want_figures();
        let guard = self.lock();
        let page = guard.as_ref()?;
        let said = page.first_lines().into_iter().next();
        let said = said.map(|(_, words)| words).unwrap_or_default();
        let name = |event: &EventState| event.roster().event.clone();
        let phase = |event: &EventState| event.phase().to_string();
        Some([page.view.read(name), said, page.view.read(phase)])
    }

    /// The text at an address of the event; made again if something has changed since. `None` for an unknown address.
    pub(super) fn text(&self, address: &str) -> Option<Arc<Text>> {
        let guard = self.lock();
        let shown = guard.as_ref()?;
        let version = shown.version();
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        // This page contains running clocks.
        let is_page = VIEWS.contains(&address);
        let is_fresh = |known: &ChangeCounters| *known == version && !is_page;
        if let Some((_, text)) = texts.get(address).filter(|(known, _)| is_fresh(known)) {
            return Some(Arc::clone(text));
        }
        if is_page || address == "figures.html" {
            self.want_figures();
        }
        let text = Arc::new(text(shown, address)?);
        texts.insert(address.to_owned(), (version, Arc::clone(&text)));
        Some(text)
    }

    fn lock(&self) -> MutexGuard<'_, Option<ShownEvent>> {
        // A page that missed something is sent it again later.
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Maximum number of messages that wait for one viewer.
const WAITING: usize = 32;

/// The messages to all viewers of an event.
#[derive(Debug)]
struct Viewers(Mutex<Sender<Bytes>>);

impl Default for Viewers {
    fn default() -> Viewers {
        Viewers(Mutex::new(Sender::new(WAITING)))
    }
}

impl Viewers {
    fn all(&self) -> MutexGuard<'_, Sender<Bytes>> {
        // No panic here can leave it half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives a viewer the messages one by one, `next` first. One that is too slow for some gets `everything` in their place,
/// with the number of those that it has lost.
async fn forward(
    mut messages: broadcast::Receiver<Bytes>,
    queue: mpsc::Sender<Bytes>,
    mut next: Bytes,
    everything: impl Fn(u64) -> Option<Bytes>,
) {
    let mut lost = 0;
    while queue.send(next).await.is_ok() {
        let message = tokio::select! {
            message = messages.recv() => message,
            () = queue.closed() => return,
        };
        let sent = match message {
            Ok(message) => Some(message),
            Err(RecvError::Lagged(missed)) => {
                lost += missed + messages.len() as u64;
                messages = messages.resubscribe();
                everything(lost)
            }
            Err(RecvError::Closed) => None,
        };
        let Some(sent) = sent else { return };
        next = sent;
    }
}

/// Puts what it receives into a page.
pub struct WebSink(pub Arc<LiveEvent>);

impl Sink for WebSink {
    fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        self.0
            .change("a finished game", |shown| shown.committed(game));
        Ok(())
    }

    fn decided(&mut self, _decisions: &[ArbiterDecision]) -> Result<(), SinkError> {
        self.0.change("a decision", |shown| shown.round.decided());
        Ok(())
    }

    fn say(&mut self, words: &str) {
        self.0.change("a message", |shown| {
            shown.warnings.push(words.to_owned());
            Ok(())
        });
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn live(&mut self, update: &LiveUpdate) -> Result<(), SinkError> {
        self.0.change("what runs", |shown| shown.hear(update));
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.0.end();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(message: &str) -> Bytes {
        Bytes::copy_from_slice(message.as_bytes())
    }

    #[test]
    fn who_is_slow_loses_messages_and_is_told_everything_afterwards() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(async {
            let viewers = Viewers::default();
            let (queue, mut messages) = mpsc::channel(1);
            let everything = |lost| Some(text(&format!("everything, {lost} lost")));
            let told = viewers.all().subscribe();
            let viewer = tokio::spawn(forward(told, queue, text("first"), everything));
            // Nothing is read meanwhile.
            for number in 0..WAITING + 9 {
                viewers.all().send(text(&number.to_string())).unwrap();
            }
            let lost = format!("everything, {} lost", WAITING.next_power_of_two() + 9);
            for known in ["first", lost.as_str()] {
                assert_eq!(messages.recv().await.unwrap(), text(known));
            }
            viewers.all().send(text("next")).unwrap();
            assert_eq!(messages.recv().await.unwrap(), text("next"));
            // Who has gone is forgotten, though nothing is sent.
            drop(messages);
            viewer.await.unwrap();
            assert_eq!(viewers.all().receiver_count(), 0);
        });
    }
}
