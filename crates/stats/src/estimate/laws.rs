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
use crate::numeric::root::bisect;

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

    /// Draw parameters between which all shares of draws lie.
    fn range(self) -> (f64, f64) {
        match self {
            Law::Davidson => (-20.0, 20.0),
            _ => (0.0, 20.0),
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
struct Meeting {
    share: f64,
    /// Mean score of the first.
    score: f64,
}

/// Meetings are put into this number of groups by how unequal they are.
const GROUPS: usize = 8;
/// A first engine that scored nearly everything gives no information on colours.
const INSIDE: f64 = 0.005;

impl EqualStrength {
    /// From White's mean between these engines; `None` without pairs or where one of two engines
    /// won nearly everything.
    pub fn new(pairs: &[Pair], white: &Estimate, level: f64) -> Option<Self> {
        let meetings = meetings(pairs)?;
        let games: f64 = 2.0 * pairs.len() as f64;
        let results = pairs.iter().flat_map(|pair| pair.white_results);
        let drawn = results.filter(|result| result.half_points() == 1).count();
        let draws = (drawn as f64 / games).clamp(1e-4, 0.9999);
        let error = white.elo_error(level)? / elo_per_score(white.score);
        let mut elo = Vec::new();
        let (mut elo_lo, mut elo_hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for law in Law::ALL {
            let at = |score: f64| equal(law, &meetings, draws, score).map(elo_from_score);
            let found = at(white.score)?;
            // A step of the score by its error, inside of what can be.
            let step = error.min(0.5 * white.score.min(1.0 - white.score));
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

fn meetings(pairs: &[Pair]) -> Option<Vec<Meeting>> {
    let mut sums = std::collections::BTreeMap::<(u16, u16), (f64, f64)>::new();
    for pair in pairs {
        let sum = sums.entry((pair.first, pair.second)).or_default();
        *sum = (sum.0 + 1.0, sum.1 + pair.first_value());
    }
    if sums.is_empty() {
        return None;
    }
    let meeting = |(count, sum): &(f64, f64)| Meeting {
        share: count / pairs.len() as f64,
        score: sum / count,
    };
    let mut meetings: Vec<Meeting> = sums.values().map(meeting).collect();
    let inside = meetings
        .iter()
        .all(|m| (INSIDE..=1.0 - INSIDE).contains(&m.score));
    // White's mean does not know which of two engines was the first.
    meetings
        .iter_mut()
        .for_each(|m| m.score = m.score.max(1.0 - m.score));
    meetings.sort_by(|a, b| a.score.total_cmp(&b.score));
    let size = meetings.len().div_ceil(GROUPS);
    inside.then(|| meetings.chunks(size).map(merged).collect())
}

/// Meetings that are nearly as unequal, as one.
fn merged(group: &[Meeting]) -> Meeting {
    let share: f64 = group.iter().map(|m| m.share).sum();
    let score = group.iter().map(|m| m.share * m.score).sum::<f64>() / share;
    Meeting { share, score }
}

/// White's score between equals under a law that has these scores and this share of draws.
fn equal(law: Law, meetings: &[Meeting], draws: f64, white: f64) -> Option<f64> {
    let mut parameter = draw_parameter(law, meetings, draws, 0.0);
    let mut advantage = 0.0;
    // Draws hardly depend on the advantage: the two settle in a few steps.
    for _ in 0..20 {
        let before = advantage;
        let white_score = |a: f64| expected(law, meetings, parameter, a)[0];
        advantage = bisect((-20.0, 20.0), |_, _| 1e-9, |a| white_score(a) < white);
        parameter = draw_parameter(law, meetings, draws, advantage);
        if (advantage - before).abs() < 1e-7 {
            break;
        }
    }
    let score = law.result(advantage, parameter)[0];
    (score > 0.0 && score < 1.0).then_some(score)
}

fn draw_parameter(law: Law, meetings: &[Meeting], draws: f64, advantage: f64) -> f64 {
    let is_below = |parameter: f64| expected(law, meetings, parameter, advantage)[1] < draws;
    bisect(law.range(), |_, _| 1e-9, is_below)
}

/// White's mean score, and the share of draws, where every meeting has its own score.
fn expected(law: Law, meetings: &[Meeting], parameter: f64, advantage: f64) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for meeting in meetings {
        let of = |difference: f64| {
            let with = law.result(difference + advantage, parameter);
            let against = law.result(-difference + advantage, parameter);
            (with, against)
        };
        let first = |difference: f64| {
            let (with, against) = of(difference);
            0.5 * (with[0] + 1.0 - against[0])
        };
        let difference = bisect(
            (-40.0, 40.0),
            |_, _| 1e-8,
            |difference| first(difference) < meeting.score,
        );
        let (with, against) = of(difference);
        for i in 0..2 {
            sum[i] += meeting.share * 0.5 * (with[i] + against[i]);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two engines 1.8 logits apart under each law: that law finds the advantage.
    #[test]
    fn every_law_finds_its_own_truth() {
        for law in Law::ALL {
            let (parameter, advantage, difference) = (0.7, 0.3, 1.3);
            let with = law.result(difference + advantage, parameter);
            let against = law.result(-difference + advantage, parameter);
            let meeting = Meeting {
                share: 1.0,
                score: 0.5 * (with[0] + 1.0 - against[0]),
            };
            let (white, draws) = (0.5 * (with[0] + against[0]), 0.5 * (with[1] + against[1]));
            let found = equal(law, &[meeting], draws, white).expect("inside");
            let truth = law.result(advantage, parameter)[0];
            assert!((found - truth).abs() < 1e-5, "{law:?} {found} {truth}");
        }
    }

    #[test]
    fn between_equals_no_law_changes_anything() {
        let meeting = Meeting {
            share: 1.0,
            score: 0.5,
        };
        for law in Law::ALL {
            let found = equal(law, &[Meeting { ..meeting }], 0.6, 0.55).expect("inside");
            assert!((found - 0.55).abs() < 1e-6);
        }
    }
}
