//! The points of an event in rounds, as they follow from what every round was for every engine.

use std::collections::BTreeSet;

use super::{Encounter, History, RoundFormat, Rounds, SwissPlayer};
use crate::event::ByePoints;
use crate::stats::standings::{EngineRound, RoundOutcome};

impl Rounds {
    /// The outcome of every round so far for each of these engines, without encounters that have not begun. An engine
    /// that is out of a tree takes part in no later round.
    pub(crate) fn outcomes(&self, engines: &[u16], history: &History) -> Vec<EngineRound> {
        if self.is_in_stages() {
            let own = self.groups(history).into_iter().flat_map(|group| {
                let mut outcomes = group.rules.outcomes(&group.engines, &group.history);
                let before = u32::from(group.rounds.start) - 1;
                outcomes.iter_mut().for_each(|one| one.round += before);
                outcomes
            });
            return own.filter(|one| engines.contains(&one.engine)).collect();
        }
        let encounters = history.encounters();
        let mut outcomes = Vec::new();
        let mut add = |round: u16, engine, outcome| {
            outcomes.push(EngineRound {
                round: round.into(),
                engine,
                outcome,
            });
        };
        let mut named: BTreeSet<(u16, u16)> = BTreeSet::new();
        for encounter in encounters.values() {
            let round = encounter.place.round;
            for (side, engine) in encounter.engines.into_iter().enumerate() {
                named.insert((round, engine));
                if let Some(outcome) = of_encounter(encounter, side, history) {
                    add(round, engine, outcome);
                }
            }
        }
        let half_points = match &self.format {
            RoundFormat::Swiss(rules) => match rules.bye {
                ByePoints::Win => self.full_half_points(),
                ByePoints::Draw => self.full_half_points() / 2,
                ByePoints::Nothing => 0,
            },
            _ => 0,
        };
        for bye in history.byes() {
            named.insert((bye.round, bye.engine));
            add(bye.round, bye.engine, RoundOutcome::Bye { half_points });
        }
        let is_tree = matches!(self.format, RoundFormat::Elimination(..));
        for round in (1..=history.last_round()).filter(|_| !is_tree) {
            for engine in engines
                .iter()
                .filter(|engine| !named.contains(&(round, **engine)))
            {
                add(round, *engine, RoundOutcome::Absent);
            }
        }
        outcomes.retain(|one| engines.contains(&one.engine));
        outcomes
    }

    /// Those that can be paired in the next round of a Swiss, in the order of their seeds.
    pub(super) fn players(&self, engines: &[u16], history: &History) -> Vec<SwissPlayer> {
        let outcomes = self.outcomes(engines, history);
        let encounters = history.encounters();
        let player = |&engine: &u16| {
            let own = outcomes.iter().filter(|one| one.engine == engine);
            let own = own.map(|one| one.outcome);
            let begun = encounters.values().map(|met| match met.side(engine) {
                Some(0) => 1,
                Some(_) => -1,
                None => 0,
            });
            SwissPlayer {
                engine,
                half_points: own.clone().map(RoundOutcome::half_points).sum(),
                free: own.filter(|outcome| outcome.is_free()).count() as u32,
                begun: begun.sum(),
            }
        };
        let is_in = |engine: &&u16| !history.withdrawn.contains(engine);
        engines.iter().filter(is_in).map(player).collect()
    }
}

/// What an encounter was for one of its two; `None` before its first game.
fn of_encounter(encounter: &Encounter, side: usize, history: &History) -> Option<RoundOutcome> {
    let is_out = |engine: u16| history.is_out(engine, encounter.place.round);
    let [engine, opponent] = [encounter.engines[side], encounter.engines[1 - side]];
    let half_points = encounter.half_points[side];
    let played = |awarded| RoundOutcome::Played {
        opponent,
        half_points,
        awarded,
    };
    if encounter.is_complete() || history.is_open(encounter) {
        return (encounter.played > 0).then(|| played(0));
    }
    let left = 2 * (encounter.games - encounter.played);
    Some(match (encounter.played, is_out(engine)) {
        (1.., true) => played(0),
        (1.., false) => played(left),
        (0, true) => RoundOutcome::Absent,
        (0, false) => RoundOutcome::Walkover { half_points: left },
    })
}
