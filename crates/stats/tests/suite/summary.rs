//! The lines of the summary against an independent program: `tests/oracle/summary.R`.

use std::collections::BTreeMap;

use arbiter960_stats::advantage::{AdvantageOptions, AdvantageReport};
use arbiter960_stats::estimate::{Estimate, Population, Weights, clusters_of_first};
use arbiter960_stats::games::{GameFlags, GameRow, GameScore, GameTable};
use arbiter960_stats::ratings::RatingInput;

fn events() -> BTreeMap<String, RatingInput> {
    let mut tables = BTreeMap::<String, GameTable>::new();
    for (pair, line) in include_str!("data/pairs.csv").lines().skip(1).enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        let names = (0..5).map(|engine| format!("Engine {engine}")).collect();
        let table = tables
            .entry(fields[0].to_owned())
            .or_insert_with(|| GameTable::new(names));
        let number = |place: usize| fields[place].parse::<u32>().expect("a number");
        let [first, second] = [number(2), number(3)].map(|engine| engine as u16);
        for (white, black, place) in [(first, second, 4), (second, first, 5)] {
            let points: f64 = fields[place].parse().expect("points");
            let row = GameRow {
                white,
                black,
                start: number(1),
                pair: Some(pair as u32),
                result: GameScore::ALL[(2.0 * points) as usize],
                flags: GameFlags::default(),
            };
            table.push(row).expect("a valid game");
        }
    }
    let input = |(name, table): (String, GameTable)| (name, RatingInput::new(&table));
    tables.into_iter().map(input).collect()
}

#[test]
fn every_line_of_the_summary_agrees() {
    let events = events();
    let mut compared = 0;
    for line in include_str!("data/summary.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let expected: f64 = fields[2].trim().parse().expect("a number");
        let input = &events[fields[0]];
        let report = AdvantageReport::of_input(input, &AdvantageOptions::default(), |_| None);
        let mean = report.mean.expect("games");
        let spread = report.spread.expect("pairs");
        let clusters = clusters_of_first(&input.pairing.pairs);
        let first = Estimate::new(&clusters, Population::Like, Weights::EachPair).expect("pairs");
        let found = match fields[1] {
            "white_score" => mean.score,
            "white_elo" => mean.elo,
            "white_error_all" => {
                let like = mean.elo_error_all.expect("an error");
                // The larger of the two is printed.
                if mean.elo_error_these == Some(like) {
                    continue;
                }
                like
            }
            "white_error_these" => {
                let these = mean.elo_error_these.expect("an error");
                // Where few games are decided the profile's is printed if it is larger: tests/oracle/summary.py has it.
                if these > expected * (1.0 + 1e-5) {
                    continue;
                }
                these
            }
            "spread_p" => spread.p_value,
            "spread_lo" => spread.sd_elo_lo,
            "spread_hi" => spread.sd_elo_hi,
            "first_elo" => first.elo(),
            "first_error" => first.elo_error(0.95).expect("an error"),
            "first_freedom" => first.freedom,
            other => panic!("{other} is unknown"),
        };
        let scale = expected.abs().max(1.0);
        assert!((found - expected).abs() < 1e-5 * scale, "{line}: {found}");
        compared += 1;
    }
    assert!(compared >= 31, "{compared}");
}
