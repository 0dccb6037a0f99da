//! Plays whole events of known truth, has them analysed as `stats --fast --format json` analyses
//! a PGN file, and counts how often what is printed is true.
//!
//!     cargo bench --bench truths -- [--events 20] [--truth sparse] [--design 96]
//!
//! A bench and no test: a table that says something takes an hour. It reads the same JSON
//! as a user, so that a number which is computed right and printed wrongly is found too.
//! `tests/suite/stats_truths_simulation.rs` keeps three of the truths in CI.

#[path = "../../tests/suite/simulated_truths.rs"]
mod simulated_truths;

mod anytime;
mod claims;
mod event;
mod tally;

use simulated_truths::{Design, TRUTHS, Truth};
use tally::Tally;

/// What is asked for.
struct Arguments {
    events: u64,
    truth: String,
    design: String,
}

impl Arguments {
    fn parse() -> Self {
        let words: Vec<String> = std::env::args().collect();
        let value = |name: &str| {
            let place = words.iter().position(|word| word == name)?;
            words.get(place + 1).cloned()
        };
        Self {
            events: value("--events").map_or(20, |n| n.parse().expect("a number of events")),
            truth: value("--truth").unwrap_or_default(),
            design: value("--design").unwrap_or_default(),
        }
    }
}

/// Positions, pairs, engines, Elo apart, spread of the advantages, share of draws.
const DESIGNS: [(u32, u32, u16, f64, f64, f64); 10] = [
    (24, 10, 2, 0.0, 0.5, 0.5),
    (12, 8, 2, 0.0, 0.5, 0.5),
    (96, 10, 2, 0.0, 0.5, 0.5),
    (96, 10, 2, 300.0, 0.5, 0.5),
    (240, 10, 2, 0.0, 1.0, 0.88),
    (480, 10, 2, 0.0, 0.5, 0.5),
    (960, 4, 2, 0.0, 0.5, 0.5),
    (48, 4, 4, 150.0, 0.5, 0.5),
    (24, 2, 12, 0.0, 0.5, 0.5),
    (96, 4, 2, 0.0, 0.0, 0.5),
];

fn main() {
    let arguments = Arguments::parse();
    println!("Shares in percent, {} events each\n", arguments.events);
    for (positions, pairs, engines, apart, tau, draws) in DESIGNS {
        let name = format!(
            "{positions} positions, {pairs} pairs, {engines} engines, {apart} Elo apart, spread {tau}, {} % draws",
            100.0 * draws
        );
        if !name.contains(&arguments.design) {
            continue;
        }
        let mut tallies: Vec<(&str, Tally)> = Vec::new();
        for (truth, label) in TRUTHS {
            if label.contains(&arguments.truth) {
                let design = Design {
                    engines,
                    apart,
                    draws,
                    ..Design::two_engines(truth, positions, pairs, tau)
                };
                tallies.push((label, simulate(&design, arguments.events)));
            }
        }
        println!("### {name}\n\n{}", tally::table(&tallies));
    }
    if arguments.design.is_empty() {
        println!("{}", anytime::table(20 * arguments.events));
    }
}

fn simulate(design: &Design, events: u64) -> Tally {
    let mut tally = Tally::default();
    for seed in 1..=events {
        let played = design.play(seed);
        let json = event::analysed(&played);
        claims::judge(design, &played, &json, &mut tally);
    }
    tally
}

/// Whether games of different positions or pairs are more than independent draws.
fn has_interaction(truth: Truth) -> bool {
    matches!(truth, Truth::Interaction)
}
