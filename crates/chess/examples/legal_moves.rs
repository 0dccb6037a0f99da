//! The legal moves of a start position of double Fischer random chess, in both notations:
//! `legal_moves WHITE/BLACK` with two start numbers, or `legal_moves FEN`.

use std::error::Error;

use arbiter960_chess::start::{parse_number, position};
use arbiter960_chess::{Position, UciDialect, Variant};

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let given: Position = match text.contains(' ') {
        true => Variant::Dfrc.read_fen(&text)?,
        false => position(Variant::Dfrc, parse_number(Variant::Dfrc, &text)?)?,
    };
    println!("{given}");
    for &legal in &given.legal_moves() {
        println!(
            "{} {}",
            given.uci(legal, UciDialect::Chess960),
            given.san(legal)
        );
    }
    Ok(())
}
