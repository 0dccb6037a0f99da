//! The Mersenne Twisters by which other runners shuffle their books: M. Matsumoto and T. Nishimura,
//! ACM TOMACS 8 (1998) and 10 (2000); parameters and seeding as in the C++ standard, [rand.predef].

/// A generator of 64-bit or of 32-bit numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Twister {
    /// `mt19937_64` as in the standard.
    Fastchess,
    /// `mt19937` but for one thing: of a word of the state not the highest bit is joined with the next
    /// word, but the lowest.
    Cutechess,
}

/// What the two differ in.
struct Parameters {
    words: usize,
    middle: usize,
    bits: u32,
    low_bits: u32,
    twist: u64,
    /// The bits of a word that are joined with the next word's low ones.
    kept: u64,
    seeding: u64,
    tempering: [(u32, u64); 4],
}

const WIDE: Parameters = Parameters {
    words: 312,
    middle: 156,
    bits: 64,
    low_bits: 31,
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

const NARROW: Parameters = Parameters {
    words: 624,
    middle: 397,
    bits: 32,
    low_bits: 31,
    twist: 0x9908_b0df,
    kept: 1 << 31,
    seeding: 1_812_433_253,
    tempering: [
        (11, 0xffff_ffff),
        (7, 0x9d2c_5680),
        (15, 0xefc6_0000),
        (18, 0xffff_ffff),
    ],
};

const CUTECHESS: Parameters = Parameters { kept: 1, ..NARROW };

/// A generator at work.
struct Numbers {
    parameters: &'static Parameters,
    state: Vec<u64>,
    next: usize,
}

impl Numbers {
    fn new(parameters: &'static Parameters, seed: u64) -> Numbers {
        let mask = u64::MAX >> (64 - parameters.bits);
        let mut state = vec![seed & mask];
        for index in 1..parameters.words {
            let last = state[index - 1];
            let mixed = last ^ (last >> (parameters.bits - 2));
            let next = parameters.seeding.wrapping_mul(mixed);
            state.push(next.wrapping_add(index as u64) & mask);
        }
        Numbers {
            parameters,
            state,
            next: parameters.words,
        }
    }

    fn twist(&mut self) {
        let Parameters {
            words,
            middle,
            low_bits,
            twist,
            kept,
            ..
        } = *self.parameters;
        let low = (1 << low_bits) - 1;
        for index in 0..words {
            let next = self.state[(index + 1) % words] & low;
            let joined = (self.state[index] & kept) + next;
            let odd = if joined & 1 == 1 { twist } else { 0 };
            self.state[index] = self.state[(index + middle) % words] ^ (joined >> 1) ^ odd;
        }
        self.next = 0;
    }

    fn number(&mut self) -> u64 {
        if self.next == self.parameters.words {
            self.twist();
        }
        let [(u, d), (s, b), (t, c), (l, _)] = self.parameters.tempering;
        let mut number = self.state[self.next];
        self.next += 1;
        number ^= (number >> u) & d;
        number ^= (number << s) & b;
        number ^= (number << t) & c;
        number ^ (number >> l)
    }
}

impl Twister {
    /// The order into which a book of this many entries is shuffled: from the first place to the last but one, each
    /// entry is exchanged with one at its own place or behind.
    pub(crate) fn order(self, seed: u64, entries: u32) -> Vec<u32> {
        let parameters = match self {
            Twister::Fastchess => &WIDE,
            Twister::Cutechess => &CUTECHESS,
        };
        let mut numbers = Numbers::new(parameters, seed);
        let mut order: Vec<u32> = (0..entries).collect();
        for place in 0..order.len().saturating_sub(1) {
            let left = (order.len() - place) as u64;
            let other = place + (numbers.number() % left) as usize;
            order.swap(place, other);
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ten thousandth number of the default seed, as the C++ standard gives it.
    #[test]
    fn the_numbers_are_those_of_the_standard() {
        for (parameters, expected) in [(&WIDE, 9_981_545_732_273_789_042), (&NARROW, 4_123_659_995)]
        {
            let mut numbers = Numbers::new(parameters, 5489);
            let last = (0..10_000).map(|_| numbers.number()).last();
            assert_eq!(last, Some(expected));
        }
    }

    #[test]
    fn an_order_has_every_entry_once() {
        for twister in [Twister::Fastchess, Twister::Cutechess] {
            let mut order = twister.order(42, 1000);
            assert_ne!(order, (0..1000).collect::<Vec<_>>());
            order.sort_unstable();
            assert_eq!(order, (0..1000).collect::<Vec<_>>());
        }
        assert_eq!(Twister::Fastchess.order(1, 0), Vec::<u32>::new());
    }
}
