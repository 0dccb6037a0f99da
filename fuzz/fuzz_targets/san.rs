//! SAN in a position of a game: nothing panics, and a move that is read is legal and is read
//! again from what is written for it.

#![no_main]

mod game;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<u8>, &str)| {
    let (choices, text) = input;
    let position = game::play(&choices, |_| ());
    if let Ok(mv) = position.parse_san(text) {
        assert!(position.is_legal(mv));
        assert_eq!(position.parse_san(&position.san(mv)), Ok(mv));
    }
});
