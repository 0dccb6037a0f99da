//! One integration binary; each feature has a file below `tests/suite/`.
#![allow(clippy::unwrap_used)] // helpers of tests stand outside the test functions

mod suite {
    pub mod chess_castling;
    pub mod chess_differential;
    pub mod chess_fen;
    pub mod chess_games;
    pub mod chess_perft;
    pub mod chess_unwinnable;
    pub mod random;
    pub mod slow_rules;

    /// A file below `tests/data`.
    pub fn data(name: &str) -> String {
        let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }
}
