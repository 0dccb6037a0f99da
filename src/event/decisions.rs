//! The arbiter's book. Decisions are facts: each is added behind those before it, and nothing of
//! what was played is changed; what they mean for a game follows from all of them.

use std::collections::{BTreeSet, HashMap};

use super::{ArbiterAct, ArbiterDecision, GameId, PairId, Seat};
use crate::referee::Outcome;
use crate::stats::counts::GameScore;
use crate::text::instant;

/// What decisions make of a game that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GameRuling<'a> {
    /// The played result counts.
    AsPlayed,
    /// It has this result.
    Ruled {
        /// As which end it counts.
        outcome: Outcome,
        by: &'a ArbiterDecision,
    },
    /// It does not count: it is played again, another of its kind counts, or others meet in its place.
    Superseded {
        /// The decision; `None` where a replay was taken back after it was played.
        by: Option<&'a ArbiterDecision>,
    },
}

/// A game that was never played and counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Award {
    pub id: GameId,
    /// White and Black.
    pub seats: [Seat; 2],
    /// As which end it counts.
    pub outcome: Outcome,
}

/// The arbiter's book: every decision, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decisions {
    all: Vec<ArbiterDecision>,
    /// The places in `all` of the decisions about a game.
    by_game: HashMap<GameId, Vec<usize>>,
    /// The places in `all` of the decisions by which a pair is not played.
    by_pair: HashMap<PairId, Vec<usize>>,
    undone: BTreeSet<u64>,
}

impl Decisions {
    /// These, in order.
    pub(crate) fn new(all: Vec<ArbiterDecision>) -> Decisions {
        let mut decisions = Decisions::default();
        all.into_iter().for_each(|decision| decisions.add(decision));
        decisions
    }

    /// One more.
    pub(crate) fn add(&mut self, decision: ArbiterDecision) {
        for game in decision.act.games() {
            self.by_game.entry(game).or_default().push(self.all.len());
        }
        for pair in &decision.unpairs {
            self.by_pair.entry(*pair).or_default().push(self.all.len());
        }
        if let ArbiterAct::Undo { decision } = decision.act {
            self.undone.insert(decision);
        }
        self.all.push(decision);
    }

    /// Every decision, also those that were taken back.
    pub(crate) fn all(&self) -> &[ArbiterDecision] {
        &self.all
    }

    /// Whether nothing was ever decided.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u64 {
        self.all.len() as u64
    }

    /// Whether a decision holds.
    pub(crate) fn holds(&self, decision: &ArbiterDecision) -> bool {
        !self.undone.contains(&decision.id) && !decision.act.is_done()
    }

    /// The decisions that were not taken back, in order.
    pub(crate) fn standing(&self) -> impl Iterator<Item = &ArbiterDecision> {
        let is_standing = |one: &&ArbiterDecision| !self.undone.contains(&one.id);
        self.all.iter().filter(is_standing)
    }

    /// The decisions that hold, in order.
    pub(crate) fn in_force(&self) -> impl DoubleEndedIterator<Item = &ArbiterDecision> {
        self.all.iter().filter(|decision| self.holds(decision))
    }

    /// What those who look are told, with the moment.
    pub(crate) fn announced(&self) -> Vec<(String, String)> {
        let all = self.in_force().filter_map(|decision| match &decision.act {
            ArbiterAct::Announce { words } => Some((instant(decision.decided.0), words.clone())),
            _ => None,
        });
        all.collect()
    }

    /// The engines that play no more pairs.
    pub(crate) fn withdrawn(&self) -> BTreeSet<u16> {
        let engines = self.in_force().filter_map(|decision| match decision.act {
            ArbiterAct::Withdraw { engine } => Some(engine),
            _ => None,
        });
        engines.collect()
    }

    /// The names of the engines that were let in late.
    pub(crate) fn added(&self) -> impl Iterator<Item = &str> {
        self.in_force().filter_map(|decision| match &decision.act {
            ArbiterAct::Add { name } => Some(name.as_str()),
            _ => None,
        })
    }

    /// Rounds beyond those of the event file.
    pub(crate) fn extra_rounds(&self) -> u32 {
        let rounds = self.in_force().map(|decision| match decision.act {
            ArbiterAct::Extend { rounds } => rounds.into(),
            _ => 0,
        });
        rounds.sum()
    }

    fn of_game(&self, game: GameId) -> impl DoubleEndedIterator<Item = &ArbiterDecision> {
        let places = self.by_game.get(&game).into_iter().flatten();
        places.filter_map(|place| self.all.get(*place))
    }

    /// The decision by which a pair that was chosen is not played. What taking a decision back has unpaired stays so.
    fn unpairing(&self, pair: PairId) -> Option<&ArbiterDecision> {
        let places = self.by_pair.get(&pair).into_iter().flatten();
        let mut all = places.filter_map(|place| self.all.get(*place));
        all.find(|decision| !self.undone.contains(&decision.id))
    }

    /// The pairs that were chosen and are not played, because others meet in their place.
    pub(crate) fn unpaired(&self) -> BTreeSet<PairId> {
        let mut pairs: BTreeSet<PairId> = self.by_pair.keys().copied().collect();
        pairs.retain(|pair| self.unpairing(*pair).is_some());
        pairs
    }

    /// Whether a game counts otherwise than as it is played.
    pub(crate) fn changes(&self, game: GameId) -> bool {
        self.verdict(game).is_some() || self.unpairing(game.pair).is_some()
    }

    /// Whether any decision was ever made about a game.
    pub(crate) fn concern(&self, game: GameId) -> bool {
        self.by_game.contains_key(&game)
    }

    /// Which playing of a game counts: 0 the first; 1 the one that the first decision to replay it
    /// asked for, and so on.
    pub(crate) fn playing(&self, game: GameId) -> u32 {
        let is_replay = |decision: &&ArbiterDecision| decision.act.plays_again();
        let replays = (1..).zip(self.of_game(game).filter(is_replay));
        let held = replays.filter(|(_, decision)| self.holds(decision));
        held.last().map_or(0, |(nth, _)| nth)
    }

    /// What becomes of the playing of a game that is in the store. Every list of games takes it from here.
    pub(crate) fn ruling(&self, game: GameId, playing: u32) -> GameRuling<'_> {
        if let Some(by) = self.unpairing(game.pair) {
            return GameRuling::Superseded { by: Some(by) };
        }
        if !self.concern(game) {
            return GameRuling::AsPlayed;
        }
        let counts = self.playing(game);
        if playing != counts {
            let mut decisions = self.of_game(game);
            let by = decisions.rfind(|one| one.act.plays_again() && self.holds(one));
            let by = by.filter(|_| playing < counts);
            return GameRuling::Superseded { by };
        }
        match self.verdict(game) {
            Some((outcome, by)) => GameRuling::Ruled { outcome, by },
            None => GameRuling::AsPlayed,
        }
    }

    /// The result that was given to the playing of a game that counts.
    pub(crate) fn verdict(&self, game: GameId) -> Option<(Outcome, &ArbiterDecision)> {
        let mut decisions = self.of_game(game);
        let last = decisions.rfind(|decision| self.holds(decision))?;
        let outcome = match last.act {
            ArbiterAct::Forfeit { white_loses, .. } => {
                let white = if white_loses {
                    GameScore::Loss
                } else {
                    GameScore::Win
                };
                Outcome::by_the_arbiter(white, true)
            }
            ArbiterAct::Result {
                white_half_points, ..
            } => Outcome::by_the_arbiter(GameScore::from_half_points(white_half_points)?, false),
            ArbiterAct::Uneven { result, .. } => Outcome::Uneven(result),
            // It is played again.
            _ => return None,
        };
        Some((outcome, last))
    }

    /// The games that count without having been played, if the store does not have them.
    pub(crate) fn awards(&self) -> Vec<Award> {
        let awards = self.in_force().filter_map(|decision| {
            let (ArbiterAct::Forfeit { seats, .. } | ArbiterAct::Uneven { seats, .. }) =
                decision.act
            else {
                return None;
            };
            let id = decision.act.game()?;
            // One that is to be played again has no result until it is.
            let (outcome, by) = self.verdict(id)?;
            let counts = by.id == decision.id && self.unpairing(id.pair).is_none();
            counts.then_some(Award { id, seats, outcome })
        });
        awards.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::UnixMillis;
    use crate::referee::Uneven;

    fn book(acts: &[ArbiterAct]) -> Decisions {
        let entry = |(id, act): (u64, &ArbiterAct)| ArbiterDecision {
            id,
            decided: UnixMillis(0),
            author: "arbiter".to_owned(),
            reason: "reason".to_owned(),
            act: act.clone(),
            unpairs: Vec::new(),
        };
        Decisions::new((1..).zip(acts).map(entry).collect())
    }

    const GAME: GameId = GameId {
        pair: PairId(3),
        game: 1,
    };
    const REPLAY: ArbiterAct = ArbiterAct::Replay {
        pair: PairId(3),
        game: 1,
    };
    const DRAW: ArbiterAct = ArbiterAct::Result {
        pair: PairId(3),
        game: 1,
        white_half_points: 1,
    };
    const UNDO_1: ArbiterAct = ArbiterAct::Undo { decision: 1 };

    #[test]
    fn what_holds_decides_and_nothing_is_forgotten() {
        let untouched = book(&[ArbiterAct::Withdraw { engine: 2 }]);
        assert_eq!(untouched.ruling(GAME, 0), GameRuling::AsPlayed);
        assert_eq!(untouched.withdrawn(), BTreeSet::from([2]));
        let ruled = book(&[DRAW]);
        let (outcome, by) = ruled.verdict(GAME).unwrap();
        assert_eq!((outcome.result(), by.id), ("1/2-1/2", 1));
        let taken_back = book(&[DRAW, UNDO_1]);
        assert_eq!(taken_back.ruling(GAME, 0), GameRuling::AsPlayed);
        assert_eq!((taken_back.len(), taken_back.in_force().count()), (2, 0));
    }

    #[test]
    fn a_game_that_is_played_again_loses_its_result_and_its_ruling() {
        let again = book(&[DRAW, REPLAY]);
        assert!(
            matches!(again.ruling(GAME, 0), GameRuling::Superseded { by: Some(by) } if by.id == 2)
        );
        assert_eq!(again.ruling(GAME, 1), GameRuling::AsPlayed);
        assert_eq!(again.playing(GAME), 1);
        // A second replay is the second playing, also where the first was taken back.
        let twice = book(&[REPLAY, UNDO_1, REPLAY]);
        assert_eq!(twice.playing(GAME), 2);
        assert!(matches!(
            twice.ruling(GAME, 1),
            GameRuling::Superseded { by: Some(_) }
        ));
        let back = book(&[REPLAY, UNDO_1]);
        assert_eq!(back.playing(GAME), 0);
        assert_eq!(back.ruling(GAME, 0), GameRuling::AsPlayed);
        assert_eq!(back.ruling(GAME, 1), GameRuling::Superseded { by: None });
    }

    #[test]
    fn what_a_worker_has_played_can_be_played_again_as_a_whole() {
        let purge = ArbiterAct::Purge {
            worker: "box".to_owned(),
            games: vec![(PairId(3), 0), (PairId(3), 1), (PairId(7), 0)],
        };
        let purged = book(&[DRAW, purge.clone(), REPLAY]);
        assert_eq!(purged.playing(GAME), 2);
        assert_eq!((purged.verdict(GAME), purged.awards()), (None, vec![]));
        let other = GameId {
            pair: PairId(7),
            game: 0,
        };
        assert!(
            matches!(purged.ruling(other, 0), GameRuling::Superseded { by: Some(by) } if by.id == 2)
        );
        let untouched = GameId { game: 1, ..other };
        assert_eq!(purged.ruling(untouched, 0), GameRuling::AsPlayed);
        let back = book(&[purge, UNDO_1]);
        assert_eq!(back.ruling(other, 0), GameRuling::AsPlayed);
    }

    #[test]
    fn a_forfeit_counts_without_a_game() {
        let seats = [0, 1].map(|engine| Seat { engine, copy: 0 });
        let forfeit = ArbiterAct::Forfeit {
            pair: PairId(3),
            game: 1,
            white_loses: true,
            seats,
        };
        let awarded = book(std::slice::from_ref(&forfeit)).awards();
        assert_eq!((awarded[0].id, awarded[0].outcome.result()), (GAME, "0-1"));
        let uneven = ArbiterAct::Uneven {
            pair: PairId(3),
            game: 1,
            result: Uneven::BothLose,
            seats,
        };
        // The later decision counts.
        let awarded = book(&[forfeit.clone(), uneven]).awards();
        let results: Vec<&str> = awarded.iter().map(|one| one.outcome.result()).collect();
        assert_eq!(results, ["0-0"]);
        assert_eq!(book(&[forfeit.clone(), UNDO_1]).awards(), []);
        assert_eq!(book(&[forfeit, REPLAY]).awards(), []);
    }

    #[test]
    fn acts_are_kept_as_json() {
        let acts = [DRAW, REPLAY, UNDO_1, ArbiterAct::Extend { rounds: 2 }];
        for act in acts {
            let text = serde_json::to_string(&act).unwrap();
            assert_eq!(
                serde_json::from_str::<ArbiterAct>(&text).unwrap(),
                act,
                "{text}"
            );
        }
    }
}
