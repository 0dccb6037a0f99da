//! Converts between start numbers and FEN: `start_number 518`, `start_number FEN`.

use std::error::Error;

use arbiter960_chess::Variant;
use arbiter960_chess::start::{number_of, parse_number, position};

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    if text.contains(' ') {
        let given = text.parse()?;
        let number = number_of(Variant::Chess960, &given).ok_or("no start of Chess960")?;
        println!("{number}");
    } else {
        let number = parse_number(Variant::Chess960, &text)?;
        println!("{}", position(Variant::Chess960, number)?);
    }
    Ok(())
}
