//! Whole events with real engines, checked with the rules of another library.

use std::collections::BTreeMap;

use super::data_document::python;
use super::study::size;
use super::support::{Event, arbiter960, engine, tool, words};

/// Replays a PGN file with python-chess: castling, legality, result, ending.
const REFEREE: &str = r#"
import chess, chess.pgn, sys
games = 0
for path in sys.argv[1:]:
    with open(path) as file:
        while (game := chess.pgn.read_game(file)) is not None:
            games += 1
            tags = game.headers
            name = f"{path} round {tags['Round']}"
            assert not game.errors, f"{name}: {game.errors}"
            board = game.end().board()
            assert board.is_valid() or board.is_game_over(), name
            claimed, termination = tags["Result"], tags["Termination"]
            assert claimed in ("1-0", "0-1", "1/2-1/2"), name
            outcome = board.outcome(claim_draw=False)
            if outcome is not None:
                assert outcome.result() == claimed, f"{name}: {outcome} but {claimed}"
                assert termination == "normal", f"{name}: {termination}"
            elif board.is_repetition(3) or board.is_fifty_moves():
                assert claimed == "1/2-1/2" and termination == "normal", name
            elif termination == "normal":
                # A dead position that python-chess does not know as such.
                assert claimed == "1/2-1/2" and len(board.piece_map()) < 32, name
            else:
                assert termination in ("adjudication", "time forfeit", "rules infraction", "abandoned"), name
            assert int(tags["PlyCount"]) == len(list(game.mainline_moves())), name
print(games)
"#;

/// Number of games that python-chess has read without a complaint; `None` if python-chess is missing.
pub fn refereed(event: &Event) -> Option<usize> {
    let pgn = event.results().join("games.pgn");
    let output = python(&["chess"], REFEREE)?.arg(pgn).output().unwrap();
    assert!(output.status.success(), "{}", words(&output));
    Some(
        String::from_utf8(output.stdout)
            .unwrap()
            .trim()
            .parse()
            .unwrap(),
    )
}

#[test]
fn the_debian_engines_play_a_round_robin_that_python_chess_agrees_with() {
    let names = [
        "stockfish",
        "ethereal-chess",
        "fairy-stockfish",
        "glaurung",
        "sjaakii",
    ];
    if names.iter().filter_map(|name| engine(name)).count() < names.len() {
        return;
    }
    let mut text = "event.concurrency = 2\npositions.numbers = [0]\n\
                    time.control = \"0.2+0.02\"\ntime.margin_ms = 200\n\
                    adjudication.max_moves = 25\n"
        .to_owned();
    for name in names {
        text.push_str(&format!(
            "[[engine]]\nname = {name:?}\ncommand = {name:?}\n"
        ));
    }
    let event = Event::new("debian", &text);
    event.run_well(&["--quiet"]);
    let mut meetings: BTreeMap<(String, String, String), u32> = BTreeMap::new();
    let rows = tool(&[
        "export",
        event.results().to_str().unwrap(),
        "--format",
        "csv",
    ]);
    let columns: Vec<&str> = rows.lines().next().unwrap().split(',').collect();
    let column = |name: &str| {
        columns
            .iter()
            .position(|column| *column == name)
            .expect("a column")
    };
    let wanted = [column("white"), column("black"), column("number")];
    for row in rows.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let [white, black, number] = wanted.map(|index| fields[index].to_owned());
        *meetings.entry((white, black, number)).or_default() += 1;
    }
    assert_eq!(meetings.len(), 5 * 4, "every pair of engines, both colours");
    assert!(meetings.values().all(|count| *count == 1));
    tool(&[
        "verify",
        event.results().join("games.pgn").to_str().unwrap(),
    ]);
    if let Some(games) = refereed(&event) {
        assert_eq!(games, 20);
    }
}

#[test]
fn an_engine_against_itself_castles_right_from_many_starts() {
    let Some(stockfish) = engine("stockfish") else {
        return;
    };
    let starts = size(20) as usize;
    let event = Event::new(
        "itself",
        &format!(
            "event.concurrency = 2\npositions.sample = {starts}\ntime.depth = 1\n\
             [[engine]]\nname = \"A\"\ncommand = {stockfish:?}\n\
             [[engine]]\nname = \"B\"\ncommand = {stockfish:?}\n"
        ),
    );
    event.run_well(&["--quiet"]);
    let pgn = event.read("games.pgn");
    assert_eq!(event.rounds().len(), 2 * starts);
    assert!(!pgn.contains("rules infraction") && pgn.contains("O-O"));
    if let Some(games) = refereed(&event) {
        assert_eq!(games, 2 * starts);
    }
}

#[test]
fn an_engine_without_chess960_is_named_before_the_first_game() {
    if engine("toga2").is_none() || engine("stockfish").is_none() {
        return;
    }
    let event = Event::new(
        "toga",
        "positions.numbers = [1]\ntime.depth = 1\n\
         [[engine]]\nname = \"Toga\"\ncommand = \"toga2\"\n\
         [[engine]]\nname = \"Stockfish\"\ncommand = \"stockfish\"\n",
    );
    let output = event.run(&[]);
    assert_eq!(output.status.code(), Some(3), "{}", words(&output));
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        shown.contains("Toga") && shown.contains("UCI_Chess960"),
        "{shown}"
    );
}

#[test]
fn toga_and_gnu_chess_play_standard_chess() {
    if engine("toga2").is_none() || engine("gnuchess").is_none() {
        return;
    }
    let event = Event::new(
        "standard",
        "event.variant = \"standard\"\nevent.pairs = 2\npositions.all = true\n\
         time.control = \"0.5+0.02\"\ntime.margin_ms = 300\nadjudication.max_moves = 50\n\
         [[engine]]\nname = \"Toga\"\ncommand = \"toga2\"\n\
         [[engine]]\nname = \"GNU\"\ncommand = \"gnuchess\"\nargs = [\"--uci\"]\n",
    );
    event.run_well(&["--quiet"]);
    assert_eq!(event.rounds().len(), 4);
    assert!(!event.read("games.pgn").contains("rules infraction"));
    refereed(&event);
}

#[test]
fn engines_of_xboards_protocol_play_in_an_event() {
    if engine("phalanx").is_none() || engine("gnuchess").is_none() {
        return;
    }
    let event = Event::new(
        "xboard",
        "event.variant = \"standard\"\nevent.pairs = 1\npositions.all = true\n\
         time.control = \"20+0.5\"\nadjudication.max_moves = 6\n\
         [[engine]]\nname = \"Phalanx\"\ncommand = \"phalanx\"\nprotocol = \"xboard\"\n\
         [[engine]]\nname = \"GNU\"\ncommand = \"gnuchess\"\nprotocol = \"xboard\"\n",
    );
    event.run_well(&["--quiet"]);
    assert_eq!(event.rounds().len(), 2);
    let pgn = event.read("games.pgn");
    for trouble in ["rules infraction", "time forfeit", "abandoned"] {
        assert!(!pgn.contains(trouble), "{pgn}");
    }
    refereed(&event);
}

#[test]
fn self_play_varies_by_jitter_and_repeats_itself_exactly_when_run_again() {
    let Some(stockfish) = engine("stockfish") else {
        return;
    };
    let text = format!(
        "positions.numbers = [0, 518]\nevent.pairs = 2\ntime.nodes = 300\n\
         [[engine]]\nname = \"Stockfish\"\ncommand = {stockfish:?}\ncopies = 2\n"
    );
    let moves = |name: &str| {
        let event = Event::new(name, &text);
        event.run_well(&["--quiet"]);
        let pgn = event.read("games.pgn");
        let bodies = pgn
            .split("\n\n")
            .filter(|part| !part.is_empty() && !part.starts_with('['));
        bodies.map(strip_comments).collect::<Vec<_>>()
    };
    let first = moves("first");
    assert_eq!(first.len(), 8);
    let mut different = first.clone();
    different.sort();
    different.dedup();
    assert!(
        different.len() >= 6,
        "jitter makes the games of a start differ"
    );
    assert_eq!(first, moves("second"));
}

fn strip_comments(body: &str) -> String {
    let mut moves = String::new();
    let mut inside = false;
    for character in body.chars() {
        match character {
            '{' => inside = true,
            '}' => inside = false,
            other if !inside => moves.push(other),
            _ => {}
        }
    }
    moves.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn match_prints_the_event_file_it_amounts_to() {
    let output = arbiter960()
        .args([
            "match",
            "--engine",
            "builtin=sparring",
            "--engine",
            "builtin=sparring",
        ])
        .args(["--depth", "1", "--positions", "0-3", "--print-config"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", words(&output));
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());
}
