//! A line of the table.

use serde::Serialize;

use super::tie_break::TieBreak;

/// One engine's line in the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Default)]
pub struct Standing {
    /// Index of the engine.
    pub engine: u16,
    /// Place from 1; engines no rule separates share it.
    pub place: usize,
    /// Points, in half points, those for byes and walkovers included.
    pub half_points: u32,
    /// Games played.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Points against the engines with equal points, in half points.
    pub direct: u32,
    /// Sonneborn–Berger score, in quarter points.
    pub sonneborn_berger: u64,
    /// Games won with Black.
    pub black_wins: u32,
    /// Pairs won with both colours.
    pub double_wins: u32,
    /// The rule that puts this engine below the one above it, where points
    /// are equal.
    pub decided_by: Option<TieBreak>,
    /// The value of every rule of the order, where it has one for this engine, as
    /// [`Standing::tie_breaks`] has it.
    #[serde(skip)]
    pub(super) values: Vec<(TieBreak, Option<i64>)>,
}

impl Standing {
    /// Half points from games that were won, drawn and lost.
    pub(super) fn add(&mut self, half_points: u32, [won, drawn, lost]: [u32; 3]) {
        self.half_points += half_points;
        self.games += won + drawn + lost;
        self.wins += won;
        self.draws += drawn;
        self.losses += lost;
    }

    /// Points.
    pub fn points(&self) -> f64 {
        f64::from(self.half_points) / 2.0
    }

    /// Those of the points that byes and walkovers gave, without a game.
    pub fn unplayed_points(&self) -> f64 {
        self.points() - f64::from(2 * self.wins + self.draws) / 2.0
    }

    /// Points against the engines with equal points.
    pub fn direct_points(&self) -> f64 {
        f64::from(self.direct) / 2.0
    }

    /// Sonneborn–Berger score in points.
    pub fn sonneborn_berger_points(&self) -> f64 {
        self.sonneborn_berger as f64 / 4.0
    }

    /// Every rule of the order with its value, in points, games or Elo; the direct encounter has
    /// one where engines are level when its turn comes.
    pub fn tie_breaks(&self) -> impl Iterator<Item = (TieBreak, Option<f64>)> + '_ {
        let values = self.values.iter();
        values.map(|(rule, value)| (*rule, value.map(|value| rule.shown(value))))
    }
}
