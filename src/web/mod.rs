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
//! **Invariant: a page is read-only.** Requests have no bodies and change nothing; the only files that
//! are read have fixed names in the event's folder.
//!
//! HTTP is `hyper`'s without a framework above it: there are a dozen fixed addresses, and limits on
//! headers, time and connections are set on the connection itself, which `axum::serve` does not offer.
//!
//! | file | what |
//! |---|---|
//! | `board` | one board: its game, moves and evaluations, as JSON |
//! | `drawing` | the same as SVG, for pages without a script |
//! | `boards` | the boards of all lanes, and what has changed on them |
//! | `coming` | the pairs that nobody has begun |
//! | `viewers` | who looks, each behind a queue of bounded size |
//! | `text` | a text with its tag and its compressed form |
//! | `document` | the page |
//! | `shown` | what is known of one event, and the texts made of it |
//! | `event` | an event that listeners write to and viewers read |
//! | `sink` | the listener of a run |
//! | `stored` | an event that is read from its store |
//! | `figures` | drawings, made again from time to time |
//! | `long` | answers that are too long to be kept in memory: games, events |
//! | `body` | the body of an answer |
//! | `headers` | what the headers of a request say |
//! | `answer` | from a request to its answer |
//! | `patience` | connections that do not move are closed |
//! | `server` | the thread that serves |

mod answer;
mod board;
mod boards;
mod body;
mod coming;
mod document;
mod drawing;
mod event;
mod figures;
mod headers;
mod long;
mod patience;
mod server;
mod shown;
mod sink;
mod stored;
mod text;
mod viewers;

pub(crate) use coming::ComingPair;
pub use event::LiveEvent;
pub use server::Server;
pub use sink::WebSink;
pub(crate) use stored::watch;
