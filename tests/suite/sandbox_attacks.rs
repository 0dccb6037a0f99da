//! Every attack of the fake engine (`tests/fake_engine/attack`) from inside a sandbox: as root, as
//! a user, and as both where no namespaces may be made. `attacks.txt` next to the attacks says what
//! is expected to be open, and why.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use arbiter960::internal::platform::Capability;

use super::hostile_engines::{can_be_shut_in, enforced};
use super::platforms::can;
use super::robust_doors::is_root;
use super::robust_support::{BOUND, Run, fake, fake_engine};
use super::support::{Event, arbiter960, missing, program, sparring};

/// A user of whom nothing else is on the machine.
const STRANGER: u32 = 60_960;

/// How the runner is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    /// The user; `None` for the user who runs the tests.
    user: Option<u32>,
    namespaces: bool,
    /// Whether what the engine writes is kept.
    keeps: bool,
}

/// As the tests are run, with every wall.
const WHOLE: Way = Way {
    user: None,
    namespaces: true,
    keeps: true,
};

/// Where no namespaces may be made.
const BARE: Way = Way {
    namespaces: false,
    ..WHOLE
};

/// The names of the attempts that may succeed, by the table, in the column of this way.
fn expected(way: Way) -> BTreeMap<String, bool> {
    let table = include_str!("../fake_engine/attack/attacks.txt").lines();
    let rows = table.filter(|line| !line.starts_with('#') && !line.is_empty());
    let column = if way.namespaces { 1 } else { 2 };
    let row = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        (fields[0].to_owned(), fields[column] == "open")
    };
    rows.map(row).collect()
}

/// The targets of the attacks, and their owner.
struct Targets {
    victim: Child,
    folder: tempfile::TempDir,
    name: String,
    _path: UnixListener,
    _abstract: UnixListener,
}

impl Targets {
    fn new(user: Option<u32>) -> Targets {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("secret"), "42\n").unwrap();
        fs::set_permissions(path("secret"), PermissionsExt::from_mode(0o600)).unwrap();
        fs::copy("/bin/true", path("program")).unwrap();
        fs::create_dir(path("empty")).unwrap();
        let listener = UnixListener::bind(path("socket")).unwrap();
        let name = format!("arbiter960-attack-{}", folder.path().display());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let mut victim = Command::new("sleep");
        victim.arg("600").stdin(Stdio::null());
        if let Some(user) = user {
            victim.uid(user).gid(user);
            for file in ["", "secret", "program", "empty", "socket"] {
                chown(path(file), Some(user), Some(user)).unwrap();
            }
        }
        Targets {
            victim: victim.spawn().unwrap(),
            name,
            _path: listener,
            _abstract: UnixListener::bind_addr(&address).unwrap(),
            folder,
        }
    }

    fn plan(&self) -> String {
        let folder = self.folder.path().display();
        format!(
            "victim={}\nfolder={folder}\nname={}\nuser={}",
            self.victim.id(),
            self.name,
            fs::metadata(self.folder.path()).unwrap().uid()
        )
    }

    /// Nothing of it has been touched.
    fn assert_whole(&mut self) {
        let ended = self.victim.try_wait().unwrap();
        assert_eq!(ended, None, "the victim has ended");
        let left = fs::read_dir(self.folder.path()).unwrap();
        let left = left.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let left: BTreeSet<String> = left.collect();
        assert!(
            left.iter().eq(["empty", "program", "secret", "socket"]),
            "{left:?}"
        );
        let secret = self.folder.path().join("secret");
        let mode = fs::metadata(&secret).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read(secret).unwrap(), b"42\n");
    }
}

impl Drop for Targets {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

/// Two games of the engine that attacks in its first move.
fn event(name: &str, keeps: bool) -> Event {
    let text = format!(
        "positions.numbers = [518]\nadjudication.max_moves = 2\n[[engine]]\nname = \"Fake\"\n{}\n\
         directory = \"home\"\ntime.nodes = 100\nsandbox = true\nsandbox_keep = {keeps}\n{}",
        fake(&["search=attack", "at=1"]),
        sparring("Sound", "time.depth = 1")
    );
    let event = Event::new(name, &text);
    fs::create_dir(event.folder().join("home")).unwrap();
    fs::create_dir(event.folder().join("results")).unwrap();
    event
}

/// The command of a run, started in this way.
fn command(event: &Event, way: Way) -> Command {
    let mut command = match way.namespaces {
        true => arbiter960(),
        false => {
            let mut wrapper = Command::new(fake_engine());
            wrapper.arg("without-namespaces").arg(program());
            wrapper
        }
    };
    command.args(event.command(&["--quiet", "--log-engines"]).get_args());
    if let Some(user) = way.user {
        command.uid(user).gid(user);
        for folder in ["", "home", "results", "event.toml"] {
            chown(event.folder().join(folder), Some(user), Some(user)).unwrap();
        }
    }
    command.env("PLANTED_TOKEN", "4711").env("HOME", "/root");
    command
}

/// How each attempt went, as the engine's log has it.
fn outcomes(log: &str) -> BTreeMap<String, bool> {
    let outcome = |line: &str| {
        let (_, rest) = line.split_once("info string attack ")?;
        let (name, how) = rest.split_once(' ')?;
        Some((name.to_owned(), how == "open"))
    };
    log.lines().filter_map(outcome).collect()
}

/// Runs the attacks in this way and holds them against the table.
fn attack(name: &str, way: Way) {
    if !can_be_shut_in() {
        return;
    }
    let mut targets = Targets::new(way.user);
    let event = event(name, way.keeps);
    let mut command = command(&event, way);
    command.env("LC_FAKE_ATTACK", targets.plan());
    // A file of the user's that is open when the runner is started, and inherited.
    let open = fs::File::open("/etc/passwd").unwrap();
    let planted = rustix::io::fcntl_dupfd_cloexec(&open, 60).unwrap();
    rustix::io::fcntl_setfd(&planted, rustix::io::FdFlags::empty()).unwrap();
    let mut run = Run::spawn(command, &event);
    let status = run.end(BOUND);
    assert_eq!(run.survivors(), Vec::<String>::new(), "left running");
    let log = event.results().join("log/engines/lane-1-Fake.uci");
    let log = fs::read_to_string(log).unwrap_or_default();
    assert_eq!(status.code(), Some(0), "{}\n{log}", run.words());
    let (outcomes, mut expected) = (outcomes(&log), expected(way));
    if way.user.is_some() || !rustix::process::getuid().is_root() {
        // Only root could become another user.
        expected.insert("another-user".to_owned(), false);
        // And only for root can it be one.
        expected.insert("be-the-user".to_owned(), true);
    }
    let differs = |(name, open): (&String, &bool)| {
        (expected.get(name) != Some(open)).then(|| format!("{name}: open is {open}"))
    };
    let differences: Vec<String> = outcomes.iter().filter_map(differs).collect();
    assert!(differences.is_empty(), "{differences:#?}\n{log}");
    assert_eq!(outcomes.len(), expected.len(), "{log}");
    targets.assert_whole();
    let left = fs::read_dir(event.folder().join("home")).unwrap().count();
    assert_eq!(left > 0, way.keeps, "{left} files");
}

#[test]
fn the_attacks_of_an_engine_in_a_sandbox() {
    if can(Capability::Sandbox) {
        attack("own", WHOLE);
    }
}

#[test]
fn the_same_where_nothing_is_kept_of_what_it_writes() {
    if !can_be_shut_in() {
        return;
    }
    if enforced().namespaces.is_some() {
        return missing("this system lets nobody make namespaces");
    }
    let mut way = WHOLE;
    way.keeps = false;
    attack("unkept", way);
    if is_root() {
        let user = Some(STRANGER);
        attack("user unkept", Way { user, ..way });
    }
}

#[test]
fn the_same_where_no_namespaces_may_be_made() {
    if can(Capability::Sandbox) {
        attack("own bare", BARE);
    }
}

#[test]
fn the_same_as_an_ordinary_user() {
    if can(Capability::Sandbox) && is_root() {
        let user = Some(STRANGER);
        attack("user", Way { user, ..WHOLE });
    }
}

#[test]
fn the_same_as_an_ordinary_user_where_no_namespaces_may_be_made() {
    if can(Capability::Sandbox) && is_root() {
        let user = Some(STRANGER);
        attack("user bare", Way { user, ..BARE });
    }
}
