//! What the runner charges engines beyond the time that they worked.
//!
//! An engine works for 20 ms and says by itself how long it took, to the nanosecond: from when it
//! had read `go` until just before it writes `bestmove`. What its clock is charged beyond that is
//! the runner's doing, and the kernel's: two writes, two wakes.
//!
//! `cargo bench --bench clock_tax` prints mean, p50, p99 and maximum with one lane, as many lanes
//! as processors, and four times as many; and next to floods, listeners, viewers of the page and statistics. With
//! `FASTCHESS=…` in the environment the same engine is also measured with fastchess, which writes
//! whole milliseconds. Scenarios take turns: these machines are noisy, and only ratios within one
//! run mean something. `-- 5 2000` after the command: this number of rounds, and this number of moves in each;
//! `quiet`: without anything beside; `viewers`: with the viewers alone. The second table is what a lane takes between two
//! moves, with and without moves that are kept on the disk.

mod engine;
mod event;
mod fastchess;
mod viewers;

use std::process::ExitCode;

use engine::Manner;
use event::{Beside, Measured, PLIES, taxes};

/// Rounds in which every scenario is measured, and moves of each in a round, roughly.
const USUAL: [usize; 2] = [2, 600];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["engine", "quiet"] => engine::play(Manner::Quiet),
        ["engine", "floods-in-its-turn"] => engine::play(Manner::FloodsInItsTurn),
        ["engine", "floods-out-of-its-turn"] => engine::play(Manner::FloodsOutOfItsTurn),
        ["guardian", ..] => {
            arbiter960::internal::engine::guardian::guard(std::io::stdin().lock(), &[]);
        }
        ["viewers", address] => viewers::look(address),
        ["--test", ..] => println!("not a test"),
        _ => measure(&words),
    }
    ExitCode::SUCCESS
}

/// Rounds and moves, as the command line has them. Cargo adds another word.
fn asked(words: &[&str]) -> [usize; 2] {
    let numbers: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().unwrap_or(USUAL)
}

/// What is measured.
struct Scenario {
    name: &'static str,
    lanes: usize,
    beside: Beside,
    measured: Measured,
}

fn measure(words: &[&str]) {
    let [rounds, moves] = asked(words);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let scenario = |(name, lanes, beside)| Scenario {
        name,
        lanes,
        beside,
        measured: Measured::default(),
    };
    let scenarios = [
        ("quiet", 1, Beside::Nothing),
        ("quiet", cores, Beside::Nothing),
        ("flooding opponent", cores, Beside::FloodingOpponent),
        ("flooding neighbour", cores, Beside::FloodingNeighbour),
        ("eight listeners", cores, Beside::Listeners),
        ("1,000 viewers", 1, Beside::Viewers),
        ("1,000 viewers", cores, Beside::Viewers),
        ("statistics", cores, Beside::Statistics),
        ("moves kept", 1, Beside::KeptMoves),
        ("moves kept", cores, Beside::KeptMoves),
        ("quiet", 4 * cores, Beside::Nothing),
    ]
    .map(scenario);
    let among: &[Beside] = match () {
        () if words.contains(&"quiet") => &[Beside::Nothing, Beside::KeptMoves],
        () if words.contains(&"viewers") => &[Beside::Nothing, Beside::Viewers],
        () => &Beside::ALL,
    };
    let wanted = |scenario: &Scenario| among.contains(&scenario.beside);
    let mut scenarios: Vec<Scenario> = scenarios.into_iter().filter(wanted).collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let games = (moves / PLIES).next_multiple_of(2);
    let mut others = [1, cores].map(|lanes| (lanes, Vec::new()));
    for round in 0..rounds {
        for (number, scenario) in scenarios.iter_mut().enumerate() {
            let name = format!("scenario-{number}-round-{round}");
            let (lanes, beside) = (scenario.lanes, scenario.beside);
            let measured = taxes(folder.path(), &name, lanes, games.max(2 * lanes), beside);
            scenario.measured.taxes.extend(measured.taxes);
            scenario.measured.between.extend(measured.between);
        }
        for (lanes, measured) in &mut others {
            measured.extend(fastchess::taxes(folder.path(), *lanes, games));
        }
    }
    println!("milliseconds charged beyond the engine's own time ({cores} processors)\n");
    println!("program     beside              lanes   moves     mean      p50      p99      max");
    for scenario in &mut scenarios {
        let (name, lanes) = (scenario.name, scenario.lanes);
        row("arbiter960", name, lanes, &mut scenario.measured.taxes);
    }
    for (lanes, measured) in &mut others {
        if !measured.is_empty() {
            row("fastchess", "quiet", *lanes, measured);
        }
    }
    println!("\nmilliseconds from a move to the next `go`, on no clock\n");
    for scenario in &mut scenarios {
        let (name, lanes) = (scenario.name, scenario.lanes);
        row("lane", name, lanes, &mut scenario.measured.between);
    }
}

fn row(program: &str, name: &str, lanes: usize, taxes: &mut [i64]) {
    taxes.sort_unstable();
    let count = taxes.len();
    let milliseconds = |nanoseconds: i64| nanoseconds as f64 / 1e6;
    let mean = taxes.iter().map(|tax| milliseconds(*tax)).sum::<f64>() / count as f64;
    let at = |share: f64| milliseconds(taxes[((count - 1) as f64 * share) as usize]);
    println!(
        "{program:<12}{name:<20}{lanes:>5}{count:>8}{mean:>9.3}{:>9.3}{:>9.3}{:>9.3}",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}
