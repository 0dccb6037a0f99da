//! Signals, groups and children.

use std::process::{Command, Stdio};
use std::{fs, io};

use crate::script::Script;
use crate::system::{self, Listeners};

/// What is to be done before the first word.
pub(crate) fn prepare(script: &Script) -> io::Result<Option<Listeners>> {
    let mut listeners = None;
    if script.has("session") {
        system::leave_session()?;
    }
    if script.has("pinned") {
        system::run_on_one_processor()?;
    }
    if script.has("hog") {
        // The test waits for this word.
        println!("busy");
        loop {
            std::hint::black_box(());
        }
    }
    if script.has("own-hogs") {
        orphans()?;
    }
    if script.has("orphans") {
        (0..2).try_for_each(|_| spawn_self(&["session", "pinned", "hog"], false))?;
        std::process::exit(0);
    }
    if script.has("nice-helper") {
        // Waits for as long as there is anything else to run.
        std::thread::spawn(|| {
            system::be_nicest();
            loop {
                std::hint::black_box(());
            }
        });
    }
    if script.has("ignore-term") {
        listeners = Some(Listeners::new()?);
    }
    if let Some(word) = script.value("daemon-child") {
        spawn_self(&["i-am-the-daemon", word], false)?;
    }
    if let Some(word) = script.value("clean-daemon") {
        spawn_self(&["i-am-the-daemon", word], true)?;
        fs::write("started", "a daemon\n")?;
    }
    if script.has("i-am-the-daemon") {
        system::leave_session()?;
        wait_for_ever();
    }
    if script.has("child") {
        spawn_self(&["i-am-the-child"], false)?;
    }
    if script.has("i-am-the-child") {
        wait_for_ever();
    }
    if script.has("join-parents-group") {
        system::join_parents_group()?;
    }
    Ok(listeners)
}

/// Starts a child that keeps its output.
pub(crate) fn leave_a_child() -> io::Result<()> {
    let mut child = Command::new(std::env::current_exe()?);
    child.args(["i-am-the-child", "ignore-term"]);
    let child = child.stdin(Stdio::null()).stderr(Stdio::null());
    child.spawn().map(drop)
}

/// Two that keep its processor busy and do not descend from it: their parent has ended.
fn orphans() -> io::Result<()> {
    let mut parent = Command::new(std::env::current_exe()?);
    let parent = parent.arg("orphans").stdin(Stdio::null());
    parent.stdout(Stdio::null()).status().map(drop)
}

/// Deletes its own program, a copy that a test has made.
pub(crate) fn delete_myself() {
    let program = std::env::args_os().next().expect("a name");
    let name = std::path::Path::new(&program).file_name();
    let is_copy = name.is_some_and(|name| name == "own-engine");
    assert!(is_copy, "{program:?} is no copy");
    fs::remove_file(program).expect("its own file");
}

/// A child that keeps a processor busy.
pub(crate) fn start_hog() -> io::Result<()> {
    spawn_self(&["hog"], false)
}

/// A child that holds no pipe and ignores SIGTERM; with `clean` it has no environment. Nobody waits for it.
fn spawn_self(role: &[&str], clean: bool) -> io::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    if clean {
        command.env_clear();
    }
    command.args(role).arg("ignore-term").stdin(Stdio::null());
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}

/// Neither reads nor writes any more.
pub(crate) fn wait_for_ever() -> ! {
    loop {
        std::thread::park();
    }
}
