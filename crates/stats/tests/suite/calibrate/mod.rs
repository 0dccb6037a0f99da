//! How often the printed results would be true for games like these: events whose truth is known are played on a
//! design, analysed as the event itself, and compared with the truth.
//!
//! * here: the events, judged
//! * [`claim`]: what is printed, and how often it held
//! * [`design`]: who plays whom on which starts how often
//! * [`truth`]: laws of results drawn at random, and the games they make

pub(crate) mod claim;
pub(crate) mod design;
pub(crate) mod truth;

use std::collections::BTreeMap;

use arbiter960_stats::advantage::{AdvantageOptions, AdvantageReport, RankVerdict};
use arbiter960_stats::counts::Pentanomial;
use arbiter960_stats::elo::{elo_from_score, elo_per_score};
use arbiter960_stats::estimate::positions::MARGIN_ELO;
use arbiter960_stats::estimate::{Estimate, Population, Weights, clusters_of_first};
use arbiter960_stats::maps::AdvantageMap;
use arbiter960_stats::maps::correlation::MapDifference;
use arbiter960_stats::match_statistics::MatchStatistics;
use arbiter960_stats::ratings::RatingInput;
use arbiter960_stats::ratings::errors::ClusterUnit;
use arbiter960_stats::ratings::ranks::comparisons;
use arbiter960_stats::ratings::table::{RatingOptions, RatingTable};
use arbiter960_stats::start_pairs::StartPairs;
use arbiter960_stats::start_pairs::leaves_out;

pub(crate) use claim::{Promise, Share, at_least};
pub(crate) use design::Design;
pub(crate) use truth::{SimulatedGames, Truth};

/// Shares of all claims.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Calibration {
    /// By claim.
    pub shares: BTreeMap<Promise, Share>,
}

impl Calibration {
    fn add(&mut self, claim: Promise, hit: bool) {
        self.add_share(claim, f64::from(u8::from(hit)));
    }

    fn add_share(&mut self, claim: Promise, share: f64) {
        let entry = self.shares.entry(claim).or_default();
        entry.sum += share;
        entry.events += 1;
    }

    /// Adds another's events.
    pub(crate) fn merge(&mut self, other: &Calibration) {
        for (claim, share) in &other.shares {
            let entry = self.shares.entry(*claim).or_default();
            entry.sum += share.sum;
            entry.events += share.events;
        }
    }

    /// Plays one event and judges its report.
    pub(crate) fn event(&mut self, design: &Design, truth: &Truth, seed: u64) {
        let played = truth.play(design, seed);
        let input = RatingInput::new(&played.table);
        let report = report(&input, design);
        self.judge_mean(&report, &played);
        self.judge_positions(&report, &played);
        let is_alike = truth.interaction == 0.0 && played.are_equal;
        match design.engines {
            _ if design.self_play => self.judge_compared(&report, design, truth, seed),
            2 => {
                self.judge_engines(&input, &played);
                self.judge_match(&input, &played, is_alike);
            }
            _ => self.judge_ratings(&input, design, truth, &played),
        }
        if let Some(p) = report.interaction_p.filter(|_| is_alike) {
            self.add(Promise::InteractionFalse, p < 0.05);
        }
        let twins = report.mirror.filter(|_| !design.by_goodness);
        if let Some(twins) = twins.filter(|_| truth.draw_by_number == 0.0) {
            self.add(Promise::MirrorFalse, twins.p_value < 0.05);
        }
    }

    fn judge_mean(&mut self, report: &AdvantageReport, played: &SimulatedGames) {
        // From fewer than six positions nothing is concluded about others.
        let Some(mean) = report.mean.filter(|mean| mean.positions >= 6) else {
            return;
        };
        let holds = |error: f64, score: f64| (mean.elo - elo_from_score(score)).abs() <= error;
        if let Some(error) = mean.elo_error_these {
            self.add(Promise::AdvantageThese, holds(error, played.white_these));
        }
        if let Some(error) = mean.elo_error_all.filter(|_| played.is_sample) {
            self.add(Promise::AdvantageAll, holds(error, played.white_all));
        }
        let equal = played.white_equal.filter(|_| played.is_sample);
        if let (Some(found), Some(score)) = (&report.equal_strength, equal) {
            let truth = elo_from_score(score);
            let inside = found.elo_lo <= truth && truth <= found.elo_hi;
            self.add(Promise::EqualStrength, inside);
        }
        if let Some(spread) = report.spread {
            let truth = elo_per_score(mean.score) * played.sd();
            let below = truth <= spread.sd_elo_hi + 1e-9;
            // An empty interval is not printed.
            if spread.sd_elo_hi.is_finite() {
                self.add(Promise::Spread, below && spread.sd_elo_lo <= truth + 1e-9);
                self.add(Promise::SpreadAtMost, below);
            }
            if played.sd() < 1e-6 {
                self.add(Promise::SpreadFalse, spread.p_value < 0.05);
            }
        }
    }

    fn judge_positions(&mut self, report: &AdvantageReport, played: &SimulatedGames) {
        if report.spread.is_none() {
            return;
        }
        let (mut own, mut shrunk, mut together, mut count) = (0.0, 0.0, true, 0.0);
        for position in &report.positions {
            let Some(score) = played.score_of(position.start) else {
                continue;
            };
            let elo = elo_from_score(score);
            let inside = |low: Option<f64>, high: Option<f64>| {
                low.unwrap_or(f64::NEG_INFINITY) <= elo && elo <= high.unwrap_or(f64::INFINITY)
            };
            count += 1.0;
            own += f64::from(u8::from(inside(position.own_elo_lo, position.own_elo_hi)));
            shrunk += f64::from(u8::from(inside(position.elo_lo, position.elo_hi)));
            together &= inside(position.simultaneous_elo_lo, position.simultaneous_elo_hi);
        }
        self.add_share(Promise::PositionOwn, own / count);
        self.add_share(Promise::PositionShrunk, shrunk / count);
        self.add(Promise::PositionsTogether, together);
        self.judge_named(Promise::NamedFalse, report, played.white_these, |start| {
            played.score_of(start)
        });
    }

    /// Of the positions that are named, those within the margin; `score_of` has their true scores.
    fn judge_named(
        &mut self,
        claim: Promise,
        report: &AdvantageReport,
        mean: f64,
        score_of: impl Fn(u32) -> Option<f64>,
    ) {
        if report.spread.is_none() {
            return;
        }
        let mean = elo_from_score(mean);
        let (mut named, mut falsely) = (0.0_f64, 0.0);
        for position in &report.positions {
            let is_named = !matches!(
                position.verdict,
                None | Some(RankVerdict::NotDistinguishable)
            );
            if let Some(score) = score_of(position.start).filter(|_| is_named) {
                named += 1.0;
                let beyond = (elo_from_score(score) - mean).abs();
                falsely += f64::from(u8::from(beyond <= MARGIN_ELO));
            }
        }
        self.add_share(claim, falsely / named.max(1.0));
    }

    fn judge_engines(&mut self, input: &RatingInput, played: &SimulatedGames) {
        let clusters = clusters_of_first(&input.pairing.pairs);
        let found = Estimate::new(&clusters, Population::Like, Weights::EachPair);
        let usable = found.filter(|found| found.positions >= 6 && played.is_sample);
        let Some(found) = usable else {
            return;
        };
        let ends = |error: f64| [found.elo() - error, found.elo() + error];
        let Some([low, high]) = found.elo_error(0.95).map(ends) else {
            return;
        };
        let truth = elo_from_score(played.first_all);
        self.add(Promise::Engines, low <= truth && truth <= high);
        if played.are_equal {
            self.add(Promise::StrongerFalse, low > 0.0 || high < 0.0);
        }
        if let Some(los) = found.superiority().filter(|_| played.are_equal) {
            self.add(Promise::SuperiorFalse, (los - 0.5).abs() > 0.475);
        }
    }

    /// What is about just these positions.
    fn judge_match(&mut self, input: &RatingInput, played: &SimulatedGames, is_alike: bool) {
        let mut counts = [0; 5];
        let mut always = true;
        for pair in &input.pairing.pairs {
            counts[(4.0 * pair.first_value()) as usize] += 1;
            always &= !leaves_out(&Pentanomial(counts).into(), 0.5, 0.95);
        }
        let pairs = StartPairs::on_own_starts(Pentanomial(counts));
        let Some(found) = MatchStatistics::of_pairs(&pairs, 0.95) else {
            return;
        };
        let truth = elo_from_score(played.first_these);
        let inside = found.profile.elo_lo <= truth && truth <= found.profile.elo_hi;
        self.add(Promise::EnginesThese, inside);
        if !is_alike {
            return;
        }
        self.add(Promise::WatchedFalse, !always);
        if let Some(nelo) = found.nelo {
            self.add(Promise::Normalized, nelo.nelo.abs() <= nelo.error);
        }
        let ends = found
            .ratios
            .and_then(|r| r.pairs_ratio_lo.zip(r.pairs_ratio_hi));
        if let Some((low, high)) = ends {
            self.add(Promise::PairRatio, low <= 1.0 && 1.0 <= high);
        }
    }

    /// Ratings of equals: whatever the law of results is, all are 0.
    fn judge_ratings(
        &mut self,
        input: &RatingInput,
        design: &Design,
        truth: &Truth,
        played: &SimulatedGames,
    ) {
        let table = RatingTable::new(input, &RatingOptions::default());
        let usable = table.ok().filter(|_| played.are_equal && played.is_sample);
        let by_position = ClusterUnit::recommended(input) == ClusterUnit::Position;
        let Some(table) = usable.filter(|_| by_position) else {
            return;
        };
        let engines = 0..design.engines;
        let holds = |engine: u16| Some(table.elo(engine)?.abs() <= table.half_width(engine, 0.95)?);
        let held: Vec<bool> = engines.clone().filter_map(holds).collect();
        let share = held.iter().filter(|held| **held).count() as f64 / held.len() as f64;
        self.add_share(Promise::Ratings, share);
        // Of more engines the comparisons are not printed.
        let all: Vec<usize> = engines.take(12).map(usize::from).collect();
        if let Some(found) = comparisons(&table, &all, 0.95, 1) {
            self.add(
                Promise::ApartFalse,
                found.iter().any(|two| two.p_adjusted < 0.05),
            );
        }
        let white = table.white_elo().zip(table.white_standard_error());
        let is_sample = !design.by_goodness && truth.draw_by_number == 0.0;
        if let (Some((elo, error)), Some(errors), true) = (white, &table.errors, is_sample) {
            let beyond = (elo - elo_from_score(played.white_all)).abs();
            self.add(
                Promise::RatingsWhite,
                beyond <= errors.multiplier(0.95) * error,
            );
        }
    }

    /// Another event on the same positions, compared with this one.
    fn judge_compared(
        &mut self,
        report: &AdvantageReport,
        design: &Design,
        truth: &Truth,
        seed: u64,
    ) {
        let again = truth.play_on(design, seed, !seed).table;
        let other = self::report(&RatingInput::new(&again), design);
        let maps = [report, &other].map(|report| AdvantageMap::new("", report).ok());
        let [Some(one), Some(other)] = maps else {
            return;
        };
        if let Some(found) = MapDifference::new(&one, &other, 0.95) {
            self.add(Promise::Compared, found.elo.abs() <= found.elo_error_these);
            self.add(Promise::ComparedFalse, found.p_parallel < 0.05);
        }
    }
}

/// The report on the first move.
fn report(input: &RatingInput, design: &Design) -> AdvantageReport {
    let options = AdvantageOptions {
        reference: None,
        self_play: design.self_play,
        ..AdvantageOptions::default()
    };
    AdvantageReport::of_input(input, &options, |start| Some(start ^ 1))
}
