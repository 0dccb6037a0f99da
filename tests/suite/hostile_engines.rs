//! Engines that attack: each attempt succeeds without a sandbox and is refused in one. Whatever an engine takes too
//! much of, the event continues, and no process is left.
//!
//! The fake engine receives its attempts in the environment, and reports the results; the runner records them with
//! `--log-engines`.

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;

use arbiter960::internal::engine::launcher::Enforced;

use super::platforms::can;
use super::robust_support::{BOUND, Run, assert_files_whole, fake, fake_engine, reasons};
use super::support::{Event, assert_has, assert_lacks, json, missing, sparring, tool, tool_ends};
use arbiter960::internal::platform::Capability;

/// Where the fake engine finds its plan.
const PLAN: &str = "LC_FAKE_RAID";

/// What this machine can enforce, as the runner finds it out.
pub fn enforced() -> Enforced {
    let asked = "doctor --json --seconds 0.2 --concurrency 1".split(' ');
    let value = json(&tool(&asked.collect::<Vec<_>>()));
    serde_json::from_value(value["sandbox"].clone()).unwrap()
}

/// Whether a whole sandbox can be had here; if not, the test is skipped.
pub fn can_be_shut_in() -> bool {
    if !can(Capability::Sandbox) {
        return false;
    }
    let enforced = enforced();
    let can = enforced.landlock >= 6 && enforced.system_calls.is_none();
    if !can {
        missing("this kernel has no Landlock 6 (Linux 6.12)");
    }
    can
}

/// Two games of the fake engine, in its own folder `home`, against the built-in one.
fn event(name: &str, words: &[&str], more: &str) -> Event {
    let text = format!(
        "positions.numbers = [518]\nadjudication.max_moves = 4\n\
         timeouts = {{ start = 5, ready = 5, newgame = 5, stall = 5 }}\n\
         [[engine]]\nname = \"Fake\"\n{}\ndirectory = \"home\"\ntime.nodes = 100\n{more}\n{}",
        fake(words),
        sparring("Sound", "time.depth = 1")
    );
    let event = Event::new(name, &text);
    fs::create_dir(event.folder().join("home")).unwrap();
    event
}

/// Plays the event to its end, with nothing left running; returns the output of the fake engine.
fn play(event: &Event, plan: &str) -> (Option<i32>, String) {
    let mut command = event.command(&["--quiet", "--log-engines"]);
    command.env(PLAN, plan);
    let mut run = Run::spawn(command, event);
    let status = run.end(BOUND);
    assert_eq!(run.survivors(), Vec::<String>::new(), "left running");
    eprintln!("{:?}: {}", run.age(), run.words());
    (status.code(), said(event))
}

/// The lines that the fake engine wrote in its lane.
fn said(event: &Event) -> String {
    let file = event.results().join("log/engines/lane-1-Fake.uci");
    fs::read_to_string(file).unwrap_or_default()
}

/// The attempts, and what they are made on: a secret of another, a socket of each kind,
/// a program, this process.
struct Targets {
    folder: tempfile::TempDir,
    plan: String,
    _tcp: TcpListener,
    _udp: UdpSocket,
    _unix: UnixListener,
}

const ATTEMPTS: [&str; 9] = [
    "read", "list", "write", "run", "remove", "tcp", "udp", "unix", "signal",
];

impl Targets {
    fn new() -> Targets {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        fs::write(path("secret"), "42\n").unwrap();
        fs::copy("/bin/true", path("program")).unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        let unix = UnixListener::bind(path("socket")).unwrap();
        let plan = [
            format!("read:{}", path("secret")),
            format!("list:{}", folder.path().display()),
            format!("write:{}", path("mine")),
            format!("run:{}", path("program")),
            format!("remove:{}", path("secret")),
            format!("tcp:{}", tcp.local_addr().unwrap().port()),
            format!("udp:{}", udp.local_addr().unwrap().port()),
            format!("unix:{}", path("socket")),
            format!("signal:{}", std::process::id()),
        ];
        Targets {
            plan: plan.join("\n"),
            folder,
            _tcp: tcp,
            _udp: udp,
            _unix: unix,
        }
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }
}

/// How each attempt went.
fn outcomes(said: &str) -> Vec<(&str, bool)> {
    let outcome = |line: &'_ str| {
        let (_, rest) = line.split_once("info string raid ")?;
        let (what, how) = rest.split_once(' ')?;
        let known = ATTEMPTS.into_iter().find(|known| *known == what)?;
        Some((known, how == "open"))
    };
    said.lines().filter_map(outcome).collect()
}

#[test]
fn without_a_sandbox_every_attempt_succeeds() {
    let targets = Targets::new();
    let event = event("open", &["search=raid", "at=1", "once"], "");
    let (code, said) = play(&event, &targets.plan);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(outcomes(&said), ATTEMPTS.map(|what| (what, true)), "{said}");
    assert!(targets.file("mine").exists() && !targets.file("secret").exists());
}

#[test]
fn in_a_sandbox_every_attempt_fails_and_the_game_goes_on() {
    if !can_be_shut_in() {
        return;
    }
    let targets = Targets::new();
    let event = event("shut", &["search=raid", "at=1"], "sandbox = true");
    let (code, said) = play(&event, &targets.plan);
    assert_eq!(code, Some(0), "{said}");
    let none = ATTEMPTS.map(|what| (what, false));
    assert_eq!(outcomes(&said), none, "{said}");
    assert!(!targets.file("mine").exists() && targets.file("secret").exists());
    assert_eq!(reasons(&event), ["length-adjudication"; 2]);
    assert_files_whole(&event);
}

#[test]
fn what_the_event_file_opens_is_open_and_no_more() {
    if !can_be_shut_in() {
        return;
    }
    let targets = Targets::new();
    let folder = targets.folder.path();
    let more = format!("sandbox = true\nsandbox_read = [{folder:?}]");
    let event = event("opened", &["search=raid", "at=1"], &more);
    let (_, said) = play(&event, &targets.plan);
    let open = |what| (what, ["read", "list", "run"].contains(&what));
    assert_eq!(outcomes(&said), ATTEMPTS.map(open), "{said}");
}

#[test]
fn its_own_folder_is_its_own() {
    if !can_be_shut_in() {
        return;
    }
    let event = event("home", &["search=raid", "at=1"], "sandbox = true");
    let notes = event.folder().join("home/notes").display().to_string();
    let plan = format!("write:{notes}\nread:{notes}\nremove:{notes}");
    let (_, said) = play(&event, &plan);
    let all = ["write", "read", "remove"].map(|what| (what, true));
    assert_eq!(outcomes(&said), all, "{said}");
}

/// The first fault in the store, as text.
pub fn fault(event: &Event) -> String {
    let store = event.store();
    let sql = "SELECT ifnull(faults, '') FROM play ORDER BY sequence LIMIT 1";
    store.query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_memory_hog_loses_for_it_and_the_event_goes_on() {
    if !can(Capability::MemoryLimit) {
        return;
    }
    let words = &["search=hog:400", "at=1", "once"];
    let event = event("hog", words, "memory_mib = 100");
    let (code, _) = play(&event, "");
    assert_eq!(code, Some(0));
    assert_eq!(reasons(&event), ["memory-limit", "length-adjudication"]);
    assert_has(&fault(&event), ["MiB of memory; memory_mib allows 100"]);
    assert_files_whole(&event);
}

#[test]
fn memory_within_the_limit_is_nobodys_business() {
    if !can(Capability::MemoryLimit) {
        return;
    }
    // 60 MiB in the first game: an engine that waits for ever stalls.
    let words = &["search=hog:60", "at=1", "once"];
    let event = event("frugal", words, "memory_mib = 200");
    play(&event, "");
    assert_eq!(reasons(&event), ["stall", "length-adjudication"]);
}

/// How many children the fake engine has made, by its own words.
pub fn children_of(said: &str) -> Option<u32> {
    let told = said
        .lines()
        .find_map(|line| line.split_once("raid children "));
    told.and_then(|(_, count)| count.parse().ok())
}

#[test]
fn a_fork_bomb_is_put_out() {
    if !can(Capability::MemoryLimit) {
        return;
    }
    let words = &["search=multiply:80", "at=1", "once"];
    let event = event("bomb", words, "processes = 16");
    let (code, said) = play(&event, "");
    assert_eq!(code, Some(0));
    let first = &reasons(&event)[0];
    // Root is held to it by the watch alone; for others the kernel counts as well.
    let children = children_of(&said);
    let refused = first == "stall" && children.is_some_and(|count| count < 16);
    assert!(refused || first == "process-limit", "{first}: {children:?}");
    assert_files_whole(&event);
}

#[test]
fn a_file_cannot_grow_beyond_its_limit() {
    let words = &["search=fill:64", "at=1", "once"];
    let event = event("fill", words, "file_size_mib = 2");
    play(&event, "");
    let filled = fs::metadata(event.folder().join("home/filling")).unwrap();
    assert_eq!(filled.len(), 2 << 20);
    assert_eq!(reasons(&event)[0], "crash");
    assert_has(&fault(&event), ["signal 25"]);
}

#[test]
fn niceness_and_processors_reach_the_engine() {
    if !can(Capability::Processors) {
        return;
    }
    let event = event("nice", &["search=limits", "at=1"], "nice = 7\ncpus = [0]");
    let (code, said) = play(&event, "");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("limits nice 7 cpus 0 leader true"), "{said}");
}

#[test]
fn each_lane_has_processors_of_its_own() {
    if !can(Capability::Processors) {
        return;
    }
    let there = std::thread::available_parallelism().unwrap().get();
    if there < 2 {
        return missing("this machine has one processor");
    }
    let text = format!(
        "event.concurrency = 2\nevent.cpus_per_lane = 1\npositions.numbers = [\"0-3\"]\n\
         adjudication.max_moves = 2\ntime.depth = 1\n[[engine]]\nname = \"Fake\"\n{}\n{}",
        fake(&["search=limits", "at=1"]),
        sparring("Sound", "")
    );
    let lanes = Event::new("lanes", &text);
    Run::start(&lanes, &["--quiet", "--log-engines"]).ends(0);
    let of = |lane: usize| {
        let file = format!("log/engines/lane-{lane}-Fake.uci");
        let text = fs::read_to_string(lanes.results().join(file)).unwrap();
        let (_, rest) = text.split_once("cpus ").expect("limits");
        rest.split(' ').next().unwrap().to_owned()
    };
    let (first, second) = (of(1), of(2));
    assert_lacks(&format!("{first} {second}"), [","]);
    assert_ne!(first, second);
}

#[test]
fn too_few_processors_are_said_before_the_first_game() {
    if !can(Capability::Processors) {
        return;
    }
    let event = event("few", &[], "");
    event.rewrite(|text| format!("event.cpus_per_lane = 1000\n{text}"));
    assert_has(&event.ends(2, &[]), ["take 1000 processors"]);
}

#[test]
fn what_the_launcher_cannot_do_is_its_own_failure() {
    if !can(Capability::Processors) {
        return;
    }
    // No machine has processor 1000.
    let event = event("thousand", &[], "cpus = [0, 1000]");
    let said = "it was not launched: cannot use the processors [0, 1000]";
    assert_has(&event.ends(3, &[]), [said]);
}

#[test]
fn a_program_that_cannot_be_run_is_told_from_one_that_fails() {
    let event = event("script", &[], "nice = 1");
    let broken = event.folder().join("broken");
    fs::write(&broken, "#!/no/such/interpreter\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&broken, mode).unwrap();
    let fake = format!("{:?}", fake_engine());
    event.rewrite(|text| text.replace(&fake, "\"./broken\""));
    assert_has(&event.ends(3, &[]), ["not launched: cannot run", "broken"]);
}

#[test]
fn orders_that_cannot_be_read_launch_nothing() {
    let mark = tempfile::tempdir().unwrap();
    let file = mark.path().join("launched");
    let touch = ["launch", "{}", "--", "touch", file.to_str().unwrap()];
    tool_ends(3, &touch);
    assert!(!file.exists());
}
