//! The rules of an event that is played in stages. An identity holds them as they are here.

use serde::{Deserialize, Serialize};

use super::rules::{EliminationRules, SwappedGames, SwissRules};
use crate::clock::Limits;
use crate::referee::Adjudication;
use crate::stats::standings::TieBreak;

/// One stage of an event. It begins when all of the stage before it is played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageRules {
    /// What it is called.
    pub name: String,
    /// Who meets whom in each of its groups.
    pub format: StageFormat,
    /// Who takes part.
    pub entrants: StageEntrants,
    /// How many groups there are; 1 if it has none.
    pub groups: u16,
    /// Who comes into which group.
    pub seeding: GroupSeeding,
    /// What orders engines with equal points in a group. A lot decides at last.
    pub tie_breaks: Vec<TieBreak>,
    /// Whether points from games between two engines of a group in the stage before count in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub carries_points: bool,
    /// The limits of White and Black, if they are not those of the engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<[Limits; 2]>,
    /// When the referee ends its games by score or length, if not as in the rest of the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<Adjudication>,
    /// How many of its first engines change places with the last ones of the stage before in the next season.
    #[serde(default, skip_serializing_if = "crate::text::is_usual")]
    pub promotes: u16,
    /// The same of its last engines and the first ones of the next stage.
    #[serde(default, skip_serializing_if = "crate::text::is_usual")]
    pub relegates: u16,
    /// When its games with swapped colours are played.
    #[serde(default, skip_serializing_if = "crate::text::is_usual")]
    pub swapped_games: SwappedGames,
    /// The positions of the stage, as indices into the event's; empty: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<u32>,
}

/// Who meets whom in a group of a stage. The seeds of the rules are those of the stage, and not in here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StageFormat {
    /// Everybody meets everybody, this often.
    League(u32),
    Swiss(SwissRules),
    Knockout(EliminationRules),
    DoubleElimination(EliminationRules),
    Ladder(EliminationRules),
}

impl StageFormat {
    /// The rules of a tree.
    pub(crate) fn tree(&self) -> Option<&EliminationRules> {
        use StageFormat::{DoubleElimination, Knockout, Ladder};
        match self {
            Knockout(rules) | DoubleElimination(rules) | Ladder(rules) => Some(rules),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub(crate) fn tree_mut(&mut self) -> Option<&mut EliminationRules> {
        use StageFormat::{DoubleElimination, Knockout, Ladder};
        match self {
            Knockout(rules) | DoubleElimination(rules) | Ladder(rules) => Some(rules),
            _ => None,
        }
    }
}

/// Who takes part in a stage, the first seed first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageEntrants {
    /// Engines by their places in the event file: the first seeds.
    pub named: Vec<u16>,
    /// Then those who have these places in earlier stages.
    pub placed: Vec<StagePlaces>,
}

impl StageEntrants {
    /// How many there are, if the stages have so many groups.
    pub(crate) fn count(&self, groups: impl Fn(u16) -> u16) -> usize {
        let placed = self.placed.iter().map(|places| {
            let all = places.places.len() * usize::from(groups(places.stage));
            places.best.map_or(all, |best| all.min(best.into()))
        });
        self.named.len() + placed.sum::<usize>()
    }
}

/// Places in an earlier stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StagePlaces {
    /// The stage, from 0.
    pub stage: u16,
    /// Places in each of its groups, from 1: first all who have the first of them, then all who have the second, and so
    /// on.
    pub places: Vec<u16>,
    /// Only so many of these engines: those with the larger part of the points of their games, then with more wins; then
    /// by lot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<u16>,
}

/// How the entrants of a stage come into its groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupSeeding {
    /// By seeds, forth and back: 1 2 3, 6 5 4, 7 8 9.
    #[default]
    Snake,
    /// By seeds, each row as the first: 1 2 3, 4 5 6.
    Rows,
    /// The first seeds in the first group, the next in the second.
    Blocks,
    /// By a lot that the event's seed has drawn.
    Lot,
}
