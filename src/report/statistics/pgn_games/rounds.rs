//! Pairs of games by their round, where no tag says which belong together.

use crate::pgn::RawGame;

use super::super::collection::{Collector, fnv1a};
use super::PgnFile;

/// A game that no tag puts into a pair.
pub(super) struct LooseGame {
    index: usize,
    /// Start, the two engines, a hash of the round.
    meeting: (u32, u16, u16, u64),
    ascending: bool,
}

impl Collector {
    /// Two games of one round with the same start and the colours swapped are a
    /// pair. What is left is paired in order, once all games are known.
    pub(super) fn pair_by_round(&mut self, mut loose: Vec<LooseGame>) {
        loose.sort_by_key(|game| (game.meeting, game.index));
        let mut pairs = Vec::new();
        for games in loose.chunk_by(|a, b| a.meeting == b.meeting) {
            if let [first, second] = games
                && first.ascending != second.ascending
            {
                pairs.push([first.index, second.index]);
            }
        }
        // Numbered in the order of the file.
        pairs.sort_unstable();
        pairs.into_iter().for_each(|pair| self.join(pair));
    }
}

impl PgnFile {
    /// Remembers a game without the tag `Pair`, by its round's main number.
    pub(super) fn loosen(
        &mut self,
        index: usize,
        game: &RawGame<'_>,
        start: u32,
        [white, black]: [u16; 2],
    ) {
        let round = game.tag("Round").unwrap_or_default();
        let main = round.split('.').next().unwrap_or_default().trim();
        if matches!(main, "" | "?" | "-") {
            return;
        }
        self.loose.push(LooseGame {
            index,
            meeting: (
                start,
                white.min(black),
                white.max(black),
                fnv1a(main.bytes()),
            ),
            ascending: white < black,
        });
    }
}
