//! FEN: every dialect in and out, and every illegal position refused by name.

use arbiter960::chess::{FenDialect, Position, UciDialect};
use proptest::prelude::*;

use super::support::table;
use super::{data, random::random_position};

#[test]
fn shredder_and_x_fen_are_the_same_position() {
    let text = data("fen/fen-dialects.csv");
    let mut lines = 0;
    for line in text.lines().skip(1) {
        let [_, shredder, xfen] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("three columns: {line}");
        };
        let position = Position::from_fen(shredder).unwrap();
        assert_eq!(position, Position::from_fen(xfen).unwrap(), "{line}");
        assert_eq!(position.fen(FenDialect::Shredder), shredder);
        assert_eq!(position.fen(FenDialect::XFen), xfen);
        lines += 1;
    }
    assert_eq!(lines, 1020);
}

#[test]
fn each_castling_letter_is_judged_by_itself() {
    for (given, shredder, x_fen) in [
        ("1RKR3R w K", "1RKR3R w H", None),
        ("1RKR3R w D", "1RKR3R w D", Some("1RKR3R w D")),
    ] {
        let fen = |text: &str| format!("k7/8/8/8/8/8/8/{text} - 0 1");
        let position = Position::from_fen(&fen(given)).unwrap();
        assert_eq!(position.fen(FenDialect::Shredder), fen(shredder));
        assert!(x_fen.is_none_or(|x_fen| position.fen(FenDialect::XFen) == fen(x_fen)));
    }
    let mixed = |rights: &str| format!("1r3kr1/8/8/8/8/8/8/1R3KR1 w {rights} - 0 1");
    let position = Position::from_fen(&mixed("KBkb")).unwrap();
    assert_eq!(position.fen(FenDialect::Shredder), mixed("GBgb"));
    assert_eq!(position.fen(FenDialect::XFen), mixed("KQkq"));
}

#[test]
fn four_fields_are_enough_and_blanks_do_not_matter() {
    let short = Position::from_fen("4k3/8/8/8/8/8/8/4K3 b - -").unwrap();
    assert_eq!(short.fen(FenDialect::XFen), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    let blanks = Position::from_fen(" 4k3/8/8/8/8/8/8/4K3  b - -  0 1\r\n").unwrap();
    assert_eq!(short, blanks);
}

#[test]
fn en_passant_is_kept_only_where_it_is_legal() {
    // The third would leave the rank between rook and king empty. In the others the pawn on d4 is pinned: on its file, on
    // the diagonal it takes along, on others.
    for [given, kept] in table(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1 | -
         4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1 | e3
         8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1 | -
         3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1 | -
         8/8/1k6/8/3pP3/8/5B2/4K3 b - e3 0 1 | e3
         8/6k1/8/8/3pP3/8/1B6/4K3 b - e3 0 1 | -
         7k/8/8/8/3pP3/8/8/B3K3 b - e3 0 1 | -",
    ) {
        let fen = Position::from_fen(&given).unwrap().fen(FenDialect::XFen);
        assert_eq!(fen.split(' ').nth(3), Some(&*kept), "{given}");
    }
}

/// One text for every reason, and what the reason says about it.
const REFUSED: &str = "
    | here are 0
    4k3/8/8/8/8/8/8/4K3 w - | here are 3
    4k3/8/8/8/8/8/8/4K3 w - - 0 | here are 5
    4k3/8/8/8/8/8/8/4K3 w - - 0 1 1-0 | here are 7
    4k3/8/8/8/8/8/4K3 w - - 0 1 | eight ranks separated by '/', here are 7
    4k3/8/8/8/8/8/8/8/4K3 w - - 0 1 | here are 9
    4k3/8/8/8/7/8/8/4K3 w - - 0 1 | rank 4 describes 7 squares
    4k3/8/8/8/8p/8/8/4K3 w - - 0 1 | rank 4 describes 9 squares
    4k3/8/8/8//8/8/4K3 w - - 0 1 | rank 4 describes 0 squares
    4k3/8/8/44/8/8/8/4K3 w - - 0 1 | column 10: two numbers
    4k3/8/8/8/9/8/8/4K3 w - - 0 1 | column 11: '9'
    4k3/8/8/8/3x4/8/8/4K3 w - - 0 1 | column 12: 'x'
    4k3/8/8/8/3é4/8/8/4K3 w - - 0 1 | column 12: 'é'
    8/8/8/8/8/8/8/4K3 w - - 0 1 | black has 0 kings
    4k3/8/8/8/8/8/8/K3K3 w - - 0 1 | white has 2 kings
    4k2P/8/8/8/8/8/8/4K3 w - - 0 1 | white pawn stands on h8
    4k3/8/8/8/8/8/8/p3K3 w - - 0 1 | black pawn stands on a1
    4k3/8/8/8/P7/8/PPPPPPPP/4K3 w - - 0 1 | white has 9 pawns
    4k3/pppppppp/8/8/8/8/PPPPPPPP/QNBQKBNR w - - 0 1 | must be promoted
    4k3/8/8/8/N7/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1 | white has 18 pieces
    4k3/8/8/8/8/8/8/4K3 W - - 0 1 | 'w' or 'b', not \"W\"
    4k3/8/8/8/8/8/8/4K2R w X - 0 1 | 'X' is neither
    4k3/8/8/8/8/8/8/4K2R w K- - 0 1 | '-' is neither
    4k3/8/8/8/8/8/8/4K2R w KK - 0 1 | given already
    4k3/8/8/8/8/8/8/4K2R w KH - 0 1 | given already
    4k3/8/8/8/8/8/8/4K1RR w GH - 0 1 | only one rook on each side
    4k3/8/8/8/8/8/4K3/7R w K - 0 1 | stands on e2, not on its first rank
    4k3/8/8/8/8/8/8/4K3 w K - 0 1 | has no rook on its first rank between
    4k3/8/8/8/8/8/8/R3K3 w K - 0 1 | has no rook on its first rank between
    4k3/8/8/8/8/8/8/R3K3 w B - 0 1 | has no rook on b1
    4k3/8/8/8/8/8/8/4K3 w - e9 0 1 | not \"e9\"
    4k3/8/8/8/8/8/8/4K3 w - e3 0 1 | a square of rank 6
    4k3/8/8/8/8/8/8/4K3 w - e6 0 1 | no black pawn on e5
    4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1 | come over e6, where a black knight
    4k3/4n3/8/4p3/8/8/8/4K3 w - e6 0 1 | come over e7
    4k3/8/8/4p3/8/8/3p4/4K3 w - e6 0 1 | in check before the double step
    4k3/8/8/8/8/8/4R3/4K3 w - - 0 1 | black is in check from e2
    8/8/8/3kK3/8/8/8/8 w - - 0 1 | is in check from
    4k3/8/8/4r3/7b/8/8/4K2r w - - 0 1 | check from 3 pieces
    4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1 | no move gives both
    4k3/8/8/8/8/8/8/4K3 w - - -1 1 | half-move clock
    4k3/8/8/8/8/8/8/4K3 w - - +1 1 | half-move clock
    4k3/8/8/8/8/8/8/4K3 w - - 99999999999 1 | half-move clock
    4k3/8/8/8/8/8/8/4K3 w - - 0 one | move number";

#[test]
fn illegal_positions_are_refused_by_name() {
    for [fen, reason] in table(REFUSED) {
        let error = Position::from_fen(&fen).expect_err(&fen).to_string();
        assert!(error.contains(&reason), "{fen}: {error}");
        eprintln!("refused as a FEN: {error}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(seed: u64, plies in 0usize..200) {
        let position = random_position(seed, plies);
        for dialect in [FenDialect::XFen, FenDialect::Shredder] {
            prop_assert_eq!(&Position::from_fen(&position.fen(dialect)).unwrap(), &position);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[pnbrqkPNBRQK1-8/ wbKQkqA-H0-9é-]{0,90}") {
        let _ = Position::from_fen(&text);
    }

    #[test]
    fn no_move_text_makes_a_reader_panic(
        seed: u64, plies in 0usize..60, text in "([a-hKQRBNPO0x=+#-][1-8a-h=qrbné-]{0,6}|.{0,9})"
    ) {
        let position = random_position(seed, plies);
        for read in [
            position.parse_san(&text).ok(),
            position.parse_uci(&text, UciDialect::Chess960).ok(),
            position.parse_uci(&text, UciDialect::Standard).ok(),
        ].into_iter().flatten() {
            prop_assert!(position.is_legal(read));
        }
    }

    #[test]
    fn a_damaged_fen_is_refused_or_read_as_something_legal(
        seed: u64, at in 0usize..60, letter in prop::char::range(' ', 'z')
    ) {
        let mut fen: Vec<char> = random_position(seed, 40).fen(FenDialect::XFen).chars().collect();
        let index = at % fen.len();
        fen[index] = letter;
        if let Ok(position) = Position::from_fen(&fen.into_iter().collect::<String>()) {
            prop_assert_eq!(Position::from_fen(&position.fen(FenDialect::XFen)), Ok(position));
        }
    }
}
