//! A system that refuses to start an engine in the middle of an event (no process, no descriptor): it is
//! asked again, then the game is played later, and a run in which nothing is played any more stops. The
//! refusals are made by strace, which answers the runner's system calls in the kernel's place.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::robust_support::{BOUND, Run, assert_files_whole, fake_engine};
use super::support::{Event, assert_has, missing, sparring};

/// System calls, how they fail, and the message of it.
type Refused = (&'static str, &'static str, &'static str);

/// What starting an engine needs.
const REFUSALS: [Refused; 2] = [
    ("pipe2", "EMFILE", "Too many open files"),
    (
        "clone,clone3,fork,vfork",
        "EAGAIN",
        "Resource temporarily unavailable",
    ),
];

/// Twenty pairs in one lane, an engine of which is started for every game.
fn event(name: &str) -> Event {
    let text = format!(
        "event.pairs = 20\npositions.numbers = [5]\nadjudication.max_moves = 6\ntime.depth = 1\n\
         [[engine]]\nname = \"Fake\"\ncommand = {:?}\nrestart = true\n{}",
        fake_engine(),
        sparring("Sound", "")
    );
    Event::new(name, &text)
}

fn count(event: &Event, table: &str) -> i64 {
    let sql = format!("SELECT count(*) FROM {table}");
    event
        .store()
        .query_row(&sql, [], |row| row.get(0))
        .unwrap_or(0)
}

/// A run that is paused after a game: the built-in engine is there, whose own calls would be refused as well.
fn begun(event: &Event) -> Run {
    let run = Run::start(event, &["--quiet"]);
    run.until(|| event.results().join("event.db").is_file() && count(event, "games") > 0);
    ordered(event, "pause");
    run
}

fn ordered(event: &Event, order: &str) {
    event.ask(&["control", order]);
}

/// The paused run goes on, and from then on these calls of it fail, this number of times; it ends with this code, and
/// this is what it says. `None` if that is not permitted.
fn refused(
    mut run: Run,
    event: &Event,
    refused: Refused,
    which: &str,
    code: i32,
) -> Option<String> {
    let attached = attach(&run, refused, which);
    ordered(event, "resume");
    let Some(mut strace) = attached else {
        run.end(BOUND);
        missing("strace is not there, or may not look at another process");
        return None;
    };
    let status = run.end(BOUND);
    // The system is itself again.
    let _ended_with_the_runner = kill_process(Pid::from_child(&strace), Signal::INT);
    strace.wait().unwrap();
    assert_eq!(status.code(), Some(code), "{refused:?}: {}", run.words());
    Some(run.words())
}

fn attach(run: &Run, (calls, error, _): Refused, which: &str) -> Option<Child> {
    let mut strace = Command::new("strace")
        .args(["-f", "-o", "/dev/null", "-e"])
        .arg(format!("trace={calls}"))
        .arg("-e")
        .arg(format!("inject={calls}:error={error}:when={which}"))
        .args(["-p", &run.child.id().to_string()])
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let mut said = BufReader::new(strace.stderr.take()?).lines();
    let first = said.next()?.ok()?;
    // Nobody else waits for what it says.
    std::thread::spawn(move || said.for_each(drop));
    if first.contains("attached") {
        return Some(strace);
    }
    let _ended = strace.wait();
    None
}

fn log(event: &Event) -> String {
    event.read("log/run.log")
}

#[test]
fn a_system_that_refuses_for_a_moment_costs_no_game() {
    for call in REFUSALS {
        let (_, error, said) = call;
        let event = event("refused");
        // After six the game would be void.
        if refused(begun(&event), &event, call, "1..5", 0).is_none() {
            return;
        }
        let retried = log(&event).matches("was not started; once more").count();
        // Threads that would look at files may have been refused instead: others look.
        assert!((1..=5).contains(&retried), "{error}: {}", log(&event));
        assert!(log(&event).contains(said), "{error}: {}", log(&event));
        assert_eq!(count(&event, "voided"), 0, "{error}");
        event.assert_rounds(20);
        assert_files_whole(&event);
    }
}

#[test]
fn a_system_that_refuses_for_seconds_costs_a_void_which_is_played_again() {
    let call = REFUSALS[1];
    let event = event("void");
    // Six attempts of a start are a void, and threads that would look at files are refused as well.
    if refused(begun(&event), &event, call, "1..20", 0).is_none() {
        return;
    }
    let voided = count(&event, "voided");
    assert!((1..=3).contains(&voided), "{voided}: {}", log(&event));
    let reason = "reason = 'host-fault' AND detail LIKE";
    let named = format!("voided WHERE {reason} '%{}%'", call.2);
    assert_eq!(count(&event, &named), voided);
    assert_eq!(count(&event, "games WHERE fault_kind IS NOT NULL"), 0);
    event.assert_rounds(20);
    assert_files_whole(&event);
}

#[test]
fn a_system_that_refuses_for_ever_stops_the_run_and_the_next_one_goes_on() {
    let call = REFUSALS[0];
    let event = event("for ever");
    let Some(said) = refused(begun(&event), &event, call, "1+", 5) else {
        return;
    };
    assert_has(
        &said,
        ["the host has voided", call.2, "run the same command again"],
    );
    assert!(count(&event, "voided") <= 6, "{}", count(&event, "voided"));
    assert_eq!(count(&event, "games WHERE fault_kind IS NOT NULL"), 0);
    event.run_well(&["--quiet"]);
    event.assert_rounds(20);
    assert_files_whole(&event);
}
