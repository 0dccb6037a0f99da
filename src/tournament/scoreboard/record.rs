//! What the tables are made of: wins, draws and losses of a side, of an
//! encounter.

use crate::stats::counts::GameScore;
use crate::text::count;

/// Wins, draws and losses from one side's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Record {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Record {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Wins, draws and losses.
    pub(crate) fn wdl(&self) -> [u64; 3] {
        [self.wins, self.draws, self.losses]
    }

    /// Points.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points a game, 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.points() / games as f64)
    }

    /// The same games as the opponent sees them.
    pub fn reversed(&self) -> Record {
        Record {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }

    /// Both together.
    pub fn plus(&self, other: Record) -> Record {
        Record {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// One more game.
    pub(crate) fn add(&mut self, score: GameScore) {
        match score {
            GameScore::Win => self.wins += 1,
            GameScore::Draw => self.draws += 1,
            GameScore::Loss => self.losses += 1,
        }
    }
}

/// The games between two participants, as the first of them sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EncounterRecord {
    /// With the white pieces.
    pub as_white: Record,
    /// With the black pieces.
    pub as_black: Record,
    /// Complete pairs by points: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
}

impl EncounterRecord {
    /// With either colour.
    pub fn total(&self) -> Record {
        self.as_white.plus(self.as_black)
    }
}

/// `4.0 points from 6 games`; points of byes and walkovers are not points from games.
pub(crate) fn points_words(points: f64, games: u32, unplayed: f64) -> String {
    let games_words = count(u64::from(games), "game");
    match (games, unplayed > 0.0) {
        (_, false) => format!("{points:.1} points from {games_words}"),
        (0, true) => format!("{points:.1} points by bye or walkover"),
        (_, true) => format!(
            "{points:.1} points: {:.1} from {games_words}, {unplayed:.1} by bye or walkover",
            points - unplayed
        ),
    }
}
