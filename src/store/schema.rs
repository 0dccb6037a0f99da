//! The tables of each version, and the upgrade of a file from one version to the next.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::checksum;
use super::error::{InFile, Result, damaged};

/// The schema's version, in `PRAGMA user_version`.
pub const SCHEMA: i64 = 8;

/// Marks a file of this program in `PRAGMA application_id`: "A960" in ASCII.
pub(crate) const APPLICATION_ID: i64 = 0x4139_3630;

/// The views of this version.
const VIEWS: &str = include_str!("views.sql");

/// The version of the first release, 0.1.0, whose tables `schema.sql` has.
pub(super) const FIRST: i64 = 2;

/// The versions whose tables differ from those before. The others add elements to the rows' JSON: 6 to a move, for searches
/// on the opponent's time; 7, for lines of the engine that the event wants to be kept; 8, for time that the host took.
const STEPS: [(i64, &str); 3] = [
    (CHECKSUMS, include_str!("schema_3.sql")),
    (4, include_str!("schema_4.sql")),
    (5, include_str!("schema_5.sql")),
];

/// The first version with checksums.
const CHECKSUMS: i64 = 3;

/// Number of games whose checksums are computed between two checks of the time.
const A_BATCH: i64 = 4096;

/// Time after which a slow step is reported, and interval of further reports.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// Prints a message for the user.
pub(super) type Say<'a> = &'a dyn Fn(&str);

/// Makes the tables of the first version.
pub(super) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "BEGIN IMMEDIATE;
         PRAGMA application_id = {APPLICATION_ID};
         PRAGMA user_version = {FIRST};
         {}
         COMMIT;",
        include_str!("schema.sql")
    ))
}

/// Upgrades a file of an earlier version, in one transaction. A new file takes the same steps, so that there is only one
/// schema. A step only adds elements at the end of the rows' JSON: so the views are created again, and the rows stay
/// unchanged except for their checksums.
pub(super) fn bring_forward(connection: &Connection, say: Say<'_>) -> rusqlite::Result<()> {
    if pragma(connection, "user_version")? >= SCHEMA {
        return Ok(());
    }
    // Rolled back if it is dropped without a commit.
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    let version = pragma(&transaction, "user_version")?;
    // Another process, of a later version perhaps, may have done it meanwhile.
    if version >= SCHEMA {
        return Ok(());
    }
    // Views, which read the tables' columns, go before these change.
    transaction.execute_batch("DROP VIEW IF EXISTS moves; DROP VIEW IF EXISTS faults;")?;
    for (next, step) in STEPS.into_iter().filter(|(next, _)| version < *next) {
        transaction.execute_batch(step)?;
        if next == CHECKSUMS {
            add_checksums(&transaction, say)?;
        }
    }
    transaction.execute_batch(&format!("{VIEWS} PRAGMA user_version = {SCHEMA};"))?;
    transaction.commit()
}

/// Computes the checksums of all rows of a file without checksums.
fn add_checksums(connection: &Connection, say: Say<'_>) -> rusqlite::Result<()> {
    use checksum::{ENGINES, EVENT, GAMES, IDENTITY, PLAY, VOIDED};
    let small = [
        ("event", EVENT),
        ("identity", IDENTITY),
        ("engines", ENGINES),
        ("voided", VOIDED),
    ];
    for (table, checksum) in small {
        connection.execute(&format!("UPDATE {table} SET checksum = {checksum}"), [])?;
    }
    let last = "SELECT coalesce(max(sequence), 0) FROM games";
    let last: i64 = connection.query_row(last, [], |row| row.get(0))?;
    if last > 0 {
        say("the store has no checksums yet: they are added now");
    }
    let of_moves = format!(
        "UPDATE games SET play_checksum =
             coalesce((SELECT {PLAY} FROM play WHERE play.sequence = games.sequence), 0)
         WHERE sequence > ?1 AND sequence <= ?2"
    );
    let of_games =
        format!("UPDATE games SET checksum = {GAMES} WHERE sequence > ?1 AND sequence <= ?2");
    let mut told = Instant::now();
    for after in (0..last).step_by(A_BATCH as usize) {
        let batch = params![after, after + A_BATCH];
        connection.execute(&of_moves, batch)?;
        connection.execute(&of_games, batch)?;
        if told.elapsed() > LONGEST_WAIT {
            told = Instant::now();
            let done = (after + A_BATCH).min(last);
            say(&format!("checksums of {done} of {last} games"));
        }
    }
    Ok(())
}

/// Refuses a file of this version whose tables or views differ from those that this program makes: one changed letter
/// may give a column another meaning. Tables and views that users have added are ignored.
pub(super) fn check(connection: &Connection, file: &Path) -> Result<()> {
    if pragma(connection, "user_version").at(file)? < SCHEMA {
        return Ok(());
    }
    let found = definitions(connection).at(file)?;
    let expected = match EXPECTED.get() {
        Some(expected) => expected,
        None => EXPECTED.get_or_init({
            let expected = expected().at(file)?;
            || expected
        }),
    };
    match expected
        .iter()
        .find(|definition| !found.contains(definition))
    {
        None => Ok(()),
        Some((name, _)) => {
            let detail = format!("the definition of '{name}' was changed");
            Err(damaged(file, detail))
        }
    }
}

/// A name in the schema, and the SQL that made it.
type SchemaEntry = (String, Option<String>);

static EXPECTED: OnceLock<Vec<SchemaEntry>> = OnceLock::new();

/// The definitions in a new file.
fn expected() -> rusqlite::Result<Vec<SchemaEntry>> {
    let connection = Connection::open_in_memory()?;
    checksum::register(&connection)?;
    create(&connection)?;
    bring_forward(&connection, &|_| ())?;
    definitions(&connection)
}

fn definitions(connection: &Connection) -> rusqlite::Result<Vec<SchemaEntry>> {
    let mut statement = connection.prepare("SELECT name, sql FROM sqlite_schema")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// Whether files of this version are read.
pub(super) fn is_known(version: i64) -> bool {
    (FIRST..=SCHEMA).contains(&version)
}

pub(super) fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}
