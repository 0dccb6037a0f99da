//! `live.pgn`: a broadcast that looks again and again never sees half a file, nor a game go backwards.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use super::data_document::python;
use super::robust_support::SIX_AND_NINE;
use super::support::{Event, assert_has, engine, pause};

const BOOK: &str = "[Event \"?\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
    [FEN \"rbbnqkrn/pppppppp/8/8/8/8/PPPPPPPP/RBBNQKRN w GAga - 0 1\"]\n\n1. O-O O-O *\n\n\
    [Event \"?\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
    [FEN \"bbrkqrnn/pppppppp/8/8/8/8/PPPPPPPP/BBRKQRNN w FCfc - 0 1\"]\n\n*\n";

/// Two lanes, with a book in which king and rook change places.
fn event() -> Event {
    let text = "event.concurrency = 2\npositions.file = \"book.pgn\"\ntime.control = \"20+0.1\"\n\
                adjudication.max_moves = 200\n";
    let event = Event::new("broadcast", &format!("{text}{SIX_AND_NINE}"));
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
    let is_whole = text.is_empty() || text.ends_with("\n\n");
    assert!(is_whole, "half a file: {text}");
    let mut parts = text.split("\n\n");
    while let (Some(tags), Some(moves)) = (parts.next(), parts.next()) {
        let round = tag(tags, "Round").unwrap_or_else(|| panic!("no round: {tags}"));
        let mut words = Vec::new();
        let mut inside = false;
        let spaced = moves.replace('{', " { ").replace('}', " } ");
        for word in spaced.split_whitespace() {
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
    let (_, value) = tags.split_once(&format!("[{name} \""))?;
    Some(value.split('"').next()?.to_owned())
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
            let grows = after.moves.starts_with(&before.moves);
            let may_change = before.result == "*" || after == before;
            assert!(grows && may_change, "{before:?} {after:?}");
        }
        running += now.values().filter(|game| game.result == "*").count();
        known = now;
    }
    assert!(child.wait().unwrap().success());
    assert!(
        versions > 1 && running > 0,
        "{versions} versions, {running}"
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
    let mut python = python(&["chess"], READ)?;
    let output = python.arg(file).args(words).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        super::support::words(&output)
    );
    Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
}

/// What pgn-extract makes of a file: no game that it does not understand.
fn read_with_pgn_extract(file: &str) {
    if let Some(program) = engine("pgn-extract") {
        let output = Command::new(program).args(["-r", file]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_has(&said, ["4 games matched out of 4"]);
    }
}

#[test]
fn other_readers_understand_both_dialects() {
    let event = event();
    let tcec = event.folder().join("tcec.pgn").display().to_string();
    let dialect = ["--pgn-dialect", "tcec"];
    event.run_well(&[&["--live-pgn", "--quiet", "--pgn", &tcec], &dialect[..]].concat());
    let live = event.results().join("live.pgn").display().to_string();
    for file in [&live, &tcec] {
        if let Some(games) = read_with_python(file, &["tcec"]) {
            assert_eq!(games, "4");
        }
        read_with_pgn_extract(file);
    }
    let text = fs::read_to_string(&tcec).unwrap();
    assert_has(
        &text,
        ["[Variant \"fischerandom\"]", "{book, mb=+0+0+0+0+0,}"],
    );
    let keys = "d= sd= mt= tl= s= n= pv= tb= h= ph= wv= R50= Rd= Rr= mb=";
    let comment = text.split("{d=").nth(1).unwrap().split('}').next().unwrap();
    let comment = format!("d={comment}");
    let found = comment
        .split(", ")
        .map(|part| part.split_inclusive('=').next().unwrap());
    assert!(found.eq(keys.split(' ')), "{comment}");
    // The same from the store, and the usual dialect.
    let exported = event.ask(&[&["export", "--format", "pgn"], &dialect[..]].concat());
    assert_eq!(exported, text);
    let plain = event.results().join("games.pgn").display().to_string();
    if let Some(games) = read_with_python(&plain, &[]) {
        assert_eq!(games, "4");
    }
    read_with_pgn_extract(&plain);
}

#[test]
fn a_dialect_without_a_file_is_a_mistake() {
    event().ends(2, &["--pgn-dialect", "tcec"]);
    let unknown = event().ends(2, &["--live-pgn", "--pgn-dialect", "arena"]);
    assert_has(&unknown, ["none of standard, tcec"]);
}
