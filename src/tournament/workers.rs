//! Which worker of a farm has played which pair.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use serde::Deserialize;

use crate::event::PairId;
use crate::platform::text_of_strangers;

/// The file in the event's folder, a line of JSON for each pair that a worker has played.
pub(crate) const WORKERS_FILE: &str = "workers.jsonl";

#[derive(Deserialize)]
struct WorkerLine {
    /// From 1.
    pair: u64,
    worker: String,
    /// Another result of the pair was stored before.
    #[serde(default)]
    thrown_away: bool,
}

/// Which worker has played the pairs that are stored.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairWorkers {
    names: Vec<String>,
    /// The place in `names`: few bytes a pair.
    by_pair: HashMap<PairId, u16>,
}

impl PairWorkers {
    /// Reads the file; the result is empty if the file does not exist. A line that was cut short is left out.
    ///
    /// # Errors
    /// What the disk says.
    pub(crate) fn read(folder: &Path) -> io::Result<PairWorkers> {
        let text = match text_of_strangers(&folder.join(WORKERS_FILE)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read?,
        };
        let mut players = PairWorkers::default();
        let lines = text.lines();
        for line in lines.filter_map(|line| serde_json::from_str::<WorkerLine>(line).ok()) {
            if let (Some(pair), false) = (line.pair.checked_sub(1), line.thrown_away) {
                players.add(PairId(pair), &line.worker);
            }
        }
        Ok(players)
    }

    fn add(&mut self, pair: PairId, worker: &str) {
        let known = self.names.iter().position(|name| name == worker);
        let place = known.unwrap_or_else(|| {
            self.names.push(worker.to_owned());
            self.names.len() - 1
        });
        if let Ok(place) = u16::try_from(place) {
            self.by_pair.insert(pair, place);
        }
    }

    /// All workers that have played.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Who has played a pair.
    pub(crate) fn player(&self, pair: PairId) -> Option<&str> {
        let place = self.by_pair.get(&pair)?;
        self.names.get(usize::from(*place)).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn who_has_played_what_is_the_last_line_that_counts() {
        let folder = tempfile::tempdir().unwrap();
        assert!(PairWorkers::read(folder.path()).unwrap().names().is_empty());
        let text = "{\"pair\":1,\"worker\":\"a\"}\n{\"pair\":2,\"worker\":\"a\"}\n\
                    {\"pair\":1,\"worker\":\"b\"}\n{\"pair\":2,\"worker\":\"b\",\"thrown_away\":true}\n{\"pair\":3,\"wor";
        fs::write(folder.path().join(WORKERS_FILE), text).unwrap();
        let players = PairWorkers::read(folder.path()).unwrap();
        let player = |pair| players.player(PairId(pair));
        assert_eq!(
            (player(0), player(1), player(2)),
            (Some("b"), Some("a"), None)
        );
    }
}
