//! What may change when an event is resumed, and what may not.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use arbiter960::config::{Overrides, load};
use serde_json::Value;

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
options = { EvalFile = "net.bin" }
[[engine]]
builtin = "sparring"
options = { Strength = 2 }
"#;

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a temporary file");
}

fn identity(folder: &Path, event: &str) -> Value {
    write(folder, "event.toml", event);
    let loaded = load(&folder.join("event.toml"), Overrides::default());
    let (tournament, _) = loaded.unwrap_or_else(|errors| panic!("{errors}"));
    tournament.identity().expect("files that are there")
}

fn folder_with_an_engine() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), "engine.sh", "#!/bin/sh\nexec ./real\n");
    write(folder.path(), "net.bin", "weights");
    write(folder.path(), "real", "first build");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path().join("engine.sh"), executable)
        .expect("a file of our own");
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
        assert_ne!(
            first,
            identity(folder.path(), &EVENT.replace(from, to)),
            "{to}"
        );
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
