//! An event that listeners write to and viewers read, each viewer behind a queue of bounded size.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hyper::body::Bytes;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::config::Tournament;
use crate::event::live::LiveUpdate;
use crate::event::{ArbiterDecision, PlayedGame};
use crate::report::verdict::FirstLines;
use crate::sink::{Sink, SinkError};
use crate::store::Reader;
use crate::tournament::{EventState, EventView};

use super::http::Text;
use super::parts::{PageStage, UpcomingPair, UpcomingPairs};
use super::shown::{ChangeCounters, ShownEvent, VIEWS, message};

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

    /// Sets what is played, and the pairs that will be, in this order.
    pub(crate) fn expect(&self, tournament: &Tournament, pairs: Vec<UpcomingPair>) {
        if let Some(shown) = self.lock().as_mut() {
            shown.page.coming = UpcomingPairs::new(pairs);
            shown.page.tournament = Some(Arc::new(tournament.clone()));
        }
    }

    /// One game: `2.1.1.json`, `2.1.1.pgn`.
    pub(super) fn game(&self, file: &str) -> Option<Text> {
        self.lock().as_ref()?.game(file)
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

    /// The folder of the event, and the version of its state.
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

    /// The state of the event.
    pub(super) fn view(&self) -> Option<EventView> {
        self.lock().as_ref().map(|shown| shown.page.view.clone())
    }

    /// The event's name, and the first of what may be said of it; `None` before it has begun.
    pub(super) fn headline(&self) -> Option<[String; 2]> {
        self.want_figures();
        let guard = self.lock();
        let page = &guard.as_ref()?.page;
        let said = page.first_lines().into_iter().next();
        let said = said.map(|(_, words)| words);
        let [name, phase] = page
            .view
            .read(|event| [event.roster().event.clone(), event.phase().to_string()]);
        Some([name, said.unwrap_or(phase)])
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
        let text = Arc::new(shown.text(address)?);
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

/// All viewers of an event.
#[derive(Debug, Default)]
pub(super) struct Viewers(Mutex<Vec<Viewer>>);

#[derive(Debug)]
struct Viewer {
    queue: Sender<Bytes>,
    /// Messages that found no room in the queue. While the viewer is behind, it is sent only the whole state.
    lost: u64,
    behind: bool,
}

impl Viewers {
    /// Adds a viewer, which is sent `first` at once.
    pub(super) fn add(&self, first: Bytes) -> Receiver<Bytes> {
        let (queue, messages) = channel(WAITING);
        // The queue is empty, so there is room.
        let _taken = queue.try_send(first);
        self.all().push(Viewer {
            queue,
            lost: 0,
            behind: false,
        });
        messages
    }

    /// Number of viewers.
    pub(super) fn count(&self) -> usize {
        let mut all = self.all();
        all.retain(|viewer| !viewer.queue.is_closed());
        all.len()
    }

    /// Sends a message to all. A viewer without room loses it; a viewer that has lost something is sent `everything` as
    /// soon as there is room, with the number of messages that it has lost.
    pub(super) fn tell(&self, message: &Bytes, everything: impl Fn(u64) -> Bytes) {
        self.all().retain_mut(|viewer| {
            let told = match viewer.behind {
                true => viewer.queue.try_send(everything(viewer.lost)),
                false => viewer.queue.try_send(message.clone()),
            };
            match told {
                Ok(()) => viewer.behind = false,
                Err(TrySendError::Full(_)) => {
                    viewer.behind = true;
                    viewer.lost += 1;
                }
                Err(TrySendError::Closed(_)) => return false,
            }
            true
        });
    }

    /// Ends the stream: each connection is closed when all waiting messages are sent.
    pub(super) fn dismiss(&self) {
        self.all().clear();
    }

    fn all(&self) -> MutexGuard<'_, Vec<Viewer>> {
        // No panic here can leave the state half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Puts what it receives into a page.
pub struct WebSink(pub Arc<LiveEvent>);

impl Sink for WebSink {
    fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        self.0.committed(game);
        Ok(())
    }

    fn decided(&mut self, _decisions: &[ArbiterDecision]) -> Result<(), SinkError> {
        self.0.change("a decision", ShownEvent::decided);
        Ok(())
    }

    fn say(&mut self, words: &str) {
        self.0.change("a message", |shown| {
            shown.page.warnings.push(words.to_owned());
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

    fn everything(lost: u64) -> Bytes {
        text(&format!("everything, {lost} lost"))
    }

    #[test]
    fn who_is_slow_loses_messages_and_is_told_everything_afterwards() {
        let viewers = Viewers::default();
        let mut slow = viewers.add(text("first"));
        let mut quick = viewers.add(text("first"));
        for number in 0..WAITING + 9 {
            viewers.tell(&text(&number.to_string()), everything);
            while quick.try_recv().is_ok() {}
        }
        for _ in 0..WAITING {
            assert!(slow.try_recv().is_ok());
        }
        assert!(
            slow.try_recv().is_err(),
            "no more waits than there is room for"
        );
        viewers.tell(&text("next"), everything);
        assert_eq!(slow.try_recv().unwrap(), text("everything, 10 lost"));
        assert_eq!(quick.try_recv().unwrap(), text("next"));
        viewers.tell(&text("after"), everything);
        assert_eq!(slow.try_recv().unwrap(), text("after"));
        assert_eq!(viewers.count(), 2);
    }

    #[test]
    fn who_has_gone_is_forgotten() {
        let viewers = Viewers::default();
        drop(viewers.add(text("first")));
        assert_eq!(viewers.count(), 0);
        let _stays = viewers.add(text("first"));
        assert_eq!(viewers.count(), 1);
        viewers.dismiss();
        assert_eq!(viewers.count(), 0);
    }
}
