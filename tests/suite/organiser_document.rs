//! docs/organiser.md: its commands, in their order, print what it says.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::support::{program, words};

/// A command of the document, and what it prints there.
struct Step<'a> {
    command: &'a str,
    printed: Vec<&'a str>,
}

fn steps(document: &str) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    for block in document.split("```console\n").skip(1) {
        for line in block.split("\n```").next().unwrap().lines() {
            match line.strip_prefix("$ ") {
                Some(command) => steps.push(Step {
                    command,
                    printed: Vec::new(),
                }),
                None => steps.last_mut().unwrap().printed.push(line),
            }
        }
    }
    steps
}

/// Without moments, and without the time that something took.
fn comparable(line: &str) -> String {
    let timed = line.contains(" UTC") || line.contains(" seconds ");
    let digit = |character: char| match character {
        '0'..='9' if timed => '#',
        other => other,
    };
    line.trim_end().chars().map(digit).collect()
}

/// Whether the lines stand in the output in their order: without a gap, but where `…` marks one.
fn assert_printed(step: &Step<'_>, output: &str) {
    let lines: Vec<String> = output.lines().map(comparable).collect();
    let mut from = 0;
    let mut may_skip = false;
    for wanted in &step.printed {
        if *wanted == "…" {
            may_skip = true;
            continue;
        }
        let wanted = comparable(wanted);
        let found = lines[from..].iter().position(|line| *line == wanted);
        let found = found.filter(|gap| may_skip || *gap == 0);
        let gap = found
            .unwrap_or_else(|| panic!("$ {}\n{output}\nhas no line here: {wanted}", step.command));
        from += gap + 1;
        may_skip = false;
    }
    let is_all = may_skip || from == lines.len();
    assert!(is_all, "$ {}\n{output}", step.command);
}

#[test]
fn the_season_of_the_document_is_played_as_it_says() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = fs::read_to_string(own.join("docs/organiser.md")).unwrap();
    let file = fs::read_to_string(own.join("configs/seasons/mainz.toml")).unwrap();
    let quoted = document.split("```toml\n").nth(1).unwrap();
    let quoted = quoted.split("\n```").next().unwrap();
    for part in quoted.split("\n\n") {
        assert!(file.contains(part), "not in the file: {part}");
    }
    let folder = tempfile::tempdir().unwrap();
    let seasons = folder.path().join("configs/seasons");
    fs::create_dir_all(&seasons).unwrap();
    fs::write(seasons.join("mainz.toml"), file).unwrap();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program().parent().unwrap().display());
    let steps = steps(&document);
    let plays =
        |step: &Step<'_>| step.command == "arbiter960 run configs/seasons/mainz.toml --quiet";
    assert!(steps.iter().any(plays), "the season is played");
    for step in &steps {
        let mut bash = Command::new("bash");
        bash.args(["-c", step.command]).current_dir(folder.path());
        let output = bash.env("PATH", &path).output().unwrap();
        assert!(
            output.status.success(),
            "$ {}\n{}",
            step.command,
            words(&output)
        );
        assert_printed(step, &String::from_utf8(output.stdout).unwrap());
    }
}
