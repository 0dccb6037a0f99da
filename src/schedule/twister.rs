//! The Mersenne Twisters by which other runners shuffle their books: M. Matsumoto and T. Nishimura,
//! ACM TOMACS 8 (1998) and 10 (2000); parameters and seeding as in the C++ standard, [rand.predef].

/// A generator of 64-bit or of 32-bit numbers, by its parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Twister {
    words: usize,
    middle: usize,
    bits: u32,
    twist: u64,
    /// The bits of a word that are joined with the next word's low ones.
    kept: u64,
    seeding: u64,
    tempering: [(u32, u64); 4],
}

/// The low bits of a word that are joined with those of the word before.
const LOW_BITS: u64 = (1 << 31) - 1;

impl Twister {
    /// `mt19937_64` as in the standard.
    pub(crate) const FASTCHESS: Twister = Twister {
        words: 312,
        middle: 156,
        bits: 64,
        twist: 0xb502_6f5a_a966_19e9,
        kept: u64::MAX << 31,
        seeding: 6_364_136_223_846_793_005,
        tempering: [
            (29, 0x5555_5555_5555_5555),
            (17, 0x71d6_7fff_eda6_0000),
            (37, 0xfff7_eee0_0000_0000),
            (43, u64::MAX),
        ],
    };

    /// `mt19937` but for one thing: of a word of the state not the highest bit is joined with the next
    /// word, but the lowest.
    pub(crate) const CUTECHESS: Twister = Twister {
        words: 624,
        middle: 397,
        bits: 32,
        twist: 0x9908_b0df,
        kept: 1,
        seeding: 1_812_433_253,
        tempering: [
            (11, 0xffff_ffff),
            (7, 0x9d2c_5680),
            (15, 0xefc6_0000),
            (18, 0xffff_ffff),
        ],
    };

    /// The order into which a book of this many entries is shuffled: from the first place to the last but one, each
    /// entry is exchanged with one at its own place or behind.
    pub(crate) fn order(&self, seed: u64, entries: u32) -> Vec<u32> {
        let mut numbers = self.numbers(seed);
        let mut order: Vec<u32> = (0..entries).collect();
        for place in 0..order.len().saturating_sub(1) {
            let left = (order.len() - place) as u64;
            let other = place + (numbers() % left) as usize;
            order.swap(place, other);
        }
        order
    }

    /// The numbers that follow from a seed, one with each call.
    fn numbers(&self, seed: u64) -> impl FnMut() -> u64 {
        let mask = u64::MAX >> (64 - self.bits);
        let mut state = vec![seed & mask];
        for index in 1..self.words {
            let last = state[index - 1];
            let mixed = last ^ (last >> (self.bits - 2));
            let next = self.seeding.wrapping_mul(mixed);
            state.push(next.wrapping_add(index as u64) & mask);
        }
        let [(u, d), (s, b), (t, c), (l, _)] = self.tempering;
        let mut next = self.words;
        move || {
            if next == self.words {
                self.twist(&mut state);
                next = 0;
            }
            let mut number = state[next];
            next += 1;
            number ^= (number >> u) & d;
            number ^= (number << s) & b;
            number ^= (number << t) & c;
            number ^ (number >> l)
        }
    }

    fn twist(&self, state: &mut [u64]) {
        for index in 0..self.words {
            let next = state[(index + 1) % self.words] & LOW_BITS;
            let joined = (state[index] & self.kept) + next;
            let odd = if joined & 1 == 1 { self.twist } else { 0 };
            state[index] = state[(index + self.middle) % self.words] ^ (joined >> 1) ^ odd;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ten thousandth number of the default seed, as the C++ standard gives it.
    #[test]
    fn the_numbers_are_those_of_the_standard() {
        let standard = Twister {
            kept: 1 << 31,
            ..Twister::CUTECHESS
        };
        for (twister, expected) in [
            (Twister::FASTCHESS, 9_981_545_732_273_789_042),
            (standard, 4_123_659_995),
        ] {
            let mut numbers = twister.numbers(5489);
            let last = (0..10_000).map(|_| numbers()).last();
            assert_eq!(last, Some(expected));
        }
    }

    #[test]
    fn an_order_has_every_entry_once() {
        for twister in [Twister::FASTCHESS, Twister::CUTECHESS] {
            let mut order = twister.order(42, 1000);
            assert_ne!(order, (0..1000).collect::<Vec<_>>());
            order.sort_unstable();
            assert_eq!(order, (0..1000).collect::<Vec<_>>());
        }
        assert_eq!(Twister::FASTCHESS.order(1, 0), Vec::<u32>::new());
    }
}
