//! The live page: an event that is being played, or a stored one, for browsers and for programs.
//!
//! ```text
//!  listeners' thread ──▶ LiveEvent ◀── a thread that serves ◀──▶ viewers
//!  (run) or a thread       │  ▲          HTTP, five messages
//!  that reads a store      ▼  │          a second to each
//!  (serve)              a thread that draws figures, now and then
//! ```
//!
//! **Invariant: nobody who plays waits for anybody who looks.** The sink puts each update into a
//! [`LiveEvent`] and returns. One thread of low priority serves. Each viewer has a queue of bounded size:
//! messages that do not fit into a full queue are lost. The viewer is sent the whole state later, with the
//! number of messages it has lost.
//!
//! **Invariant: a page is read-only**, but for `run --desk`: other requests have no bodies and change nothing; the only files
//! that are read have fixed names in the event's folder.
//!
//! HTTP is `hyper`'s without a framework above it: there are a dozen fixed addresses, and limits on
//! headers, time and connections are set on the connection itself, which `axum::serve` does not offer.
//!
//! | file | what |
//! |---|---|
//! | `boards` | the boards of all lanes as JSON, and what has changed on them |
//! | `http` | bodies, headers, texts with a tag, answers that are too long to be kept in memory |
//! | `shown` | what is known of one event |
//! | `document` | the page, and the texts at its other addresses; the draw, coming pairs, schedule and players |
//! | `broadcast` | a round pushed to Lichess |
//! | `desk` | who may change the event, and from where |
//! | `event` | an event that listeners write to and viewers read |
//! | `stored` | an event that is read from its store, and drawings, made again from time to time |
//! | `answer` | from a request to its answer |
//! | `server` | the thread that serves |

mod answer;
mod boards;
mod broadcast;
mod desk;
mod document;
mod event;
mod http;
mod server;
mod shown;
mod stored;

pub(crate) use broadcast::{Broadcast, BroadcastTarget};
pub(crate) use desk::DeskSettings;
pub use event::{LiveEvent, WebSink};
pub use server::Server;
pub(crate) use stored::watch;
