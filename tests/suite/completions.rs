//! What a shell offers that asks the program how a command line can go on.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::support::{Event, arbiter960, sparring_engines, words};
use super::surfaces_agree::decide;

/// What a shell that completes gets for the last of these words.
fn completed(folder: &Path, line: &str) -> Vec<String> {
    let mut command = arbiter960();
    command
        .current_dir(folder)
        .env("ARBITER960_COMPLETE", "fish");
    let output = command.args(["--", "arbiter960"]).args(line.split(' '));
    let output = output.output().unwrap();
    assert!(output.status.success(), "{}", words(&output));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(str::to_owned).collect()
}

#[test]
fn completion_knows_engines_games_and_decisions_of_an_event() {
    let rules = format!(
        "event.format = \"swiss\"\npositions.all = true\nswiss.rounds = 1\nadjudication.max_moves = 2\n{}",
        sparring_engines(2)
    );
    let event = Event::new("event", &rules);
    event.run_well(&["--quiet"]);
    let late = "[[engine]]\nname = \"Late one\"\nbuiltin = \"sparring\"\ntime.nodes = 9\n";
    let file = fs::read_to_string(event.file()).unwrap();
    fs::write(event.file(), file + late).unwrap();
    decide(&event, &["result", "1.1.1", "1-0"]);
    let names = |line: &str| {
        let lines = completed(event.folder(), &format!("{line} ")).into_iter();
        let name = |line: String| line.split('\t').next().unwrap().to_owned();
        lines.map(name).collect::<Vec<_>>()
    };
    let folder = event.results();
    let folder = folder.strip_prefix(event.folder()).unwrap().display();
    for game in ["explain", "decide forfeit", "decide replay"] {
        let (command, act) = game.split_once(' ').unwrap_or((game, ""));
        let line = format!("{command} {folder} {act}").trim_end().to_owned();
        assert_eq!(names(&line), ["1.1.1", "1.1.2"], "{line}");
    }
    assert_eq!(names(&format!("decide {folder} withdraw")), ["E1", "E2"]);
    assert_eq!(names(&format!("decide {folder} add")), ["Late one"]);
    assert_eq!(names(&format!("decide {folder} undo")), ["1"]);
    decide(&event, &["undo", "1"]);
    let offered = names(&format!("decide {folder} undo"));
    assert!(
        !offered.contains(&"1".to_owned()),
        "none holds: {offered:?}"
    );
    decide(&event, &["result", "1.1.1", "1-0"]);
    let who = completed(
        event.folder(),
        &format!("decide {folder} forfeit 1.1.1 --loser E"),
    );
    assert_eq!(who, ["E1", "E2"]);
    let played = completed(event.folder(), &format!("explain {folder} 1.1.1"));
    assert!(
        played[0].ends_with("1-0"),
        "as the arbiter ruled: {played:?}"
    );
}

/// What bash itself offers for these words, with the script that the program prints.
fn in_bash(folder: &Path, line: &[&str]) -> String {
    let program = arbiter960().get_program().to_owned();
    let program = Path::new(&program).parent().unwrap().display().to_string();
    let script = "PATH=$1:$PATH; shift; source <(arbiter960 completions bash)
        COMP_WORDS=(arbiter960 \"$@\"); COMP_CWORD=$#; COMP_TYPE=9
        _clap_complete_arbiter960 arbiter960 \"${!#}\" \"\"
        printf '%s\\n' \"${COMPREPLY[@]}\"; complete -p arbiter960";
    let mut bash = Command::new("bash");
    bash.current_dir(folder)
        .args(["-c", script, "bash", &program]);
    String::from_utf8(bash.args(line).output().unwrap().stdout).unwrap()
}

#[test]
fn bash_offers_files_where_a_value_may_be_one() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("engine of mine"), "").unwrap();
    for line in [
        &["check", "eng"][..],
        &["match", "--engine", "eng"],
        &["match", "--openings", "eng"],
        &["positions", "--evaluate", "eng"],
        &["doctor", "--engine", "eng"],
    ] {
        let offered = in_bash(folder.path(), line);
        // Bash quotes the name, and completes files where nothing is offered.
        assert!(
            offered.starts_with("engine of mine\n"),
            "{line:?}: {offered}"
        );
        for rule in ["-o default", "-o filenames"] {
            assert!(offered.contains(rule), "{offered}");
        }
    }
}
