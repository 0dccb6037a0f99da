//! What runner and engines say to each other, as the fronts write it: `-log` of fastchess, `-debug` of
//! cutechess-cli.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::fronts_support::{cutechess, engines, exit, folder, front, stdout};

const GAMES: &str = "-rounds 1 -games 2 -maxmoves 6 -openings file=book.epd order=sequential";

/// What a command prints that ends well and has no complaint.
fn silent(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(
        (exit(&output), &*String::from_utf8_lossy(&output.stderr)),
        (0, "")
    );
    stdout(&output)
}

/// The lines of a log without their heads: the mark for the direction, and the words after the slot.
fn lines(folder: &Path, name: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(folder.join(name)).unwrap();
    text.lines().map(parts).collect()
}

/// `[Engine] [11:41:36.510375] <                   1>  A <--- isready` to `Engine 1` and the rest.
fn parts(line: &str) -> (String, String) {
    let (label, rest) = line.strip_prefix('[').unwrap().split_once("] [").unwrap();
    let (time, rest) = rest.split_once("] <").unwrap();
    let (slot, words) = rest.split_once("> ").unwrap();
    assert_eq!((label.len(), time.len(), slot.len()), (6, 15, 20), "{line}");
    let digits = time.chars().filter(char::is_ascii_digit).count();
    assert_eq!((digits, &time[8..9]), (12, "."), "{line}");
    let who = format!("{} {}", label.trim_end(), slot.trim_start());
    (who, words.to_owned())
}

#[test]
fn the_log_of_fastchess_has_every_line_that_was_said() {
    let folder = folder();
    let words = format!(
        "{} {GAMES} -each option.X=1 -show-latency -log file=all.log level=trace engine=true",
        engines()
    );
    let printed = silent(front(folder.path(), &words));
    let lines = lines(folder.path(), "all.log");
    let said = |who: &str, words: &str| {
        let same = |line: &&(String, String)| line.0 == who && line.1.starts_with(words);
        lines.iter().filter(same).count()
    };
    // The engines are tried at the start, in no slot, and play in the first.
    assert_eq!(said("Engine 0", " A <--- uci"), 1);
    let begun = said("Engine 1", " A <--- uci");
    assert_eq!(begun, 3, "uci and ucinewgame twice");
    let asked = said("Engine 1", " B <--- isready");
    assert_eq!(said("Engine 1", " B ---> readyok"), asked);
    let searches = ["A", "B"].map(|name| said("Engine 1", &format!(" {name} <--- go nodes")));
    assert!(searches.iter().all(|count| *count > 2), "{searches:?}");
    let moves = ["A", "B"].map(|name| said("Engine 1", &format!(" {name} ---> bestmove ")));
    assert_eq!(moves, searches);
    for name in ["A", "B"] {
        let warning = format!("Warning; {name} doesn't have option X");
        assert_eq!(said("WARN ", &format!("fastchess --- {warning}")), 2);
        assert_eq!(printed.matches(&warning).count(), 2);
    }
}

#[test]
fn the_log_begins_with_warnings_and_is_added_to() {
    let folder = folder();
    let run = |log: &str| {
        let words = format!(
            "{} {GAMES} -each option.X=1 -log file=w.log {log}",
            engines()
        );
        // fastchess is silent there, and callers fail on a standard error that is not empty.
        silent(front(folder.path(), &words));
        let lines = lines(folder.path(), "w.log");
        let is_warning = |line: &(String, String)| {
            line.0 == "WARN " && line.1.starts_with("fastchess --- Warning; ")
        };
        assert!(lines.iter().all(is_warning), "{lines:?}");
        lines.len()
    };
    let once = run("");
    assert!(once >= 4, "{once}");
    assert_eq!(run("append=true"), 2 * once);
    assert_eq!(run("append=false compress=true"), once);
}

#[test]
fn a_log_that_cannot_be_opened_is_named_and_the_games_are_played() {
    let folder = folder();
    let words = format!("{} {GAMES} -log file=none/there.log", engines());
    let output = front(folder.path(), &words).output().unwrap();
    assert_eq!(exit(&output), 0);
    let said = String::from_utf8_lossy(&output.stderr);
    let complaint = "Failed to open log file. none/there.log: ";
    assert!(said.starts_with(complaint), "{said}");
    assert!(stdout(&output).contains("Finished game 2 "));
}

/// As chess-tuning-tools knows a line of `-debug`.
fn is_debug(line: &str) -> bool {
    let rest = line.trim_start_matches(|digit: char| digit.is_ascii_digit());
    rest.len() < line.len() && (rest.starts_with(" <") || rest.starts_with(" >"))
}

#[test]
fn debug_of_cutechess_prints_what_is_said_between_whole_other_lines() {
    let folder = folder();
    let engines = engines().replace("args=", "proto=uci tc=inf arg=");
    let words =
        format!("{engines} {GAMES} -repeat").replace("file=book.epd", "file=book.epd format=epd");
    let run = |words: &str| silent(cutechess(folder.path(), words));
    let (plain, debug) = (run(&words), run(&format!("{words} -debug")));
    assert!(!plain.lines().any(is_debug));
    let others: Vec<&str> = debug.lines().filter(|line| !is_debug(line)).collect();
    assert_eq!(others, plain.lines().collect::<Vec<_>>());
    let words_of = |line: &'static str| {
        let all = debug.lines().filter(|line| is_debug(line));
        all.filter(move |said| said.contains(line)).count()
    };
    // The processes 0 and 1 belong to the trial at the start.
    assert_eq!([words_of(" >A(2): uci"), words_of(" >A(4): ")], [3, 0]);
    let searches = words_of(": go nodes");
    assert!(searches > 4, "{searches}");
    assert_eq!(words_of(": bestmove "), searches);
}

#[test]
fn wait_is_a_pause_between_the_games_of_a_slot() {
    let folder = folder();
    let kept = folder.path().join("kept");
    let words = format!("{} {GAMES} -wait 400", engines());
    let mut command = front(folder.path(), &words);
    command.env("ARBITER960_STORE", &kept);
    silent(command);
    let store = rusqlite::Connection::open(kept.join("event.db")).unwrap();
    let sql = "SELECT max(started_ms) - min(ended_ms) FROM games";
    let between: i64 = store.query_row(sql, [], |row| row.get(0)).unwrap();
    assert!(between >= 390, "{between} ms");
}
