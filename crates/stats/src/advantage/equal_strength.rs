//! White's mean advantage if the engines were equally strong.
//!
//! White's plain score between engines of different strength is drawn towards nothing: the
//! stronger wins with either colour. Here strengths, the advantage and the draw parameter
//! are estimated together (Davidson's model; Bradley and Terry's where no game was drawn), and
//! the advantage is stated at equal strength. Its errors are sandwiches, so that neither the
//! model's variance nor independence of the games of a pair or of a position is relied on.

use serde::Serialize;

use crate::numeric::distributions::{normal_quantile, student_quantile};
use crate::ratings::fit::FitError;
use crate::ratings::{
    ClusterUnit, ClusteredErrors, ELO_PER_LOGIT, FitOptions, GameModel, ModelFit, RatingInput,
    elo_of_score,
};

/// The mean advantage and two errors: they answer different questions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EqualStrength {
    /// White's expected score between equal engines.
    pub score: f64,
    /// The same in Elo.
    pub elo: f64,
    /// Half width of the interval for just these positions: only the games are chance.
    /// `None` where too few positions have two pairs.
    pub elo_error_these: Option<f64>,
    /// Half width of the interval for positions like these: they are a sample, too.
    pub elo_error_all: Option<f64>,
    /// Positions with games between engines that can be compared.
    pub positions: usize,
}

impl EqualStrength {
    /// Of all games; `None` where no finite estimate exists.
    pub fn new(input: &RatingInput, level: f64) -> Option<Self> {
        let fit = common_advantage(input)?;
        let slopes = Slopes::of(&fit)?;
        let all = ClusteredErrors::new(&fit, input, ClusterUnit::Position);
        let these = ClusteredErrors::within_positions(&fit, input);
        let half_width = |errors: &ClusteredErrors, freedom: f64| {
            let probability = 0.5 + 0.5 * level;
            let factor = student_quantile(probability, freedom)
                .unwrap_or_else(|| normal_quantile(probability));
            let variance = slopes.variance(&fit, errors);
            // Equal results everywhere have a spread of 0, which is not to be believed.
            (variance > 1e-12).then(|| factor * variance.sqrt())
        };
        let elo_error_these = these
            .as_ref()
            .and_then(|(errors, freedom)| half_width(errors, *freedom));
        let elo_error_all = all
            .as_ref()
            .and_then(|errors| half_width(errors, errors.clusters as f64 - 1.0));
        Some(Self {
            score: slopes.score,
            elo: elo_of_score(slopes.score),
            elo_error_these,
            // Positions that happen to agree do not make all starts better known than these.
            elo_error_all: elo_error_all.map(|all| all.max(elo_error_these.unwrap_or(all))),
            positions: all.as_ref().map_or(1, |errors| errors.clusters),
        })
    }

    /// The same errors around another estimate of the same quantity, near this one.
    pub fn around(self, score: f64) -> Self {
        let slope = |score: f64| 1.0 / (score * (1.0 - score));
        let share = slope(score) / slope(self.score);
        Self {
            score,
            elo: elo_of_score(score),
            elo_error_these: self.elo_error_these.map(|error| share * error),
            elo_error_all: self.elo_error_all.map(|error| share * error),
            positions: self.positions,
        }
    }
}

/// Davidson's model with one advantage for all positions; without draws, Bradley and Terry's.
pub(crate) fn common_advantage(input: &RatingInput) -> Option<ModelFit> {
    let options = FitOptions {
        white_advantage: true,
        anchors: Vec::new(),
    };
    match ModelFit::new(GameModel::Davidson, input, &options) {
        Err(FitError::NoDraws) => ModelFit::new(GameModel::Logistic, input, &options).ok(),
        fit => fit.ok(),
    }
}

/// White's score between equals, and how it follows the parameters.
struct Slopes {
    score: f64,
    by_advantage: f64,
    by_draws: f64,
}

impl Slopes {
    fn of(fit: &ModelFit) -> Option<Self> {
        let moments = fit
            .model
            .moments(fit.white_advantage(), fit.draw_parameter());
        let is_inside = moments.score > 0.0 && moments.score < 1.0;
        is_inside.then_some(Self {
            score: moments.score,
            by_advantage: moments.score_variance,
            by_draws: moments.covariance,
        })
    }

    /// Variance in Elo², to first order in advantage and draw parameter.
    fn variance(&self, fit: &ModelFit, errors: &ClusteredErrors) -> f64 {
        let Some(alpha) = fit.layout.white else {
            return 0.0;
        };
        let covariance = &errors.covariance;
        let mut variance = self.by_advantage.powi(2) * covariance.at(alpha, alpha);
        if let Some(delta) = fit.layout.draw {
            variance += 2.0 * self.by_advantage * self.by_draws * covariance.at(alpha, delta)
                + self.by_draws.powi(2) * covariance.at(delta, delta);
        }
        let slope = ELO_PER_LOGIT / (self.score * (1.0 - self.score));
        slope * slope * variance.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameFlags, GameRow, GameScore, GameTable};

    /// 60 pairs on 15 positions; `players` are White and Black of a pair's first game.
    fn table(
        engines: &[&str],
        players: impl Fn(u32) -> (u16, u16),
        result: impl Fn(u32, u32) -> GameScore,
    ) -> GameTable {
        let mut table = GameTable::new(engines.iter().map(|name| (*name).into()).collect());
        for pair in 0..60_u32 {
            let (a, b) = players(pair);
            for (game, (white, black)) in [(a, b), (b, a)].into_iter().enumerate() {
                let row = GameRow {
                    white,
                    black,
                    start: pair % 15,
                    pair: Some(pair),
                    result: result(pair, game as u32),
                    flags: GameFlags::default(),
                };
                table.push(row).expect("a valid game");
            }
        }
        table
    }

    fn two_engines(result: impl Fn(u32, u32) -> GameScore) -> GameTable {
        table(&["A", "B"], |_| (0, 1), result)
    }

    #[test]
    fn games_without_a_draw_have_an_advantage_too() {
        let decided = two_engines(|pair, game| match (pair * 3 + game * 5) % 8 {
            0..=4 => GameScore::Win,
            _ => GameScore::Loss,
        });
        let found = EqualStrength::new(&RatingInput::new(&decided), 0.95).expect("finite");
        assert!(found.elo > 50.0 && found.elo_error_all.is_some_and(|e| e > 10.0));
        assert!(found.elo_error_these.is_some());
    }

    #[test]
    fn where_white_never_loses_no_estimate_is_finite() {
        let unbeaten = two_engines(|_, game| [GameScore::Win, GameScore::Draw][game as usize]);
        assert_eq!(EqualStrength::new(&RatingInput::new(&unbeaten), 0.95), None);
    }

    /// A beats B, B beats C and C beats A with either colour: the strengths are finite, and
    /// White has one of two points in every pair.
    #[test]
    fn equal_results_claim_no_precision() {
        let circle = |pair| [(0, 1), (1, 2), (2, 0)][pair as usize % 3];
        let equal = table(&["A", "B", "C"], circle, |_, game| {
            [GameScore::Win, GameScore::Loss][game as usize]
        });
        let found = EqualStrength::new(&RatingInput::new(&equal), 0.95).expect("finite");
        assert!(found.elo.abs() < 1e-6, "{}", found.elo);
        assert_eq!((found.elo_error_these, found.elo_error_all), (None, None));
    }
}
