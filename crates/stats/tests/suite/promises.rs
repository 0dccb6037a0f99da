//! Every printed number, what its words promise, and how often it was true in events of random design under random laws
//! of results: the table `results/truths/promises.csv`.
//!
//! A promise is broken where the exact binomial probability of such a share, or a worse one, is below 1 in 10,000 if
//! the promise were kept: over all events, or in one of their strata. A test plays some hundred events, always the same; `ARBITER960_STUDY=50` fifty times as many,
//! with up to 960 positions, and `ARBITER960_STUDY_SEED` others. The table is made by
//!
//!     ARBITER960_WRITE_TRUTHS=1 ARBITER960_STUDY=10 cargo test -p arbiter960-stats --test suite promises

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use arbiter960_stats::elo::{NORMALIZED_ELO_SCALE, elo_from_score};
use arbiter960_stats::numeric::SplitMix;
use arbiter960_stats::numeric::beside;
use arbiter960_stats::sprt::{Decision, Hypotheses, Model, Sprt};
use arbiter960_stats::start_pairs::StartPairs;

use super::calibrate::{Calibration, Design, Promise, Share, Truth, at_least};
use super::opponents::{Others, pair};
use super::repeated_starts::RepeatedStarts;
use super::study;

/// Below this a promise is broken.
const BROKEN: f64 = 1e-4;
const EVENTS: u64 = 240;
const TESTS: u64 = 60;

/// A line of the table.
struct Line {
    id: String,
    /// The id of the claim that makes it, if one does.
    claim: &'static str,
    words: String,
    promise: f64,
    share: f64,
    events: u64,
    p: f64,
    /// The stratum that keeps the promise worst: its share, its events, and p for all strata together (Bonferroni).
    worst: Option<(String, f64, u64, f64)>,
}

/// Events of one kind: by draws, by strength, by numbers of pairs.
fn stratum(design: &Design, truth: &Truth) -> String {
    let draws = match truth.draws {
        draws if draws < 0.4 => "few draws",
        draws if draws < 0.8 => "draws",
        _ => "nearly all drawn",
    };
    let strength = match truth.apart {
        _ if design.self_play => "self-play",
        0.0 => "equal",
        _ => "unequal",
    };
    let pairs = || design.blocks.iter().map(|block| block.pairs);
    let differ = pairs().max() > pairs().min().map(|fewest| 2 * fewest);
    let numbers = if differ {
        "other numbers"
    } else {
        "one number"
    };
    format!("{draws}; {strength}; {numbers}")
}

/// Events whose design and law are drawn from the seed.
fn events(seed: u64, most: u32) -> Vec<Line> {
    let half = |half: u64| {
        let mut random = SplitMix::new(seed.wrapping_add(half));
        let mut found = BTreeMap::<String, Calibration>::new();
        for event in 0..study::size(EVENTS) / 2 {
            let design = Design::random(&mut random, most);
            let truth = Truth::random(&mut random);
            let number = seed.wrapping_mul(1_000_003) + 2 * event + half;
            let own = found.entry(stratum(&design, &truth)).or_default();
            own.event(&design, &truth, number);
        }
        found
    };
    let (mut strata, other) = beside(|| half(0), || half(1));
    for (stratum, found) in other {
        strata.entry(stratum).or_default().merge(&found);
    }
    let mut all = Calibration::default();
    strata.values().for_each(|found| all.merge(found));
    let line = |claim: &Promise| {
        let share: &Share = all.shares.get(claim)?;
        let by_stratum = strata.iter().filter_map(|(stratum, found)| {
            let own = found.shares.get(claim)?;
            Some((
                stratum.clone(),
                own.value(),
                own.events,
                own.p_value(*claim),
            ))
        });
        let by_stratum: Vec<_> = by_stratum.collect();
        let count = by_stratum.len() as f64;
        let worst = by_stratum.into_iter().min_by(|a, b| a.3.total_cmp(&b.3));
        Some(Line {
            id: format!("{claim:?}"),
            claim: claim.claim(),
            words: claim.words().to_owned(),
            promise: claim.promise(),
            share: share.value(),
            events: share.events,
            p: share.p_value(*claim),
            worst: worst
                .map(|(stratum, share, events, p)| (stratum, share, events, (count * p).min(1.0))),
        })
    };
    Promise::ALL.iter().filter_map(line).collect()
}

impl Line {
    /// Of sequential tests: what was right, or wrong where at most that share may be, of so many.
    fn new(id: &str, words: String, promise: f64, [hits, events]: [u64; 2]) -> Line {
        let bad = if promise < 0.5 { hits } else { events - hits };
        Line {
            id: id.to_owned(),
            claim: "sprt",
            words,
            promise,
            share: hits as f64 / events as f64,
            events,
            p: at_least(bad, events, 0.05),
            worst: None,
        }
    }
}

/// Tests of [0, 20] nElo between engines that are equal on average, on starts that repeat.
fn sequential(design: RepeatedStarts, seed: u64) -> [Line; 2] {
    let tests = study::size(TESTS);
    let (mut passed, mut held) = (0, 0);
    for test in 0..tests {
        let played = design.played(true, seed.wrapping_mul(1_000_003) + test);
        passed += u64::from(played.status().decision == Decision::Accepted);
        held += u64::from(holds(&played, 0.0));
    }
    let RepeatedStarts {
        starts,
        interaction,
        heavy,
        ..
    } = design;
    let on =
        format!("{starts} starts, interaction {interaction}, {heavy} of the pairs on one more");
    let line =
        |id, words, promise, hits| Line::new(id, format!("{words}: {on}"), promise, [hits, tests]);
    [
        line(
            "SprtPassedFalse",
            "equal engines pass an SPRT",
            0.05,
            passed,
        ),
        line("SprtElo", "stage-wise Elo after an SPRT", 0.95, held),
    ]
}

/// Whether the interval after a test holds this Elo.
fn holds(test: &Sprt, elo: f64) -> bool {
    let found = test.estimate(0.95).expect("pairs were played").stagewise;
    found.lo <= elo && elo <= found.hi
}

/// Tests of [0, 40] nElo that end at `pairs` for certain, where each hypothesis is true.
fn truncated(draws: f64, pairs: u64, seed: u64) -> [Line; 3] {
    let tests = 4 * study::size(TESTS);
    let test = Hypotheses::new(Model::Normalized, 0.0, 40.0, 0.05, 0.05).expect("a test");
    let test = test.truncated_at(pairs).expect("enough pairs");
    let (mut wrong, mut held) = ([0, 0], 0);
    for (place, nelo) in [0.0, 40.0].into_iter().enumerate() {
        // The standard deviation of a game's score is √(1 − draws) / 2.
        let score = 0.5 + nelo / NORMALIZED_ELO_SCALE * 0.5 * (1.0 - draws).sqrt();
        for number in 0..tests {
            let mut random = SplitMix::new(seed.wrapping_mul(1_000_003) + number);
            let mut sprt = Sprt::new(test, 1, true);
            while sprt.status().decision == Decision::Undecided {
                sprt.update(pair(&mut random, draws, score));
            }
            assert!(sprt.status().pairs <= pairs);
            let passed = sprt.status().decision == Decision::Accepted;
            wrong[place] += u64::from(passed == (place == 0));
            held += u64::from(holds(&sprt, elo_from_score(score)));
        }
    }
    let law = format!("at most {pairs} pairs, {:.0} % draws", 100.0 * draws);
    three_lines(
        "Truncated",
        "a test that ends for certain",
        &law,
        (wrong, held),
        tests,
    )
}

/// How often equal engines passed, others failed, and the Elo of both was held.
fn three_lines(
    id: &str,
    test: &str,
    law: &str,
    (wrong, held): ([u64; 2], u64),
    tests: u64,
) -> [Line; 3] {
    let line = |what: &str, words: &str, promise, counts| {
        let words = format!("{words} {test}: {law}");
        Line::new(&format!("{id}{what}"), words, promise, counts)
    };
    [
        line("PassedFalse", "equal engines pass", 0.05, [wrong[0], tests]),
        line(
            "FailedFalse",
            "an engine as strong as H1 fails",
            0.05,
            [wrong[1], tests],
        ),
        line("Elo", "stage-wise Elo after", 0.95, [held, 2 * tests]),
    ]
}

/// Tests of the difference of two engines against the same opponents, where each hypothesis is true.
fn against_others(design: &Others, seed: u64) -> Vec<Line> {
    let tests = 4 * study::size(TESTS);
    let (mut wrong, mut held) = ([0, 0], 0);
    for (place, nelo) in [0.0, 40.0].into_iter().enumerate() {
        let more = design.difference(nelo);
        for number in 0..tests {
            let played = design.played(more, seed.wrapping_mul(1_000_003) + number);
            let worse = [Decision::Accepted, Decision::Rejected][place];
            wrong[place] += u64::from(played.status().decision == worse);
            held += u64::from(holds(&played, elo_from_score(0.5 + more)));
        }
    }
    let law = format!(
        "{} opponents, {:.0} % draws, {} starts, liking {}",
        design.scores.len(),
        100.0 * design.draws,
        design.starts,
        design.liking
    );
    let lines = three_lines(
        "Others",
        "a test against others",
        &law,
        (wrong, held),
        tests,
    );
    // What engines like is noise, too: the difference is less than H1 has it.
    let is_true = |line: &Line| design.liking == 0.0 || line.id != "OthersFailedFalse";
    lines.into_iter().filter(is_true).collect()
}

/// Matches that end when the difference is known to ± `within`.
fn known(draws: f64, score: f64, within: f64, seed: u64) -> Line {
    let matches = 2 * study::size(TESTS);
    let mut left = 0;
    for number in 0..matches {
        let mut random = SplitMix::new(seed.wrapping_mul(1_000_003) + number);
        let mut pairs = StartPairs::default();
        let found = loop {
            pairs.add(None, pair(&mut random, draws, score));
            let count = pairs.pairs().pairs();
            if count % (count / 64).next_power_of_two() != 0 {
                continue;
            }
            let found = pairs.always_valid(0.95).expect("pairs").elo();
            if found[1] - found[0] <= 2.0 * within {
                break found;
            }
        };
        let truth = elo_from_score(score);
        left += u64::from(truth < found[0] || found[1] < truth);
    }
    let words = format!(
        "Elo where a test ends at ± {within}: {:.0} % draws, score {score}",
        100.0 * draws
    );
    Line::new("KnownWithin", words, 0.95, [matches - left, matches])
}

#[test]
fn what_is_printed_holds_in_random_designs() {
    let seed = study::seed(27);
    let most = if study::is_large() { 960 } else { 120 };
    let mut lines = events(seed, most);
    for design in RepeatedStarts::ALL {
        lines.extend(sequential(design, seed));
    }
    for (draws, pairs) in [(0.1, 450), (0.1, 900), (0.5, 450), (0.9, 450), (0.9, 900)] {
        lines.extend(truncated(draws, pairs, seed));
    }
    lines.extend(
        Others::ALL
            .iter()
            .flat_map(|design| against_others(design, seed)),
    );
    for (draws, score) in [
        (0.0, 0.5),
        (0.1, 0.8),
        (0.6, 0.52),
        (0.95, 0.5),
        (0.95, 0.52),
    ] {
        lines.push(known(draws, score, 20.0, seed));
    }
    let mut table =
        "id,claim,words,promise,share,events,p,worst,worst_share,worst_events,worst_p\n".to_owned();
    for line in &lines {
        let Line {
            id,
            claim,
            words,
            promise,
            share,
            events,
            p,
            worst,
        } = line;
        let worst = worst.as_ref().map_or_else(
            || ",,,".to_owned(),
            |(stratum, share, events, p)| format!("{stratum},{share:.4},{events},{p:.4}"),
        );
        writeln!(
            table,
            "{id},{claim},\"{words}\",{promise},{share:.4},{events},{p:.4},{worst}"
        )
        .expect("a text");
    }
    println!("{table}");
    if std::env::var_os("ARBITER960_WRITE_TRUTHS").is_some() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/truths");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("promises.csv"), &table).expect("a file");
    }
    let said: Vec<&str> = lines.iter().map(|line| line.id.as_str()).collect();
    for claim in Promise::ALL {
        assert!(
            said.contains(&format!("{claim:?}").as_str()),
            "{claim:?} was never claimed"
        );
    }
    let broken: Vec<&str> = lines
        .iter()
        .filter(|line| {
            let worst = line.worst.as_ref().map_or(1.0, |worst| worst.3);
            line.p.min(worst) < BROKEN
        })
        .map(|line| line.words.as_str())
        .collect();
    assert!(broken.is_empty(), "{broken:?}\n{table}");
}

/// Tests of pairs pass equal engines in 15 to 41 % here.
#[test]
fn equal_engines_that_like_positions_do_not_pass() {
    let passed = |design: RepeatedStarts, by_starts: bool, tests: u64| {
        let passes = |seed: &u64| design.decision(by_starts, *seed) == Decision::Accepted;
        (0..tests).filter(passes).count() as u64
    };
    for starts in [10, 24, 96] {
        let design = RepeatedStarts {
            most_pairs: 1500,
            ..RepeatedStarts::of(starts, 0.5)
        };
        let (by_starts, by_pairs) = (passed(design, true, 150), passed(design, false, 150));
        let p = at_least(by_starts, 150, 0.05);
        assert!(p > 1e-3, "{starts} starts: {by_starts} of 150 passed");
        assert!(by_pairs > by_starts, "{starts} starts: {by_pairs}");
    }
}
