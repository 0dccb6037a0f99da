//! Faults, strikes and disqualifications, as they follow from the games alone; and engines that the
//! arbiter has withdrawn, whose games have the same fate.
//!
//! **Invariant: a ruling is a function of the stored games.** It does not depend on
//! their order, nor on when anybody looked: a run that is interrupted comes to the
//! same rulings as one that is not.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::chess::Color;
use crate::event::Seat;
use crate::event::{Disqualified, FaultRules};
use crate::referee::FaultKind;

/// An engine that plays no more: it was disqualified, or withdrawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ruling {
    /// Index into the event's engines.
    pub engine: u16,
    /// Its faults in finished games and in those that were voided to be replayed.
    pub faults: u64,
    /// The number of faults that disqualifies.
    pub strikes: u32,
    /// Its finished games.
    pub games: u64,
    /// Its games in the plan; `None` where a stop rule decides.
    pub planned_games: Option<u64>,
    /// Whether the arbiter has withdrawn it; else its faults have disqualified it.
    pub withdrawn: bool,
    /// What the event file says of the games of such an engine.
    pub rule: Disqualified,
    /// Whether its games do not count, for it and for its opponents.
    pub annulled: bool,
    /// Games of the plan that its opponents win because it does not play them.
    #[serde(skip)]
    pub walkovers: u64,
}

/// What one engine has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct EngineFaults {
    games: u64,
    faults: u64,
    /// Games voided because of it.
    voids: u64,
    /// Those of them that were because its program was changed.
    changed: u64,
}

/// What all engines have done, and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FaultCounts {
    rules: FaultRules,
    /// Games of the plan by encounter, the smaller index first.
    planned: Option<BTreeMap<[u16; 2], u64>>,
    played: BTreeMap<[u16; 2], u64>,
    tallies: BTreeMap<u16, EngineFaults>,
    withdrawn: BTreeSet<u16>,
}

impl FaultCounts {
    /// Nothing has been played. `planned` are the games of the plan by encounter of
    /// two engines, the smaller index first; `None` where a stop rule decides.
    pub fn new(rules: FaultRules, planned: Option<BTreeMap<[u16; 2], u64>>) -> FaultCounts {
        FaultCounts {
            rules,
            planned,
            ..FaultCounts::default()
        }
    }

    /// The same where the arbiter has withdrawn these engines.
    pub(crate) fn withdrawing(self, withdrawn: BTreeSet<u16>) -> FaultCounts {
        FaultCounts { withdrawn, ..self }
    }

    /// Whether an engine is out, or can be disqualified, in this event.
    pub fn can_rule(&self) -> bool {
        self.rules.strikes.is_some() || !self.withdrawn.is_empty()
    }

    /// Whether games can be annulled in this event.
    pub(super) fn can_annul(&self) -> bool {
        self.can_rule() && self.rules.disqualified != Disqualified::Keep
    }

    /// A finished game, White's and Black's seats, and the first fault in it.
    pub fn finished(&mut self, seats: [Seat; 2], fault: Option<(Color, FaultKind)>) {
        *self.played.entry(encounter(seats)).or_default() += 1;
        let [one, other] = encounter(seats);
        self.tallies.entry(one).or_default().games += 1;
        if other != one {
            self.tallies.entry(other).or_default().games += 1;
        }
        self.replayed(seats, fault);
    }

    /// A game that was voided because of a fault, to be replayed.
    pub fn replayed(&mut self, seats: [Seat; 2], fault: Option<(Color, FaultKind)>) {
        if let Some((side, kind)) = fault
            && self.rules.concern(kind)
        {
            let engine = seats[side.index()].engine;
            self.tallies.entry(engine).or_default().faults += 1;
        }
    }

    /// A game that the host has voided, and the engine that it was voided for.
    pub fn excused(&mut self, seats: [Seat; 2], sake: Option<(Color, FaultKind)>) {
        if let Some((side, kind)) = sake {
            let tally = self.tallies.entry(seats[side.index()].engine).or_default();
            tally.voids += 1;
            tally.changed += u64::from(kind == FaultKind::StartFailure);
        }
    }

    /// Whether the host's effect on this engine is still excused.
    pub fn excuses(&self, engine: u16) -> bool {
        self.tally(engine).voids < u64::from(self.rules.voids)
    }

    fn tally(&self, engine: u16) -> EngineFaults {
        self.tallies.get(&engine).copied().unwrap_or_default()
    }

    /// The engines for which games were voided: how many, how many of them because its program was changed, and how many
    /// the event excuses.
    pub fn voided(&self) -> impl Iterator<Item = (u16, [u64; 2], u32)> {
        let engines = self.tallies.iter();
        let voided = engines.filter(|(_, tally)| tally.voids > 0);
        voided.map(|(engine, tally)| (*engine, [tally.voids, tally.changed], self.rules.voids))
    }

    /// The engines that are excused no more.
    pub fn unexcused(&self) -> impl Iterator<Item = u16> {
        let engines = self.tallies.keys().copied();
        engines.filter(|engine| !self.excuses(*engine))
    }

    /// Its faults so far.
    pub(crate) fn faults(&self, engine: u16) -> u64 {
        self.tally(engine).faults
    }

    /// Whether this engine plays no more pairs.
    pub fn is_out(&self, engine: u16) -> bool {
        let strikes = self.rules.strikes.map(u64::from);
        self.withdrawn.contains(&engine)
            || strikes.is_some_and(|strikes| self.faults(engine) >= strikes)
    }

    /// Whether this engine's games do not count.
    pub fn is_annulled(&self, engine: u16) -> bool {
        match self.rules.disqualified {
            _ if !self.is_out(engine) => false,
            Disqualified::Keep => false,
            Disqualified::Annul => true,
            Disqualified::Half => self
                .planned_games(engine)
                .is_some_and(|planned| 2 * self.tally(engine).games < planned),
        }
    }

    /// Whether a game between these two does not count.
    pub fn annuls(&self, seats: [Seat; 2]) -> bool {
        seats.iter().any(|seat| self.is_annulled(seat.engine))
    }

    /// Every engine that plays no more, in the order of the event file.
    pub fn rulings(&self) -> Vec<Ruling> {
        let engines = self.tallies.keys().chain(&self.withdrawn);
        let out = engines.filter(|engine| self.is_out(**engine)).copied();
        let ruling = |engine| {
            let left = self.walkovers().filter(|(_, loser, _)| *loser == engine);
            Ruling {
                engine,
                faults: self.faults(engine),
                strikes: self.rules.strikes.unwrap_or(0),
                games: self.tally(engine).games,
                withdrawn: self.withdrawn.contains(&engine),
                planned_games: self.planned_games(engine),
                rule: self.rules.disqualified,
                annulled: self.is_annulled(engine),
                walkovers: left.map(|(.., games)| games).sum(),
            }
        };
        out.collect::<BTreeSet<u16>>()
            .into_iter()
            .map(ruling)
            .collect()
    }

    /// Games of the plan that are not played because an engine is disqualified.
    pub fn cancelled_games(&self) -> u64 {
        let out = self.planned_encounters();
        let out = out.filter(|pair| pair.iter().any(|one| self.is_out(*one)));
        out.map(|pair| self.left(pair)).sum()
    }

    /// Games of the plan that are won because the opponent plays no more, although its games count:
    /// winner, loser, and how many. Two that are both out win nothing of each other.
    pub fn walkovers(&self) -> impl Iterator<Item = (u16, u16, u64)> + '_ {
        self.planned_encounters()
            .filter_map(|pair| self.walkover(pair))
    }

    /// The same of two engines.
    pub(super) fn walkover(&self, [one, other]: [u16; 2]) -> Option<(u16, u16, u64)> {
        let (winner, loser) = match (self.is_out(one), self.is_out(other)) {
            (true, false) => (other, one),
            (false, true) => (one, other),
            _ => return None,
        };
        let left = self.left([one.min(other), one.max(other)]);
        (left > 0 && !self.is_annulled(loser)).then_some((winner, loser, left))
    }

    fn planned_encounters(&self) -> impl Iterator<Item = [u16; 2]> + '_ {
        self.planned.iter().flat_map(BTreeMap::keys).copied()
    }

    /// Games of the plan that these two have not played.
    fn left(&self, pair: [u16; 2]) -> u64 {
        let of = |games: &BTreeMap<_, u64>| games.get(&pair).copied().unwrap_or(0);
        let planned = self.planned.as_ref().map_or(0, of);
        planned.saturating_sub(of(&self.played))
    }

    fn planned_games(&self, engine: u16) -> Option<u64> {
        let planned = self.planned.as_ref()?.iter();
        let own = planned.filter(|(pair, _)| pair.contains(&engine));
        Some(own.map(|(_, games)| games).sum())
    }
}

/// Two engines, the smaller index first.
fn encounter(seats: [Seat; 2]) -> [u16; 2] {
    let mut engines = seats.map(|seat| seat.engine);
    engines.sort_unstable();
    engines
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRASH: Option<(Color, FaultKind)> = Some((Color::White, FaultKind::Crash));

    fn seats(white: u16, black: u16) -> [Seat; 2] {
        [white, black].map(|engine| Seat { engine, copy: 0 })
    }

    /// Three engines that meet in four games each.
    fn fault_counts(disqualified: Disqualified) -> FaultCounts {
        let rules = FaultRules {
            strikes: Some(2),
            disqualified,
            ..FaultRules::default()
        };
        let planned = [[0, 1], [0, 2], [1, 2]].map(|pair| (pair, 4));
        FaultCounts::new(rules, Some(planned.into_iter().collect()))
    }

    #[test]
    fn strikes_count_in_finished_and_in_replayed_games() {
        let mut fault_counts = fault_counts(Disqualified::Keep);
        fault_counts.replayed(seats(0, 1), CRASH);
        assert_eq!(fault_counts.rulings(), []);
        fault_counts.finished(seats(1, 0), Some((Color::Black, FaultKind::Stall)));
        let ruling = &fault_counts.rulings()[0];
        assert_eq!((ruling.engine, ruling.faults, ruling.games), (0, 2, 1));
        assert_eq!(ruling.planned_games, Some(8));
        assert!(!ruling.annulled && !fault_counts.is_out(1));
        assert_eq!(fault_counts.cancelled_games(), 7);
    }

    #[test]
    fn voids_for_one_engines_sake_end_with_the_number_that_the_event_states() {
        let rules = FaultRules {
            voids: 2,
            ..FaultRules::default()
        };
        let mut fault_counts = FaultCounts::new(rules, None);
        let fell = Some((Color::Black, FaultKind::FlagFall));
        fault_counts.excused(seats(0, 1), fell);
        fault_counts.excused(seats(0, 1), None);
        assert!(fault_counts.excuses(1));
        fault_counts.excused(seats(2, 1), fell);
        assert_eq!(fault_counts.unexcused().collect::<Vec<_>>(), [1]);
        assert_eq!(fault_counts.voided().collect::<Vec<_>>(), [(1, [2, 0], 2)]);
        assert_eq!(fault_counts.rulings(), [], "none of it is a strike");
    }

    #[test]
    fn a_flag_fall_is_no_strike() {
        let mut fault_counts = fault_counts(Disqualified::Annul);
        for _ in 0..9 {
            fault_counts.finished(seats(0, 1), Some((Color::White, FaultKind::FlagFall)));
        }
        assert_eq!(fault_counts.rulings(), []);
    }

    #[test]
    fn opponents_win_what_an_engine_whose_games_count_does_not_play() {
        let mut fault_counts = fault_counts(Disqualified::Half);
        for _ in 0..4 {
            fault_counts.finished(seats(0, 1), CRASH);
        }
        // Half of its games: they count, and 2 wins its four, as 1 could win its own.
        let walkovers: Vec<_> = fault_counts.walkovers().collect();
        assert_eq!(walkovers, [(2, 0, 4)]);
        assert_eq!(fault_counts.rulings()[0].walkovers, 4);
        let mut fault_counts = fault_counts_of_half();
        fault_counts.finished(seats(0, 1), CRASH);
        fault_counts.finished(seats(0, 1), CRASH);
        assert!(fault_counts.is_annulled(0));
        assert_eq!(fault_counts.walkovers().count(), 0);
    }

    fn fault_counts_of_half() -> FaultCounts {
        fault_counts(Disqualified::Half)
    }

    #[test]
    fn exactly_half_of_the_games_is_enough() {
        let mut fault_counts = fault_counts(Disqualified::Half);
        fault_counts.finished(seats(0, 1), CRASH);
        fault_counts.finished(seats(0, 1), CRASH);
        fault_counts.finished(seats(0, 2), None);
        assert!(fault_counts.is_annulled(0) && fault_counts.annuls(seats(2, 0)));
        assert!(!fault_counts.annuls(seats(1, 2)));
        fault_counts.finished(seats(0, 2), None);
        assert!(fault_counts.is_out(0) && !fault_counts.is_annulled(0));
    }

    #[test]
    fn a_withdrawn_engine_is_out_without_a_fault() {
        let mut fault_counts = fault_counts(Disqualified::Half).withdrawing(BTreeSet::from([2]));
        fault_counts.finished(seats(0, 2), None);
        let ruling = &fault_counts.rulings()[0];
        assert_eq!((ruling.engine, ruling.games, ruling.annulled), (2, 1, true));
        assert!(ruling.withdrawn && fault_counts.is_out(2) && !fault_counts.is_out(0));
        assert_eq!(fault_counts.cancelled_games(), 8 - 1);
    }

    #[test]
    fn games_between_two_disqualified_engines_are_cancelled_once() {
        let mut fault_counts = fault_counts(Disqualified::Annul);
        for _ in 0..2 {
            fault_counts.finished(seats(0, 2), CRASH);
            fault_counts.finished(seats(1, 2), CRASH);
        }
        assert_eq!(fault_counts.rulings().len(), 2);
        assert_eq!(fault_counts.cancelled_games(), 12 - 4);
    }
}
