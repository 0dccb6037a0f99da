//! From single games to pairs: complete, incomplete, left out.

use serde::Serialize;
use std::collections::BTreeMap;

use super::counts::{GameScore, PairCounts, PairScore, Trinomial};

/// Which game of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PairSlot {
    /// The game played first.
    First,
    /// The same position with the colours swapped.
    Second,
}

/// What decided a game, as far as the statistics treat it differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// Mate, stalemate, repetition and the like.
    Board,
    /// Score, length or tablebase adjudication.
    Adjudicated,
    /// Time, an illegal move, a crash: the result says nothing about the moves.
    Forfeit,
}

/// One finished game of a match, from one engine's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchGame {
    /// The pair it belongs to; the same two engines and start number by definition.
    pub pair: u64,
    /// Its place in the pair.
    pub slot: PairSlot,
    /// The result.
    pub score: GameScore,
    /// What decided it.
    pub ending: Ending,
    /// It repeats an earlier game and could not have come out differently.
    pub replay: bool,
}

/// Which games count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    /// Games lost by forfeit count.
    pub forfeits: bool,
    /// Replays count.
    pub replays: bool,
}

impl Default for Selection {
    /// Forfeits are results, replays are not.
    fn default() -> Self {
        Self {
            forfeits: true,
            replays: false,
        }
    }
}

impl Selection {
    /// Whether this game counts.
    pub fn admits(&self, game: &MatchGame) -> bool {
        (self.forfeits || game.ending != Ending::Forfeit) && (self.replays || !game.replay)
    }
}

/// Games of a match put together to pairs, in whatever order they finish.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PairTally {
    games: BTreeMap<u64, [Option<GameScore>; 2]>,
    counts: PairCounts,
    excluded: u64,
}

impl PairTally {
    /// Counts these games as far as the selection admits them.
    pub fn collect(games: impl IntoIterator<Item = MatchGame>, selection: Selection) -> Self {
        let mut tally = Self::default();
        for game in games {
            tally.add(&game, selection);
        }
        tally
    }

    /// Takes in one game; the pair, if that completed it. A game that the tally has
    /// already is ignored, so that facts may be delivered twice.
    pub fn add(&mut self, game: &MatchGame, selection: Selection) -> Option<PairScore> {
        if !selection.admits(game) {
            self.excluded += 1;
            return None;
        }
        let slots = self.games.entry(game.pair).or_default();
        let slot = &mut slots[game.slot as usize];
        if slot.is_some() {
            return None;
        }
        *slot = Some(game.score);
        let [Some(first), Some(second)] = *slots else {
            return None;
        };
        let pair = PairScore::new(first, second);
        self.counts.add(pair);
        Some(pair)
    }

    /// The complete pairs.
    pub fn counts(&self) -> &PairCounts {
        &self.counts
    }

    /// Games whose partner is missing: for ratings, never for the pentanomial.
    pub fn unpaired_games(&self) -> Trinomial {
        let mut games = Trinomial::default();
        for slots in self.games.values() {
            if let [Some(score), None] | [None, Some(score)] = *slots {
                games.add(score);
            }
        }
        games
    }

    /// Pairs of which both games count.
    pub fn complete_pairs(&self) -> u64 {
        self.counts.pairs.pairs()
    }

    /// Pairs of which one game counts.
    pub fn incomplete_pairs(&self) -> u64 {
        self.unpaired_games().games()
    }

    /// Games that the selection left out.
    pub fn excluded_games(&self) -> u64 {
        self.excluded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(pair: u64, slot: PairSlot, score: GameScore) -> MatchGame {
        MatchGame {
            pair,
            slot,
            score,
            ending: Ending::Board,
            replay: false,
        }
    }

    #[test]
    fn pairs_complete_in_any_order_and_once() {
        let mut tally = PairTally::default();
        let second = game(7, PairSlot::Second, GameScore::Win);
        assert_eq!(tally.add(&second, Selection::default()), None);
        assert_eq!(tally.incomplete_pairs(), 1);
        let first = game(7, PairSlot::First, GameScore::Draw);
        let pair = PairScore::new(GameScore::Draw, GameScore::Win);
        assert_eq!(tally.add(&first, Selection::default()), Some(pair));
        assert_eq!(tally.add(&first, Selection::default()), None);
        assert_eq!((tally.complete_pairs(), tally.incomplete_pairs()), (1, 0));
    }

    #[test]
    fn leaving_out_a_game_breaks_its_pair() {
        let mut lost_on_time = game(1, PairSlot::First, GameScore::Loss);
        lost_on_time.ending = Ending::Forfeit;
        let games = [lost_on_time, game(1, PairSlot::Second, GameScore::Win)];
        assert_eq!(
            PairTally::collect(games, Selection::default()).complete_pairs(),
            1
        );
        let without = PairTally::collect(
            games,
            Selection {
                forfeits: false,
                replays: false,
            },
        );
        assert_eq!((without.complete_pairs(), without.excluded_games()), (0, 1));
        assert_eq!(without.unpaired_games(), Trinomial([0, 0, 1]));
    }
}
