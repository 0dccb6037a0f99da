//! An engine as processes: how it is started, spoken to, held to its limits, and ended.
//!
//! | file | what |
//! |---|---|
//! | `uci_log` | what is said, written down |
//! | `pipes` | an engine's stdin, stdout and stderr |
//! | `itself` | this program, to be started once more |
//! | `cgroup` | a cgroup for each engine, where this user may make one |
//! | `orphans` | processes that have left their engine's group |
//! | `guardian` | a second process that ends the engines of a runner that was killed |
//! | `launcher` | this program as a small launcher that restricts itself and becomes an engine |
//! | `allowance` | what an engine in a sandbox may use if nobody says it |
//! | `frozen` | engines that are stopped while they are not to move |
//! | `process_counts`, `watch` | what engines use; ends those that use too much |
//! | `environment` | the environment variables of an engine |
//! | `surroundings` | what surrounds an engine's process |
//! | `process` | an engine's process and its group |
//! | `originals` | whether an engine is still the one that the run began with |
//! | `start` | from the event file to an engine that is ready |
//! | `pool` | the engines of one lane |
//! | `trial` | does it search the nodes it is given? |
//! | `probe` | every engine is started once before the first game |

pub(crate) mod allowance;
pub(crate) mod cgroup;
pub(crate) mod environment;
pub(crate) mod frozen;
pub(crate) mod guardian;
pub(crate) mod itself;
pub(crate) mod launcher;
pub(crate) mod originals;
pub(crate) mod orphans;
pub(crate) mod pipes;
pub(crate) mod pool;
pub(crate) mod probe;
pub(crate) mod process;
pub(crate) mod process_counts;
pub(crate) mod start;
pub(crate) mod surroundings;
mod trial;
pub(crate) mod uci_log;
pub(crate) mod watch;
