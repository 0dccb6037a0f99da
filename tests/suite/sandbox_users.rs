//! Each process of an engine in a sandbox is a user of its own, if root starts the run.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;

use arbiter960::internal::platform::Capability;

use super::hostile_engines::{can_be_shut_in, enforced};
use super::platforms::can;
use super::robust_support::{Run, games, reasons};
use super::support::{Event, assert_has, missing};

/// An engine that says who it is outside its namespaces, and writes how often it was started into a file of root's.
const SELF_AWARE: &str = "#!/bin/sh
read -r inside outside count </proc/self/uid_map
echo \"info string user $outside\"; echo started >>learned
while read -r word rest; do case $word in
  uci) echo 'option name UCI_Chess960 type check default false'; echo uciok ;;
  isready) echo readyok ;;
  position) case $rest in *' moves '*) move=e7e5 ;; *) move=e2e4 ;; esac ;;
  go) echo bestmove $move ;;
  quit) exit 0 ;;
esac; done
";

/// Two games at once of two such engines, each with its program in a folder that only root may enter.
fn event(name: &str, sandbox: &str) -> Event {
    let engine = |name: &str| {
        format!(
            "[[engine]]\nname = \"{name}\"\ncommand = \"{name}/{name}\"\ndirectory = \"{name}\"\n\
             sandbox = {sandbox}\nrestart = true\n"
        )
    };
    let text = format!(
        "event.variant = \"standard\"\nevent.concurrency = 2\nevent.pairs = 2\npositions.all = true\n\
         adjudication.max_moves = 1\ntime.depth = 1\n{}{}",
        engine("one"),
        engine("two")
    );
    let event = Event::new(name, &text);
    for name in ["one", "two"] {
        let folder = event.folder().join(name);
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, PermissionsExt::from_mode(0o700)).unwrap();
        for (file, content, mode) in [(name, SELF_AWARE, 0o700), ("learned", "", 0o600)] {
            fs::write(folder.join(file), content).unwrap();
            fs::set_permissions(folder.join(file), PermissionsExt::from_mode(mode)).unwrap();
        }
    }
    event
}

/// Whether engines can have users of their own here; if not, the test is skipped.
fn can_have_users() -> bool {
    if !can(Capability::Sandbox) || !can_be_shut_in() {
        return false;
    }
    let why = enforced().user;
    if let Some(why) = &why {
        missing(&format!("engines can have no users of their own ({why})"));
    }
    why.is_none()
}

#[test]
fn every_process_of_an_engine_is_a_user_of_its_own_and_its_files_stay_the_runners() {
    if !can_have_users() {
        return;
    }
    let event = event("users", "\"strict\"");
    Run::start(&event, &["--quiet", "--log-engines"]).ends_alone(0);
    assert_eq!(reasons(&event), ["length-adjudication"; 4]);
    let logs = fs::read_dir(event.results().join("log/engines")).unwrap();
    let logs = logs.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let logs: String = logs.collect();
    let users = logs
        .lines()
        .filter_map(|line| line.split_once("info string user "));
    let users: Vec<u32> = users.map(|(_, user)| user.parse().unwrap()).collect();
    // One process for the trial, and one for each game.
    assert_eq!(users.len(), 10, "{users:?}");
    let different: BTreeSet<u32> = users.iter().copied().collect();
    assert_eq!(different.len(), 10, "{users:?}");
    let is_own = |user: &u32| (1_960_000_000..1_964_194_304).contains(user);
    assert!(different.iter().all(is_own));
    for name in ["one", "two"] {
        let learned = event.folder().join(name).join("learned");
        assert_eq!(fs::metadata(&learned).unwrap().uid(), 0, "root's");
        assert_eq!(fs::read_to_string(&learned).unwrap().lines().count(), 5);
    }
}

/// Not every file system can show its files as another user's.
#[test]
fn a_user_that_is_missing_for_one_engine_is_named_for_it_alone() {
    if !can_have_users() {
        return;
    }
    let event = event("unshown", "true");
    let more = "sandbox = true\nsandbox_read = [\"/sys/kernel/mm\"]";
    event.rewrite(|text| text.replacen("sandbox = true", more, 1));
    let words = Run::start(&event, &[]).ends(0);
    assert_eq!(games(&event).len(), 4);
    let said = words
        .lines()
        .filter(|line| line.contains("the runner's user"));
    let said: Vec<&str> = said.collect();
    assert_eq!(said.len(), 1, "{words}");
    let parts = [
        "the sandbox of \"one\"",
        "the owners of /sys/kernel/mm cannot",
    ];
    assert_has(said[0], parts);
}

#[test]
fn an_ordinary_user_is_told_that_engines_have_its_own_and_strict_refuses() {
    if !can_have_users() {
        return;
    }
    const STRANGER: u32 = 60_961;
    for (sandbox, code) in [("true", 0), ("\"strict\"", 3)] {
        let event = event("ordinary", sandbox);
        fs::create_dir(event.folder().join("results")).unwrap();
        let mut owned = vec![event.folder().to_path_buf()];
        while let Some(path) = owned.pop() {
            chown(&path, Some(STRANGER), Some(STRANGER)).unwrap();
            if path.is_dir() {
                let entries = fs::read_dir(path).unwrap();
                owned.extend(entries.map(|entry| entry.unwrap().path()));
            }
        }
        let mut command = event.command(&[]);
        command.uid(STRANGER).gid(STRANGER);
        let said = Run::spawn(command, &event).ends(code);
        assert_has(&said, ["it has the runner's user: only root"]);
    }
}
