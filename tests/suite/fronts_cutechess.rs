//! The program in the place of cutechess-cli.

use std::fs;

use super::fronts_support::{exit, folder, stdout};
use super::support::{arbiter960, words};

#[test]
fn cutechess_lines_between_two_engines() {
    let folder = folder();
    let program = assert_cmd::cargo::cargo_bin("arbiter960");
    let engine = |name: &str, nodes: u32| {
        let program = program.display();
        format!("-engine cmd={program} arg=sparring name={name} nodes={nodes} ")
    };
    let line = format!(
        "{}{}-each proto=uci -openings file=book.epd format=epd order=random -srand 5 -rounds 2 -games 2 \
         -repeat -recover -maxmoves 12 -pgnout out.pgn min -draw movenumber=40 movecount=4 score=10",
        engine("A", 120),
        engine("B", 60)
    );
    let mut command = arbiter960();
    command.current_dir(folder.path()).arg("cutechess");
    command.env("XDG_STATE_HOME", folder.path());
    let output = command
        .args(line.split_ascii_whitespace())
        .output()
        .unwrap();
    let said = stdout(&output);
    assert_eq!(exit(&output), 0, "{}", words(&output));
    let begins = "Indexing opening suite...\nStarted game 1 of 4 (A vs B)\n";
    assert!(said.starts_with(begins), "{said}");
    for (game, names) in [(1, "A vs B"), (2, "B vs A"), (3, "A vs B"), (4, "B vs A")] {
        let finished = said.find(&format!("Finished game {game} ({names}): "));
        let score = said[finished.unwrap()..].lines().nth(1).unwrap();
        assert!(score.starts_with("Score of A vs B: "), "{score}");
        assert!(score.ends_with(&format!("] {game}")), "{score}");
    }
    for expected in [
        "...      A playing White: ",
        "...      White vs Black: ",
        "Elo difference: ",
        "Player: B\n   \"",
    ] {
        assert!(said.contains(expected), "{expected} in {said}");
    }
    assert!(said.ends_with("Finished match\n"), "{said}");
    let pgn = fs::read_to_string(folder.path().join("out.pgn")).unwrap();
    assert_eq!(pgn.matches("[Event \"My Tournament\"]\n").count(), 4);
    let wrong = arbiter960()
        .args(["cutechess", "-games", "x"])
        .output()
        .unwrap();
    assert_eq!(exit(&wrong), 1);
    let warning = "Warning: Invalid value for option \"-games\": \"x\"\n";
    assert_eq!(String::from_utf8_lossy(&wrong.stderr), warning);
}
