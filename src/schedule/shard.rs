//! A part of a plan: the pairs that one of several machines plays which know nothing of each other.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use crate::event::PairId;

/// Shard `index` of `count`: the pairs whose number leaves this remainder. All shards of a plan
/// together have every pair once, whatever the plan's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// From 1.
    index: u64,
    /// How many there are.
    count: NonZeroU64,
}

/// A text that names no shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a shard is I/N, with I from 1 to N: `3/8` is the third of eight")]
pub struct NoShard;

impl Shard {
    /// Whether it plays this pair.
    pub fn holds(self, pair: PairId) -> bool {
        pair.0 % self.count == self.index - 1
    }

    /// How many of the first `plan` pairs of the plan it plays.
    pub fn pairs_of(self, plan: u64) -> u64 {
        (plan + self.count.get() - self.index) / self.count
    }

    /// How many shards there are.
    pub fn count(self) -> u64 {
        self.count.get()
    }

    /// All shards of this division.
    pub fn all(self) -> impl Iterator<Item = Shard> {
        let count = self.count;
        (1..=count.get()).map(move |index| Shard { index, count })
    }

    /// The folder of its results, for an event whose folder has this name.
    pub fn folder_name(self, event: &str) -> String {
        format!("{event}-shard-{}-of-{}", self.index, self.count)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Shard, NoShard> {
        let (index, count) = text.split_once('/').ok_or(NoShard)?;
        let index = index.parse().map_err(|_| NoShard)?;
        let count: NonZeroU64 = count.parse().map_err(|_| NoShard)?;
        let is_one = (1..=count.get()).contains(&index);
        is_one.then_some(Shard { index, count }).ok_or(NoShard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shards_of_a_plan_have_every_pair_once() {
        for (plan, count) in [(0, 1), (1, 3), (10, 3), (12, 4), (959, 7), (5, 9)] {
            let shard: Shard = format!("1/{count}").parse().unwrap();
            let mut seen = vec![0; plan as usize];
            for shard in shard.all() {
                let mut pairs = 0;
                for pair in (0..plan).filter(|pair| shard.holds(PairId(*pair))) {
                    seen[pair as usize] += 1;
                    pairs += 1;
                }
                assert_eq!(shard.pairs_of(plan), pairs, "{shard} of {plan}");
            }
            assert!(seen.iter().all(|times| *times == 1), "{plan}, {count}");
        }
    }

    #[test]
    fn what_names_no_shard_is_refused() {
        for text in ["", "3", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b", " 1/4"] {
            assert_eq!(text.parse::<Shard>(), Err(NoShard), "{text}");
        }
        assert_eq!("4/4".parse::<Shard>().unwrap().to_string(), "4/4");
    }
}
