//! A line of UCI moves from a start, in both dialects: nothing panics, a refusal has words, and
//! a move that is read is legal and is read again from what is written for it.

#![no_main]

mod game;

use arbiter960::chess::UciDialect;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<u8>, &str)| {
    let (choices, text) = input;
    for dialect in [UciDialect::Standard, UciDialect::Chess960] {
        let mut position = game::play(&choices, |_| ());
        for word in text.split_ascii_whitespace() {
            let mv = match position.parse_uci(word, dialect) {
                Ok(mv) => mv,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    break;
                }
            };
            assert!(position.is_legal(mv));
            let written = position.uci(mv, dialect);
            assert_eq!(position.parse_uci(&written, dialect), Ok(mv), "{word}");
            position.play(mv);
        }
    }
});
