//! One seed for each purpose, so that no two random choices are related; and the node limit of each move under
//! `nodes_jitter`.

use crate::chess::random::Random;
use crate::chess::{FenDialect, Position};
use crate::event::GameId;
use crate::hash::fnv1a;

/// A seed from the event's seed and all that the choice depends on; `purpose` keeps
/// choices apart that depend on the same numbers.
///
/// [`fnv1a`] over the purpose and the numbers in little-endian order. It scatters the input's bits
/// badly and need not do better: the generator's own seeding does.
pub(super) fn derived(purpose: &str, numbers: &[u64]) -> u64 {
    let numbers = numbers.iter().flat_map(|number| number.to_le_bytes());
    fnv1a(purpose.bytes().chain(numbers))
}

/// A lot for each of this number, the highest best: a permutation that the seed of the event decides.
pub(crate) fn lots(seed: u64, count: usize) -> Vec<u32> {
    let mut lots: Vec<u32> = (1..).take(count).collect();
    Random::new(derived("lots", &[seed])).shuffle(&mut lots);
    lots
}

/// The lots of a start that is made by its players, by its number from 0.
pub(crate) fn opening_lots(seed: u64, number: u32) -> Random {
    Random::new(derived("opening", &[seed, u64::from(number)]))
}

/// What the limit of one move depends on, and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JitterKey {
    /// The event's seed.
    pub seed: u64,
    /// The start position: [`JitterKey::start_of`].
    pub start: u64,
    pub game: GameId,
    /// Half-moves on the board before the move, the book's included.
    pub ply: u32,
}

impl JitterKey {
    /// The start position as a number: a hash of its Shredder-FEN, which will not change
    /// with the tables of the rules core.
    pub(crate) fn start_of(start: &Position) -> u64 {
        fnv1a(start.fen(FenDialect::Shredder).bytes())
    }
}

/// The node limit of one move: each whole number within `nodes ± jitter · nodes` is
/// equally likely; never below 1. `jitter` lies between 0, which leaves `nodes` alone,
/// and 1.
pub(crate) fn jittered(nodes: u64, jitter: f64, key: &JitterKey) -> u64 {
    let reach = (nodes as f64 * jitter).round() as u64;
    let JitterKey { seed, start, .. } = *key;
    let (pair, game) = (key.game.pair.0, u64::from(key.game.game));
    let numbers = [seed, start, pair, game, u64::from(key.ply)];
    let drawn = Random::new(derived("nodes_jitter", &numbers)).below(2 * reach + 1);
    (nodes.saturating_sub(reach) + drawn).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::PairId;

    #[test]
    fn purposes_and_places_matter() {
        assert_ne!(derived("a", &[1, 2]), derived("b", &[1, 2]));
        assert_ne!(derived("a", &[1, 2]), derived("a", &[2, 1]));
    }

    fn key(pair: u64, game: u8, ply: u32) -> JitterKey {
        let start = JitterKey::start_of(&Position::standard());
        let pair = PairId(pair);
        JitterKey {
            seed: 7,
            start,
            game: GameId { pair, game },
            ply,
        }
    }

    #[test]
    fn the_limits_of_a_seed_never_change() {
        let limits: Vec<u64> = (0..6)
            .map(|ply| jittered(10_000, 0.1, &key(3, 1, ply)))
            .collect();
        assert_eq!(limits, [10_697, 10_940, 10_546, 10_933, 9_513, 10_366]);
    }

    #[test]
    fn limits_are_uniform_within_ten_percent() {
        let draws = 20_000;
        let mut tenths = [0_u32; 10];
        for ply in 0..draws {
            let limit = jittered(1000, 0.1, &key(0, 0, ply));
            assert!((900..=1100).contains(&limit), "{limit}");
            tenths[((limit - 900) / 20).min(9) as usize] += 1;
        }
        // 2,000 expected in each (a little more in the last); standard deviation 42.
        assert!(
            tenths.iter().all(|&count| (1790..=2220).contains(&count)),
            "{tenths:?}"
        );
    }

    #[test]
    fn small_limits_and_no_jitter() {
        assert_eq!(jittered(5000, 0.0, &key(0, 0, 0)), 5000);
        assert_eq!(jittered(1, 0.1, &key(0, 0, 0)), 1);
        assert!((0..100).all(|ply| jittered(2, 1.0, &key(0, 0, ply)) >= 1));
    }

    #[test]
    fn both_games_of_a_pair_have_limits_of_their_own() {
        let limits = |game| (0..20).map(move |ply| jittered(5000, 0.1, &key(0, game, ply)));
        assert!(limits(0).ne(limits(1)));
    }
}
