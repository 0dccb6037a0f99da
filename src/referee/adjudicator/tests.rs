//! Virtual games: every school by a table, White's score first.

use super::*;
use crate::chess::{Game, Position, UciDialect};
use crate::referee::{DrawRule, ResignRule, Thinking};
use crate::uci::Score;

/// The moves of a game: `12` a score, `p12` the same with a move by a pawn or a capture, `c12` with castling, `m3` a
/// mate, `?12` a bound alone, `d12` a score without a depth, `-` none.
fn moves(text: &str, book: u32) -> Vec<ScoredMove> {
    let words = text.split_whitespace().enumerate();
    words
        .map(|(ply, word)| {
            let ply = ply as u32 + book;
            let number = |digits: &str| digits.parse::<i32>().unwrap();
            let points = |digits: &str| Some(Score::Centipawns(number(digits)));
            let rest = word.get(1..).unwrap_or_default();
            let (score, bound) = match &word[..1] {
                "m" => (Some(Score::Mate(number(rest))), None),
                "?" => (None, points(rest)),
                "p" | "d" | "c" => (points(rest), None),
                _ if word == "-" => (None, None),
                _ => (points(word), None),
            };
            ScoredMove {
                mover: Color::ALL[ply as usize % 2],
                score,
                bound,
                depth: if word.starts_with('d') { 0 } else { 9 },
                // After White's move the number is still that of the move.
                fullmove_number: ply.div_ceil(2) + 1,
                plies: ply + 1,
                irreversible: word.starts_with('p'),
                moves_castling_rook: word.starts_with('c'),
            }
        })
        .collect()
}

/// The move by an engine, from 1, after which the game is over, and its result.
fn ends(rules: &Adjudication, moves: &[ScoredMove]) -> Option<(usize, &'static str)> {
    let mut adjudicator = Adjudicator::new(rules);
    let mut verdicts = moves.iter().enumerate();
    verdicts.find_map(|(ply, played)| Some((ply + 1, adjudicator.judge(played)?.result())))
}

fn rules(school: School, draw: Option<[u32; 3]>, resign: Option<(u32, u32, bool)>) -> Adjudication {
    Adjudication {
        school,
        draw: draw.map(|[from_move, moves, centipawns]| DrawRule {
            from_move,
            moves,
            centipawns,
        }),
        resign: resign.map(|(moves, centipawns, both_engines)| ResignRule {
            moves,
            centipawns,
            both_engines,
        }),
        ..Adjudication::default()
    }
}

/// A game, and after which move each school draws it: this program, fastchess, cutechess, TCEC.
type DrawCase = (&'static str, [Option<usize>; 4]);

/// From move 2 on, for 2 moves, within 10.
const DRAWS: [DrawCase; 15] = [
    // The first move counts for all but this program's way.
    ("0 0 0 0 0 0", [Some(6), Some(4), Some(4), Some(4)]),
    ("0 0 10 -10 0 0", [Some(6), Some(4), Some(4), Some(4)]),
    // A larger score starts again.
    ("0 0 0 11 0 0 0 0", [Some(8), Some(8), Some(8), Some(8)]),
    ("0 0 0 11 0 0 0", [None; 4]),
    // An odd half-move may begin the row.
    ("11 0 0 0 0 0 0", [Some(6), Some(5), Some(5), Some(5)]),
    // A pawn move starts again, and counts itself, but with TCEC.
    ("0 0 p0 0 0 0 0", [Some(6), Some(6), Some(6), Some(7)]),
    ("0 0 0 p0 0 0 0 0", [Some(6), Some(7), Some(7), Some(8)]),
    ("p0 p0 p0 p0 p0 p0", [Some(6), None, None, None]),
    // So does the first move of a rook that could castle, with TCEC.
    ("0 0 0 c0 0 0 0 0", [Some(6), Some(4), Some(4), Some(8)]),
    // A mate is never level, nor is nothing.
    ("m1 m-1 m1 m-1 m1 m-1", [None; 4]),
    ("0 0 0 - 0 0 0 0", [Some(8), Some(8), Some(8), Some(8)]),
    ("- - - - - - - -", [None; 4]),
    // A bound is a score for fastchess, where there is no other.
    ("0 0 ?0 0 0 0 0", [Some(7), Some(4), Some(7), Some(7)]),
    // Without a depth cutechess and TCEC begin again.
    ("0 0 0 d0 0 0 0 0", [Some(6), Some(4), Some(8), Some(8)]),
    ("m0 m0 m0 m0 m0 m0", [None; 4]),
];

/// `movecount=0` of the other programs: a draw as soon as its move has come; only fastchess resigns then.
#[test]
fn no_number_of_moves() {
    for (school, resigned) in [(School::Fastchess, Some(6)), (School::Cutechess, None)] {
        let draw = rules(school, Some([5, 0, 50]), None);
        let found = ends(&draw, &moves(&"900 ".repeat(20), 0));
        assert_eq!(found.map(|end| end.0), Some(10), "{school:?}");
        let resign = rules(school, None, Some((0, 100, false)));
        let found = ends(&resign, &moves("9 9 9 9 9 -1 9 9", 0));
        assert_eq!(found.map(|end| end.0), resigned, "{school:?}");
    }
}

#[test]
fn draws_by_every_school() {
    for (text, expected) in DRAWS {
        let found = School::ALL.map(|school| {
            let rules = rules(school, Some([2, 2, 10]), None);
            let end = ends(&rules, &moves(text, 0))?;
            assert_eq!(end.1, "1/2-1/2");
            Some(end.0)
        });
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn the_first_move_of_a_castling_rook_is_told_from_other_moves() {
    let is_one = |moves: &str| {
        let mut game =
            Game::new(Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap());
        for text in moves.split(' ') {
            let mv = game
                .position()
                .parse_uci(text, UciDialect::Standard)
                .unwrap();
            game.play(mv);
        }
        ScoredMove::last(&game, &Thinking::default()).moves_castling_rook
    };
    for moves in ["a1b1", "e1e2 h8g8"] {
        assert!(is_one(moves), "{moves}");
    }
    for moves in ["e1g1", "e1c1", "e1e2", "a1b1 e8e7 b1a1", "a1b1 e8e7 b1b2"] {
        assert!(!is_one(moves), "{moves}");
    }
}

#[test]
fn the_number_of_moves_is_looked_at_in_the_end_but_by_this_program() {
    let level = "0 ".repeat(40);
    let found = School::ALL.map(|school| {
        let rules = rules(school, Some([10, 3, 0]), None);
        ends(&rules, &moves(&level, 0)).map(|end| end.0)
    });
    // Moves 10, 11, 12; or ten moves complete.
    assert_eq!(found, [Some(24), Some(20), Some(20), Some(20)]);
}

#[test]
fn the_book_counts_as_moves_for_cutechess_whatever_the_position_says() {
    let of_position = |school, first_number: u32, book: u32| {
        let rules = rules(school, Some([10, 1, 0]), None);
        let mut moves = moves(&"0 ".repeat(40), book);
        for played in &mut moves {
            played.fullmove_number += first_number - 1;
        }
        ends(&rules, &moves).map(|end| end.0)
    };
    // Four moves of the book, from the first position.
    assert_eq!(of_position(School::Cutechess, 1, 8), Some(12));
    assert_eq!(of_position(School::Fastchess, 1, 8), Some(12));
    // A position whose counter is 8.
    assert_eq!(of_position(School::Cutechess, 8, 0), Some(20));
    assert_eq!(of_position(School::Tcec, 8, 0), Some(20));
    assert_eq!(of_position(School::Fastchess, 8, 0), Some(6));
    assert_eq!(of_position(School::Arbiter960, 8, 0), Some(6));
}

/// A game, and by school the last move and the result.
type WinCase = (&'static str, [Option<(usize, &'static str)>; 4]);

/// 2 moves, 600, by the loser alone; TCEC always needs both.
const RESIGNATIONS: [WinCase; 6] = [
    (
        "0 -600 0 -700 0 -600 0",
        [Some((4, "1-0")), Some((4, "1-0")), Some((4, "1-0")), None],
    ),
    (
        "-600 0 -599 0 -600 0 -600",
        [Some((7, "0-1")), Some((7, "0-1")), Some((7, "0-1")), None],
    ),
    (
        "m-9 0 m-8 0",
        [Some((3, "0-1")), Some((3, "0-1")), Some((3, "0-1")), None],
    ),
    ("m9 0 m8 0 m7 0", [None; 4]),
    ("-900 0 - 0 -900 0 - 0", [None; 4]),
    // A bound counts for fastchess alone.
    ("-900 0 ?-900 0 0 0", [None, Some((3, "0-1")), None, None]),
];

#[test]
fn resignations_of_one_engine() {
    for (text, expected) in RESIGNATIONS {
        let found = School::ALL.map(|school| {
            let rules = rules(school, None, Some((2, 600, false)));
            ends(&rules, &moves(text, 0))
        });
        assert_eq!(found, expected, "{text}");
    }
}

/// 2 moves, 600, by both.
const AGREED: [WinCase; 7] = [
    // White wins; after Black's move all have two of both.
    ("600 -600 600 -600", [Some((4, "1-0")); 4]),
    // Black wins, and White moves last: cutechess and fastchess look after the loser's move.
    (
        "-600 600 -600 600 -600",
        [
            Some((4, "0-1")),
            Some((5, "0-1")),
            Some((5, "0-1")),
            Some((4, "0-1")),
        ],
    ),
    // The winner agrees later: fastchess counts half-moves in a row.
    (
        "0 -600 599 -700 600 -700 600 -700",
        [
            Some((7, "1-0")),
            Some((8, "1-0")),
            Some((8, "1-0")),
            Some((7, "1-0")),
        ],
    ),
    // Both see themselves winning, or losing.
    ("900 900 900 900 900 900", [None; 4]),
    (
        "-900 -900 -900 -900 -900",
        [None, Some((4, "1-0")), None, None],
    ),
    ("m5 m-5 m4 m-4", [Some((4, "1-0")); 4]),
    // A missing score is no agreement: cutechess itself takes it for one.
    ("- -900 - -900 - -900", [None; 4]),
];

#[test]
fn wins_on_which_both_agree() {
    for (text, expected) in AGREED {
        let found = School::ALL.map(|school| {
            let rules = rules(school, None, Some((2, 600, true)));
            ends(&rules, &moves(text, 0))
        });
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn length_counts_the_engines_moves_or_the_games() {
    let found = School::ALL.map(|school| {
        let rules = Adjudication {
            max_moves: Some(5),
            ..rules(school, None, None)
        };
        ends(&rules, &moves(&"900 -900 ".repeat(9), 6))
    });
    let drawn = |ply| Some((ply, "1/2-1/2"));
    assert_eq!(found, [drawn(10), drawn(10), drawn(4), drawn(4)]);
}

#[test]
fn the_words_are_those_of_the_schools() {
    for school in School::ALL {
        assert_eq!(serde_json::to_value(school).unwrap(), school.word());
    }
}
