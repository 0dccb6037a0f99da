//! Whatever the games, the statistics answer with finite numbers or with
//! named reasons: never NaN, never a panic.

use arbiter960::stats::advantage::{AdvantageOptions, AdvantageReport};
use arbiter960::stats::games::{GameFlags, GameRow, GameScore, GameTable};
use arbiter960::stats::ratings::RatingInput;
use arbiter960::stats::ratings::ranks::RankDistribution;
use arbiter960::stats::ratings::report::RatingReport;
use arbiter960::stats::ratings::table::{RatingOptions, RatingTable};
use arbiter960::stats::standings::TieBreak;
use proptest::prelude::*;

use super::study;

type Row = (u16, u16, u32, Option<u32>, u8);

fn table(engines: u16, rows: &[Row]) -> GameTable {
    let mut table = GameTable::new((0..engines).map(|i| format!("Engine {i}")).collect());
    for &(white, black, start, pair, result) in rows {
        let result = GameScore::ALL[usize::from(result % 3)];
        let flags = GameFlags::default();
        // Rows that name an engine twice are refused: fewer games, no harm.
        let row = GameRow {
            white,
            black,
            start,
            pair,
            result,
            flags,
        };
        let _ = table.push(row);
    }
    table
}

/// JSON has no NaN: serde_json writes it as null, so the structs are searched
/// as text, where Rust prints `NaN` and `inf`.
fn assert_finite(text: &str) {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    assert!(!words.any(|word| word == "NaN" || word == "inf"), "{text}");
}

fn check(games: &GameTable) {
    let input = RatingInput::new(games);
    let options = RatingOptions::default();
    let table = RatingTable::new(&input, &options);
    let ratings = RatingReport::new(&input, &table, &options, &TieBreak::DEFAULT, [true; 2]);
    assert_finite(&format!("{ratings:?}"));
    for self_play in [false, true] {
        let options = AdvantageOptions {
            self_play,
            equivalence: Some(20.0),
            ..Default::default()
        };
        let advantage = AdvantageReport::of_input(&input, &options, |start| Some(start ^ 1));
        assert!(!format!("{advantage:?}").contains("NaN"), "{advantage:?}");
        let mean = advantage
            .mean
            .map(|mean| [mean.elo_error_these, mean.elo_error_all]);
        let mut errors = mean.iter().flatten().flatten();
        assert!(errors.all(|error| error.is_finite()), "{mean:?}");
        let spread = advantage
            .spread
            .map(|s| [s.sd_elo_lo, s.sd_elo, s.sd_elo_hi, s.p_value]);
        let mut values = spread.iter().flatten();
        assert!(values.all(|value| value.is_finite()), "{spread:?}");
    }
    if let Ok(table) = table {
        for members in table.fit.connectivity.rated_components() {
            if let Some(ranks) = RankDistribution::new(&table, &members, 1) {
                let total: f64 = ranks.probability[0].iter().sum();
                assert!((total - 1.0).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn named_degenerate_events() {
    check(&table(0, &[]));
    check(&table(1, &[]));
    check(&table(3, &[]));
    let rows = |result: fn(u32) -> u8| -> Vec<Row> {
        let row = |i: u32| {
            (
                (i % 2) as u16,
                (1 - i % 2) as u16,
                i / 8,
                Some(i / 2),
                result(i),
            )
        };
        (0..40).map(row).collect()
    };
    check(&table(2, &rows(|_| 1))); // every game drawn
    check(&table(2, &rows(|_| 2))); // White always won
    check(&table(2, &rows(|i| if i % 2 == 0 { 2 } else { 0 }))); // one engine always won
    let apart = |i: u32| {
        let (white, black) = if i.is_multiple_of(2) { (0, 1) } else { (2, 3) };
        (white, black, i / 8, None, (i % 3) as u8)
    };
    check(&table(4, &(0..40).map(apart).collect::<Vec<_>>())); // two groups that never met, without pairs
}

proptest! {
    #![proptest_config(ProptestConfig { cases: study::cases(200), failure_persistence: None, ..Default::default() })]
    #[test]
    fn any_event(
        engines in 1_u16..6,
        rows in prop::collection::vec((0_u16..6, 0_u16..6, 0_u32..6, prop::option::of(0_u32..20), 0_u8..3), 0..60),
    ) {
        check(&table(engines, &rows));
    }
}
