//! Signals, groups and children.

use std::fs;
use std::io;
use std::process::{Command, Stdio};

use rustix::process::{Signal, getpgid, getpid, getppid, kill_process, setpgid, setsid};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{self, SignalKind, signal};

use crate::script::Script;

/// Whoever listens to a signal is not ended by it.
pub(crate) struct Listeners {
    _signals: Vec<unix::Signal>,
    _runtime: Runtime,
}

/// What is to be done before the first word.
pub(crate) fn prepare(script: &Script) -> io::Result<Listeners> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let _inside = runtime.enter();
    let mut signals = Vec::new();
    if script.has("session") {
        setsid()?;
    }
    if script.has("pinned") {
        run_on_one_processor()?;
    }
    if script.has("hog") {
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
            let thread = rustix::thread::gettid();
            let nice = rustix::process::setpriority_process(Some(thread), 19);
            nice.expect("a thread may always be nicer");
            loop {
                std::hint::black_box(());
            }
        });
    }
    if script.has("ignore-term") {
        signals.push(signal(SignalKind::terminate())?);
        signals.push(signal(SignalKind::hangup())?);
    }
    if let Some(word) = script.value("daemon-child") {
        spawn_self(&["i-am-the-daemon", word], false)?;
    }
    if let Some(word) = script.value("clean-daemon") {
        spawn_self(&["i-am-the-daemon", word], true)?;
        fs::write("started", "a daemon\n")?;
    }
    if script.has("i-am-the-daemon") {
        setsid()?;
        wait_for_ever();
    }
    if script.has("child") {
        spawn_self(&["i-am-the-child"], false)?;
    }
    if script.has("i-am-the-child") {
        wait_for_ever();
    }
    if script.has("join-parents-group") {
        setpgid(None, Some(getpgid(getppid())?))?;
    }
    drop(_inside);
    Ok(Listeners {
        _signals: signals,
        _runtime: runtime,
    })
}

/// Two that keep its processor busy and do not descend from it: their parent has ended.
fn orphans() -> io::Result<()> {
    let mut parent = Command::new(std::env::current_exe()?);
    parent
        .arg("orphans")
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    parent.status().map(|_| ())
}

/// Deletes its own program, a copy that a test has made.
pub(crate) fn delete_myself() {
    let program = std::env::args_os().next().expect("a name");
    let name = std::path::Path::new(&program).file_name();
    assert!(
        name.is_some_and(|name| name == "own-engine"),
        "{program:?} is no copy"
    );
    fs::remove_file(program).expect("its own file");
}

/// A child that keeps a processor busy.
pub(crate) fn start_hog() -> io::Result<()> {
    spawn_self(&["hog"], false)
}

/// A child that holds no pipe and ignores SIGTERM, without an environment if it is to be `clean`;
/// nobody waits for it.
fn spawn_self(role: &[&str], clean: bool) -> io::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    if clean {
        command.env_clear();
    }
    command
        .args(role)
        .arg("ignore-term")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(())
}

/// The first of those that are allowed: all that are pinned share it.
fn run_on_one_processor() -> io::Result<()> {
    let allowed = sched_getaffinity(None)?;
    let first = (0..CpuSet::MAX_CPU).find(|processor| allowed.is_set(*processor));
    let mut one = CpuSet::new();
    one.set(first.expect("a processor to run on"));
    Ok(sched_setaffinity(None, &one)?)
}

/// Neither reads nor writes any more.
pub(crate) fn wait_for_ever() -> ! {
    loop {
        std::thread::park();
    }
}

/// Stops as Ctrl-Z does.
pub(crate) fn stop_myself() {
    let _ = kill_process(getpid(), Signal::STOP);
}

/// Dies as a bad pointer does. The first signal only removes the standard
/// library's handler, which looks for stack overflows.
pub(crate) fn segmentation_fault() -> ! {
    loop {
        let _ = kill_process(getpid(), Signal::SEGV);
    }
}
