//! Real engines with real vices.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::robust_support::{BOUND, Run, assert_files_whole, games};
use super::support::{Event, engine};

/// An engine that thinks for as long as it likes against the built-in one.
fn thinker(variant: &str, stall: u32, program: &str, args: &str, limit: &str) -> Event {
    let positions = if variant == "standard" {
        "all = true"
    } else {
        "numbers = [7]"
    };
    Event::new(
        "specimen",
        &format!(
            "event.variant = {variant:?}\npositions.{positions}\nadjudication.max_moves = 10\ntimeouts.stall = {stall}\n\
             [[engine]]\nname = \"Specimen\"\ncommand = {program:?}\nargs = {args}\ntime = {{ {limit} }}\n\
             [[engine]]\nname = \"Sound\"\nbuiltin = \"sparring\"\ntime = {{ depth = 1 }}\n"
        ),
    )
}

/// Starts the event, and waits until this engine has used enough time that it must
/// be thinking.
fn run_until_it_thinks(event: &Event, program: &str) -> Run {
    let run = Run::start(event, &[]);
    run.wait_for_work(program, Duration::from_secs(1), BOUND);
    run
}

#[test]
fn sjaak_that_ignores_quit_while_it_thinks_is_ended() {
    if engine("sjaakii").is_none() {
        return;
    }
    let event = thinker("chess960", 60, "sjaakii", "[]", "depth = 60");
    let mut run = run_until_it_thinks(&event, "sjaakii");
    let since = Instant::now();
    kill_process(Pid::from_child(&run.child), Signal::TERM).unwrap();
    let status = run.end(BOUND);
    eprintln!(
        "Sjaak II in its search: gone {:?} after SIGTERM",
        since.elapsed()
    );
    assert_eq!(status.code(), Some(143), "{}", run.words());
    assert_eq!(run.survivors(), Vec::<String>::new());
}

#[test]
fn gnu_chess_that_survives_the_end_of_its_input_does_not_survive_the_runner() {
    if engine("gnuchess").is_none() {
        return;
    }
    let event = thinker("standard", 60, "gnuchess", "[\"--uci\"]", "depth = 60");
    let mut run = run_until_it_thinks(&event, "gnuchess");
    kill_process(Pid::from_child(&run.child), Signal::KILL).unwrap();
    run.child.wait().unwrap();
    let since = Instant::now();
    assert!(run.is_gone_within(BOUND), "{:?}", run.survivors());
    eprintln!(
        "GNU Chess in its search: gone {:?} after the runner's SIGKILL",
        since.elapsed()
    );
}

#[test]
fn toga_that_ignores_a_limit_of_nodes_is_told_to_stop_and_plays_on() {
    if engine("toga2").is_none() {
        return;
    }
    let event = thinker(
        "standard",
        30,
        "toga2",
        "[]\nmissed_limit = \"warn\"",
        "nodes = 1000",
    );
    let mut run = Run::start(&event, &["--quiet"]);
    let status = run.end(BOUND);
    eprintln!("two games in {:?}", run.age());
    assert_eq!(status.code(), Some(0), "{}", run.words());
    let reasons: Vec<String> = games(&event).into_iter().map(|game| game.reason).collect();
    assert_eq!(reasons, ["length-adjudication", "length-adjudication"]);
    assert_eq!(run.survivors(), Vec::<String>::new());
    assert_files_whole(&event);
}

#[test]
fn glaurung_with_the_wrong_fen_forfeits_at_worst() {
    if engine("glaurung").is_none() {
        return;
    }
    let event = Event::new(
        "glaurung",
        "event.concurrency = 2\npositions.numbers = [\"0-7\"]\nadjudication.max_moves = 30\n\
         [[engine]]\nname = \"Glaurung\"\ncommand = \"glaurung\"\nfen = \"xfen\"\ntime = { movetime = 0.02, margin_ms = 500 }\n\
         [[engine]]\nname = \"Sound\"\nbuiltin = \"sparring\"\ntime = { depth = 1 }\n",
    );
    let mut run = Run::start(&event, &["--quiet"]);
    let status = run.end(BOUND);
    assert_eq!(status.code(), Some(0), "{}", run.words());
    let played = games(&event);
    assert_eq!(played.len(), 16);
    let forfeits = played
        .iter()
        .filter(|game| game.termination != "normal" && game.termination != "adjudication");
    eprintln!("{} forfeits in 16 games, {:?}", forfeits.count(), run.age());
    assert_eq!(run.survivors(), Vec::<String>::new());
    assert_files_whole(&event);
}
