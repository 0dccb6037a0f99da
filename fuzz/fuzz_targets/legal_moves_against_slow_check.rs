//! Along a game the legal moves are those of the slow rules, which share nothing with the rules
//! core but the FEN.

#![no_main]

mod game;
#[path = "../../tests/suite/slow_rules.rs"]
mod slow_rules;

use arbiter960::chess::{CastlingRule, FenDialect, Position, UciDialect};
use libfuzzer_sys::fuzz_target;
use slow_rules::{SlowBoard, SlowRule};

fuzz_target!(|choices: &[u8]| {
    game::play(choices, compare);
});

fn compare(position: &Position) {
    let fen = position.fen(FenDialect::Shredder);
    let rule = match position.castling_rule() {
        CastlingRule::Fischer => SlowRule::Chess960,
        CastlingRule::Chess480 => SlowRule::Chess480,
        CastlingRule::Moab => SlowRule::Moab,
    };
    let moves = position.legal_moves();
    let text = |&mv: &_| position.uci(mv, UciDialect::Chess960).to_string();
    let mut moves: Vec<String> = moves.iter().map(text).collect();
    moves.sort();
    assert_eq!(moves, SlowBoard::new(&fen, rule).legal_moves(), "{fen}");
}
