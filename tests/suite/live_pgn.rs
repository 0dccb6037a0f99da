//! `live.pgn`: a broadcast that looks again and again never sees half a file, nor a game go backwards.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use super::data_document::python;
use super::support::{Event, engine, pause, tool};

/// Two lanes, with a book in which king and rook change places.
const EVENT: &str = r#"
event.concurrency = 2
positions.file = "book.pgn"
time.control = "20+0.1"
adjudication.max_moves = 200
[[engine]]
name = "Six"
builtin = "sparring"
options = { Strength = 6 }
[[engine]]
name = "Seven"
builtin = "sparring"
options = { Strength = 7 }
"#;

const BOOK: &str = "[Event \"?\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
    [FEN \"rbbnqkrn/pppppppp/8/8/8/8/PPPPPPPP/RBBNQKRN w GAga - 0 1\"]\n\n1. O-O O-O *\n\n\
    [Event \"?\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
    [FEN \"bbrkqrnn/pppppppp/8/8/8/8/PPPPPPPP/BBRKQRNN w FCfc - 0 1\"]\n\n*\n";

fn event() -> Event {
    let event = Event::new("broadcast", EVENT);
    fs::write(event.folder().join("book.pgn"), BOOK).unwrap();
    event
}

/// A game as a reader of the file sees it.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    tags: String,
    moves: Vec<String>,
    /// Moves with a clock, and with an evaluation.
    comments: [usize; 2],
    result: String,
}

/// The games of a version of the file by round.
fn seen(text: &str) -> BTreeMap<String, Seen> {
    let mut games = BTreeMap::new();
    assert!(
        text.is_empty() || text.ends_with("\n\n"),
        "half a file: {text}"
    );
    let mut parts = text.split("\n\n");
    while let (Some(tags), Some(moves)) = (parts.next(), parts.next()) {
        let round = tag(tags, "Round").unwrap_or_else(|| panic!("no round: {tags}"));
        let mut words = Vec::new();
        let mut inside = false;
        for word in moves
            .replace('{', " { ")
            .replace('}', " } ")
            .split_whitespace()
        {
            match word {
                "{" => inside = true,
                "}" => inside = false,
                _ if !inside && !word.ends_with('.') => words.push(word.to_owned()),
                _ => {}
            }
        }
        let result = words.pop().unwrap();
        assert_eq!(tag(tags, "Result").unwrap(), result, "{tags}");
        let comments = ["[%clk", "[%eval"].map(|name| moves.matches(name).count());
        let game = Seen {
            tags: tags.to_owned(),
            moves: words,
            comments,
            result,
        };
        games.insert(round, game);
    }
    games
}

fn tag(tags: &str, name: &str) -> Option<String> {
    let line = tags
        .lines()
        .find(|line| line.starts_with(&format!("[{name} \"")))?;
    Some(line.split('"').nth(1)?.to_owned())
}

#[test]
fn a_game_never_goes_backwards_and_says_its_start_before_its_first_move() {
    let event = event();
    let mut child = event.command(&["--live-pgn", "--quiet"]).spawn().unwrap();
    let mut known = BTreeMap::<String, Seen>::new();
    let (mut versions, mut running) = (0, 0);
    // The file is read again and again while the event is played.
    while child.try_wait().unwrap().is_none() {
        pause(5);
        let Ok(text) = fs::read_to_string(event.results().join("live.pgn")) else {
            continue;
        };
        let now = seen(&text);
        versions += usize::from(now != known);
        for (round, before) in &known {
            let after = now.get(round);
            let after = after.unwrap_or_else(|| panic!("game {round} has gone"));
            assert!(
                after.moves.starts_with(&before.moves),
                "{before:?} {after:?}"
            );
            assert!(
                before.result == "*" || after == before,
                "{before:?} {after:?}"
            );
        }
        running += now.values().filter(|game| game.result == "*").count();
        known = now;
    }
    assert!(child.wait().unwrap().success());
    assert!(
        versions > 1 && running > 0,
        "{versions} versions, {running} running games"
    );
    let last = seen(&event.read("live.pgn"));
    assert_eq!(last.len(), 4);
    let stored = seen(&event.read("games.pgn"));
    for (round, game) in &last {
        assert_eq!(game.moves, stored[round].moves);
        assert_eq!(game.result, stored[round].result);
        let book = if round.starts_with("1.") { 2 } else { 0 };
        assert_eq!(game.comments[0], game.moves.len() - book, "{game:?}");
        assert!(game.comments[1] > 0, "{game:?}");
        for name in ["Variant", "SetUp", "FEN", "StartNumber"] {
            assert!(tag(&game.tags, name).is_some(), "no {name}: {}", game.tags);
        }
    }
    // A resumed event begins where it was interrupted.
    event.run_well(&["--live-pgn", "--quiet"]);
    assert_eq!(seen(&event.read("live.pgn")), last);
}

const READ: &str = r"
import chess.pgn, sys
games = 0
with open(sys.argv[1]) as file:
    while True:
        game = chess.pgn.read_game(file)
        if game is None:
            break
        assert not game.errors, game.errors
        assert game.board().chess960, 'not Chess960'
        assert game.headers['StartNumber'].isdigit()
        for node in game.mainline():
            if 'tcec' in sys.argv:
                keys = node.comment.split(',')[0].split('=')[0].strip()
                assert keys in ('d', 'book') or node.is_end(), node.comment
            elif 'book' not in node.comment:
                assert node.clock() is not None, node.comment
                assert node.eval() is not None, node.comment
        games += 1
print(games)
";

/// What python-chess makes of a file: the number of its games.
fn read_with_python(file: &str, words: &[&str]) -> Option<String> {
    let output = python(&["chess"], READ)?
        .arg(file)
        .args(words)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        super::support::words(&output)
    );
    Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
}

/// What pgn-extract makes of a file: no game that it does not understand.
fn read_with_pgn_extract(file: &str) {
    let Some(program) = engine("pgn-extract") else {
        return;
    };
    let output = Command::new(program).args(["-r", file]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("4 games matched out of 4"), "{said}");
}

#[test]
fn other_readers_understand_both_dialects() {
    let event = event();
    let tcec = event.folder().join("tcec.pgn").display().to_string();
    event.run_well(&[
        "--live-pgn",
        "--quiet",
        "--pgn",
        &tcec,
        "--pgn-dialect",
        "tcec",
    ]);
    let live = event.results().join("live.pgn").display().to_string();
    for file in [&live, &tcec] {
        if let Some(games) = read_with_python(file, &["tcec"]) {
            assert_eq!(games, "4");
        }
        read_with_pgn_extract(file);
    }
    let text = fs::read_to_string(&tcec).unwrap();
    assert!(text.contains("[Variant \"fischerandom\"]"), "{text}");
    assert!(text.contains("{book, mb=+0+0+0+0+0,}"), "{text}");
    let keys = "d= sd= mt= tl= s= n= pv= tb= h= ph= wv= R50= Rd= Rr= mb=";
    let comment = text.split("{d=").nth(1).unwrap().split('}').next().unwrap();
    let comment = format!("d={comment}");
    let found: Vec<&str> = comment
        .split(", ")
        .map(|part| part.split_inclusive('=').next().unwrap())
        .collect();
    assert_eq!(found.join(" "), keys, "{comment}");
    // The same from the store, and the usual dialect.
    let results = event.results().display().to_string();
    let exported = tool(&[
        "export",
        &results,
        "--format",
        "pgn",
        "--pgn-dialect",
        "tcec",
    ]);
    assert_eq!(exported, text);
    let plain = event.results().join("games.pgn").display().to_string();
    if let Some(games) = read_with_python(&plain, &[]) {
        assert_eq!(games, "4");
    }
    read_with_pgn_extract(&plain);
}

#[test]
fn a_dialect_without_a_file_is_a_mistake() {
    let output = event().run(&["--pgn-dialect", "tcec"]);
    assert_eq!(
        output.status.code(),
        Some(2),
        "{}",
        super::support::words(&output)
    );
    let output = event().run(&["--live-pgn", "--pgn-dialect", "arena"]);
    assert!(super::support::words(&output).contains("none of standard, tcec"));
}
