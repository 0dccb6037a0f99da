//! A test while it runs: fed with whole pairs, it says when to stop.

use serde::{Deserialize, Serialize};

use crate::counts::{GameScore, PairCounts, PairScore, Trinomial};
use crate::numeric::distributions::{normal_quantile, student_quantile};
use crate::start_pairs::StartPairs;

use super::brownian::{Brownian, time_until};
use super::hypotheses::{Hypotheses, Overshoot, cutechess_llr};
use super::llr::weaker;
use super::stagewise::{StoppedTest, hypothetical_scores, stopped_test};

/// Pairs between two looks at the ratio. Looks after every eight pairs err as rarely and,
/// with the correction, last as long.
pub const DEFAULT_BATCH: u64 = 1;

/// The present result of the test. A decision, once taken, is final.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Play on.
    #[default]
    Undecided,
    /// H1 is accepted: the test has passed.
    Accepted,
    /// H0 is accepted: the test has failed.
    Rejected,
}

/// What a test counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TestUnit {
    /// Pairs of games, as if they were independent of each other: about just these start positions
    /// where they repeat.
    #[default]
    Pairs,
    /// Pairs of games, those on one start position as one observation: about starts like these.
    Starts,
    /// Single games, as if they were independent of each other.
    Games,
    /// Single games, by the ratio of cutechess-cli.
    Cutechess,
}

/// The state of a test at its last look.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SprtStatus {
    /// Number of pairs (or of differences of two) that the ratio includes; later ones wait for the next look.
    pub pairs: u64,
    /// Number of games that the ratio includes.
    pub games: u64,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Wald's bounds.
    pub bounds: [f64; 2],
    /// The bounds in force, moved inward by Siegmund's correction.
    pub corrected_bounds: [f64; 2],
    /// Whether to stop.
    pub decision: Decision,
}

/// A running test. Looks are taken on a fixed grid of pairs, so that the correction
/// sees steps of one size and the order of finishing within a batch does not matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Sprt {
    hypotheses: Hypotheses,
    batch: u64,
    correction: bool,
    sample: StartPairs,
    /// The games of those pairs; of a test of single games all.
    games: Trinomial,
    late: PairCounts,
    overshoot: Overshoot,
    status: SprtStatus,
    unit: TestUnit,
    is_closed: bool,
}

impl Sprt {
    /// A test that looks after every `batch` pairs (at least one), with or without
    /// Siegmund's `correction`.
    pub fn new(hypotheses: Hypotheses, batch: u64, correction: bool) -> Self {
        let bounds = hypotheses.bounds();
        Self {
            hypotheses,
            batch: batch.max(1),
            correction,
            sample: StartPairs::default(),
            games: Trinomial::default(),
            late: PairCounts::default(),
            overshoot: Overshoot::default(),
            status: SprtStatus {
                pairs: 0,
                games: 0,
                llr: 0.0,
                bounds,
                corrected_bounds: bounds,
                decision: Decision::Undecided,
            },
            unit: TestUnit::Pairs,
            is_closed: false,
        }
    }

    /// What follows is late, whether a decision has fallen or not.
    pub fn close(&mut self) {
        self.is_closed = true;
    }

    fn has_ended(&self) -> bool {
        self.is_closed || self.status.decision != Decision::Undecided
    }

    /// The same test, which counts this. One of single games takes longer than one of pairs, is fed by
    /// [`Sprt::update_game`] and ends at Wald's bounds, without a correction.
    pub fn counting(self, unit: TestUnit) -> Self {
        Self { unit, ..self }
    }

    /// The same test without a game.
    pub fn anew(&self) -> Self {
        Self::new(self.hypotheses, self.batch, self.correction).counting(self.unit)
    }

    /// Takes in one more game of a test [of games](Sprt::counting). Its `pairs` are two games each.
    pub fn update_game(&mut self, game: GameScore) -> SprtStatus {
        if self.has_ended() {
            self.late.games.add(game);
            return self.status;
        }
        self.games.add(game);
        self.look();
        self.status
    }

    /// Takes in one more pair on this start position.
    pub fn update_on(&mut self, start: u64, pair: PairScore) -> SprtStatus {
        let start = (self.unit == TestUnit::Starts).then_some(start);
        self.observe(&[pair], |sample| sample.add(start, pair))
    }

    /// Takes in one more pair. Pairs that were still being played when the decision
    /// fell are counted apart: they change neither the decision nor the estimate.
    pub fn update(&mut self, pair: PairScore) -> SprtStatus {
        self.observe(&[pair], |sample| sample.add(None, pair))
    }

    /// Takes in a pair of each of two engines against the same opponent on this start position: their difference
    /// is one observation.
    pub fn update_difference(&mut self, start: u64, pairs: [PairScore; 2]) -> SprtStatus {
        let start = (self.unit == TestUnit::Starts).then_some(start);
        self.observe(&pairs, |sample| sample.add_difference(start, pairs))
    }

    fn observe(&mut self, pairs: &[PairScore], add: impl FnOnce(&mut StartPairs)) -> SprtStatus {
        if self.has_ended() {
            pairs.iter().for_each(|pair| self.late.add(*pair));
            return self.status;
        }
        add(&mut self.sample);
        let games = pairs.iter().flat_map(|pair| pair.games());
        games.for_each(|game| self.games.add(game));
        if self.sample.observations().is_multiple_of(self.batch) {
            self.look();
        }
        self.status
    }

    fn look(&mut self) {
        let (test, games) = (&self.hypotheses, &self.games);
        let llr = match self.unit {
            TestUnit::Pairs => test.llr_of(&self.sample.sample(), games),
            TestUnit::Starts => self.llr_by_starts(),
            TestUnit::Games => test.llr_of_games(games),
            TestUnit::Cutechess => cutechess_llr([test.elo0(), test.elo1()], games),
        };
        self.overshoot.observe(llr);
        let bounds = self.hypotheses.bounds();
        let tightened = self.correction.then(|| self.overshoot.tighten(bounds));
        let corrected_bounds = tightened.unwrap_or(bounds);
        let last = self.hypotheses.truncation();
        let last = last.filter(|last| self.sample.observations() >= last.pairs);
        let [lower, upper] = corrected_bounds;
        let decision = match last {
            Some(last) if llr < last.cutoff => Decision::Rejected,
            Some(_) => Decision::Accepted,
            None if llr < lower => Decision::Rejected,
            None if llr > upper => Decision::Accepted,
            None => Decision::Undecided,
        };
        let games = self.games.games();
        let pairs = match self.unit {
            TestUnit::Pairs | TestUnit::Starts => self.sample.observations(),
            TestUnit::Games | TestUnit::Cutechess => games / 2,
        };
        self.status = SprtStatus {
            pairs,
            games,
            llr,
            bounds,
            corrected_bounds,
            decision,
        };
    }

    /// The exact ratio of independent pairs, or the ratio of the mean over start positions if that is weaker.
    fn llr_by_starts(&self) -> f64 {
        let sample = self.sample.sample();
        let exact = self.hypotheses.llr_of(&sample, &self.games);
        let sample = sample.regularized();
        let clustered = self.sample.clustered().zip(sample.moments());
        clustered.map_or(exact, |(clustered, moments)| {
            let sigma = (sample.games_per_observation() * moments.variance).sqrt();
            let resolved = self.hypotheses.resolved(&self.games);
            let scores = hypothetical_scores(resolved, sigma);
            weaker(exact, clustered.llr(&moments, scores))
        })
    }

    /// The state at the last look.
    pub fn status(&self) -> SprtStatus {
        self.status
    }

    /// The test itself.
    pub fn hypotheses(&self) -> &Hypotheses {
        &self.hypotheses
    }

    /// The pairs up to the decision, or all so far.
    pub fn counts(&self) -> PairCounts {
        PairCounts {
            pairs: *self.sample.pairs(),
            games: self.games,
        }
    }

    /// The same pairs by start position; each from a start of its own in a test that does not look at starts.
    pub fn sample(&self) -> &StartPairs {
        &self.sample
    }

    /// What the test counts.
    pub fn unit(&self) -> TestUnit {
        self.unit
    }

    /// The pairs that came in after the decision, or the games of a test of single games.
    pub fn late_counts(&self) -> &PairCounts {
        &self.late
    }

    /// Expected number of pairs still to play, if the difference and the spread are
    /// those observed so far; `None` before the first look and after the decision.
    ///
    /// One pseudo-pair at distance 1/2 enters the variance, without which a few equal
    /// results at the beginning would promise an immediate end.
    pub fn expected_pairs_left(&self) -> Option<f64> {
        Some(self.motion_left(0.0)?.expected_time().max(0.0))
    }

    /// Numbers of pairs still to play that are not exceeded with 10, 50 and 90 % probability. They include chance from
    /// here on and the uncertainty of the difference.
    pub fn pairs_left_range(&self) -> Option<[f64; 3]> {
        // Nine equally probable values of the difference: the middles of ninths of its law.
        let motions: Vec<Brownian> = (0..9)
            .map(|i| self.motion_left(normal_quantile((f64::from(i) + 0.5) / 9.0)))
            .collect::<Option<_>>()?;
        let running = |time: f64| {
            let sum: f64 = motions.iter().map(|m| m.still_running(time)).sum();
            sum / motions.len() as f64
        };
        Some([0.1, 0.5, 0.9].map(|part| time_until(|time| running(time) > 1.0 - part)))
    }

    /// Start positions that were played so far; 0 for a test that does not look at them.
    pub fn starts(&self) -> usize {
        match self.unit {
            TestUnit::Starts => self.sample.starts(),
            _ => 0,
        }
    }

    /// The path from here on, if the true mean score is this number of standard errors above the one
    /// observed.
    fn motion_left(&self, above: f64) -> Option<Brownian> {
        if self.status.decision != Decision::Undecided || self.status.pairs == 0 {
            return None;
        }
        let sample = self.sample.sample();
        let moments = sample.moments()?;
        let variance = (moments.n * moments.variance + 0.25) / (moments.n + 1.0);
        let sigma = (sample.games_per_observation() * variance).sqrt();
        // The part that positions add is assumed to keep its present ratio.
        let variance = variance * self.sample.design_effect();
        let scores = hypothetical_scores(self.hypotheses.resolved(&self.games), sigma);
        let bounds = self
            .status
            .corrected_bounds
            .map(|bound| bound - self.status.llr);
        let score = moments.mean + above * (variance / moments.n).sqrt();
        Some(Brownian::of_ratio(bounds, scores, score, variance))
    }

    /// Elo, interval and LOS that take the stopping rule into account, at `level`.
    pub fn estimate(&self, level: f64) -> Option<StoppedTest> {
        let probability = 0.5 + 0.5 * level;
        // The ends as far as with Student's t, which the variance of few positions asks for.
        let wider = |freedom: f64| {
            let student = student_quantile(probability, freedom.max(1.0));
            let ratio = student.map(|student| student / normal_quantile(probability));
            ratio.map_or(1.0, |ratio| ratio.powi(2))
        };
        let effect = self.sample.design_effect_with(wider);
        let sample = self.sample.sample();
        stopped_test(&self.hypotheses, &sample, &self.games, effect, level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::GameScore::{Draw, Loss, Win};
    use crate::sprt::Model;

    fn test(batch: u64) -> Sprt {
        let hypotheses = Hypotheses::new(Model::Normalized, 0.0, 60.0, 0.05, 0.05).unwrap();
        Sprt::new(hypotheses, batch, true)
    }

    #[test]
    fn looks_only_on_the_grid() {
        let mut sprt = test(4);
        for _ in 0..3 {
            assert_eq!(sprt.update(PairScore::new(Win, Draw)).pairs, 0);
        }
        assert_eq!(sprt.update(PairScore::new(Draw, Loss)).pairs, 4);
        assert!(sprt.expected_pairs_left().unwrap() > 0.0);
        let [low, middle, high] = sprt.pairs_left_range().unwrap();
        assert!(
            0.0 < low && low < middle && middle < high,
            "{low} {middle} {high}"
        );
    }

    #[test]
    fn a_decision_stands_whatever_comes_late() {
        let mut sprt = test(1);
        while sprt.update(PairScore::new(Win, Draw)).decision == Decision::Undecided {}
        let stopped = sprt.status();
        assert_eq!(stopped.decision, Decision::Accepted);
        for _ in 0..500 {
            sprt.update(PairScore::new(Loss, Loss));
        }
        assert_eq!(
            (sprt.status(), sprt.late_counts().pairs.pairs()),
            (stopped, 500)
        );
        assert_eq!(sprt.expected_pairs_left(), None);
        assert_eq!(sprt.pairs_left_range(), None);
        assert!(sprt.estimate(0.95).unwrap().stagewise.elo > 0.0);
    }
}
