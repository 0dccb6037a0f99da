//! The runner alone: engines that answer at once from a script, through real
//! pipes, in 80-ply games from the 960 starts.
//!
//! `cargo bench --bench runner` prints plies per second at 1 and 2 lanes, with
//! store, rules, clocks and PGN, compared with a bare loop over the same engine program
//! and the same bytes with none of them. Rounds are interleaved and medians
//! shown: these machines are noisy, and only the ratio means something.
//!
//! `cargo bench --bench runner -- script FILE` writes the script alone: `benches/table.py --only rivals` measures whole
//! programs, this one and others, with `… engine-anywhere FILE` of this program as both engines.

mod bare;
mod engine;
mod event;
mod script;

use std::path::Path;
use std::process::ExitCode;

/// Rounds of each kind.
const ROUNDS: usize = 5;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["engine", script] => engine::play(Path::new(script)),
        ["engine-anywhere", script] => engine::play_from_anywhere(Path::new(script)),
        ["guardian", ..] => {
            arbiter960::internal::engine::guardian::guard(std::io::stdin().lock(), &[]);
        }
        ["script", file] => script::write(Path::new(file)),
        ["--test", ..] => println!("not a test"),
        _ => compare(),
    }
    ExitCode::SUCCESS
}

fn compare() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = folder.path().join("script.txt");
    script::write(&script);
    // First: the bare loop keeps all of its requests ready, which is more memory than the runner needs.
    event::plies_per_second(folder.path(), &script, 2, ROUNDS);
    println!(
        "memory of this process at its largest, in an event of {} games at 2 lanes: {}",
        bare::GAMES,
        largest_memory()
    );
    println!("lanes   bare loop   arbiter960   ratio   (plies/s, median of {ROUNDS} rounds)");
    for lanes in [1, 2] {
        let (mut bare, mut runner) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            bare.push(bare::plies_per_second(&script, lanes));
            runner.push(event::plies_per_second(
                folder.path(),
                &script,
                lanes,
                round,
            ));
        }
        let (bare, runner) = (median(bare), median(runner));
        println!("{lanes:>5}{bare:>12.0}{runner:>13.0}{:>8.2}", runner / bare);
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn largest_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown".to_owned(), |line| line.trim().to_owned())
}
