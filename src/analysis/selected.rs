//! Every headline with some games left out: forfeits measure little of the moves, and forfeits caused by the host
//! measure nothing of the engines.

use serde::Serialize;

use crate::stats::advantage::MeanAdvantage;
use crate::stats::games::{GameFlags, GameTable};
use crate::stats::ratings::table::RatingOptions;
use crate::stats::ratings::{RatingInput, RatingTable};

/// The games from which a number was computed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GameSelection {
    WithoutForfeits,
    WithoutHostFaults,
    /// Also games that repeat earlier ones and are not counted.
    WithReplays,
    /// Without any game that repeats another.
    WithoutCopies,
}

/// The headlines of a selection of the games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SelectedReport {
    /// Which games are left out: forfeits, or the host's faults.
    pub selection: GameSelection,
    pub left_out: usize,
    pub games: usize,
    /// White's mean advantage in them.
    pub mean: Option<MeanAdvantage>,
    /// Ratings and half widths of their intervals, in the order of the engines; none in self-play.
    pub ratings: Vec<Option<[f64; 2]>>,
}

/// The selections that leave out at least one game.
pub(super) fn selected(counted: &GameTable, self_play: bool, level: f64) -> Vec<SelectedReport> {
    let cases = [
        (GameSelection::WithoutForfeits, GameFlags::FORFEIT),
        (GameSelection::WithoutHostFaults, GameFlags::HOST_FAULT),
    ];
    let one = |(selection, flags)| {
        let flagged = counted.rows().filter(|row| row.flags.intersects(flags));
        let left_out = flagged.count();
        if left_out == 0 {
            return None;
        }
        let games = counted.without(flags);
        let input = RatingInput::new(&games);
        Some(SelectedReport {
            selection,
            left_out,
            games: games.len(),
            mean: MeanAdvantage::of_input(&input, self_play, level),
            ratings: match self_play {
                true => Vec::new(),
                false => ratings(&input, level),
            },
        })
    };
    cases.into_iter().filter_map(one).collect()
}

fn ratings(input: &RatingInput, level: f64) -> Vec<Option<[f64; 2]>> {
    let Ok(table) = RatingTable::new(input, &RatingOptions::default()) else {
        return vec![None; input.engines.len()];
    };
    let rating = |engine: usize| {
        let engine = engine as u16;
        Some([table.elo(engine)?, table.half_width(engine, level)?])
    };
    (0..input.engines.len()).map(rating).collect()
}
