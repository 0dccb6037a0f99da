//! The first-move advantage, and its wording.

use std::cmp::Ordering;

use serde::Serialize;

use crate::event::engine_and_copy;
use crate::stats::advantage::{AdvantageOptions, AdvantageReport, PositionReport, RankVerdict};
use crate::stats::estimate::has_mostly_pairs;
use crate::stats::ratings::RatingInput;

use super::collection::Collection;
use super::engines::NodeUse;
use super::field::StatisticsOptions;

/// The advantage of the first move at every start, with its method.
#[derive(Debug, Clone, Serialize)]
pub struct FirstMoveReport {
    /// What the numbers estimate, in a sentence.
    pub estimand: String,
    /// All estimates of it.
    #[serde(flatten)]
    pub advantage: AdvantageReport,
    /// Why no position may be named; `None` if the games decide which are named.
    pub unnamed: Option<Unnamed>,
}

impl FirstMoveReport {
    /// Standard deviation of these positions' advantages in Elo, and its interval, unless that is empty.
    pub(crate) fn spread_elo(&self) -> Option<[f64; 3]> {
        let spread = self.advantage.spread;
        let spread = spread.filter(|spread| spread.sd_elo_hi.is_finite())?;
        Some([spread.sd_elo, spread.sd_elo_lo, spread.sd_elo_hi])
    }

    /// Half the interval of White's first-move advantage, in Elo; or why it is not shown.
    pub(crate) fn measured(&self) -> Result<f64, Unnamed> {
        let mean = self.advantage.mean.as_ref();
        let these = mean.and_then(|mean| mean.elo_error_these);
        let positions = &self.advantage.positions;
        let observations = match these {
            Some(_) => positions.iter().map(|one| one.games).sum::<u32>() as usize / 2,
            None => positions.len(),
        };
        let error = these.or(mean.and_then(|mean| mean.elo_error_all));
        // Where all games are drawn the interval is one of the unknown noise alone.
        let error = error.filter(|_| self.advantage.draw_rate != Some(1.0));
        mean_told(self.unnamed == Some(Unnamed::Copies), observations, error)
    }

    pub(super) fn new(
        collection: &Collection,
        input: &RatingInput,
        level: f64,
        asked: &StatisticsOptions,
    ) -> FirstMoveReport {
        let options = AdvantageOptions {
            level,
            equivalence: asked.equivalence,
            self_play: collection.self_play,
            ..AdvantageOptions::default()
        };
        let mirror = |start| collection.starts.mirror(start);
        let mut advantage = AdvantageReport::of_input(input, &options, mirror);
        if collection.self_play {
            advantage.engines = bare_names(&input.engines);
        }
        for position in &mut advantage.positions {
            position.name = collection.starts.name(position.start);
        }
        let unnamed = judge(&mut advantage, collection.duplicates.share);
        FirstMoveReport {
            estimand: estimand(&advantage.engines, collection, input)
                + &unobeyed(&collection.node_use),
            unnamed,
            advantage,
        }
    }

    /// The positions with this verdict, the largest difference first.
    pub fn named(&self, verdict: RankVerdict) -> Vec<&PositionReport> {
        let positions = self.advantage.positions.iter();
        let mut named: Vec<_> = positions.filter(|p| p.verdict == Some(verdict)).collect();
        let distance = |p: &PositionReport| (p.svalue, p.p_value);
        let order = |a: &_, b: &_| distance(a).partial_cmp(&distance(b));
        named.sort_by(|a, b| order(a, b).unwrap_or(Ordering::Equal));
        named
    }

    /// The smallest s-value of all positions.
    pub fn smallest_s_value(&self) -> Option<f64> {
        let values = self.advantage.positions.iter().filter_map(|p| p.svalue);
        values.min_by(f64::total_cmp)
    }
}

/// The names without the numbers of copies, each once.
pub(super) fn bare_names(engines: &[String]) -> Vec<String> {
    let bare = |name: &String| engine_and_copy(name).0.to_owned();
    let mut names: Vec<String> = engines.iter().map(bare).collect();
    names.dedup();
    names
}

/// The reason why the limit in the sentence is not true.
fn unobeyed(used: &[NodeUse]) -> String {
    let words = |used: &NodeUse| {
        format!(
            "{} searched {:.3} of its nodes (median {} of {})",
            used.engine, used.share, used.nodes, used.limit
        )
    };
    let ignored = used.iter().filter(|used| !used.is_obeyed());
    let told: Vec<String> = ignored.map(words).collect();
    if told.is_empty() {
        return String::new();
    }
    format!(", a limit that was not obeyed: {}", told.join("; "))
}

/// Limits that a sentence names.
const MOST_LIMITS: usize = 4;

/// With the reason why White and Black are equally strong on average: self-play, pairs, or chance.
fn estimand(engines: &[String], collection: &Collection, input: &RatingInput) -> String {
    let limits = &collection.limits;
    // For PGN files without the tag it is a question mark.
    let limits = match limits.iter().all(|limits| limits == "?") {
        true => "unknown limits".to_owned(),
        false if limits.len() > MOST_LIMITS => format!("{} different limits", limits.len()),
        false => limits.join("; "),
    };
    let players = match engines {
        [] => return "no games".to_owned(),
        [one, other] => format!("{one} and {other}"),
        _ => format!("these {} engines", engines.len()),
    };
    if collection.self_play {
        let who = match engines {
            [engine] => engine.clone(),
            _ => format!("one of {} engines", engines.len()),
        };
        return format!(
            "White's expected score when {who} plays itself from a start position at {limits}"
        );
    }
    let mean = format!("White's mean score over start positions between {players}");
    if has_mostly_pairs(&input.pairing.pairs, &input.cells) {
        format!("{mean}, each with either colour, at {limits}")
    } else {
        format!("{mean} at {limits}; most games are single, so it must be chance who has White")
    }
}

// The one check before anything is reported about White's first move: the size of its advantage, and which start
// positions differ from the average. Lists, colours of the map, sentences and JSON use only the positions that this
// check returns.

/// Minimum number of positions for any of them to be named.
const FEWEST_FOR_SPREAD: usize = 12;

/// Minimum number of pairs for a mean to be shown, or of positions if these are the sample: with fewer the normal
/// interval holds its level too rarely.
const FEWEST_FOR_MEAN: usize = 20;

/// Copies of games above this share leave too few games to name a position.
const MOST_COPIES: f64 = 0.1;

/// Maximum p-value of the test that positions differ.
const SIGNIFICANT: f64 = 0.05;

/// Why positions are not named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Unnamed {
    /// More than a tenth of all games are copies of others.
    #[error("more than a tenth of the games repeat others")]
    Copies,
    #[error("there are fewer than {FEWEST_FOR_MEAN} pairs of games")]
    FewGames,
    /// All results are equal, so the error is unknown.
    #[error("all results are alike")]
    Alike,
    #[error("there are fewer than {FEWEST_FOR_SPREAD} positions")]
    FewPositions,
    #[error(
        "fewer than half of the positions were played in two pairs, so chance cannot be told from them"
    )]
    NotReplicated,
    /// The test that positions differ was not possible.
    #[error("the pairs are too few to show what chance alone does")]
    NoTest,
    /// The test that positions differ is not significant.
    #[error("chance alone explains the results")]
    NotShown,
}

/// Judges all positions: those that may not be named are not distinguishable.
pub(super) fn judge(advantage: &mut AdvantageReport, copies: f64) -> Option<Unnamed> {
    let pairs: Vec<u32> = advantage.positions.iter().map(|one| one.pairs).collect();
    let p = advantage.spread.map(|spread| spread.p_value);
    let why = unnamed(&pairs, copies, p);
    if why.is_some() {
        for position in &mut advantage.positions {
            position.verdict = position.verdict.map(|_| RankVerdict::NotDistinguishable);
        }
    }
    why
}

/// From the pairs of every position, the share of copies, and the p-value that positions do not differ.
fn unnamed(pairs: &[u32], copies: f64, p: Option<f64>) -> Option<Unnamed> {
    let replicated = pairs.iter().filter(|pairs| **pairs >= 2).count();
    match p {
        _ if copies > MOST_COPIES => Some(Unnamed::Copies),
        _ if pairs.len() < FEWEST_FOR_SPREAD => Some(Unnamed::FewPositions),
        _ if 2 * replicated < pairs.len() => Some(Unnamed::NotReplicated),
        None => Some(Unnamed::NoTest),
        Some(p) => (p > SIGNIFICANT).then_some(Unnamed::NotShown),
    }
}

/// Half the interval of a mean of this number of observations, or why it is not shown.
fn mean_told(copies: bool, observations: usize, error: Option<f64>) -> Result<f64, Unnamed> {
    match error.filter(|error| error.is_finite()) {
        _ if copies => Err(Unnamed::Copies),
        _ if observations < FEWEST_FOR_MEAN => Err(Unnamed::FewGames),
        Some(error) if error > 0.0 => Ok(error),
        _ => Err(Unnamed::Alike),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_needs_games_that_differ() {
        assert_eq!(mean_told(false, 20, Some(9.0)), Ok(9.0));
        assert_eq!(mean_told(true, 20, Some(9.0)), Err(Unnamed::Copies));
        assert_eq!(mean_told(false, 19, Some(9.0)), Err(Unnamed::FewGames));
        for error in [None, Some(0.0), Some(f64::INFINITY), Some(f64::NAN)] {
            assert_eq!(mean_told(false, 500, error), Err(Unnamed::Alike));
        }
    }

    #[test]
    fn one_gate_decides_for_every_list() {
        type Case = (&'static [u32], f64, Option<f64>, Option<Unnamed>);
        let cases: [Case; 8] = [
            (&[2; 12], 0.0, Some(0.01), None),
            (&[2; 12], 0.2, Some(0.01), Some(Unnamed::Copies)),
            (&[2; 6], 0.0, Some(0.01), Some(Unnamed::FewPositions)),
            (&[1; 40], 0.0, Some(0.01), Some(Unnamed::NotReplicated)),
            (
                &[2, 150, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
                0.0,
                Some(0.0),
                None,
            ),
            (&[2; 12], 0.0, None, Some(Unnamed::NoTest)),
            (&[2; 12], 0.0, Some(0.36), Some(Unnamed::NotShown)),
            (&[], 0.0, None, Some(Unnamed::FewPositions)),
        ];
        for (pairs, copies, p, expected) in cases {
            assert_eq!(
                unnamed(pairs, copies, p),
                expected,
                "{pairs:?} {copies} {p:?}"
            );
        }
    }
}
