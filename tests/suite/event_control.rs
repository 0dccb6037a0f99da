//! Orders to a run while it plays: go on, more or fewer games at once, stop; and
//! rounds that have their time.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Output, Stdio};

use serde_json::{Value, json};

use super::robust_support::{fake_engine, games};
use super::support::{
    Event, assert_has, json, list, script, sparring, sparring_engines, table, wait_for, wait_until,
    words,
};

fn text(rules: &str, count: usize) -> String {
    text_with(&format!("{rules}\n{}", sparring_engines(count)))
}

fn text_with(rest: &str) -> String {
    format!("event.seed = 5\nadjudication.max_moves = 40\n{rest}")
}

fn swiss(more: &str) -> Event {
    let rules = format!("event.format = \"swiss\"\npositions.all = true\nswiss.rounds = 3\n{more}");
    Event::new("swiss", &text(&rules, 4))
}

/// A run whose lines are read one by one.
struct Run {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Run {
    fn begin(event: &Event, arguments: &[&str]) -> Run {
        let mut command = event.command(&["--json"]);
        command.args(arguments).stdout(Stdio::piped());
        command.env("LC_FAKE_MEMORY", event.folder().join("memory"));
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Run { child, lines }
    }

    /// The next line of this type; `None` at the end.
    fn next(&mut self, kind: &str) -> Option<Value> {
        loop {
            let line = json(&self.lines.next()?.unwrap());
            if line["type"] == kind {
                return Some(line);
            }
        }
    }

    /// Waits until this file is there.
    fn wait_for(&mut self, file: &Path) {
        let is_there = || {
            assert_eq!(self.child.try_wait().unwrap(), None, "it has ended");
            file.exists()
        };
        wait_until(is_there, || format!("no {}", file.display()));
    }

    /// How many games follow to the end, and the exit code.
    fn rest(mut self) -> (usize, Option<i32>) {
        let games = std::iter::from_fn(|| self.next("game")).count();
        (games, self.child.wait().unwrap().code())
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

pub fn control(event: &Event, words: &[&str]) -> Output {
    let mut command = event.about(&[&["control"], words].concat());
    command.output().unwrap()
}

fn control_well(event: &Event, arguments: &[&str]) -> String {
    event.ask(&[&["control"], arguments].concat())
}

fn refused(event: &Event, arguments: &[&str]) -> String {
    event.ask_ends(2, &[&["control"], arguments].concat())
}

fn status(event: &Event) -> Value {
    event.asked(&["status", "--json"])
}

#[test]
fn a_pause_lets_the_running_pairs_end_and_no_other_begin() {
    let event = held_match("pause", "event.concurrency = 2");
    let mut run = Run::begin(&event, &[]);
    run.wait_for(&held_file(&event, "held"));
    assert_eq!(told_by_run(&event)["run"]["paused"], false);
    let told = control_well(&event, &["pause"]);
    assert!(told.starts_with("Paused"), "{told}");
    let paused = jiff::Timestamp::now().as_millisecond();
    assert!(refused(&event, &["pause"]).contains("paused already"));
    fs::write(held_file(&event, "let-go"), "").unwrap();
    // Running games are finished; then nothing runs during the pause.
    let rests = || {
        let now = told_by_run(&event);
        assert_eq!(now["run"]["paused"], true);
        now["run"]["running"] == json!([])
    };
    wait_until(rests, || status(&event).to_string());
    let resumed = jiff::Timestamp::now().as_millisecond();
    assert!(refused(&event, &["stop", "--after-round"]).contains("not played in rounds"));
    control_well(&event, &["resume"]);
    assert!(refused(&event, &["resume"]).contains("not paused"));
    let told = control_well(&event, &["concurrency", "1"]);
    assert!(told.contains("1 game"), "{told}");
    assert_eq!(run.rest().1, Some(0));
    assert_eq!(status(&event)["missing_games"], 0);
    // A pair that two lanes had been given may have begun a moment later.
    let sql = "SELECT count(*) FILTER (WHERE started_ms > ?1 AND started_ms < ?2), \
               count(*) FILTER (WHERE started_ms >= ?2) FROM games WHERE game = 0";
    let (during, after) = two_of(&event, sql, [paused, resumed]);
    assert!(during <= 2 && after > 0, "{during} {after}");
    assert!(refused(&event, &["pause"]).contains("the event is not running: it is complete"));
}

/// The two numbers that a query gives for two others.
fn two_of(event: &Event, sql: &str, of: [i64; 2]) -> (i64, i64) {
    let numbers = |row: &rusqlite::Row| Ok((row.get(0)?, row.get(1)?));
    event.store().query_row(sql, of, numbers).unwrap()
}

/// All that is below a folder must be what programs that copy folders can copy.
fn assert_can_be_copied(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // Files of the store come and go.
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => assert_can_be_copied(&path),
            Ok(found) => assert!(found.is_file(), "{path:?}: {found:?}"),
            Err(error) => assert_eq!(error.kind(), ErrorKind::NotFound),
        }
    }
}

#[test]
fn the_folder_of_a_run_that_plays_or_was_killed_can_be_copied() {
    let event = held_match("copied", "");
    let mut run = Run::begin(&event, &[]);
    run.wait_for(&held_file(&event, "held"));
    control_well(&event, &["pause"]);
    assert_can_be_copied(&event.results());
    run.kill();
    assert_can_be_copied(&event.results());
}

#[test]
fn more_games_at_once_take_a_new_beginning_and_lose_none() {
    let event = held_match("more", "");
    let mut run = Run::begin(&event, &[]);
    run.next("start").unwrap();
    run.wait_for(&held_file(&event, "held"));
    let told = control_well(&event, &["concurrency", "3"]);
    assert!(told.contains("goes on with 3 games"), "{told}");
    fs::write(held_file(&event, "let-go"), "").unwrap();
    run.next("start").unwrap();
    run.next("game").unwrap();
    let now = status(&event)["run"]["concurrency"].clone();
    assert!(now == json!(3) || now.is_null(), "{now}");
    assert_eq!(run.rest().1, Some(0));
    assert_eq!(event.rounds().len(), 40);
}

/// Puts a program in the place of another: the fake engine with these words.
fn put_build(place: &Path, words: &str) {
    let built = place.with_extension("new");
    script(&built, &format!("exec {:?} {words}", fake_engine()));
    fs::rename(built, place).unwrap();
}

#[test]
fn a_new_beginning_plays_the_builds_that_the_run_began_with() {
    let engine = "[[engine]]\nname = \"Fake\"\ncommand = \"./engine\"\ntime.depth = 1\n";
    let rules = "positions.numbers = [\"1-20\"]";
    let text = format!("{rules}\n{}{engine}", sparring_engines(1));
    let event = Event::new("builds", &text_with(&text));
    let program = event.folder().join("engine");
    put_build(&program, "");
    let mut run = Run::begin(&event, &[]);
    run.next("game").unwrap();
    control_well(&event, &["pause"]);
    at_rest(&event);
    // It is as good an engine until it searches.
    put_build(&program, "search=exit at=1");
    control_well(&event, &["concurrency", "3"]);
    run.next("start").unwrap();
    told_by_run(&event);
    control_well(&event, &["resume"]);
    assert_eq!(run.rest().1, Some(0));
    let games = games(&event);
    assert_eq!(games.len(), 40);
    assert!(games.iter().all(|game| game.reason != "crash"), "{games:?}");
}

/// What the run says of itself, as soon as it listens.
fn told_by_run(event: &Event) -> Value {
    let look = || {
        // The event begins with its first transaction.
        let output = event.about(&["status", "--json"]).output().unwrap();
        let now: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let ended = now["missing_games"] == 0 && now["run"].is_null();
        assert!(!ended, "the event has ended before its run was asked");
        (!now["run"].is_null()).then_some(now)
    };
    wait_for(look, || "no run".to_owned())
}

/// Waits until nothing runs, and returns the number of games that were played.
fn at_rest(event: &Event) -> u64 {
    let mut before = None;
    let look = || {
        let now = told_by_run(event);
        let played = now["played_games"].as_u64().unwrap();
        let is_still = before.replace(played) == Some(played);
        let rests = now["run"]["running"] == json!([]) && is_still && played.is_multiple_of(2);
        rests.then_some(played)
    };
    wait_for(look, || status(event).to_string())
}

#[test]
fn a_pause_ends_by_resume_alone() {
    let event = swiss("event.pairs = 10");
    let mut run = Run::begin(&event, &[]);
    run.next("game").unwrap();
    control_well(&event, &["pause"]);
    let played = at_rest(&event);
    // Another number of games, and a late entrant, take another beginning of the run.
    control_well(&event, &["concurrency", "2"]);
    run.next("start").unwrap();
    assert_eq!(told_by_run(&event)["run"]["paused"], true);
    event.rewrite(|old| old + &sparring("Late", "time.nodes = 60"));
    event.ask(&["decide", "add", "Late", "--reason", "late"]);
    run.next("start").unwrap();
    let now = told_by_run(&event);
    assert_eq!(now["run"]["paused"], true);
    assert_eq!(now["run"]["concurrency"], 2);
    // Nor does a crash end it.
    run.kill();
    let mut run = Run::begin(&event, &[]);
    run.next("start").unwrap();
    let now = told_by_run(&event);
    assert_eq!(now["run"]["paused"], true);
    assert_eq!(now["run"]["concurrency"], 2);
    assert_eq!(at_rest(&event), played);
    control_well(&event, &["resume"]);
    assert_eq!(run.rest().1, Some(0));
    assert!(event.rounds().len() as u64 > played);
}

/// Reads on until these words come.
fn hear(lines: &mut impl Iterator<Item = std::io::Result<String>>, words: &str) {
    let said = lines.find(|line| line.as_ref().unwrap().contains(words));
    assert!(
        said.is_some(),
        "the run has ended, and has not said: {words}"
    );
}

#[test]
fn an_event_file_that_cannot_be_played_ends_nothing() {
    let rules =
        "event.format = \"swiss\"\npositions.all = true\nswiss.rounds = 2\nevent.pairs = 10";
    let event = Event::new("touched", &text(rules, 4));
    let mut command = event.command(&[]);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    told_by_run(&event);
    control_well(&event, &["pause"]);
    at_rest(&event);
    let good = fs::read_to_string(event.file()).unwrap();
    let other = good.replace("time.nodes = ", "time.nodes = 1");
    assert_ne!(good, other);
    let with = |text: &str, entrant: &str| event.rewrite(|_| text.to_owned() + entrant);
    with(&other, "");
    // More games at once take nothing of the file.
    control_well(&event, &["concurrency", "3"]);
    wait_until(
        || told_by_run(&event)["run"]["concurrency"] == json!(3),
        || status(&event).to_string(),
    );
    // A late entrant does: as long as the rest of the file is another, the event continues without it.
    let entrant = sparring("Late", "time.nodes = 60");
    with(&other, &entrant);
    event.ask(&["decide", "add", "Late", "--reason", "late"]);
    hear(&mut lines, "cannot go on with the new engine");
    assert_eq!(told_by_run(&event)["run"]["paused"], true);
    // So it does with an engine that cannot be started.
    let unfit = entrant.replace("builtin = \"sparring\"", "command = \"false\"");
    with(&good, &unfit);
    hear(
        &mut lines,
        "cannot go on with the new engine: engine \"Late\"",
    );
    assert_eq!(told_by_run(&event)["run"]["paused"], true);
    // Put right, it is read again.
    with(&good, &entrant);
    hear(&mut lines, "goes on with the new engine");
    let resumed = || {
        assert!(child.try_wait().unwrap().is_none(), "the run has ended");
        control(&event, &["resume"]).status.success()
    };
    wait_until(resumed, || status(&event).to_string());
    assert!(lines.all(|line| line.is_ok()));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(list(&event.parsed("standings.json")["standings"]).len(), 5);
    assert_eq!(status(&event)["missing_games"], 0);
}

/// Three rounds of four engines.
fn held_swiss(name: &str) -> Event {
    let rules = "event.format = \"swiss\"\npositions.all = true\nswiss.rounds = 3";
    held_event(name, rules, 3)
}

/// Twenty pairs of two engines.
fn held_match(name: &str, rules: &str) -> Event {
    held_event(name, &format!("positions.numbers = [\"1-20\"]\n{rules}"), 1)
}

/// One game of one more engine waits for a word of the test: however slow that is, the event is being played.
fn held_event(name: &str, rules: &str, others: usize) -> Event {
    let held = format!(
        "{rules}\n{}[[engine]]\nname = \"Held\"\ncommand = {:?}\nargs = [\"search=held\"]\ntime.depth = 1\n",
        sparring_engines(others),
        fake_engine()
    );
    Event::new(name, &text_with(&held))
}

/// What the engine that waits has said, or is waiting for.
fn held_file(event: &Event, name: &str) -> std::path::PathBuf {
    event.folder().join("memory").with_extension(name)
}

/// The four games of the first round are played, and no other.
fn assert_one_round(event: &Event) {
    let rounds = event.rounds();
    assert_eq!(rounds.len(), 4, "{rounds:?}");
    assert!(
        rounds.iter().all(|round| round.starts_with("1.")),
        "{rounds:?}"
    );
}

/// Neither another beginning of the run nor a crash forgets it; the end of the round does.
#[test]
fn the_order_to_stop_after_the_round_outlives_the_run() {
    let event = held_swiss("outlived");
    let mut run = Run::begin(&event, &[]);
    run.wait_for(&held_file(&event, "held"));
    control_well(&event, &["stop", "--after-round"]);
    run.kill();
    fs::remove_file(held_file(&event, "held")).unwrap();
    let mut run = Run::begin(&event, &[]);
    run.wait_for(&held_file(&event, "held"));
    control_well(&event, &["concurrency", "3"]);
    fs::write(held_file(&event, "let-go"), "").unwrap();
    assert_eq!(run.rest().1, Some(138));
    assert_one_round(&event);
    assert_eq!(Run::begin(&event, &[]).rest().1, Some(0));
    assert_eq!(event.rounds().len(), 12);
}

#[test]
fn a_run_stops_after_the_round_and_the_next_goes_on() {
    let (event, file) = (held_swiss, held_file);
    let quiet = event("quiet");
    fs::write(file(&quiet, "let-go"), "").unwrap();
    assert_eq!(Run::begin(&quiet, &[]).rest(), (12, Some(0)));
    let event = event("told");
    let mut run = Run::begin(&event, &[]);
    run.wait_for(&file(&event, "held"));
    let told = control_well(&event, &["stop", "--after-round"]);
    assert!(told.contains("The round will be finished"), "{told}");
    fs::write(file(&event, "let-go"), "").unwrap();
    assert_eq!(run.rest().1, Some(138));
    assert_one_round(&event);
    for name in ["held", "let-go"] {
        fs::remove_file(file(&event, name)).unwrap();
    }
    let mut run = Run::begin(&event, &[]);
    run.wait_for(&file(&event, "held"));
    control_well(&event, &["stop", "--now"]);
    assert_eq!(run.rest().1, Some(143));
    fs::write(file(&event, "let-go"), "").unwrap();
    assert_eq!(Run::begin(&event, &[]).rest().1, Some(0));
    let table = |event: &Event| event.parsed("standings.json")["standings"].clone();
    assert_eq!(table(&event), table(&quiet));
}

#[test]
fn a_round_begins_when_its_time_has_come() {
    let first = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(4);
    let second = first + jiff::SignedDuration::from_secs(1);
    let times = format!(
        "[[round]]\nstarts = \"{first}\"\n[[round]]\nstarts = \"{second}\"\n[[round]]\npause = 1\n"
    );
    let event = swiss(&times);
    let mut run = Run::begin(&event, &[]);
    run.next("start").unwrap();
    // On a busy machine the time has come before it is asked for; when the games began is seen below.
    let has_begun = || {
        let now = status(&event);
        let waits = now["run"]["waits"].as_str();
        assert!(waits.is_none_or(|waits| waits.starts_with("Round 1 begins at")));
        waits.is_some() || now["played_games"] != json!(0)
    };
    wait_until(has_begun, || status(&event).to_string());
    let (games, code) = run.rest();
    assert_eq!((games, code), (12, Some(0)));
    let sql = "SELECT min(started_ms), max(ended_ms) FROM games WHERE sequence BETWEEN ?1 AND ?2";
    let times = [1, 5, 9].map(|from| two_of(&event, sql, [from, from + 3]));
    let [one, two, three] = times;
    assert!(one.0 >= first.as_millisecond());
    assert!(two.0 >= second.as_millisecond());
    assert!(three.0 >= two.1 + 1000, "{times:?}");
}

#[test]
fn times_that_cannot_be_are_told_with_their_line() {
    for [times, expected] in table(
        "[[round]]\\nstarts = '2026-12-05 14:00' | is no moment
         [[round]]\\nstarts = 'tomorrow' | is no moment
         [[round]]\\nstarts = '2026-12-05T14:00:00+01:00'\\n[[round]]\\n[[round]]\\nstarts = '2026-12-05T13:00:00Z' | \
         round 3 would begin no later than round 1",
    ) {
        assert_has(&swiss(&(times + "\n")).ends(2, &[]), [&expected, "event.toml:"]);
    }
    let rules = text("positions.numbers = [1]\n[[round]]\npause = 3\n", 2);
    let said = words(&Event::new("plain", &rules).run(&[]));
    assert_has(&said, ["is about an event in rounds"]);
}
