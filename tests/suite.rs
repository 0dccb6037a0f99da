//! One integration binary; each feature has a file below `tests/suite/`.

mod suite {
    pub mod clock_boundaries;
    pub mod uci_handshake;
    pub mod uci_transcripts;
    pub mod reference_vectors;
    pub mod stats_match_vectors;
    pub mod stats_sprt_vectors;
}
