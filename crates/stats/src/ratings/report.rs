//! All ratings of an event in one serialisable value. Field names are those
//! of the reference vectors and of `stats --format json`.

#![allow(missing_docs, reason = "the names of the reference vectors")]

use serde::Serialize;

use crate::games::GameTable;
use crate::standings::{Standing, StandingsInput, TieBreak};

use super::connectivity::{RatingInput, Unrated};
use super::errors::{ClusterUnit, ClusteredErrors};
use super::fit::{FitError, MOST_DENSE, ModelFit};
use super::models::{self, GameModel};
use super::table::{RatingOptions, RatingTable, RatingWarning, rated_elo};
use super::{ELO_PER_LOGIT, elo_of_score};

/// Ratings by every method; a method that cannot rate is `None`, and
/// `reasons` says why.
#[derive(Clone, Debug, Serialize)]
pub struct RatingReport {
    /// The headline.
    pub logistic: Option<LogisticReport>,
    /// The same without White's advantage in the model.
    pub logistic_no_white: Option<PlainReport>,
    /// Davidson's model.
    pub davidson: Option<DavidsonReport>,
    /// The table of results.
    pub standings: Vec<StandingReport>,
    /// Complete colour-swapped pairs.
    pub complete_pairs: usize,
    /// Why methods are missing, by name.
    pub reasons: Vec<(&'static str, String)>,
}

/// Logistic ratings with three kinds of errors. Lists follow `names`; unrated
/// engines have `null`.
#[derive(Clone, Debug, Serialize)]
pub struct LogisticReport {
    pub names: Vec<String>,
    pub elo: Vec<Option<f64>>,
    pub white_elo: Option<f64>,
    pub se_game: Vec<Option<f64>>,
    pub white_elo_se_game: Option<f64>,
    pub se_pair: Vec<Option<f64>>,
    pub white_elo_se_pair: Option<f64>,
    pub los_pair: Vec<Vec<Option<f64>>>,
    /// Likelihood of superiority by the unit of the printed errors.
    pub los: Vec<Vec<Option<f64>>>,
    pub cov_pair: Vec<Vec<Option<f64>>>,
    pub se_position: Vec<Option<f64>>,
    pub white_elo_se_position: Option<f64>,
    pub unrated: Vec<Option<Unrated>>,
    pub recommended_unit: ClusterUnit,
    pub warnings: Vec<RatingWarning>,
}

/// Ratings with one kind of error.
#[derive(Clone, Debug, Serialize)]
pub struct PlainReport {
    pub names: Vec<String>,
    pub elo: Vec<Option<f64>>,
    pub se_pair: Vec<Option<f64>>,
}

/// Davidson's ratings: `se` clustered by pair, `se_model` if the model holds.
#[derive(Clone, Debug, Serialize)]
pub struct DavidsonReport {
    pub names: Vec<String>,
    pub elo: Vec<Option<f64>>,
    pub se: Vec<Option<f64>>,
    pub se_model: Vec<Option<f64>>,
    pub delta: f64,
    pub alpha: f64,
    pub alpha_se: Option<f64>,
    pub draw_prob_equal: f64,
    pub white_score_equal: f64,
    pub white_elo: f64,
    pub white_elo_se: Option<f64>,
    pub score_elo: Vec<Option<f64>>,
    pub loglik: f64,
}

/// A line of the table of results.
#[derive(Clone, Debug, Serialize)]
pub struct StandingReport {
    /// Its place among the engines.
    #[serde(skip)]
    pub engine: usize,
    pub name: String,
    pub place: usize,
    pub points: f64,
    pub games: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    pub direct: f64,
    pub sb: f64,
    pub black_wins: u32,
    pub double_wins: u32,
    pub decided_by: Option<TieBreak>,
}

/// The methods for comparison that are wanted in addition to the logistic ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Methods {
    /// Without White's advantage in the model.
    pub no_white: bool,
    /// Davidson's model.
    pub davidson: bool,
}

impl Methods {
    /// Every method.
    pub const ALL: Self = Self {
        no_white: true,
        davidson: true,
    };
}

impl RatingReport {
    /// Rates by every method; `order` holds the tie-breaks.
    pub fn new(table: &GameTable, options: &RatingOptions, order: &[TieBreak]) -> Self {
        let input = RatingInput::new(table);
        let headline = RatingTable::new(&input, options);
        Self::of_headline(&input, &headline, options, order, Methods::ALL)
    }

    /// Of ratings that are known; of the methods for comparison those that are wanted.
    pub fn of_headline(
        input: &RatingInput,
        headline: &Result<RatingTable, FitError>,
        options: &RatingOptions,
        order: &[TieBreak],
        methods: Methods,
    ) -> Self {
        let mut reasons = Vec::new();
        let mut keep =
            |method: &'static str, error: FitError| reasons.push((method, error.to_string()));
        let logistic = match headline {
            Ok(table) => Some(logistic(input, table)),
            Err(error) => {
                keep("logistic", *error);
                None
            }
        };
        let logistic_no_white = methods.no_white.then(|| without_white(input, options));
        let logistic_no_white =
            logistic_no_white.and_then(|r| r.map_err(|e| keep("logistic_no_white", e)).ok());
        let davidson = methods.davidson.then(|| davidson(input));
        let davidson = davidson.and_then(|r| r.map_err(|e| keep("davidson", e)).ok());
        let results = StandingsInput {
            engines: input.engines.len(),
            cells: input.colours.clone(),
            double_wins: double_wins(input),
            ..StandingsInput::default()
        };
        let rows = results.standings(order);
        Self {
            logistic,
            logistic_no_white,
            davidson,
            standings: rows.iter().map(|row| standing(input, row)).collect(),
            complete_pairs: input.pairing.pairs.len(),
            reasons,
        }
    }
}

fn each<T>(input: &RatingInput, value: impl Fn(u16) -> T) -> Vec<T> {
    (0..input.engines.len())
        .map(|engine| value(engine as u16))
        .collect()
}

/// Empty for a long list.
fn every_two<T>(input: &RatingInput, value: impl Fn(u16, u16) -> T) -> Vec<Vec<T>> {
    match input.engines.len() <= MOST_DENSE {
        true => each(input, |i| each(input, |j| value(i, j))),
        false => Vec::new(),
    }
}

fn logistic(input: &RatingInput, recommended: &RatingTable) -> LogisticReport {
    // A long list has one kind of errors.
    let with_unit = |unit| RatingTable {
        errors: match input.engines.len() <= MOST_DENSE {
            true => ClusteredErrors::new(&recommended.fit, input, unit),
            false => None,
        },
        ..recommended.clone()
    };
    let [game, pair, position] =
        [ClusterUnit::Game, ClusterUnit::Pair, ClusterUnit::Position].map(with_unit);
    LogisticReport {
        names: input.engines.clone(),
        elo: each(input, |e| pair.elo(e)),
        white_elo: pair.white_elo(),
        se_game: each(input, |e| game.standard_error(e)),
        white_elo_se_game: game.white_standard_error(),
        se_pair: each(input, |e| pair.standard_error(e)),
        white_elo_se_pair: pair.white_standard_error(),
        los_pair: every_two(input, |i, j| pair.superiority_with(i, j, f64::INFINITY)),
        los: every_two(input, |i, j| recommended.superiority(i, j)),
        cov_pair: every_two(input, |i, j| pair.covariance(i, j)),
        se_position: each(input, |e| position.standard_error(e)),
        white_elo_se_position: position.white_standard_error(),
        unrated: pair.fit.connectivity.unrated.clone(),
        recommended_unit: recommended.unit,
        warnings: recommended.warnings.clone(),
    }
}

fn without_white(input: &RatingInput, options: &RatingOptions) -> Result<PlainReport, FitError> {
    let unit = Some(ClusterUnit::Pair);
    let options = RatingOptions {
        without_white_advantage: true,
        unit,
        ..options.clone()
    };
    let table = RatingTable::new(input, &options)?;
    Ok(PlainReport {
        names: input.engines.clone(),
        elo: each(input, |e| table.elo(e)),
        se_pair: each(input, |e| table.standard_error(e)),
    })
}

/// Davidson's model with White's advantage, for the prediction of draws and for comparison; errors clustered by pair.
/// Its strengths are larger than score Elo, at high draw rates much larger. Without any or with nothing but draws its
/// draw parameter is infinite.
fn davidson(input: &RatingInput) -> Result<DavidsonReport, FitError> {
    let fit = ModelFit::new(GameModel::Davidson, input, &[], true)?;
    let errors = ClusteredErrors::new(&fit, input, ClusterUnit::Pair);
    let covariance = |one: usize, other: usize| errors.as_ref()?.covariance(one, other);
    let inverse = fit.inverse_information.as_ref();
    let (alpha, delta) = (fit.white_advantage(), fit.draw_parameter());
    let sd = |variance: f64| variance.max(0.0).sqrt();
    let elo_error = |engine: u16, variance: Option<f64>| {
        rated_elo(&fit, engine)?;
        Some(sd(variance?) * ELO_PER_LOGIT)
    };
    let expected = |x: f64| {
        let [_, draw, win] = models::davidson(x, delta);
        win + 0.5 * draw
    };
    // Against the average engine over both colours.
    let score_elo = |engine: u16| {
        rated_elo(&fit, engine)?;
        let strength = fit.parameters[usize::from(engine)];
        let as_white = expected(alpha + strength);
        let as_black = 1.0 - expected(alpha - strength);
        Some(elo_of_score(0.5 * (as_white + as_black)))
    };
    let white = fit.layout.white;
    Ok(DavidsonReport {
        names: input.engines.clone(),
        elo: each(input, |e| rated_elo(&fit, e)),
        se: each(input, |e| elo_error(e, covariance(e.into(), e.into()))),
        se_model: each(input, |e| {
            elo_error(e, inverse.map(|inverse| inverse.at(e.into(), e.into())))
        }),
        delta,
        alpha,
        alpha_se: white.and_then(|place| covariance(place, place)).map(sd),
        draw_prob_equal: models::davidson(0.0, delta)[1],
        white_score_equal: expected(alpha),
        white_elo: elo_of_score(expected(alpha)),
        white_elo_se: white_elo_error(&fit, covariance),
        score_elo: each(input, score_elo),
        loglik: fit.log_likelihood,
    })
}

/// The standard error of White's advantage between equal engines as score Elo, to first order in α and δ.
fn white_elo_error(
    fit: &ModelFit,
    covariance: impl Fn(usize, usize) -> Option<f64>,
) -> Option<f64> {
    let (alpha, delta) = (fit.layout.white?, fit.layout.draw?);
    let advantage = fit.white_advantage();
    let moments = fit.model.moments(advantage, fit.draw_parameter());
    let (by_alpha, by_delta) = (moments.score_variance, moments.covariance);
    let variance = by_alpha * by_alpha * covariance(alpha, alpha)?
        + 2.0 * by_alpha * by_delta * covariance(alpha, delta)?
        + by_delta * by_delta * covariance(delta, delta)?;
    let slope = ELO_PER_LOGIT / (moments.score * (1.0 - moments.score));
    Some(slope * variance.max(0.0).sqrt())
}

/// For each engine the pairs it won with both colours.
pub fn double_wins(input: &RatingInput) -> Vec<u32> {
    let mut wins = vec![0; input.engines.len()];
    for kind in &input.pair_kinds {
        let [first, second] = kind.white_results.map(|result| result.half_points());
        match (first, second) {
            (2, 0) => wins[usize::from(kind.first)] += kind.count,
            (0, 2) => wins[usize::from(kind.second)] += kind.count,
            _ => {}
        }
    }
    wins
}

fn standing(input: &RatingInput, row: &Standing) -> StandingReport {
    StandingReport {
        engine: usize::from(row.engine),
        name: input.engines[usize::from(row.engine)].clone(),
        place: row.place,
        points: row.points(),
        games: row.games,
        wins: row.wins,
        draws: row.draws,
        losses: row.losses,
        direct: row.direct_points(),
        sb: row.sonneborn_berger_points(),
        black_wins: row.black_wins,
        double_wins: row.double_wins,
        decided_by: row.decided_by,
    }
}
