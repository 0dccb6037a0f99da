//! Who played a game of a PGN file, and which other game belongs to it.

use twox_hash::XxHash3_64;

use super::super::collection::Collector;
use super::PgnFile;
use super::part::SaidOfGame;

/// Players of known strength are not distinguished.
const SIDES: [&str; 2] = ["White", "Black"];

impl Collector {
    /// The engines of White and Black. For a name that plays itself, its two copies are distinguished.
    pub(super) fn opponents<'a>(
        &mut self,
        file: &mut PgnFile,
        game: &SaidOfGame,
        start: u32,
        text: impl Fn(u32) -> &'a String,
        mut engine: impl FnMut(&mut Self, u32) -> u16,
    ) -> [u16; 2] {
        let [white, black] = game.players;
        if self.found.rated.is_some() {
            return SIDES.map(|side| self.engine(side));
        }
        if white != black {
            return [engine(self, white), engine(self, black)];
        }
        let [first, second] = [1, 2].map(|copy| self.engine(&format!("{} #{copy}", text(white))));
        let second_is_white = game.second_copy_is_white.unwrap_or_else(|| {
            let turn = file.turns.entry((start, first)).or_insert(true);
            *turn = !*turn;
            *turn
        });
        if second_is_white {
            [second, first]
        } else {
            [first, second]
        }
    }
}

/// A game that no tag puts into a pair.
pub(super) struct LooseGame {
    /// A hash of start, engines and round.
    meeting: u64,
    index: usize,
    ascending: bool,
}

impl Collector {
    /// Two games of one round with the same start and the colours swapped are a pair. The remaining games are paired in
    /// order, once all games are known.
    pub(super) fn pair_by_round(&mut self, mut loose: Vec<LooseGame>) {
        loose.sort_unstable_by_key(|game| (game.meeting, game.index));
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
    /// Remembers a game without the tag `Pair`, by its round.
    pub(super) fn loosen(
        &mut self,
        index: usize,
        game: &SaidOfGame,
        start: u32,
        [white, black]: [u16; 2],
    ) {
        let (one, other) = (white.min(black), white.max(black));
        let told = u64::from(start) << 32 | u64::from(one) << 16 | u64::from(other);
        self.loose.extend(game.round.map(|round| LooseGame {
            index,
            meeting: XxHash3_64::oneshot_with_seed(round, &told.to_le_bytes()),
            ascending: white < black,
        }));
    }
}
