//! One integration binary; each feature has a file below `tests/suite/`.

mod suite {
    pub mod reference_vectors;
    pub mod simulated_events;
    pub mod stats_advantage_simulation;
    pub mod stats_advantage_vectors;
    pub mod stats_degenerate;
    pub mod stats_rating_simulation;
    pub mod stats_rating_vectors;
    pub mod stats_surrogate_simulation;
}
