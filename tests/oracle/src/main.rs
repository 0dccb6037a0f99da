//! Tests the rules core against shakmaty: is it right, and how fast is it?
//!
//! | file | what |
//! |---|---|
//! | `games` | random games from random Chess960 and DFRC starts |
//! | `compare` | one position, one game: everything that both can report about it |
//! | `speed` | perft over the 960 starts, both alternately |
//! | `unwinnable` | which side can still mate, on positions whose answers are known |

mod compare;
mod games;
mod speed;
mod unwinnable;

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

    /// Instead, decide who can mate in each position of this file: W-, -B, WB or --, and a FEN
    #[arg(long, value_name = "FILE", conflicts_with = "bench")]
    unwinnable: Option<std::path::PathBuf>,

    /// Positions to look at for each side
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000_000,
        requires = "unwinnable"
    )]
    most: u32,

    /// Instead, time perft of this depth over the start positions
    #[arg(long, value_name = "DEPTH")]
    bench: Option<u32>,

    /// How many of the 960 start positions to time, spread evenly
    #[arg(long, value_name = "N", default_value_t = 960, requires = "bench")]
    starts: usize,

    /// How often to time each
    #[arg(long, value_name = "N", default_value_t = 9, requires = "bench")]
    rounds: usize,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    if let Some(file) = &arguments.unwinnable {
        return unwinnable::decide(file, arguments.most);
    }
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
