//! Stops, and what is left running after them: nothing, whatever the engines are like.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::platforms::can_end;
use super::robust_support::{
    BOUND, Run, assert_files_whole, fake_engine, games, piped, six_and_nine,
};
use super::support::{Event, program, words};

/// Nothing ends these engines but SIGKILL, and from their second game on they think
/// for ever.
const STUBBORN: &str =
    r#"["ignore-quit", "ignore-eof", "ignore-term", "search=mute", "at=2", "game=2"]"#;

pub fn stubborn(name: &str, words: &str) -> Event {
    let fake = fake_engine();
    Event::new(
        name,
        &format!(
            "event.pairs = 2\npositions.numbers = [7]\nadjudication.max_moves = 6\ntime.depth = 1\n\
             [[engine]]\nname = \"One\"\ncommand = {fake:?}\nargs = {words}\n\
             [[engine]]\nname = \"Two\"\ncommand = {fake:?}\nargs = {words}\n"
        ),
    )
}

/// Starts the event and waits for its first game; then both engines are mute soon.
pub fn run_into_the_second_game(event: &Event) -> Run {
    run_into_the_second_game_with(event, &[])
}

fn run_into_the_second_game_with(event: &Event, more: &[&str]) -> Run {
    let mut command = event.command(&["--json"]);
    command.args(more);
    let mut run = Run::spawn(piped(command), event);
    let stdout = BufReader::new(run.child.stdout.take().unwrap());
    let game = stdout
        .lines()
        .map_while(Result::ok)
        .find(|line| line.contains("\"type\":\"game\""));
    assert!(game.is_some(), "{}", run.words());
    run
}

pub fn send(run: &Run, signal: Signal) {
    kill_process(Pid::from_child(&run.child), signal).unwrap();
}

#[test]
fn a_killed_runner_leaves_nobody_behind() {
    let daemons = STUBBORN.replace("[\"", "[\"daemon-child\", \"child\", \"");
    for words in [STUBBORN, &daemons]
        .into_iter()
        .filter(|words| can_end(words))
    {
        let event = stubborn("orphans", words);
        let mut run = run_into_the_second_game(&event);
        assert!(
            run.survivors()
                .iter()
                .any(|line| line.contains("fake-engine"))
        );
        send(&run, Signal::KILL);
        run.child.wait().unwrap();
        let since = Instant::now();
        assert!(run.is_gone_within(BOUND), "{:?}", run.survivors());
        eprintln!("gone {:?} after the kill", since.elapsed());
    }
}

#[test]
fn a_terminated_runner_ends_the_most_stubborn_engines_in_time() {
    let event = stubborn("terminated", STUBBORN);
    let mut run = run_into_the_second_game(&event);
    let since = Instant::now();
    send(&run, Signal::TERM);
    let status = run.end(BOUND);
    let taken = since.elapsed();
    eprintln!("ended {taken:?} after SIGTERM");
    assert_eq!(status.code(), Some(143), "{}", run.words());
    assert_eq!(run.survivors(), Vec::<String>::new());
    assert_eq!(games(&event).len(), 1);
    assert_files_whole(&event);
}

/// Far more than a run takes that was asked to end at once, and far less than what it would wait for.
const END: Duration = Duration::from_secs(60);

#[test]
fn a_terminated_runner_waits_for_no_reader_of_its_files() {
    let event = stubborn("unread", STUBBORN);
    let fifo = event.folder().join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let fifo = fifo.to_str().unwrap();
    let mut run = run_into_the_second_game_with(&event, &["--pgn", fifo]);
    send(&run, Signal::TERM);
    assert!(run.ends_within(END), "{}", run.words());
    assert_eq!(run.end(BOUND).code(), Some(143), "{}", run.words());
    assert!(run.words().contains("no plain file"), "{}", run.words());
}

#[test]
fn a_terminated_runner_does_not_wait_for_a_program_that_has_locked_its_store() {
    let event = six_and_nine("locked", 30, "positions.numbers = [\"0-199\"]");
    let mut run = run_into_the_second_game(&event);
    let store = rusqlite::Connection::open(event.results().join("event.db")).unwrap();
    store.busy_timeout(BOUND).unwrap();
    store.execute_batch("BEGIN IMMEDIATE").unwrap();
    run.until(|| event.read("log/run.log").contains("is locked by"));
    send(&run, Signal::TERM);
    assert!(run.ends_within(END), "{}", run.words());
    assert_eq!(run.end(BOUND).code(), Some(4), "{}", run.words());
    assert_eq!(run.survivors(), Vec::<String>::new());
}

/// Without a sandbox an engine can send a signal to the runner: the run goes on, and says whose process it was.
#[test]
fn an_engine_stops_no_run_by_a_signal() {
    if cfg!(feature = "portable") {
        return;
    }
    let text = "positions.numbers = [7]\ntime.depth = 1\nadjudication.max_moves = 4\n[[engine]]\nname = \"Six\"\n\
                builtin = \"sparring\"\n[[engine]]\nname = \"Rude\"\ncommand = \"./rude\"\n";
    let event = Event::new("rude", text);
    let script = format!(
        "#!/bin/sh\nkill -TERM $PPID\nkill -INT $PPID\nexec {} sparring\n",
        program().display()
    );
    let path = event.folder().join("rude");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let output = event.run(&["--quiet"]);
    assert!(output.status.success(), "{}", words(&output));
    assert!(
        words(&output).contains("a process of an engine"),
        "{}",
        words(&output)
    );
    assert_eq!(games(&event).len(), 2);
}

#[test]
fn a_runner_that_still_waits_for_its_engines_can_be_stopped() {
    for (code, signal) in [(143, Signal::TERM), (130, Signal::INT)] {
        let event = stubborn(
            "waiting",
            r#"["start=no-uciok", "ignore-term", "ignore-eof"]"#,
        );
        let mut run = Run::start(&event, &[]);
        run.wait_for("fake-engine", BOUND);
        send(&run, signal);
        let status = run.end(BOUND);
        assert_eq!(status.code(), Some(code), "{}", run.words());
        assert_eq!(run.survivors(), Vec::<String>::new());
    }
}

#[test]
fn a_guardian_that_was_killed_is_replaced() {
    let event = stubborn("guardian", STUBBORN);
    let mut run = run_into_the_second_game(&event);
    let guardian = run.find("guardian").expect("there is a guardian");
    kill_process(guardian, Signal::KILL).unwrap();
    run.wait_for_another("guardian", guardian, BOUND);
    send(&run, Signal::KILL);
    run.child.wait().unwrap();
    assert!(run.is_gone_within(BOUND), "{:?}", run.survivors());
}

#[test]
fn a_guardian_that_was_stopped_does_not_stop_the_runner() {
    let event = stubborn("stopped", "[]");
    let mut run = Run::start(&event, &[]);
    run.wait_for("guardian", BOUND);
    kill_process(run.find("guardian").expect("it is there"), Signal::STOP).unwrap();
    let status = run.end(BOUND);
    assert_eq!(status.code(), Some(0), "{}", run.words());
    assert_eq!(run.survivors(), Vec::<String>::new());
}

#[test]
fn a_runner_that_was_suspended_goes_on() {
    let fake = fake_engine();
    let event = Event::new(
        "suspended",
        &format!(
            "event.pairs = 4\npositions.numbers = [7]\nadjudication.max_moves = 20\ntime.control = \"0.3+0.3\"\n\
             [[engine]]\nname = \"One\"\ncommand = {fake:?}\n[[engine]]\nname = \"Two\"\ncommand = {fake:?}\n"
        ),
    );
    let mut run = run_into_the_second_game(&event);
    send(&run, Signal::STOP);
    assert!(
        !run.ends_within(Duration::from_millis(700)),
        "a suspended runner does nothing"
    );
    send(&run, Signal::CONT);
    assert_eq!(run.end(BOUND).code(), Some(0), "{}", run.words());
    assert_eq!(games(&event).len(), 8);
    assert_eq!(run.survivors(), Vec::<String>::new());
    assert_files_whole(&event);
}
