//! Whole events with real engines, checked with the rules of another library.

use std::collections::BTreeSet;

use super::data_document::python;
use super::study::size;
use super::support::{Event, assert_has, assert_lacks, engine, on_one_line, tool, words};

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
    let count = String::from_utf8(output.stdout).unwrap();
    Some(count.trim().parse().unwrap())
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
    let engine = |name| format!("[[engine]]\nname = {name:?}\ncommand = {name:?}\n");
    let text = format!(
        "event.concurrency = 2\npositions.numbers = [0]\ntime.control = \"0.2+0.02\"\n\
         time.margin_ms = 200\nadjudication.max_moves = 25\n{}",
        names.map(engine).concat()
    );
    let event = Event::new("debian", &text);
    event.run_well(&["--quiet"]);
    let [white, black, number] = ["White", "Black", "StartNumber"].map(|tag| event.tags(tag));
    let games = Vec::from_iter(white.into_iter().zip(black).zip(number));
    let meetings = BTreeSet::from_iter(&games);
    // Every pair of engines, with both colours, once.
    assert_eq!([games.len(), meetings.len()], [5 * 4; 2]);
    event.verified();
    assert!(refereed(&event).is_none_or(|games| games == 20));
}

#[test]
fn an_engine_against_itself_castles_right_from_many_starts() {
    let Some(stockfish) = engine("stockfish") else {
        return;
    };
    let starts = size(20) as usize;
    let text = format!(
        "event.concurrency = 2\npositions.sample = {starts}\ntime.depth = 1\n\
         [[engine]]\nname = \"A\"\ncommand = {stockfish:?}\n\
         [[engine]]\nname = \"B\"\ncommand = {stockfish:?}\n"
    );
    let event = Event::new("itself", &text);
    event.run_well(&["--quiet"]);
    let pgn = event.read("games.pgn");
    assert_eq!(event.rounds().len(), 2 * starts);
    assert!(!pgn.contains("rules infraction") && pgn.contains("O-O"));
    assert!(refereed(&event).is_none_or(|games| games == 2 * starts));
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
    assert_has(&event.ends(3, &[]), ["Toga", "UCI_Chess960"]);
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
    let troubles = ["rules infraction", "time forfeit", "abandoned"];
    assert_lacks(&event.read("games.pgn"), troubles);
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
        let bodies = pgn.split("\n\n");
        let bodies = bodies.filter(|part| !part.is_empty() && !part.starts_with('['));
        Vec::from_iter(bodies.map(strip_comments))
    };
    let first = moves("first");
    assert_eq!(first.len(), 8);
    let different = BTreeSet::from_iter(&first);
    assert!(
        different.len() >= 6,
        "jitter makes the games of a start differ"
    );
    assert_eq!(first, moves("second"));
}

fn strip_comments(body: &str) -> String {
    let parts = body.split(['{', '}']).step_by(2);
    on_one_line(&Vec::from_iter(parts).concat())
}

#[test]
fn match_prints_the_event_file_it_amounts_to() {
    let words = "match --engine builtin=sparring --engine builtin=sparring --depth 1 --positions 0-3 --print-config";
    let printed = tool(&Vec::from_iter(words.split(' ')));
    insta::assert_snapshot!(printed);
}
