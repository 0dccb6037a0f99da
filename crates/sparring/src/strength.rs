//! What makes the engine weaker: fewer nodes, and a judgement that errs.

/// A level of play from 1 to 10, 10 the engine's best.
///
/// A level below 10 searches a fixed number of nodes at most and sees every position with an
/// error that depends on the position alone: so it plays the same moves for ever, and makes
/// the same mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Strength(u8);

/// Nodes a move at the levels 1 to 9; the first iteration is finished in any case.
const NODES: [u64; 9] = [1, 100, 300, 800, 2_000, 5_000, 12_000, 35_000, 120_000];

/// The largest error of the evaluation at the levels 1 to 9, centipawns.
const ERROR: [u64; 9] = [130, 105, 85, 70, 55, 45, 35, 25, 15];

impl Strength {
    /// The weakest.
    pub const MIN: Strength = Strength(1);
    /// The strongest, without any handicap.
    pub const MAX: Strength = Strength(10);

    /// The level of that number.
    pub fn new(level: u8) -> Option<Strength> {
        let strength = Strength(level);
        (Strength::MIN..=Strength::MAX)
            .contains(&strength)
            .then_some(strength)
    }

    /// The number of the level.
    pub fn level(self) -> u8 {
        self.0
    }

    /// Nodes a move, if they are limited.
    pub fn nodes(self) -> Option<u64> {
        NODES.get(usize::from(self.0) - 1).copied()
    }

    /// How wrong the position of this key is seen, centipawns.
    #[inline]
    pub(crate) fn error(self, key: u64) -> i32 {
        match ERROR.get(usize::from(self.0) - 1) {
            None => 0,
            Some(&largest) => (mix(key) % (2 * largest + 1)) as i32 - largest as i32,
        }
    }
}

impl Default for Strength {
    fn default() -> Strength {
        Strength::MAX
    }
}

/// The last steps of SplitMix64 (Steele, Lea, Flood 2014): every bit depends on every bit.
fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ key >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels() {
        assert_eq!(Strength::new(0), None);
        assert_eq!(Strength::new(11), None);
        assert_eq!(Strength::new(10), Some(Strength::MAX));
        assert_eq!(
            (Strength::MAX.nodes(), Strength::MAX.error(12_345)),
            (None, 0)
        );
    }

    #[test]
    fn errors_are_bounded_and_not_one_sided() {
        let errors: Vec<i32> = (0..10_000).map(|key| Strength::MIN.error(key)).collect();
        assert!(errors.iter().all(|error| error.abs() <= 130));
        assert!(errors.iter().sum::<i32>().abs() < 10_000 * 5);
        assert!(
            errors.iter().any(|error| *error > 120) && errors.iter().any(|error| *error < -120)
        );
    }
}
