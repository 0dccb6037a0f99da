//! The pairs that a worker holds, from when it takes one until the coordinator says what became of it. Finished ones
//! are on its disk, and so is what was played of those whose games go on after an interruption.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use async_nats::jetstream::{Context, Message};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::messages::{JobMessage, ResultMessage, read};
use crate::event::{GameId, PairId, PlayedGame};
use crate::platform::{read_bytes_untrusted, rename};
use crate::sink::replace_file;
use crate::store::RunningGameFiles;

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
pub(super) struct HeldPairs(pub(super) BTreeMap<PairId, HeldPair>);

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

    /// A pair from the server that is to be played, but for these games; one that is held already is not.
    pub(super) fn take(&mut self, pair: PairId, message: Message, games: Vec<PlayedGame>) {
        match self.0.get_mut(&pair) {
            Some(held) => held.message = Some(message),
            None => self.hold(pair, Some(message), PairState::Playing(games)),
        }
    }

    pub(super) fn pairs(&self) -> Vec<PairId> {
        self.0.keys().copied().collect()
    }

    /// Those that are played now.
    pub(super) fn playing(&self) -> Vec<PairId> {
        let plays = |held: &HeldPair| held.begun && matches!(held.state, PairState::Playing(_));
        let playing = self.0.iter().filter(|(_, held)| plays(held));
        playing.map(|(pair, _)| *pair).collect()
    }

    /// Whether nothing is held but what is on the disk.
    pub(super) fn only_kept(&self) -> bool {
        let mut all = self.0.values();
        all.all(|held| matches!(held.state, PairState::Kept(_)))
    }

    /// Those that are to be sent, now or once more.
    pub(super) fn due(&self) -> Vec<PairId> {
        let due = self.0.iter().filter(|(_, held)| match held.state {
            PairState::Kept(sent) => sent.is_none_or(|sent| sent.elapsed() > RESEND_DELAY),
            PairState::Playing(_) | PairState::Finished => false,
        });
        due.map(|(pair, _)| *pair).collect()
    }
}

/// A pair whose games go on after an interruption, as far as it was played.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct BegunPair {
    #[serde(flatten)]
    given: JobMessage,
    /// By what the server knows to whom it has given the pair.
    reply: String,
    /// Its games that are over.
    games: Vec<PlayedGame>,
}

impl BegunPair {
    /// The message of the server.
    fn message(&self, context: &Context) -> io::Result<Message> {
        let message = async_nats::Message {
            subject: self.given.event.as_str().into(),
            reply: Some(self.reply.as_str().into()),
            payload: serde_json::to_vec(&self.given)?.into(),
            headers: None,
            status: None,
            description: None,
            length: 0,
        };
        let context = context.clone();
        Ok(Message { message, context })
    }
}

/// Pairs on a worker's disk: finished ones until the coordinator says that they are stored, and those that go on after
/// an interruption until they are finished.
#[derive(Debug, Clone)]
pub(super) struct Spool {
    folder: PathBuf,
    /// The moves of the games that run.
    pub(super) running: RunningGameFiles,
}

impl Spool {
    pub(super) fn open(worker: &Path) -> io::Result<Spool> {
        let folder = worker.join("spool");
        fs::create_dir_all(&folder)?;
        let running = RunningGameFiles::of_event(worker);
        Ok(Spool { folder, running })
    }

    fn path(&self, event: &str, pair: PairId) -> PathBuf {
        self.folder.join(format!("{event}.{}.json", pair.0))
    }

    fn path_of_begun(&self, event: &str, pair: PairId) -> PathBuf {
        self.path(event, pair).with_extension("begun")
    }

    /// The games that are over of a pair which the server gives, and which is on the disk from now on; what was played
    /// of it when it was given out before does not count.
    pub(super) fn begin(
        &self,
        given: &JobMessage,
        message: &Message,
    ) -> io::Result<Vec<PlayedGame>> {
        let (event, pair) = (&given.event, given.job.pair);
        let before = read_file::<BegunPair>(&self.path_of_begun(event, pair));
        let before = before.filter(|before| before.given.given_ms == given.given_ms);
        if before.is_none() {
            self.end(event, pair);
        }
        let begun = BegunPair {
            given: given.clone(),
            reply: message.reply.as_deref().unwrap_or_default().to_owned(),
            games: before.map(|before| before.games).unwrap_or_default(),
        };
        self.keep_begun(&begun)?;
        Ok(begun.games)
    }

    fn keep_begun(&self, begun: &BegunPair) -> io::Result<()> {
        let path = self.path_of_begun(&begun.given.event, begun.given.job.pair);
        replace_file(&path, &serde_json::to_vec(begun)?, true)
    }

    /// A game of a pair is over; nothing of one that does not go on.
    pub(super) fn add(&self, event: &str, game: &PlayedGame) -> io::Result<()> {
        let path = self.path_of_begun(event, game.id.pair);
        read_file::<BegunPair>(&path).map_or(Ok(()), |mut begun| {
            begun.games.push(game.clone());
            self.keep_begun(&begun)
        })
    }

    /// The server was told, or is told now, that a pair is being worked on; with the epoch: that it is not.
    pub(super) fn set_alive(&self, event: &str, pair: PairId, at: SystemTime) {
        let begun = self.path_of_begun(event, pair);
        let file = File::options().write(true).open(begun);
        // A pair of which nothing is known goes to whoever wants it.
        let _unknown = file.and_then(|file| file.set_modified(at));
    }

    /// A pair does not go on: it is finished, or begins anew.
    pub(super) fn end(&self, event: &str, pair: PairId) {
        let _none = fs::remove_file(self.path_of_begun(event, pair));
        for game in [0, 1] {
            self.running.remove(GameId { pair, game });
        }
    }

    /// The pairs of an event that were interrupted, and which the server has given to nobody else yet: its messages.
    /// What there is of other events is forgotten.
    pub(super) fn interrupted(
        &self,
        event: &str,
        lease: Duration,
        context: &Context,
    ) -> io::Result<Vec<Message>> {
        // The word that it is being worked on has a third of the lease for its way.
        let is_recent = |path: &Path| {
            let alive = fs::metadata(path).and_then(|file| file.modified());
            let silent = alive.ok().and_then(|alive| alive.elapsed().ok());
            silent.is_some_and(|silent| silent < lease * 2 / 3)
        };
        let mut messages = Vec::new();
        for (path, begun) in self.all::<BegunPair>("begun")? {
            if begun.given.event != event {
                self.end(&begun.given.event, begun.given.job.pair);
            } else if is_recent(&path) {
                messages.push(begun.message(context)?);
            }
        }
        Ok(messages)
    }

    /// What files of this kind have. One that cannot be read is left for people.
    fn all<T: DeserializeOwned>(&self, kind: &str) -> io::Result<Vec<(PathBuf, T)>> {
        let mut all = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == kind) {
                all.extend(read_file(&path).map(|read| (path, read)));
            }
        }
        Ok(all)
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
        let results = self.all::<ResultMessage>("json")?.into_iter();
        let of_event = results.filter(|(_, result)| result.event == event);
        Ok(of_event.map(|(_, result)| result.pair).collect())
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

/// What a file has; nothing of another version.
fn read_file<T: DeserializeOwned>(path: &Path) -> Option<T> {
    read(&read_bytes_untrusted(path).ok()?).ok()
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
            host: crate::run::control::HostFacts::default(),
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
