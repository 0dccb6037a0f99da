//! Coordinator and worker.
//!
//! **Invariant: the store is the truth, the queue never is.** What is published is what the dispatcher has
//! given out; an empty stream is no finished event, and an acknowledgement no sync to a disk. A worker
//! keeps a finished pair on its own disk until the coordinator says that it is stored.
//!
//! | file | what |
//! |---|---|
//! | `messages` | the messages, versioned; the event that is announced, by whom and in which epoch |
//! | `connection` | the connection to the server |
//! | `streams` | streams, compared with what was wanted, and consumers |
//! | `coordinator` | between the dispatcher and the workers |
//! | `assignment` | the event that a worker plays, with engines and other files by SHA-256 |
//! | `held_pairs` | the pairs that a worker holds, in memory and on its disk |
//! | `worker` | a worker |

mod assignment;
mod connection;
mod coordinator;
mod held_pairs;
mod messages;
mod streams;
mod worker;

pub(crate) use coordinator::coordinator;
pub(crate) use worker::work;
