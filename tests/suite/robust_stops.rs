//! Stops, and what is left running after them: nothing, whatever the engines are like.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::platforms::can_end;
use super::robust_support::{
    BOUND, Run, assert_files_whole, begun_with, games, six_and_nine, two_fakes,
};
use super::support::{Event, assert_has, program, script};

/// Nothing ends these engines but SIGKILL, and from their second game on they think
/// for ever.
const STUBBORN: &str =
    r#"["ignore-quit", "ignore-eof", "ignore-term", "search=mute", "at=2", "game=2"]"#;

pub fn stubborn(name: &str, words: &str) -> Event {
    let words: Vec<&str> = serde_json::from_str(words).unwrap();
    let rules =
        "event.pairs = 2\npositions.numbers = [7]\nadjudication.max_moves = 6\ntime.depth = 1";
    Event::new(name, &format!("{rules}\n{}", two_fakes(&words)))
}

/// Starts the event and waits for its first game; then both engines are mute soon.
pub fn run_into_the_second_game(event: &Event) -> Run {
    run_into_the_second_game_with(event, &[])
}

fn run_into_the_second_game_with(event: &Event, more: &[&str]) -> Run {
    begun_with(event, more).0
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
        assert_has(&run.survivors().concat(), ["fake-engine"]);
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
    run.ends_alone(143);
    eprintln!("ended {:?} after SIGTERM", since.elapsed());
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
    assert_has(&run.ends(143), ["no plain file"]);
}

#[test]
fn a_terminated_runner_does_not_wait_for_a_program_that_has_locked_its_store() {
    let event = six_and_nine("locked", 30, "positions.numbers = [\"0-199\"]");
    let mut run = run_into_the_second_game(&event);
    let store = event.store();
    store.busy_timeout(BOUND).unwrap();
    store.execute_batch("BEGIN IMMEDIATE").unwrap();
    run.until(|| event.read("log/run.log").contains("is locked by"));
    send(&run, Signal::TERM);
    assert!(run.ends_within(END), "{}", run.words());
    run.ends_alone(4);
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
    let own = program().display();
    let commands = format!("kill -TERM $PPID\nkill -INT $PPID\nexec {own} sparring");
    script(&event.folder().join("rude"), &commands);
    assert_has(&event.ends(0, &["--quiet"]), ["a process of an engine"]);
    assert_eq!(games(&event).len(), 2);
}

#[test]
fn a_runner_that_still_waits_for_its_engines_can_be_stopped() {
    for (code, signal) in [(143, Signal::TERM), (130, Signal::INT)] {
        let words = r#"["start=no-uciok", "ignore-term", "ignore-eof"]"#;
        let event = stubborn("waiting", words);
        let mut run = Run::start(&event, &[]);
        run.wait_for("fake-engine", BOUND);
        send(&run, signal);
        run.ends_alone(code);
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
    run.ends_alone(0);
}

#[test]
fn a_runner_that_was_suspended_goes_on() {
    let rules = "event.pairs = 4\npositions.numbers = [7]\nadjudication.max_moves = 20\ntime.control = \"0.3+0.3\"\n";
    let event = Event::new("suspended", &(rules.to_owned() + &two_fakes(&[])));
    let mut run = run_into_the_second_game(&event);
    send(&run, Signal::STOP);
    let ended = run.ends_within(Duration::from_millis(700));
    assert!(!ended, "a suspended runner does nothing");
    send(&run, Signal::CONT);
    run.ends_alone(0);
    assert_eq!(games(&event).len(), 8);
    assert_files_whole(&event);
}
