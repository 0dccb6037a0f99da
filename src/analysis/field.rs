//! Many engines: ratings, ranks, warnings.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::stats::numeric::distributions::two_sided_factor;
use crate::stats::ratings::ranks::{Comparison, RankDistribution, comparisons};
use crate::stats::ratings::report::RatingReport;
use crate::stats::ratings::table::RatingOptions;
use crate::stats::ratings::{ClusterUnit, RatingInput, RatingTable};
use crate::stats::standings::TieBreak;
use crate::tournament::Rating;

use super::collection::Collection;

/// A fixed seed for the draws of ratings behind the rank sets, so that the sets never change.
const SEED: u64 = 960;

/// Ratings by every method, and the places that follow from them.
#[derive(Debug, Clone, Serialize)]
pub struct FieldReport {
    /// The tie-breaks for engines with equal points.
    pub tie_breaks: TieBreaks,
    /// The model whose ratings are shown.
    pub model: RatingModel,
    /// Engines held at a logistic rating, and the rating.
    pub anchors: BTreeMap<String, f64>,
    /// The ratings.
    #[serde(flatten)]
    pub ratings: RatingReport,
    /// Half widths of the headline's 95 % intervals.
    pub elo_error: Vec<Option<f64>>,
    /// Half width of the 95 % interval of White's advantage.
    pub white_elo_error: Option<f64>,
    /// Independent observations the errors rest on.
    pub clusters: Option<usize>,
    /// Unit of the headline's errors.
    pub unit: Option<ClusterUnit>,
    /// The places each engine may have; `None` for one without a rating.
    pub ranks: Vec<Option<RankSet>>,
    /// Every two engines of up to [`MOST_COMPARED`], with simultaneous intervals.
    pub comparisons: Vec<Comparison>,
    /// The group of each engine; games connect no two groups.
    #[serde(skip)]
    pub(crate) groups: Vec<usize>,
}

/// With more engines, pairs of engines are not compared.
const MOST_COMPARED: usize = 12;

/// The places that include an engine's true place with 95 %.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankSet {
    /// Best place.
    pub best: usize,
    /// Worst place.
    pub worst: usize,
    /// Probability of each place of the engine's group, first place first.
    pub probability: Vec<f64>,
}

/// The tie-breaks for engines with equal points in the table of results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TieBreaks {
    /// The rules, one after the other.
    pub order: Vec<TieBreak>,
    /// Whether these are an event's, whose own standings have the places.
    #[serde(skip)]
    pub is_of_event: bool,
    /// The event's next tie-break, if it needs more than results: the event's standings use it, while these leave the
    /// engines level at that point.
    pub beyond: Option<TieBreak>,
}

impl TieBreaks {
    /// The event's tie-breaks, as far as they need only results; the usual ones without an event.
    pub(super) fn of_results(ordered: Option<&[TieBreak]>) -> TieBreaks {
        let all = ordered.unwrap_or(&TieBreak::DEFAULT);
        let more = |rule: &TieBreak| {
            rule.needs_rounds() || matches!(rule, TieBreak::FewerFaults | TieBreak::Lot)
        };
        let known = all.iter().take_while(|rule| !more(rule)).copied();
        TieBreaks {
            order: known.collect(),
            is_of_event: ordered.is_some(),
            beyond: all.iter().copied().find(more),
        }
    }
}

impl FieldReport {
    /// From games that are already summarised.
    pub(super) fn new(
        input: &RatingInput,
        level: f64,
        asked: &StatisticsOptions,
        anchors: &[(u16, f64)],
        tie_breaks: TieBreaks,
    ) -> FieldReport {
        let options = RatingOptions {
            anchors: anchors.to_vec(),
            ..RatingOptions::default()
        };
        let (model, all) = (asked.model, asked.everything);
        let models = [all, all || model == RatingModel::Davidson];
        let table = RatingTable::new(input, &options);
        let order = &tie_breaks.order;
        let ratings = RatingReport::new(input, &table, &options, order, models);
        let table = table.as_ref().ok();
        let count = input.engines.len();
        let errors = table.and_then(|table| table.errors.as_ref());
        let half_width = |engine: usize| table?.half_width(engine as u16, level);
        let white = || Some(errors?.multiplier(level) * table?.white_standard_error()?);
        let name = |engine: u16| input.engines[usize::from(engine)].clone();
        FieldReport {
            model,
            tie_breaks,
            anchors: anchors.iter().map(|&(e, elo)| (name(e), elo)).collect(),
            ratings,
            elo_error: (0..count).map(half_width).collect(),
            white_elo_error: white(),
            clusters: errors.map(|errors| errors.clusters),
            unit: errors.map(|errors| errors.unit),
            groups: table.map_or_else(Vec::new, |one| one.fit.connectivity.component.clone()),
            comparisons: table.map_or_else(Vec::new, |one| compared(one, level)),
            ranks: table.map_or_else(|| vec![None; count], |one| ranks(one, count, level)),
        }
    }

    /// An engine's rating by the model shown, if the games determine it or it was given.
    pub(crate) fn rating(&self, engine: usize, name: &str) -> Option<Rating> {
        if self.model == RatingModel::Logistic && self.anchors.contains_key(name) {
            let elo = self.shown(engine).0?;
            return Some(Rating { elo, ends: None });
        }
        let own = self.estimate(engine)?;
        let others = (0..self.groups.len()).filter(|other| *other != engine);
        let mut others = others.filter(|other| self.groups[*other] == self.groups[engine]);
        let is_compared =
            !self.anchors.is_empty() || others.any(|other| self.estimate(other).is_some());
        is_compared.then_some(own)
    }

    fn estimate(&self, engine: usize) -> Option<Rating> {
        let (elo, error) = self.shown(engine);
        let (elo, error) = (elo?, error?);
        Rating::estimated(elo, [elo - error, elo + error])
    }

    /// An engine's rating by the model shown, and the half width of its 95 % interval.
    pub fn shown(&self, engine: usize) -> (Option<f64>, Option<f64>) {
        let ratings = &self.ratings;
        let own = |list: &[Option<f64>]| list.get(engine).copied().flatten();
        let wide = |se: f64| two_sided_factor(0.95) * se;
        match self.model {
            RatingModel::Logistic => {
                let logistic = ratings.logistic.as_ref();
                (logistic.and_then(|l| own(&l.elo)), own(&self.elo_error))
            }
            RatingModel::Davidson => {
                let davidson = ratings.davidson.as_ref();
                let error = davidson.and_then(|d| own(&d.se)).map(wide);
                (davidson.and_then(|d| own(&d.elo)), error)
            }
        }
    }
}

fn compared(table: &RatingTable, level: f64) -> Vec<Comparison> {
    let groups = table.fit.connectivity.rated_components().into_iter();
    let small = groups.filter(|members| (3..=MOST_COMPARED).contains(&members.len()));
    let every_two = |members: Vec<usize>| comparisons(table, &members, level, SEED);
    small.filter_map(every_two).flatten().collect()
}

fn ranks(table: &RatingTable, count: usize, level: f64) -> Vec<Option<RankSet>> {
    let mut ranks = vec![None; count];
    for members in table.fit.connectivity.rated_components() {
        let Some(distribution) = RankDistribution::new(table, &members, SEED) else {
            continue;
        };
        for (place, engine) in members.into_iter().enumerate() {
            let (best, worst) = distribution.rank_set(place, level);
            ranks[engine] = Some(RankSet {
                best,
                worst,
                probability: distribution.probability[place].clone(),
            });
        }
    }
    ranks
}

// Options that change the usual statistics.

crate::chess::worded! {
    /// The model whose ratings are shown; all of them are in the JSON.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum RatingModel,
    /// Its name on the command line and in files.
    name: &'static str {
        /// Expected points on the logistic curve, nothing assumed of draws; errors by position or pair
        #[default]
        Logistic = "logistic",
        /// Davidson's model of wins, draws and losses; errors by pair
        Davidson = "davidson",
    }
}

/// The margin of equivalence in tables for programs, Elo.
pub(crate) const USUAL_MARGIN: f64 = 20.0;

/// Options of [`EventStatistics::with`](super::EventStatistics::with).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StatisticsOptions {
    /// The ratings that are shown.
    pub model: RatingModel,
    /// Engines whose logistic rating is known, and held at it in Elo.
    pub anchors: Vec<(String, f64)>,
    /// Also compute what only JSON and CSV show, not the text: the other models' ratings.
    pub everything: bool,
    /// Elo within which a position is equivalent to the mean of all.
    pub equivalence: Option<f64>,
}

impl StatisticsOptions {
    /// The anchors by the engines of the games.
    ///
    /// # Errors
    /// The games have no such engine.
    pub fn anchored(&self, collection: &Collection) -> Result<Vec<(u16, f64)>, String> {
        let engines = collection.table.engines();
        let place = |(name, elo): &(String, f64)| {
            let found = engines.iter().position(|engine| engine == name);
            let known = || engines.join(", ");
            let unknown = || format!("no engine is named {name:?}; there are: {}", known());
            Ok((found.ok_or_else(unknown)? as u16, *elo))
        };
        self.anchors.iter().map(place).collect()
    }
}
