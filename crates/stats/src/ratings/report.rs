//! All ratings of an event in one serialisable value. Field names are those
//! of the reference vectors and of `stats --format json`.

#![allow(missing_docs, reason = "the names of the reference vectors")]

use serde::Serialize;

use crate::games::GameScore;
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
    pub se_position: Vec<Option<f64>>,
    pub white_elo_se_position: Option<f64>,
    pub unrated: Vec<Option<Unrated>>,
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
    pub draw_prob_equal: f64,
    pub white_elo: f64,
    pub score_elo: Vec<Option<f64>>,
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

impl RatingReport {
    /// Of ratings that are known; of the models for comparison with Davidson's if `davidson`, with the one without
    /// White's advantage if `no_white`.
    pub fn new(
        input: &RatingInput,
        headline: &Result<RatingTable, FitError>,
        options: &RatingOptions,
        order: &[TieBreak],
        [no_white, davidson]: [bool; 2],
    ) -> Self {
        let mut reasons = Vec::new();
        let logistic = headline.as_ref().map(|table| logistic(input, table));
        let logistic = kept(logistic.map_err(|why| *why), "logistic", &mut reasons);
        let plain = no_white.then(|| without_white(input, options));
        let plain = plain.and_then(|found| kept(found, "logistic_no_white", &mut reasons));
        let draws = davidson.then(|| self::davidson(input));
        let draws = draws.and_then(|found| kept(found, "davidson", &mut reasons));
        let results = StandingsInput {
            engines: input.engines.len(),
            cells: input.colours.clone(),
            double_wins: double_wins(input),
            ..StandingsInput::default()
        };
        let rows = results.standings(order);
        Self {
            logistic,
            logistic_no_white: plain,
            davidson: draws,
            standings: rows.iter().map(|row| standing(input, row)).collect(),
            complete_pairs: input.pairing.pairs.len(),
            reasons,
        }
    }
}

/// What a method found, or nothing, and why.
fn kept<T>(
    found: Result<T, FitError>,
    method: &'static str,
    reasons: &mut Vec<(&'static str, String)>,
) -> Option<T> {
    found
        .map_err(|why| reasons.push((method, why.to_string())))
        .ok()
}

fn each<T>(input: &RatingInput, value: impl Fn(u16) -> T) -> Vec<T> {
    (0..input.engines.len())
        .map(|engine| value(engine as u16))
        .collect()
}

/// Empty for a long list.
fn every_two<T>(input: &RatingInput, value: impl Fn(u16, u16) -> T) -> Vec<Vec<T>> {
    if input.engines.len() <= MOST_DENSE {
        each(input, |i| each(input, |j| value(i, j)))
    } else {
        Vec::new()
    }
}

fn logistic(input: &RatingInput, recommended: &RatingTable) -> LogisticReport {
    // A long list has one kind of errors.
    let with_unit = |unit| RatingTable {
        errors: if input.engines.len() <= MOST_DENSE {
            ClusteredErrors::new(&recommended.fit, input, unit)
        } else {
            None
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
        se_position: each(input, |e| position.standard_error(e)),
        white_elo_se_position: position.white_standard_error(),
        unrated: pair.fit.connectivity.unrated.clone(),
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
    Ok(DavidsonReport {
        names: input.engines.clone(),
        elo: each(input, |e| rated_elo(&fit, e)),
        se: each(input, |e| elo_error(e, covariance(e.into(), e.into()))),
        se_model: each(input, |e| {
            elo_error(e, inverse.map(|inverse| inverse.at(e.into(), e.into())))
        }),
        delta,
        draw_prob_equal: models::davidson(0.0, delta)[1],
        white_elo: elo_of_score(expected(alpha)),
        score_elo: each(input, score_elo),
    })
}

/// For each engine the pairs it won with both colours.
pub fn double_wins(input: &RatingInput) -> Vec<u32> {
    let mut wins = vec![0; input.engines.len()];
    for (&(one, other, results), count) in &input.pair_kinds {
        match results {
            [GameScore::Win, GameScore::Loss] => wins[usize::from(one)] += count,
            [GameScore::Loss, GameScore::Win] => wins[usize::from(other)] += count,
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
