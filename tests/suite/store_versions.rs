//! A store of an earlier version is brought forward, and read unchanged.

use std::path::Path;
use std::time::Duration;

use arbiter960::internal::event::PlayedGame;
use arbiter960::internal::store::{EVENT_FILE, Reader, SCHEMA, Store};
use rusqlite::Connection;
use tempfile::tempdir;

use super::sample_games::finished;

/// Puts a file back to version 2, the first that was released, with the views of its time.
pub(super) const BACK: &str = "
    UPDATE play SET moves = (
        SELECT json_group_array(json_remove(row.value, '$[23]', '$[22]', '$[21]', '$[20]')) FROM json_each(moves) AS row);
    UPDATE play SET faults = (
        SELECT json_group_array(json_remove(row.value, '$[6]', '$[5].own_ns', '$[5].taken_ns')) FROM json_each(faults) AS row)
        WHERE faults IS NOT NULL;
    DROP TABLE pgn_parts;
    DROP TABLE idle_cpu;
    DROP TABLE decisions;
    ALTER TABLE event DROP COLUMN checksum;
    ALTER TABLE identity DROP COLUMN checksum;
    ALTER TABLE engines DROP COLUMN checksum;
    ALTER TABLE voided DROP COLUMN checksum;
    DROP VIEW moves;
    DROP VIEW faults;
    CREATE VIEW moves AS SELECT row.value ->> 0 AS move
        FROM play, json_each(play.moves) AS row;
    CREATE VIEW faults AS SELECT row.value ->> 0 AS side
        FROM play, json_each(play.faults) AS row;
    ALTER TABLE games DROP COLUMN checksum;
    ALTER TABLE games DROP COLUMN play_checksum;
    PRAGMA user_version = 2;";

fn open(folder: &Path) -> Store {
    Store::open(folder, Box::new(|_| ())).unwrap()
}

/// The game as version 2 knew it.
fn as_it_was(mut game: PlayedGame) -> PlayedGame {
    for played in &mut game.record.moves {
        played.idle = None;
        played.pondered = None;
        played.lines.clear();
        played.taken = Default::default();
    }
    for fault in &mut game.record.faults {
        fault.stderr = None;
        if let Some(evidence) = &mut fault.evidence {
            evidence.seen.own = Duration::ZERO;
            evidence.seen.taken = Duration::ZERO;
        }
    }
    game
}

fn stored(folder: &Path) -> Vec<PlayedGame> {
    let reader = Reader::open(folder).unwrap();
    let games = reader.games().map(|game| game.unwrap().game);
    games.collect()
}

#[test]
fn the_first_version_is_read_and_brought_forward() {
    let folder = tempdir().unwrap();
    let games: Vec<PlayedGame> = (0..8).map(|pair| finished(pair, 0, pair, 30)).collect();
    let store = open(folder.path());
    games.iter().for_each(|game| store.submit(game.clone()));
    store.close().unwrap();
    let connection = Connection::open(folder.path().join(EVENT_FILE)).unwrap();
    connection.execute_batch(BACK).unwrap();
    drop(connection);
    let old: Vec<PlayedGame> = games.iter().cloned().map(as_it_was).collect();
    assert_ne!(old, games, "the samples have what was added");
    assert_eq!(stored(folder.path()), old);
    Reader::open(folder.path()).unwrap().flag_falls().unwrap();

    let store = open(folder.path());
    store.submit(finished(9, 0, 9, 30));
    store.close().unwrap();
    let connection = Connection::open(folder.path().join(EVENT_FILE)).unwrap();
    let version: i64 = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert_eq!(version, SCHEMA);
    let watched = "SELECT count(watched_ns) > 0 FROM moves WHERE pair = 9";
    assert!(
        connection
            .query_row(watched, [], |row| row.get::<_, bool>(0))
            .unwrap()
    );
    let all: Vec<PlayedGame> = old.into_iter().chain([finished(9, 0, 9, 30)]).collect();
    assert_eq!(stored(folder.path()), all);
}
