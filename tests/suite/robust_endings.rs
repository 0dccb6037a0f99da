//! How long it takes to end engines that do not want to go: each is made to think for ever, then
//! the runner gets an order to stop, or is killed. `--nocapture` prints a line for each.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::platforms::can_end;
use super::robust_stops::{run_into_the_second_game, send, stubborn};
use super::robust_support::BOUND;

/// A test for each engine: its words, added to those that make it think in its second game.
macro_rules! table {
    ($($name:ident: $search:literal $($word:literal)*;)*) => {
        $(#[test]
        fn $name() {
            let words = [$($word,)* concat!("search=", $search), "at=2", "game=2"];
            check(stringify!($name), &words);
        })*
    };
}

table! {
    obedient: "mute";
    ignores_quit: "mute" "ignore-quit" "ignore-eof";
    ignores_quit_and_sigterm: "mute" "ignore-quit" "ignore-eof" "ignore-term";
    does_not_read: "deaf" "ignore-term";
    stopped_by_a_signal: "stopped";
    chatters_without_end: "chatter" "ignore-quit" "ignore-eof" "ignore-term";
    writes_a_line_without_end: "babble" "ignore-quit" "ignore-eof" "ignore-term";
    floods_stderr: "flood" "ignore-quit" "ignore-eof" "ignore-term";
    leaves_a_child: "mute" "ignore-eof" "child";
    leaves_a_daemon: "mute" "daemon-child";
    leaves_both_and_ignores_all: "mute" "daemon-child" "child" "ignore-quit" "ignore-eof" "ignore-term";
    joins_another_group: "mute" "join-parents-group" "ignore-quit" "ignore-eof" "ignore-term";
}

fn check(name: &str, words: &[&str]) {
    let words = serde_json::to_string(words).unwrap();
    if !can_end(&words) {
        return;
    }
    let stopped = gone_after(Signal::TERM, &words);
    let killed = gone_after(Signal::KILL, &words);
    eprintln!(
        "gone {name}: {} ms after SIGTERM, {} ms after SIGKILL of the runner",
        stopped.as_millis(),
        killed.as_millis()
    );
}

/// The time from the signal until nothing of the run is left.
fn gone_after(signal: Signal, words: &str) -> Duration {
    let event = stubborn("endings", words);
    let mut run = run_into_the_second_game(&event);
    let since = Instant::now();
    send(&run, signal);
    run.child.wait().unwrap();
    assert!(run.is_gone_within(BOUND), "{:?}", run.survivors());
    since.elapsed()
}
