//! Tickets: what ties a result to a pair that the server has given to somebody.
//!
//! The coordinator publishes a pair with a code that only its key makes, and a result quotes it. Who was never
//! given a pair cannot have another's stored. The key lies in the event's folder and moves with it: what
//! was played while the coordinator was away is taken by the one that follows.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};

use crate::event::PairId;
use crate::platform::{bytes_of_strangers, files, rename};

/// The key's file in the event's folder.
const KEY_FILE: &str = "farm.key";

/// Bytes of a key.
const LENGTH: usize = 32;

/// Makes tickets and knows them again.
#[derive(Debug, Clone)]
pub(super) struct Tickets(hmac::Key);

impl Tickets {
    /// With the key in an event's folder; the key is made if it is missing.
    ///
    /// # Errors
    /// The key cannot be read or written.
    pub(super) fn open(folder: &Path) -> io::Result<Tickets> {
        let path = folder.join(KEY_FILE);
        let key = match bytes_of_strangers(&path) {
            Ok(key) if key.len() == LENGTH => key,
            Ok(_) => make(&path)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => make(&path)?,
            Err(error) => return Err(error),
        };
        Ok(Tickets(hmac::Key::new(hmac::HMAC_SHA256, &key)))
    }

    /// The ticket of a pair.
    pub(super) fn of(&self, event: &str, pair: PairId) -> String {
        STANDARD.encode(hmac::sign(&self.0, text(event, pair).as_bytes()))
    }

    /// Whether this is the ticket of a pair.
    pub(super) fn is_of(&self, ticket: &str, event: &str, pair: PairId) -> bool {
        let quoted = STANDARD.decode(ticket).unwrap_or_default();
        hmac::verify(&self.0, text(event, pair).as_bytes(), &quoted).is_ok()
    }

    /// A number for this purpose that nobody foresees who does not have the key.
    pub(super) fn draw(&self, purpose: &str, event: &str, pair: PairId) -> u64 {
        let text = format!("{purpose} {}", text(event, pair));
        let drawn = hmac::sign(&self.0, text.as_bytes());
        let bytes = drawn.as_ref().first_chunk();
        bytes.map_or(0, |bytes| u64::from_be_bytes(*bytes))
    }
}

fn text(event: &str, pair: PairId) -> String {
    format!("{event} {}", pair.0)
}

/// A new key, which nobody else may read.
fn make(path: &Path) -> io::Result<Vec<u8>> {
    let mut key = vec![0; LENGTH];
    let drawn = SystemRandom::new().fill(&mut key);
    drawn.map_err(|_| io::Error::other("the system gives no random numbers"))?;
    let new = path.with_extension("new");
    // Of a coordinator that was killed here.
    let _left = fs::remove_file(&new);
    let mut file = files::new_secret(&new)?;
    file.write_all(&key)?;
    file.sync_all()?;
    rename(&new, path)?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_of_one_pair_of_one_event_and_of_one_key() {
        let [one, other] = [0, 1].map(|_| tempfile::tempdir().unwrap());
        let tickets = Tickets::open(one.path()).unwrap();
        let ticket = tickets.of("a-1", PairId(3));
        assert!(tickets.is_of(&ticket, "a-1", PairId(3)));
        assert!(!tickets.is_of(&ticket, "a-1", PairId(4)));
        assert!(!tickets.is_of(&ticket, "a-2", PairId(3)));
        assert!(!tickets.is_of("", "a-1", PairId(3)));
        let again = Tickets::open(one.path()).unwrap();
        assert_eq!(again.of("a-1", PairId(3)), ticket);
        let drawn = |tickets: &Tickets| tickets.draw("twice", "a-1", PairId(3));
        assert_eq!(drawn(&again), drawn(&tickets));
        let others = Tickets::open(other.path()).unwrap();
        assert_ne!(others.of("a-1", PairId(3)), ticket);
        assert!(files::is_secret(&one.path().join(KEY_FILE)).unwrap());
    }
}
