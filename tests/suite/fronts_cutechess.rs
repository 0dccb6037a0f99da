//! The program instead of cutechess-cli.

use std::fs;

use super::fronts_support::{after_three_kills, cutechess, exit, folder, stdout};
use super::support::{arbiter960, words};

#[test]
fn cutechess_lines_between_two_engines() {
    let folder = folder();
    let program = super::support::program();
    let engine = |name: &str, nodes: u32| {
        let program = program.display();
        format!("-engine cmd={program} arg=sparring name={name} tc=inf nodes={nodes} ")
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
    assert_eq!(pgn.matches("[Event \"?\"]\n").count(), 4);
    let wrong = arbiter960()
        .args(["cutechess", "-games", "x"])
        .output()
        .unwrap();
    assert_eq!(exit(&wrong), 1);
    let warning = "Warning: Invalid value for option \"-games\": \"x\"\n";
    assert_eq!(String::from_utf8_lossy(&wrong.stderr), warning);
}

/// A line of four engines, which plays 24 games.
fn four_engines(pgn: &str) -> String {
    let program = super::support::program();
    let engine = |(name, limit): (&str, &str)| {
        format!(
            "-engine cmd={} arg=sparring name={name} {limit} ",
            program.display()
        )
    };
    let engines = [
        ("A", "nodes=100"),
        ("B", "nodes=40"),
        ("C", "depth=1"),
        ("D", "nodes=70"),
    ];
    let engines: String = engines.into_iter().map(engine).collect();
    format!(
        "{engines}-each proto=uci tc=inf -openings file=book.epd format=epd order=random -srand 3 \
         -games 2 -rounds 2 -repeat -recover -maxmoves 15 -concurrency 2 -pgnout {pgn}"
    )
}

/// Table, outcomes and the end.
fn end(text: &str) -> String {
    text[text.find("Rank Name").unwrap()..].to_owned()
}

#[test]
fn four_engines_go_on_after_a_kill_and_end_as_if_nothing_had_happened() {
    let folder = folder();
    let undisturbed = cutechess(folder.path(), &four_engines("whole.pgn"))
        .output()
        .unwrap();
    assert_eq!(exit(&undisturbed), 0, "{}", words(&undisturbed));
    let killed = |attempt| format!("killed-{attempt}.pgn");
    let (last, attempt) =
        after_three_kills(|attempt| cutechess(folder.path(), &four_engines(&killed(attempt))));
    assert_eq!(end(&last), end(&stdout(&undisturbed)));
    // In the order of the games' numbers, without what depends on the clock.
    let read = |name: &str| {
        let pgn = fs::read_to_string(folder.path().join(name)).unwrap();
        let kept = |line: &&str| !line.starts_with("[Game") && !line.starts_with("[Date");
        let text: Vec<&str> = pgn.lines().filter(kept).collect();
        super::fronts_support::without_times(&text.join(" "))
    };
    assert_eq!(read(&killed(attempt)), read("whole.pgn"));
    assert_eq!(read("whole.pgn").matches("[Event ").count(), 24);
}
