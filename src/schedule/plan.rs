//! The plan of an event: which pair plays what.

use std::sync::{Arc, Mutex, PoisonError};

use super::derive::derived;
use super::pairings::{PairSpec, PlanError, SeatPair, encounters, league};
use super::series::{SeriesTable, encounters_in_turn, pair_in_turn};
use super::{Format, Openings, RoundFormat, Rounds};
use crate::chess::random::Random;
use crate::clock::Limits;
use crate::event::{Colours, GameId, PairId, PositionDraw, Seat, Series};

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
    /// The most pairs of the plan; it may end before.
    pub max_pairs: Option<u64>,
    /// What decides the order of the positions.
    pub seed: u64,
    /// Games of a pair: 2 or 1.
    pub games_per_pair: u8,
    /// The colours of events in which every pair takes the next position, no matter which engines play it; only the
    /// first `cycles` of these positions are played. `None`: every encounter is played on every position.
    pub in_turn: Option<Colours>,
    /// How many games two engines play before the next two meet, where every pair takes the next
    /// position.
    pub series: Option<Series>,
    /// The limits of White and Black in the first rounds, where they are not those of the engines.
    pub round_limits: Vec<Option<[Limits; 2]>>,
}

/// The order of an event. In each cycle the positions come in another random order, or always in the order that the
/// event file asks for. On each position every encounter is played before the next position comes, so that an event is
/// balanced wherever it is interrupted. Two positions that are each other's partner follow one another.
///
/// The encounters of a position come from the Berger tables; each position begins one encounter later than the position
/// before. The colours of the first games are alternately those of the table and the opposite. So nobody is always
/// first, and in every encounter each side begins every other time.
///
/// A plan grows by pairs: a pair that depends on results is appended after the last cycle, once it has been chosen.
/// Apart from these pairs only the order of one cycle is stored.
#[derive(Debug)]
pub struct Plan {
    settings: PlanSettings,
    encounters: Vec<SeatPair>,
    /// The series, if the event is played in series.
    series: Option<SeriesTable>,
    /// The order of the cycle that was last used.
    order: Mutex<(u32, Arc<[u32]>)>,
    /// What was appended after the last cycle.
    appended: Vec<PairSpec>,
}

impl PlanSettings {
    /// The rules of an event that is played in rounds, where positions are drawn for rounds or
    /// encounters; `None` if every encounter is played on every position.
    pub(crate) fn rounds(&self, draw: PositionDraw) -> Option<Rounds> {
        let format = match &self.format {
            Format::Elimination(kind, rules) => RoundFormat::Elimination(*kind, rules.clone()),
            Format::Swiss(rules) => RoundFormat::Swiss(rules.clone()),
            Format::Stages(stages) => RoundFormat::Stages(stages.clone()),
            _ if !draw.is_in_rounds() => return None,
            _ => {
                let engines: Vec<u16> = self.participants.iter().map(|seat| seat.engine).collect();
                let (table, cycles) = (league(&engines), self.cycles);
                RoundFormat::League { table, cycles }
            }
        };
        Some(Rounds {
            rule: draw,
            openings: self.openings.len(),
            listed: self.openings.listed().cloned(),
            round_limits: self.round_limits.clone(),
            ..Rounds::new(format, self.seed)
        })
    }
}

/// White and Black of a game, in the plan of an event of this many positions; the positions need not be known.
pub(crate) fn seats_of_pair(
    format: &Format,
    participants: &[Seat],
    openings: u32,
    game: GameId,
) -> Option<[Seat; 2]> {
    let encounters = encounters(format, participants).ok()?;
    let count = encounters.len() as u64;
    let turn = game.pair.0.checked_div(count).filter(|_| openings > 0)?;
    let mut seats = met_at(&encounters, turn, game.pair.0 % count);
    seats.rotate_left(usize::from(game.game % 2));
    Some(seats)
}

/// The two players at a place in the order of encounters, on the position that is the `turn`th to be visited; the first
/// has White in the first game.
fn met_at(encounters: &[SeatPair], turn: u64, place: u64) -> [Seat; 2] {
    let rotated = (place + turn) % encounters.len() as u64;
    let mut seats = encounters[rotated as usize];
    seats.rotate_left((turn % 2) as usize);
    seats
}

impl Plan {
    /// The plan of these settings.
    ///
    /// # Errors
    /// No participants, no positions, or too many participants for the format.
    pub fn new(settings: PlanSettings) -> Result<Plan, PlanError> {
        let encounters = match settings.in_turn {
            Some(_) => encounters_in_turn(&settings.format, &settings.participants)?,
            None => encounters(&settings.format, &settings.participants)?,
        };
        if settings.openings.is_empty() {
            return Err(PlanError::NoOpenings);
        }
        let order = Mutex::new((0, order_of_cycle(&settings, 0)));
        let series = settings
            .series
            .zip(settings.in_turn)
            .map(|(rules, colours)| {
                let played = (colours, settings.games_per_pair);
                SeriesTable::new(rules, played, &settings.format, &settings.participants)
            });
        let series = series.transpose()?;
        Ok(Plan {
            settings,
            encounters,
            series,
            order,
            appended: Vec::new(),
        })
    }

    /// The plan of an event that is played in rounds: nothing, until the first is chosen.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub(crate) fn in_rounds(settings: PlanSettings) -> Result<Plan, PlanError> {
        let mut plan = Plan::new(settings)?;
        plan.encounters.clear();
        Ok(plan)
    }

    /// Appends these pairs, in order. They get the next numbers.
    pub fn append(&mut self, pairs: &[PairSpec]) {
        self.appended.extend_from_slice(pairs);
    }

    /// The pairs of one more visit to each of these positions, in order, each with all encounters, as they would follow
    /// the plan. A position that is twice in the list is visited twice.
    pub fn visiting(&self, openings: &[u32]) -> Vec<PairSpec> {
        let mut visits = self.visits();
        let visited: u64 = visits.iter().copied().map(u64::from).sum();
        let mut pairs = Vec::with_capacity(openings.len() * self.encounters.len());
        for (turn, &opening) in (visited..).zip(openings) {
            let cycle = &mut visits[opening as usize];
            let pair = |place| self.meeting(turn, place, opening, *cycle);
            pairs.extend((0..self.pairs_per_opening()).map(pair));
            *cycle += 1;
        }
        pairs
    }

    /// How often each position is visited, by opening.
    pub fn visits(&self) -> Vec<u32> {
        let mut visits = vec![self.settings.cycles; self.settings.openings.len() as usize];
        for pair in &self.appended {
            let known = &mut visits[pair.opening as usize];
            *known = pair.cycle.saturating_add(1).max(*known);
        }
        visits
    }

    /// The two engines, the smaller index first, if all pairs are between the same two.
    pub(crate) fn only_encounter(&self) -> Option<[u16; 2]> {
        let [both] = self.encounters.as_slice() else {
            return None;
        };
        let mut engines = both.map(|seat| seat.engine);
        engines.sort_unstable();
        Some(engines)
    }

    /// Pairs of the whole plan.
    pub fn len(&self) -> u64 {
        let all = self.in_cycles() + self.appended.len() as u64;
        self.settings.max_pairs.map_or(all, |most| all.min(most))
    }

    /// Pairs of all cycles, without those that were appended.
    fn in_cycles(&self) -> u64 {
        let cycle = match (&self.series, self.settings.in_turn) {
            (Some(series), _) => series.pairs(),
            (None, Some(_)) => self.pairs_per_opening(),
            // Every encounter on every position.
            (None, None) => u64::from(self.settings.openings.len()) * self.pairs_per_opening(),
        };
        u64::from(self.settings.cycles) * cycle
    }

    /// Whether the plan has no pair: never, unless it was asked for none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
        self.games_of(self.len())
    }

    /// Games of this number of first pairs.
    pub(crate) fn games_of(&self, pairs: u64) -> u64 {
        let in_cycles = pairs.min(self.in_cycles());
        let appended = self.appended.iter().take((pairs - in_cycles) as usize);
        let appended: u64 = appended.map(|spec| u64::from(spec.games)).sum();
        in_cycles * u64::from(self.games_per_pair()) + appended
    }

    /// What a pair plays; `None` where it has not been chosen. Without rounds the pair may lie beyond the end of the
    /// plan, which repeats in the same way without end (for 2^32 cycles).
    pub fn pair(&self, pair: PairId) -> Option<PairSpec> {
        let place = pair.0.checked_sub(self.in_cycles());
        if let Some(spec) = place.and_then(|place| self.appended.get(place as usize)) {
            return Some(*spec);
        }
        if self.encounters.is_empty() {
            return None;
        }
        if let Some(series) = &self.series {
            return Some(series.pair(pair.0, &self.order(0)));
        }
        let openings = u64::from(self.settings.openings.len());
        if let Some(colours) = self.settings.in_turn {
            let played = openings.min(u64::from(self.settings.cycles)).max(1);
            let cycle = (pair.0 / played) as u32;
            let opening = self.order(cycle)[(pair.0 % played) as usize];
            let rules = (colours, self.settings.games_per_pair);
            let spec = pair_in_turn(pair.0, &self.encounters, (opening, cycle), rules);
            return Some(spec);
        }
        // Positions played before this one, all cycles together.
        let turn = pair.0 / self.pairs_per_opening();
        let cycle = (turn / openings) as u32;
        let opening = self.order(cycle)[(turn % openings) as usize];
        Some(self.meeting(turn, pair.0 % self.pairs_per_opening(), opening, cycle))
    }

    /// One encounter, by its place on a position that is the `turn`th to be visited.
    fn meeting(&self, turn: u64, place: u64, opening: u32, cycle: u32) -> PairSpec {
        let mut seats = met_at(&self.encounters, turn, place);
        seats.rotate_left(usize::from(self.settings.openings.is_reversed(opening)));
        PairSpec::new(seats, opening, cycle, self.settings.games_per_pair)
    }

    /// The round of a game, from 1, in an event that is played in series.
    pub(crate) fn round_of(&self, game: GameId) -> Option<u64> {
        self.series.as_ref().map(|series| series.round_of(game))
    }

    /// Every pair of the plan, in order.
    pub fn iter(&self) -> impl Iterator<Item = (PairId, PairSpec)> + '_ {
        let ids = (0..self.len()).map(PairId);
        ids.filter_map(|id| Some((id, self.pair(id)?)))
    }

    /// The order of the positions in a cycle.
    pub fn order(&self, cycle: u32) -> Arc<[u32]> {
        let mut cached = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.0 != cycle {
            *cached = (cycle, order_of_cycle(&self.settings, cycle));
        }
        Arc::clone(&cached.1)
    }
}

/// The order of the positions that was asked for, or a random one with partners next to each other.
fn order_of_cycle(settings: &PlanSettings, cycle: u32) -> Arc<[u32]> {
    let openings = &settings.openings;
    if let Some(listed) = openings.listed() {
        return Arc::clone(listed);
    }
    let mut random = Random::new(derived("cycle", &[settings.seed, u64::from(cycle)]));
    let leads = |index: &u32| {
        openings
            .partner(*index)
            .is_none_or(|partner| *index < partner)
    };
    let mut leaders: Vec<u32> = (0..openings.len()).filter(leads).collect();
    random.shuffle(&mut leaders);
    if leaders.len() as u32 == openings.len() {
        return leaders.into();
    }
    let with_partner = |leader| {
        // Either of them first.
        let (first, second) = match openings.partner(leader) {
            Some(partner) if random.below(2) == 1 => (partner, Some(leader)),
            partner => (leader, partner),
        };
        std::iter::once(first).chain(second)
    };
    leaders.into_iter().flat_map(with_partner).collect()
}
