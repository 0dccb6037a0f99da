//! The first-move advantage of an event in one serialisable value.
//!
//! * here: how it is computed from the games, by [`crate::estimate`]
//! * [`report`]: what it says; positions that differ by castling alone

pub mod report;

use crate::elo::elo_per_score;
use crate::estimate::laws::EqualStrength;
use crate::estimate::positions::{KnownPositions, average_variance};
use crate::estimate::spread::{Spread, differs_p_value};
use crate::estimate::{
    Cluster, Estimate, Population, Weights, clusters_of_white, has_mostly_pairs,
};
use crate::games::{Cell, Pair};
use crate::numeric::distributions::normal_cdf;
use crate::ratings::RatingInput;

pub use report::{
    AdvantageReport, Equivalence, MeanAdvantage, MirrorTwins, PositionReport, RankVerdict,
    SpreadReport,
};

/// Options of [`AdvantageReport::of_input`].
#[derive(Clone, Copy, Debug)]
pub struct AdvantageOptions {
    /// Probability of the intervals.
    pub level: f64,
    /// The position the others are compared with, if there is one.
    pub reference: Option<u32>,
    /// Elo within which a position is equivalent to the mean of all.
    pub equivalence: Option<f64>,
    /// Both sides are one engine: all games count, and strength needs no law.
    pub self_play: bool,
}

impl Default for AdvantageOptions {
    fn default() -> Self {
        Self {
            level: 0.95,
            reference: Some(518),
            equivalence: None,
            self_play: false,
        }
    }
}

impl MeanAdvantage {
    /// Each position alike; `None` without games.
    pub fn new(clusters: &[Cluster], level: f64) -> Option<Self> {
        let [these, like] =
            [Population::These, Population::Like].map(|population| mean_of(population, clusters));
        let (these, like) = (these?, like?);
        let elo_error_these = these.elo_error(level);
        // Positions that happen to agree do not make all starts better known than these.
        let all = like.elo_error(level);
        let elo_error_all = all.map(|all| elo_error_these.map_or(all, |these| all.max(these)));
        Some(Self {
            score: like.score,
            elo: like.elo(),
            elo_error_these,
            elo_error_all,
            positions: like.positions,
        })
    }

    /// White's advantage in games that are summarised already.
    pub fn of_input(input: &RatingInput, self_play: bool, level: f64) -> Option<Self> {
        let clusters = white(input, self_play);
        Self::new(&clusters, level)
    }
}

fn white(input: &RatingInput, self_play: bool) -> Vec<Cluster> {
    clusters_of_white(&input.pairing.pairs, &input.cells, self_play)
}

impl AdvantageReport {
    /// Analyses games. `mirror_of` gives the start number of a position's left-right mirror,
    /// where there is one.
    pub fn of_input(
        input: &RatingInput,
        options: &AdvantageOptions,
        mirror_of: impl Fn(u32) -> Option<u32>,
    ) -> Self {
        let clusters = white(input, options.self_play);
        let positions = input.cells.chunk_by(|a, b| a.start == b.start);
        let positions = positions.map(|cells| counted(cells, &clusters)).collect();
        let mut report = Self::new(&clusters, positions, options, mirror_of);
        let games: f64 = input.colours.iter().map(Cell::games).sum();
        let draws: f64 = input.colours.iter().map(Cell::draws).sum();
        report.engines.clone_from(&input.engines);
        report.games = games as usize;
        report.draw_rate = (games > 0.0).then(|| draws / games);
        if !options.self_play {
            let pairs = &input.pairing.pairs;
            let like = mean_of(Population::Like, &clusters)
                .filter(|_| has_mostly_pairs(pairs, &input.cells));
            report.interaction_p = interaction(pairs);
            report.equal_strength =
                like.and_then(|white| EqualStrength::new(pairs, &white, options.level));
        }
        report
    }

    /// Of a table of results: lost, drawn and won games of White on each start, in the order of
    /// starts.
    pub fn of_table(
        results: &[(u32, [u32; 3])],
        options: &AdvantageOptions,
        mirror_of: impl Fn(u32) -> Option<u32>,
    ) -> Self {
        let clusters: Vec<Cluster> = results
            .iter()
            .map(|(start, results)| Cluster::of_games(*start, *results))
            .collect();
        let position = |cluster: &Cluster| PositionReport {
            start: cluster.start,
            games: cluster.games() as u32,
            raw: Some(cluster.mean()),
            ..PositionReport::default()
        };
        let positions = clusters.iter().map(position).collect();
        let mut report = Self::new(&clusters, positions, options, mirror_of);
        let sum = |kind: usize| results.iter().map(|(_, r)| r[kind] as usize).sum::<usize>();
        report.games = sum(0) + sum(1) + sum(2);
        report.draw_rate = (report.games > 0).then(|| sum(1) as f64 / report.games as f64);
        report
    }

    fn new(
        clusters: &[Cluster],
        positions: Vec<PositionReport>,
        options: &AdvantageOptions,
        mirror_of: impl Fn(u32) -> Option<u32>,
    ) -> Self {
        let mut report = Self {
            mean: MeanAdvantage::new(clusters, options.level),
            mirror: MirrorTwins::new(clusters, mirror_of, options.level),
            positions,
            ..Self::default()
        };
        match Spread::new(clusters, options.level) {
            Ok(spread) => report.enter(clusters, &spread, options),
            Err(why) => report.spread_reason = Some(why.to_string()),
        }
        report
    }

    fn enter(&mut self, clusters: &[Cluster], spread: &Spread, options: &AdvantageOptions) {
        let Some(known) = KnownPositions::new(clusters, spread, options) else {
            return;
        };
        let slope = elo_per_score(known.mean);
        self.spread = Some(SpreadReport {
            sd_elo: slope * spread.sd,
            sd_elo_lo: slope * spread.sd_lo,
            sd_elo_hi: slope * spread.sd_hi,
            p_value: spread.p_value,
            positions: spread.positions,
            cochran: spread.q,
        });
        self.farthest_elo = known.farthest_elo();
        self.unbalanced = known.unbalanced;
        self.unit_variance = average_variance(clusters);
        let reference = known
            .positions
            .iter()
            .find(|p| Some(p.start) == options.reference);
        let above = |position: &PositionReport| {
            let reference = reference.filter(|reference| reference.start != position.start)?;
            let difference = position.shrunk? - reference.shrunk?;
            let variance = position.shrunk_sd?.powi(2) + reference.shrunk_sd?.powi(2);
            Some(normal_cdf(difference / variance.max(1e-24).sqrt()))
        };
        for position in &known.positions {
            let place = self
                .positions
                .binary_search_by_key(&position.start, |p| p.start);
            if let Ok(place) = place {
                let own = &mut self.positions[place];
                *own = PositionReport {
                    games: own.games,
                    pairs: own.pairs,
                    p_above_reference: above(position),
                    ..position.clone()
                };
            }
        }
        self.equivalence = options.equivalence.map(|margin_elo| Equivalence {
            margin_elo,
            positions: self
                .positions
                .iter()
                .filter(|p| p.p_equivalent.is_some_and(|p| p >= options.level))
                .count(),
        });
    }
}

/// White's mean, every position with the same weight.
fn mean_of(population: Population, clusters: &[Cluster]) -> Option<Estimate> {
    Estimate::new(clusters, population, Weights::EachPosition)
}

/// That the score of no two engines against each other depends on the position.
fn interaction(pairs: &[Pair]) -> Option<f64> {
    let mut sorted: Vec<Pair> = pairs.to_vec();
    sorted.sort_unstable_by_key(|pair| (pair.first, pair.second));
    let by_start = |meeting: &[Pair]| {
        let sum: f64 = meeting.iter().map(Pair::first_value).sum();
        let mean = sum / meeting.len() as f64;
        let clusters = crate::estimate::clusters_of_first(meeting);
        clusters.into_iter().map(move |cluster| (mean, cluster))
    };
    let meetings = sorted.chunk_by(|a, b| (a.first, a.second) == (b.first, b.second));
    let groups: Vec<(f64, Cluster)> = meetings.flat_map(by_start).collect();
    differs_p_value(groups.iter().map(|(mean, cluster)| (*mean, cluster)))
}

/// A position with its counts.
fn counted(cells: &[Cell], clusters: &[Cluster]) -> PositionReport {
    let start = cells[0].start;
    let games = cells.iter().map(|cell| cell.results.iter().sum::<u32>());
    let place = clusters.binary_search_by_key(&start, |cluster| cluster.start);
    let cluster = place.ok().map(|place| &clusters[place]);
    PositionReport {
        start,
        games: games.sum(),
        pairs: cluster.map_or(0, Cluster::pair_count),
        raw: cluster.map(Cluster::mean),
        ..PositionReport::default()
    }
}
