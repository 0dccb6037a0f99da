//! The bare loop: the same engine program and the same bytes, blocking threads,
//! and no rules, clock, PGN or store.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use arbiter960::chess::{FenDialect, StartNumber, Variant, start};

use crate::script::PLIES;

/// Games of one measurement.
pub(crate) const GAMES: usize = 1920;

/// Plays the scripted games in this number of threads.
pub(crate) fn plies_per_second(script: &Path, lanes: usize) -> f64 {
    let text = fs::read_to_string(script).expect("the script can be read");
    let games: Vec<Vec<String>> = (0..).zip(text.lines()).map(requests).collect();
    let mut engines: Vec<[Child; 2]> = (0..lanes).map(|_| [spawn(script), spawn(script)]).collect();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for (lane, pair) in engines.iter_mut().enumerate() {
            let games = &games;
            scope.spawn(move || {
                for game in (lane..GAMES).step_by(lanes) {
                    // Both games of a pair, as the runner plays them.
                    play(pair, &games[(game / 2) % games.len()]);
                }
            });
        }
    });
    let seconds = begun.elapsed().as_secs_f64();
    for engine in engines.iter_mut().flatten() {
        drop(engine.stdin.take());
        engine.wait().expect("an engine ends");
    }
    (GAMES * PLIES) as f64 / seconds
}

/// What is sent before each ply.
fn requests((number, line): (u32, &str)) -> Vec<String> {
    let position = start::position(Variant::Chess960, StartNumber(number)).expect("0-959");
    let mut request = format!("position fen {}", position.fen(FenDialect::Shredder));
    let moves: Vec<&str> = line.split(' ').skip(1).collect();
    let mut requests = Vec::new();
    for (ply, text) in moves.iter().enumerate() {
        requests.push(format!(
            "{request}\ngo wtime 60000 btime 60000 winc 1000 binc 1000\n"
        ));
        request.push_str(if ply == 0 { " moves " } else { " " });
        request.push_str(text);
    }
    requests
}

fn spawn(script: &Path) -> Child {
    let program = std::env::current_exe().expect("this program");
    Command::new(program)
        .arg("engine")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("an engine starts")
}

fn play(engines: &mut [Child; 2], requests: &[String]) {
    for engine in engines.iter_mut() {
        exchange(engine, "ucinewgame\nisready\n", b"readyok");
    }
    for (ply, request) in requests.iter().enumerate() {
        exchange(&mut engines[ply % 2], request, b"bestmove");
    }
}

fn exchange(engine: &mut Child, request: &str, answer: &[u8]) {
    let mut buffer = [0; 4096];
    let mut held = 0;
    engine
        .stdin
        .as_mut()
        .expect("a pipe")
        .write_all(request.as_bytes())
        .expect("it reads");
    loop {
        let read = engine
            .stdout
            .as_mut()
            .expect("a pipe")
            .read(&mut buffer[held..]);
        held += read.expect("it writes");
        let found = buffer[..held]
            .windows(answer.len())
            .any(|window| window == answer);
        if found && buffer[held - 1] == b'\n' {
            return;
        }
    }
}
