//! One integration binary; each feature has a file below `tests/suite/`.

mod suite {
    pub mod chess_perft;
    pub mod clock_boundaries;
    pub mod sparring_play;
    pub mod uci_handshake;
    pub mod uci_transcripts;

    /// A file below `tests/data`.
    pub fn data(name: &str) -> String {
        let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }
}
