//! Games that are interrupted go on at their move: SIGKILL at random moments, a stop at once, and what makes a game begin anew.
//!
//! The engines write down what they are asked. Whatever one of them was told is a move that must not be lost.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use arbiter960::chess::random::Random;
use arbiter960::internal::referee::GameRecord;
use arbiter960::internal::store::Reader;
use rustix::process::{Pid, Signal, kill_process};

use super::robust_support::{BOUND, Run, assert_files_whole, games, games_by_round, two_fakes};
use super::study;
use super::support::{Event, assert_has, assert_lacks, on_one_line, pause};

/// Games of a hundred moves, each from another start.
fn event(name: &str, starts: &str, rest: &str) -> Event {
    let text = format!(
        "event.pair_games = 1\nevent.concurrency = 2\npositions.numbers = [{starts}]\n\
         positions.draw = \"next\"\nadjudication.max_moves = 100\nadjudication.host_faults = \"count\"\n{rest}\n{}",
        two_fakes(&["diary=2", "ignore-term"])
    );
    Event::new(name, &text)
}

pub const CLOCKED: &str = "time.control = \"90+0.001\"\nevent.interrupted = \"resume\"";

/// What an engine was asked: the start, the moves behind it, and the limits.
pub struct Asked {
    pub start: String,
    pub moves: String,
    pub limits: String,
}

pub fn diary(event: &Event) -> Vec<Asked> {
    let text = fs::read_to_string(event.folder().join("memory")).unwrap_or_default();
    let asked = |line: &str| {
        let (position, limits) = line.split_once('\t')?;
        let (start, moves) = position.split_once(" moves ").unwrap_or((position, ""));
        Some(Asked {
            start: start.to_owned(),
            moves: moves.to_owned(),
            limits: limits.to_owned(),
        })
    };
    // The last line may be cut by a kill.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().filter_map(asked).collect()
}

/// Waits until the engines were asked so many more times, or the run is over.
pub fn wait_for_moves(event: &Event, run: &mut Run, more: usize) -> bool {
    let before = diary(event).len();
    loop {
        if diary(event).len() >= before + more {
            return true;
        }
        if run.child.try_wait().unwrap().is_some() {
            return false;
        }
        pause(1);
    }
}

pub fn end(run: &mut Run, signal: Signal) {
    // It may just have ended.
    let _ = kill_process(Pid::from_child(&run.child), signal);
    run.child.wait().unwrap();
    assert!(run.is_gone_within(BOUND), "{:?}", run.survivors());
}

/// The moves of each game that was left behind, by its start as the engines know it.
fn left_behind(event: &Event) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let files = fs::read_dir(event.results().join("running"));
    for file in files.into_iter().flatten().flatten() {
        let text = fs::read_to_string(file.path()).unwrap();
        let mut lines = text.lines().map(|line| {
            let json = line.split_once(' ').map(|(_, json)| json);
            json.and_then(|json| serde_json::from_str::<serde_json::Value>(json).ok())
        });
        let Some(Some(begun)) = lines.next() else {
            continue;
        };
        let fen = begun[1]["fen"].as_str().unwrap();
        let rows = lines.flatten();
        let rows = rows.flat_map(|line| line["moves"].as_array().unwrap().clone());
        let moves: Vec<_> = rows
            .map(|row| row[0].as_str().unwrap().to_owned())
            .collect();
        // The engines get Shredder-FEN, which has the same pieces.
        let pieces = fen.split(' ').next().unwrap().to_owned();
        found.insert(pieces, moves.join(" "));
    }
    found
}

fn pieces(start: &str) -> &str {
    match start.strip_prefix("fen ") {
        Some(fen) => fen.split(' ').next().unwrap(),
        None => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    }
}

pub fn stored(event: &Event) -> Vec<GameRecord> {
    let reader = Reader::open(&event.results()).unwrap();
    let games = reader.games().map(|stored| stored.unwrap().game.record);
    games.collect()
}

/// Every move of which an engine was told is in the file of its game, or its game is stored.
fn assert_nothing_lost(event: &Event) {
    let left = left_behind(event);
    let over: BTreeMap<String, String> = stored(event).iter().map(moves_by_pieces).collect();
    for asked in diary(event).iter().filter(|asked| !asked.moves.is_empty()) {
        let start = pieces(&asked.start);
        let kept = over.get(start).or_else(|| left.get(start));
        let kept = kept.unwrap_or_else(|| panic!("no moves of {start}"));
        assert!(kept.starts_with(&asked.moves), "{kept}\n{}", asked.moves);
    }
}

fn moves_by_pieces(record: &GameRecord) -> (String, String) {
    let fen = record.start.fen(arbiter960::chess::FenDialect::XFen);
    let dialect = arbiter960::chess::UciDialect::Chess960;
    let texts = record.start.uci_line(record.all_moves(), dialect);
    let pieces = fen.split(' ').next().unwrap().to_owned();
    (pieces, texts.join(" "))
}

/// Every clock is what the stamps make it, and an engine that was asked again was told the same clocks.
fn assert_clocks(event: &Event) {
    assert_stored_clocks(event);
    let mut told = BTreeMap::new();
    for asked in diary(event) {
        let before = told.insert((asked.start, asked.moves), asked.limits.clone());
        assert!(before.is_none_or(|before| before == asked.limits));
    }
}

/// Every clock is what the stamps make it.
pub fn assert_stored_clocks(event: &Event) {
    let micros = |time: Duration| Duration::from_micros(time.as_micros() as u64);
    for record in stored(event) {
        let mut clocks = [Duration::from_millis(90_001); 2];
        for (nth, played) in record.moves.iter().enumerate() {
            let left = clocks[nth % 2].saturating_sub(micros(played.charged()));
            clocks[nth % 2] = left + Duration::from_millis(1);
            assert_eq!(played.clock, Some(clocks[nth % 2]), "move {nth}");
        }
    }
}

#[test]
fn killed_at_random_moments_no_move_is_lost_and_no_clock_is_off() {
    let kills = study::size(30);
    let starts = "\"0-7\"";
    let undisturbed = event("undisturbed", starts, CLOCKED);
    assert!(Run::start(&undisturbed, &["--quiet"]).end(BOUND).success());
    assert_eq!(left_behind(&undisturbed), BTreeMap::new());
    let expected = games_by_round(&undisturbed);
    let mut random = Random::new(study::seed(0x55_0004));
    let (mut killed, mut resumed) = (0, 0);
    while killed < kills {
        let event = event("killed", starts, CLOCKED);
        let mut goes_on = true;
        while goes_on && killed < kills {
            let mut run = Run::start(&event, &["--quiet"]);
            goes_on = wait_for_moves(&event, &mut run, random.below(80) as usize);
            end(&mut run, Signal::KILL);
            if goes_on {
                killed += 1;
                assert_nothing_lost(&event);
            }
        }
        assert!(Run::start(&event, &["--quiet"]).end(BOUND).success());
        assert_eq!(games_by_round(&event), expected);
        assert_files_whole(&event);
        assert_clocks(&event);
        assert_eq!(left_behind(&event), BTreeMap::new());
        let records = stored(&event);
        resumed += records.iter().flat_map(GameRecord::interruptions).count();
    }
    assert!(resumed as u64 >= kills / 2, "{resumed} of {killed}");
    eprintln!("{killed} kills, {resumed} games went on, 0 moves lost");
}

/// An event of one game that was stopped at once in its middle, with what `status` says of it.
fn stopped(name: &str) -> (Event, String) {
    let event = event(name, "7", &CLOCKED.replace("resume", "replay"));
    // Long enough to go on without being told to.
    event.rewrite(|text| text.replace("event.interrupted = \"replay\"", ""));
    event.rewrite(|text| text.replace("90+0.001", "200+0.001"));
    // White thinks about its thirteenth move until it is let go, which it is in the next run.
    event.rewrite(|text| {
        text.replace(
            "\"ignore-term\"",
            "\"ignore-term\", \"search=held\", \"at=13\"",
        )
    });
    let mut run = Run::start(&event, &["--quiet"]);
    let file = |name: &str| event.folder().join("memory").with_extension(name);
    run.until(|| file("held").exists());
    end(&mut run, Signal::TERM);
    fs::write(file("let-go"), "").unwrap();
    let status = on_one_line(&event.ask(&["status"]));
    (event, status)
}

/// Plays the event to its end; the moves behind which its engines were first asked then.
fn plays_on(event: &Event, arguments: &[&str]) -> usize {
    let before = diary(event).len();
    assert!(Run::start(event, arguments).end(BOUND).success());
    let asked = diary(event);
    assert_eq!(games(event).len(), 1);
    assert_files_whole(event);
    asked[before].moves.split_whitespace().count()
}

#[test]
fn a_long_game_that_is_stopped_at_once_goes_on_and_everybody_is_told() {
    let (event, status) = stopped("stopped");
    assert_has(&status, ["was interrupted at move 1", "it goes on there"]);
    assert!(plays_on(&event, &["--quiet"]) >= 24);
    let tags = ["\n[Resumed \"1", "interrupted=0:00:"];
    assert_has(&event.read("games.pgn"), tags);
    let explained = on_one_line(&event.ask(&["explain", "1.1"]));
    assert_has(&explained, ["was interrupted at move 1"]);
    assert_lacks(&event.ask(&["status"]), ["interrupted"]);
}

#[test]
fn a_pair_that_was_interrupted_is_finished_although_an_engine_is_withdrawn() {
    let engines = two_fakes(&["diary=2", "ignore-term"]);
    let rules = "event.format = \"knockout\"\nevent.pairs = 2\npositions.numbers = [\"0-7\"]\n\
                 adjudication.max_moves = 100\nadjudication.host_faults = \"count\"";
    let event = Event::new("out", &format!("{rules}\n{CLOCKED}\n{engines}"));
    let mut run = Run::start(&event, &["--quiet"]);
    assert!(wait_for_moves(&event, &mut run, 25), "{}", run.words());
    end(&mut run, Signal::KILL);
    event.ask(&[
        "decide",
        "withdraw",
        "One",
        "--reason",
        "its author asks for it",
    ]);
    let status = on_one_line(&event.ask(&["status"]));
    assert_has(&status, ["it goes on there", "The event is stopped"]);
    assert!(Run::start(&event, &["--quiet"]).end(BOUND).success());
    let records = stored(&event);
    assert_eq!(records.len(), 2, "the pair, and no other");
    assert_eq!(records[0].interruptions().count(), 1);
    assert_has(&event.ask(&["status"]), ["The event is over"]);
}

#[test]
fn an_event_that_was_killed_in_its_first_game_has_begun() {
    let event = event("first", "7", &CLOCKED.replace("resume", "replay"));
    let mut run = Run::start(&event, &["--quiet"]);
    assert!(wait_for_moves(&event, &mut run, 5), "{}", run.words());
    end(&mut run, Signal::KILL);
    assert_has(&event.ask(&["status"]), ["The event is stopped"]);
}

#[test]
fn a_game_begins_anew_if_the_arbiter_wants_it_or_the_event_has_changed() {
    let (event, _) = stopped("replayed");
    event.ask(&["decide", "replay", "1.1", "--reason", "the hall was dark"]);
    let status = event.ask(&["status"]);
    assert_has(&status, ["the arbiter has decided so"]);
    assert_eq!(plays_on(&event, &["--quiet"]), 0);
    assert!(!event.read("games.pgn").contains("Resumed"));

    let (event, _) = stopped("changed");
    event.rewrite(|text| text.replace("max_moves = 100", "max_moves = 99"));
    assert_eq!(plays_on(&event, &["--quiet", "--accept-changes"]), 0);
    assert!(!event.read("games.pgn").contains("Resumed"));
}
