//! Who plays in an event, and what has happened in it, from its store alone.

use crate::sink::{Roster, Scoreboard};
use crate::store::{Reader, StoreError};

/// The participants of the event, under the identity in force.
///
/// # Errors
/// The store cannot be read.
pub fn roster(reader: &Reader) -> Result<Roster, StoreError> {
    Roster::read(reader)
}

/// All results of the event, counted.
///
/// # Errors
/// The store cannot be read.
pub fn scoreboard(reader: &Reader, roster: &Roster) -> Result<Scoreboard, StoreError> {
    let rules = reader.conduct_rules()?;
    let mut board = Scoreboard::new(&roster.participants).judged_by(rules);
    for game in reader.replayed_games()? {
        board.add_replayed(&game);
    }
    for result in reader.results() {
        board.add_result(&result?);
    }
    Ok(board)
}
