//! Perft over the 960 start positions: one process, one core, bulk counting at the last ply.
//! Both take turns at every position, so that they meet the same machine.

use std::time::{Duration, Instant};

use anyhow::ensure;
use arbiter960_chess::start::{Variant, position};
use arbiter960_chess::{FenDialect, Position, perft};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

/// Times both and prints a table.
pub fn measure(depth: u32, starts: usize, rounds: usize) -> anyhow::Result<()> {
    let positions = chosen(starts)?;
    let mut times: Vec<[Duration; 2]> = Vec::new();
    let mut leaves = 0;
    for _ in 0..rounds.max(1) {
        let (counted, time) = round(&positions, depth)?;
        leaves = counted;
        times.push(time);
    }
    println!(
        "perft {depth} of {} start positions: {leaves} leaves, median of {} rounds",
        positions.len(),
        times.len()
    );
    let speeds = [0, 1].map(|contestant| leaves as f64 / median(&times, contestant) / 1e6);
    for (name, speed) in ["arbiter960", "shakmaty"].into_iter().zip(speeds) {
        println!("{name:<12} {speed:>8.1} Mnps");
    }
    let ratios = times
        .iter()
        .map(|[own, other]| other.as_secs_f64() / own.as_secs_f64());
    let ratios = sorted(ratios.collect());
    let (least, most) = (ratios[0], ratios[ratios.len() - 1]);
    let median = ratios[ratios.len() / 2];
    println!("{:<12} {median:>8.2} ({least:.2} to {most:.2})", "ratio");
    Ok(())
}

/// So many of the start positions, spread evenly over the 960.
fn chosen(count: usize) -> anyhow::Result<Vec<(Position, Chess)>> {
    let step = (960 / count.clamp(1, 960)).max(1);
    Variant::Chess960
        .numbers()
        .step_by(step)
        .take(count)
        .map(|number| {
            let own = position(Variant::Chess960, number)?;
            let fen: Fen = own.fen(FenDialect::Shredder).parse()?;
            Ok((own, fen.into_position(CastlingMode::Chess960)?))
        })
        .collect()
}

fn round(positions: &[(Position, Chess)], depth: u32) -> anyhow::Result<(u64, [Duration; 2])> {
    let (mut leaves, mut times) = (0, [Duration::ZERO; 2]);
    for (own, other) in positions {
        let begin = Instant::now();
        let counted = perft(own, depth);
        times[0] += begin.elapsed();
        let begin = Instant::now();
        let other_counted = shakmaty::perft(other, depth);
        times[1] += begin.elapsed();
        ensure!(
            counted == other_counted,
            "{}: {counted}, but {other_counted}",
            own.fen(FenDialect::Shredder)
        );
        leaves += counted;
    }
    Ok((leaves, times))
}

/// The median over the rounds, in seconds.
fn median(times: &[[Duration; 2]], contestant: usize) -> f64 {
    let seconds = times.iter().map(|time| time[contestant].as_secs_f64());
    let seconds = sorted(seconds.collect());
    seconds[seconds.len() / 2]
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}
