//! Starts as positions of the rules core.

use arbiter960::chess::start::{
    StartNumber, Variant, mirror, mirrored_position, number_of, position,
};
use arbiter960::chess::{FenDialect, Position};

const TABLE: &str = include_str!("../data/fen/scharnagl-960.csv");

#[test]
fn the_960_positions_of_the_table_in_both_dialects() {
    for (number, row) in (0..960).map(StartNumber).zip(TABLE.lines().skip(1)) {
        let [_, _, shredder, xfen] = row.split(',').collect::<Vec<_>>()[..] else {
            panic!("a row of the table has four columns: {row}");
        };
        let start = position(Variant::Chess960, number).unwrap();
        assert_eq!(start.fen(FenDialect::Shredder), shredder);
        assert_eq!(start.fen(FenDialect::XFen), xfen);
        for fen in [shredder, xfen] {
            let read = Position::from_fen(fen).unwrap();
            assert_eq!(number_of(Variant::Chess960, &read), Some(number));
        }
    }
}

#[test]
fn every_start_is_accepted_by_the_rules_and_recognised() {
    for variant in Variant::ALL {
        // All of the small ones; of 921,600 and 8,294,400 a few thousand.
        let step = (variant.count() / 5_000).max(1) as usize;
        for number in variant.numbers().step_by(step) {
            let start = position(variant, number).unwrap();
            assert!(start.has_legal_move() && !start.in_check());
            let found = number_of(variant, &start);
            assert_eq!(found, Some(number), "{variant} {number}");
        }
    }
}

#[test]
fn what_is_not_a_start_has_no_number() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2 2",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        let start = Position::from_fen(fen).unwrap();
        for variant in Variant::ALL {
            assert_eq!(number_of(variant, &start), None, "{variant} {fen}");
        }
    }
}

#[test]
fn the_same_array_has_other_numbers_in_other_variants() {
    let start = position(Variant::Chess960, StartNumber(518)).unwrap();
    let numbers = Variant::ALL.map(|variant| number_of(variant, &start).map(|number| number.0));
    let dfrc = 518 * 961;
    // Transcendental and Moab chess have no castling, so it is another position there.
    let same = Some(518);
    let expected = [
        same,
        same,
        Some(dfrc),
        same,
        None,
        None,
        Some(0),
        same,
        None,
    ];
    assert_eq!(numbers, expected);
}

#[test]
fn mirrored_positions_are_the_mirrored_numbers() {
    for number in Variant::Chess960.numbers() {
        let start = position(Variant::Chess960, number).unwrap();
        let twin = mirrored_position(&start, Variant::Chess960).unwrap();
        let number = mirror(Variant::Chess960, number).ok();
        assert_eq!(number_of(Variant::Chess960, &twin), number);
    }
}
