//! Stops of every kind: nothing finished is lost, nothing is counted twice,
//! nobody is left behind.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use arbiter960::chess::random::Random;
use rustix::process::{Pid, Signal, kill_process};

use super::robust_support::{SIX_AND_NINE, round_of};
use super::support::{Event, words};

const PAIRS: usize = 30;

fn event(name: &str) -> Event {
    event_at(name, "depth = 1")
}

fn event_at(name: &str, limit: &str) -> Event {
    let text = format!(
        "event.concurrency = 2\npositions.numbers = [\"0-29\"]\ntime.{limit}\nadjudication.max_moves = 40\n{SIX_AND_NINE}"
    );
    Event::new(name, &text)
}

/// Starts the event and waits until this number of lines of `--json` were printed.
fn run_until(event: &Event, lines_to_read: u64) -> (Child, Vec<String>) {
    let mut command = event.command(&["--json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let lines = stdout.lines().map_while(Result::ok);
    let read = lines.take(lines_to_read as usize).collect();
    (child, read)
}

fn signal(child: &Child, signal: Signal) {
    // It may have finished meanwhile.
    let _ = kill_process(Pid::from_child(child), signal);
}

fn assert_complete(event: &Event) {
    event.assert_rounds(PAIRS);
    let exported = event.ask(&["export", "--format", "pgn"]);
    assert_eq!(exported, event.read("games.pgn"));
}

#[test]
fn killed_at_random_moments_and_resumed_every_game_is_there_once() {
    let event = event("killed");
    let mut random = Random::new(0x6b11);
    let mut seen = Vec::new();
    for _ in 0..5 {
        let (mut child, lines) = run_until(&event, 1 + random.below(12));
        signal(&child, Signal::KILL);
        child.wait().unwrap();
        seen.extend(lines.iter().filter_map(|line| round_of(line)));
    }
    event.run_well(&["--quiet"]);
    assert_complete(&event);
    let different = BTreeSet::from_iter(&seen);
    assert_eq!(
        different.len(),
        seen.len(),
        "a game was reported in two runs"
    );
}

#[test]
fn a_signal_ends_the_run_with_its_own_code_and_the_event_goes_on() {
    // Some seconds long: each signal comes in time on a busy machine too.
    let event = event_at("signals", "nodes = 500");
    for (number, kind) in [(143, Signal::TERM), (129, Signal::HUP), (130, Signal::INT)] {
        let (mut child, _) = run_until(&event, 3);
        signal(&child, kind);
        assert_eq!(child.wait().unwrap().code(), Some(number));
    }
    event.run_well(&["--quiet"]);
    assert_complete(&event);
}

#[test]
fn a_closed_stdout_does_not_stop_the_event() {
    let event = event("head");
    let (mut child, _) = run_until(&event, 1);
    // `run_until` has dropped its end of the pipe.
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_complete(&event);
}

#[test]
fn two_runners_cannot_play_one_event() {
    // So slow that the first cannot have finished before the second has looked.
    let event = event_at("two", "movetime = 1");
    let (mut first, _) = run_until(&event, 1);
    let second = event.run(&["--quiet"]);
    signal(&first, Signal::TERM);
    assert_eq!(second.status.code(), Some(4), "{}", words(&second));
    assert!(String::from_utf8_lossy(&second.stderr).contains("another arbiter960"));
    assert_eq!(first.wait().unwrap().code(), Some(143));
}
