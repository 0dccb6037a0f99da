//! What a user meets in the first hour: options in the form of other programs, seeds, manual pages.

use std::path::Path;
use std::process::Output;

use super::support::{
    arbiter960, assert_described, assert_has, ends, json, table, tool, tool_ends, words,
};

/// Two strengths of the built-in engine, on drawn positions.
fn small_match(results: &Path, more: &[&str]) -> Output {
    let words = "match --engine builtin=sparring name=A option.Strength=1 --engine builtin=sparring name=B \
                 --each option.Hash=1 --depth 1 --positions sample:2 --max-moves 4";
    started(words, results, more)
}

/// The program with these words and a folder of results.
fn started(words: &str, results: &Path, more: &[&str]) -> Output {
    let mut command = arbiter960();
    command.args(words.split(' ')).arg("--results").arg(results);
    command.args(more).output().unwrap()
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
    let is_another = drawn(&afresh).is_some_and(|other| other != seed);
    assert!(is_another, "{}", words(&afresh));
    let named = small_match(folder.path(), &["--fresh", "--seed", "7"]);
    assert_eq!((named.status.code(), drawn(&named)), (Some(0), None));
}

/// An event that an SPRT decides at once: the built-in engine at two strengths.
fn tested(strengths: [&str; 2], results: &Path, more: &[&str]) -> Output {
    let [first, second] = strengths;
    let words = format!(
        "match --engine builtin=sparring name=A option.Strength={first} --engine builtin=sparring name=B \
         option.Strength={second} --depth 3 --positions all --seed 1 --max-moves 60 --resign moves=2 score=600 \
         both=false --host-faults count"
    );
    started(&words, results, more)
}

fn lines(output: &Output) -> Vec<serde_json::Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(json).collect()
}

#[test]
fn a_script_learns_the_verdict_also_of_an_event_that_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let verdict = |code: i32, strengths: [&str; 2], options: &str| {
        let options = Vec::from_iter(options.split(' '));
        let options = [&options[..], &["--exit-verdict"]].concat();
        let output = tested(strengths, folder.path(), &options);
        assert_eq!(output.status.code(), Some(code), "{}", words(&output));
        output
    };
    let (better, worse) = (["8", "1"], ["1", "8"]);
    let test = "--sprt elo0=0 elo1=100 model=logistic max_pairs=200";
    for _ in 0..2 {
        let lines = lines(&verdict(10, better, &format!("{test} --json")));
        assert_eq!(lines[0]["type"], "start");
        let end = lines.last().unwrap();
        assert_eq!([&end["type"], &end["verdict"]], ["end", "accepted"]);
        assert_eq!(end["complete"], true);
        assert_eq!(end["sprt"]["decision"], "accepted");
        lines.iter().for_each(assert_described);
    }
    // Out of range.
    verdict(2, better, "--sprt elo0=2000 elo1=2100");
    verdict(11, worse, &format!("{test} --name worse --quiet"));
    verdict(12, better, "--name other --sprt -1,0 max_pairs=2 --quiet");
    verdict(2, better, "--name none");
}

#[test]
fn games_are_written_where_and_as_they_are_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, epd) = (folder.path().join("own.pgn"), folder.path().join("own.epd"));
    let [pgn_text, epd_text] = [&pgn, &epd].map(|path| path.to_str().unwrap());
    let options = [
        "--pgn",
        pgn_text,
        "--pgn-comments",
        "depth,pv",
        "--epd-out",
        epd_text,
    ];
    let output = small_match(folder.path(), &options);
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert!(text.contains("{d=1") && text.contains("pv="), "{text}");
    assert!(!text.contains("%eval") && !text.contains("n="), "{text}");
    tool(&["verify", pgn_text]);
    let lines = std::fs::read_to_string(&epd).unwrap();
    assert_eq!(lines.lines().count(), text.matches("[Event ").count());
    let is_whole = |line: &str| line.contains(" id \"") && line.contains("c0 \"");
    assert!(lines.lines().all(is_whole), "{lines}");
    let results = folder.path().join("A vs B");
    let exported = |more: &[&str]| tool(&[&["export", results.to_str().unwrap()], more].concat());
    let whole = std::fs::read_to_string(results.join("games.pgn")).unwrap();
    assert_eq!(exported(&["--format", "pgn", "--counted"]), whole);
    let plain = exported(&["--format", "pgn", "--comments", "none"]);
    assert!(!plain.contains("%emt") && !plain.contains("{d="), "{plain}");
}

#[test]
fn wrong_words_are_explained() {
    for [line, advice] in table(
        "match -engine | write --engine
         match -sprt | write --sprt
         match -pgnout | is an option of another program
         match stockfish | match --engine stockfish --engine
         resume results/x | goes on by the command that began it
         pause results/x | `arbiter960 control results/x pause`",
    ) {
        let words = Vec::from_iter(line.split(' ').chain(["x"]));
        assert_has(&tool_ends(2, &words), [advice]);
    }
}

#[test]
fn the_language_of_event_files_is_printed() {
    let printed = |format: &str| tool(&["schema", "--format", format]);
    let schema = json(&printed("json"));
    let required = serde_json::json!(["event", "positions", "engine"]);
    assert_eq!(schema["required"], required);
    assert!(printed("markdown").starts_with("# The event file\n"));
    let folder = tempfile::tempdir().unwrap();
    tool(&["manual", "--output", folder.path().to_str().unwrap()]);
    let page = std::fs::read_to_string(folder.path().join("arbiter960-event.5")).unwrap();
    assert_has(&page, ["max_hours"]);
    assert_eq!(page, printed("manual"));
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
    for (text, planned) in [(book.to_vec(), 2), (zipped, 2), (game, 1)] {
        let mut command = arbiter960();
        let words = "match --engine builtin=sparring copies=2 --depth 1 --openings - --dry-run --seed 1 --results";
        command.args(words.split(' ')).arg(folder.path());
        let said = ends(0, command.stdin(super::support::pipe_of(&text)));
        assert_has(&said, [format!(": {planned} pair")]);
    }
}
