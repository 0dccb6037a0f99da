//! What is wrong with games and engines, named.
//!
//! | part | what |
//! |---|---|
//! | `castling` | positions that show whether an engine castles right |
//! | `check` | conformance of engines: what is asked, how answers are judged |
//! | `verify` | PGN files: every game replayed, every claim checked |

pub mod castling;
pub mod check;
pub mod verify;
