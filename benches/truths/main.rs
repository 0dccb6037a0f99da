//! Plays whole events of known truth, has them analysed as `stats --fast --format json` analyses
//! a PGN file, and counts how often what is printed is true.
//!
//!     cargo bench --bench truths -- [--events 20] [--truth sparse] [--design 96] [--part events]
//!
//! The parts: `events` (ten designs), `maps` (`compare`), `tests` (SPRT), `evaluations`, `watched`
//! (the always-valid interval). Short events are played more often: the factor stands in `DESIGNS`.
//!
//! A bench and no test: a table that says something takes an hour. It reads the same JSON
//! as a user, so that a number which is computed right and printed wrongly is found too.
//! `tests/suite/stats_truths_simulation.rs` keeps three of the truths in CI.

#[path = "../../tests/suite/simulated_truths.rs"]
mod simulated_truths;

mod anytime;
mod claims;
mod evaluations;
mod event;
mod maps;
mod sequential;
mod tally;

use std::cell::RefCell;

use simulated_truths::{Design, TRUTHS, Truth};
use tally::Tally;

/// What is asked for.
struct Arguments {
    events: u64,
    truth: String,
    design: String,
    part: String,
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
            part: value("--part").unwrap_or_default(),
        }
    }
}

/// Positions, pairs, engines, Elo apart, spread of the advantages, share of draws; how many times
/// the number of events, as these are short.
const DESIGNS: [(u32, u32, u16, f64, f64, f64, u64); 11] = [
    (12, 8, 2, 0.0, 0.5, 0.5, 8),
    (24, 10, 2, 0.0, 0.5, 0.5, 8),
    (24, 2, 12, 0.0, 0.5, 0.5, 2),
    (48, 4, 3, 0.0, 0.5, 0.5, 4),
    (48, 4, 4, 150.0, 0.5, 0.5, 4),
    (96, 10, 2, 0.0, 0.5, 0.5, 4),
    (96, 4, 2, 0.0, 0.0, 0.5, 4),
    (96, 10, 2, 300.0, 0.5, 0.5, 4),
    (240, 10, 2, 0.0, 1.0, 0.88, 2),
    (480, 10, 2, 0.0, 0.5, 0.5, 1),
    (960, 4, 2, 0.0, 0.5, 0.5, 1),
];

fn main() {
    let arguments = Arguments::parse();
    let wants = |part: &str| arguments.part.is_empty() || arguments.part == part;
    println!("Per cent, and Monte-Carlo standard errors\n");
    if wants("tests") {
        println!(
            "{}",
            sequential::table(10 * arguments.events, &arguments.truth)
        );
    }
    if wants("maps") {
        println!("{}", maps::table(2 * arguments.events, &arguments.truth));
    }
    if wants("evaluations") {
        println!("{}", evaluations::table(arguments.events, &arguments.truth));
    }
    if wants("watched") {
        println!("{}", anytime::table(20 * arguments.events));
    }
    if wants("events") {
        events(&arguments);
    }
}

fn events(arguments: &Arguments) {
    for (positions, pairs, engines, apart, tau, draws, times) in DESIGNS {
        let name = format!(
            "{positions} positions, {pairs} pairs, {engines} engines, {apart} Elo apart, spread {tau}, {} % draws",
            100.0 * draws
        );
        if !name.contains(&arguments.design) {
            continue;
        }
        let count = times * arguments.events;
        let mut tallies: Vec<(&str, Tally)> = Vec::new();
        for (truth, label) in TRUTHS {
            if label.contains(&arguments.truth) {
                let design = Design {
                    engines,
                    apart,
                    draws,
                    ..Design::two_engines(truth, positions, pairs, tau)
                };
                tallies.push((label, simulate(&design, count)));
            }
        }
        println!("### {name}; {count} events\n\n{}", tally::table(&tallies));
    }
}

fn simulate(design: &Design, events: u64) -> Tally {
    let mut tally = Tally::default();
    // Other games under each truth, so that columns of a table are independent.
    let first = 1_000_000 * design.truth as u64;
    for seed in first..first + events {
        let played = design.play(seed);
        let json = event::analysed(&played);
        claims::judge(design, &played, &json, &mut tally);
    }
    tally
}

thread_local! {
    /// Truth, mean, spread and draws of the last population, and its mean.
    static POPULATION: RefCell<Option<([u64; 4], f64)>> = const { RefCell::new(None) };
}

/// The mean advantage over the population, Elo, by a long sample of positions.
fn population_elo(design: &Design) -> f64 {
    let key = [
        design.truth as u64,
        design.mu.to_bits(),
        design.tau.to_bits(),
        design.draws.to_bits(),
    ];
    if let Some((known, elo)) = POPULATION.with_borrow(|last| *last)
        && known == key
    {
        return elo;
    }
    let wide = Design {
        positions: 50_000,
        pairs: 0,
        ..*design
    };
    let played = wide.play(1);
    let score = |elo: &f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let mean = played.elo.iter().map(score).sum::<f64>() / played.elo.len() as f64;
    let elo = -400.0 * (1.0 / mean - 1.0).log10();
    POPULATION.set(Some((key, elo)));
    elo
}

/// Whether games of different positions or pairs are more than independent draws.
fn has_interaction(truth: Truth) -> bool {
    matches!(truth, Truth::Interaction)
}
