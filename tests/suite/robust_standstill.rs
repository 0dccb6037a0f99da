//! The runner is stopped (Ctrl-Z, SIGSTOP, a frozen container) while its engines continue: their lines wait in the
//! pipes, and no engine is blamed for the time in which the runner did not read.

use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use super::host_faults::evidence_is_there;
use super::random::Random;
use super::robust_support::{
    BOUND, Run, assert_files_whole, fake_engine, games, reasons, two_fakes,
};
use super::study;
use super::support::{Event, assert_has, pause, sparring};

/// Two games; in the third search of the first, One waits for a word of the test before it answers.
fn held(name: &str, limit: &str) -> Event {
    let fake = fake_engine();
    let text = format!(
        "positions.numbers = [7]\nadjudication.max_moves = 8\n{limit}\n\
         [[engine]]\nname = \"One\"\ncommand = {fake:?}\nargs = [\"search=held\"]\n\
         [[engine]]\nname = \"Two\"\ncommand = {fake:?}\n"
    );
    Event::new(name, &text)
}

/// Stops the runner, and waits until all of its threads are stopped: before that it may still read an answer.
fn stop(run: &Run) {
    let runner = Pid::from_child(&run.child);
    kill_process(runner, Signal::STOP).unwrap();
    let told = waitpid(Some(runner), WaitOptions::UNTRACED).unwrap();
    assert!(told.is_some_and(|(_, status)| status.stopped()));
}

/// Lets the runner go on after this time.
fn go_on_after(run: &Run, milliseconds: u64) {
    let pause = Duration::from_millis(milliseconds);
    assert!(!run.ends_within(pause), "a stopped runner does nothing");
    kill_process(Pid::from_child(&run.child), Signal::CONT).unwrap();
}

/// Stops the runner in the search in which One is held, for this time at least; One answers meanwhile.
fn stand_still_in_a_search(event: &Event, run: &Run, milliseconds: u64) {
    let file = |name: &str| event.folder().join("memory").with_extension(name);
    let until = |name: &str| run.until(|| file(name).exists());
    until("held");
    stop(run);
    fs::write(file("let-go"), "").unwrap();
    until("answered");
    go_on_after(run, milliseconds);
}

/// The event comes to its end, with all its games.
fn assert_well_ended(event: &Event, mut run: Run, count: usize) {
    run.ends_alone(0);
    assert_eq!(games(event).len(), count);
    assert_files_whole(event);
}

#[test]
fn a_flag_that_falls_meanwhile_is_the_hosts_fault() {
    if !evidence_is_there() {
        return;
    }
    let event = held("flag", "time.movetime = 4");
    let run = Run::start(&event, &[]);
    stand_still_in_a_search(&event, &run, 5000);
    assert_well_ended(&event, run, 2);
    let told = ["count(*)", "sum(verdict = 'host')", "max(suspended_ns)"];
    let [fell, hosts, still] = told.map(|told| event.number(&format!("SELECT {told} FROM faults")));
    let pgn = event.read("games.pgn").replace('\n', " ");
    assert_eq!((fell, hosts), (1, 1), "{pgn}");
    assert!(still > 200_000_000, "{still} ns");
    let said = [
        "the host's fault: ",
        "the machine or the runner stood still for",
    ];
    assert_has(&pgn, said);
}

/// The runner is stopped in a wait, while it reads, while it looks at the host: nothing of that is an engine's fault.
#[test]
fn wherever_the_runner_is_stopped_no_engine_is_to_blame() {
    if !evidence_is_there() {
        return;
    }
    let pairs = study::size(15);
    let text = format!(
        "event.pairs = {pairs}\npositions.numbers = [7]\nadjudication.max_moves = 200\ntime.movetime = 0.2\n\
         adjudication.host_faults = \"count\"\n{}",
        two_fakes(&[])
    );
    let event = Event::new("anywhere", &text);
    let run = Run::start(&event, &[]);
    let mut random = Random(study::seed(960));
    while !run.ends_within(Duration::from_millis(40 + random.below(60) as u64)) {
        let runner = Pid::from_child(&run.child);
        kill_process(runner, Signal::STOP).unwrap();
        pause(300);
        kill_process(runner, Signal::CONT).unwrap();
    }
    assert_well_ended(&event, run, 2 * pairs as usize);
    let blamed = event.number("SELECT count(*) FROM faults WHERE verdict = 'engine'");
    assert_eq!(blamed, 0, "{}", event.read("games.pgn"));
}

#[test]
fn a_search_without_a_clock_does_not_stall_by_it() {
    let event = held("stall", "time.nodes = 400\ntimeouts.stall = 4");
    let run = Run::start(&event, &[]);
    stand_still_in_a_search(&event, &run, 5000);
    assert_well_ended(&event, run, 2);
    assert_eq!(reasons(&event), ["length-adjudication"; 2]);
}

/// Two games of a sound engine against one that a shell starts. On its first start this engine receives `uci`, runs
/// these commands without haste, and must be ready within this number of seconds.
fn starting(name: &str, commands: &str, seconds: u32) -> Event {
    let fake = fake_engine();
    // Only the program that sleeps has its name among its arguments.
    let script = format!(
        "m=\"$LC_FAKE_MEMORY.begun\"; p=sleep; \
         if [ ! -e \"$m\" ]; then : >\"$m\"; read -r uci; {commands}; \
         echo option name UCI_Chess960 type check default false; echo uciok; fi; exec \"$0\""
    );
    let text = format!(
        "positions.numbers = [7]\nadjudication.max_moves = 2\ntimeouts.start = {seconds}\ntime.depth = 1\n\
         [[engine]]\nname = \"Slow\"\ncommand = \"sh\"\nargs = [\"-c\", {script:?}, {fake:?}]\n{}",
        sparring("Sound", "")
    );
    Event::new(name, &text)
}

/// Stops the runner while that engine sleeps; both games are played all the same.
fn assert_started(event: &Event, milliseconds: u64) {
    let run = Run::start(event, &[]);
    run.wait_for("sleep", BOUND);
    stop(&run);
    go_on_after(&run, milliseconds);
    assert_well_ended(event, run, 2);
    assert_eq!(reasons(event), ["length-adjudication"; 2]);
}

#[test]
fn an_engine_that_starts_meanwhile_has_started() {
    assert_started(&starting("start", "$p 1", 2), 3000);
}

/// The engine's first lines are read when the runner continues, after the limit for all of them; the others are awaited
/// as if the runner had not been stopped.
#[test]
fn an_engine_that_has_begun_to_answer_meanwhile_may_finish() {
    let event = starting("half", "$p 1; echo id name Slow; $p 3", 3);
    assert_started(&event, 3500);
}
