//! Which part of `games.pgn` is known to agree with the store: so that resume need not read a million games again.

use rusqlite::{Connection, params};

use super::checksum::PGN_PARTS;

/// Up to this length, `games.pgn` consists of the games of the store up to one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PgnPart {
    /// The last of these games, by its place in the order of finishing.
    pub games: u64,
    /// Bytes of the file, from its beginning.
    pub length: u64,
    /// XXH3 (64 bits) of the bytes after the previous part.
    pub hash: u64,
    /// A hash of everything in addition to the games that the text depends on.
    pub tags: u64,
    /// The latest revision of the identity.
    pub revision: u32,
}

pub(super) fn write(connection: &Connection, part: &PgnPart) -> rusqlite::Result<()> {
    connection
        .prepare_cached(&PGN_PARTS.write("REPLACE"))?
        .execute(params![
            part.games.cast_signed(),
            part.length.cast_signed(),
            part.hash.cast_signed(),
            part.tags.cast_signed(),
            part.revision,
        ])?;
    Ok(())
}

pub(super) fn forget(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM pgn_parts", []).map(drop)
}

/// Reads the parts, up to the first that differs from what was written.
pub(super) fn read(connection: &Connection) -> rusqlite::Result<Vec<PgnPart>> {
    let intact = PGN_PARTS.intact();
    let sql = format!(
        "SELECT games, length, hash, tags, revision, {intact} FROM pgn_parts ORDER BY games"
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], |row| {
        let number = |column| row.get::<usize, i64>(column).map(i64::cast_unsigned);
        let part = PgnPart {
            games: number(0)?,
            length: number(1)?,
            hash: number(2)?,
            tags: number(3)?,
            revision: row.get(4)?,
        };
        Ok(row.get::<_, bool>(5)?.then_some(part))
    })?;
    rows.map_while(rusqlite::Result::transpose).collect()
}
