//! Who meets whom.

use serde::{Deserialize, Serialize};

use super::Elimination;
use crate::clock::Limits;
use crate::event::{
    ArmageddonWhite, EliminationRules, PairTerms, Place, Seat, StageRules, SwissRules,
};

/// Why there is no such plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Too few participants for a game.
    #[error("an event needs at least two participants, and there is {0}")]
    TooFewParticipants(usize),
    /// A match is between two.
    #[error("a match is between two participants, and there are {0}")]
    MatchOfMany(usize),
    /// All or none are heroes.
    #[error("a gauntlet needs at least one hero and at least one other engine")]
    OneSidedGauntlet,
    /// Nothing to play from.
    #[error("there is no position to play from")]
    NoOpenings,
}

/// The format of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Format {
    /// Two participants.
    Match,
    /// Everybody meets everybody.
    RoundRobin,
    /// The heroes meet everybody who is not a hero.
    Gauntlet {
        /// The heroes: indices into the event's engines.
        heroes: Vec<u16>,
    },
    /// Losers go out.
    Elimination(Elimination, EliminationRules),
    /// Engines with about the same points meet.
    Swiss(SwissRules),
    /// Several of these, one after the other.
    Stages(Vec<StageRules>),
}

impl Format {
    /// The limits of White and Black in stages and playoffs, and how long it is waited for bids.
    pub(crate) fn times_mut(&mut self) -> (Vec<&mut [Limits; 2]>, Vec<&mut u32>) {
        let (mut limits, mut bids) = (Vec::new(), Vec::new());
        let mut trees = Vec::new();
        match self {
            Format::Elimination(_, rules) => trees.push(rules),
            Format::Stages(stages) => {
                for stage in stages {
                    limits.extend(stage.limits.as_mut());
                    trees.extend(stage.format.tree_mut());
                }
            }
            _ => {}
        }
        for step in trees.into_iter().flat_map(|rules| &mut rules.playoffs) {
            limits.extend(step.limits.as_mut());
            if let Some(ArmageddonWhite::Bid { wait_seconds, .. }) = &mut step.armageddon {
                bids.push(wait_seconds);
            }
        }
        (limits, bids)
    }
}

/// The word of the event file.
impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Format::Match => "match",
            Format::RoundRobin => "round-robin",
            Format::Gauntlet { .. } => "gauntlet",
            Format::Elimination(Elimination::Knockout, _) => "knockout",
            Format::Elimination(Elimination::Double, _) => "double-elimination",
            Format::Elimination(Elimination::Ladder, _) => "ladder",
            Format::Swiss(_) => "swiss",
            Format::Stages(_) => "stages",
        })
    }
}

/// A meeting of two participants; the first has White in the first game, unless the plan
/// turns it round.
pub(super) type SeatPair = [Seat; 2];

/// All encounters of a format, each once, in the order in which they are played on a position. The colours are
/// balanced: any two participants differ by at most one in the number of encounters that they begin (in a gauntlet: any
/// two challengers, or any two heroes).
pub(super) fn encounters(
    format: &Format,
    participants: &[Seat],
) -> Result<Vec<SeatPair>, PlanError> {
    let count = participants.len();
    match format {
        _ if count < 2 => Err(PlanError::TooFewParticipants(count)),
        Format::Match if count > 2 => Err(PlanError::MatchOfMany(count)),
        Format::Match => Ok(vec![[participants[0], participants[1]]]),
        Format::RoundRobin => Ok(league(participants).concat()),
        Format::Gauntlet { heroes } => gauntlet(heroes, participants),
        // Results decide.
        Format::Elimination(..) | Format::Swiss(_) | Format::Stages(_) => Ok(Vec::new()),
    }
}

/// The Berger table for these players: rounds of pairings, White first (FIDE Handbook C.05, Annex 1: Details of Berger
/// Tables). For an odd number the next larger table is used, and a game against its highest number is not played.
pub(crate) fn league<T: Copy>(players: &[T]) -> Vec<Vec<[T; 2]>> {
    let count = players.len();
    let places = count.next_multiple_of(2);
    let moving = places - 1;
    let last = moving;
    let round = |round: usize| {
        // A round repeats the table of the first round with every number but the last shifted by half the field.
        let moved = |place: usize| (place + round * places / 2) % moving;
        let mut leader = [moved(0), last];
        leader.rotate_left(round % 2);
        let others = (1..places / 2).map(|board| [moved(board), moved(last - board)]);
        let pairings = std::iter::once(leader).chain(others);
        let present = pairings.filter(|pairing| pairing.iter().all(|&place| place < count));
        let players = present.map(|pairing| pairing.map(|place| players[place]));
        players.collect()
    };
    (0..moving).map(round).collect()
}

/// In every round each hero meets another challenger; from round to round the heroes
/// change colours, and so do the challengers.
fn gauntlet(heroes: &[u16], participants: &[Seat]) -> Result<Vec<SeatPair>, PlanError> {
    let (heroes, challengers) = heroes_and_others(heroes, participants);
    if heroes.is_empty() || challengers.is_empty() {
        return Err(PlanError::OneSidedGauntlet);
    }
    let mut encounters = Vec::new();
    for round in 0..challengers.len() {
        for (place, hero) in heroes.iter().enumerate() {
            let challenger = challengers[(round + place) % challengers.len()];
            let mut seats = [*hero, challenger];
            seats.rotate_left(round % 2);
            encounters.push(seats);
        }
    }
    Ok(encounters)
}

pub(super) fn heroes_and_others(heroes: &[u16], participants: &[Seat]) -> (Vec<Seat>, Vec<Seat>) {
    let all = participants.iter().copied();
    all.partition(|seat| heroes.contains(&seat.engine))
}

/// One pair of games from one opening, with the colours swapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairSpec {
    /// The cycle, from 0: how often the two had met on this opening before.
    pub cycle: u32,
    /// The opening: an index into the event's [`Openings`](super::Openings).
    pub opening: u32,
    /// White of game 0.
    pub first: Seat,
    /// Black of game 0.
    pub second: Seat,
    /// Games of the pair: 2, or 1 where a second game would repeat the first.
    pub games: u8,
    /// Its place in an event that is played in rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The part of White's time that Black has by bids, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_percent: Option<u8>,
    /// What the second game is.
    #[serde(default, skip_serializing_if = "crate::text::is_usual")]
    pub second_game: SecondGame,
}

/// The second game of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SecondGame {
    /// With the colours swapped, behind the first.
    #[default]
    Swapped,
    /// The same, when the first games of all rounds up to this one were played.
    SwappedAfter(u16),
    /// With the same colours.
    SameColours,
}

impl PairSpec {
    /// A pair of an event without rounds; the first of the two has White first.
    pub(crate) fn new([first, second]: SeatPair, opening: u32, cycle: u32, games: u8) -> PairSpec {
        PairSpec {
            cycle,
            opening,
            first,
            second,
            games,
            place: None,
            black_percent: None,
            second_game: SecondGame::Swapped,
        }
    }

    /// White and Black of a game of the pair.
    pub fn seats(&self, game: u8) -> [Seat; 2] {
        let mut seats = [self.first, self.second];
        if self.second_game != SecondGame::SameColours {
            seats.rotate_left(usize::from(game % 2));
        }
        seats
    }

    /// What its limits depend on.
    pub(crate) fn terms(&self) -> Option<PairTerms> {
        Some(PairTerms {
            place: self.place?,
            black_percent: self.black_percent,
        })
    }

    /// Among what its first game is played: the last of the rounds, and which pair of an encounter; `None` where the second
    /// follows at once.
    pub(crate) fn section(&self) -> Option<(u16, u16)> {
        match self.second_game {
            SecondGame::SwappedAfter(round) => Some((round, self.place?.pair)),
            _ => None,
        }
    }

    /// Who meets; the first has White first.
    pub(crate) fn engines(&self) -> [u16; 2] {
        [self.first.engine, self.second.engine]
    }

    /// Whether this engine takes part.
    pub fn concerns(&self, engine: u16) -> bool {
        self.engines().contains(&engine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(count: usize) -> Vec<String> {
        let text = |[white, black]: &[usize; 2]| format!("{}-{}", white + 1, black + 1);
        league(&(0..count).collect::<Vec<usize>>())
            .iter()
            .map(|round| round.iter().map(text).collect::<Vec<_>>().join(" "))
            .collect()
    }

    #[test]
    fn the_tables_are_those_of_the_handbook() {
        assert_eq!(table(4), ["1-4 2-3", "4-3 1-2", "2-4 3-1"]);
        let six = [
            "1-6 2-5 3-4",
            "6-4 5-3 1-2",
            "2-6 3-1 4-5",
            "6-5 1-4 2-3",
            "3-6 4-2 5-1",
        ];
        assert_eq!(table(6), six);
        assert_eq!(table(3), ["2-3", "1-2", "3-1"]);
        assert_eq!(table(2), ["1-2"]);
    }

    fn seats(count: u16) -> Vec<Seat> {
        (0..count).map(|engine| Seat { engine, copy: 0 }).collect()
    }

    #[test]
    fn everybody_meets_everybody_once_with_even_colours() {
        for count in 2..=17_u16 {
            let encounters = encounters(&Format::RoundRobin, &seats(count)).unwrap();
            let mut met: Vec<[u16; 2]> = encounters
                .iter()
                .map(|[a, b]| [a.engine.min(b.engine), a.engine.max(b.engine)])
                .collect();
            met.sort_unstable();
            met.dedup();
            assert_eq!(met.len(), usize::from(count) * usize::from(count - 1) / 2);
            for engine in 0..count {
                let begun = encounters
                    .iter()
                    .filter(|pair| pair[0].engine == engine)
                    .count();
                let others = encounters
                    .iter()
                    .filter(|pair| pair[1].engine == engine)
                    .count();
                assert!(
                    begun.abs_diff(others) <= 1,
                    "{count} engines, number {engine}"
                );
            }
        }
    }

    #[test]
    fn heroes_meet_every_challenger_and_no_hero() {
        let format = Format::Gauntlet { heroes: vec![1, 4] };
        let encounters = encounters(&format, &seats(6)).unwrap();
        assert_eq!(encounters.len(), 2 * 4);
        for pair in encounters {
            let heroes = pair
                .iter()
                .filter(|seat| [1, 4].contains(&seat.engine))
                .count();
            assert_eq!(heroes, 1);
        }
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        assert!(encounters(&Format::RoundRobin, &seats(1)).is_err());
        assert!(encounters(&Format::Match, &seats(3)).is_err());
        let everybody = Format::Gauntlet { heroes: vec![0, 1] };
        assert_eq!(
            encounters(&everybody, &seats(2)),
            Err(PlanError::OneSidedGauntlet)
        );
    }
}
