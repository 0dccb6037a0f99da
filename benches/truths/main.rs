//! Plays events of random design under random laws, has them analysed, and counts how often the
//! statements about them are true: the promises of docs/statistics.md.
//!
//!     cargo bench --bench truths -- [--events 2000] [--seed 1] > results/truths/random.csv
//!
//! Every event draws a new design (6 to 960 positions; equal numbers of pairs, two sizes, one start
//! with most, a heavy tail; more pairs on starts that are good for White or drawish) and a new
//! law of results. The last column is the exact binomial probability of a share as bad as
//! this if the promise is kept. The program ends with 1 where it is below 0.0001.

use arbiter960::stats::calibrate::{Calibration, Claim, Design, Truth};
use arbiter960::stats::numeric::random::SplitMix;

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
    if broken {
        std::process::exit(1);
    }
}
