//! Two engines: Elo in its variants.

use serde::Serialize;

use super::GameSelection;
use crate::stats::counts::{PairCounts, PairScore, Trinomial};
use crate::stats::elo::elo_from_score;
use crate::stats::estimate::{Estimand, Population, Weights, clusters_of_first};
use crate::stats::games::{GameFlags, GameTable, Pair};
use crate::stats::match_statistics::MatchStatistics;
use crate::stats::profile::profile_interval;
use crate::stats::ratings::{ClusterUnit, RatingInput};
use crate::stats::ratios::{MiddlePairs, PositionBias, draw_ratio, middle_pairs, position_bias};
use crate::stats::sample::Sample;
use crate::stats::start_pairs::StartPairs;

/// A match, from the first engine's point of view.
#[derive(Debug, Clone, Serialize)]
pub struct EncounterReport {
    pub engines: [String; 2],
    /// All games counted: `[losses, draws, wins]`, those outside pairs included.
    pub trinomial: Trinomial,
    /// The complete pairs, and their games.
    pub counts: PairCounts,
    /// Statistics of the pairs, or of single games without any pairs.
    #[serde(flatten)]
    pub statistics: Option<MatchStatistics>,
    /// The games of the level pairs.
    pub middle: MiddlePairs,
    /// Share of drawn games.
    pub draw_ratio: Option<f64>,
    /// The contribution of the start positions.
    pub position_bias: Option<PositionBias>,
    /// The difference with errors clustered by position, where positions repeat.
    pub by_position: Option<ClusteredElo>,
    /// The estimate with other games left out or included.
    pub selections: Vec<SelectionReport>,
    /// The complete pairs that every estimate here is made of.
    #[serde(skip)]
    pub(crate) sample: StartPairs,
}

/// Elo of the pairs with errors clustered by position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ClusteredElo {
    /// Elo of the mean score, each pair alike.
    pub elo: f64,
    /// Half width of the 95 % interval; `None` if the games do not determine it.
    pub elo_error: Option<f64>,
    /// `P(T < t)` by the same error: near 1 if the first is certainly ahead.
    pub los: Option<f64>,
    /// Number of clusters: positions.
    pub clusters: usize,
    /// Degrees of freedom of the error: few if a few positions have most of the pairs.
    pub freedom: f64,
}

/// Elo of a selection of the games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SelectionReport {
    pub selection: GameSelection,
    /// Complete pairs in it.
    pub pairs: u64,
    /// Games in it, those outside pairs included.
    pub games: u64,
    /// Elo of the pairs, or of single games without any pairs; `None` without games.
    #[serde(serialize_with = "crate::stats::elo::serialize_undefined")]
    pub elo: Option<f64>,
    /// Lower end of the profile interval.
    #[serde(serialize_with = "crate::stats::elo::serialize_undefined")]
    pub elo_lo: Option<f64>,
    /// Upper end.
    #[serde(serialize_with = "crate::stats::elo::serialize_undefined")]
    pub elo_hi: Option<f64>,
}

impl EncounterReport {
    /// Of a table with two engines; `all` holds the replays, `counted` does not.
    pub(super) fn new(
        all: &GameTable,
        counted: &GameTable,
        input: &RatingInput,
        level: f64,
    ) -> Option<EncounterReport> {
        let [first, second] = counted.engines() else {
            return None;
        };
        let pairs = &input.pairing.pairs;
        let counts = pair_counts(pairs);
        let trinomial = games_of_first(counted);
        let mut sample = StartPairs::default();
        pairs
            .iter()
            .for_each(|pair| sample.add(pair.start.into(), pair_score(pair)));
        let statistics = MatchStatistics::of_pairs(&sample, level)
            .or_else(|| MatchStatistics::of_games(&trinomial, level));
        Some(EncounterReport {
            engines: [first.clone(), second.clone()],
            trinomial,
            counts,
            statistics,
            middle: middle_pairs(&counts),
            draw_ratio: draw_ratio(&trinomial),
            position_bias: position_bias(&counts),
            by_position: clustered(input, level),
            selections: selections(all, counted, level),
            sample,
        })
    }

    /// Whether pairs are the unit of the statistics.
    pub fn has_pairs(&self) -> bool {
        self.counts.pairs.pairs() > 0
    }
}

/// The pairs from the point of view of the engine with the smaller index.
fn pair_counts(pairs: &[Pair]) -> PairCounts {
    pairs.iter().map(pair_score).collect()
}

fn pair_score(pair: &Pair) -> PairScore {
    let [as_white, as_black] = pair.white_results;
    PairScore::new(as_white, as_black.reversed())
}

/// All games from the point of view of engine 0.
fn games_of_first(table: &GameTable) -> Trinomial {
    let mut games = Trinomial::default();
    for row in table.rows() {
        games.add(match row.white {
            0 => row.result,
            _ => row.result.reversed(),
        });
    }
    games
}

/// Each pair alike, the positions treated as a sample of others like them.
fn clustered(input: &RatingInput, level: f64) -> Option<ClusteredElo> {
    if ClusterUnit::recommended(input) != ClusterUnit::Position {
        return None;
    }
    let estimand = Estimand {
        population: Population::Like,
        weights: Weights::EachPair,
    };
    let found = estimand.estimate(&clusters_of_first(&input.pairing.pairs))?;
    Some(ClusteredElo {
        elo: found.elo(),
        elo_error: found.elo_error(level),
        los: found.superiority(),
        clusters: found.positions,
        freedom: found.freedom,
    })
}

/// The selections that differ from what is counted.
fn selections(all: &GameTable, counted: &GameTable, level: f64) -> Vec<SelectionReport> {
    let with = |name, flags, games: &GameTable, left_out| {
        let has = all.rows().any(|row| row.flags.intersects(flags));
        has.then(|| selection(name, &games.without(left_out), level))
    };
    let (forfeit, host) = (GameFlags::FORFEIT, GameFlags::HOST_FAULT);
    let (replay, coincidence) = (GameFlags::REPLAY, GameFlags::COINCIDENCE);
    let (none, copies) = (GameFlags::default(), replay.with(coincidence));
    let found = [
        with(GameSelection::WithoutForfeits, forfeit, counted, forfeit),
        with(GameSelection::WithoutHostFaults, host, counted, host),
        with(GameSelection::WithReplays, replay, all, none),
        with(GameSelection::WithoutCopies, coincidence, all, copies),
    ];
    found.into_iter().flatten().collect()
}

fn selection(selection: GameSelection, table: &GameTable, level: f64) -> SelectionReport {
    let counts = pair_counts(&table.pairing().pairs);
    let trinomial = games_of_first(table);
    let sample = match counts.pairs.pairs() {
        0 => Sample::from(trinomial),
        _ => Sample::from(counts.pairs),
    };
    let interval = (!sample.is_empty()).then(|| profile_interval(&sample, level));
    SelectionReport {
        selection,
        pairs: counts.pairs.pairs(),
        games: table.len() as u64,
        elo: sample.moments().map(|moments| elo_from_score(moments.mean)),
        elo_lo: interval.map(|interval| interval.elo_lo),
        elo_hi: interval.map(|interval| interval.elo_hi),
    }
}
