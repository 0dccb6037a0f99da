//! Perft over the 960 start positions, compared with cozy-chess: one process, one core, bulk counting at
//! the last ply. They take turns at every position, so that both meet the same machine.
//!
//! `cargo bench --bench perft -- [DEPTH [POSITIONS [ROUNDS]]]`, by default 5, 960 and 9.

use std::time::{Duration, Instant};

use arbiter960::chess::{Position, perft};

/// A move generator under test: its name, how it counts a position, and the time of each round.
struct Contestant {
    name: &'static str,
    count: Box<dyn Fn(usize) -> u64>,
    rounds: Vec<Duration>,
}

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok());
    let depth: u32 = numbers.next().unwrap_or(5);
    let positions = numbers.next().unwrap_or(960) as usize;
    let rounds = numbers.next().unwrap_or(9);

    let fens = start_fens(positions);
    let mut contestants = contestants(&fens, depth);
    let mut leaves = 0;
    for _ in 0..rounds {
        leaves = play_round(&mut contestants, fens.len());
    }
    print_table(&mut contestants, fens.len(), depth, leaves);
}

/// Every contestant counts every position; they must agree.
fn play_round(contestants: &mut [Contestant], positions: usize) -> u64 {
    let mut leaves = 0;
    contestants
        .iter_mut()
        .for_each(|contestant| contestant.rounds.push(Duration::ZERO));
    for position in 0..positions {
        let counts: Vec<u64> = contestants
            .iter_mut()
            .map(|contestant| {
                let start = Instant::now();
                let counted = (contestant.count)(position);
                if let Some(round) = contestant.rounds.last_mut() {
                    *round += start.elapsed();
                }
                counted
            })
            .collect();
        assert!(
            counts.iter().all(|&count| count == counts[0]),
            "{position}: {counts:?}"
        );
        leaves += counts[0];
    }
    leaves
}

fn start_fens(count: usize) -> Vec<String> {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/perft/sp960-perft.epd"
    );
    let text = std::fs::read_to_string(file).expect("the test data belong to the package");
    let fen = |line: &str| line.split(" ;").next().unwrap_or_default().to_owned();
    let all: Vec<String> = text.lines().map(fen).collect();
    let step = (all.len() / count.max(1)).max(1);
    all.into_iter().step_by(step).take(count).collect()
}

fn contestants(fens: &[String], depth: u32) -> [Contestant; 2] {
    let own: Vec<Position> = fens
        .iter()
        .map(|fen| Position::from_fen(fen).expect("a start position"))
        .collect();
    let cozy: Vec<cozy_chess::Board> = fens
        .iter()
        .map(|fen| cozy_chess::Board::from_fen(fen, true).expect("a start position"))
        .collect();
    [
        Contestant {
            name: "arbiter960",
            count: Box::new(move |index| perft(&own[index], depth)),
            rounds: Vec::new(),
        },
        Contestant {
            name: "cozy-chess",
            count: Box::new(move |index| cozy_perft(&cozy[index], depth)),
            rounds: Vec::new(),
        },
    ]
}

/// As in cozy-chess's own example.
fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    if depth == 0 {
        return 1;
    }
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                leaves += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    leaves
}

fn print_table(contestants: &mut [Contestant], positions: usize, depth: u32, leaves: u64) {
    println!("perft {depth} of {positions} start positions: {leaves} leaves, median of the rounds");
    let pairs = contestants[0].rounds.iter().zip(&contestants[1].rounds);
    let ratios = pairs.map(|(own, other)| other.as_secs_f64() / own.as_secs_f64());
    let ratios = sorted(ratios.collect());
    for contestant in contestants {
        let rounds = contestant.rounds.iter().map(Duration::as_secs_f64);
        let speed = leaves as f64 / median(&sorted(rounds.collect())) / 1e6;
        println!("{:<12} {speed:>8.1} Mnps", contestant.name);
    }
    let (least, most) = (ratios[0], ratios[ratios.len() - 1]);
    println!(
        "{:<12} {:>8.2} ({least:.2} to {most:.2})",
        "ratio",
        median(&ratios)
    );
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

fn median(sorted: &[f64]) -> f64 {
    sorted[sorted.len() / 2]
}
