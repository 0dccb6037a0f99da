//! `arbiter960 init`: a first event file with the engines that are installed.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::robust_support::fake_engine;
use super::support::{arbiter960, words};

fn script(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// In this folder, with no program on PATH and without a terminal for questions.
fn init(folder: &Path, arguments: &[&str]) -> Output {
    let mut command: Command = arbiter960();
    command.current_dir(folder).arg("init").args(arguments);
    command.env("PATH", "").stdin(Stdio::null());
    command.output().unwrap()
}

#[test]
fn engines_are_found_and_every_purpose_gives_a_file_that_runs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engines = folder.join("engines");
    fs::create_dir(&engines).unwrap();
    let fake = fake_engine();
    symlink(&fake, engines.join("sound")).unwrap();
    script(&engines, "no-engine", "echo hello");
    let lies = format!("exec '{}' search=say:a2a4 at=1 game=0", fake.display());
    script(&engines, "lies", &lies.replace("a2a4", "e2e5"));
    fs::write(engines.join("readme.txt"), "no program").unwrap();
    for (purpose, pairs) in [
        ("test", "pairs"),
        ("match", "50 pairs"),
        ("championship", "pairs"),
        ("experiment", "960 pairs"),
    ] {
        let made = init(folder, &[purpose, "--folder", "engines", "--timeout", "8"]);
        let said = words(&made);
        assert_eq!(made.status.code(), Some(0), "{said}");
        let line = |name: &str| {
            let path = format!("/{name}: ");
            said.split("\nleft out ")
                .find(|part| part.contains(&path))
                .unwrap_or_default()
        };
        assert!(
            said.contains("found    ") && said.contains("engines/sound: "),
            "{said}"
        );
        assert!(line("lies").contains("e2e5"), "{said}");
        assert!(
            !line("no-engine").is_empty() && !said.contains("readme"),
            "{said}"
        );
        let file = format!("{purpose}.toml");
        let plan = arbiter960()
            .current_dir(folder)
            .args(["run", &file, "--dry-run"])
            .output()
            .unwrap();
        let planned = words(&plan);
        assert_eq!(plan.status.code(), Some(0), "{planned}");
        assert!(
            planned.contains(pairs) && !planned.contains("warning"),
            "{planned}"
        );
        let again = init(folder, &[purpose]);
        assert_eq!(again.status.code(), Some(2));
        assert!(
            words(&again).contains("is there already"),
            "{}",
            words(&again)
        );
    }
}

/// An experiment is one engine with a limit of nodes: the first that obeys it.
#[test]
fn the_limit_that_the_file_gives_is_tried() {
    let folder = tempfile::tempdir().unwrap();
    let engines = folder.path().join("engines");
    fs::create_dir(&engines).unwrap();
    let fake = fake_engine();
    let ignores = format!("exec '{}' ignores-limits", fake.display());
    script(&engines, "a-first", &ignores);
    symlink(&fake, engines.join("b-second")).unwrap();
    let made = init(folder.path(), &["experiment", "--folder", "engines"]);
    let said = words(&made);
    assert_eq!(made.status.code(), Some(0), "{said}");
    assert!(said.contains("it does not obey its limit"), "{said}");
    let text = fs::read_to_string(folder.path().join("experiment.toml")).unwrap();
    let engine = |name: &str| text.contains(&format!("engines/{name}\""));
    assert!(!engine("a-first") && engine("b-second"), "{text}");
}

#[test]
fn an_engine_that_hangs_is_named_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let engines = folder.path().join("engines");
    fs::create_dir(&engines).unwrap();
    script(&engines, "hangs", "read line; exec /bin/sleep 600");
    let options = [
        "match",
        "--folder",
        "engines",
        "--timeout",
        "1",
        "--output",
        "m.toml",
    ];
    let made = init(folder.path(), &options);
    let said = words(&made);
    assert_eq!(made.status.code(), Some(0), "{said}");
    assert!(
        said.contains("engines/hangs: no answer within 1 s"),
        "{said}"
    );
    // Where engines are missing the built-in one plays.
    assert!(folder.path().join("m.toml").is_file());
}

#[test]
fn without_a_terminal_the_purpose_must_be_named() {
    let folder = tempfile::tempdir().unwrap();
    let refused = init(folder.path(), &[]);
    assert_eq!(refused.status.code(), Some(2), "{}", words(&refused));
    let said = words(&refused);
    assert!(
        said.contains("test|match|championship|experiment"),
        "{said}"
    );
    let nowhere = init(folder.path(), &["match", "--folder", "nowhere"]);
    assert_eq!(nowhere.status.code(), Some(2), "{}", words(&nowhere));
    assert!(!folder.path().join("match.toml").exists());
}

/// `arbiter960 completions zsh | head` ends quietly, as every command does whose output nobody reads.
#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in [
        &["completions", "zsh"][..],
        &["manual"],
        &["schema"],
        &["--help"],
        &["positions", "518"],
    ] {
        let mut command = arbiter960();
        command
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let said = words(&output);
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    }
}
