//! Effects: dispatcher, lanes, engine processes, signals.
//!
//! | file | what |
//! |---|---|
//! | `epoch` | the one clock of a run |
//! | `pipes` | an engine's stdin, stdout and stderr |
//! | `guardian` | a second process that ends the engines of a runner that was killed |
//! | `itself` | this program, to be started once more |
//! | `launcher` | this program as a small launcher that restricts itself and becomes an engine |
//! | `strays` | processes that have left their engine's group |
//! | `census`, `watch` | what engines use; ends those that use too much |
//! | `cpus` | processors of their own for each lane |
//! | `traffic` | what is said, written down |
//! | `surroundings` | what surrounds an engine's process |
//! | `room` | how much room the disk has left |
//! | `process` | an engine's process and its group |
//! | `signals` | how a run is told to stop |
//! | `variant` | what engines are told of the variant |
//! | `engine` | from the event file to an engine that is ready |
//! | `threads` | processor times of an engine's threads |
//! | `suspension` | whether the machine was suspended |
//! | `standstill` | whether the runner itself stood still |
//! | `witness` | what the host did while an engine was on the clock |
//! | `driver` | between the referee and the pipes |
//! | `originals` | whether an engine is still the one that the run began with |
//! | `game` | from the plan to a game's settings, from its record to a fact |
//! | `queue` | pairs handed out and not begun |
//! | `stable` | the engines of one lane |
//! | `absence` | a game whose engines are not all there |
//! | `lane` | a thread that plays one game at a time |
//! | `probe` | every engine is started once before the first game |
//! | `prepare` | processors for the lanes, remarks on this machine |
//! | `capacity` | more threads on a clock than processors? |
//! | `replay` | one engine is asked again what it was asked in a game |
//! | `work` | the plan minus the stored games |
//! | `adaptive` | where an adaptive event goes on |
//! | `stop_rule` | what ends a run before its plan |
//! | `dispatcher` | the only place that knows what is running |
//! | `check` | the dialogues in which an engine is examined |
//! | `doctor` | is this machine fit to time engines? |
//! | `session` | an event from its checked file to its last game |
//! | `error` | why a run could not begin or go on |

pub mod absence;
pub mod adaptive;
pub mod capacity;
pub mod census;
pub mod check;
pub mod cpus;
pub mod dispatcher;
pub mod doctor;
pub mod driver;
pub mod engine;
pub mod epoch;
pub mod error;
pub mod game;
pub mod guardian;
pub mod itself;
pub mod lane;
pub mod launcher;
pub mod originals;
pub mod patience;
pub mod pipes;
pub mod prepare;
pub mod probe;
pub mod process;
pub mod queue;
pub mod replay;
pub mod room;
pub mod session;
pub mod signals;
pub mod stable;
pub mod standstill;
pub mod stop_rule;
pub mod strays;
pub mod surroundings;
pub mod suspension;
pub mod threads;
pub mod traffic;
pub mod variant;
pub mod watch;
pub mod witness;
pub mod work;

pub use dispatcher::Ending;
pub use error::RunError;
pub use session::{Session, folder_of};
