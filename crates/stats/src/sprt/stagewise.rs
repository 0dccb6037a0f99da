//! Estimates after a sequential test.
//!
//! A test stops when the results look extreme, so the ordinary Elo is biased and its
//! interval covers too little. Here outcomes are put in order instead: failed early,
//! failed late, still running (by the ratio), passed late, passed early. The Elo at
//! which half of all tests would end worse than this one is the estimate; the interval
//! and the LOS follow from the same order (semantics of Fishtest's `sprt.py`).
//!
//! The chance of a worse outcome at another score is that of a Brownian motion. Its
//! variance is the one with which the normal law loses as much likelihood there as the
//! profile does, so that pairs which are nearly all alike do not look certain.

use serde::Serialize;

use crate::counts::{Moments, Sample, Trinomial};
use crate::elo::{NORMALIZED_ELO_SCALE, score_from_elo, serialize_extended};
use crate::interval::{ProfileInterval, deviance, profile_interval};
use crate::match_statistics::FEWEST_FOR_SUPERIORITY;
use crate::numeric::root::find_root;

use super::brownian::Brownian;
use super::hypotheses::Hypotheses;
use super::llr::Model;

/// Distance from 0 and 1 within which a score is not told from them.
const SCORE_MARGIN: f64 = 1e-9;
/// Distance from the mean, in standard errors, within which the profile is the normal law.
const NORMAL_WITHIN_ERRORS: f64 = 1e-3;

/// Estimate of the Elo difference (logistic, whatever the test's model).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StagewiseEstimate {
    /// Median-unbiased Elo; infinite where half of all tests would end worse however large it is.
    #[serde(serialize_with = "serialize_extended")]
    pub elo: f64,
    /// Lower end of the interval.
    #[serde(serialize_with = "serialize_extended")]
    pub lo: f64,
    /// Upper end of the interval.
    #[serde(serialize_with = "serialize_extended")]
    pub hi: f64,
    /// Likelihood of superiority; `None` of fewer than [`FEWEST_FOR_SUPERIORITY`] pairs.
    pub los: Option<f64>,
}

/// What may be printed about a test: the plain interval only next to the right one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StoppedTest {
    /// The estimate that knows of the stopping rule.
    pub stagewise: StagewiseEstimate,
    /// The interval as if the number of pairs had been planned.
    pub if_planned: ProfileInterval,
}

/// Both estimates of a test at `level`; `None` for an empty sample. The variance of the mean is
/// `design_effect` times that of independent pairs.
pub fn stopped_test(
    hypotheses: &Hypotheses,
    sample: &Sample,
    games: &Trinomial,
    design_effect: f64,
    level: f64,
) -> Option<StoppedTest> {
    let walk = Walk::new(hypotheses, sample, design_effect, games)?;
    let tail = 0.5 * (1.0 - level);
    let has_superiority = walk.moments.n >= FEWEST_FOR_SUPERIORITY;
    let stagewise = StagewiseEstimate {
        elo: walk.elo_at(0.5),
        lo: walk.elo_at(1.0 - tail),
        hi: walk.elo_at(tail),
        los: has_superiority.then(|| walk.worse_outcome(0.5)),
    };
    Some(StoppedTest {
        stagewise,
        if_planned: profile_interval(sample, level),
    })
}

/// Scores of the two hypotheses, given the spread of one observation's score.
pub(super) fn hypothetical_scores(
    (model, bounds): (Model, [f64; 2]),
    sigma_per_game: f64,
) -> [f64; 2] {
    bounds.map(|bound| match model {
        Model::Normalized => 0.5 + bound / NORMALIZED_ELO_SCALE * sigma_per_game,
        Model::Logistic | Model::Bayesian => score_from_elo(bound),
    })
}

/// The ratio as a Brownian motion, and where it stopped.
struct Walk<'a> {
    sample: &'a Sample,
    moments: Moments,
    design_effect: f64,
    bounds: [f64; 2],
    /// Scores of the hypotheses, and the variance that the ratio takes for that of a pair.
    scores: [f64; 2],
    assumed: f64,
    llr: f64,
}

impl<'a> Walk<'a> {
    fn new(
        hypotheses: &Hypotheses,
        sample: &'a Sample,
        design_effect: f64,
        games: &Trinomial,
    ) -> Option<Self> {
        let moments = sample.moments()?;
        let regular = sample.regularized().moments()?;
        let sigma = (sample.games_per_observation() * regular.variance).sqrt();
        let mut walk = Self {
            sample,
            moments,
            design_effect,
            bounds: hypotheses.bounds(),
            scores: hypothetical_scores(hypotheses.resolved(games), sigma),
            assumed: regular.variance * design_effect,
            llr: 0.0,
        };
        let reached = walk.motion(moments.mean).drift * moments.n;
        let [lower, upper] = walk.bounds;
        walk.llr = reached.clamp(lower, upper);
        // What would lie beyond a bound is there: the exact ratio of pairs that are nearly all alike grows far more slowly
        // than their variance has it.
        if walk.llr != reached {
            walk.assumed *= reached / walk.llr;
        }
        Some(walk)
    }

    /// The path of the ratio if the true mean is `score`.
    fn motion(&self, score: f64) -> Brownian {
        let assumed = Brownian::of_ratio(self.bounds, self.scores, score, self.assumed);
        let true_by_assumed = self.variance(score) * self.design_effect / self.assumed;
        Brownian {
            variance: assumed.variance * true_by_assumed,
            ..assumed
        }
    }

    /// The variance of a pair if the true mean is `score`.
    fn variance(&self, score: f64) -> f64 {
        let Moments { n, mean, .. } = self.moments;
        let square = (mean - score).powi(2);
        let variance =
            if square * n < NORMAL_WITHIN_ERRORS * NORMAL_WITHIN_ERRORS * self.moments.variance {
                self.moments.variance
            } else {
                n * square / deviance(self.sample, score)
            };
        variance.max(SCORE_MARGIN * SCORE_MARGIN)
    }

    /// Probability of a worse outcome at a true mean of `score`.
    fn worse_outcome(&self, score: f64) -> f64 {
        self.motion(score).worse_outcome(self.moments.n, self.llr)
    }

    /// The Elo at which a worse outcome has this probability; it falls with Elo.
    fn elo_at(&self, probability: f64) -> f64 {
        let excess = |score: f64| self.worse_outcome(score) - probability;
        let ends = [SCORE_MARGIN, 1.0 - SCORE_MARGIN];
        if excess(ends[0]) <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let root = find_root(excess, ends[0], ends[1], 1e-14);
        root.map_or(f64::INFINITY, |score| self.sample.elo(score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{GameScore, PairScore, Pentanomial};
    use crate::elo::elo_from_score;
    use crate::numeric::SplitMix;
    use crate::sprt::{Decision, Sprt};

    fn estimate(counts: [u64; 5]) -> StagewiseEstimate {
        let hypotheses = Hypotheses::new(Model::Normalized, 0.0, 20.0, 0.05, 0.05).unwrap();
        let sample = Pentanomial(counts).into();
        let games = Trinomial::default();
        let stopped = stopped_test(&hypotheses, &sample, &games, 1.0, 0.95);
        stopped.unwrap().stagewise
    }

    #[test]
    fn a_passed_test_is_corrected_downwards() {
        let counts = [47, 324, 636, 380, 61];
        let plain = Sample::from(Pentanomial(counts)).moments().unwrap().mean;
        let estimate = estimate(counts);
        assert!(estimate.lo < estimate.elo && estimate.elo < estimate.hi);
        assert!(estimate.elo < elo_from_score(plain));
    }

    #[test]
    fn one_sided_matches_have_no_end_on_that_side() {
        let swept = estimate([0, 0, 0, 0, 50]);
        assert!(swept.hi == f64::INFINITY && swept.lo.is_finite() && swept.los > Some(0.99));
        assert_eq!(estimate([50, 0, 0, 0, 0]).lo, f64::NEG_INFINITY);
        // Nine pairs, all won: as the plain interval, not [+469, +1000].
        let few = estimate([0, 0, 0, 0, 9]);
        println!("{swept:?} {few:?}");
        assert!(
            few.lo < 260.0 && few.elo > 800.0 && few.los.is_none(),
            "{few:?}"
        );
    }

    /// Pairs that are nearly all alike: a normal law with their variance held the truth in 47 to 88 %.
    #[test]
    fn the_interval_holds_where_pairs_are_nearly_all_alike() {
        let cases: [([f64; 5], [f64; 2]); 4] = [
            ([0.1, 0.0, 0.0, 0.0, 0.9], [0.0, 200.0]),
            ([0.1, 0.0, 0.0, 0.0, 0.9], [0.0, 50.0]),
            ([0.0, 0.0, 0.04, 0.0, 0.96], [0.0, 10.0]),
            ([0.01, 0.0, 0.94, 0.0, 0.05], [0.0, 50.0]),
        ];
        for (law, [elo0, elo1]) in cases {
            let truth: f64 = law
                .iter()
                .zip([0.0, 0.25, 0.5, 0.75, 1.0])
                .map(|(p, a)| p * a)
                .sum();
            let truth = elo_from_score(truth);
            let hypotheses = Hypotheses::new(Model::Normalized, elo0, elo1, 0.05, 0.05).unwrap();
            let (mut held, mut decided) = (0, 0);
            for seed in 0..120 {
                let mut random = SplitMix::new(seed);
                let mut sprt = Sprt::new(hypotheses, 1, true);
                for _ in 0..3000 {
                    let u = random.uniform();
                    let mut below = 0.0;
                    let cell = law.iter().position(|p| {
                        below += p;
                        u < below
                    });
                    sprt.update(pair_of(cell.unwrap_or(4)));
                    if sprt.status().decision != Decision::Undecided {
                        break;
                    }
                }
                if sprt.status().decision == Decision::Undecided {
                    continue;
                }
                decided += 1;
                let found = sprt.estimate(0.95).unwrap().stagewise;
                held += u32::from(found.lo <= truth && truth <= found.hi);
            }
            println!("{law:?} [{elo0}, {elo1}]: held in {held} of {decided}");
            // Three errors below 95 %.
            assert!(
                f64::from(held) >= 0.89 * f64::from(decided),
                "{law:?} {held} {decided}"
            );
        }
    }

    fn pair_of(half_points: usize) -> PairScore {
        let first = half_points.min(2);
        PairScore::new(GameScore::ALL[first], GameScore::ALL[half_points - first])
    }
}
