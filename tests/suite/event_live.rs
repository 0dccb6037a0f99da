//! What passes in the games that run: as lines for programs, and as lanes on a terminal.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use serde_json::Value;

use super::support::{Event, assert_described, words};

const BOUND: Duration = Duration::from_secs(120);

fn event(name: &str, rest: &str) -> Event {
    let text = format!(
        "positions.numbers = [500, 518]\nadjudication.max_moves = 4\nevent.concurrency = 2\n{rest}\n\
         [[engine]]\nname = \"Six\"\nbuiltin = \"sparring\"\noptions = {{ Strength = 6 }}\n\
         [[engine]]\nname = \"Nine\"\nbuiltin = \"sparring\"\noptions = {{ Strength = 9 }}\n"
    );
    Event::new(name, &text)
}

/// A running game as the lines tell of it.
fn told(board: &Value) -> Vec<String> {
    let moves = board["moves"].as_str().unwrap().split_whitespace();
    moves.map(str::to_owned).collect()
}

#[test]
fn moves_are_told_while_they_are_made_and_are_those_of_the_games() {
    let event = event("live", "time.control = \"60+1\"");
    let output = event.command(&["--json", "--live"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    lines.iter().for_each(assert_described);
    let facts: HashMap<&str, &Value> = lines
        .iter()
        .filter(|line| line["type"] == "game")
        .map(|game| (game["round"].as_str().unwrap(), game))
        .collect();
    assert_eq!(facts.len(), 4);
    let (mut boards, mut moves, mut ends) = (HashMap::new(), 0, 0);
    for line in &lines {
        let round = line["round"].as_str().unwrap_or_default();
        match line["type"].as_str().unwrap() {
            "boards" => {
                let games = line["games"].as_array().unwrap().iter();
                boards = games
                    .map(|game| (game["round"].as_str().unwrap(), told(game)))
                    .collect();
            }
            "board" => {
                for name in ["white", "black", "number", "fen"] {
                    assert_eq!(line[name], facts[round][name], "{line}");
                }
                assert!(line["white_clock_ms"].as_u64().unwrap() <= 61_000, "{line}");
                boards.insert(round, told(line));
            }
            "move" => {
                let known = boards.get_mut(round).expect("the board was told before");
                known.push(line["move"].as_str().unwrap().to_owned());
                assert_eq!(line["ply"], known.len(), "{line}");
                let side = ["white", "black"][(known.len() + 1) % 2];
                assert_eq!(line["side"], side, "{line}");
                assert!(line["thinking"]["depth"].as_u64().is_some(), "{line}");
                moves += 1;
            }
            "over" => {
                assert_eq!(line["result"], facts[round]["result"]);
                let known = boards.remove(round).expect("it ran");
                let all = facts[round]["moves"].as_str().unwrap();
                assert!(all.starts_with(&known.join(" ")), "{known:?}: {all}");
                ends += 1;
            }
            _ => {}
        }
    }
    assert!(moves > 0 && ends > 0, "{text}");
    // Without the wish nothing of it is told.
    let event = self::event("facts", "time.depth = 1");
    let output = event.command(&["--json"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for kind in ["boards", "board", "move", "thinking", "over"] {
        assert!(!text.contains(&format!("\"type\":\"{kind}\"")), "{text}");
    }
}

#[test]
fn live_lines_are_asked_for_with_json_only() {
    let event = event("alone", "time.depth = 1");
    let output = event.command(&["--live"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", words(&output));
}

#[test]
fn a_terminal_shows_who_plays_whom_in_each_lane() {
    let event = event("lanes", "time.movetime = 0.1\nevent.pairs = 200");
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let size = Winsize {
        ws_row: 30,
        ws_col: 110,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&terminal, size).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let own = rustix::fs::open(name.as_c_str(), flags, rustix::fs::Mode::empty()).unwrap();
    let mut command = event.command(&[]);
    command
        .stdout(Stdio::null())
        .stderr(own)
        .env("TERM", "xterm");
    let mut child = command.spawn().unwrap();
    // Its copy of the terminal goes with it: from here on only the run holds it.
    drop(command);
    let (mut seen, mut chunk, mut stopped) = (String::new(), [0; 4096], false);
    let begun = Instant::now();
    let mut screen = File::from(terminal);
    // The end of the run ends the terminal, which reads as an error.
    while let Ok(count @ 1..) = screen.read(&mut chunk) {
        seen.push_str(&String::from_utf8_lossy(&chunk[..count]));
        let lane = |number| {
            let line = |line: &&str| line.contains(&format!(" #{number} "));
            let shown = seen.split(['\r', '\n']).find(line);
            shown.is_some_and(|line| ["Six", "Nine", "▸"].iter().all(|part| line.contains(part)))
        };
        if !stopped && (begun.elapsed() > BOUND || lane(500) && lane(518)) {
            stopped = true;
            kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        }
    }
    assert_eq!(child.wait().unwrap().code(), Some(143), "{seen}");
    assert!(begun.elapsed() < BOUND, "{seen}");
}
