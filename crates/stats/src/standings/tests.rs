//! Tables worked by hand.

use super::*;
use crate::numeric::SplitMix;

fn cell(white: u16, black: u16, results: [u32; 3]) -> Cell {
    Cell {
        start: 0,
        white,
        black,
        results,
    }
}

/// The table, best engine first. `double_wins` holds for each engine the pairs
/// it won with both colours (an empty slice where pairs are not known).
fn standings(
    engines: usize,
    colours: &[Cell],
    double_wins: &[u32],
    order: &[TieBreak],
) -> Vec<Standing> {
    let results = StandingsInput {
        engines,
        cells: colours.to_vec(),
        double_wins: double_wins.to_vec(),
        ..StandingsInput::default()
    };
    results.standings(order)
}

#[test]
fn equal_points_are_decided_by_the_first_rule_that_differs() {
    // A and B: 2 points of 3; B beat A, C lost to both but for a draw.
    let games = [
        cell(0, 1, [1, 0, 0]),
        cell(0, 2, [0, 0, 2]),
        cell(2, 1, [0, 2, 0]),
    ];
    let table = standings(3, &games, &[], &TieBreak::DEFAULT);
    assert_eq!(
        table.iter().map(|row| row.engine).collect::<Vec<_>>(),
        [1, 0, 2]
    );
    assert_eq!(
        (table[0].direct_points(), table[1].direct_points()),
        (1.0, 0.0)
    );
    assert_eq!(table[1].decided_by, Some(TieBreak::DirectEncounter));
    assert_eq!(
        (table[0].sonneborn_berger_points(), table[0].black_wins),
        (3.0, 1)
    );
    let by_wins = standings(3, &games, &[], &[TieBreak::Wins]);
    assert_eq!(
        (by_wins[0].engine, by_wins[1].decided_by),
        (0, Some(TieBreak::Wins))
    );
}

/// A rule that sets engines apart, and a later one that orders them among themselves.
#[test]
fn every_place_among_equal_points_has_its_reason() {
    let mut random = SplitMix::new(5);
    for _ in 0..300 {
        let pairs = (0..5).flat_map(|one| (0..5).map(move |other| (one, other)));
        let games: Vec<Cell> = pairs
            .filter(|(one, other)| one != other)
            .map(|(one, other)| {
                let mut results = [0; 3];
                results[random.below(3)] = 1;
                cell(one, other, results)
            })
            .collect();
        let order = [
            TieBreak::Wins,
            TieBreak::BlackWins,
            TieBreak::SonnebornBerger,
        ];
        for rows in standings(5, &games, &[], &order).windows(2) {
            let level = rows[0].half_points == rows[1].half_points;
            let apart = rows[0].place != rows[1].place;
            assert_eq!(rows[1].decided_by.is_some(), level && apart, "{rows:?}");
        }
    }
}

#[test]
fn inseparable_engines_share_a_place() {
    let table = standings(2, &[cell(0, 1, [0, 2, 0])], &[], &TieBreak::DEFAULT);
    assert_eq!(
        (table[0].place, table[1].place, table[1].decided_by),
        (1, 1, None)
    );
}

#[test]
fn no_games_make_an_empty_but_valid_table() {
    assert!(standings(0, &[], &[], &TieBreak::DEFAULT).is_empty());
    assert_eq!(standings(2, &[], &[], &[])[1].points(), 0.0);
}

fn met(round: u32, engine: u16, opponent: u16, half_points: u32) -> EngineRound {
    EngineRound {
        round,
        engine,
        outcome: RoundOutcome::Played {
            opponent,
            half_points,
            awarded: 0,
        },
    }
}

/// Four engines, two games an encounter, three rounds; half points of the encounters:
/// A–B 3:1, C–D 2:2; A–C 1:3, B–D 4:0; A–D 2:2, B–C 1:3.
/// A 6, B 6, C 8, D 4 half points.
fn league() -> StandingsInput {
    let encounters = [
        (1, 0, 1, [0, 1, 1]),
        (1, 2, 3, [0, 2, 0]),
        (2, 0, 2, [1, 1, 0]),
        (2, 1, 3, [0, 0, 2]),
        (3, 0, 3, [0, 2, 0]),
        (3, 1, 2, [1, 1, 0]),
    ];
    let mut results = StandingsInput {
        engines: 4,
        lots: vec![1, 2, 3, 4],
        faults: vec![2, 1, 0, 0],
        ..StandingsInput::default()
    };
    for (round, white, black, games) in encounters {
        results.cells.push(cell(white, black, games));
        let [losses, draws, wins] = games;
        results.rounds.extend([
            met(round, white, black, 2 * wins + draws),
            met(round, black, white, 2 * losses + draws),
        ]);
    }
    results
}

/// The order of the engines, and the values of A and B.
fn by(results: &StandingsInput, rule: TieBreak) -> (Vec<u16>, [Option<f64>; 2]) {
    let table = results.standings(&[rule]);
    let value = |engine: u16| {
        let row = table.iter().find(|row| row.engine == engine).unwrap();
        row.tie_breaks().next().unwrap().1
    };
    let order = table.iter().map(|row| row.engine).collect();
    (order, [value(0), value(1)])
}

#[test]
fn every_rule_by_hand() {
    let results = league();
    let points: Vec<u32> = {
        let mut table = results.standings(&[]);
        table.sort_by_key(|row| row.engine);
        table.iter().map(|row| row.half_points).collect()
    };
    assert_eq!(points, [6, 6, 8, 4]);
    let told = |rule, order: [u16; 4], values: [f64; 2]| {
        assert_eq!(
            by(&results, rule),
            (order.to_vec(), values.map(Some)),
            "{rule:?}"
        );
    };
    // A beat B 1½ : ½.
    told(TieBreak::DirectEncounter, [2, 0, 1, 3], [1.5, 0.5]);
    told(TieBreak::Wins, [2, 1, 0, 3], [1.0, 2.0]);
    told(TieBreak::BlackWins, [2, 0, 1, 3], [0.0, 0.0]);
    // A: 1½·3 + ½·4 + 1·2; B: ½·3 + 2·2 + ½·4.
    told(TieBreak::SonnebornBerger, [2, 0, 1, 3], [8.5, 7.5]);
    // At least half of six games: A, B, C.
    told(TieBreak::Koya, [2, 0, 1, 3], [2.0, 1.0]);
    // Opponents of A: B 3, C 4, D 2; of B: A 3, D 2, C 4.
    told(TieBreak::Buchholz, [2, 0, 1, 3], [9.0, 9.0]);
    told(TieBreak::BuchholzCut1, [2, 0, 1, 3], [7.0, 7.0]);
    told(TieBreak::BuchholzCut2, [2, 0, 1, 3], [4.0, 4.0]);
    told(TieBreak::MedianBuchholz, [2, 0, 1, 3], [3.0, 3.0]);
    // Opponents of A: B 9, C 8, D 10; of B: A 9, D 10, C 8.
    told(TieBreak::AverageBuchholz, [2, 0, 1, 3], [9.0, 9.0]);
    // A: 1½, 2, 3; B: ½, 2½, 3.
    told(TieBreak::Progressive, [2, 0, 1, 3], [6.5, 6.0]);
    told(TieBreak::FewerFaults, [2, 1, 0, 3], [2.0, 1.0]);
    told(TieBreak::Lot, [2, 1, 0, 3], [1.0, 2.0]);
    let doubles = StandingsInput {
        double_wins: vec![0, 1, 0, 0],
        ..league()
    };
    assert_eq!(by(&doubles, TieBreak::DoubleWins).0, [2, 1, 0, 3]);
}

#[test]
fn a_bye_is_a_dummy_with_the_points_of_the_engine_itself() {
    let results = StandingsInput {
        engines: 3,
        cells: vec![cell(0, 1, [0, 0, 2])],
        rounds: vec![
            met(1, 0, 1, 4),
            met(1, 1, 0, 0),
            EngineRound {
                round: 1,
                engine: 2,
                outcome: RoundOutcome::Bye { half_points: 4 },
            },
        ],
        ..StandingsInput::default()
    };
    let table = results.standings(&[TieBreak::Buchholz, TieBreak::Wins]);
    // C has a bye: Buchholz 2; A beat B, which has 0 points.
    assert_eq!((table[0].engine, table[1].engine), (2, 0));
    assert_eq!(table[1].decided_by, Some(TieBreak::Buchholz));
    // A has met B, whose opponent A has 2 points; C has met nobody.
    let table = results.standings(&[TieBreak::AverageBuchholz]);
    assert_eq!((table[0].engine, table[1].engine), (0, 2));
    let value = |row: usize| table[row].tie_breaks().next().unwrap().1;
    assert_eq!([value(0), value(1)], [Some(2.0), Some(0.0)]);
    // What C wins without play where there are no rounds.
    let wins = UnplayedWins {
        winner: 2,
        half_points: 4,
    };
    let without_rounds = StandingsInput {
        rounds: Vec::new(),
        unplayed: vec![wins],
        ..results.clone()
    };
    for results in [results, without_rounds] {
        let table = results.standings(&[TieBreak::SonnebornBerger]);
        let own = table.iter().find(|row| row.engine == 2).unwrap();
        assert_eq!(own.sonneborn_berger_points(), 4.0);
    }
}

#[test]
fn the_performance_against_better_opponents_is_better() {
    // A and B have a draw each: A with C, which beats D, B with D.
    let results = StandingsInput {
        engines: 4,
        cells: vec![
            cell(0, 2, [0, 1, 0]),
            cell(1, 3, [0, 1, 0]),
            cell(2, 3, [0, 0, 2]),
        ],
        ..StandingsInput::default()
    };
    let (order, [a, b]) = by(&results, TieBreak::RatingPerformance);
    assert_eq!(order, [2, 0, 1, 3]);
    let ([Some(a), Some(b)], 0) = ([a, b], 0) else {
        panic!("both have played");
    };
    assert!(a > 0.0 && (a + b).abs() < 0.02, "{a} {b}");
}

#[test]
fn three_that_are_level_are_told_apart_among_themselves_and_then_the_rest() {
    // Each has 4 half points of 6: A beats B, B and C draw, A and C draw; all beat D or lose
    // to it as it must be.
    let games = [
        cell(0, 1, [0, 0, 1]),
        cell(1, 2, [0, 1, 0]),
        cell(0, 2, [0, 1, 0]),
        cell(0, 3, [0, 1, 0]),
        cell(1, 3, [0, 0, 1]),
        cell(1, 3, [0, 1, 0]),
        cell(2, 3, [0, 0, 1]),
    ];
    let results = StandingsInput {
        engines: 4,
        cells: games.to_vec(),
        ..StandingsInput::default()
    };
    let table = results.standings(&[TieBreak::DirectEncounter]);
    let rows: Vec<_> = table
        .iter()
        .map(|row| (row.engine, row.half_points, row.place))
        .collect();
    assert_eq!(rows, [(0, 4, 1), (2, 4, 2), (1, 4, 3), (3, 2, 4)]);
}

#[test]
fn points_taken_from_both_count_in_the_table_and_not_for_strength() {
    // A beats B with White; A (White) against B is 0–0; C (White) gets half a point against A, which gets none.
    let results = StandingsInput {
        engines: 3,
        cells: vec![cell(0, 1, [0, 0, 1])],
        uneven: vec![
            UnevenCell {
                engines: [0, 1],
                games: [[0, 1], [0, 1]],
            },
            UnevenCell {
                engines: [2, 0],
                games: [[1, 0], [0, 1]],
            },
        ],
        ..StandingsInput::default()
    };
    let table = results.standings(&[TieBreak::SonnebornBerger]);
    let rows: Vec<_> = table
        .iter()
        .map(|row| {
            (
                row.engine,
                row.half_points,
                [row.wins, row.draws, row.losses],
                row.unplayed_points(),
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            (0, 2, [1, 0, 2], 0.0),
            (2, 1, [0, 1, 0], 0.0),
            (1, 0, [0, 0, 2], 0.0)
        ]
    );
    // C has half of A's point; A has all of B's nothing.
    assert_eq!(table[1].sonneborn_berger_points(), 0.5);
    let played = StandingsInput {
        uneven: Vec::new(),
        ..results.clone()
    };
    let performance = |results: &StandingsInput| {
        let table = results.standings(&[TieBreak::RatingPerformance]);
        let first = table.iter().find(|row| row.engine == 0).unwrap();
        first.tie_breaks().next().unwrap().1
    };
    assert_eq!(performance(&results), performance(&played));
}
