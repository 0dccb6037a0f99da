//! An engine that thinks for no time: it answers from the script.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, Write};
use std::path::Path;

use arbiter960::chess::{FenDialect, StartNumber, UciDialect, Variant, start};

/// The pieces of the start that is sent as `startpos`.
const USUAL_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// Speaks UCI until its input ends.
pub(crate) fn play(script: &Path) {
    let text = fs::read_to_string(script).expect("the script can be read");
    let games: Games = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(start, moves)| (start.to_owned(), moves.split(' ').collect()))
        .collect();
    answer(&games);
}

/// As [`play`], for runners that send the position after the last capture or pawn
/// move instead of the start: knows every position of the script.
pub(crate) fn play_from_anywhere(script: &Path) {
    let text = fs::read_to_string(script).expect("the script can be read");
    let mut games = Games::new();
    for (number, line) in (0..).zip(text.lines()) {
        let moves: Vec<&str> = line.split(' ').skip(1).collect();
        let start = start::position(Variant::Chess960, StartNumber(number));
        let mut position = start.expect("0-959");
        for ply in 0..moves.len() {
            let fen = position.fen(FenDialect::Shredder);
            let place = fen.split(' ').next().expect("a FEN has fields").to_owned();
            // The first time counts: pieces only shuffle after the last capture.
            games.entry(place).or_insert_with(|| moves[ply..].to_vec());
            let played = position.parse_uci(moves[ply], UciDialect::Chess960);
            position.play(played.expect("the script is legal"));
        }
    }
    answer(&games);
}

/// The moves that follow a placement of the pieces.
type Games<'s> = HashMap<String, Vec<&'s str>>;

fn answer(games: &Games<'_>) {
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
            "position" => next = scripted(games, &line),
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

fn scripted<'s>(games: &Games<'s>, line: &str) -> &'s str {
    let mut words = line.split(' ').skip(1);
    // `startpos` or `fen` and six fields, then `moves` and the moves.
    let (place, words_before_moves) = match words.next() {
        Some("fen") => (words.next().unwrap_or(""), 8),
        _ => (USUAL_START, 2),
    };
    let blanks = line.bytes().filter(|byte| *byte == b' ').count();
    let played = blanks.saturating_sub(words_before_moves);
    games
        .get(place)
        .and_then(|moves| moves.get(played))
        .copied()
        .unwrap_or("0000")
}
