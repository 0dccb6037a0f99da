//! Pairs that a second worker of a farm has played too, to be compared: the games of the first count.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::workers::json_lines;
use crate::text::count;

/// The file in the event's folder, a line of JSON for each such pair.
pub(crate) const PLAYED_TWICE_FILE: &str = "played-twice.jsonl";

/// A line of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PairPlayedTwice {
    /// From 1.
    pub pair: u64,
    /// Who has played it, whose games count first.
    pub workers: [String; 2],
    /// What the pair's first engine got, in half points.
    pub half_points: [u32; 2],
    /// Whether all moves are the same; `None` where a clock bounds the searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_moves: Option<bool>,
}

/// All of an event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PlayedTwice {
    /// Pairs without a clock, and those of them whose moves differ.
    pub repeatable: [u64; 2],
    /// Pairs with clocks.
    pub timed: u64,
    /// What their first engines got, in half points: in the games that count, and in the others.
    pub half_points: [u64; 2],
}

impl PlayedTwice {
    /// Reads the file; `None` if it has no pair. A line that was cut short is left out.
    ///
    /// # Errors
    /// What the disk says.
    pub(crate) fn read(folder: &Path) -> io::Result<Option<PlayedTwice>> {
        let mut all = PlayedTwice::default();
        let pairs = json_lines(&folder.join(PLAYED_TWICE_FILE))?;
        pairs.iter().for_each(|pair| all.add(pair));
        Ok((all != PlayedTwice::default()).then_some(all))
    }

    /// One more pair.
    fn add(&mut self, pair: &PairPlayedTwice) {
        match pair.same_moves {
            Some(same) => {
                self.repeatable[0] += 1;
                self.repeatable[1] += u64::from(!same);
            }
            None => {
                self.timed += 1;
                for (sum, one) in self.half_points.iter_mut().zip(pair.half_points) {
                    *sum += u64::from(one);
                }
            }
        }
    }

    /// Whether a pair differs that must not.
    pub(crate) fn is_suspicious(&self) -> bool {
        self.repeatable[1] > 0
    }

    /// The same in words.
    pub(crate) fn words(&self) -> String {
        let mut parts = Vec::new();
        let [pairs, differing] = self.repeatable;
        if pairs > 0 {
            let pairs = count(pairs, "pair");
            parts.push(format!("{pairs} played by two workers, {differing} differ"));
        }
        if self.timed > 0 {
            let [first, second] = self.half_points.map(|half| half as f64 / 2.0);
            let pairs = count(self.timed, "pair");
            parts.push(format!(
                "{pairs} with clocks played by two workers: {first:.1} points with the first, {second:.1} with the second"
            ));
        }
        parts.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn pairs_with_and_without_clocks_are_summed_apart() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(PlayedTwice::read(folder.path()).unwrap(), None);
        let line = |same_moves, half_points| {
            let pair = PairPlayedTwice {
                pair: 1,
                workers: ["a", "b"].map(str::to_owned),
                half_points,
                same_moves,
            };
            serde_json::to_string(&pair).unwrap()
        };
        let text = [
            line(Some(true), [2, 2]),
            line(Some(false), [2, 3]),
            line(None, [3, 2]),
            line(None, [4, 2])[..9].to_owned(),
        ];
        fs::write(folder.path().join(PLAYED_TWICE_FILE), text.join("\n")).unwrap();
        let all = PlayedTwice::read(folder.path()).unwrap().unwrap();
        assert!(all.is_suspicious());
        assert_eq!(
            all.words(),
            "2 pairs played by two workers, 1 differ; 1 pair with clocks played by two workers: 1.5 points with the \
             first, 1.0 with the second"
        );
    }
}
