//! Moves of workers that the coordinator of a farm has computed again: with limits of nodes or depth alone an
//! engine makes the same move after the same nodes on every machine.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::workers::json_lines;
use crate::text::count;

/// The file in the event's folder, a line of JSON for each game of which moves were computed again.
pub(crate) const RECOMPUTED_FILE: &str = "recomputed.jsonl";

/// A line of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecomputedGame {
    /// From 1.
    pub pair: u64,
    /// From 1.
    pub game: u8,
    /// Whose moves they are.
    pub engine: String,
    /// Who has played the game.
    pub worker: String,
    /// Moves that were computed again.
    pub moves: u64,
    /// Those of them that differ: the comparison of a game ends with the first one.
    pub differing: u64,
    /// What it was and what it is, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
}

/// All of an event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Recomputed {
    /// Moves that were computed again.
    pub moves: u64,
    /// Those of them that differ.
    pub differing: u64,
    /// Games of each worker: looked at, and differing.
    pub games: BTreeMap<String, [u64; 2]>,
}

impl Recomputed {
    /// Reads the file; the result is empty if the file does not exist. A line that was cut short is left out.
    ///
    /// # Errors
    /// What the disk says.
    pub(crate) fn read(folder: &Path) -> io::Result<Recomputed> {
        let mut all = Recomputed::default();
        let games = json_lines(&folder.join(RECOMPUTED_FILE))?;
        games.iter().for_each(|game| all.add(game));
        Ok(all)
    }

    /// One more game.
    pub(crate) fn add(&mut self, game: &RecomputedGame) {
        self.moves += game.moves;
        self.differing += game.differing;
        let [looked_at, differing] = self.games.entry(game.worker.clone()).or_default();
        *looked_at += 1;
        *differing += u64::from(game.differing > 0);
    }

    /// The number of moves that were computed again, and of those that differ; `None` before the first such move.
    pub(crate) fn counts(&self) -> Option<[u64; 2]> {
        (self.moves > 0).then_some([self.moves, self.differing])
    }
}

/// The same in words.
pub(crate) fn recomputed_words([moves, differing]: [u64; 2]) -> String {
    format!(
        "{} of workers recomputed, {differing} differ",
        count(moves, "move")
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_was_computed_again_is_summed_by_worker() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(
            Recomputed::read(folder.path()).unwrap(),
            Recomputed::default()
        );
        let line = |worker: &str, moves, differing| {
            let game = RecomputedGame {
                pair: 1,
                game: 2,
                engine: "A".to_owned(),
                worker: worker.to_owned(),
                moves,
                differing,
                difference: None,
            };
            serde_json::to_string(&game).unwrap()
        };
        let text = [
            line("a", 1200, 0),
            line("b", 4, 1),
            line("b", 8, 0)[..9].to_owned(),
        ];
        fs::write(folder.path().join(RECOMPUTED_FILE), text.join("\n")).unwrap();
        let all = Recomputed::read(folder.path()).unwrap();
        assert_eq!(
            recomputed_words(all.counts().unwrap()),
            "1204 moves of workers recomputed, 1 differ"
        );
        assert_eq!((all.games["a"], all.games["b"]), ([1, 0], [1, 1]));
    }
}
