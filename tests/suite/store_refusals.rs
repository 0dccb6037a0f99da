//! Files that are damaged, newer, foreign, locked or not writable: a clear
//! error, and nothing destroyed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use arbiter960::internal::store::{EVENT_FILE, Reader, Store, StoreError, StoreNotice};
use tempfile::{TempDir, tempdir};

use super::sample_games::finished;

fn open(folder: &Path) -> Result<Store, StoreError> {
    Store::open(folder, Box::new(|_| {}))
}

fn event(games: u64) -> TempDir {
    let folder = tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    (0..games).for_each(|pair| store.submit(finished(pair, 0, pair, 60)));
    store.close().unwrap();
    folder
}

/// The error of opening, and proof that the file is unchanged.
fn refusal(folder: &Path) -> StoreError {
    let file = folder.join(EVENT_FILE);
    let before = fs::read(&file).ok();
    let error = open(folder).unwrap_err();
    assert_eq!(fs::read(&file).ok(), before, "{error}");
    eprintln!("refused as a store: {error}");
    error
}

#[test]
fn what_is_not_there_is_not_read() {
    let nothing = tempdir().unwrap();
    let error = Reader::open(nothing.path()).unwrap_err();
    assert!(matches!(error, StoreError::Missing { .. }), "{error}");
}

#[test]
fn two_runners_on_one_event() {
    let folder = event(1);
    let first = open(folder.path()).unwrap();
    // Reading the file's bytes here would break SQLite's own locks on it.
    let error = open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");
    assert!(Reader::open(folder.path()).unwrap().is_running());
    first.close().unwrap();
    assert!(!Reader::open(folder.path()).unwrap().is_running());
    open(folder.path()).unwrap();
}

/// The file as SQLite has it, to be changed.
fn database(folder: &TempDir) -> rusqlite::Connection {
    rusqlite::Connection::open(folder.path().join(EVENT_FILE)).unwrap()
}

#[test]
fn another_schema_is_refused_by_name() {
    let folder = event(1);
    for other in [8, 99] {
        let version = database(&folder).pragma_update(None, "user_version", other);
        version.unwrap();
        let error = refusal(folder.path());
        assert!(matches!(error, StoreError::OtherVersion { version, .. } if version == other));
        assert_eq!(Reader::open(folder.path()).unwrap_err(), error);
    }
}

#[test]
fn a_file_of_another_program_is_refused() {
    let folder = tempdir().unwrap();
    let recipes = "CREATE TABLE recipes (name TEXT)";
    database(&folder).execute_batch(recipes).unwrap();
    let error = refusal(folder.path());
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    let error = Reader::open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
}

#[test]
fn text_in_place_of_a_database_is_damage() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join(EVENT_FILE), "no database ".repeat(500)).unwrap();
    let error = refusal(folder.path());
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    let error = Reader::open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

#[test]
fn a_file_cut_short_is_damage_at_every_length() {
    let folder = event(40);
    let file = folder.path().join(EVENT_FILE);
    let whole = fs::read(&file).unwrap();
    for part in 1..16 {
        let length = whole.len() * part / 16;
        fs::write(&file, &whole[..length]).unwrap();
        let error = refusal(folder.path());
        assert!(
            matches!(error, StoreError::Damaged { .. }),
            "{length}: {error}"
        );
    }
}

#[test]
fn a_game_without_its_moves_is_damage_and_not_skipped() {
    let folder = event(3);
    let sql = "DELETE FROM play WHERE sequence = 3";
    database(&folder).execute(sql, []).unwrap();
    let reader = Reader::open(folder.path()).unwrap();
    let error = reader.games().find_map(Result::err).unwrap();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

#[test]
fn a_last_game_without_its_result_is_damage() {
    let folder = event(3);
    let connection = database(&folder);
    let unchecked = connection.pragma_update(None, "foreign_keys", false);
    unchecked.unwrap();
    let sql = "DELETE FROM games WHERE sequence = 3";
    assert_eq!(connection.execute(sql, []).unwrap(), 1);
    // The log is in the file, which is compared.
    let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
    connection.query_row(sql, [], |_| Ok(())).unwrap();
    drop(connection);
    let error = refusal(folder.path()).to_string();
    assert!(error.contains("the game at place 3 has moves"), "{error}");
}

#[test]
fn the_writer_that_fails_says_so_and_stores_nothing_more() {
    let folder = event(1);
    let (sender, notices) = std::sync::mpsc::channel();
    let announce = Box::new(move |notice| sender.send(notice).unwrap());
    let store = Store::open(folder.path(), announce).unwrap();
    let saboteur = database(&folder);
    let sabotage = "CREATE TRIGGER sabotage BEFORE INSERT ON play
                    BEGIN SELECT RAISE(ABORT, 'no more games'); END";
    saboteur.execute_batch(sabotage).unwrap();
    store.submit(finished(1, 0, 1, 10));
    let failed = notices.recv().unwrap();
    assert!(matches!(failed, StoreNotice::Failed(_)));
    store.submit(finished(2, 0, 1, 10));
    assert!(store.set_event(&[("name", "late")]).is_err());
    store.close().unwrap_err();
    assert!(notices.recv().is_err(), "nothing after the failure");
    let reader = Reader::open(folder.path()).unwrap();
    assert_eq!(reader.finished_ids().unwrap().len(), 1, "no half of a game");
}

#[test]
fn a_folder_without_write_permission() {
    let folder = event(2);
    let set = |name, mode| {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(folder.path().join(name), mode).unwrap();
    };
    set("event.db", 0o444);
    set("event.lock", 0o444);
    set("", 0o555);
    if fs::write(folder.path().join("probe"), "").is_ok() {
        eprintln!("skipped: this user may write everywhere");
        return;
    }
    let error = open(folder.path()).unwrap_err();
    let reader = Reader::open(folder.path()).unwrap();
    let readable = reader.finished_ids().unwrap().len();
    set("", 0o755);
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
    // A finished event can be read from a read-only medium.
    assert_eq!(readable, 2);
}
