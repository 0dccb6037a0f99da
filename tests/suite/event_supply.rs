//! Where pairs come from, and that they come back: hosts that fail for a moment or for good,
//! events that are decided, engines that are out.

use std::fs;
use std::path::{Path, PathBuf};

use super::robust_support::{BOUND, Run, assert_files_whole, fake_engine, games};
use super::support::{Event, assert_has, sparring};

/// An event whose first engine is a link that the test can take away, started for every game.
fn linked(name: &str, text: &str) -> (Event, PathBuf) {
    let text = format!(
        "adjudication.max_moves = 6\ntime.depth = 1\n{text}\n\
         [[engine]]\nname = \"Fake\"\ncommand = \"./engine\"\nrestart = true\n"
    );
    let event = Event::new(name, &text);
    let link = event.folder().join("engine");
    restore(&link);
    // No copy of the program can be kept.
    fs::create_dir_all(event.results()).unwrap();
    fs::write(event.results().join("builds"), "").unwrap();
    (event, link)
}

fn restore(link: &Path) {
    std::os::unix::fs::symlink(fake_engine(), link).unwrap();
}

fn forty_pairs(name: &str) -> (Event, PathBuf) {
    let (event, link) = linked(name, "event.pairs = 40\npositions.numbers = [5]");
    event.rewrite(|text| text + &sparring("Sound", ""));
    (event, link)
}

fn count(event: &Event, sql: &str) -> u64 {
    let store = event.store();
    let count = store.query_row(sql, [], |row| row.get::<_, i64>(0));
    count.unwrap_or(0).cast_unsigned()
}

const VOIDED: &str = "SELECT count(*) FROM voided";

const GAMES: &str = "SELECT count(*) FROM games";

fn has_games(event: &Event, some: u64) -> bool {
    event.results().join("event.db").is_file() && count(event, GAMES) >= some
}

fn log(event: &Event) -> String {
    fs::read_to_string(event.results().join("log/run.log")).unwrap_or_default()
}

#[test]
fn a_program_that_is_missing_for_a_moment_costs_no_game() {
    let (event, link) = forty_pairs("moment");
    let mut run = Run::start(&event, &["--quiet"]);
    run.until(|| has_games(&event, 1));
    fs::remove_file(&link).unwrap();
    run.until(|| log(&event).contains("was not started"));
    restore(&link);
    run.ends(0);
    event.assert_rounds(40);
    assert_eq!(count(&event, VOIDED), 0);
    assert_files_whole(&event);
}

/// The engine's program is away until a game was voided for it.
fn take_away_until_a_void(run: &Run, event: &Event, link: &Path) {
    fs::remove_file(link).unwrap();
    run.until(|| count(event, VOIDED) > 0);
    restore(link);
}

#[test]
fn a_pair_that_the_host_has_voided_is_played_again_in_the_same_run() {
    let (event, link) = forty_pairs("again");
    let mut run = Run::start(&event, &["--quiet"]);
    run.until(|| has_games(&event, 1));
    take_away_until_a_void(&run, &event, &link);
    run.ends(0);
    event.assert_rounds(40);
    assert_files_whole(&event);
}

#[test]
fn an_adaptive_event_goes_on_after_a_void() {
    let text = "event.concurrency = 2\npositions.numbers = [\"0-6\", 518]\n\
                adaptive = { boundary = \"mean\", batch = 3, max_pairs = 30 }";
    let (event, link) = linked("adaptive", text);
    event.rewrite(|text| text.replace("time.depth = 1", "time.nodes = 60") + "copies = 2\n");
    let mut run = Run::start(&event, &["--quiet"]);
    run.until(|| has_games(&event, 20));
    take_away_until_a_void(&run, &event, &link);
    let status = run.end(BOUND);
    assert_eq!(status.code(), Some(0), "{}", run.words());
    assert_eq!(count(&event, "SELECT count(DISTINCT pair) FROM games"), 30);
}

#[test]
fn a_host_that_lets_nothing_be_finished_stops_the_run_before_its_plan_is_spent() {
    let (event, link) = forty_pairs("hopeless");
    let mut run = Run::start(&event, &["--quiet"]);
    run.until(|| has_games(&event, 1));
    fs::remove_file(&link).unwrap();
    run.ends(5);
    let said = [
        "the host has voided",
        "cannot run",
        "run the same command again",
    ];
    assert_has(&run.words(), said);
    // The pair that runs is finished, or not, too.
    assert!(count(&event, VOIDED) <= 6, "{}", count(&event, VOIDED));
    restore(&link);
    event.run_well(&["--quiet"]);
    assert_eq!(games(&event).len(), 80);
    assert_files_whole(&event);
}

#[test]
fn a_decided_test_plays_no_more() {
    let rules = "positions.sample = 50\nevent.concurrency = 2\ntime.depth = 1\n\
                 sprt = { elo0 = 0, elo1 = 300 }\nadjudication.max_moves = 60\n";
    let engines = sparring("Strong", "") + &sparring("Weak", "options = { Strength = 1 }");
    let event = Event::new("decided", &(rules.to_owned() + &engines));
    event.run_well(&["--quiet"]);
    let played = games(&event).len();
    assert!(played > 0);
    for _ in 0..2 {
        let again = event.run_well(&[]);
        assert!(again.contains("complete"), "{again}");
        assert_eq!(games(&event).len(), played);
    }
}

#[test]
fn an_engine_that_is_out_is_not_replayed() {
    let fake = fake_engine();
    let text = format!(
        "positions.numbers = [\"0-3\"]\nadjudication.max_moves = 4\ntime.depth = 1\n\
         faults = {{ policy = \"replay\", replays = 20, strikes = 5 }}\n\
         [[engine]]\nname = \"Fake\"\ncommand = {fake:?}\nargs = [\"search=abort\", \"at=1\"]\n\
         [[engine]]\nname = \"Alpha\"\nbuiltin = \"sparring\"\n\
         [[engine]]\nname = \"Beta\"\nbuiltin = \"sparring\"\n"
    );
    let event = Event::new("out", &text);
    event.run_well(&["--quiet"]);
    assert_eq!(count(&event, VOIDED), 5);
    assert_eq!(count(&event, GAMES), 8, "Alpha against Beta");
    let again = event.run_well(&[]);
    assert!(again.contains("complete"), "{again}");
}
