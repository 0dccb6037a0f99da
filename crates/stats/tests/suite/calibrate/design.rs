//! Who plays whom on which starts how often.

use arbiter960_stats::numeric::SplitMix;

/// Pairs of two engines on a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The start.
    pub start: u32,
    /// The engine with the smaller index.
    pub first: u16,
    /// The other one.
    pub second: u16,
    /// How many pairs.
    pub pairs: u32,
}

/// An event without its results, in the order of starts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Design {
    /// What is played.
    pub blocks: Vec<Block>,
    /// Number of engines.
    pub engines: u16,
    /// One engine plays itself.
    pub self_play: bool,
    /// More pairs go to starts that are good for White, where numbers of pairs differ.
    pub by_goodness: bool,
}

/// How numbers of pairs differ over positions.
const NUMBERS: usize = 4;

impl Design {
    /// Self-play or up to four engines on six to `most` positions, with equal numbers of pairs, two
    /// sizes, one start with many, or a heavy tail.
    pub(crate) fn random(random: &mut SplitMix, most: u32) -> Self {
        let ratio = f64::from(most) / 6.0;
        let positions = (6.0 * ratio.powf(random.uniform())).round() as u32;
        let kind = random.below(NUMBERS);
        let base = 2 + random.below(9) as u32;
        let heavy = 20 + random.below(100) as u32;
        let engines = [2, 2, 2, 3, 4][random.below(5)];
        let self_play = engines == 2 && random.uniform() < 0.5;
        let mut blocks = Vec::new();
        for start in 0..positions {
            let tail = || 1.0 / (1.0 - 0.95 * ((f64::from(start) + 0.5) / f64::from(positions)));
            let pairs = match kind {
                0 => base,
                1 if start < positions.div_ceil(12) => heavy,
                2 if start == 0 => 2 * heavy,
                3 => (f64::from(base) * tail()).round() as u32,
                _ => base.min(4),
            };
            for second in 1..engines {
                for first in 0..second {
                    blocks.push(Block {
                        start,
                        first,
                        second,
                        pairs,
                    });
                }
            }
        }
        Self {
            blocks,
            engines,
            self_play,
            by_goodness: random.uniform() < 0.4,
        }
    }

    /// Starts, each once.
    pub(crate) fn starts(&self) -> Vec<u32> {
        let mut starts: Vec<u32> = self.blocks.iter().map(|block| block.start).collect();
        starts.dedup();
        starts
    }
}
