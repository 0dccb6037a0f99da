//! Castling: where king and rook go, from every pair of squares, in Chess960 and Chess480.

use arbiter960::chess::{CastlingRule, FenDialect, Position, UciDialect};

use super::data;
use super::support::table;

/// A first rank with a king and a rook, for one side.
fn rank(king: usize, rook: usize, white: bool) -> String {
    let (first, last) = (king.min(rook), king.max(rook));
    let letters = if king < rook { ["K", "R"] } else { ["R", "K"] };
    let empty = [first, last - first - 1, 7 - last].map(|count| count.to_string());
    let [before, between, after] = empty.each_ref().map(|count| count.trim_matches('0'));
    let runs = format!("{before}{}{between}{}{after}", letters[0], letters[1]);
    if white { runs } else { runs.to_lowercase() }
}

/// A position with this first rank, its king and rook alone against a king that no rook can see.
fn board(first_rank: &str, white: bool) -> String {
    if white {
        format!("8/8/8/8/k7/P7/P7/{first_rank}")
    } else {
        format!("{first_rank}/p7/p7/K7/8/8/8/8")
    }
}

#[test]
fn the_84_castlings_of_chess960() {
    let mut castlings = 0;
    for white in [true, false] {
        for king in 1..7 {
            for rook in (0..8).filter(|&rook| rook != king) {
                let h_side = rook > king;
                let letter = char::from(b'a' + rook as u8);
                let (us, letter, them) = if white {
                    ("w", letter.to_ascii_uppercase(), "b")
                } else {
                    ("b", letter, "w")
                };
                let before = board(&rank(king, rook, white), white);
                let before = format!("{before} {us} {letter} - 7 30");
                let position = Position::from_fen(&before).unwrap();

                let (king_to, rook_to) = if h_side { (6, 5) } else { (2, 3) };
                let number = if white { 30 } else { 31 };
                let after = board(&rank(king_to, rook_to, white), white);
                let after = format!("{after} {them} - - 8 {number}");
                let san = if h_side { "O-O" } else { "O-O-O" };
                let mv = position.parse_san(san).unwrap();
                let mut played = position.clone();
                played.play(mv);
                assert_eq!(played.fen(FenDialect::Shredder), after, "{before}");

                let row = if white { 1 } else { 8 };
                let file = |file: usize| char::from(b'a' + file as u8);
                let text = format!("{}{row}{}{row}", file(king), file(rook));
                assert_eq!(position.uci(mv, UciDialect::Chess960), text.as_str());
                assert_eq!(position.parse_uci(&text, UciDialect::Chess960), Ok(mv));
                castlings += 1;
            }
        }
    }
    assert_eq!(castlings, 84);
}

/// The position of a line of EPD, and what stands in its field of this name.
fn fen_and<'a>(line: &'a str, name: &str) -> (&'a str, &'a str) {
    let mut fields = line.split(" ;");
    let fen = fields.next().unwrap();
    (
        fen,
        fields.find_map(|field| field.strip_prefix(name)).unwrap(),
    )
}

#[test]
fn edge_cases_say_whether_castling_is_legal() {
    for line in data("rules/castling-edge.epd").lines() {
        let (fen, castle) = fen_and(line, "castle ");
        let position = Position::from_fen(fen).unwrap();
        let (text, verdict) = castle.split_once(' ').unwrap();
        let found = position.parse_uci(text, UciDialect::Chess960);
        match verdict {
            "legal" => assert!(position.is_castling(found.unwrap()).is_some(), "{line}"),
            "illegal" => {
                let error = found.unwrap_err().to_string();
                assert!(error.contains("the king may not castle"), "{line}: {error}");
            }
            _ => panic!("{line}"),
        }
    }
}

#[test]
fn refusals_say_why() {
    // In the last the rook on b1 shields its king from the queen.
    for [fen, text, reason] in table(
        "4k3/8/8/8/8/8/8/4K2R w - - 0 1 | e1h1 | the right to castle with that rook is gone
         4k3/8/8/8/8/8/4r3/4K2R w K - 0 1 | e1h1 | it is in check
         4k3/8/8/8/8/8/8/4KB1R w K - 0 1 | e1h1 | f1 is occupied
         4kr2/8/8/8/8/8/8/4K2R w K - 0 1 | e1h1 | f1 is attacked
         4k3/8/8/8/8/8/8/qRK5 w B - 0 1 | c1b1 | c1 is attacked",
    ) {
        let position = Position::from_fen(&fen).unwrap();
        let error = position.parse_uci(&text, UciDialect::Chess960).unwrap_err();
        let expected = format!("{text}: the king may not castle: {reason}");
        assert_eq!(error.to_string(), expected, "{fen}");
    }
}

#[test]
fn chess480_castlings_and_no_others() {
    for line in data("chess480/chess480-perft.epd").lines() {
        let (fen, castles) = fen_and(line, "castles");
        let position = Position::from_fen_with(fen, CastlingRule::Chess480).unwrap();
        let legal = position.legal_moves();
        let castlings = legal
            .iter()
            .filter(|&&mv| position.is_castling(mv).is_some());
        let shown = castlings.map(|&mv| {
            let mut next = position.clone();
            next.play(mv);
            let text = position.uci(mv, UciDialect::Chess960);
            let fen = next.fen(FenDialect::Shredder).replace(' ', "_");
            // The data leave both counters at their start.
            without_counters(&format!("{text}={fen}")).to_owned()
        });
        let mut found = Vec::from_iter(shown);
        found.sort();
        let castles = castles
            .trim()
            .split(',')
            .filter(|castle| !castle.is_empty());
        let mut expected = Vec::from_iter(castles.map(without_counters));
        expected.sort_unstable();
        assert_eq!(found, expected, "{line}");
    }
}

fn without_counters(castle: &str) -> &str {
    castle.rsplitn(3, '_').last().unwrap()
}
