//! FEN of every dialect: nothing panics, and what is read is written so that it is read again.

#![no_main]

use arbiter960::chess::{CastlingRule, FenDialect, Position, perft};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for rule in [CastlingRule::Fischer, CastlingRule::Chess480] {
        let Ok(position) = Position::from_fen_with(text, rule) else {
            continue;
        };
        for dialect in [FenDialect::Shredder, FenDialect::XFen] {
            let written = position.fen(dialect);
            let read = Position::from_fen_with(&written, rule);
            assert_eq!(read.as_ref(), Ok(&position), "{written}");
        }
        perft(&position, 2);
        position.is_dead();
        position.cannot_win(position.side_to_move());
    }
});
