//! Opening the file: does it belong to this program, is it complete, is it of this version? And moving an old event out
//! of the way, which is never deleted.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::error::{InFile, Result, StoreError, damaged};
use super::lock::EventLock;
use super::{EVENT_FILE, SCHEMA, checksum};
use crate::platform::files::{is_of_a_stranger, sync_folder};
use crate::platform::rename;

/// Small tables that every command reads completely.
const SMALL_TABLES: [&str; 3] = ["event", "identity", "engines"];

/// How long SQLite waits for another connection before it gives up.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The same time for the writer, which then informs the user and tries again.
const WRITER_BUSY_TIMEOUT: Duration = Duration::from_secs(1);

/// Checks the mode against the folder's content, and makes the folder if needed.
pub(crate) fn prepare_folder(folder: &Path) -> Result<()> {
    let file = folder.join(EVENT_FILE);
    // Through a link the store would be written somewhere else, and a pipe is waited for.
    if fs::symlink_metadata(&file).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(StoreError::Foreign(file));
    }
    // A crash at the moment of creation leaves an empty file.
    let exists = fs::metadata(&file).is_ok_and(|metadata| metadata.len() > 0);
    // A new event in this folder would overwrite the last trace of these games.
    let pgn = fs::metadata(folder.join("games.pgn"));
    let holds_games = pgn.is_ok_and(|pgn| pgn.is_file() && pgn.len() > 0);
    if !exists && holds_games {
        return Err(StoreError::Lost(folder.to_path_buf()));
    }
    if folder.is_dir() && is_of_a_stranger(folder).unwrap_or(false) {
        return Err(StoreError::Strangers(folder.to_path_buf()));
    }
    make_folder(folder).at(folder)
}

/// A new folder must itself survive a power cut, otherwise everything in it is lost.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    let parent = folder.parent().filter(|path| !path.as_os_str().is_empty());
    sync_folder(parent.unwrap_or(Path::new(".")))
}

/// A connection for the only writer; makes the schema in a new file.
pub(crate) fn writer(folder: &Path) -> Result<Connection> {
    let file = folder.join(EVENT_FILE);
    let mut connection = open_to_write(&file, WRITER_BUSY_TIMEOUT).at(&file)?;
    if is_empty(&connection).at(&file)? {
        drop(connection);
        make(&file)?;
        connection = open_to_write(&file, WRITER_BUSY_TIMEOUT).at(&file)?;
    }
    check_version(&connection, &file)?;
    set_durable(&connection).at(&file)?;
    check_whole(&connection, &file)?;
    check(&connection, &file)?;
    Ok(connection)
}

fn open_to_write(file: &Path, timeout: Duration) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    connection.busy_timeout(timeout)?;
    checksum::register(&connection)?;
    Ok(connection)
}

/// Makes an empty store, which gets its name when all of it is on the disk: a power cut leaves the whole of it, or
/// nothing. SQLite itself would wait for the disk after each of its steps.
fn make(file: &Path) -> Result<()> {
    let draft = file.with_extension("making");
    // What a power cut has left.
    let _none = fs::remove_file(&draft);
    let connection = open_to_write(&draft, BUSY_TIMEOUT).at(file)?;
    let unsynced = connection.pragma_update(None, "synchronous", "OFF");
    unsynced.and_then(|()| create(&connection)).at(file)?;
    let logs = connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()));
    logs.at(file)?;
    drop(connection);
    let synced = OpenOptions::new().write(true).open(&draft);
    synced.and_then(|made| made.sync_all()).at(file)?;
    rename(&draft, file).at(file)?;
    sync_folder(file.parent().unwrap_or(file)).at(file)
}

/// A second connection that writes, and waits for the only writer.
pub(super) fn second_writer(folder: &Path) -> Result<Connection> {
    let file = folder.join(EVENT_FILE);
    if !file.is_file() {
        return Err(StoreError::Missing(folder.to_path_buf()));
    }
    let connection = open_to_write(&file, BUSY_TIMEOUT).at(&file)?;
    check_version(&connection, &file)?;
    set_durable(&connection).at(&file)?;
    Ok(connection)
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) FROM sqlite_schema";
    let things: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(things == 0 && pragma(connection, "application_id")? == 0)
}

fn set_durable(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // macOS empties the disk's own memory only if it is asked to; other systems do it anyway.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(())
}

/// Refuses files of other programs and of other versions.
fn check_version(connection: &Connection, file: &Path) -> Result<()> {
    let application = pragma(connection, "application_id").at(file)?;
    let version = pragma(connection, "user_version").at(file)?;
    let file = file.to_path_buf();
    if application != APPLICATION_ID {
        return Err(StoreError::Foreign(file));
    }
    if version != SCHEMA {
        return Err(StoreError::OtherVersion { file, version });
    }
    Ok(())
}

/// Finds a truncated file or a corrupt table of results before the first game and not in the middle of the event. The
/// log of an interrupted run is moved into the file first, so that the file has its full size.
fn check_whole(connection: &Connection, file: &Path) -> Result<()> {
    let moved = checkpoint(connection).at(file)?;
    let pages = pragma(connection, "page_count").at(file)?;
    let page_size = pragma(connection, "page_size").at(file)?;
    let metadata = fs::metadata(file).at(file)?;
    if moved && metadata.len().cast_signed() < pages * page_size {
        let detail = format!("{} bytes of {}", metadata.len(), pages * page_size);
        return Err(damaged(file, detail));
    }
    check_tables(connection, file, &SMALL_TABLES)?;
    check_tables(connection, file, &["games", "voided"])?;
    check_last_game(connection, file)
}

/// A game is written with its moves. Moves after the last game belong to a game that was taken out.
fn check_last_game(connection: &Connection, file: &Path) -> Result<()> {
    let sql = "SELECT (SELECT coalesce(max(sequence), 0) FROM games),
                      (SELECT coalesce(max(sequence), 0) FROM play)";
    let last = connection.query_row(sql, [], |row| Ok([row.get(0)?, row.get(1)?]));
    let [games, moves]: [i64; 2] = last.at(file)?;
    if moves > games {
        let detail = format!("the game at place {moves} has moves, and no result");
        return Err(damaged(file, detail));
    }
    Ok(())
}

/// Whether the pages of these tables are consistent.
fn check_tables(connection: &Connection, file: &Path, tables: &[&str]) -> Result<()> {
    for table in tables {
        let sql = format!("PRAGMA quick_check({table})");
        let verdict = connection.query_row(&sql, [], |row| row.get::<_, String>(0));
        let verdict = verdict.at(file)?;
        if verdict != "ok" {
            return Err(damaged(file, format!("{table}: {verdict}")));
        }
    }
    Ok(())
}

/// Moves the write-ahead log into the file and empties it; `false` if a reader prevented that, which costs only the
/// log's space.
pub(crate) fn checkpoint(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
    let busy: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(busy == 0)
}

/// Moves all of the log of a store that is not being written into its file, which can then be moved without it.
///
/// # Errors
/// A reader prevents that, or an error of the disk.
pub(super) fn empty_log(folder: &Path) -> Result<()> {
    let file = folder.join(EVENT_FILE);
    let connection = open_to_write(&file, BUSY_TIMEOUT).at(&file)?;
    if checkpoint(&connection).at(&file)? {
        return Ok(());
    }
    let detail = "a reader keeps its log from being moved into it".to_owned();
    Err(StoreError::Failed { file, detail })
}

/// A connection that only reads, also while a runner writes.
pub(crate) fn reader(folder: &Path) -> Result<Connection> {
    let file = folder.join(EVENT_FILE);
    if !file.is_file() {
        return Err(StoreError::Missing(folder.to_path_buf()));
    }
    let connection = match try_reader(&file, OpenFlags::SQLITE_OPEN_READ_WRITE) {
        Err(StoreError::ReadOnly { .. } | StoreError::Failed { .. }) => unwritable_reader(&file)?,
        other => other?,
    };
    if is_empty(&connection).at(&file)? {
        return Err(StoreError::Foreign(file));
    }
    check_version(&connection, &file)?;
    check_tables(&connection, &file, &SMALL_TABLES)?;
    check(&connection, &file)?;
    Ok(connection)
}

/// Write permission lets SQLite recover what a killed runner left in its log; `query_only` keeps this program from
/// writing.
fn try_reader(file: &Path, access: OpenFlags) -> Result<Connection> {
    let open = || -> rusqlite::Result<Connection> {
        let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(file, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        checksum::register(&connection)?;
        connection.pragma_update(None, "query_only", true)?;
        is_empty(&connection)?;
        Ok(connection)
    };
    open().at(file)
}

/// For a finished event on a read-only medium: SQLite must be told that nobody else changes the file either.
fn unwritable_reader(file: &Path) -> Result<Connection> {
    let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let log = PathBuf::from(format!("{}-wal", file.display()));
    if fs::metadata(log).is_ok_and(|metadata| metadata.len() > 0) {
        return try_reader(file, read_only);
    }
    let escaped = file.display().to_string().replace('%', "%25");
    let escaped = escaped.replace('?', "%3f").replace('#', "%23");
    let address = PathBuf::from(format!("file:{escaped}?immutable=1"));
    try_reader(&address, read_only)
}

/// Moves an event's folder to the first free name of `NAME.old-1`, `NAME.old-2`, … in the same parent folder, and
/// returns that name; `None` if there was no such folder.
///
/// # Errors
/// [`StoreError::Locked`] while a runner plays it, or an error of the disk.
pub(crate) fn set_aside(folder: &Path) -> Result<Option<PathBuf>> {
    if !folder.is_dir() {
        return Ok(None);
    }
    let _lock = EventLock::acquire(folder)?;
    let target = free_name(folder);
    rename(folder, &target).at(folder)?;
    Ok(Some(target))
}

/// The first name of `NAME.old-1`, `NAME.old-2`, … beside this file or folder that nothing has.
pub(crate) fn free_name(path: &Path) -> PathBuf {
    // Iterating over the components drops a slash at the end.
    let mut name = path.components().collect::<PathBuf>().into_os_string();
    name.push(".old-");
    let mut number = 1u64;
    loop {
        let mut candidate = name.clone();
        candidate.push(number.to_string());
        if !Path::new(&candidate).exists() {
            return PathBuf::from(candidate);
        }
        number += 1;
    }
}

/// Marks a file of this program in `PRAGMA application_id`: "A960" in ASCII.
pub(crate) const APPLICATION_ID: i64 = 0x4139_3630;

/// Makes the tables and views of a new file.
pub(super) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "BEGIN IMMEDIATE;
         PRAGMA application_id = {APPLICATION_ID};
         PRAGMA user_version = {SCHEMA};
         {}
         COMMIT;",
        include_str!("schema.sql")
    ))
}

/// Refuses a file whose tables or views differ from those that this program makes: one changed letter may give a column
/// another meaning. Tables and views that users have added are ignored.
pub(super) fn check(connection: &Connection, file: &Path) -> Result<()> {
    static EXPECTED: LazyLock<rusqlite::Result<Vec<SchemaEntry>>> = LazyLock::new(expected);
    let found = definitions(connection).at(file)?;
    let expected = EXPECTED.as_ref();
    let expected = expected.map_err(|error| StoreError::from_sqlite(file, error))?;
    match expected.iter().find(|entry| !found.contains(entry)) {
        None => Ok(()),
        Some((name, _)) => {
            let detail = format!("the definition of '{name}' was changed");
            Err(damaged(file, detail))
        }
    }
}

/// A name in the schema, and the SQL that made it.
type SchemaEntry = (String, Option<String>);

/// The definitions in a new file.
fn expected() -> rusqlite::Result<Vec<SchemaEntry>> {
    let connection = Connection::open_in_memory()?;
    checksum::register(&connection)?;
    create(&connection)?;
    definitions(&connection)
}

fn definitions(connection: &Connection) -> rusqlite::Result<Vec<SchemaEntry>> {
    let mut statement = connection.prepare("SELECT name, sql FROM sqlite_schema")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

pub(super) fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn old_events_are_moved_and_never_overwritten() {
        let results = tempfile::tempdir().unwrap();
        let folder = results.path().join("event");
        assert_eq!(set_aside(&folder).unwrap(), None);
        for number in 1..=2 {
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("games.pgn"), number.to_string()).unwrap();
            let moved = set_aside(&folder).unwrap().unwrap();
            assert_eq!(moved, results.path().join(format!("event.old-{number}")));
            assert!(!folder.exists());
            let kept = fs::read_to_string(moved.join("games.pgn")).unwrap();
            assert_eq!(kept, number.to_string());
        }
    }
}
