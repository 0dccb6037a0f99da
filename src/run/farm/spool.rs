//! Finished pairs on a worker's disk, until the coordinator says that they are stored.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::messages::{ResultMessage, read};
use crate::event::PairId;
use crate::platform::{bytes_of_strangers, rename};
use crate::sink::replace_file;

/// The worker's folder with them.
#[derive(Debug, Clone)]
pub(super) struct Spool {
    folder: PathBuf,
}

impl Spool {
    /// Makes it, if it is not there.
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
        bytes_of_strangers(&self.path(event, pair))
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
            let result = bytes_of_strangers(&path).ok();
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
            ticket: String::new(),
            worker: "w".to_owned(),
            program: String::new(),
            engines: Vec::new(),
            host: super::super::messages::HostFacts::default(),
            speed: [0; 2],
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
