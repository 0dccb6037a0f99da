//! Two engines: Elo in its variants.

use serde::Serialize;

use crate::stats::advantage::MeanAdvantage;
use crate::stats::counts::{PairCounts, PairScore, Sample, Trinomial};
use crate::stats::elo::elo_from_score;
use crate::stats::estimate::{Estimate, Population, Weights, clusters_of_first};
use crate::stats::games::{GameFlags, GameTable, Pair};
use crate::stats::interval::profile_interval;
use crate::stats::match_statistics::{
    MatchStatistics, MiddlePairs, PositionBias, draw_ratio, middle_pairs, position_bias,
};
use crate::stats::ratings::table::RatingOptions;
use crate::stats::ratings::{ClusterUnit, RatingInput, RatingTable};
use crate::stats::sprt::{Hypotheses, SprtStatus, StoppedTest, TestUnit};
use crate::stats::start_pairs::StartPairs;
use crate::tournament::SprtWatch;

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
    /// Of a table with two engines; `all` holds the replays, `counted` does not. Where a `test` of pairs has ended, its
    /// own pairs are the sample.
    pub(super) fn new(
        all: &GameTable,
        counted: &GameTable,
        input: &RatingInput,
        test: Option<&SprtWatch>,
        level: f64,
    ) -> Option<EncounterReport> {
        let [first, second] = counted.engines() else {
            return None;
        };
        let tested = test.filter(|test| test.is_ended() && test.has_pairs());
        let (sample, counts, trinomial) = if let Some(test) = tested {
            let (sample, counts) = (test.sprt().sample().clone(), test.sprt().counts());
            (sample, counts, counts.games)
        } else {
            let pairs = &input.pairing.pairs;
            let mut sample = StartPairs::default();
            for pair in pairs {
                sample.add(u64::from(pair.start), pair_score(pair));
            }
            (sample, pair_counts(pairs), games_of_first(counted))
        };
        let of_pairs = MatchStatistics::of_pairs(&sample, level);
        let statistics = of_pairs.or_else(|| MatchStatistics::of_games(&trinomial, level));
        Some(EncounterReport {
            engines: [first.clone(), second.clone()],
            trinomial,
            counts,
            statistics,
            middle: middle_pairs(&counts),
            draw_ratio: draw_ratio(&trinomial),
            position_bias: position_bias(&counts),
            by_position: clustered(input, level).filter(|_| tested.is_none()),
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
    let clusters = clusters_of_first(&input.pairing.pairs);
    let found = Estimate::new(&clusters, Population::Like, Weights::EachPair)?;
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

// The state and the estimates of an event's SPRT.

/// The test that decides when the event ends, fed with the stored games in the order of finishing. Every
/// game counts, as it did for the decision: forfeits and copies too.
#[derive(Debug, Clone, Serialize)]
pub struct SequentialReport {
    /// Bounds, error rates, model.
    pub hypotheses: Hypotheses,
    /// Ratio, bounds, decision.
    #[serde(flatten)]
    pub status: SprtStatus,
    pub unit: TestUnit,
    /// Start positions of a test [by starts](Unit::Starts).
    pub starts: usize,
    /// The variance of its mean over start positions divided by the variance for independent pairs, at least 1.
    pub design_effect: f64,
    /// Pairs that finished after the decision; they do not count. Always 0 for a test of single games.
    pub late_pairs: u64,
    /// Games that finished after the decision.
    pub late_games: u64,
    /// Expected pairs still to play; `None` after the decision.
    pub expected_pairs_left: Option<f64>,
    /// Pairs still to play that are not exceeded with 10, 50 and 90 % probability; `None` after
    /// the decision.
    pub pairs_left_range: Option<[f64; 3]>,
    /// Estimates that take the stopping rule into account; `None` before the decision.
    #[serde(flatten)]
    pub estimate: Option<StoppedTest>,
    /// The test.
    #[serde(skip)]
    pub(crate) test: SprtWatch,
}

impl SequentialReport {
    /// Takes the event's own test with its games.
    pub(super) fn new(test: SprtWatch, level: f64) -> SequentialReport {
        let sprt = test.sprt();
        // A test of single games has no spread of pairs.
        let is_estimated = test.is_decided() && test.has_pairs();
        SequentialReport {
            hypotheses: *sprt.hypotheses(),
            status: sprt.status(),
            unit: sprt.unit(),
            starts: sprt.starts(),
            design_effect: sprt.sample().design_effect(),
            late_pairs: sprt.late_counts().pairs.pairs(),
            late_games: sprt.late_counts().games.games(),
            expected_pairs_left: test.expected_pairs_left(),
            pairs_left_range: test.pairs_left_range(),
            estimate: is_estimated.then(|| sprt.estimate(level)).flatten(),
            test,
        }
    }

    /// Whether the test has ended.
    pub fn is_decided(&self) -> bool {
        self.test.is_decided()
    }
}

// Every headline with some games left out: forfeits measure little of the moves, and forfeits caused by the host
// measure nothing of the engines.

/// The games from which a number was computed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GameSelection {
    WithoutForfeits,
    WithoutHostFaults,
    /// Also games that repeat earlier ones and are not counted.
    WithReplays,
    /// Without any game that repeats another.
    WithoutCopies,
}

/// The headlines of a selection of the games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SelectedReport {
    /// Which games are left out: forfeits, or the host's faults.
    pub selection: GameSelection,
    pub left_out: usize,
    pub games: usize,
    /// White's mean advantage in them.
    pub mean: Option<MeanAdvantage>,
    /// Ratings and half widths of their intervals, in the order of the engines; none in self-play.
    pub ratings: Vec<Option<[f64; 2]>>,
}

/// The selections that leave out at least one game.
pub(super) fn selected(counted: &GameTable, self_play: bool, level: f64) -> Vec<SelectedReport> {
    let cases = [
        (GameSelection::WithoutForfeits, GameFlags::FORFEIT),
        (GameSelection::WithoutHostFaults, GameFlags::HOST_FAULT),
    ];
    let one = |(selection, flags)| {
        let flagged = counted.rows().filter(|row| row.flags.intersects(flags));
        let left_out = flagged.count();
        if left_out == 0 {
            return None;
        }
        let games = counted.without(flags);
        let input = RatingInput::new(&games);
        Some(SelectedReport {
            selection,
            left_out,
            games: games.len(),
            mean: MeanAdvantage::of_input(&input, self_play, level),
            ratings: if self_play {
                Vec::new()
            } else {
                ratings(&input, level)
            },
        })
    };
    cases.into_iter().filter_map(one).collect()
}

fn ratings(input: &RatingInput, level: f64) -> Vec<Option<[f64; 2]>> {
    let Ok(table) = RatingTable::new(input, &RatingOptions::default()) else {
        return vec![None; input.engines.len()];
    };
    let rating = |engine: usize| {
        let engine = engine as u16;
        Some([table.elo(engine)?, table.half_width(engine, level)?])
    };
    (0..input.engines.len()).map(rating).collect()
}
