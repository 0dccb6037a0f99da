//! What is wrong with games and engines, named.
//!
//! | part | what |
//! |---|---|
//! | `castling` | positions that show whether an engine castles right |
//! | `verify` | PGN files: every game replayed, every claim checked |

pub mod castling;
pub mod verify;
