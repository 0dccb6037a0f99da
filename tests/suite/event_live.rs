//! What passes in the games that run, as lanes on a terminal.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::time::Instant;

use rustix::fs::OFlags;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::robust_support::{BOUND, SIX_AND_NINE};
use super::support::{Event, arbiter960, wait_until};

fn event(name: &str, rest: &str) -> Event {
    let text = format!(
        "positions.numbers = [500, 518]\nadjudication.max_moves = 4\nevent.concurrency = 2\n{rest}\n{SIX_AND_NINE}"
    );
    Event::new(name, &text)
}

/// A run on its own terminal.
struct OnTerminal {
    child: Child,
    screen: File,
    /// The path of the run's end of the terminal.
    name: CString,
    seen: String,
    begun: Instant,
}

impl OnTerminal {
    /// Begins it on a terminal of this kind, with this number of columns.
    fn run(event: &Event, kind: &str, columns: u16) -> OnTerminal {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let terminal = openpt(flags).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap();
        let own = open_end(&name);
        let screen = File::from(terminal);
        resize(&screen, columns);
        let mut command = event.command(&[]);
        command.stdout(Stdio::null()).stderr(own).env("TERM", kind);
        // The command's copy of the terminal goes with it: from here on only the run holds it.
        let child = command.spawn().unwrap();
        let (seen, begun) = (String::new(), Instant::now());
        OnTerminal {
            child,
            screen,
            name,
            seen,
            begun,
        }
    }

    /// Reads until what was written from this place on is enough.
    fn until(&mut self, from: usize, enough: impl Fn(&str) -> bool) {
        let mut chunk = [0; 4096];
        while !enough(&self.seen[from..]) {
            assert!(self.begun.elapsed() < BOUND, "{}", self.seen);
            // The end of the run ends the terminal, which reads as an error.
            let count = self.screen.read(&mut chunk).unwrap_or(0);
            assert!(count > 0, "the run has ended: {}", self.seen);
            self.seen += &String::from_utf8_lossy(&chunk[..count]);
        }
    }

    /// Writes on the terminal as a shell does.
    fn write_as_others(&self, words: &str) {
        open_end(&self.name).write_all(words.as_bytes()).unwrap();
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Stops it, and gives all that it has written.
    fn stop(mut self) -> String {
        self.signal(Signal::TERM);
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = self.screen.read(&mut chunk) {
            self.seen += &String::from_utf8_lossy(&chunk[..count]);
        }
        let code = self.child.wait().unwrap().code();
        assert_eq!(code, Some(143), "{}", self.seen);
        self.seen
    }
}

/// Opens the end of a terminal at which programs write.
fn open_end(name: &CStr) -> File {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    rustix::fs::open(name, flags, rustix::fs::Mode::empty())
        .unwrap()
        .into()
}

fn resize(screen: &File, columns: u16) {
    let size = Winsize {
        ws_row: 30,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(screen, size).unwrap();
}

/// The lines of what was written, without what moves the cursor.
fn lines_of(seen: &str) -> Vec<String> {
    let mut parts = seen.split('\u{1b}');
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        let end = part.find(|letter: char| letter.is_ascii_alphabetic());
        plain.push('\n');
        plain += &part[end.map_or(part.len(), |end| end + 1)..];
    }
    plain.split(['\n', '\r']).map(str::to_owned).collect()
}

/// Whether a lane with this start number is shown.
fn shows_lane(seen: &str, number: u32) -> bool {
    let named = format!(" #{number} ");
    let lines = lines_of(seen);
    let mut lanes = lines.iter().filter(|line| line.contains(&named));
    lanes.any(|line| ["Six", "Nine", "▸"].iter().all(|part| line.contains(part)))
}

/// Whether depths are shown, for which there is room on a wide terminal alone.
fn shows_depth(seen: &str) -> bool {
    ["d1 ", "d2 ", "d3 ", "d4 "]
        .iter()
        .any(|depth| seen.contains(depth))
}

const LASTING: &str = "time.movetime = 0.1\nevent.pairs = 200";

#[test]
fn a_terminal_shows_who_plays_whom_in_each_lane_and_follows_its_width() {
    let event = event("lanes", LASTING);
    let mut run = OnTerminal::run(&event, "xterm", 80);
    let both = |seen: &str| shows_lane(seen, 500) && shows_lane(seen, 518);
    run.until(0, both);
    // Thinking is printed with both lanes.
    assert!(!shows_depth(&run.seen), "in 80 columns: {}", run.seen);
    resize(&run.screen, 200);
    let from = run.seen.len();
    run.until(from, |seen| both(seen) && shows_depth(seen));
    // The score of the match, below the bar.
    run.until(from, |seen| seen.contains(" - "));
    run.stop();
}

#[test]
fn a_run_that_was_stopped_and_goes_on_draws_below_what_others_have_written() {
    let event = event("stopped", LASTING);
    let mut run = OnTerminal::run(&event, "xterm", 100);
    run.until(0, |seen| shows_lane(seen, 500));
    run.signal(Signal::STOP);
    wait_until(|| all_threads_are_stopped(&run.child), String::new);
    // Text that was drawn before must leave the terminal before the text of others.
    run.write_as_others("[1]+  Stopped\n");
    run.until(0, |seen| seen.contains("Stopped"));
    let from = run.seen.len();
    run.signal(Signal::CONT);
    run.until(from, |seen| shows_lane(seen, 500));
    let drawn = &run.seen[from..];
    let first = drawn.find('█').or(drawn.find('░')).unwrap();
    // `ESC [ n A` moves it up.
    assert!(
        !drawn[..first].contains('A'),
        "the cursor went up: {drawn:?}"
    );
    run.stop();
}

/// Whether none of its threads does anything any more. They stop one by one.
fn all_threads_are_stopped(child: &Child) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{}/task", child.id())).unwrap();
    threads.flatten().all(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        stat.rsplit_once(") ")
            .is_some_and(|(_, state)| state.starts_with('T'))
    })
}

#[test]
fn a_terminal_that_cannot_move_its_cursor_gets_plain_lines() {
    let event = event("dumb", LASTING);
    let mut run = OnTerminal::run(&event, "dumb", 80);
    run.until(0, |seen| seen.contains(" of 800 games"));
    let seen = run.stop();
    assert!(!seen.contains('\u{1b}'), "{seen:?}");
}

#[test]
fn colours_are_asked_for_and_refused_by_the_usual_variables() {
    let help = |variable: &str| {
        let mut command = arbiter960();
        command.arg("--help").env_remove("NO_COLOR");
        let output = command.env(variable, "1").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(help("CLICOLOR_FORCE").contains('\u{1b}'));
    assert!(!help("NO_COLOR").contains('\u{1b}'));
}
