//! Debian's engines, and the run times of scripts, play in a sandbox with every wall of this machine.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use super::hostile_engines::can_be_shut_in;
use super::platforms::can;
use super::robust_support::{BOUND, Run, fake_engine, games};
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
    ("sjaakii", "time = { depth = 1 }"),
    ("phalanx", "protocol = \"xboard\"\ntime = { depth = 2 }"),
    ("fairymax", "protocol = \"xboard\"\ntime = { depth = 2 }"),
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
                "event.variant = \"standard\"\npositions.all = true\nadjudication.max_moves = 3\n\
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
    let mut run = Run::spawn(without_namespaces(&bare), &bare);
    assert_eq!(run.end(BOUND).code(), Some(3), "{}", run.words());
    assert!(run.words().contains("no namespaces"), "{}", run.words());
    let whole = event("whole");
    let mut run = Run::start(&whole, &["--quiet"]);
    match run.end(BOUND).code() {
        Some(0) => assert_eq!(games(&whole).len(), 2),
        _ => missing(&format!("a machine with every wall ({})", run.words())),
    }
}

/// An engine that remembers how often it was started, in its folder and in a folder there.
const LEARNER: &str = "#!/bin/sh
cat count learned/count >&2; echo started >>count; echo started >>learned/count
while read -r word rest; do case $word in
  uci) echo 'option name UCI_Chess960 type check default false'; echo uciok ;;
  isready) echo readyok ;;
  position) case $rest in *' moves '*) move=e7e5 ;; *) move=e2e4 ;; esac ;;
  go) echo bestmove $move ;;
  quit) exit 0 ;;
esac; done
";

/// Three processes: one for the trial, one for each game.
#[test]
fn of_what_an_engine_learns_only_that_is_kept_which_the_event_names() {
    if !can(Capability::Sandbox) || !can_be_shut_in() {
        return;
    }
    let event = |name: &str, keep: bool| {
        let text = format!(
            "event.variant = \"standard\"\npositions.all = true\nadjudication.max_moves = 1\n\
             time.depth = 1\n[[engine]]\nname = \"One\"\ncommand = \"home/one\"\n\
             directory = \"home\"\nsandbox = true\nsandbox_write = [\"home/learned\"]\n\
             sandbox_keep = {keep}\nrestart = true\n\
             [[engine]]\nname = \"Sound\"\nbuiltin = \"sparring\"\n"
        );
        let event = Event::new(name, &text);
        let file = |name: &str| event.folder().join("home").join(name);
        fs::create_dir_all(file("learned")).unwrap();
        for (name, content) in [("one", LEARNER), ("count", ""), ("learned/count", "")] {
            fs::write(file(name), content).unwrap();
        }
        fs::set_permissions(file("one"), PermissionsExt::from_mode(0o755)).unwrap();
        event
    };
    for (name, keep) in [("kept", true), ("unkept", false)] {
        let event = event(name, keep);
        let mut run = Run::start(&event, &["--quiet"]);
        match run.end(BOUND).code() {
            Some(0) => {}
            Some(3) if run.words().contains("no namespaces") => {
                return missing("this system lets nobody make namespaces");
            }
            code => panic!("{code:?}: {}", run.words()),
        }
        let times = |file: &str| {
            let text = fs::read_to_string(event.folder().join("home").join(file));
            text.unwrap().lines().count()
        };
        let expected = if keep { [3, 3] } else { [0, 3] };
        assert_eq!([times("count"), times("learned/count")], expected, "{name}");
    }
}

/// What cannot be thrown away is not kept in secret: nothing is played.
#[test]
fn without_namespaces_nothing_is_played_by_an_engine_of_which_nothing_is_kept() {
    if !can(Capability::Sandbox) || !can_be_shut_in() {
        return;
    }
    let event = Event::new(
        "bare",
        "positions.numbers = [518]\nadjudication.max_moves = 2\ntime.depth = 1\n\
         [[engine]]\nname = \"One\"\ncommand = \"/bin/cat\"\ndirectory = \"home\"\nsandbox = true\n\
         sandbox_keep = false\n[[engine]]\nname = \"Two\"\nbuiltin = \"sparring\"\n",
    );
    fs::create_dir(event.folder().join("home")).unwrap();
    let mut run = Run::spawn(without_namespaces(&event), &event);
    assert_eq!(run.end(BOUND).code(), Some(3), "{}", run.words());
    let said = "cannot throw away what the engine writes";
    assert!(run.words().contains(said), "{}", run.words());
}

/// The command of a run on a machine on which no namespaces can be made.
fn without_namespaces(event: &Event) -> Command {
    let run = event.command(&[]);
    let mut command = Command::new(fake_engine());
    command.arg("without-namespaces").arg(run.get_program());
    command.args(run.get_args());
    command
}

/// An engine that makes the first move, and before it tries to change what lies in its folder.
const NEIGHBOUR: &str = "#!/bin/sh
while read -r word rest; do case $word in
  uci) echo 'option name UCI_Chess960 type check default false'
    echo 'option name Net type string default none'; echo uciok ;;
  isready) echo readyok ;;
  position) case $rest in *' moves '*) move=e7e5 ;; *) move=e2e4 ;; esac ;;
  go) case $0 in *one) net=two.net ;; esac
    for file in one two $net; do
      echo changed >new; rm -f $file; mv -f new $file; echo changed >$file; done 2>/dev/null
    echo tried >tried; echo bestmove $move ;;
  quit) exit 0 ;;
esac; done
";

#[test]
fn engines_that_share_a_folder_cannot_change_each_others_files() {
    if !can(Capability::Sandbox) || !can_be_shut_in() {
        return;
    }
    let engine = |name: &str, more: &str| {
        format!(
            "[[engine]]\nname = \"{name}\"\ncommand = \"shared/{name}\"\ndirectory = \"shared\"\n\
             sandbox = true\nrestart = true\n{more}\n"
        )
    };
    let text = format!(
        "event.variant = \"standard\"\nevent.pairs = 2\npositions.all = true\nadjudication.max_moves = 1\n\
         time.depth = 1\n{}{}",
        engine("one", ""),
        engine("two", "options = { Net = \"two.net\" }")
    );
    let event = Event::new("shared", &text);
    let file = |name: &str| event.folder().join("shared").join(name);
    fs::create_dir(event.folder().join("shared")).unwrap();
    for (name, content) in [("one", NEIGHBOUR), ("two", NEIGHBOUR), ("two.net", "net")] {
        fs::write(file(name), content).unwrap();
        fs::set_permissions(file(name), PermissionsExt::from_mode(0o755)).unwrap();
    }
    let mut run = Run::start(&event, &["--quiet"]);
    assert_eq!(run.end(BOUND).code(), Some(0), "{}", run.words());
    if run.words().contains("namespaces") {
        return missing("this system lets nobody make namespaces");
    }
    assert!(file("tried").exists(), "the folder is writable");
    for (name, content) in [("one", NEIGHBOUR), ("two", NEIGHBOUR), ("two.net", "net")] {
        assert_eq!(fs::read_to_string(file(name)).unwrap(), content, "{name}");
    }
    let reasons: Vec<String> = games(&event).into_iter().map(|game| game.reason).collect();
    assert_eq!(reasons, ["length-adjudication"; 4]);
}
