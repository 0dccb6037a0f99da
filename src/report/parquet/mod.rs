//! An event's games, moves, pairs and positions as Parquet files, for DuckDB, pandas, polars, R.
//!
//! Rows are written in groups of bounded size as the games are read from the store, so that an event of
//! any size costs little memory. The columns are in `docs/data.md`.
//!
//! | file | what |
//! |---|---|
//! | `table` | typed columns, written in groups of rows |
//! | `games` | one row for each game |
//! | `moves` | one row for each move |
//! | `statistics` | the tables of `stats`: positions and pairs |

mod games;
mod moves;
mod statistics;
mod table;

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use crate::analysis::EventStatistics;
use crate::report::export::ExportError;
use crate::report::statistics::{PairRow, PlayedStart, all_played, pair_rows};
use crate::sink::SinkError;
use crate::store::Reader;
use crate::tournament::Roster;
use games::ParquetGame;
use moves::ParquetMove;
use table::ParquetTable;

/// Writes `games.parquet`, `moves.parquet`, `pairs.parquet` and `positions.parquet` into the folder, which is created
/// if it is missing.
///
/// # Errors
/// The store cannot be read, or a file cannot be written.
pub(crate) fn write(
    reader: &Reader,
    roster: &Roster,
    statistics: &EventStatistics,
    folder: &Path,
) -> Result<(), ExportError> {
    std::fs::create_dir_all(folder)?;
    let create = |name: &str| File::create(folder.join(name)).map(BufWriter::new);
    let mut games = ParquetTable::new(create("games.parquet")?, games::FIELDS)?;
    let mut moves = ParquetTable::new(create("moves.parquet")?, moves::FIELDS)?;
    for stored in reader.games() {
        let stored = stored.map_err(SinkError::from)?;
        let texts = stored.game.move_texts();
        let game = ParquetGame {
            stored: &stored,
            roster,
            texts: &texts,
        };
        games.row(games::values(&game))?;
        for played in ParquetMove::of(&stored, &texts) {
            moves.row(moves::values(&played))?;
        }
    }
    games.finish()?;
    moves.finish()?;
    // As `stats --format csv --by pair` has them, and as in `positions.csv`.
    let (pairs, positions) = (pair_rows(statistics), all_played(statistics));
    statistics::write(create("pairs.parquet")?, &PairRow::FOR_PROGRAMS, pairs)?;
    let columns = &PlayedStart::FOR_PROGRAMS;
    statistics::write(create("positions.parquet")?, columns, positions)
}
