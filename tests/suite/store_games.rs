//! What goes into the store comes back, once, in order, and only when durable.

use std::sync::mpsc::{Receiver, channel};

use arbiter960::chess::Color;
use arbiter960::clock::Stamp;
use arbiter960::internal::event::identity::EventIdentity;
use arbiter960::internal::event::{GameId, PairId, PlayedGame, UnixMillis};
use arbiter960::internal::referee::{Dialogue, EngineExit, Exit, Spoken};
use arbiter960::internal::store::{Description, EngineEntry, Reader, Store, StoreNotice};
use proptest::prelude::*;
use serde_json::json;
use tempfile::{TempDir, tempdir};

use super::sample_games::{finished, identity, voided};
use super::study;
use super::support::json;

fn open(folder: &TempDir) -> (Store, Receiver<StoreNotice>) {
    let (sender, notices) = channel();
    let announce = Box::new(move |notice| sender.send(notice).unwrap());
    let store = Store::open(folder.path(), announce).unwrap();
    (store, notices)
}

fn store_all(folder: &TempDir, games: impl IntoIterator<Item = PlayedGame>) {
    let (store, _notices) = open(folder);
    games.into_iter().for_each(|game| store.submit(game));
    store.close().unwrap();
}

fn stored(folder: &TempDir) -> Vec<PlayedGame> {
    let reader = Reader::open(folder.path()).unwrap();
    reader.games().map(|game| game.unwrap().game).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(study::cases(40)))]

    #[test]
    fn games_come_back_exactly(seeds in prop::collection::vec(any::<u64>(), 1..12)) {
        let folder = tempdir().unwrap();
        let (store, _notices) = open(&folder);
        let games: Vec<_> = (0..).zip(&seeds).map(|(pair, seed)| finished(pair, (seed % 2) as u8, *seed, 60)).collect();
        let void = voided(7, 1, seeds[0]);
        games.iter().for_each(|game| store.submit(game.clone()));
        store.submit(void.clone());
        store.close().unwrap();
        prop_assert_eq!(&stored(&folder), &games);
        let reader = Reader::open(folder.path()).unwrap();
        prop_assert_eq!(&reader.voided().unwrap()[0].game, &void);
        for (result, game) in reader.results().map(Result::unwrap).zip(&games) {
            prop_assert_eq!(&result.outcome, &game.record.outcome);
            prop_assert_eq!((result.id, result.seats, result.number), (game.id, game.seats, game.number));
            prop_assert_eq!(result.start, game.start_key());
            prop_assert_eq!(result.plies as usize, game.record.plies());
            let first = game.record.faults.first().map(|fault| (fault.side, fault.kind));
            prop_assert_eq!(result.fault, first);
        }
    }
}

#[test]
fn nothing_is_announced_before_another_process_could_read_it() {
    let folder = tempdir().unwrap();
    let path = folder.path().to_path_buf();
    let (sender, counts) = channel();
    let announce = Box::new(move |notice| {
        if let StoreNotice::Committed(games) = notice {
            let reader = Reader::open(&path).unwrap();
            let known = reader.finished_ids().unwrap();
            let are_known = games.iter().all(|game| known.contains(&game.id));
            sender.send(are_known).unwrap();
        }
    });
    let store = Store::open(folder.path(), announce).unwrap();
    for pair in 0..50 {
        store.submit(finished(pair, 0, pair, 10));
    }
    store.close().unwrap();
    let found: Vec<bool> = counts.iter().collect();
    assert!(!found.is_empty() && found.iter().all(|known| *known));
    assert_eq!(stored(&folder).len(), 50);
}

#[test]
fn games_that_wait_share_a_transaction_and_keep_their_order() {
    let folder = tempdir().unwrap();
    let (release, gate) = channel::<()>();
    let (sender, groups) = channel();
    let announce = Box::new(move |notice| {
        if let StoreNotice::Committed(games) = notice {
            sender.send(games.len()).unwrap();
            // As a slow disk would, hold the writer up while games gather.
            let _released = gate.recv();
        }
    });
    let store = Store::open(folder.path(), announce).unwrap();
    store.submit(finished(99, 0, 1, 8));
    assert_eq!(groups.recv().unwrap(), 1);
    let order = [5, 3, 8, 0, 7];
    for pair in order {
        store.submit(finished(pair, 1, pair, 8));
    }
    drop(release);
    assert_eq!(groups.recv().unwrap(), order.len());
    store.close().unwrap();
    assert_eq!(groups.iter().count(), 0);
    let pairs: Vec<u64> = stored(&folder).iter().map(|game| game.id.pair.0).collect();
    assert_eq!(pairs, [99, 5, 3, 8, 0, 7]);
}

#[test]
fn a_game_that_arrives_twice_is_stored_once() {
    let folder = tempdir().unwrap();
    let (store, notices) = open(&folder);
    let game = finished(4, 1, 11, 20);
    store.submit(game.clone());
    store.submit(game.clone());
    store.close().unwrap();
    let (store, later) = open(&folder);
    store.submit(finished(4, 1, 12, 20));
    store.close().unwrap();
    let is_committed = |notice: &StoreNotice| matches!(notice, StoreNotice::Committed(_));
    assert_eq!(notices.iter().filter(is_committed).count(), 1);
    let notice = later.recv().unwrap();
    assert!(matches!(notice, StoreNotice::Duplicate(ids) if ids == [game.id]));
    assert_eq!(later.iter().count(), 0);
    assert_eq!(stored(&folder), [game]);
}

#[test]
fn voided_games_are_logged_and_count_as_missing() {
    let folder = tempdir().unwrap();
    let finished =
        [(3, 0, 3), (3, 1, 4), (5, 0, 4)].map(|(pair, game, seed)| finished(pair, game, seed, 9));
    store_all(
        &folder,
        [1, 2]
            .map(|seed| voided(3, 0, seed))
            .into_iter()
            .chain(finished),
    );
    let reader = Reader::open(folder.path()).unwrap();
    let counts = reader.counts().unwrap();
    assert_eq!((counts.finished, counts.pairs, counts.voided), (3, 1, 2));
    let id = |pair, game| {
        let pair = PairId(pair);
        GameId { pair, game }
    };
    let ids = [id(3, 0), id(3, 1), id(5, 0)];
    assert_eq!(reader.finished_ids().unwrap(), ids);
    assert_eq!(reader.game(id(3, 1)).unwrap().unwrap().sequence, 2);
    assert_eq!(reader.game(id(9, 0)).unwrap(), None);
}

#[test]
fn the_event_its_engines_and_identities_are_kept_by_revision() {
    let folder = tempdir().unwrap();
    let (store, _notices) = open(&folder);
    store.set_event(&[("name", "A"), ("seed", "1")]).unwrap();
    store.set_event(&[("name", "B")]).unwrap();
    let engine = |sha256: &str| EngineEntry {
        engine: 0,
        name: "Alpha".into(),
        command: "./alpha".into(),
        id_name: Some("Alpha 1.0\u{1b}".into()),
        author: None,
        sha256: Some(sha256.into()),
        options: vec![("Threads".into(), "1".into()), ("Hash".into(), "16".into())],
        time_control: "10+0.1".into(),
    };
    let first = identity(&["Alpha"]);
    let mut second = first.clone();
    second.seed = 7;
    let describe = |at, identity: &EventIdentity, sha256| {
        let description = Description {
            identity: Some((UnixMillis(at), identity.clone())),
            facts: Vec::new(),
            engines: vec![engine(sha256)],
        };
        store.describe(description).unwrap()
    };
    assert_eq!(describe(5, &first, "00"), 1);
    store.submit(finished(0, 0, 1, 4));
    assert_eq!(describe(6, &second, "ff"), 2);
    store.submit(finished(0, 1, 2, 4));
    store.close().unwrap();

    let reader = Reader::open(folder.path()).unwrap();
    assert_eq!(reader.event().unwrap()["name"], "B");
    assert_eq!(reader.value("seed").unwrap().as_deref(), Some("1"));
    assert_eq!(reader.engines(1).unwrap(), [engine("00")]);
    assert_eq!(reader.engines(2).unwrap(), [engine("ff")]);
    let latest = reader.identity().unwrap().unwrap();
    assert_eq!((latest.revision, latest.accepted), (2, UnixMillis(6)));
    assert_eq!(first.differences(&latest.identity).len(), 1);
    let revisions: Vec<u32> = reader.games().map(|game| game.unwrap().revision).collect();
    assert_eq!(revisions, [1, 2]);
}

#[test]
fn any_sqlite_tool_sees_moves_and_faults_as_rows() {
    let folder = tempdir().unwrap();
    let game = finished(2, 0, 8, 30);
    store_all(&folder, [game.clone()]);
    let tool = rusqlite::Connection::open(folder.path().join("event.db")).unwrap();
    let sql = "SELECT json_array(ply, move, sent_ns, depth, pv) FROM moves ORDER BY ply";
    let mut rows = tool.prepare(sql).unwrap();
    let rows = rows.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let book = game.record.opening.len();
    for (ply, (row, record)) in (book + 1..).zip(rows.zip(&game.record.moves)) {
        let (chess_move, said) = (format!("{:?}", record.chess_move), &record.thinking);
        let expected = json!([ply, chess_move, record.sent.0, said.depth, said.pv]);
        assert_eq!(json(&row.unwrap()), expected);
    }
    for (table, count) in [
        ("moves", game.record.moves.len()),
        ("faults", game.record.faults.len()),
    ] {
        let sql = format!("SELECT count(*) FROM {table}");
        let found: i64 = tool.query_row(&sql, [], |row| row.get(0)).unwrap();
        assert_eq!(found as usize, count, "{table}");
    }
}

/// The lines before a fault, and how the engine ended.
fn dialogue() -> Dialogue {
    let line = |at, side, from_engine, text: &str, length| Spoken {
        at: Stamp(at),
        side,
        from_engine,
        text: text.to_owned(),
        length,
    };
    Dialogue {
        lines: vec![
            line(5, Color::White, false, "go depth 1", 10),
            line(u64::MAX - 1, Color::Black, true, "info \u{1b}\"ä", 100_000),
        ],
        remains: EngineExit {
            exit: Some(Exit::Signal(6)),
            stderr: "last \u{7} words".to_owned(),
        },
    }
}

#[test]
fn dialogues_come_back_beside_their_games() {
    let folder = tempdir().unwrap();
    let mut game = finished(3, 1, 5, 20);
    game.record.dialogue = Some(Box::new(dialogue()));
    let mut void = voided(3, 0, 5);
    void.record.dialogue = Some(Box::default());
    let other = finished(4, 0, 5, 20);
    store_all(
        &folder,
        [game.clone(), void.clone(), void.clone(), other.clone()],
    );
    let reader = Reader::open(folder.path()).unwrap();
    assert_eq!(reader.dialogue(game.id, 0).unwrap(), Some(dialogue()));
    let empty = Some(Dialogue::default());
    assert_eq!(reader.dialogue(void.id, 2).unwrap(), empty);
    assert_eq!(reader.dialogue(void.id, 0).unwrap(), None);
    assert_eq!(reader.dialogue(other.id, 0).unwrap(), None);
}
