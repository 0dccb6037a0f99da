//! What may change when an event is resumed, and what may not.

use std::path::Path;

use arbiter960::internal::config::{Overrides, Tournament, load};
use arbiter960::internal::engine::originals::Originals;
use arbiter960::internal::event::identity::EventIdentity;

use super::support::script;

const EVENT: &str = r#"
[event]
name = "identity"
concurrency = 1
[positions]
numbers = [1, 2, 3]
[time]
nodes = 100
[timeouts]
start = 5
[[engine]]
name = "script"
command = "./engine.sh"
files = ["./real"]
options = { EvalFile = "net.bin" }
[[engine]]
builtin = "sparring"
options = { Strength = 2 }
"#;

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a temporary file");
}

fn loaded(folder: &Path, event: &str) -> Tournament {
    write(folder, "event.toml", event);
    let loaded = load(&folder.join("event.toml"), Overrides::default());
    loaded.unwrap_or_else(|errors| panic!("{errors}")).0
}

fn identity(folder: &Path, event: &str) -> EventIdentity {
    let identity = loaded(folder, event).identity();
    identity.expect("files that are there")
}

fn folder_with_an_engine() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    script(&folder.path().join("engine.sh"), "exec ./real");
    write(folder.path(), "net.bin", "weights");
    write(folder.path(), "real", "first build");
    folder
}

#[test]
fn a_folder_may_be_moved_and_the_machine_may_change() {
    let (here, there) = (folder_with_an_engine(), folder_with_an_engine());
    let first = identity(here.path(), EVENT);
    assert_eq!(first, identity(there.path(), EVENT));
    let faster = EVENT
        .replace("concurrency = 1", "concurrency = 8")
        .replace("start = 5", "start = 60");
    assert_eq!(first, identity(here.path(), &faster));
}

#[test]
fn what_decides_a_game_may_not_change() {
    let folder = folder_with_an_engine();
    let first = identity(folder.path(), EVENT);
    for (from, to) in [
        ("[1, 2, 3]", "[1, 2, 4]"),
        ("nodes = 100", "nodes = 101"),
        ("Strength = 2", "Strength = 3"),
        ("name = \"script\"", "name = \"other\""),
        ("concurrency = 1", "seed = 1"),
        ("concurrency = 1", "pairs = 2"),
        ("[timeouts]", "[adjudication]\nmax_moves = 5\n[timeouts]"),
    ] {
        let other = identity(folder.path(), &EVENT.replace(from, to));
        assert_ne!(first, other, "{to}");
    }
}

#[test]
fn every_file_behind_an_engine_counts() {
    let folder = folder_with_an_engine();
    let mut last = identity(folder.path(), EVENT);
    for (file, text) in [
        ("engine.sh", "#!/bin/sh\nexec ./real -v\n"),
        ("real", "second build"),
        ("net.bin", "other weights"),
    ] {
        write(folder.path(), file, text);
        let now = identity(folder.path(), EVENT);
        assert_ne!(last, now, "{file}");
        last = now;
    }
}

/// Two engines with a network of the same name, each next to its own program.
#[test]
fn a_file_belongs_to_the_engine_that_names_it() {
    let folder = folder_with_an_engine();
    for name in ["a", "b"] {
        let place = folder.path().join(name);
        std::fs::create_dir(&place).unwrap();
        script(&place.join("engine.sh"), "exit 0");
        write(&place, "net.nnue", name);
    }
    let engine = |place: &str| {
        format!(
            "[[engine]]\nname = \"{place}\"\ncommand = \"./{place}/engine.sh\"\ndirectory = \"{place}\"\n\
             options = {{ EvalFile = \"net.nnue\" }}\n"
        )
    };
    let start = "[event]\nname = \"two\"\n[positions]\nnumbers = [1]\n[time]\nnodes = 1\n";
    let text = start.to_owned() + &engine("a") + &engine("b");
    let first = identity(folder.path(), &text);
    assert_eq!(first.files.len(), 2);
    let tournament = loaded(folder.path(), &text);
    let originals = Originals::new(&tournament, &first);
    write(folder.path(), "a/net.nnue", "trained further");
    assert_eq!(originals.all_replaced(0).count(), 1);
    assert_eq!(originals.all_replaced(1).count(), 0);
    let now = identity(folder.path(), &text);
    assert!(!now.same_engine(0, &first, 0) && now.same_engine(1, &first, 1));
}

#[test]
fn what_changes_by_nature_is_no_part_of_an_engine() {
    let folder = folder_with_an_engine();
    let files = ["debug.log", "experience.bin", "learned.bin"];
    for file in files {
        write(folder.path(), file, "first");
    }
    let text = EVENT.replace(
        "EvalFile = \"net.bin\" }",
        "EvalFile = \"net.bin\", Learn = \"learned.bin\" }\n\
         args = [\"--log=debug.log\", \"experience.bin\", \"/proc/cpuinfo\"]\n\
         volatile_files = [\"learned.bin\", \"experience.bin\", \"debug.log\"]",
    );
    let first = identity(folder.path(), &text);
    let mut volatile: Vec<&str> = first.volatile_files().into_iter().collect();
    volatile.sort_unstable();
    let expected = [
        "/proc/cpuinfo",
        "debug.log",
        "experience.bin",
        "learned.bin",
    ];
    assert_eq!(volatile, expected);
    for file in files {
        write(folder.path(), file, "another run");
        assert_eq!(first, identity(folder.path(), &text), "{file}");
    }
    write(folder.path(), "net.bin", "other weights");
    assert_ne!(first, identity(folder.path(), &text));
}
