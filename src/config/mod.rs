//! TOML to a checked [`Tournament`]: all errors at once, each with its line.
//!
//! | file | what |
//! |---|---|
//! | `tournament` | what comes out |

mod tournament;

pub use tournament::{EloModel, EngineSpec, Launch, NamedFile, Restart, SprtSettings, Tournament};
