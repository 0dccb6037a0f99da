//! Whole games and single rules: repetition, clocks, dead positions, SAN, endings.

use arbiter960::chess::{Color, Ending, FenDialect, Game, Position, UciDialect};
use serde_json::Value;

use super::data;
use super::support::{json, list};

fn json_lines(name: &str) -> Vec<Value> {
    data(name).lines().map(json).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    list(value)
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect()
}

fn play(fen: &str, moves: &[&str]) -> Game {
    let mut game = Game::new(Position::from_fen(fen).unwrap());
    for text in moves {
        let read = game.position().parse_uci(text, UciDialect::Chess960);
        game.play(read.unwrap());
    }
    game
}

#[test]
fn rules_cases() {
    for case in json_lines("rules/rules-cases.jsonl") {
        let game = play(case["fen"].as_str().unwrap(), &texts(&case["moves"]));
        let (position, expect) = (game.position(), &case["expect"]);
        let moves = position.legal_moves();
        let mated = moves.is_empty() && position.in_check();
        let clock = position.halfmove_clock();
        let castles = moves
            .iter()
            .filter(|&&mv| position.is_castling(mv).is_some());
        let castles = castles.map(|&mv| position.uci(mv, UciDialect::Chess960).to_string());
        let castles = Vec::from_iter(castles);
        let found = serde_json::json!({
            "checkmate": mated,
            "stalemate": moves.is_empty() && !mated,
            "insufficient": position.is_dead_by_material(),
            "halfmove": clock,
            "threefold": game.repetitions() >= 3,
            "fivefold": game.repetitions() >= 5,
            "seventyfive": clock >= 150 && !moves.is_empty(),
            "fifty": clock >= 100 && !moves.is_empty(),
            "legal": moves.len(),
            "final_shredder": position.fen(FenDialect::Shredder),
            "castles": castles,
        });
        for (name, value) in found.as_object().unwrap() {
            assert_eq!(value, &expect[name], "{}: {name}", case["id"]);
        }
        assert_eq!(game.ending(), ending_of(expect, position), "{}", case["id"]);
    }
}

/// What a case's facts mean for the game, in order of precedence.
fn ending_of(expect: &Value, position: &Position) -> Option<Ending> {
    let holds = |name: &str| expect[name] == true;
    let winner = !position.side_to_move();
    [
        ("checkmate", Ending::Checkmate { winner }),
        ("stalemate", Ending::Stalemate),
        ("insufficient", Ending::DeadPosition),
        ("fivefold", Ending::FivefoldRepetition),
        ("seventyfive", Ending::SeventyFiveMoves),
        ("threefold", Ending::ThreefoldRepetition),
        ("fifty", Ending::FiftyMoves),
    ]
    .into_iter()
    .find_map(|(name, ending)| holds(name).then_some(ending))
}

#[test]
fn ninety_six_games() {
    let games = json_lines("games/games-96.jsonl");
    for record in &games {
        let mut game = Game::new(Position::from_fen(record["fen"].as_str().unwrap()).unwrap());
        for (uci, san) in texts(&record["uci"]).into_iter().zip(texts(&record["san"])) {
            let position = game.position();
            assert_eq!(game.ending(), None, "game {} before {san}", record["n"]);
            let mv = position.parse_uci(uci, UciDialect::Chess960).unwrap();
            assert_eq!(position.uci(mv, UciDialect::Chess960), uci);
            assert_eq!(position.san(mv), san);
            assert_eq!(position.parse_san(san), Ok(mv));
            game.play(mv);
        }
        let position = game.position();
        for (dialect, name) in [
            (FenDialect::Shredder, "final_shredder"),
            (FenDialect::XFen, "final_xfen"),
        ] {
            assert_eq!(record[name], position.fen(dialect));
        }
        let (result, reason) = match game.ending().unwrap() {
            Ending::Checkmate { winner } => (["1-0", "0-1"][winner.index()], "checkmate"),
            Ending::Stalemate => ("1/2-1/2", "stalemate"),
            Ending::DeadPosition => ("1/2-1/2", "insufficient material"),
            Ending::ThreefoldRepetition => ("1/2-1/2", "threefold"),
            Ending::FiftyMoves => ("1/2-1/2", "fifty moves"),
            other => panic!("{other}"),
        };
        assert_eq!([&record["result"], &record["reason"]], [result, reason]);
    }
    assert_eq!(games.len(), 96);
}

#[test]
fn a_lost_castling_right_makes_another_position() {
    let start = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w HAha - 0 1";
    let cycle = ["h1g1", "h8g8", "g1h1", "g8h8"];
    let moves: Vec<&str> = cycle.into_iter().cycle().take(12).collect();
    let is_over = |plies: &usize| play(start, &moves[..*plies]).ending().is_some();
    let over = Vec::from_iter((0..=10).filter(is_over));
    // The start does not count: what comes three times is the position after ply 2.
    assert_eq!(over, [10]);
}

#[test]
fn castling_does_not_reset_the_fifty_moves() {
    let game = play("4k3/p7/8/8/8/8/P7/4K2R w H - 98 2", &["e1h1", "e8e7"]);
    assert_eq!(game.ending(), Some(Ending::FiftyMoves));
}

#[test]
fn mate_on_the_move_that_completes_fifty_is_mate() {
    let winner = Color::White;
    for (text, ending) in [
        ("b1b8", Ending::Checkmate { winner }),
        ("b1c1", Ending::FiftyMoves),
    ] {
        let game = play("7k/8/6K1/8/8/8/8/1Q6 w - - 99 90", &[text]);
        assert_eq!(game.ending(), Some(ending));
    }
}

#[test]
fn fivefold_when_play_goes_on() {
    let cycle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let moves: Vec<&str> = cycle.into_iter().cycle().take(16).collect();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let threefold = play(start, &moves[..8]).ending();
    assert_eq!(threefold, Some(Ending::ThreefoldRepetition));
    let mut game = play(start, &moves);
    assert_eq!(game.repetitions(), 5);
    assert_eq!(game.ending(), Some(Ending::FivefoldRepetition));
    while game.pop().is_some() {}
    assert_eq!((game.repetitions(), game.position()), (1, game.start()));
}
