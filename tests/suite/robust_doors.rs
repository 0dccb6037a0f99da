//! What strangers, and engines, can put where a file is expected, or keep open: nothing of it is waited for.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::platforms::can;
use super::robust_support::{BOUND, Run, fake_engine, games, reasons, six_and_nine};
use super::support::{Event, arbiter960, assert_has, missing, script, sparring};
use super::web_page::Served;
use arbiter960::internal::platform::Capability;

/// A user of whom nothing else is on the machine.
const STRANGER: u32 = 60_961;

/// What may be found instead of a file.
const KINDS: [&str; 4] = ["pipe", "endless", "sparse", "folder"];

fn put(kind: &str, path: &Path) {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_dir() => return,
        Ok(_) => fs::remove_file(path).unwrap(),
        Err(_) => {}
    }
    match kind {
        "pipe" => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
        "endless" => symlink("/dev/zero", path).unwrap(),
        "sparse" => fs::File::create(path).unwrap().set_len(1 << 42).unwrap(),
        _ => fs::create_dir(path).unwrap(),
    }
}

/// The files of a folder, and of the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let inner = entries.map(|entry| match entry.file_type().unwrap() {
        kind if kind.is_dir() => files(&entry.path()),
        _ => vec![entry.path()],
    });
    inner.flatten().collect()
}

/// A folder like this one.
fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        if fs::metadata(&file).unwrap().is_file() {
            fs::copy(&file, target).unwrap();
        }
    }
}

/// Runs a command; whatever it says, it ends.
fn ends(event: &Event, words: &[&str], folder: &Path) {
    let mut command = arbiter960();
    command.args(words).arg(folder);
    let mut run = Run::spawn(command, event);
    run.end(BOUND);
    assert_eq!(run.survivors(), Vec::<String>::new(), "{words:?}");
}

#[test]
fn nothing_that_lies_in_the_place_of_a_result_is_waited_for() {
    let event = six_and_nine("doors", 4, "positions.numbers = [518]");
    event.run_well(&["--quiet"]);
    let is_store = |path: &Path| path.extension().is_some_and(|ending| ending == "db");
    for kind in KINDS {
        for stores in [false, true] {
            let results = event.folder().join(format!("{kind}-{stores}"));
            let folder = results.join("doors");
            copy(&event.results(), &folder);
            let mut replaced = files(&folder);
            replaced.retain(|path| is_store(path) == stores);
            assert!(!replaced.is_empty());
            replaced.iter().for_each(|path| put(kind, path));
            let whole = event.folder().join(format!("{kind}-{stores}-whole"));
            for words in [
                &["status"][..],
                &["stats"],
                &["verify"],
                &["report"],
                &["export", "--format", "pgn"],
                &["merge", whole.to_str().unwrap()],
            ] {
                ends(&event, words, &folder);
            }
            let file = event.file();
            let file = file.to_str().unwrap();
            ends(&event, &["rebuild", file, "--results"], &results);
            ends(&event, &["run", file, "--quiet", "--results"], &results);
        }
    }
}

#[test]
fn a_page_shows_regular_files_of_the_event_alone() {
    let event = six_and_nine("shown", 4, "positions.numbers = [518]");
    event.run_well(&["--quiet"]);
    event.ask(&["report"]);
    let server = Served::stored(&[&event]);
    let secret = event.folder().join("secret");
    fs::write(&secret, "secret").unwrap();
    for name in ["games.pgn", "report.html"] {
        let status = || server.get(&format!("/{name}"), "").status();
        assert_eq!(status(), 200, "{name}");
        let file = event.results().join(name);
        for kind in ["pipe", "endless"] {
            put(kind, &file);
            assert_eq!(status(), 404, "{kind} {name}");
        }
        fs::remove_file(&file).unwrap();
        symlink(&secret, &file).unwrap();
        assert_eq!(status(), 404, "link {name}");
        assert_ne!(server.get("/", "").status(), 500);
    }
}

/// Nothing is written there.
#[test]
fn a_log_that_is_a_link_to_another_folder_is_refused() {
    let event = six_and_nine("log", 4, "positions.numbers = [518]");
    let elsewhere = event.folder().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::create_dir_all(event.results()).unwrap();
    symlink(&elsewhere, event.results().join("log")).unwrap();
    let said = Run::start(&event, &["--quiet"]).ends(4);
    assert_has(&said, ["it is no folder, but a link"]);
    assert_eq!(files(&elsewhere), Vec::<PathBuf>::new());
}

pub fn is_root() -> bool {
    let is = rustix::process::getuid().is_root();
    if !is {
        missing("only root can be two users");
    }
    is
}

/// An event whose folders are open to all.
fn open_event(name: &str) -> Event {
    let event = six_and_nine(name, 4, "positions.numbers = [518]");
    fs::create_dir_all(event.results()).unwrap();
    open_to_all(event.folder());
    open_to_all(&event.results());
    event
}

fn open_to_all(folder: &Path) {
    fs::set_permissions(folder, PermissionsExt::from_mode(0o777)).unwrap();
}

#[test]
fn a_reader_cannot_stop_the_owner_by_a_lock() {
    if !can(Capability::LockHolders) || !is_root() {
        return;
    }
    let event = open_event("locked");
    // Whoever may read a folder can lock it; the file of the lock is its owner's alone.
    let mut reader = Command::new("flock");
    reader.arg("--exclusive").arg(event.results());
    reader.args(["sh", "-c", "echo held; read end"]);
    reader.uid(STRANGER).gid(STRANGER);
    let reader = reader.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut reader) = reader else {
        return missing("flock is not installed");
    };
    let mut held = [0; 5];
    std::io::Read::read_exact(reader.stdout.as_mut().unwrap(), &mut held).unwrap();
    event.run_well(&["--quiet"]);
    assert_eq!(games(&event).len(), 2);
    drop(reader.stdin.take());
    reader.wait().unwrap();
}

#[test]
fn results_are_not_written_to_the_folder_of_another_user() {
    if !can(Capability::LockHolders) || !is_root() {
        return;
    }
    let event = open_event("strangers");
    let mut command = event.command(&[]);
    command.uid(STRANGER).gid(STRANGER);
    let said = Run::spawn(command, &event).ends(4);
    assert_has(&said, ["belongs to another user"]);
    assert_eq!(files(&event.results()), Vec::<PathBuf>::new());
}

/// An event with an engine of its own in its folder, which has these keys.
fn own_engine(keys: &str) -> String {
    format!(
        "positions.numbers = [518]\nadjudication.max_moves = 4\n\
         [[engine]]\nname = \"Own\"\ncommand = \"./own\"\n{keys}\n{}",
        sparring("Sound", "time.depth = 1")
    )
}

/// The orders of a launcher, and what it would say if it failed, are for nobody else. An engine that finds them says
/// that it was not launched.
#[test]
fn an_engine_cannot_speak_for_its_launcher() {
    if !can(Capability::WaitEvidence) {
        return;
    }
    let own = own_engine("processes = 64\ntime.nodes = 100");
    let event = Event::new("token", &own);
    let commands = format!(
        "cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\\000' '\\n' >words\n\
         token=$(grep -o '\"token\":\"[0-9a-f]*' words | cut -d'\"' -f4 | head -n1)\n\
         if [ -n \"$token\" ]; then echo \"$token cannot run it\" >&2; exit 1; fi\n\
         exec {:?}",
        fake_engine()
    );
    script(&event.folder().join("own"), &commands);
    Run::start(&event, &["--quiet"]).ends(0);
    assert_eq!(games(&event).len(), 2);
}

/// It is started again as it was. How long its process takes to end, on a busy machine or by its own will, decides nothing.
#[test]
fn an_engine_that_deletes_itself_gains_nothing_by_living_on() {
    if !can(Capability::WaitEvidence) {
        return;
    }
    let event = Event::new("deleted", &own_engine("time.control = \"60+1\""));
    let commands = "while read -r word rest; do case \"$word\" in\n\
         uci) echo 'option name UCI_Chess960 type check default false'; echo uciok;;\n\
         isready) echo readyok;;\n\
         go) rm \"$0\"; exec sleep 600 >&- 2>&-;;\n\
         esac; done";
    script(&event.folder().join("own"), commands);
    let said = Run::start(&event, &["--quiet"]).ends(0);
    assert_eq!(reasons(&event), ["crash"; 2], "{said}");
}
