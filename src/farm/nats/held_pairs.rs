//! The pairs that a worker holds, from when it takes one until the coordinator says what became of it. Finished ones
//! are on its disk.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use async_nats::jetstream::{AckKind, Message};

use super::messages::{JobMessage, ResultMessage, read};
use crate::event::{PairId, PlayedGame};
use crate::platform::{read_bytes_untrusted, rename};
use crate::sink::replace_file;

/// A result without an answer is sent again after this time.
const RESEND_DELAY: Duration = Duration::from_secs(3);

/// The state of a pair.
#[derive(Debug)]
pub(super) enum PairState {
    /// A lane plays it, or is about to; these games are over.
    Playing(Vec<PlayedGame>),
    /// All its games are over; it is not on the disk yet.
    Finished,
    /// It is on the disk, and was sent then.
    Kept(Option<Instant>),
}

#[derive(Debug)]
pub(super) struct HeldPair {
    /// As the server gave it; `None` of a pair that was on the disk when the worker began.
    pub(super) message: Option<Message>,
    pub(super) state: PairState,
    /// A lane has begun it.
    pub(super) begun: bool,
}

impl HeldPair {
    /// Whether every game that the server has asked for was finished.
    pub(super) fn has_every_game(&self, games: &[PlayedGame]) -> bool {
        let asked = self.message.as_ref();
        let Some(Ok(JobMessage { job, .. })) = asked.map(|message| read(&message.payload)) else {
            return false;
        };
        let is_finished = |id| {
            let mut played = games.iter().filter(|played| played.id == id);
            played.any(|played| !played.record.outcome.is_void())
        };
        (0..2).all(|game| !job.missing[usize::from(game)] || is_finished(job.game(game)))
    }
}

/// All pairs that are held.
#[derive(Debug, Default)]
pub(super) struct HeldPairs(BTreeMap<PairId, HeldPair>);

impl HeldPairs {
    /// A pair that was on the disk.
    pub(super) fn found(&mut self, pair: PairId) {
        self.hold(pair, None, PairState::Kept(None));
    }

    fn hold(&mut self, pair: PairId, message: Option<Message>, state: PairState) {
        let held = HeldPair {
            message,
            state,
            begun: false,
        };
        self.0.insert(pair, held);
    }

    /// A pair from the server: whether it is to be played. One that is held already is not.
    pub(super) fn take(&mut self, pair: PairId, message: Message) -> bool {
        if let Some(held) = self.0.get_mut(&pair) {
            held.message = Some(message);
            return false;
        }
        self.hold(pair, Some(message), PairState::Playing(Vec::new()));
        true
    }

    pub(super) fn get_mut(&mut self, pair: PairId) -> Option<&mut HeldPair> {
        self.0.get_mut(&pair)
    }

    pub(super) fn remove(&mut self, pair: PairId) -> Option<HeldPair> {
        self.0.remove(&pair)
    }

    pub(super) fn pairs(&self) -> Vec<PairId> {
        self.0.keys().copied().collect()
    }

    /// Those that are played now.
    pub(super) fn playing(&self) -> Vec<PairId> {
        let playing = self
            .0
            .iter()
            .filter(|(_, held)| held.begun && matches!(held.state, PairState::Playing(_)));
        playing.map(|(pair, _)| *pair).collect()
    }

    /// Whether nothing is held but what is on the disk.
    pub(super) fn only_kept(&self) -> bool {
        self.0
            .values()
            .all(|held| matches!(held.state, PairState::Kept(_)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those that are to be sent, now or once more.
    pub(super) fn due(&self) -> Vec<PairId> {
        let due = self.0.iter().filter(|(_, held)| match held.state {
            PairState::Kept(sent) => sent.is_none_or(|sent| sent.elapsed() > RESEND_DELAY),
            PairState::Playing(_) | PairState::Finished => false,
        });
        due.map(|(pair, _)| *pair).collect()
    }

    /// All that is on the disk is to be sent at once.
    pub(super) fn send_again(&mut self) {
        for held in self.0.values_mut() {
            if let PairState::Kept(sent) = &mut held.state {
                *sent = None;
            }
        }
    }

    /// Tells the server that all are being worked on: else it would give them to others.
    pub(super) async fn keep_alive(&self) {
        for message in self.0.values().filter_map(|held| held.message.as_ref()) {
            if let Err(error) = message.ack_with(AckKind::Progress).await {
                tracing::warn!(error, "a lease was not kept alive");
            }
        }
    }
}

/// Finished pairs on a worker's disk, until the coordinator says that they are stored.
#[derive(Debug, Clone)]
pub(super) struct Spool {
    folder: PathBuf,
}

impl Spool {
    pub(super) fn open(worker: &Path) -> io::Result<Spool> {
        let folder = worker.join("spool");
        fs::create_dir_all(&folder)?;
        Ok(Spool { folder })
    }

    fn path(&self, event: &str, pair: PairId) -> PathBuf {
        self.folder.join(format!("{event}.{}.json", pair.0))
    }

    /// Keeps a result; it survives a power cut then.
    pub(super) fn keep(&self, event: &str, pair: PairId, bytes: &[u8]) -> io::Result<()> {
        replace_file(&self.path(event, pair), bytes, true)
    }

    /// The bytes of a result that is kept.
    pub(super) fn read(&self, event: &str, pair: PairId) -> io::Result<Vec<u8>> {
        read_bytes_untrusted(&self.path(event, pair))
    }

    /// The pairs of an event that are kept.
    pub(super) fn pairs(&self, event: &str) -> io::Result<Vec<PairId>> {
        let mut pairs = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            // One that cannot be read is left for people.
            let result = read_bytes_untrusted(&path).ok();
            let result = result.and_then(|bytes| read::<ResultMessage>(&bytes).ok());
            let result = result.filter(|result| result.event == event);
            pairs.extend(result.map(|result| result.pair));
        }
        Ok(pairs)
    }

    /// A result is stored.
    pub(super) fn forget(&self, event: &str, pair: PairId) -> io::Result<()> {
        gone(fs::remove_file(self.path(event, pair)))
    }

    /// A result was refused: it stays for people, out of the way.
    pub(super) fn set_aside(&self, event: &str, pair: PairId) -> io::Result<()> {
        let path = self.path(event, pair);
        gone(rename(&path, &path.with_extension("refused")))
    }
}

/// What is not there need not be taken away.
fn gone(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_there_until_it_is_stored_and_what_is_refused_stays_for_people() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::open(folder.path()).unwrap();
        let result = |event: &str, pair| ResultMessage {
            version: super::super::messages::VERSION,
            event: event.to_owned(),
            pair: PairId(pair),
            worker: "w".to_owned(),
            host: super::super::messages::HostFacts::default(),
            games: Vec::new(),
        };
        for (event, pair) in [("a-1", 3), ("a-1", 5), ("b-1", 3)] {
            let bytes = serde_json::to_vec(&result(event, pair)).unwrap();
            spool.keep(event, PairId(pair), &bytes).unwrap();
        }
        fs::write(folder.path().join("spool/torn.json"), "{\"version\":1,").unwrap();
        let mut pairs = spool.pairs("a-1").unwrap();
        pairs.sort();
        assert_eq!(pairs, [PairId(3), PairId(5)]);
        spool.forget("a-1", PairId(3)).unwrap();
        spool.forget("a-1", PairId(3)).unwrap();
        spool.set_aside("a-1", PairId(5)).unwrap();
        assert_eq!(spool.pairs("a-1").unwrap(), []);
        assert_eq!(spool.pairs("b-1").unwrap(), [PairId(3)]);
        assert!(folder.path().join("spool/a-1.5.refused").exists());
    }
}
