//! Real engines with real vices.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::robust_support::{BOUND, Game, Run, assert_files_whole, games, reasons};
use super::support::{Event, engine, sparring};

/// An engine that thinks for as long as it likes against the built-in one.
fn thinker(variant: &str, stall: u32, program: &str, args: &str, limit: &str) -> Event {
    let positions = match variant {
        "standard" => "all = true",
        _ => "numbers = [7]",
    };
    let text = format!(
        "event.variant = {variant:?}\npositions.{positions}\nadjudication.max_moves = 10\ntimeouts.stall = {stall}\n\
         [[engine]]\nname = \"Specimen\"\ncommand = {program:?}\nargs = {args}\ntime = {{ {limit} }}\n{}",
        sparring("Sound", "time.depth = 1")
    );
    Event::new("specimen", &text)
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
    run.ends_alone(143);
    let taken = since.elapsed();
    eprintln!("Sjaak II in its search: gone {taken:?} after SIGTERM");
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
    let taken = since.elapsed();
    eprintln!("GNU Chess in its search: gone {taken:?} after the runner's SIGKILL");
}

#[test]
fn toga_that_ignores_a_limit_of_nodes_is_told_to_stop_and_plays_on() {
    if engine("toga2").is_none() {
        return;
    }
    let args = "[]\nmissed_limit = \"warn\"";
    let event = thinker("standard", 30, "toga2", args, "nodes = 1000");
    let mut run = Run::start(&event, &["--quiet"]);
    run.ends_alone(0);
    eprintln!("two games in {:?}", run.age());
    assert_eq!(reasons(&event), ["length-adjudication"; 2]);
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
    run.ends_alone(0);
    let played = games(&event);
    assert_eq!(played.len(), 16);
    let is_played = |game: &&Game| ["normal", "adjudication"].contains(&&*game.termination);
    let forfeits = 16 - played.iter().filter(is_played).count();
    eprintln!("{forfeits} forfeits in 16 games, {:?}", run.age());
    assert_files_whole(&event);
}
