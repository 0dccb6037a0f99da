//! A store that a disk or a person has altered: it is refused, or no result changes.
//!
//! `super::study` sets the number of single bits that are flipped.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arbiter960::chess::random::Random;
use arbiter960::internal::config::{Overrides, Tournament, load};
use arbiter960::internal::sink::write_pgn;
use arbiter960::internal::store::{CUT_VARIATION, Expectation, Inspection, Reader, Store};
use rusqlite::Connection;

use super::robust_support::{assert_files_whole, six_and_nine};
use super::sample_games::finished;
use super::study;
use super::support::{Event, table};

fn event(name: &str) -> Event {
    let event = six_and_nine(name, 60, "positions.numbers = [\"0-9\"]");
    event.run_well(&["--quiet"]);
    event
}

/// What was wrong before: each changes a result or a key, and the file stays a sound database.
const DAMAGES: &str = "
the winner | UPDATE games SET white_half_points = 2 - white_half_points WHERE sequence = (SELECT min(sequence) FROM games WHERE white_half_points <> 1)
the pair | UPDATE games SET pair = 960 WHERE sequence = 3
the engines | UPDATE games SET white_engine = black_engine, black_engine = white_engine WHERE sequence = 4
the cycle | UPDATE games SET cycle = 1 WHERE sequence = 5
the last move cut | UPDATE play SET moves = json_remove(moves, '$[#-1]') WHERE sequence = 6
the start number | UPDATE games SET number = number + 1 WHERE sequence = 7
the moves of a game | DELETE FROM play WHERE sequence = 8
the event | UPDATE event SET value = 'Other' WHERE key = 'name'
an engine | UPDATE engines SET name = 'Other' WHERE engine = 0
";

fn change(store: &Path, sql: &str) {
    let connection = Connection::open(store).unwrap();
    connection.execute_batch(sql).unwrap();
}

/// Puts a store back to these bytes.
fn put_back(store: &Path, bytes: &[u8]) {
    for log in ["wal", "shm"] {
        let _absent = fs::remove_file(format!("{}-{log}", store.display()));
    }
    fs::write(store, bytes).unwrap();
}

/// Runs the event with its store damaged: refused, and its files of results as they were.
fn assert_refused(event: &Event, what: &str) {
    let files = ["games.pgn", "standings.json", "positions.csv"];
    // Something that a run would put right, if it took the store for sound.
    let pgn = event.results().join("games.pgn");
    let mut edited = event.read("games.pgn");
    edited.push_str("; a remark\n");
    fs::write(&pgn, &edited).unwrap();
    let before = files.map(|file| event.read(file));
    let said = event.ends(4, &["--quiet"]);
    assert!(said.contains("damaged"), "{what}: {said}");
    assert_eq!(files.map(|file| event.read(file)), before, "{what}");
    eprintln!("refused as a store: {said}");
}

#[test]
fn a_changed_row_is_refused_and_the_good_pgn_kept() {
    let event = event("changed");
    let store = event.results().join("event.db");
    let (sound, pgn) = (fs::read(&store).unwrap(), event.read("games.pgn"));
    for [what, sql] in table(DAMAGES) {
        change(&store, &sql);
        assert_refused(&event, &what);
        for command in ["stats", "status"] {
            let mut read = super::support::arbiter960();
            let output = read.arg(command).arg(event.results()).output().unwrap();
            // They read no moves, and the engines' names from the identity.
            let unread = ["the last move cut", "the moves of a game", "an engine"];
            let is_seen = output.status.code() == Some(4);
            assert!(is_seen || unread.contains(&&*what), "{command}, {what}");
        }
        put_back(&store, &sound);
        fs::write(event.results().join("games.pgn"), &pgn).unwrap();
    }
    event.run_well(&["--quiet"]);
    assert_files_whole(&event);
}

/// All that an event's results follow from, as text, or why it cannot be read.
fn everything(tournament: &Tournament, folder: &Path) -> Result<String, String> {
    let words = |error: arbiter960::internal::store::StoreError| error.to_string();
    let store = Store::open(folder, Box::new(|_| ())).map_err(words)?;
    let expected = Expectation {
        plan: tournament.plan().unwrap(),
        openings: Arc::clone(&tournament.openings),
        shard: None,
    };
    let inspection = Inspection::begin(folder, expected, |_| ()).map_err(words)?;
    inspection.finish(|_| ()).map_err(words)?;
    store.close().map_err(words)?;
    let reader = Reader::open(folder).map_err(words)?;
    let results: Result<Vec<_>, _> = reader.results().collect();
    let mut pgn = Vec::new();
    write_pgn(&reader, &mut pgn).map_err(|error| error.to_string())?;
    Ok(format!(
        "{:?}{:?}{:?}{:?}{:?}{:?}{}",
        reader.event().map_err(words)?,
        reader.identities().map_err(words)?,
        reader.engines(1).map_err(words)?,
        reader.finished_ids().map_err(words)?,
        reader.replayed_games().map_err(words)?,
        results.map_err(words)?,
        String::from_utf8(pgn).unwrap()
    ))
}

#[test]
fn a_flipped_bit_is_refused_or_changes_no_result() {
    let flips = study::size(100);
    let event = event("flipped");
    let (tournament, _) = load(&event.file(), Overrides::default()).unwrap();
    let sound = fs::read(event.results().join("event.db")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("event.db");
    fs::write(&file, &sound).unwrap();
    let expected = everything(&tournament, folder.path()).unwrap();
    // Every other flip hits a page with results.
    let is_result = |page: &&[u8]| page.windows(17).any(|bytes| bytes == b"length-adjudicati");
    let pages = (0..)
        .zip(sound.chunks(4096))
        .filter(|(_, page)| is_result(page));
    let pages: Vec<u64> = pages.map(|(number, _)| number).collect();
    assert!(!pages.is_empty());
    let mut random = Random::new(study::seed(0xf11b));
    let (mut refused, mut without_effect) = (0, 0);
    for flip in 0..flips {
        let bits = sound.len() as u64 * 8;
        let page = |random: &mut Random| pages[random.below(pages.len() as u64) as usize];
        let bit = match flip % 2 {
            0 => random.below(bits),
            _ => page(&mut random) * 32768 + random.below(32768),
        };
        let mut bytes = sound.clone();
        bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
        put_back(&file, &bytes);
        match everything(&tournament, folder.path()) {
            Err(_) => refused += 1,
            Ok(found) => {
                assert!(found == expected, "bit {bit} changes a result");
                without_effect += 1;
            }
        }
    }
    assert!(refused > 0, "flips that hit nothing show nothing");
    eprintln!("{flips} bits flipped: {refused} refused, {without_effect} without effect");
}

#[test]
fn variations_without_end_take_little_room() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Box::new(|_| ())).unwrap();
    let mut game = finished(0, 0, 7, 200);
    for played in &mut game.record.moves {
        played.thinking.pv = "e2e4 ".repeat(12_000);
    }
    let moves = game.record.moves.len();
    assert!(moves > 20);
    store.submit(game);
    store.close().unwrap();
    let length = fs::metadata(folder.path().join("event.db")).unwrap().len();
    assert!(length < 1_000_000, "{length} bytes for {moves} moves");
    let reader = Reader::open(folder.path()).unwrap();
    let stored = reader.games().next().unwrap().unwrap().game;
    let first = &stored.record.moves[0].thinking.pv;
    assert!(first.starts_with("e2e4 e2e4"), "{first}");
    assert!(first.ends_with(CUT_VARIATION), "{first}");
}
