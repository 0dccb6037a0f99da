//! The plan of an event: which pair plays what.

use std::sync::{Arc, Mutex, PoisonError};

use super::derive::derived;
use super::pairings::{Encounter, encounters};
use super::{Format, Openings};
use crate::chess::random::Random;
use crate::event::{PairId, Seat};

/// One pair of games from one opening, with the colours swapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairSpec {
    /// The cycle, from 0: how often the two had met on this opening before.
    pub cycle: u32,
    /// The opening: an index into the event's [`Openings`].
    pub opening: u32,
    /// White of game 0.
    pub first: Seat,
    /// Black of game 0.
    pub second: Seat,
    /// Games of the pair: 2, or 1 where a second would be the same again.
    pub games: u8,
}

impl PairSpec {
    /// White and Black of a game of the pair.
    pub fn seats(&self, game: u8) -> [Seat; 2] {
        if game.is_multiple_of(2) {
            [self.first, self.second]
        } else {
            [self.second, self.first]
        }
    }

    /// Whether this engine takes part.
    pub fn concerns(&self, engine: u16) -> bool {
        self.first.engine == engine || self.second.engine == engine
    }
}

/// All that the plan depends on.
#[derive(Debug, Clone)]
pub struct PlanSettings {
    /// The participants, in the order of the event file.
    pub participants: Vec<Seat>,
    /// Who meets whom.
    pub format: Format,
    /// The positions.
    pub openings: Arc<Openings>,
    /// How often every encounter is played on every position.
    pub cycles: u32,
    /// Where the plan ends if it has not ended before, in pairs.
    pub max_pairs: Option<u64>,
    /// What decides the order of the positions.
    pub seed: u64,
    /// Games of a pair: 2 or 1.
    pub games_per_pair: u8,
}

/// Why there is no such plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Nobody to play against.
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

/// The order of an event. In each cycle the positions come in another random order, and
/// on each position every encounter is played before the next position comes, so that an
/// event is balanced wherever it is interrupted. Positions that are each other's partner
/// stand next to each other.
///
/// The encounters of a position are those of the Berger tables, begun one further from
/// position to position, and the colours of the first games are the table's and its
/// opposite in turn: nobody is always first, and in every encounter either side begins
/// every other time.
///
/// Nothing is stored but the order of one cycle.
#[derive(Debug)]
pub struct Plan {
    settings: PlanSettings,
    encounters: Vec<Encounter>,
    /// The order of the cycle that was asked for last.
    order: Mutex<(u32, Arc<[u32]>)>,
    /// What was appended after the last cycle.
    appended: Vec<Turn>,
}

/// One visit to a position, for all its encounters.
#[derive(Debug, Clone, Copy)]
struct Turn {
    opening: u32,
    /// How often it was visited before.
    cycle: u32,
}

impl Plan {
    /// The plan of these settings.
    ///
    /// # Errors
    /// No participants, no positions, or too many participants for the format.
    pub fn new(settings: PlanSettings) -> Result<Plan, PlanError> {
        let encounters = encounters(&settings.format, &settings.participants)?;
        if settings.openings.is_empty() {
            return Err(PlanError::NoOpenings);
        }
        let order = Mutex::new((0, order_of_cycle(&settings, 0)));
        Ok(Plan {
            settings,
            encounters,
            order,
            appended: Vec::new(),
        })
    }

    /// Appends a visit to each of these positions, in order; one that stands in the list
    /// twice is visited twice. A plan whose continuation depends on results grows so.
    pub fn append(&mut self, openings: &[u32]) {
        let mut visits = self.visits();
        for &opening in openings {
            let cycle = &mut visits[opening as usize];
            self.appended.push(Turn {
                opening,
                cycle: *cycle,
            });
            *cycle += 1;
        }
    }

    /// How often each position is visited, by opening.
    pub fn visits(&self) -> Vec<u32> {
        let mut visits = vec![self.settings.cycles; self.settings.openings.len() as usize];
        for turn in &self.appended {
            visits[turn.opening as usize] += 1;
        }
        visits
    }

    /// The positions in the order of the first cycle.
    pub fn first_order(&self) -> Arc<[u32]> {
        self.order(0)
    }

    /// Pairs of the whole plan.
    pub fn len(&self) -> u64 {
        let appended = self.appended.len() as u64 * self.pairs_per_opening();
        let all = u64::from(self.settings.cycles) * self.pairs_per_cycle() + appended;
        self.settings.max_pairs.map_or(all, |most| all.min(most))
    }

    /// Whether the plan has no pair: never, unless it was asked for none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Pairs of one cycle: every encounter on every position.
    pub fn pairs_per_cycle(&self) -> u64 {
        u64::from(self.settings.openings.len()) * self.pairs_per_opening()
    }

    /// Pairs on one position in one cycle: every encounter.
    pub fn pairs_per_opening(&self) -> u64 {
        self.encounters.len() as u64
    }

    /// Games of a pair.
    pub fn games_per_pair(&self) -> u8 {
        self.settings.games_per_pair
    }

    /// Games of the whole plan.
    pub fn games(&self) -> u64 {
        self.len() * u64::from(self.games_per_pair())
    }

    /// What a pair plays. The pair may lie beyond the end of the plan, which goes on in
    /// the same way for ever (for 2^32 cycles).
    pub fn pair(&self, pair: PairId) -> PairSpec {
        let on_position = self.pairs_per_opening();
        // Positions played before this one, all cycles together.
        let turn = pair.0 / on_position;
        let Turn { opening, cycle } = self.turn(turn);
        let [mut first, mut second] =
            self.encounters[((pair.0 % on_position + turn) % on_position) as usize];
        if turn % 2 == 1 {
            (first, second) = (second, first);
        }
        PairSpec {
            cycle,
            opening,
            first,
            second,
            games: self.settings.games_per_pair,
        }
    }

    fn turn(&self, turn: u64) -> Turn {
        let openings = u64::from(self.settings.openings.len());
        let appended = turn.checked_sub(u64::from(self.settings.cycles) * openings);
        let appended = appended.and_then(|place| self.appended.get(place as usize));
        appended.copied().unwrap_or_else(|| {
            let cycle = (turn / openings) as u32;
            Turn {
                opening: self.order(cycle)[(turn % openings) as usize],
                cycle,
            }
        })
    }

    /// Every pair of the plan, in order.
    pub fn iter(&self) -> impl Iterator<Item = (PairId, PairSpec)> + '_ {
        (0..self.len()).map(|pair| (PairId(pair), self.pair(PairId(pair))))
    }

    /// The order of the positions in a cycle.
    fn order(&self, cycle: u32) -> Arc<[u32]> {
        let mut cached = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.0 != cycle {
            *cached = (cycle, order_of_cycle(&self.settings, cycle));
        }
        Arc::clone(&cached.1)
    }
}

/// A random order of the positions, partners next to each other.
fn order_of_cycle(settings: &PlanSettings, cycle: u32) -> Arc<[u32]> {
    let openings = &settings.openings;
    let mut random = Random::new(derived("cycle", &[settings.seed, u64::from(cycle)]));
    let mut leaders: Vec<u32> = (0..openings.len())
        .filter(|&index| {
            openings
                .partner(index)
                .is_none_or(|partner| index < partner)
        })
        .collect();
    random.shuffle(&mut leaders);
    if leaders.len() as u32 == openings.len() {
        return leaders.into();
    }
    leaders
        .into_iter()
        .flat_map(|leader| with_partner(leader, openings.partner(leader), &mut random))
        .collect()
}

/// A position and its partner, either of them first.
fn with_partner(
    leader: u32,
    partner: Option<u32>,
    random: &mut Random,
) -> impl Iterator<Item = u32> + use<> {
    let (first, second) = match partner {
        Some(partner) if random.below(2) == 1 => (partner, Some(leader)),
        partner => (leader, partner),
    };
    std::iter::once(first).chain(second)
}
