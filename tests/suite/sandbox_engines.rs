//! Debian's engines, and the run times of scripts, play in a sandbox with every wall of this machine.

use std::path::PathBuf;

use super::hostile_engines::can_be_shut_in;
use super::platforms::can;
use super::robust_support::{BOUND, Run, games};
use super::support::{Event, engine, missing};
use arbiter960::internal::platform::Capability;

/// The engines of the list of allowed system calls, with what they need.
const ENGINES: [(&str, &str); 9] = [
    ("stockfish", "options = { Threads = 2, Hash = 64 }"),
    ("ethereal-chess", "options = { Threads = 2, Hash = 64 }"),
    ("fairy-stockfish", "options = { Threads = 2 }"),
    ("glaurung", ""),
    ("toga2", ""),
    ("gnuchess", "args = [\"--uci\"]"),
    ("sjaakii", "time = { movetime = 0.2 }"),
    ("phalanx", "protocol = \"xboard\"\ntime = { movetime = 1 }"),
    ("fairymax", "protocol = \"xboard\"\ntime = { movetime = 1 }"),
];

#[test]
fn real_engines_play_within_every_wall() {
    if !can(Capability::Sandbox) || !can_be_shut_in() {
        return;
    }
    for (name, more) in ENGINES {
        let Some(path): Option<PathBuf> = engine(name) else {
            continue;
        };
        let time = match more.contains("time =") {
            true => "",
            false => "time = { depth = 4 }",
        };
        let event = Event::new(
            name,
            &format!(
                "[positions]\nvariant = \"standard\"\n[adjudication]\nmax_moves = 3\n\
                 [[engine]]\nname = \"One\"\ncommand = {path:?}\nsandbox = true\n{more}\n{time}\n\
                 [[engine]]\nname = \"Sound\"\nbuiltin = \"sparring\"\ntime = {{ depth = 1 }}\n"
            ),
        );
        let mut run = Run::start(&event, &["--quiet"]);
        let status = run.end(BOUND);
        assert_eq!(status.code(), Some(0), "{name}: {}", run.words());
        assert_eq!(run.survivors(), Vec::<String>::new(), "{name}");
        let reasons: Vec<String> = games(&event).into_iter().map(|game| game.reason).collect();
        assert_eq!(reasons, ["length-adjudication"; 2], "{name}");
    }
}

#[test]
fn strict_says_which_wall_is_missing() {
    if !can(Capability::Sandbox) || !can_be_shut_in() {
        return;
    }
    let event = |name: &str| {
        Event::new(
            name,
            "positions.numbers = [518]\nadjudication.max_moves = 2\ntime.depth = 1\n\
             [[engine]]\nname = \"One\"\nbuiltin = \"sparring\"\nsandbox = \"strict\"\n\
             [[engine]]\nname = \"Two\"\nbuiltin = \"sparring\"\n",
        )
    };
    let bare = event("bare");
    let mut command = std::process::Command::new(super::robust_support::fake_engine());
    command
        .arg("without-namespaces")
        .arg(bare.command(&[]).get_program());
    command.args(bare.command(&[]).get_args());
    let mut run = Run::spawn(command, &bare);
    assert_eq!(run.end(BOUND).code(), Some(3), "{}", run.words());
    assert!(run.words().contains("no namespaces"), "{}", run.words());
    let whole = event("whole");
    let mut run = Run::start(&whole, &["--quiet"]);
    match run.end(BOUND).code() {
        Some(0) => assert_eq!(games(&whole).len(), 2),
        _ => missing(&format!("a machine with every wall ({})", run.words())),
    }
}
