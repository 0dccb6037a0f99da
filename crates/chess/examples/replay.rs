//! Replays the movetext of one game from standard input, from the standard start or from
//! `replay FEN`, and prints each move in both notations, the last position and how it ended.
//!
//! Tags, comments in braces, numbers and results are passed over; for whole files with
//! variations there is a reader in the main program.

use std::error::Error;
use std::io::{Read, stdin};

use arbiter960_chess::{Game, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let fen: Vec<String> = std::env::args().skip(1).collect();
    let start = match fen.is_empty() {
        true => Position::standard(),
        false => fen.join(" ").parse()?,
    };
    let mut text = String::new();
    stdin().read_to_string(&mut text)?;
    let mut game = Game::new(start);
    for word in moves(&text) {
        let position = game.position();
        let played = position.parse_san_loosely(&word)?;
        println!("{} {played}", position.san(played));
        game.play(played);
    }
    println!("{}", game.position());
    if let Some(ending) = game.automatic_ending() {
        println!("over: {ending}");
    } else if let Some(claim) = game.claimable_ending() {
        println!("a draw can be claimed: {claim}");
    }
    Ok(())
}

/// The words that are moves.
fn moves(text: &str) -> Vec<String> {
    let tags = text.lines().filter(|line| !line.starts_with('['));
    let text = tags.collect::<Vec<_>>().join(" ");
    let outside = text
        .split('{')
        .map(|part| part.rsplit('}').next().unwrap_or(part));
    let text = outside.collect::<Vec<_>>().join(" ");
    let words = text.split_whitespace();
    let moves = words
        .map(|word| word.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == '.'));
    moves
        .filter(|word| word.starts_with(|sign: char| sign.is_ascii_alphabetic()))
        .map(str::to_owned)
        .collect()
}
