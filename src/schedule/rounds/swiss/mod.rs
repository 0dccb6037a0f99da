//! The pairing of a round of a Swiss, by the system that TCEC plays (TCEC wiki, "TCEC Swiss
//! Tournament System"), a strict Monrad.
//!
//! Engines are ordered by points, then by seeding number. If their number is odd, the last in this order among those
//! with the fewest byes gets a bye, as long as all others can be paired; an encounter that was won without a move
//! counts as a bye here. Then the first of the order meets the next that it has not met and may meet, as long as the
//! rest can still be paired; then the first that is left, and so on. Whether the rest can be paired is decided by a
//! perfect matching (`matching`), not by trying.
//!
//! Where not everybody can be paired without a repeat, engines that have met once may meet again, then those that have
//! met twice, and so on; an opponent met less often is preferred.

use std::cmp::{Ordering, Reverse};

use super::matching::Matchings;
use crate::event::SwissRules;

/// An engine that is to be paired.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SwissPlayer {
    pub engine: u16,
    /// Its points so far, in half points.
    pub half_points: u32,
    /// Its rounds so far with a bye, or won without a move.
    pub free: u32,
    /// How often it began an encounter, less how often its opponent did.
    pub begun: i32,
}

/// Who meets whom.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SwissRound {
    /// The boards; the engine that begins is first.
    pub boards: Vec<[u16; 2]>,
    /// Who is not paired.
    pub bye: Option<u16>,
}

/// The field cannot be paired: too many pairs are forbidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unpairable {
    /// Forbidden pairs, of which none can be left out: without any of them there would be a
    /// pairing. None where there is a single engine.
    pub conflict: Vec<[u16; 2]>,
}

/// Checks that the first round of a Swiss can be paired.
///
/// # Errors
/// Too many pairs are forbidden.
pub(crate) fn first_swiss_round(rules: &SwissRules) -> Result<(), Unpairable> {
    let player = |engine: &u16| SwissPlayer {
        engine: *engine,
        ..SwissPlayer::default()
    };
    let players: Vec<SwissPlayer> = rules.seeds.iter().map(player).collect();
    pair(1, rules.groups, &players, &rules.forbidden, |_, _| 0).map(drop)
}

/// Pairs a round, from 1, of engines in the order of their seeds. `met` says how often two have
/// met.
///
/// # Errors
/// Not everybody can be paired.
pub(crate) fn pair(
    round: u16,
    groups: u16,
    players: &[SwissPlayer],
    forbidden: &[[u16; 2]],
    met: impl Fn(u16, u16) -> u32,
) -> Result<SwissRound, Unpairable> {
    let order = pairing_order(players, groups);
    let field = SwissField {
        order: &order,
        forbidden,
        met: &met,
    };
    let mut paired = SwissRound::default();
    for (one, other) in field.monrad(field.pairable()?) {
        let Some(lower) = order.get(other) else {
            paired.bye = Some(order[one].engine);
            continue;
        };
        let board = paired.boards.len() + 1;
        let mut engines = [order[one].engine, lower.engine];
        if !begins(round, board, &order[one], lower) {
            engines.reverse();
        }
        paired.boards.push(engines);
    }
    Ok(paired)
}

/// By points, then by seeding number.
fn pairing_order(players: &[SwissPlayer], groups: u16) -> Vec<SwissPlayer> {
    let mut order: Vec<(usize, &SwissPlayer)> = players.iter().enumerate().collect();
    order.sort_by_key(|(seed, player)| {
        let number = seeding_number(*seed, players.len(), usize::from(groups));
        (Reverse(player.half_points), number, *seed)
    });
    order.into_iter().map(|(_, player)| *player).collect()
}

/// The place of a seed, from 0, among engines with equal points: with two groups 0, n/2, 1, n/2 + 1, …, so that the
/// first half meets the second; with four the same in either half of the field.
fn seeding_number(seed: usize, count: usize, groups: usize) -> usize {
    if groups < 2 || count < 2 {
        return seed;
    }
    let couples = groups / 2;
    // As equal as can be, the first ones larger.
    let (size, larger) = (count / couples, count % couples);
    let mut first = 0;
    for couple in 0..couples {
        let here = size + usize::from(couple < larger);
        if seed < first + here {
            let (place, half) = (seed - first, here.div_ceil(2));
            let (row, column) = (place % half, place / half);
            return first + 2 * row + column;
        }
        first += here;
    }
    seed
}

/// Whether the higher engine begins: the engine that has begun less often does; if both have begun equally often, this
/// alternates from board to board and from round to round.
fn begins(round: u16, board: usize, higher: &SwissPlayer, lower: &SwissPlayer) -> bool {
    match higher.begun.cmp(&lower.begun) {
        Ordering::Less => true,
        Ordering::Greater => false,
        Ordering::Equal => (usize::from(round) + board).is_multiple_of(2),
    }
}

/// The players to be paired, in order.
struct SwissField<'a> {
    order: &'a [SwissPlayer],
    forbidden: &'a [[u16; 2]],
    met: &'a dyn Fn(u16, u16) -> u32,
}

impl SwissField<'_> {
    /// The pairings with the fewest repeats in which everybody is paired.
    fn pairable(&self) -> Result<Matchings, Unpairable> {
        let mut levels: Vec<u32> = vec![0];
        for (place, one) in self.order.iter().enumerate() {
            let rest = self.order[place + 1..].iter();
            levels.extend(rest.map(|other| (self.met)(one.engine, other.engine)));
        }
        levels.sort_unstable();
        levels.dedup();
        let mut levels = levels.into_iter();
        let pairings = levels.find_map(|most| self.pairings(most, self.forbidden));
        pairings.ok_or_else(|| Unpairable {
            conflict: self.conflict(),
        })
    }

    /// The pairings that are allowed if the two have met at most this number of times; for an odd number of engines the
    /// bye is one more vertex, after all others.
    fn pairings(&self, most: u32, forbidden: &[[u16; 2]]) -> Option<Matchings> {
        let count = self.order.len();
        let fewest = self.order.iter().map(|player| player.free).min();
        Matchings::new(count.next_multiple_of(2), |one, other| {
            if other == count {
                return Some(self.order[one].free) == fewest;
            }
            let [one, other] = [one, other].map(|place| self.order[place].engine);
            !is_forbidden(forbidden, one, other) && (self.met)(one, other) <= most
        })
    }

    /// The pairing of the system, of all that are allowed, by places in the order, the higher of two first: each is paired
    /// with the first of its candidates after which all others can still be paired.
    fn monrad(&self, mut pairings: Matchings) -> Vec<(usize, usize)> {
        let count = self.order.len();
        let mut left: Vec<usize> = (0..count).collect();
        let mut paired = Vec::new();
        if count % 2 == 1
            && let Some(last) = left.iter().rposition(|one| pairings.fix(*one, count))
        {
            paired.push((left.remove(last), count));
        }
        while let [one, others @ ..] = &left[..] {
            let (one, mut others) = (*one, others.to_vec());
            let engine = |place: usize| self.order[place].engine;
            others.sort_by_key(|other| (self.met)(engine(one), engine(*other)));
            let Some(other) = others.into_iter().find(|other| pairings.fix(one, *other)) else {
                break;
            };
            paired.push((one, other));
            left.retain(|place| ![one, other].contains(place));
        }
        paired
    }

    /// A minimal set of forbidden pairs that makes a pairing impossible: without any one of them a pairing exists.
    fn conflict(&self) -> Vec<[u16; 2]> {
        let fails = |forbidden: &[[u16; 2]]| self.pairings(u32::MAX, forbidden).is_none();
        let mut conflict = self.forbidden.to_vec();
        if fails(&[]) {
            return Vec::new();
        }
        for place in (0..conflict.len()).rev() {
            let mut fewer = conflict.clone();
            fewer.remove(place);
            if fails(&fewer) {
                conflict = fewer;
            }
        }
        conflict
    }
}

fn is_forbidden(forbidden: &[[u16; 2]], one: u16, other: u16) -> bool {
    forbidden.contains(&[one, other]) || forbidden.contains(&[other, one])
}

#[cfg(test)]
mod tests;
