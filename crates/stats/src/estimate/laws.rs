//! White's advantage if the engines were equally strong, by three laws of draws.
//!
//! Between engines of different strength White's score is drawn towards one half: the stronger wins with either colour.
//! The games do not show by how much: it depends on how wins, draws and losses follow strength. Three laws with the
//! same scores and the same share of draws give an answer: Davidson's, the ordered logit (Rao and Kupper) and the
//! ordered probit (Glenn and David). The range of their answers is an uncertainty in addition to chance. Self-play
//! needs no law.

use serde::Serialize;

use crate::elo::{elo_from_score, elo_per_score};
use crate::games::Pair;
use crate::numeric::distributions::normal_cdf;
use crate::numeric::root::find_root;

use super::mean::Estimate;

/// How results follow strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Law {
    /// Davidson 1970: `e^{x/2} : e^δ : e^{−x/2}`.
    Davidson,
    /// Rao and Kupper 1967: thresholds on the logistic law.
    OrderedLogit,
    /// Glenn and David 1960: thresholds on the normal law.
    GlennDavid,
}

impl Law {
    const ALL: [Law; 3] = [Law::Davidson, Law::OrderedLogit, Law::GlennDavid];

    /// Expected score and probability of a draw.
    fn result(self, x: f64, draws: f64) -> [f64; 2] {
        let ordered = |cdf: fn(f64) -> f64| {
            let (win, loss) = (cdf(x - draws), cdf(-x - draws));
            [0.5 + 0.5 * (win - loss), 1.0 - win - loss]
        };
        match self {
            Law::Davidson => {
                let [_, draw, win] = crate::ratings::models::davidson(x, draws);
                [win + 0.5 * draw, draw]
            }
            Law::OrderedLogit => ordered(|x| 1.0 / (1.0 + (-x).exp())),
            Law::GlennDavid => ordered(normal_cdf),
        }
    }

    /// Draw parameters between which all shares of draws lie, whatever the advantage.
    fn range(self) -> (f64, f64) {
        match self {
            Law::Davidson => (-20.0, 30.0),
            _ => (0.0, 60.0),
        }
    }
}

/// White's advantage at equal strength.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EqualStrength {
    /// By law: Elo.
    pub elo: Vec<(Law, f64)>,
    /// Lower end: the smallest of them less its error.
    pub elo_lo: f64,
    /// Upper end: the largest of them with its error.
    pub elo_hi: f64,
}

/// The pairs of two engines.
struct EnginePairs {
    share: f64,
    /// Mean score of the first.
    score: f64,
}

/// Meetings are put into this number of groups by how unequal they are.
const GROUPS: usize = 8;
/// A first engine that scored nearly everything gives no information on colours.
const INSIDE: f64 = 0.005;

impl EqualStrength {
    /// From White's mean between these engines; `None` without pairs, where one of two engines won nearly everything, or
    /// where no law has such results (as where all decided games were White's).
    pub fn new(pairs: &[Pair], white: &Estimate, level: f64) -> Option<Self> {
        let meetings = meetings(pairs)?;
        let games: f64 = 2.0 * pairs.len() as f64;
        let results = pairs.iter().flat_map(|pair| pair.white_results);
        let drawn = results.filter(|result| result.half_points() == 1).count();
        let draws = (drawn as f64 / games).clamp(1e-4, 0.9999);
        let error = white.elo_error(level)? / elo_per_score(white.score);
        // A step of the score by its error, half as far as this number of decided games can move it.
        let room = 0.5 * (1.0 - draws) - (white.score - 0.5).abs();
        let step = error.min(0.5 * room);
        if step < 1e-9 {
            return None;
        }
        let mut elo = Vec::new();
        let (mut elo_lo, mut elo_hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for law in Law::ALL {
            let at = |score: f64| equal(law, &meetings, draws, score).map(elo_from_score);
            let found = at(white.score)?;
            let slope = (at(white.score + step)? - at(white.score - step)?) / (2.0 * step);
            elo_lo = elo_lo.min(found - slope.abs() * error);
            elo_hi = elo_hi.max(found + slope.abs() * error);
            elo.push((law, found));
        }
        Some(Self {
            elo,
            elo_lo,
            elo_hi,
        })
    }

    /// The range of the three laws.
    pub fn range(&self) -> [f64; 2] {
        let values = self.elo.iter().map(|(_, elo)| *elo);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        [low, values.fold(f64::NEG_INFINITY, f64::max)]
    }
}

fn meetings(pairs: &[Pair]) -> Option<Vec<EnginePairs>> {
    let mut sums = std::collections::BTreeMap::<(u16, u16), (f64, f64)>::new();
    for pair in pairs {
        let sum = sums.entry((pair.first, pair.second)).or_default();
        *sum = (sum.0 + 1.0, sum.1 + pair.first_value());
    }
    // White's mean does not know which of two engines was the first.
    let meeting = |(count, sum): &(f64, f64)| EnginePairs {
        share: count / pairs.len() as f64,
        score: (sum / count).max(1.0 - sum / count),
    };
    let mut meetings: Vec<EnginePairs> = sums.values().map(meeting).collect();
    meetings.sort_by(|a, b| a.score.total_cmp(&b.score));
    meetings.last().filter(|m| m.score <= 1.0 - INSIDE)?;
    let size = meetings.len().div_ceil(GROUPS);
    Some(meetings.chunks(size).map(merged).collect())
}

/// Meetings that are nearly as unequal, as one.
fn merged(group: &[EnginePairs]) -> EnginePairs {
    let share: f64 = group.iter().map(|m| m.share).sum();
    let score = group.iter().map(|m| m.share * m.score).sum::<f64>() / share;
    EnginePairs { share, score }
}

/// White's score between equals under a law that has these scores and this share of draws; `None` if no such score exists.
fn equal(law: Law, meetings: &[EnginePairs], draws: f64, white: f64) -> Option<f64> {
    let parameter = |advantage| {
        let beyond = |parameter| Some(expected(law, meetings, parameter, advantage)?[1] - draws);
        root(law.range(), 1e-10, beyond)
    };
    let beyond =
        |advantage| Some(expected(law, meetings, parameter(advantage)?, advantage)?[0] - white);
    let advantage = root((-20.0, 20.0), 1e-9, beyond)?;
    let score = law.result(advantage, parameter(advantage)?)[0];
    (score > 0.0 && score < 1.0).then_some(score)
}

/// A root of a function that is not defined everywhere.
fn root((low, high): (f64, f64), tolerance: f64, f: impl Fn(f64) -> Option<f64>) -> Option<f64> {
    let x = find_root(|x| f(x).unwrap_or(f64::NAN), low, high, tolerance)?;
    f(x).is_some_and(|left| left.abs() < 1e-7).then_some(x)
}

/// White's mean score, and the share of draws, where every meeting has its own score.
fn expected(
    law: Law,
    meetings: &[EnginePairs],
    parameter: f64,
    advantage: f64,
) -> Option<[f64; 2]> {
    let mut sum = [0.0; 2];
    for meeting in meetings {
        let both_colours = |difference: f64| {
            [difference, -difference].map(|own| law.result(own + advantage, parameter))
        };
        let beyond = |difference: f64| {
            let [with, against] = both_colours(difference);
            0.5 * (with[0] + 1.0 - against[0]) - meeting.score
        };
        let [with, against] = both_colours(find_root(beyond, -100.0, 100.0, 1e-11)?);
        (0..2).for_each(|i| sum[i] += meeting.share * 0.5 * (with[i] + against[i]));
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::{Population, Weights, clusters_of_white};
    use crate::games::GameScore;
    use crate::numeric::SplitMix;

    /// Equal or unequal engines, few or nearly all games drawn: each law finds the advantage that was put in.
    #[test]
    fn every_law_finds_its_own_truth() {
        let mut random = SplitMix::new(27);
        for trial in 0..150 {
            let law = Law::ALL[trial % 3];
            let most = if law == Law::GlennDavid { 2.5 } else { 5.0 };
            let parameter = most * random.uniform();
            let advantage = random.uniform() - 0.3;
            let difference = 1.8 * random.uniform();
            let with = law.result(difference + advantage, parameter);
            let against = law.result(-difference + advantage, parameter);
            let meeting = EnginePairs {
                share: 1.0,
                score: 0.5 * (with[0] + 1.0 - against[0]),
            };
            let (white, draws) = (0.5 * (with[0] + against[0]), 0.5 * (with[1] + against[1]));
            let found = equal(law, &[meeting], draws, white).expect("inside");
            let truth = law.result(advantage, parameter)[0];
            assert!((found - truth).abs() < 1e-6, "{law:?} {found} {truth}");
        }
    }

    /// Whatever was played, there is a finite range that has all three answers, or none at all.
    #[test]
    fn there_is_a_finite_answer_or_none() {
        let mut random = SplitMix::new(960);
        let (mut answers, mut drawish) = (0, 0);
        for _ in 0..150 {
            let (drawn, white) = (random.uniform().sqrt(), random.uniform());
            let mut game = || match (random.uniform() < drawn, random.uniform() < white) {
                (true, _) => GameScore::Draw,
                (_, true) => GameScore::Win,
                _ => GameScore::Loss,
            };
            let pair = |number: u32| Pair {
                start: number % 12,
                first: 0,
                second: 1,
                white_results: [game(), game()],
            };
            let pairs: Vec<Pair> = (0..60).map(pair).collect();
            let clusters = clusters_of_white(&pairs, &[], false);
            let mean = Estimate::new(&clusters, Population::Like, Weights::EachPosition);
            let Some(found) = EqualStrength::new(&pairs, &mean.expect("pairs"), 0.95) else {
                continue;
            };
            let [low, high] = found.range();
            assert!(found.elo_lo.is_finite() && found.elo_hi.is_finite());
            assert!(
                found.elo_lo <= low && high <= found.elo_hi && high - low < 60.0,
                "{found:?}"
            );
            answers += 1;
            drawish += u32::from(drawn > 0.9);
        }
        assert!(answers > 100 && drawish > 5, "{answers} {drawish}");
    }

    #[test]
    fn where_white_won_all_decided_games_no_law_answers() {
        let pair = |start| Pair {
            start,
            first: 0,
            second: 1,
            white_results: [
                if start == 0 {
                    GameScore::Win
                } else {
                    GameScore::Draw
                },
                GameScore::Draw,
            ],
        };
        let pairs: Vec<Pair> = (0..36).map(pair).collect();
        let clusters = clusters_of_white(&pairs, &[], false);
        let mean = Estimate::new(&clusters, Population::Like, Weights::EachPosition);
        assert_eq!(
            EqualStrength::new(&pairs, &mean.expect("pairs"), 0.95),
            None
        );
    }

    #[test]
    fn between_equals_no_law_changes_anything() {
        let meeting = EnginePairs {
            share: 1.0,
            score: 0.5,
        };
        for law in Law::ALL {
            let found = equal(law, &[EnginePairs { ..meeting }], 0.6, 0.55).expect("inside");
            assert!((found - 0.55).abs() < 1e-6);
        }
    }
}
