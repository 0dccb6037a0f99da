//! The viewers of a page, each behind a queue of bounded size.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hyper::body::Bytes;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender, channel};

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
