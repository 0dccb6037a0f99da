//! What a shell offers that asks the program how a command line can go on.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::support::{arbiter960, assert_has};

/// What bash itself offers for these words, with the script that the program prints.
fn in_bash(folder: &Path, line: &[&str]) -> String {
    let program = arbiter960().get_program().to_owned();
    let program = Path::new(&program).parent().unwrap().display().to_string();
    let script = "PATH=$1:$PATH; shift; source <(arbiter960 completions bash)
        COMP_WORDS=(arbiter960 \"$@\"); COMP_CWORD=$#; COMP_TYPE=9
        _clap_complete_arbiter960 arbiter960 \"${!#}\" \"\"
        printf '%s\\n' \"${COMPREPLY[@]}\"; complete -p arbiter960";
    let mut bash = Command::new("bash");
    bash.args(["-c", script, "bash", &program]);
    bash.current_dir(folder);
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
        let name = "engine of mine\n";
        assert!(offered.starts_with(name), "{line:?}: {offered}");
        assert_has(&offered, ["-o default", "-o filenames"]);
    }
}
