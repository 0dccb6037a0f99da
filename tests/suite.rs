//! One integration binary; each feature has a file below `tests/suite/`.
#![allow(clippy::unwrap_used)] // helpers of tests stand outside the test functions
#![allow(unreachable_pub)] // nobody uses a test from outside

mod suite {
    pub mod anything_machine;
    pub mod browser;
    pub mod check_command;
    pub mod chess_castling;
    pub mod chess_differential;
    pub mod chess_fen;
    pub mod chess_games;
    pub mod chess_perft;
    pub mod chess_unwinnable;
    pub mod clock_boundaries;
    pub mod config_confinement;
    pub mod config_errors;
    pub mod config_event_file;
    pub mod config_files;
    pub mod config_identity;
    pub mod config_keys;
    pub mod config_match;
    pub mod config_time;
    pub mod doctor_command;
    pub mod engine_surroundings;
    pub mod event_adaptive;
    pub mod event_championship;
    pub mod event_control;
    pub mod event_decisions;
    pub mod event_identity;
    pub mod event_listeners;
    pub mod event_live;
    pub mod event_real_engines;
    pub mod event_refusals;
    pub mod event_rounds;
    pub mod event_sparring;
    pub mod event_stops;
    pub mod event_supply;
    pub mod explain_games;
    pub mod fault_rules;
    pub mod first_hour;
    pub mod former_event;
    pub mod host_faults;
    pub mod hostile_engines;
    pub mod hostile_words;
    pub mod idle_engines;
    pub mod innocent_engines;
    pub mod inputs;
    pub mod layers;
    pub mod match_vector_cases;
    pub mod neighbours;
    pub mod pgn_as_written;
    pub mod pgn_real_files;
    pub mod pgn_robustness;
    pub mod pgn_round_trip;
    pub mod plain_words;
    pub mod random;
    pub mod rating_vectors;
    pub mod referee_anything;
    pub mod referee_flag_falls;
    pub mod referee_virtual;
    pub mod report_page;
    pub mod robust_cuts;
    pub mod robust_endings;
    pub mod robust_engines;
    pub mod robust_kills;
    pub mod robust_locks;
    pub mod robust_specimens;
    pub mod robust_standstill;
    pub mod robust_stops;
    pub mod robust_storage;
    pub mod robust_support;
    pub mod sample_games;
    pub mod sandbox_attacks;
    pub mod sandbox_limits;
    pub mod schedule_plan;
    pub mod simulated_events;
    pub mod simulated_match;
    // The benchmark `truths` uses the rest.
    #[allow(dead_code)]
    pub mod simulated_truths;
    pub mod sink_files;
    pub mod slow_rules;
    pub mod sparring_play;
    pub mod start_command;
    pub mod start_numbers;
    pub mod start_placement;
    pub mod start_positions;
    pub mod start_vectors;
    pub mod stats_adaptive_simulation;
    pub mod stats_advantage_simulation;
    pub mod stats_advantage_vectors;
    pub mod stats_command;
    pub mod stats_degenerate;
    pub mod stats_match_simulation;
    pub mod stats_match_vectors;
    pub mod stats_planning_vectors;
    pub mod stats_questions;
    pub mod stats_rating_simulation;
    pub mod stats_rating_vectors;
    pub mod stats_robustness;
    pub mod stats_sprt_simulation;
    pub mod stats_sprt_vectors;
    pub mod stats_surrogate_simulation;
    pub mod stats_truths_simulation;
    pub mod store_game_json;
    pub mod store_games;
    pub mod store_integrity;
    pub mod store_rebuilt;
    pub mod store_refusals;
    pub mod store_versions;
    pub mod support;
    pub mod uci_handshake;
    pub mod uci_transcripts;
    pub mod variants_plans;
    pub mod variants_real_engines;
    pub mod verify_findings;

    /// A file below `tests/data`.
    pub fn data(name: &str) -> String {
        let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }
}
