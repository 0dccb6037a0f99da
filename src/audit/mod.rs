//! What is wrong with games and engines, named.
//!
//! | part | what |
//! |---|---|
//! | `verify` | PGN files: every game replayed, every claim checked |

pub mod verify;
