//! `arbiter960 init`: a first event file with the engines that are installed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tempfile::TempDir;

use super::robust_support::fake_engine;
use super::support::{arbiter960, assert_has, assert_lacks, ends, script, words};

/// In this folder, with no program on PATH and without a terminal for questions.
fn init(code: i32, folder: &Path, line: &str) -> String {
    let mut command = arbiter960();
    command
        .current_dir(folder)
        .arg("init")
        .args(line.split_whitespace());
    ends(code, command.env("PATH", "").stdin(Stdio::null()))
}

/// A folder with an empty one for engines.
fn with_engines() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let engines = folder.path().join("engines");
    fs::create_dir(&engines).unwrap();
    (folder, engines)
}

#[test]
fn engines_are_found_and_every_purpose_gives_a_file_that_runs() {
    let (folder, engines) = with_engines();
    let (folder, fake) = (folder.path(), fake_engine());
    symlink(&fake, engines.join("sound")).unwrap();
    script(&engines.join("no-engine"), "echo hello");
    let lies = format!("exec '{}' search=say:e2e5 at=1 game=0", fake.display());
    script(&engines.join("lies"), &lies);
    fs::write(engines.join("readme.txt"), "no program").unwrap();
    for (purpose, pairs) in [
        ("test", "pairs"),
        ("match", "50 pairs"),
        ("championship", "pairs"),
        ("experiment", "960 pairs"),
    ] {
        let line = format!("{purpose} --folder engines --timeout 8");
        let said = init(0, folder, &line);
        assert_has(&said, ["found    ", "engines/sound: "]);
        assert_lacks(&said, ["readme"]);
        for (name, why) in [("lies", "e2e5"), ("no-engine", "")] {
            let path = format!("/{name}: ");
            let mut left_out = said.split("\nleft out ").skip(1);
            let line = left_out.find(|part| part.contains(&path));
            assert!(
                line.is_some_and(|line| line.contains(why)),
                "{name}: {said}"
            );
        }
        let file = format!("{purpose}.toml");
        let mut plan = arbiter960();
        plan.current_dir(folder).args(["run", &file, "--dry-run"]);
        let planned = ends(0, &mut plan);
        assert_has(&planned, [pairs]);
        assert_lacks(&planned, ["warning"]);
        assert_has(&init(2, folder, purpose), ["is there already"]);
    }
}

/// An experiment is one engine with a limit of nodes: the first that obeys it.
#[test]
fn the_limit_that_the_file_gives_is_tried() {
    let (folder, engines) = with_engines();
    let fake = fake_engine();
    let ignores = format!("exec '{}' ignores-limits", fake.display());
    script(&engines.join("a-first"), &ignores);
    symlink(&fake, engines.join("b-second")).unwrap();
    let said = init(0, folder.path(), "experiment --folder engines");
    assert_has(&said, ["it does not obey its limit"]);
    let text = fs::read_to_string(folder.path().join("experiment.toml")).unwrap();
    let engine = |name: &str| text.contains(&format!("engines/{name}\""));
    assert!(!engine("a-first") && engine("b-second"), "{text}");
}

#[test]
fn an_engine_that_hangs_is_named_and_left_out() {
    let (folder, engines) = with_engines();
    script(&engines.join("hangs"), "read line; exec /bin/sleep 600");
    let options = "match --folder engines --timeout 1 --output m.toml";
    let said = init(0, folder.path(), options);
    assert_has(&said, ["engines/hangs: no answer within 1 s"]);
    // Where engines are missing the built-in one plays.
    assert!(folder.path().join("m.toml").is_file());
}

#[test]
fn without_a_terminal_the_purpose_must_be_named() {
    let folder = tempfile::tempdir().unwrap();
    let said = init(2, folder.path(), "");
    assert_has(&said, ["test|match|championship|experiment"]);
    init(2, folder.path(), "match --folder nowhere");
    assert!(!folder.path().join("match.toml").exists());
}

/// `arbiter960 completions zsh | head` ends quietly, as every command does whose output nobody reads.
#[test]
fn a_closed_pipe_is_no_error() {
    for line in [
        "completions zsh",
        "manual",
        "schema",
        "--help",
        "positions 518",
    ] {
        let mut command = arbiter960();
        command.args(line.split(' ')).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let said = words(&output);
        assert!(!said.contains("panicked"), "{line}: {said}");
        assert_eq!(output.status.code(), Some(0), "{line}: {said}");
    }
}
