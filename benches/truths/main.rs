//! Plays events of random design under random laws, has them analysed, and counts how often the
//! statements about them are true: the promises of docs/statistics.md.
//!
//!     cargo bench --bench truths -- [--events 2000] [--seed 1] > results/truths/random.csv
//!
//! Every event draws a new design (6 to 960 positions; equal numbers of pairs, two sizes, one start
//! with most, a heavy tail; more pairs on starts that are good for White or drawish) and a new
//! law of results. Then sequential tests of [0, 20] nElo between engines that are equal on average are played
//! on start positions that repeat; as many of each design, at least 1,000. The last column is the exact binomial probability of a share as bad as
//! this if the promise is kept. The program ends with 1 where it is below 0.0001.

use arbiter960::stats::calibrate::sequential::RepeatedStarts;
use arbiter960::stats::calibrate::{Calibration, Claim, Design, Truth, at_least};
use arbiter960::stats::numeric::random::SplitMix;
use arbiter960::stats::sprt::Decision;

/// Where the exact probability is below this a promise is broken.
const BROKEN: f64 = 1e-4;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let value = |name: &str, usual: u64| {
        let place = words.iter().position(|word| word == name);
        let word = place.and_then(|place| words.get(place + 1));
        word.map_or(usual, |word| word.parse().expect("a number"))
    };
    let (events, seed) = (value("--events", 2000), value("--seed", 1));
    let mut random = SplitMix::new(seed);
    let mut found = Calibration::default();
    for event in 0..events {
        let design = Design::random(&mut random, 960);
        let truth = Truth::random(&mut random);
        found.event(&design, &truth, seed.wrapping_mul(1_000_003) + event);
    }
    println!("claim,words,promise,share,events,p");
    let mut broken = false;
    for claim in Claim::ALL {
        let Some(share) = found.shares.get(&claim) else {
            continue;
        };
        let p = share.p_value(claim);
        broken |= p < BROKEN;
        println!(
            "{claim:?},\"{}\",{},{:.4},{},{p:.4}",
            claim.words(),
            claim.promise(),
            share.value(),
            share.events
        );
    }
    let tests = events.max(1000);
    for design in RepeatedStarts::ALL {
        let passes = |seed: &u64| design.decision(true, *seed) == Decision::Accepted;
        let passed = (0..tests)
            .map(|test| seed.wrapping_mul(1_000_003) + test)
            .filter(passes)
            .count() as u64;
        let p = at_least(passed, tests, 0.05);
        broken |= p < BROKEN;
        let RepeatedStarts {
            starts,
            interaction,
            heavy,
            ..
        } = design;
        println!(
            "SprtPassedFalse,\"equal engines pass: {starts} starts, interaction {interaction}, {heavy} of the pairs on \
             one more\",0.05,{:.4},{tests},{p:.4}",
            passed as f64 / tests as f64
        );
    }
    if broken {
        std::process::exit(1);
    }
}
