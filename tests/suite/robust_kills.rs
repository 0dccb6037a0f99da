//! SIGKILL at random moments, many times: no reported game is lost, none is played twice, and at the end the event
//! equals one that was never disturbed.
//!
//! `super::study` sets the number of kills.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use arbiter960::chess::random::Random;
use rustix::process::{Pid, Signal, kill_process};

use super::robust_support::{
    BOUND, assert_files_whole, games_by_round, round_of, six_and_nine, start_with_json,
};
use super::study;
use super::support::Event;

/// An event of ten pairs.
fn event(name: &str) -> Event {
    let rest = "event.concurrency = 2\npositions.numbers = [\"0-9\"]";
    six_and_nine(name, 30, rest)
}

/// When the runner is killed.
#[derive(Clone, Copy)]
enum Moment {
    /// So long after its start: on a busy machine mostly before its first game.
    OfTheRun(Duration),
    /// So long after it has reported its first game.
    OfTheGames(Duration),
}

/// Runs the event until then, and kills the runner; `true` if it had ended before.
/// The rounds it has reported are added.
fn run_and_kill(event: &Event, moment: Moment, seen: &mut Vec<String>) -> bool {
    let (mut run, stdout) = start_with_json(event);
    let (sender, lines) = channel();
    let reader = thread::spawn(move || stdout.for_each(|line| drop(sender.send(line))));
    let mut heard = Vec::new();
    let rest = match moment {
        Moment::OfTheRun(rest) => rest,
        Moment::OfTheGames(rest) => {
            let is_game = |line: &String| round_of(line).is_some();
            while !heard.last().is_some_and(is_game) {
                match lines.recv() {
                    Ok(line) => heard.push(line),
                    // Nothing was left to play.
                    Err(_) => break,
                }
            }
            rest
        }
    };
    let ended = listen_until(Instant::now() + rest, &lines, &mut heard);
    // It may just have ended.
    let _ = kill_process(Pid::from_child(&run.child), Signal::KILL);
    run.child.wait().unwrap();
    reader.join().unwrap();
    heard.extend(lines.try_iter());
    seen.extend(heard.iter().filter_map(|line| round_of(line)));
    assert!(run.is_gone_within(BOUND), "{:?}", run.survivors());
    ended
}

fn listen_until(deadline: Instant, lines: &Receiver<String>, heard: &mut Vec<String>) -> bool {
    loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => heard.push(line),
            Err(error) => return error == RecvTimeoutError::Disconnected,
        }
    }
}

#[test]
fn killed_at_random_moments_the_event_becomes_what_it_would_have_been() {
    let kills = study::size(10);
    let undisturbed = event("undisturbed");
    let begun = Instant::now();
    undisturbed.run_well(&["--quiet"]);
    let longest = u64::try_from(begun.elapsed().as_micros()).unwrap();
    let expected = games_by_round(&undisturbed);
    let mut random = Random::new(study::seed(0x006b_1115));
    let (mut killed, mut events, mut reports) = (0, 0, 0);
    while killed < kills {
        let event = event("killed");
        let mut seen = Vec::new();
        while killed < kills {
            let rest = Duration::from_micros(random.below(longest / 2));
            let moment = match random.below(2) {
                0 => Moment::OfTheRun(rest),
                _ => Moment::OfTheGames(rest),
            };
            if run_and_kill(&event, moment, &mut seen) {
                break;
            }
            killed += 1;
        }
        event.run_well(&["--quiet"]);
        assert_files_whole(&event);
        assert_eq!(games_by_round(&event), expected);
        events += 1;
        reports += seen.len();
        let once = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), once, "a game was reported in two runs");
        assert!(seen.iter().all(|round| expected.contains_key(round)));
    }
    // Kills that come before every game show nothing.
    assert!(reports > 0);
    eprintln!(
        "{killed} kills in {events} events; {reports} games reported before a kill, 0 lost, 0 doubled"
    );
}
