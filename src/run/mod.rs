//! Effects: dispatcher, lanes, engine processes, signals.
//!
//! | file | what |
//! |---|---|
//! | `epoch` | the one clock of a run |
//! | `pipes` | an engine's stdin, stdout and stderr |
//! | `guardian` | a second process that ends the engines of a runner that was killed |
//! | `itself` | this program, to be started once more |
//! | `strays` | processes that have left their engine's group |
//! | `process` | an engine's process and its group |
//! | `signals` | how a run is told to stop |
//! | `variant` | what engines are told of the variant |
//! | `engine` | from the event file to an engine that is ready |
//! | `driver` | between the referee and the pipes |
//! | `game` | from the plan to a game's settings, from its record to a fact |
//! | `queue` | pairs handed out and not begun |
//! | `stable` | the engines of one lane |
//! | `lane` | a thread that plays one game at a time |
//! | `probe` | every engine is started once before the first game |
//! | `replay` | one engine is asked again what it was asked in a game |
//! | `work` | the plan minus the stored games |
//! | `stop_rule` | what ends a run before its plan |
//! | `dispatcher` | the only place that knows what is running |
//! | `session` | an event from its checked file to its last game |
//! | `error` | why a run could not begin or go on |

pub mod dispatcher;
pub mod driver;
pub mod engine;
pub mod epoch;
pub mod error;
pub mod game;
pub mod guardian;
pub mod itself;
pub mod lane;
pub mod patience;
pub mod pipes;
pub mod probe;
pub mod process;
pub mod queue;
pub mod replay;
pub mod session;
pub mod signals;
pub mod stable;
pub mod stop_rule;
pub mod strays;
pub mod variant;
pub mod work;

pub use dispatcher::Ending;
pub use error::RunError;
pub use session::{Session, folder_of};
