//! What else a sandbox enforces: limits that hold, results out of reach, and nothing that
//! outlives its event.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process};

use arbiter960::internal::platform::Capability;

use super::hostile_engines::{can_be_shut_in, children_of, enforced, fault};
use super::platforms::can;
use super::robust_support::{BOUND, Run, assert_files_whole, fake, reasons};
use super::support::{Event, assert_has, ends, missing, pause, sparring};

/// Two games of the fake engine, in its own folder `home`, against the built-in one.
fn event(name: &str, said: &[&str], more: &str) -> Event {
    let text = format!(
        "positions.numbers = [518]\nadjudication.max_moves = 4\n\
         timeouts = {{ start = 10, ready = 10, newgame = 10, stall = 10 }}\n\
         [[engine]]\nname = \"Fake\"\n{}\ndirectory = \"home\"\ntime.nodes = 100\n\
         env = {{ LC_FAKE_MEMORY = \"memory\" }}\n{more}\n{}",
        fake(said),
        sparring("Sound", "time.depth = 1")
    );
    let event = Event::new(name, &text);
    fs::create_dir(event.folder().join("home")).unwrap();
    event
}

fn play(event: &Event) -> (Option<i32>, String) {
    let mut run = Run::spawn(event.command(&["--quiet", "--log-engines"]), event);
    let status = run.end(BOUND);
    assert_eq!(run.survivors(), Vec::<String>::new(), "left running");
    let log = event.results().join("log/engines/lane-1-Fake.uci");
    (status.code(), fs::read_to_string(log).unwrap_or_default())
}

/// Whether some process has this word among its arguments.
fn lives(word: &str) -> bool {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| {
        let mut words = line.split(|byte| *byte == 0);
        words.any(|other| other == word.as_bytes())
    })
}

/// Looks until it is gone, or the bound has passed.
fn is_gone(word: &str) -> bool {
    let deadline = Instant::now() + BOUND;
    while lives(word) {
        if Instant::now() >= deadline {
            return false;
        }
        pause(5);
    }
    true
}

#[test]
fn the_end_of_an_engine_in_a_sandbox_is_told_as_it_was() {
    if !can_be_shut_in() {
        return;
    }
    let ends = [
        ("abort", "signal 6"),
        ("segv", "signal 11"),
        ("fail", "status 3"),
    ];
    for (deed, end) in ends {
        let said = format!("search={deed}");
        let event = event(deed, &[&said, "at=1", "once"], "sandbox = true");
        assert_eq!(play(&event).0, Some(0));
        assert_eq!(reasons(&event), ["crash", "length-adjudication"]);
        assert_has(&fault(&event), [end]);
        assert_files_whole(&event);
    }
}

#[test]
fn a_daemon_without_an_environment_ends_with_its_engine() {
    if !can_be_shut_in() {
        return;
    }
    let word = format!("daemon-{}", std::process::id());
    let said = format!("clean-daemon={word}");
    let event = event("daemon", &[&said], "sandbox = true");
    assert_eq!(play(&event).0, Some(0));
    let notes = fs::read_to_string(event.folder().join("home/started")).unwrap();
    assert_eq!(notes, "a daemon\n", "it was there");
    assert!(!lives(&word), "it has outlived its event");
}

#[test]
fn nothing_in_a_sandbox_outlives_runner_and_guardian() {
    if !can_be_shut_in() {
        return;
    }
    let word = format!("orphan-{}", std::process::id());
    let said = format!("clean-daemon={word}");
    let words = [&said, "ignore-term", "ignore-quit", "search=deaf", "at=1"];
    let event = event("orphan", &words, "sandbox = true\nfile_size_mib = 5");
    let run = Run::spawn(event.command(&["--quiet"]), &event);
    run.until(|| lives(&word));
    let guardian = run.find("guardian").expect("there is a guardian");
    kill_both(run, guardian);
    assert!(is_gone(&word), "the daemon lives on");
}

/// Kills the guardian and the runner as good as at once.
fn kill_both(mut run: Run, guardian: Pid) {
    // A runner that is stopped cannot replace its guardian between the two.
    let _ = kill_process(Pid::from_child(&run.child), Signal::STOP);
    let _ = kill_process(guardian, Signal::KILL);
    let _ = kill_process(Pid::from_child(&run.child), Signal::KILL);
    run.child.wait().unwrap();
}

#[test]
fn what_is_left_of_a_run_is_ended_by_the_next_one_which_says_so() {
    if !can(Capability::Sandbox) {
        return;
    }
    // Without a sandbox, only the mark shows to which engine a process belongs.
    let word = format!("left-{}", std::process::id());
    let said = format!("daemon-child={word}");
    let event = event("left", &[&said, "search=deaf", "at=1", "once"], "");
    let run = Run::spawn(event.command(&["--quiet"]), &event);
    // In its game: what its trial start has left is ended with that.
    let in_game = event.folder().join("home").join("memory");
    run.until(|| in_game.exists() && lives(&word));
    let guardian = run.find("guardian").expect("there is a guardian");
    kill_both(run, guardian);
    assert!(lives(&word), "the test shows nothing");
    let said = Run::start(&event, &[]).ends(0);
    let left = "were left of the former run of this event, and were ended: fake-engine (";
    assert_has(&said, [left]);
    assert!(!lives(&word), "it lives still");
}

/// An engine that does this in its first search is beyond this number of MiB, with and without a sandbox.
fn is_memory(deed: &str, memory_mib: u32) {
    if !can(Capability::Sandbox) {
        return;
    }
    let walls = ["", "sandbox = true\n"];
    for walls in walls.into_iter().take(if can_be_shut_in() { 2 } else { 1 }) {
        let more = format!("{walls}memory_mib = {memory_mib}");
        let event = event("memory", &[deed, "at=1", "once"], &more);
        assert_eq!(play(&event).0, Some(0));
        assert_eq!(reasons(&event), ["memory-limit", "length-adjudication"]);
    }
}

#[test]
fn memory_in_files_without_a_name_is_memory() {
    is_memory("search=hoard:300", 100);
}

#[test]
fn page_tables_are_memory() {
    is_memory("search=page-tables:400", 100);
}

/// 200 of them, which hold 40 MiB in the kernel.
#[test]
fn what_is_in_sockets_is_memory() {
    is_memory("search=socket-pairs:100", 24);
}

/// The files of its folder together, each of them short; what was there before the run is not counted.
#[test]
fn an_engine_that_fills_its_folder_is_ended_and_loses() {
    if !can_be_shut_in() {
        return;
    }
    let said = ["search=spill:64", "at=1", "once"];
    let more = "sandbox = true\nfile_size_mib = 8\ndisk_mib = 20";
    let event = event("spill", &said, more);
    let there = event.folder().join("home/net");
    fs::write(there, vec![1; 32 << 20]).unwrap();
    assert_eq!(play(&event).0, Some(0));
    // What it has written stays there, so the second game may be lost like the first.
    assert_eq!(reasons(&event)[0], "disk-limit");
    assert_has(&fault(&event), ["disk_mib allows 20"]);
}

/// The engine writes until it is refused in each of its games, and plays on.
#[test]
fn what_is_not_kept_has_bounded_room_and_is_gone_with_its_process() {
    if !can_have_namespaces() {
        return;
    }
    let said = ["search=spill:64", "at=1"];
    let more = "sandbox = true\nsandbox_keep = false\ndisk_mib = 20\nrestart = true";
    let event = event("unkept", &said, more);
    let home = event.folder().join("home");
    fs::write(home.join("net"), vec![1; 32 << 20]).unwrap();
    let (code, said) = play(&event);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(reasons(&event), ["length-adjudication"; 2]);
    let spilled = said.lines().filter(|line| line.contains("spilled"));
    let spilled: Vec<&str> = spilled.collect();
    let at_the_end = |line: &&str| line.contains("spilled 20: No space left");
    assert_eq!(spilled.len(), 2, "{said}");
    assert!(spilled.iter().all(at_the_end), "{spilled:?}");
    let left: Vec<_> = fs::read_dir(&home).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

/// Whether the whole view of the file system can be had here; if not, the test is skipped.
fn can_have_namespaces() -> bool {
    if !can_be_shut_in() {
        return false;
    }
    let why = enforced().namespaces;
    if let Some(why) = &why {
        missing(&format!("this system lets nobody make namespaces ({why})"));
    }
    why.is_none()
}

#[test]
fn a_sandbox_has_limits_that_nobody_had_to_write() {
    if !can_be_shut_in() {
        return;
    }
    let said = ["search=multiply:1500", "at=1", "once"];
    let event = event("bomb", &said, "sandbox = true");
    let (code, said) = play(&event);
    assert_eq!(code, Some(0));
    let children = children_of(&said);
    let first = &reasons(&event)[0];
    let refused = first == "stall" && children.is_some_and(|count| count < 500);
    assert!(refused || first == "process-limit", "{first}: {children:?}");
}

#[test]
fn results_within_an_engines_reach_are_refused_however_they_are_named() {
    if !can(Capability::Sandbox) {
        return;
    }
    let event = event("reach", &[], "sandbox = true");
    let home = event.folder().join("home");
    symlink(&home, event.folder().join("alias")).unwrap();
    for results in [
        "home",
        "home/results",
        "alias/x/../results",
        "./home/../alias",
    ] {
        let mut command = Command::new(super::support::program());
        command.arg("run").arg(event.file()).arg("--results");
        let said = ends(2, command.arg(event.folder().join(results)));
        assert_has(&said, ["lie in one another"]);
        let written = fs::read_dir(&home).unwrap().count();
        assert_eq!(written, 0, "something was written");
    }
}
