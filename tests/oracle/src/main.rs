//! Is the rules core right, and how fast is it, by the measure of shakmaty?
//!
//! | file | what |
//! |---|---|
//! | `games` | random games from random Chess960 and DFRC starts |
//! | `compare` | one position, one game: everything that both can say of it |
//! | `speed` | perft over the 960 starts, both in turn |

mod compare;
mod games;
mod speed;

use clap::Parser;

/// Check arbiter960's rules core against shakmaty
#[derive(Debug, Parser)]
#[command(after_help = "Examples:
  cargo run --release --manifest-path tests/oracle/Cargo.toml
  cargo run --release --manifest-path tests/oracle/Cargo.toml -- --positions 10000000 --seed 7
  cargo run --release --manifest-path tests/oracle/Cargo.toml -- --bench 5")]
struct Arguments {
    /// How many positions to compare, at least: the last game is played to its end
    #[arg(
        long,
        value_name = "N",
        env = "ARBITER960_ORACLE_POSITIONS",
        default_value_t = 100_000
    )]
    positions: u64,

    /// The first of the games' seeds
    #[arg(long, value_name = "N", default_value_t = 960)]
    seed: u64,

    /// Instead, time perft of this depth over the start positions
    #[arg(long, value_name = "DEPTH")]
    bench: Option<u32>,

    /// How many of the 960 start positions to time, spread evenly
    #[arg(long, value_name = "N", default_value_t = 960, requires = "bench")]
    starts: usize,

    /// How often to time each
    #[arg(long, value_name = "N", default_value_t = 3, requires = "bench")]
    rounds: usize,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    match arguments.bench {
        Some(depth) => speed::measure(depth, arguments.starts, arguments.rounds),
        None => check(arguments.seed, arguments.positions),
    }
}

fn check(seed: u64, positions: u64) -> anyhow::Result<()> {
    let mut tally = compare::Tally::default();
    let mut next = seed;
    while tally.positions < positions {
        compare::game(next, &mut tally)?;
        next += 1;
    }
    println!("no difference to shakmaty: {tally}");
    Ok(())
}
