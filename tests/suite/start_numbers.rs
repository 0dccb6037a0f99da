//! Numbers of starts against the table, and every numbering both ways.

use arbiter960::chess::random::Random;
use arbiter960::chess::start::{
    Setup, StartNumber, Variant, mirror, parse_number, partner, sample, sample_of,
};

use super::support::table;

/// Number, back rank, Shredder-FEN, X-FEN: our own table, equal to seven published ones.
const TABLE: &str = include_str!("../data/fen/scharnagl-960.csv");

#[test]
fn the_960_numbers_back_ranks_and_fens_of_the_table() {
    let mut rows = 0;
    for row in TABLE.lines().skip(1) {
        let [number, rank, shredder, _] = row.split(',').collect::<Vec<_>>()[..] else {
            panic!("a row of the table has four columns: {row}");
        };
        let number = StartNumber(number.parse().unwrap());
        let setup = Setup::new(Variant::Chess960, number).unwrap();
        assert_eq!(setup.white.to_string(), rank);
        assert_eq!(setup.fen(), shredder);
        assert_eq!(parse_number(Variant::Chess960, rank), Ok(number));
        rows += 1;
    }
    assert_eq!(rows, 960);
}

/// Reads every number back from its arrays.
fn assert_bijective(variant: Variant, numbers: impl Iterator<Item = StartNumber>) {
    for number in numbers {
        let setup = Setup::new(variant, number).expect("the number is one of the variant");
        assert_eq!(setup.number(), Ok(number), "{variant}");
    }
}

#[test]
fn every_number_is_read_back_from_its_arrays() {
    let is_small = |variant: &Variant| variant.count() < 1_000_000;
    for variant in Variant::ALL.into_iter().filter(is_small) {
        assert_bijective(variant, variant.numbers());
    }
    // 8,294,400 starts: every array on either side, and every 997th start.
    for variant in [Variant::Transcendental, Variant::Moab] {
        assert_bijective(variant, (0..2880).map(|array| StartNumber(array * 2881)));
        assert_bijective(variant, variant.numbers().step_by(997));
    }
}

#[test]
fn numbers_beyond_the_last_are_refused() {
    for variant in Variant::ALL {
        let number = StartNumber(variant.numbers().next_back().unwrap().0 + 1);
        let refused = Setup::new(variant, number);
        let refused = refused.unwrap_err().to_string();
        let expected = format!("{variant} has no start number {number}: ");
        assert!(refused.starts_with(&expected), "{refused}");
    }
}

#[test]
fn fens_of_the_other_variants() {
    let starts = table(
        "
standard       | 518      | rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1
dfrc           | 518/0    | bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAhf - 0 1
shuffle        | RNBQKBRN | rnbqkbrn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBRN w Aa - 0 1
shuffle        | NRBQKBNR | nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBNR w Hh - 0 1
shuffle        | RNBKQBNR | rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1
transcendental | 518/0    | bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1
moab           | 518/0    | bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Mm - 0 1
corner         | 0        | krrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRRK w - - 0 1
chess256       | 129      | rnbqkbnr/1pppppp1/p6p/8/8/P6P/1PPPPPP1/RNBQKBNR w HAha - 0 1
chess256       | 255      | rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w HAha - 0 1
chess480       | 0        | bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1
",
    );
    for [variant, start, fen] in starts {
        let variant: Variant = variant.parse().unwrap();
        let number = parse_number(variant, &start).unwrap();
        let setup = Setup::new(variant, number).unwrap();
        assert_eq!(setup.fen(), fen, "{variant} {start}");
    }
}

#[test]
fn mirrors_and_partners_of_independent_arrays() {
    let mut random = Random::new(3);
    for variant in [Variant::Dfrc, Variant::Transcendental, Variant::Moab] {
        for _ in 0..5_000 {
            let number = StartNumber(random.below(variant.count().into()) as u32);
            let twin = mirror(variant, number).unwrap();
            assert!(twin != number && mirror(variant, twin) == Ok(number));
            let other = partner(variant, number).unwrap();
            assert_eq!(partner(variant, other), Ok(number));
        }
    }
}

/// These values decide schedules: they may never change.
#[test]
fn golden_random_numbers_and_samples() {
    let mut random = Random::new(0);
    let words: [u64; 3] = std::array::from_fn(|_| random.next_u64());
    let mut order: Vec<u32> = (0..10).collect();
    random.shuffle(&mut order);
    let starts = |variant, seed| -> Vec<u32> {
        let numbers = sample(variant, 6, seed).unwrap().into_iter();
        numbers.map(|number| number.0).collect()
    };
    insta::assert_debug_snapshot!((
        words,
        order,
        starts(Variant::Chess960, 0),
        starts(Variant::Chess960, 7),
        starts(Variant::Transcendental, 7),
    ));
}

#[test]
fn samples_are_distinct_grow_at_their_end_and_have_a_limit() {
    let all = sample(Variant::Chess960, 960, 1).unwrap();
    let mut sorted = all.clone();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(Variant::Chess960.numbers()));
    assert_eq!(sample(Variant::Chess960, 50, 1).unwrap(), all[..50]);
    assert_eq!(sample(Variant::Standard, 1, 9), Ok(vec![StartNumber(518)]));
    let too_many = sample_of(&all[..2], 3, 1).unwrap_err().to_string();
    let expected = "3 different starts were asked for, but there are 2";
    assert_eq!(too_many, expected);
}
