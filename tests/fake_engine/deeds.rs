//! What the engine does in place of an answer.

use std::fs;
use std::io::{self, Write};
use std::process::{abort, exit};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use crate::attack;
use crate::dialogue::{say, write_raw};
#[cfg(target_os = "linux")]
use crate::raid;
use crate::script::Script;
use crate::system;
use crate::{chorus, outlaw};

/// What follows a deed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The answer, as if nothing had been.
    Answer,
    /// No answer.
    Silence,
}

/// Instead of `uciok`.
pub(crate) fn start(deed: &str, script: &Script) {
    match deed {
        "no-uciok" => {}
        "deaf" => {
            say(script, "uciok");
            outlaw::wait_for_ever();
        }
        "chatter-first" => repeat_for_ever(b"info string hello\n"),
        "exit-first" => {
            eprintln!("no licence");
            exit(7);
        }
        other => panic!("no such deed at the start: {other}"),
    }
}

/// Instead of `bestmove`; `chosen` is a legal move, `limits` the words after `go`.
pub(crate) fn search(deed: &str, chosen: &str, limits: &str, script: &Script) -> Next {
    let (what, value) = deed.split_once(':').unwrap_or((deed, ""));
    let number = || value.parse::<usize>().expect("a number");
    match what {
        "hog" => hog(number()),
        "answer-and-hog" => {
            say(script, &format!("bestmove {chosen}"));
            hog(number())
        }
        "fill" => fill(number(), script),
        "spill" => spill(number(), script),
        #[cfg(target_os = "linux")]
        "hoard" => raid::hoard(number()),
        #[cfg(target_os = "linux")]
        "page-tables" => raid::page_tables(number()),
        #[cfg(target_os = "linux")]
        "socket-pairs" => raid::socket_pairs(number()),
        #[cfg(target_os = "linux")]
        "multiply" => raid::multiply(number(), script),
        #[cfg(target_os = "linux")]
        "attack" => attack::attack(script),
        #[cfg(target_os = "linux")]
        "raid" => raid::raid(script),
        #[cfg(target_os = "linux")]
        "limits" => raid::report_limits(script),
        "toil" => toil(clock(limits) * value.parse().expect("a number") / 100),
        "toil-ms" => toil(Duration::from_millis(value.parse().expect("a number"))),
        // It reads nothing meanwhile.
        "oversleep" => {
            let late = Duration::from_millis(value.parse().expect("a number"));
            sleep_until(Instant::now() + clock(limits) + late);
        }
        "until-late" => {
            // It thinks until its clock has run out on the wall, and for a while more.
            let end = Instant::now() + clock(limits);
            while Instant::now() < end {
                std::hint::black_box(());
            }
            toil(Duration::from_millis(300));
        }
        "unlink" => outlaw::delete_myself(),
        _ => return misdeed(deed, chosen, limits, script),
    }
    Next::Answer
}

fn sleep_until(due: Instant) {
    while let Some(rest) = due.checked_duration_since(Instant::now()) {
        std::thread::park_timeout(rest);
    }
}

/// Writes so many MiB into files of its own folder, a MiB each, and waits; or says why it could not.
fn spill(mib: usize, script: &Script) {
    for file in 0..mib {
        let written = std::fs::write(format!("spilled-{file}"), vec![b'x'; 1 << 20]);
        if let Err(error) = written {
            // It plays on, and needs a little room itself.
            let _none = std::fs::remove_file("spilled-0");
            return say(script, &format!("info string spilled {file}: {error}"));
        }
    }
    crate::outlaw::wait_for_ever();
}

fn misdeed(deed: &str, chosen: &str, limits: &str, script: &Script) -> Next {
    if let Some(deed) = deed.strip_prefix("fork-") {
        outlaw::leave_a_child().expect("a child");
        return search(deed, chosen, limits, script);
    }
    if let Some(text) = deed.strip_prefix("say:") {
        say(script, format!("bestmove {text}").trim_end());
        return Next::Silence;
    }
    let answer = || say(script, &format!("bestmove {chosen}"));
    match deed {
        "held" => script.wait_to_be_let_go(answer),
        "abort" => abort(),
        "unlink-and-abort" => {
            outlaw::delete_myself();
            abort()
        }
        "exit" => exit(0),
        "fail" => {
            eprintln!("hash table corrupted\x1b[2J\nassertion failed: key == 0");
            exit(3);
        }
        "segv" => system::segmentation_fault(),
        "answer-and-exit" => {
            answer();
            exit(0);
        }
        "answer-unended" => {
            write_raw(format!("bestmove {chosen}").as_bytes());
            exit(0);
        }
        "half-line" => write_raw(format!("bestmove {chosen}").as_bytes()),
        "half-fail" => {
            write_raw(b"bestmove e");
            exit(3);
        }
        "withhold" => *withheld() = Some(format!("bestmove {chosen}")),
        "upper" => say(script, &format!("bestmove {}", chosen.to_uppercase())),
        "twice" => (0..2).for_each(|_| answer()),
        "late" => answer_after(clock(limits) + Duration::from_millis(100), chosen, script),
        "very-late" => answer_after(clock(limits) + Duration::from_secs(1), chosen, script),
        "mute" => {}
        "stopped" => system::stop_myself(),
        "deaf" => outlaw::wait_for_ever(),
        "close-output" => {
            system::close_output();
            outlaw::wait_for_ever()
        }
        "close-input" => {
            system::close_input();
            answer();
            outlaw::wait_for_ever()
        }
        "chatter" => repeat_for_ever(b"info depth 1 score cp 1 nodes 7 pv e2e4\n"),
        "babble" => repeat_for_ever(&[b'x'; 4096]),
        "flood" => flood_stderr(),
        "progress" => invent_progress(),
        "declarations" => repeat_for_ever(chorus::declarations().as_bytes()),
        other => return oddity(other, script),
    }
    Next::Silence
}

/// A move that it keeps to itself until it is asked whether it is ready.
fn withheld() -> MutexGuard<'static, Option<String>> {
    static WITHHELD: Mutex<Option<String>> = Mutex::new(None);
    WITHHELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// It is asked.
pub(crate) fn stop_withholding(script: &Script) {
    if let Some(text) = withheld().take() {
        say(script, &text);
    }
}

/// Answers after this time, and obeys other commands meanwhile, as sound engines do. What a thread has waited is not known
/// when it has ended, so this one does not end.
fn answer_after(time: Duration, chosen: &str, script: &Script) {
    let end = if script.has("crlf") { "\r" } else { "" };
    let answer =
        format!("info depth 1 score cp 0 nodes 1 pv {chosen}{end}\nbestmove {chosen}{end}\n");
    let due = Instant::now() + time;
    std::thread::spawn(move || {
        sleep_until(due);
        write_raw(answer.as_bytes());
        outlaw::wait_for_ever();
    });
}

/// Strange words, after which the answer comes.
fn oddity(deed: &str, script: &Script) -> Next {
    match deed {
        "long-line" => say(script, &format!("info string {}", "x".repeat(1 << 20))),
        "many-lines" => (1..=20_000).for_each(|line| {
            write_raw(format!("info depth 1 score cp {line} nodes {line} pv e2e4\n").as_bytes());
        }),
        "bytes" => {
            write_raw(b"info string \xff\xfe\xc3\x28 \x00\x01\x1b[2J\ninfo pv \xf0\x28\x8c\n")
        }
        "empty-lines" => write_raw(b"\n\r\n\r\r\n   \n\t\n"),
        other => panic!("no such deed: {other}"),
    }
    Next::Answer
}

/// The largest clock that `go` names.
fn clock(limits: &str) -> Duration {
    let words = limits.split_whitespace();
    let numbers = words.filter_map(|word| word.parse().ok());
    Duration::from_millis(numbers.max().unwrap_or(0))
}

/// Uses this much processor time, however long that takes.
pub(crate) fn toil(work: Duration) {
    let clock = system::ThreadClock::new();
    while clock.used() < work {
        std::hint::black_box(());
    }
}

fn repeat_for_ever(bytes: &[u8]) {
    loop {
        write_raw(bytes);
    }
}

fn flood_stderr() {
    loop {
        let _ = io::stderr().write_all(&[b'!'; 65_536]);
    }
}

fn invent_progress() {
    for nodes in 1_u64.. {
        write_raw(format!("info depth 1 nodes {nodes}\n").as_bytes());
    }
}

/// Takes this number of MiB of memory and waits.
fn hog(mib: usize) -> ! {
    let mut hoard = vec![0_u8; mib << 20];
    // Only pages that were written to are resident.
    hoard.iter_mut().step_by(1024).for_each(|byte| *byte = 1);
    std::hint::black_box(&hoard);
    outlaw::wait_for_ever();
}

/// Writes a file of this number of MiB into its folder.
fn fill(mib: usize, script: &Script) {
    let outcome = match fs::write("filling", vec![b'x'; mib << 20]) {
        Ok(()) => "open".to_owned(),
        Err(error) => format!("refused: {error}"),
    };
    say(script, &format!("info string raid fill {outcome}"));
}
