//! Debian's engines, and the run times of scripts, play in a sandbox with every wall of this machine.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::hostile_engines::can_be_shut_in;
use super::robust_support::{BOUND, Run, fake_engine, games, reasons};
use super::support::{Event, assert_has, engine, missing, script, sparring};

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
    if !can_be_shut_in() {
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
        let text = format!(
            "event.variant = \"standard\"\npositions.all = true\nadjudication.max_moves = 3\n\
             [[engine]]\nname = \"One\"\ncommand = {path:?}\nsandbox = true\n{more}\n{time}\n{}",
            sparring("Sound", "time.depth = 1")
        );
        let event = Event::new(name, &text);
        Run::start(&event, &["--quiet"]).ends_alone(0);
        assert_eq!(reasons(&event), ["length-adjudication"; 2], "{name}");
    }
}

#[test]
fn strict_says_which_wall_is_missing() {
    if !can_be_shut_in() {
        return;
    }
    let engines = sparring("One", "sandbox = \"strict\"") + &sparring("Two", "");
    let rules = "positions.numbers = [518]\nadjudication.max_moves = 2\ntime.depth = 1";
    let event = |name: &str| Event::new(name, &format!("{rules}\n{engines}"));
    let bare = event("bare");
    let said = Run::spawn(without_namespaces(&bare), &bare).ends(3);
    assert_has(&said, ["no namespaces"]);
    let whole = event("whole");
    let mut run = Run::start(&whole, &["--quiet"]);
    match run.end(BOUND).code() {
        Some(0) => assert_eq!(games(&whole).len(), 2),
        _ => missing(&format!("a machine with every wall ({})", run.words())),
    }
}

/// An engine that remembers how often it was started, in its folder and in a folder there.
const LEARNER: &str =
    "cat count learned/count >&2; echo started >>count; echo started >>learned/count
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
    if !can_be_shut_in() {
        return;
    }
    let event = |name: &str, keep: bool| {
        let text = format!(
            "event.variant = \"standard\"\npositions.all = true\nadjudication.max_moves = 1\n\
             time.depth = 1\n[[engine]]\nname = \"One\"\ncommand = \"home/one\"\n\
             directory = \"home\"\nsandbox = true\nsandbox_write = [\"home/learned\"]\n\
             sandbox_keep = {keep}\nrestart = true\n{}",
            sparring("Sound", "")
        );
        let event = Event::new(name, &text);
        let file = |name: &str| event.folder().join("home").join(name);
        fs::create_dir_all(file("learned")).unwrap();
        script(&file("one"), LEARNER);
        for name in ["count", "learned/count"] {
            fs::write(file(name), "").unwrap();
        }
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
    if !can_be_shut_in() {
        return;
    }
    let text = "positions.numbers = [518]\nadjudication.max_moves = 2\ntime.depth = 1\n\
                [[engine]]\nname = \"One\"\ncommand = \"/bin/cat\"\ndirectory = \"home\"\nsandbox = true\n\
                sandbox_keep = false\n";
    let event = Event::new("bare", &(text.to_owned() + &sparring("Two", "")));
    fs::create_dir(event.folder().join("home")).unwrap();
    let said = Run::spawn(without_namespaces(&event), &event).ends(3);
    assert_has(&said, ["cannot throw away what the engine writes"]);
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
const NEIGHBOUR: &str = "while read -r word rest; do case $word in
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
    if !can_be_shut_in() {
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
    for name in ["one", "two"] {
        script(&file(name), NEIGHBOUR);
    }
    fs::write(file("two.net"), "net").unwrap();
    let read = || ["one", "two", "two.net"].map(|name| fs::read_to_string(file(name)).unwrap());
    let before = read();
    let said = Run::start(&event, &["--quiet"]).ends(0);
    if said.contains("namespaces") {
        return missing("this system lets nobody make namespaces");
    }
    assert!(file("tried").exists(), "the folder is writable");
    assert_eq!(read(), before);
    assert_eq!(reasons(&event), ["length-adjudication"; 4]);
}
