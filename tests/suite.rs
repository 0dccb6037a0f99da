//! One integration binary; each feature has a file below `tests/suite/`.

mod suite {
    pub mod match_vector_cases;
    pub mod simulated_match;
    pub mod stats_match_simulation;
    pub mod stats_match_vectors;
    pub mod stats_planning_vectors;
    pub mod stats_robustness;
    pub mod stats_sprt_simulation;
    pub mod stats_sprt_vectors;
}
