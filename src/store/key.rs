//! Which game a row is about: its key and who played, the same in all tables of games.

use rusqlite::Row;

use crate::chess::StartNumber;
use crate::event::{GameId, PairId, Seat};

/// Columns 0 to 8 of a row with a whole game or a result.
pub(super) struct Key {
    /// The place in the order of finishing or of voiding, from 1.
    pub order: u64,
    pub id: GameId,
    pub cycle: u32,
    pub number: Option<StartNumber>,
    pub seats: [Seat; 2],
}

impl Key {
    pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<Key> {
        Ok(Key {
            order: row.get::<_, i64>(0)?.cast_unsigned(),
            id: game_id(row, 1)?,
            cycle: row.get(3)?,
            number: row.get::<_, Option<u32>>(4)?.map(StartNumber),
            seats: seats(row, 5)?,
        })
    }
}

/// The columns `pair` and `game`, from this one on.
pub(super) fn game_id(row: &Row<'_>, first: usize) -> rusqlite::Result<GameId> {
    Ok(GameId {
        pair: PairId(row.get::<_, i64>(first)?.cast_unsigned()),
        game: row.get(first + 1)?,
    })
}

/// The columns `white_engine`, `white_copy`, `black_engine` and `black_copy`, from this one on.
pub(super) fn seats(row: &Row<'_>, first: usize) -> rusqlite::Result<[Seat; 2]> {
    let seat = |column| -> rusqlite::Result<Seat> {
        Ok(Seat {
            engine: row.get(column)?,
            copy: row.get(column + 1)?,
        })
    };
    Ok([seat(first)?, seat(first + 2)?])
}
