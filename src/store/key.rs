//! Which game a row is about: its key and who played, the same in all tables of games.

use rusqlite::Row;

use crate::chess::StartNumber;
use crate::event::{GameId, PairId, Seat};

/// Added to the column `pair` of a game for each decision of the arbiter to play it again: keys stay unique, and no row
/// is ever changed.
const REPLAY: u64 = 1 << 40;

/// The value of the column `pair` for a playing of a game.
pub(super) fn pair_column(id: GameId, playing: u32) -> i64 {
    (id.pair.0 + u64::from(playing) * REPLAY).cast_signed()
}

/// The pair and the playing, from the column `pair`.
pub(super) fn of_pair_column(column: i64) -> (PairId, u32) {
    let column = column.cast_unsigned();
    (PairId(column % REPLAY), (column / REPLAY) as u32)
}

/// Columns 0 to 8 of a row with a whole game or a result.
pub(super) struct RowKey {
    /// The place in the order of finishing or of voiding, from 1.
    pub order: u64,
    pub id: GameId,
    /// Which playing of the game; 0 unless the arbiter had it played again.
    pub playing: u32,
    pub cycle: u32,
    pub number: Option<StartNumber>,
    pub seats: [Seat; 2],
}

impl RowKey {
    pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<RowKey> {
        Ok(RowKey {
            order: row.get::<_, i64>(0)?.cast_unsigned(),
            id: game_id(row, 1)?,
            playing: of_pair_column(row.get(1)?).1,
            cycle: row.get(3)?,
            number: row.get::<_, Option<u32>>(4)?.map(StartNumber),
            seats: seats(row, 5)?,
        })
    }
}

/// The columns `pair` and `game`, from this one on.
pub(super) fn game_id(row: &Row<'_>, first: usize) -> rusqlite::Result<GameId> {
    Ok(GameId {
        pair: of_pair_column(row.get(first)?).0,
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
