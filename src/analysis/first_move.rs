//! The first-move advantage, and its wording.

use serde::Serialize;

use crate::event::engine_and_copy;
use crate::stats::advantage::{AdvantageOptions, AdvantageReport, PositionReport, RankVerdict};
use crate::stats::estimate::has_mostly_pairs;
use crate::stats::ratings::RatingInput;

use super::collection::Collection;
use super::naming::{Unnamed, judge, mean_told};
use super::node_use::NodeUse;
use super::options::StatisticsOptions;

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
        named.sort_by(|a, b| {
            let distance = |p: &PositionReport| (p.svalue, p.p_value);
            distance(a)
                .partial_cmp(&distance(b))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
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
    match told.is_empty() {
        true => String::new(),
        false => format!(", a limit that was not obeyed: {}", told.join("; ")),
    }
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
    match engines {
        [engine] if collection.self_play => format!(
            "White's expected score when {engine} plays itself from a start position at {limits}"
        ),
        _ if collection.self_play => format!(
            "White's expected score when one of {} engines plays itself from a start position at {limits}",
            engines.len()
        ),
        _ if has_mostly_pairs(&input.pairing.pairs, &input.cells) => format!(
            "White's mean score over start positions between {players}, each with either colour, at {limits}"
        ),
        _ => format!(
            "White's mean score over start positions between {players} at {limits}; most games are single, so \
             it must be chance who has White"
        ),
    }
}
