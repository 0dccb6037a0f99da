//! The words of the program as people read them: the help of every command, a small event from its
//! plan to its statistics, and the message about an event file that has changed. A change of words shows
//! as a difference of snapshots (`INSTA_UPDATE=always cargo test --test suite plain_words` takes it over).

use std::path::Path;
use std::process::Command;

use super::support::{arbiter960, missing};

const EVENT: &str = r#"
[event]
name = "small"
seed = 1
[positions]
numbers = [518, 0, 959]
[time]
depth = 2
[adjudication]
max_moves = 60
[[engine]]
name = "Nine"
builtin = "sparring"
options = { Strength = 9 }
[[engine]]
name = "Two"
builtin = "sparring"
options = { Strength = 2 }
"#;

/// The commands that a `--help` lists under its headings, except `help`.
fn listed(help: &str) -> Vec<String> {
    let lists = help.split("\nOptions:").next().unwrap();
    let names = lists.lines().filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// The output of a command, with its exit code if that is not 0.
fn said(mut command: Command) -> String {
    let output = command.env_remove("COLUMNS").output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let code = match output.status.code() {
        Some(0) => String::new(),
        Some(code) => format!("(exit code {code})\n"),
        None => "(ended by a signal)\n".to_owned(),
    };
    // On a slow machine the program prints its progress.
    let err = err
        .lines()
        .filter(|line| !line.starts_with("checking the stored games against"));
    let err: String = err.map(|line| format!("{line}\n")).collect();
    format!("{err}{out}{code}")
}

fn command(folder: &Path, words: &str) -> Command {
    let mut command = arbiter960();
    command.current_dir(folder).args(words.split(' '));
    command
}

/// The commands of a build with all features: what is handed out, and what CI tests.
#[test]
fn the_help_of_every_command() {
    if !cfg!(all(feature = "nats", feature = "parquet")) {
        return missing("the help of a build without the features nats and parquet lacks commands");
    }
    let folder = Path::new(".");
    let help = said(command(folder, "--help"));
    let mut left = listed(&help);
    assert!(left.iter().any(|name| name == "run"), "{help}");
    insta::assert_snapshot!("help", help);
    while let Some(name) = left.pop() {
        let text = said(command(folder, &format!("{name} --help")));
        let own = listed(&text).into_iter();
        left.extend(own.map(|sub| format!("{name} {sub}")));
        insta::assert_snapshot!(format!("help {name}").replace(' ', "_"), text);
    }
}

#[test]
fn an_event_from_its_plan_to_its_statistics() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    std::fs::write(place.join("small.toml"), EVENT).unwrap();
    let mut text = String::new();
    for words in [
        "run small.toml --dry-run",
        "run small.toml --quiet",
        "run small.toml",
        "status results/small",
        "stats results/small",
        "explain results/small",
        "run small.toml --pgn-comments none",
        "status results/none",
    ] {
        let shown = said(command(place, words));
        // How long the games took is not the same twice.
        text += &format!("$ arbiter960 {words}\n{shown}\n");
    }
    insta::assert_snapshot!("an_event", text);
}

#[test]
fn what_is_said_of_an_event_file_that_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let event = place.join("small.toml");
    std::fs::write(&event, EVENT).unwrap();
    said(command(place, "run small.toml --quiet --no-report"));
    let more = "[[engine]]\nname = \"Latecomer\"\nbuiltin = \"sparring\"\n";
    let changes = [
        EVENT.replace("depth = 2", "depth = 3"),
        EVENT.replace("\"Two\"", "\"Three\""),
        EVENT.replace("seed = 1", "seed = 2\nformat = \"round-robin\"") + more,
        EVENT.to_owned() + "[sprt]\nelo0 = 0\nelo1 = 5\n",
    ];
    let mut text = String::new();
    for changed in changes {
        std::fs::write(&event, changed).unwrap();
        text += &said(command(place, "run small.toml --quiet"));
        text += "\n";
    }
    insta::assert_snapshot!("a_changed_event_file", text);
}
