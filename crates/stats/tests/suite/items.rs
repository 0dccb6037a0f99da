//! What a hostile referee found wrong in the statistics, as seven statements that must stay true. Events with known
//! truth are played; a promise fails where the exact binomial probability of so many misses is below 1 in 10,000.

use arbiter960_stats::advantage::{AdvantageOptions, AdvantageReport, MeanAdvantage};
use arbiter960_stats::duplicates::{ComparedGame, Duplicates};
use arbiter960_stats::estimate::{Cluster, Estimate, Population, Weights, clusters_of_first};
use arbiter960_stats::games::{GameFlags, GameRow, GameScore, GameTable};
use arbiter960_stats::numeric::SplitMix;
use arbiter960_stats::ratings::RatingInput;
use arbiter960_stats::sprt::Decision;

use super::calibrate::design::Block;
use super::calibrate::truth::{AdvantageShape, ResultLaw};
use super::calibrate::{Calibration, Design, Promise, Share, Truth, at_least};
use super::repeated_starts::RepeatedStarts;
use super::study;

/// Below this a promise is broken.
const BROKEN: f64 = 1e-4;

const PLAIN: Truth = Truth {
    law: ResultLaw::Davidson,
    shape: AdvantageShape::Normal,
    mean: 0.35,
    spread: 0.0,
    draws: 0.5,
    draw_spread: 0.0,
    draw_by_number: 0.0,
    interaction: 0.0,
    shared: 0.0,
    apart: 0.0,
};

/// Two engines with these numbers of pairs on the starts.
fn design(numbers: &[u32], self_play: bool) -> Design {
    let block = |(start, pairs): (usize, &u32)| Block {
        start: start as u32,
        first: 0,
        second: 1,
        pairs: *pairs,
    };
    Design {
        blocks: numbers.iter().enumerate().map(block).collect(),
        engines: 2,
        self_play,
        by_goodness: false,
    }
}

/// So many starts with `many` pairs, the others of 120 with `few`.
fn two_sizes(heavy: usize, many: u32, few: u32) -> Vec<u32> {
    let pairs = |start| if start < heavy { many } else { few };
    (0..120).map(pairs).collect()
}

/// These claims hold in events of one design and one law.
fn holds(design: &Design, truth: &Truth, events: u64, claims: &[Promise]) {
    let mut found = Calibration::default();
    for event in 0..study::size(events) {
        found.event(design, truth, study::seed(27).wrapping_mul(7919) + event);
    }
    for claim in claims {
        let share = found.shares.get(claim).expect("it was claimed");
        assert!(share.events >= events / 2, "{claim:?} {share:?}");
        let p = share.p_value(*claim);
        assert!(p > BROKEN, "{claim:?}: {share:?}, p = {p:e}");
    }
}

fn report(table: &GameTable, self_play: bool) -> AdvantageReport {
    let options = AdvantageOptions {
        self_play,
        ..AdvantageOptions::default()
    };
    AdvantageReport::of_input(&RatingInput::new(table), &options, |_| None)
}

/// 1. Six of 120 starts have most pairs; they are good for White; they are drawish where nothing differs.
#[test]
fn unequal_numbers_of_games_break_nothing() {
    let spread = Truth {
        spread: 0.5,
        ..PLAIN
    };
    let heavy = design(&two_sizes(6, 150, 2), false);
    holds(
        &heavy,
        &spread,
        60,
        &[Promise::AdvantageThese, Promise::Spread],
    );
    let popular = Design {
        by_goodness: true,
        ..heavy
    };
    holds(&popular, &spread, 60, &[Promise::AdvantageThese]);
    let drawish = Truth {
        mean: 0.0,
        draw_by_number: 2.5,
        ..PLAIN
    };
    let nothing = [
        Promise::SpreadFalse,
        Promise::InteractionFalse,
        Promise::NamedFalse,
    ];
    holds(
        &design(&two_sizes(6, 100, 2), false),
        &drawish,
        100,
        &nothing,
    );
}

/// 1. Two lines of one report are one estimator: a forfeit left out moves the headline by what one game is worth.
#[test]
fn one_game_left_out_moves_the_headline_little() {
    let mut numbers = vec![2; 40];
    numbers[0] = 80;
    let mut table = PLAIN.play(&design(&numbers, false), study::seed(3)).table;
    table.mark(7, GameFlags::FORFEIT);
    let elo = |table: &GameTable| report(table, false).mean.expect("games").elo;
    let (all, without) = (elo(&table), elo(&table.without(GameFlags::FORFEIT)));
    assert!((all - without).abs() < 2.0, "{all} {without}");
}

/// 2. Nearly all games drawn: there is an advantage, unbiased, with an interval that holds.
#[test]
fn nearly_all_drawn_has_an_unbiased_advantage() {
    let single = |start| Cluster::of_games(start, [0, 2, u32::from(start < 6)]);
    let clusters: Vec<Cluster> = (0..97).map(single).collect();
    let found = MeanAdvantage::new(&clusters, 0.95).expect("games");
    assert!(found.elo > 0.0 && found.elo_error_all.is_some());

    let drawn = Truth {
        draws: 0.97,
        ..PLAIN
    };
    let design = design(&[1; 960], true);
    holds(&design, &drawn, 60, &[Promise::AdvantageAll]);
    let beyond = |event: u64| {
        let played = drawn.play(&design, study::seed(5) + event);
        report(&played.table, true).mean.expect("games").score - played.white_these
    };
    let beyond: Vec<f64> = (0..study::size(100)).map(beyond).collect();
    let count = beyond.len() as f64;
    let bias = beyond.iter().sum::<f64>() / count;
    let square = beyond.iter().map(|b| (b - bias).powi(2)).sum::<f64>() / (count - 1.0);
    assert!(bias.abs() < 4.0 * (square / count).sqrt(), "{bias}");
}

/// 3. Equal engines that like positions are not called stronger, and do not pass a test.
#[test]
fn equal_engines_that_like_positions_stay_equal() {
    let likes = Truth {
        interaction: 0.5,
        ..PLAIN
    };
    let claims = [Promise::StrongerFalse, Promise::Engines];
    holds(&design(&[16; 24], false), &likes, 150, &claims);
    holds(
        &design(&two_sizes(1, 300, 4), false),
        &likes,
        80,
        &claims[..1],
    );
    let passed = |by_starts: bool| {
        let design = RepeatedStarts {
            starts: 24,
            interaction: 0.5,
            heavy: 0.0,
            most_pairs: 1500,
        };
        let passes = |seed: &u64| design.decision(by_starts, *seed) == Decision::Accepted;
        (0..100).filter(passes).count() as u64
    };
    assert!(at_least(passed(true), 100, 0.05) > BROKEN);
    // The check finds a method that is wrong.
    assert!(at_least(passed(false), 100, 0.05) < BROKEN);
    let level: Vec<Cluster> = (0..24)
        .map(|start| Cluster {
            start,
            pairs: [0, 0, 2, 0, 0],
            ..Cluster::default()
        })
        .collect();
    let level = Estimate::new(&level, Population::Like, Weights::EachPair).expect("pairs");
    assert!(level.elo_error(0.95).is_none_or(|error| error > 5.0));
}

/// 4. The range at equal strength holds under other laws of draws, and drawishness is no interaction.
#[test]
fn equal_strength_does_not_rest_on_one_law() {
    for law in [
        ResultLaw::Davidson,
        ResultLaw::OrderedLogit,
        ResultLaw::OrderedProbit,
    ] {
        let apart = Truth {
            law,
            apart: 1.8,
            ..PLAIN
        };
        let claims = [Promise::EqualStrength, Promise::AdvantageThese];
        holds(&design(&[8; 120], false), &apart, 60, &claims);
    }
    let drawish = Truth {
        draw_spread: 1.0,
        ..PLAIN
    };
    holds(
        &design(&[8; 120], false),
        &drawish,
        100,
        &[Promise::InteractionFalse],
    );
}

/// Item 5: no digit is chance of the computation, so the order of the games changes none. Where nothing differs, nothing
/// is estimated about half of the time.
#[test]
fn no_digit_is_noise_of_the_computation() {
    let spread = Truth {
        spread: 0.4,
        ..PLAIN
    };
    let table = spread.play(&design(&[6; 60], false), study::seed(11)).table;
    let mut reversed = GameTable::new(table.engines().to_vec());
    let mut rows: Vec<GameRow> = table.rows().collect();
    rows.reverse();
    for row in rows {
        reversed.push(row).expect("a valid game");
    }
    let digits = |table: &GameTable| format!("{:?}", report(table, false));
    assert_eq!(digits(&table), digits(&reversed));

    let none = |seed: &u64| {
        let played = PLAIN.play(&design(&[4; 120], false), *seed);
        report(&played.table, false)
            .spread
            .is_some_and(|spread| spread.sd_elo == 0.0)
    };
    let zero = (0..60).filter(none).count() as u64;
    assert!(zero >= 15, "{zero} of 60");
}

/// 6. A build against itself: copies are left out as whole pairs, so what is left is level.
#[test]
fn copies_are_left_out_as_pairs() {
    let mut random = SplitMix::new(study::seed(13));
    let mut table = GameTable::new(vec!["Dev".into(), "Base".into()]);
    let mut games = Vec::new();
    for pair in 0..60_u32 {
        let start = pair % 20;
        // Both games of a start are one game, always.
        let result = GameScore::ALL[(start as usize * 7) % 3];
        for (white, black) in [(0, 1), (1, 0)] {
            let row = GameRow {
                white,
                black,
                start,
                pair: Some(pair),
                result,
                flags: GameFlags::default(),
            };
            table.push(row).expect("a valid game");
            games.push(ComparedGame {
                start,
                white: 1,
                black: 1,
                pair: Some(pair),
                limits: 0,
                random: false,
                moves: Some(u64::from(start)),
            });
        }
        random.uniform();
    }
    Duplicates::new(&games).mark(&mut table);
    let pairing = table.without(GameFlags::REPLAY).pairing();
    assert_eq!((pairing.pairs.len(), pairing.single_games.len()), (20, 0));
    assert!(pairing.pairs.iter().all(|pair| pair.first_value() == 0.5));
    assert_eq!(clusters_of_first(&pairing.pairs).len(), 20);
}

/// 7. The table of truths can fail: exact binomial against what the words say, over designs and laws of all kinds.
#[test]
fn the_table_of_truths_can_fail() {
    let share = |sum, events| Share { sum, events };
    assert!(share(15.0, 20).p_value(Promise::Engines) < 0.003);
    assert!(share(920.0, 1000).p_value(Promise::AdvantageThese) < BROKEN);
    assert!(share(90.0, 1000).p_value(Promise::StrongerFalse) < BROKEN);
    assert!(share(950.0, 1000).p_value(Promise::AdvantageThese) > 0.4);
    for claim in Promise::ALL {
        assert!([0.95, 0.975, 0.05].contains(&claim.promise()));
    }
    let mut random = SplitMix::new(study::seed(17));
    let designs: Vec<Design> = (0..400).map(|_| Design::random(&mut random, 960)).collect();
    let ratio = |design: &Design| {
        let pairs = || design.blocks.iter().map(|block| block.pairs);
        f64::from(pairs().max().unwrap_or(0)) / f64::from(pairs().min().unwrap_or(1))
    };
    assert!(designs.iter().any(|d| ratio(d) == 1.0));
    assert!(designs.iter().filter(|d| ratio(d) >= 5.0).count() > 50);
    assert!(designs.iter().any(|d| d.by_goodness && ratio(d) >= 5.0));
    assert!(designs.iter().any(|d| d.self_play) && designs.iter().any(|d| d.engines == 4));
    let starts: Vec<usize> = designs.iter().map(|d| d.starts().len()).collect();
    assert!(starts.iter().any(|n| *n < 12) && starts.iter().any(|n| *n > 700));
    let truths: Vec<Truth> = (0..400).map(|_| Truth::random(&mut random)).collect();
    let any = |is: &dyn Fn(&Truth) -> bool| assert!(truths.iter().any(is));
    any(&|t| t.draws == 0.0);
    any(&|t| t.draws == 0.985);
    any(&|t| t.law == ResultLaw::OrderedLogit && t.apart > 1.0);
    any(&|t| t.shape == AdvantageShape::Sparse && t.spread > 0.5);
    any(&|t| t.shape == AdvantageShape::HeavyTails && t.interaction > 0.2);
    any(&|t| t.draw_by_number > 1.0 && t.spread == 0.0);
}
