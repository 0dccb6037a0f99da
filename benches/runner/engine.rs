//! An engine that thinks for no time: it answers from the script.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, Write};
use std::path::Path;

/// Speaks UCI until its input ends.
pub fn play(script: &Path) {
    let text = fs::read_to_string(script).expect("the script can be read");
    let games: HashMap<&str, Vec<&str>> = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(start, moves)| (start, moves.split(' ').collect()))
        .collect();
    let mut next = "0000";
    let mut output = std::io::stdout().lock();
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    while input.read_line(&mut line).is_ok_and(|read| read > 0) {
        let mut answer = String::new();
        match line.split(' ').next().unwrap_or("").trim() {
            "uci" => answer.push_str(
                "id name Scripted\noption name Hash type spin default 1 min 1 max 64\n\
                 option name UCI_Chess960 type check default false\nuciok\n",
            ),
            "isready" => answer.push_str("readyok\n"),
            "position" => next = scripted(&games, &line),
            "go" => {
                answer = format!(
                    "info depth 1 seldepth 2 score cp 10 nodes 20 nps 20000 time 1 pv {next}\n\
                     bestmove {next}\n"
                );
            }
            "quit" => return,
            _ => {}
        }
        if !answer.is_empty() {
            output
                .write_all(answer.as_bytes())
                .expect("the runner reads");
            output.flush().expect("the runner reads");
        }
        line.clear();
    }
}

fn scripted<'s>(games: &HashMap<&str, Vec<&'s str>>, line: &str) -> &'s str {
    let start = line.split(' ').nth(2).unwrap_or("");
    let blanks = line.bytes().filter(|byte| *byte == b' ').count();
    // `position fen` and six fields, then `moves` and the moves.
    let played = blanks.saturating_sub(8);
    games
        .get(start)
        .and_then(|moves| moves.get(played))
        .copied()
        .unwrap_or("0000")
}
