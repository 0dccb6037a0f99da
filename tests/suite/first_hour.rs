//! What a user meets in the first hour: options in the form of other programs, seeds, manual pages.

use std::path::Path;
use std::process::Output;

use super::support::{arbiter960, assert_described, words};

/// Two strengths of the built-in engine, on drawn positions.
fn small_match(results: &Path, more: &[&str]) -> Output {
    arbiter960()
        .args([
            "match",
            "--engine",
            "builtin=sparring",
            "name=A",
            "option.Strength=1",
        ])
        .args([
            "--engine",
            "builtin=sparring",
            "name=B",
            "--each",
            "option.Hash=1",
        ])
        .args([
            "--depth",
            "1",
            "--positions",
            "sample:2",
            "--max-moves",
            "4",
        ])
        .arg("--results")
        .arg(results)
        .args(more)
        .output()
        .unwrap()
}

/// The number in front of some words.
fn drawn(output: &Output) -> Option<u64> {
    let said = words(output);
    let (_, rest) = said.split_once("no seed is given: ")?;
    rest.split(' ').next()?.parse().ok()
}

#[test]
fn a_seed_that_nobody_names_is_drawn_printed_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let first = small_match(folder.path(), &[]);
    assert_eq!(first.status.code(), Some(0), "{}", words(&first));
    let seed = drawn(&first).expect("a seed that was drawn");
    let stored = rusqlite::Connection::open(folder.path().join("A vs B/event.db")).unwrap();
    let sql = "SELECT value FROM event WHERE key = 'seed'";
    let kept: String = stored.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(kept, seed.to_string());
    let again = small_match(folder.path(), &[]);
    assert_eq!(again.status.code(), Some(0), "{}", words(&again));
    assert_eq!(drawn(&again), None, "the event has a seed");
    let afresh = small_match(folder.path(), &["--fresh"]);
    assert!(
        drawn(&afresh).is_some_and(|other| other != seed),
        "{}",
        words(&afresh)
    );
    let named = small_match(folder.path(), &["--fresh", "--seed", "7"]);
    assert_eq!((named.status.code(), drawn(&named)), (Some(0), None));
}

/// An event that an SPRT decides at once: the built-in engine at its best against its worst.
fn tested(results: &Path, more: &[&str]) -> Output {
    tested_at(["8", "1"], results, more)
}

fn tested_at(strengths: [&str; 2], results: &Path, more: &[&str]) -> Output {
    let [first, second] = strengths.map(|strength| format!("option.Strength={strength}"));
    arbiter960()
        .args(["match", "--engine", "builtin=sparring", "name=A", &first])
        .args(["--engine", "builtin=sparring", "name=B", &second])
        .args([
            "--depth",
            "3",
            "--positions",
            "all",
            "--seed",
            "1",
            "--max-moves",
            "60",
        ])
        .args([
            "--resign",
            "moves=2",
            "score=600",
            "both=false",
            "--host-faults",
            "count",
        ])
        .arg("--results")
        .arg(results)
        .args(more)
        .output()
        .unwrap()
}

fn lines(output: &Output) -> Vec<serde_json::Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

#[test]
fn a_script_learns_the_verdict_also_of_an_event_that_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let better = [
        "--sprt",
        "elo0=0",
        "elo1=100",
        "model=logistic",
        "max_pairs=200",
    ];
    let options = [&better[..], &["--json", "--exit-verdict"]].concat();
    for _ in 0..2 {
        let output = tested(folder.path(), &options);
        assert_eq!(output.status.code(), Some(10), "{}", words(&output));
        let lines = lines(&output);
        assert_eq!(lines[0]["type"], "start");
        let end = lines.last().unwrap();
        assert_eq!(
            (&end["type"], &end["verdict"]),
            (&"end".into(), &"accepted".into())
        );
        assert_eq!(end["complete"], true);
        assert_eq!(end["sprt"]["decision"], "accepted");
        lines.iter().for_each(assert_described);
    }
    let worse = ["--sprt", "elo0=2000", "elo1=2100"];
    let refused = tested(folder.path(), &[&worse[..], &["--exit-verdict"]].concat());
    assert_eq!(refused.status.code(), Some(2), "out of range");
    let rejected = [
        &better[..],
        &["--name", "worse", "--exit-verdict", "--quiet"],
    ]
    .concat();
    let rejected = tested_at(["1", "8"], folder.path(), &rejected);
    assert_eq!(rejected.status.code(), Some(11), "{}", words(&rejected));
    let other = ["--name", "other", "--sprt", "-1,0", "max_pairs=2"];
    let undecided = tested(
        folder.path(),
        &[&other[..], &["--exit-verdict", "--quiet"]].concat(),
    );
    assert_eq!(undecided.status.code(), Some(12), "{}", words(&undecided));
    let nothing = tested(folder.path(), &["--name", "none", "--exit-verdict"]);
    assert_eq!(nothing.status.code(), Some(2), "{}", words(&nothing));
}

#[test]
fn games_are_written_where_and_as_they_are_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, epd) = (folder.path().join("own.pgn"), folder.path().join("own.epd"));
    let [pgn_text, epd_text] = [&pgn, &epd].map(|path| path.to_str().unwrap());
    let output = small_match(
        folder.path(),
        &[
            "--pgn",
            pgn_text,
            "--pgn-comments",
            "depth,pv",
            "--epd-out",
            epd_text,
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert!(text.contains("{d=1") && text.contains("pv="), "{text}");
    assert!(!text.contains("%eval") && !text.contains("n="), "{text}");
    let verified = arbiter960().arg("verify").arg(&pgn).output().unwrap();
    assert!(verified.status.success(), "{}", words(&verified));
    let lines = std::fs::read_to_string(&epd).unwrap();
    assert_eq!(lines.lines().count(), text.matches("[Event ").count());
    assert!(
        lines
            .lines()
            .all(|line| line.contains(" id \"") && line.contains("c0 \"")),
        "{lines}"
    );
    let results = folder.path().join("A vs B");
    let exported = |more: &[&str]| {
        let output = arbiter960()
            .arg("export")
            .arg(&results)
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", words(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let whole = std::fs::read_to_string(results.join("games.pgn")).unwrap();
    assert_eq!(exported(&["--format", "pgn", "--counted"]), whole);
    let plain = exported(&["--format", "pgn", "--comments", "none"]);
    assert!(!plain.contains("%emt") && !plain.contains("{d="), "{plain}");
}

#[test]
fn wrong_words_are_explained() {
    for (command, word, advice) in [
        ("match", "-engine", "write --engine"),
        ("match", "-sprt", "write --sprt"),
        ("match", "-pgnout", "is an option of another program"),
        ("match", "stockfish", "match --engine stockfish --engine"),
        (
            "resume",
            "results/x",
            "goes on by the command that began it",
        ),
        ("pause", "results/x", "`arbiter960 control results/x pause`"),
    ] {
        let output = arbiter960().args([command, word, "x"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(words(&output).contains(advice), "{}", words(&output));
    }
}

#[test]
fn the_language_of_event_files_is_printed() {
    let printed = |format: &str| {
        let output = arbiter960()
            .args(["schema", "--format", format])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", words(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let schema: serde_json::Value = serde_json::from_str(&printed("json")).unwrap();
    assert_eq!(
        schema["required"],
        serde_json::json!(["event", "positions", "engine"])
    );
    assert!(printed("markdown").starts_with("# The event file\n"));
    let folder = tempfile::tempdir().unwrap();
    let output = arbiter960()
        .args(["manual", "--output"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", words(&output));
    let page = std::fs::read_to_string(folder.path().join("arbiter960-event.5")).unwrap();
    assert!(
        page.contains("max_hours") && page == printed("manual"),
        "{page}"
    );
}

#[test]
fn the_option_ponder_follows_from_the_key() {
    let folder = tempfile::tempdir().unwrap();
    for option in ["option.Ponder=true", "option.ponder=TRUE"] {
        let refused = small_match(folder.path(), &["--engine", "builtin=sparring", option]);
        assert_eq!(refused.status.code(), Some(2), "{}", words(&refused));
        let needed = "`Ponder` is true, and this engine does not think on its opponent's time";
        assert!(words(&refused).contains(needed), "{}", words(&refused));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_book_may_come_by_the_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let book = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\
        bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq -\n";
    let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut zipped, book).unwrap();
    let game = b"[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n".to_vec();
    let zipped = zipped.finish().unwrap();
    for (text, planned) in [
        (book.to_vec(), ": 2 pairs, "),
        (zipped, ": 2 pairs, "),
        (game, ": 1 pair, "),
    ] {
        let output = arbiter960()
            .args([
                "match",
                "--engine",
                "builtin=sparring",
                "copies=2",
                "--depth",
                "1",
            ])
            .args(["--openings", "-", "--dry-run", "--seed", "1", "--results"])
            .arg(folder.path())
            .stdin(super::support::pipe_of(&text))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", words(&output));
        assert!(words(&output).contains(planned), "{}", words(&output));
    }
}
