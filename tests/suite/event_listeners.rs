//! Readers of a run's output never delay it, and signals are handled until the last byte.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::robust_support::{Run, SIX_AND_NINE, assert_files_whole, games, piped};
use super::support::{Event, ends, json, words};

/// Built-in engines that play short games, very fast.
fn event(name: &str, pairs: usize, rest: &str) -> Event {
    let text = format!(
        "event.pairs = {pairs}\npositions.numbers = [\"0-9\"]\nadjudication.max_moves = 4\n\
         time.depth = 1\n{rest}\n{SIX_AND_NINE}"
    );
    Event::new(name, &text)
}

fn send(run: &Run, signal: Signal) {
    kill_process(Pid::from_child(&run.child), signal).unwrap();
}

fn stored(event: &Event) -> u64 {
    let store = event.store();
    let count = store.query_row("SELECT count(*) FROM games", [], |row| row.get::<_, i64>(0));
    count.unwrap_or(0).cast_unsigned()
}

fn has_games(event: &Event, some: u64) -> bool {
    event.results().join("event.db").is_file() && stored(event) >= some
}

#[test]
fn a_pipe_that_nobody_reads_holds_nothing_up() {
    // The lines of its games are far more than a pipe holds.
    let event = event("unread", 25, "");
    let mut run = Run::spawn(piped(event.command(&["--json"])), &event);
    wait_until_all_is_written(&run, &event);
    // Now the output is read at last, and nothing is missing.
    let mut text = String::new();
    let mut stdout = run.child.stdout.take().unwrap();
    stdout.read_to_string(&mut text).unwrap();
    run.ends(0);
    let lines = Vec::from_iter(text.lines().map(json));
    let told = lines.iter().filter(|line| line["type"] == "game");
    let told: Vec<&str> = told.map(|line| line["round"].as_str().unwrap()).collect();
    assert_eq!(told, event.rounds());
    assert_eq!(lines.last().unwrap()["type"], "end");
    assert_files_whole(&event);
}

#[test]
fn a_run_whose_output_nobody_reads_hears_every_signal() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
        let event = event("deaf", 4000, "");
        let mut run = Run::spawn(piped(event.command(&["--json"])), &event);
        // Its pipe is full by then.
        run.until(|| has_games(&event, 200));
        send(&run, signal);
        let since = Instant::now();
        run.ends(code);
        eprintln!("ended {:?} after the signal", since.elapsed());
        assert_eq!(run.survivors(), Vec::<String>::new());
        assert_files_whole(&event);
    }
}

/// Waits until all 500 games are played and every file of the event is written.
fn wait_until_all_is_written(run: &Run, event: &Event) {
    run.until(|| has_games(event, 500));
    let standings = event.results().join("standings.json");
    run.until(|| {
        let text = fs::read_to_string(&standings).unwrap_or_default();
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        value["progress"]["games"] == 500 && event.results().join("positions.csv").is_file()
    });
}

#[test]
fn a_signal_is_heard_while_the_last_words_wait_for_a_reader() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        // The lines of its games are far more than a pipe holds, so the last of them can not be written.
        let event = event("blocked", 25, "");
        let mut run = Run::spawn(piped(event.command(&["--json"])), &event);
        wait_until_all_is_written(&run, &event);
        // One more, should the first have come before the dispatcher knew of the end.
        for _ in 0..5 {
            send(&run, signal);
            if run.ends_within(Duration::from_secs(5)) {
                break;
            }
        }
        run.ends(code);
        event.run_well(&["--quiet"]);
        assert_eq!(games(&event).len(), 500);
        assert_files_whole(&event);
    }
}

#[test]
fn a_signal_that_was_ignored_from_the_beginning_is_ignored() {
    for (name, ignored) in [("HUP", Signal::HUP), ("INT", Signal::INT)] {
        let event = event("nohup", 4000, "");
        let own = event.command(&["--quiet"]);
        let mut command = Command::new("sh");
        let script = format!("trap '' {name}; exec \"$0\" \"$@\"");
        command.arg("-c").arg(script);
        command.arg(own.get_program()).args(own.get_args());
        let mut run = Run::spawn(command, &event);
        run.until(|| has_games(&event, 1));
        send(&run, ignored);
        let before = stored(&event);
        run.until(|| stored(&event) > before + 9);
        send(&run, Signal::TERM);
        run.ends(143);
    }
}

#[test]
fn sigusr1_stops_in_order() {
    let event = event("slurm", 4000, "event.concurrency = 2");
    let mut run = Run::start(&event, &["--quiet"]);
    run.until(|| has_games(&event, 1));
    send(&run, Signal::USR1);
    run.ends(138);
    // Whole pairs, and nothing is void.
    assert_eq!(games(&event).len() % 2, 0);
    assert_eq!(event.number("SELECT count(*) FROM voided"), 0);
    assert_files_whole(&event);
}

#[test]
fn sigusr1_is_obeyed_before_the_event_file_is_read() {
    let event = event("early", 4000, "event.concurrency = 2");
    let text = fs::read(event.file()).unwrap();
    fs::remove_file(event.file()).unwrap();
    // A pipe instead of a file: opening it waits for a writer.
    let mode = Mode::RUSR | Mode::WUSR;
    mknodat(CWD, event.file(), FileType::Fifo, mode, 0).unwrap();
    let mut run = Run::start(&event, &["--quiet"]);
    // Opened when the run opens it, too: it has begun, and waits for what it says.
    let mut file = OpenOptions::new().write(true).open(event.file()).unwrap();
    send(&run, Signal::USR1);
    file.write_all(&text).unwrap();
    drop(file);
    run.ends(138);
    assert!(!run.words().contains("leads"), "{}", run.words());
    assert!(!event.results().join("event.db").is_file() || stored(&event) == 0);
}

/// `/dev/full` for one of the outputs, or for both.
fn full() -> Stdio {
    Stdio::from(OpenOptions::new().write(true).open("/dev/full").unwrap())
}

#[test]
fn an_output_that_cannot_be_written_is_treated_as_one_that_nobody_reads() {
    for arguments in [&["--json"][..], &[]] {
        let event = event("full", 2, "");
        let full = event.command(arguments).stdout(full()).output().unwrap();
        assert_eq!(full.status.code(), Some(0), "{}", words(&full));
        let said = String::from_utf8_lossy(&full.stderr).into_owned();
        assert!(said.contains("No space left on device"), "{said}");
        assert_eq!(games(&event).len(), 40);
        assert_files_whole(&event);

        let event = self::event("closed", 2, "");
        let mut command = event.command(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0));
        assert_eq!(games(&event).len(), 40);
        assert_files_whole(&event);
    }
}

#[test]
fn nothing_panics_when_both_outputs_are_on_a_full_disk() {
    for arguments in [&["--json"][..], &[], &["--quiet"]] {
        let event = event("both", 1, "");
        let mut command = event.command(arguments);
        let status = command.stdout(full()).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(0), "{arguments:?}");
        assert_eq!(games(&event).len(), 20);
    }
    // A failure shows in the exit code alone.
    let mut command = super::support::arbiter960();
    command.args(["run", "/no/such/event.toml"]);
    let status = command.stdout(full()).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(2));
    // An export that is cut short is no success.
    let event = event("cut", 1, "");
    event.run_well(&["--quiet"]);
    let mut command = event.about(&["export", "--format", "pgn"]);
    ends(4, command.stdout(full()));
}
