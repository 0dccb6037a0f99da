//! The files of an event: equal to the store after any accident, well formed
//! whatever engines call themselves.

use std::fs;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use arbiter960::chess::start::Variant;
use arbiter960::internal::event::{PlayedGame, Seat, UnixMillis};
use arbiter960::internal::referee::Blame;
use arbiter960::internal::report::tables;
use arbiter960::internal::sink::{
    FileAtEnd, JsonSink, PgnSink, ProgressSink, Sink, SinkError, Sinks, StandingsSink,
    standings_json, write_pgn,
};
use arbiter960::internal::store::{Description, EngineEntry, Reader, Store};
use arbiter960::internal::tournament::{EventState, EventView, Participant, Roster, Scoreboard};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::sample_games::{finished, identity};

const EVIL: &str = "Eve\u{1b}[2J \"q\", \\ é\n";

fn roster() -> Roster {
    let participant = |engine, name: &str| Participant {
        seat: Seat { engine, copy: 0 },
        name: name.to_owned(),
    };
    Roster {
        event: "Test".into(),
        site: "?".into(),
        variant: Variant::Chess960,
        format: None,
        participants: vec![participant(0, "Alpha"), participant(1, EVIL)],
        voided_games: 0,
        decided_by_host: 0,
        host_faults: Default::default(),
        adaptive: None,
        decisions: Default::default(),
        games: Default::default(),
        rebuilt: None,
    }
}

fn games(pairs: std::ops::Range<u64>) -> Vec<PlayedGame> {
    let both = |pair| [0, 1].map(|game| finished(pair, game, pair * 31 + u64::from(game), 40));
    pairs.flat_map(both).collect()
}

fn board(games: &[PlayedGame]) -> Scoreboard {
    let mut board = Scoreboard::new(&roster().participants);
    games.iter().for_each(|game| board.add_game(game));
    board.plan(Some(12));
    board
}

/// The state of an event of these games.
fn state(games: &[PlayedGame]) -> EventState {
    EventState::new(roster(), board(games), None)
}

fn view(games: &[PlayedGame]) -> EventView {
    EventView::new(state(games))
}

/// What the dispatcher does with a game that is durable.
fn publish(event: &EventView, sink: &mut dyn Sink, games: &[PlayedGame]) {
    for game in games {
        event.update(|event| event.hear(game));
        sink.committed(game).unwrap();
    }
}

/// An event in whose store these games are.
fn event(games: &[PlayedGame]) -> TempDir {
    let folder = tempdir().unwrap();
    add(&folder, games);
    folder
}

fn add(folder: &TempDir, games: &[PlayedGame]) {
    let store = Store::open(folder.path(), Box::new(|_| {})).unwrap();
    if store.reader().unwrap().identity().unwrap().is_none() {
        let engine = |(engine, name): (u16, &str)| EngineEntry {
            engine,
            name: name.into(),
            command: String::new(),
            id_name: None,
            author: None,
            sha256: None,
            options: vec![("Hash".into(), "16".into())],
            time_control: "1+0.1".into(),
        };
        let facts = [
            ("name", "Test"),
            ("site", "?"),
            ("variant", "chess960"),
            ("planned_games", ""),
            ("planned_encounters", ""),
        ];
        let description = Description {
            identity: Some((UnixMillis(0), identity(&["Alpha", EVIL]))),
            facts: facts.map(|(key, value)| (key.into(), value.into())).into(),
            engines: [(0, "Alpha"), (1, EVIL)].map(engine).into(),
        };
        store.describe(description).unwrap();
    }
    games.iter().for_each(|game| store.submit(game.clone()));
    store.close().unwrap();
}

fn from_store(folder: &TempDir) -> Vec<u8> {
    let mut text = Vec::new();
    write_pgn(&Reader::open(folder.path()).unwrap(), &mut text).unwrap();
    text
}

#[test]
fn the_pgn_grows_game_by_game_and_equals_the_store() {
    let games = games(0..3);
    let folder = event(&[]);
    let reader = Reader::open(folder.path()).unwrap();
    let mut sink = PgnSink::open(&reader, folder.path()).unwrap();
    games.iter().for_each(|game| sink.committed(game).unwrap());
    sink.finish().unwrap();
    add(&folder, &games);
    let written = fs::read(folder.path().join("games.pgn")).unwrap();
    assert_eq!(written, from_store(&folder));
    let text = String::from_utf8(written).unwrap();
    assert_eq!(text.matches("[Event ").count(), games.len());
    assert!(
        !text.contains('\u{1b}'),
        "control characters never reach the file"
    );
}

#[test]
fn a_torn_edited_or_lost_pgn_is_rebuilt_from_the_store() {
    let folder = event(&games(0..4));
    let path = folder.path().join("games.pgn");
    let whole = from_store(&folder);
    let mut edited = whole.clone();
    edited[whole.len() / 2] ^= 1;
    let longer = [&whole[..], b"[Event \"torn"].concat();
    let torn = whole[..whole.len() * 2 / 3].to_vec();
    // with the number of files of its kind next to it afterwards
    for (content, kept) in [
        (Some(torn), 0),
        (Some(edited.clone()), 1),
        (Some(longer.clone()), 2),
        (Some(whole.clone()), 2),
        (None, 2),
    ] {
        match content {
            Some(content) => fs::write(&path, content).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let reader = Reader::open(folder.path()).unwrap();
        let mut sink = PgnSink::open(&reader, folder.path()).unwrap();
        sink.finish().unwrap();
        assert!(fs::read(&path).unwrap() == whole);
        assert!(!folder.path().join("games.pgn.new").exists());
        let beside = (1..).map(|number| folder.path().join(format!("games.pgn.old-{number}")));
        assert_eq!(beside.take_while(|name| name.exists()).count(), kept);
    }
    let beside = |name| fs::read(folder.path().join(name)).unwrap();
    assert!(beside("games.pgn.old-1") == edited && beside("games.pgn.old-2") == longer);
}

#[test]
fn a_pgn_that_cannot_be_written_is_an_error() {
    let folder = event(&games(0..1));
    fs::create_dir(folder.path().join("games.pgn")).unwrap();
    let reader = Reader::open(folder.path()).unwrap();
    let Err(error) = PgnSink::open(&reader, folder.path()) else {
        panic!("a folder is no file");
    };
    assert!(matches!(error, SinkError::File { .. }), "{error}");
    assert!(error.to_string().contains("games.pgn"), "{error}");
}

#[test]
fn standings_agree_with_the_games() {
    let games = games(0..6);
    let value: Value = serde_json::from_str(&standings_json(&state(&games), 2)).unwrap();
    let half_points = |seat: u16| -> u64 {
        let own = games.iter().map(|game| {
            let white = u64::from(game.record.outcome.white_score().unwrap().half_points());
            if game.seats[0].engine == seat {
                white
            } else {
                2 - white
            }
        });
        own.sum()
    };
    assert_eq!(value["progress"]["games"], 12);
    assert_eq!(value["progress"]["pairs"], 6);
    assert_eq!(value["progress"]["running_games"], 2);
    let rows = value["standings"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for row in rows {
        let seat = row["engine"].as_u64().unwrap() as u16;
        assert_eq!(
            row["total"]["points"].as_f64().unwrap() * 2.0,
            half_points(seat) as f64
        );
        assert_eq!(row["total"]["games"], 12);
        assert_eq!(row["white"]["games"], 6);
    }
    let crosstable = value["crosstable"].as_array().unwrap();
    let pairs = |row: &Value| -> u64 {
        row["pairs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|cell| cell.as_u64().unwrap())
            .sum()
    };
    assert_eq!(crosstable.iter().map(pairs).collect::<Vec<_>>(), [6, 6]);
}

#[test]
fn an_event_without_games_has_no_undefined_number() {
    let text = standings_json(&state(&[]), 0);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["standings"][0]["elo"], Value::Null);
    assert_eq!(value["white"]["score"], Value::Null);
    let tables = tables::standings(&board(&[]));
    assert!(
        !tables.contains("NaN") && !tables.contains("inf"),
        "{tables}"
    );
}

#[test]
fn the_order_of_finishing_does_not_change_the_files() {
    let mut games = games(0..6);
    let files = |games: &[PlayedGame]| standings_json(&state(games), 0);
    let before = files(&games);
    games.reverse();
    assert_eq!(files(&games), before);
}

#[test]
fn both_files_are_whole_at_the_end_and_leave_nothing_beside_them() {
    let folder = tempdir().unwrap();
    let mut sinks = Sinks::default();
    let event = view(&[]);
    sinks.add(StandingsSink::new(folder.path(), event.clone()));
    sinks.add(FileAtEnd::new(folder.path().join("positions.csv"), || {
        Ok("number\r\n".to_owned())
    }));
    let games = games(0..24);
    for game in &games {
        event.update(|event| event.hear(game));
        sinks.each(|sink| sink.committed(game)).unwrap();
    }
    event.update(|event| event.runs(1));
    sinks.each(|sink| sink.refresh()).unwrap();
    sinks.each(|sink| sink.finish()).unwrap();
    let mut names: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["crosstable.json", "positions.csv", "standings.json"]
    );
    let standings = fs::read_to_string(folder.path().join("standings.json")).unwrap();
    let lost_by_host = |game: &&PlayedGame| {
        let fault = game.record.deciding_fault();
        let evidence = fault.and_then(|fault| fault.evidence.as_ref());
        evidence.is_some_and(|evidence| evidence.verdict == Blame::Host)
    };
    let lost_by_host = games.iter().filter(lost_by_host).count() as u64;
    assert!(lost_by_host > 0, "no such game among the samples");
    let roster = Roster {
        decided_by_host: lost_by_host,
        ..roster()
    };
    let state = EventState::new(roster, board(&games), None);
    assert_eq!(standings, standings_json(&state, 0));
}

/// An output in memory, shared with the test.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

#[test]
fn every_line_of_json_is_one_event() {
    let output = Output::default();
    let event = view(&[]);
    let mut sink = JsonSink::new(output.clone(), event.clone()).unwrap();
    let games = games(0..2);
    publish(&event, &mut sink, &games);
    sink.refresh().unwrap();
    sink.finish().unwrap();
    let text = output.text();
    let events: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let types: Vec<&str> = events
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        types,
        ["start", "game", "game", "game", "game", "progress", "end"]
    );
    assert_eq!(events[1]["white"], "Alpha");
    assert_eq!(events[1]["black"], EVIL);
    assert_eq!(events[1]["round"], "1.1");
    let moves = events[1]["moves"].as_str().unwrap();
    assert_eq!(moves.split(' ').count(), games[0].record.plies());
    assert_eq!(events[6]["standings"]["progress"]["games"], 4);
}

/// An output that cannot be written from its second line on.
struct Broken(io::ErrorKind, u32);

impl Write for Broken {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1 += 1;
        match self.1 {
            1 => Ok(bytes.len()),
            _ => Err(self.0.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_output_that_cannot_be_written_is_let_go_and_the_others_go_on() {
    for kind in [io::ErrorKind::BrokenPipe, io::ErrorKind::StorageFull] {
        let (event, output) = (view(&[]), Output::default());
        let mut sinks = Sinks::default();
        sinks.add(JsonSink::new(Broken(kind, 0), event.clone()).unwrap());
        sinks.add(JsonSink::new(output.clone(), event.clone()).unwrap());
        for game in games(0..2) {
            event.update(|event| event.hear(&game));
            sinks.each(|sink| sink.committed(&game)).unwrap();
        }
        sinks.each(|sink| sink.finish()).unwrap();
        assert_eq!(output.text().lines().count(), 6);
    }
}

#[test]
fn plain_progress_ends_with_the_last_game_and_is_printable() {
    let output = Output::default();
    let event = view(&[]);
    let mut sink = ProgressSink::lines(Box::new(output.clone()), event.clone());
    publish(&event, &mut sink, &games(0..6));
    sink.say("stopping");
    sink.finish().unwrap();
    let text = output.text();
    assert!(
        text.lines()
            .last()
            .unwrap()
            .starts_with("6 pairs, 12 of 12 games"),
        "{text}"
    );
    assert!(text.contains("stopping\n"));
    assert!(!text.contains('\u{1b}'), "{text}");
    assert!(
        text.lines().count() <= 3,
        "one line at most a second: {text}"
    );
}

#[test]
fn tables_fit_a_hundred_columns_and_hold_no_control_characters() {
    let mut roster = roster();
    for engine in 2..9 {
        let name = format!("An engine with quite a long name, number {engine}");
        roster.participants.push(Participant {
            seat: Seat { engine, copy: 0 },
            name,
        });
    }
    let mut board = Scoreboard::new(&roster.participants);
    games(0..30).iter().for_each(|game| board.add_game(game));
    let shown = [
        tables::standings(&board),
        tables::crosstable(&board).unwrap(),
    ];
    for table in &shown {
        let widest = table
            .lines()
            .map(|line| line.chars().count())
            .max()
            .unwrap();
        assert!(widest <= 100, "{widest} columns:\n{table}");
        assert!(!table.contains('\u{1b}'));
        println!("{table}");
    }
}
