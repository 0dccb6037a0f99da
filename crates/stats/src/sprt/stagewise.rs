//! Estimates after a sequential test.
//!
//! A test stops when the results look extreme, so the ordinary Elo is biased and its
//! interval covers too little. Here outcomes are put in order instead: failed early,
//! failed late, still running (by the ratio), passed late, passed early. The Elo at
//! which half of all tests would end worse than this one is the estimate; the interval
//! and the LOS follow from the same order (semantics of Fishtest's `sprt.py`).

use serde::Serialize;

use super::brownian::Brownian;
use super::hypotheses::Hypotheses;
use super::llr::Model;
use crate::counts::Trinomial;
use crate::elo::{NORMALIZED_ELO_SCALE, score_from_elo};
use crate::numeric::root::find_root;
use crate::profile::{ProfileInterval, profile_interval};
use crate::sample::Sample;

/// Estimates are not looked for beyond ± this many Elo.
const LARGEST_ELO: f64 = 1000.0;

/// Estimate of the Elo difference (logistic, whatever the test's model).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StagewiseEstimate {
    /// Median-unbiased Elo.
    pub elo: f64,
    /// Lower end of the interval.
    pub lo: f64,
    /// Upper end of the interval.
    pub hi: f64,
    /// Likelihood of superiority.
    pub los: f64,
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
    let stagewise = estimate(hypotheses, sample, games, design_effect, level)?;
    Some(StoppedTest {
        stagewise,
        if_planned: profile_interval(sample, level),
    })
}

fn estimate(
    hypotheses: &Hypotheses,
    sample: &Sample,
    games: &Trinomial,
    design_effect: f64,
    level: f64,
) -> Option<StagewiseEstimate> {
    if sample.is_empty() {
        return None;
    }
    let sample = sample.regularized();
    let walk = Walk::new(hypotheses, &sample, design_effect, games)?;
    let tail = 0.5 * (1.0 - level);
    Some(StagewiseEstimate {
        elo: walk.elo_at(0.5),
        lo: walk.elo_at(1.0 - tail),
        hi: walk.elo_at(tail),
        los: walk.worse_outcome(0.0),
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
struct Walk {
    bounds: [f64; 2],
    scores: [f64; 2],
    variance: f64,
    time: f64,
    llr: f64,
}

impl Walk {
    fn new(
        hypotheses: &Hypotheses,
        sample: &Sample,
        design_effect: f64,
        games: &Trinomial,
    ) -> Option<Self> {
        let moments = sample.moments()?;
        let sigma = (sample.games_per_observation() * moments.variance).sqrt();
        let scores = hypothetical_scores(hypotheses.resolved(games), sigma);
        let mut walk = Self {
            bounds: hypotheses.bounds(),
            scores,
            variance: moments.variance * design_effect,
            time: moments.n,
            llr: 0.0,
        };
        let slope = walk.motion(moments.mean).drift;
        let [lower, upper] = walk.bounds;
        walk.llr = (slope * moments.n).clamp(lower, upper);
        // What lies beyond a bound was reached earlier on the way there.
        if walk.llr != slope * moments.n {
            walk.time = walk.llr / slope;
        }
        Some(walk)
    }

    fn motion(&self, score: f64) -> Brownian {
        Brownian::of_ratio(self.bounds, self.scores, score, self.variance)
    }

    /// Probability of a worse outcome at a true difference of `elo`.
    fn worse_outcome(&self, elo: f64) -> f64 {
        self.motion(score_from_elo(elo))
            .worse_outcome(self.time, self.llr)
    }

    /// The Elo at which a worse outcome has this probability; it falls with Elo.
    fn elo_at(&self, probability: f64) -> f64 {
        let excess = |elo| self.worse_outcome(elo) - probability;
        let root = find_root(excess, -LARGEST_ELO, LARGEST_ELO, 1e-10);
        root.unwrap_or(if excess(0.0) > 0.0 {
            LARGEST_ELO
        } else {
            -LARGEST_ELO
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Pentanomial;

    fn estimate(counts: [u64; 5]) -> StagewiseEstimate {
        let hypotheses = Hypotheses::new(Model::Normalized, 0.0, 20.0, 0.05, 0.05).unwrap();
        let sample = Pentanomial(counts).into();
        super::estimate(&hypotheses, &sample, &Trinomial::default(), 1.0, 0.95).unwrap()
    }

    #[test]
    fn a_passed_test_is_corrected_downwards() {
        let counts = [47, 324, 636, 380, 61];
        let plain = Sample::from(Pentanomial(counts)).moments().unwrap().mean;
        let estimate = estimate(counts);
        assert!(estimate.lo < estimate.elo && estimate.elo < estimate.hi);
        assert!(estimate.elo < crate::elo::elo_from_score(plain));
    }

    #[test]
    fn one_sided_matches_end_at_the_limits() {
        let swept = estimate([0, 0, 0, 0, 50]);
        assert!(swept.hi <= LARGEST_ELO && swept.lo.is_finite() && swept.los > 0.99);
        assert!(estimate([50, 0, 0, 0, 0]).lo >= -LARGEST_ELO);
    }
}
