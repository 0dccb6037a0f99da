//! Ratings in Elo with their errors.

use serde::Serialize;

use crate::numeric::distributions::student_cdf;

use super::ELO_PER_LOGIT;
use super::connectivity::{RatingInput, Unrated};
use super::errors::{ClusterUnit, ClusteredErrors, FEWEST_CLUSTERS, fewest_clusters};
use super::fit::{FitError, ModelFit};
use super::models::GameModel;

/// With fewer clusters a reader is warned.
const FEW_CLUSTERS: usize = 20;

/// Warnings for the reader of the ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RatingWarning {
    /// The engines fall into groups that never met: ratings of different
    /// groups cannot be compared.
    Disconnected,
    /// Some engines have no finite rating, because they are above or below all others (Ford's condition).
    EnginesUnrated,
    /// White's advantage is not determined (or infinite) and was left out.
    WhiteAdvantageLeftOut,
    /// Fewer than 20 clusters: the errors themselves are not well known.
    FewClusters,
    /// Fewer than two clusters: no errors can be given.
    NoErrors,
    /// All residuals are zero (for example every game drawn): the errors of
    /// zero are not to be believed.
    NoVariation,
}

/// Options of [`RatingTable::new`].
#[derive(Clone, Debug, Default)]
pub struct RatingOptions {
    /// Engines held at a rating in Elo; without any the mean rating is zero.
    pub anchors: Vec<(u16, f64)>,
    /// Leave White's advantage out of the model.
    pub without_white_advantage: bool,
    /// Unit of the errors; `None` for [`ClusterUnit::recommended`].
    pub unit: Option<ClusterUnit>,
}

/// The headline ratings: the logistic mean model with clustered errors.
#[derive(Clone, Debug)]
pub struct RatingTable {
    /// The fitted model.
    pub fit: ModelFit,
    /// Its errors; `None` with fewer than two clusters.
    pub errors: Option<ClusteredErrors>,
    /// What the reader must be told.
    pub warnings: Vec<RatingWarning>,
}

impl RatingTable {
    /// Rates the engines.
    ///
    /// # Errors
    /// Where no two engines can be compared, or no finite ratings exist.
    pub fn new(input: &RatingInput, options: &RatingOptions) -> Result<Self, FitError> {
        let mut warnings = Vec::new();
        let fit = fit_logistic(input, options, &mut warnings)?;
        let unit = options.unit.unwrap_or_else(|| {
            let unit = ClusterUnit::recommended(input);
            let has_few = fewest_clusters(&fit, input, unit) < FEWEST_CLUSTERS;
            if has_few && input.engines.len() > 2 {
                ClusterUnit::AllPairs
            } else {
                unit
            }
        });
        let errors = ClusteredErrors::new(&fit, input, unit);
        let table = Self {
            fit,
            errors,
            warnings,
        };
        Ok(table.with_warnings())
    }

    fn with_warnings(mut self) -> Self {
        use RatingWarning::*;
        let connectivity = &self.fit.connectivity;
        let size = self.fit.layout.size;
        let zero = |errors: &ClusteredErrors| {
            let mut own = (0..size).filter_map(|i| errors.covariance(i, i));
            own.all(|variance| variance < 1e-20)
        };
        let has_few = |errors: &ClusteredErrors| errors.clusters < FEW_CLUSTERS;
        let errors = self.errors.as_ref();
        let mut unrated = connectivity.unrated.iter().flatten();
        let is_one_sided = |why: &Unrated| matches!(why, Unrated::AboveAll | Unrated::BelowAll);
        let found = [
            (connectivity.rated_components().len() > 1, Disconnected),
            (unrated.any(is_one_sided), EnginesUnrated),
            (errors.is_some_and(has_few), FewClusters),
            (errors.is_none(), NoErrors),
            (errors.is_some_and(zero), NoVariation),
        ];
        let found = found.into_iter().filter(|(holds, _)| *holds);
        self.warnings.extend(found.map(|(_, warning)| warning));
        self
    }

    /// The rating of an engine; `None` where it has no finite one.
    pub fn elo(&self, engine: u16) -> Option<f64> {
        rated_elo(&self.fit, engine)
    }

    /// White's advantage in Elo; `None` where it was left out.
    pub fn white_elo(&self) -> Option<f64> {
        self.fit
            .layout
            .white
            .map(|place| self.fit.parameters[place] * ELO_PER_LOGIT)
    }

    /// Standard error of a rating in Elo.
    pub fn standard_error(&self, engine: u16) -> Option<f64> {
        self.elo(engine)?;
        self.parameter_error(usize::from(engine))
    }

    /// Standard error of White's advantage in Elo.
    pub fn white_standard_error(&self) -> Option<f64> {
        self.parameter_error(self.fit.layout.white?)
    }

    /// Half width of the interval with this level around a rating, in Elo.
    pub fn half_width(&self, engine: u16, level: f64) -> Option<f64> {
        Some(self.errors.as_ref()?.multiplier(level) * self.standard_error(engine)?)
    }

    /// Covariance of two ratings in Elo².
    fn covariance(&self, one: u16, other: u16) -> Option<f64> {
        self.elo(one).zip(self.elo(other))?;
        let errors = self.errors.as_ref()?;
        let covariance = errors.covariance(usize::from(one), usize::from(other))?;
        Some(covariance * ELO_PER_LOGIT * ELO_PER_LOGIT)
    }

    /// Likelihood of superiority `Φ((R_i − R_j) / sd)`, with Student's t where the intervals
    /// have it too; `None` for engines that cannot be compared.
    pub fn superiority(&self, one: u16, other: u16) -> Option<f64> {
        self.superiority_with(one, other, self.errors.as_ref()?.freedom)
    }

    /// As [`Self::superiority`], with this number of degrees of freedom.
    pub(super) fn superiority_with(&self, one: u16, other: u16, freedom: f64) -> Option<f64> {
        let component = &self.fit.connectivity.component;
        if component.get(usize::from(one)) != component.get(usize::from(other)) {
            return None;
        }
        let variance = self.covariance(one, one)? + self.covariance(other, other)?
            - 2.0 * self.covariance(one, other)?;
        let difference = self.elo(one)? - self.elo(other)?;
        Some(superiority(difference, variance, freedom))
    }

    fn parameter_error(&self, place: usize) -> Option<f64> {
        let variance = self.errors.as_ref()?.covariance(place, place)?;
        Some(variance.max(0.0).sqrt() * ELO_PER_LOGIT)
    }
}

pub(super) fn rated_elo(fit: &ModelFit, engine: u16) -> Option<f64> {
    let place = usize::from(engine);
    fit.connectivity
        .is_rated(engine)
        .then(|| fit.parameters[place] * ELO_PER_LOGIT)
}

/// With White's advantage, or without it where it is not determined.
fn fit_logistic(
    input: &RatingInput,
    options: &RatingOptions,
    warnings: &mut Vec<RatingWarning>,
) -> Result<ModelFit, FitError> {
    let wanted = !options.without_white_advantage;
    let fit = |white| ModelFit::new(GameModel::Logistic, input, &options.anchors, white);
    match fit(wanted) {
        Err(FitError::Unbounded | FitError::Singular) if wanted => {
            warnings.push(RatingWarning::WhiteAdvantageLeftOut);
            fit(false)
        }
        other => other,
    }
}

/// `Φ(difference / √variance)`, Student's t with finite `freedom`; where the variance is
/// zero the sign decides, and equal ratings give one half.
fn superiority(difference: f64, variance: f64, freedom: f64) -> f64 {
    match variance {
        ..1e-9 if difference.abs() < 1e-9 => 0.5,
        ..1e-12 if difference > 0.0 => 1.0,
        ..1e-12 => 0.0,
        _ => student_cdf(difference / variance.sqrt(), freedom),
    }
}

#[cfg(test)]
mod tests {
    use super::superiority;

    #[test]
    fn superiority_is_defined_without_variance() {
        assert_eq!(superiority(0.0, 0.0, f64::INFINITY), 0.5);
        assert_eq!(superiority(3.0, 0.0, f64::INFINITY), 1.0);
        assert!((superiority(1.959_964, 1.0, f64::INFINITY) - 0.975).abs() < 1e-6);
    }
}
