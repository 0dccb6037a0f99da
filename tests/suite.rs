//! One integration binary; each feature has a file below `tests/suite/`.

mod suite {
    pub mod chess_perft;
    pub mod clock_boundaries;
    pub mod config_errors;
    pub mod config_event_file;
    pub mod config_files;
    pub mod config_identity;
    pub mod schedule_plan;
    pub mod start_command;
    pub mod start_numbers;
    pub mod start_placement;
    pub mod start_positions;
    pub mod uci_handshake;
    pub mod uci_transcripts;

    /// A file below `tests/data`.
    pub fn data(name: &str) -> String {
        let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }
}
