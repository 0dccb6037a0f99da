//! A farm: one coordinator, workers on other machines, and a NATS server between them.
//!
//! **Invariant: the store is the truth, the queue never is.** What is published is what the dispatcher has
//! given out; an empty stream is no finished event, and an acknowledgement no sync to a disk. A worker
//! keeps a finished pair on its own disk until the coordinator says that it is stored.
//!
//! | file | what |
//! |---|---|
//! | `names` | subjects and streams |
//! | `tickets` | what ties a result to a pair that was given to somebody |
//! | `announcement` | what is announced, by whom, and in which epoch |
//! | `classes` | pairs by what a machine must have to play them |
//! | `messages` | the messages, versioned |
//! | `connection` | the connection to the server |
//! | `streams` | streams and consumers, made by hand and compared with what was wanted |
//! | `files` | engines and other files by SHA-256 |
//! | `examine` | a game that another machine has played against plan, rules and clocks |
//! | `results` | results on their way from the server to the coordinator |
//! | `coordinator` | between the dispatcher and the workers |
//! | `spool` | finished pairs on a worker's disk |
//! | `speed` | how fast this machine is |
//! | `leases` | the pairs that a worker holds |
//! | `assignment` | the event that a worker plays |
//! | `worker` | a worker |

mod announcement;
mod assignment;
mod classes;
mod connection;
mod coordinator;
mod examine;
mod files;
mod leases;
mod messages;
mod names;
mod results;
mod speed;
mod spool;
mod streams;
mod tickets;
mod worker;

pub(crate) use announcement::is_public_nkey;
pub(crate) use connection::Access;
pub(crate) use coordinator::{Coordination, Coordinator};
pub(crate) use names::Farm;
pub(crate) use worker::{Worker, take_folder, work};
