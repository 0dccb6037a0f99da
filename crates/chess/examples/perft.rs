//! Counts the leaves of the tree of legal moves: `perft DEPTH [FEN]`.

use std::error::Error;

use arbiter960_chess::{Position, perft};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth: u32 = arguments.next().ok_or("perft DEPTH [FEN]")?.parse()?;
    let fen: Vec<String> = arguments.collect();
    let position = match fen.is_empty() {
        true => Position::standard(),
        false => fen.join(" ").parse()?,
    };
    println!("{}", perft(&position, depth));
    Ok(())
}
