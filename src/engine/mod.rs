//! An engine as processes: how it is started, spoken to, held to its limits, and ended.
//!
//! | file | what |
//! |---|---|
//! | `uci_log` | what is said, written down |
//! | `pipes` | an engine's stdin, stdout and stderr |
//! | `itself` | this program, to be started once more |
//! | `strays` | processes that have left their engine's group |
//! | `guardian` | a second process that ends the engines of a runner that was killed |
//! | `launcher` | this program as a small launcher that restricts itself and becomes an engine |
//! | `allowance` | what an engine in a sandbox may use if nobody says it |
//! | `census`, `watch` | what engines use; ends those that use too much |
//! | `environment` | the environment variables of an engine |
//! | `surroundings` | what surrounds an engine's process |
//! | `process` | an engine's process and its group |
//! | `start` | from the event file to an engine that is ready |
//! | `originals` | whether an engine is still the one that the run began with |
//! | `pool` | the engines of one lane |
//! | `trial` | does it search the nodes it is given? |
//! | `probe` | every engine is started once before the first game |

pub mod allowance;
pub mod census;
pub mod environment;
pub mod guardian;
pub mod itself;
pub mod launcher;
pub mod originals;
pub mod pipes;
pub mod pool;
pub mod probe;
pub mod process;
pub mod start;
pub mod strays;
pub mod surroundings;
mod trial;
pub mod uci_log;
pub mod watch;
