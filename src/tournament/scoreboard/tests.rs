//! Points of whole events against the sum of their rounds.

use std::collections::BTreeSet;

use super::*;
use crate::chess::random::Random;
use crate::event::{
    ArbiterAct, ArbiterDecision, ByePoints, Decisions, EliminationRules, EncounterTieBreak,
    FirstWhite, GameRuling, Place, Playoff, SwissRules, UnixMillis,
};
use crate::event::{Disqualified, FaultRules};
use crate::referee::Uneven;
use crate::schedule::{
    Bye, Elimination, Encounter, Following, PairSpec, RoundFormat, Rounds, SecondGame, league,
};

mod rounds;
mod stages;
mod without_rounds;

/// A game that is not evidence.
fn counted(id: GameId, seats: [Seat; 2], scores: [GameScore; 2]) -> CountedGame {
    let evidence = None;
    CountedGame {
        id,
        seats,
        scores,
        evidence,
    }
}

fn shared(id: GameId, seats: [Seat; 2], white: GameScore) -> CountedGame {
    counted(id, seats, [white, white.reversed()])
}

#[test]
fn no_game_waits_for_a_partner_that_is_never_played() {
    let waiting = |games: u8| {
        let mut board = Scoreboard::new(&[]);
        board.single_games = games == 1;
        for pair in 0..1000 {
            let id = GameId {
                pair: PairId(pair),
                game: 0,
            };
            let seats = [0, 1].map(|copy| Seat { engine: 0, copy });
            board.count(shared(id, seats, GameScore::Draw));
        }
        assert_eq!(board.games(), 1000);
        board.halves.len()
    };
    assert_eq!((waiting(1), waiting(2)), (0, 1000));
}

/// An event in which the arbiter acts step by step; everything is computed again after each step.
struct Played {
    rounds: Rounds,
    contest: Contest,
    engines: u16,
    book: Decisions,
    games: BTreeMap<GameId, ([Seat; 2], GameScore)>,
    open: Vec<(GameId, PairSpec)>,
}

impl Played {
    fn new(format: RoundFormat, engines: u16) -> Played {
        let rounds = Rounds {
            openings: 40,
            ..Rounds::new(format, 7)
        };
        Played {
            contest: Contest::of_rules(rounds.clone()),
            rounds,
            engines,
            book: Decisions::default(),
            games: BTreeMap::new(),
            open: Vec::new(),
        }
    }

    fn board(&self) -> Scoreboard {
        let participant = |engine| Participant {
            seat: Seat { engine, copy: 0 },
            name: engine.to_string(),
        };
        let all: Vec<Participant> = (0..self.engines).map(participant).collect();
        let out = FaultCounts::default().withdrawing(self.book.withdrawn());
        let order = vec![TieBreak::Buchholz, TieBreak::Progressive];
        let ranking = Ranking { order, seed: 7 };
        let mut contest = self.contest.clone();
        contest.history.unpair(self.book.unpaired());
        let board = Scoreboard::new(&all).judged_by(out);
        let mut board = board.ranked(ranking, Some(contest));
        for award in self.book.awards() {
            if !self.games.contains_key(&award.id) {
                board.add_award(&award);
            }
        }
        for (id, (seats, score)) in &self.games {
            match self.book.ruling(*id, 0) {
                GameRuling::AsPlayed => board.add_counted(shared(*id, *seats, *score)),
                GameRuling::Ruled { outcome, .. } => {
                    let scores = outcome.scores().unwrap();
                    board.add_counted(counted(*id, *seats, scores));
                }
                GameRuling::Superseded { .. } => {}
            }
        }
        board
    }

    /// Whether the decision is made: not if a game that counts was paired by what it changes.
    fn decide(&mut self, act: ArbiterAct) -> bool {
        let mut decision = ArbiterDecision {
            id: self.book.len() + 1,
            decided: UnixMillis(0),
            author: String::new(),
            reason: String::new(),
            act,
            unpairs: Vec::new(),
        };
        let before = self.book.clone();
        self.book.add(decision.clone());
        let history = self.board().contest().unwrap().history.clone();
        let superseded = self.rounds.superseded(history);
        self.book = before;
        let Ok(pairs) = superseded else { return false };
        decision.unpairs = pairs.into_iter().collect();
        self.book.add(decision);
        self.reopen();
        true
    }

    /// Plays until nothing follows; in so many steps the arbiter decides things now and then: how many.
    fn play_on(&mut self, random: &mut Random, steps: u32) -> u32 {
        let mut decisions = 0;
        for step in 0..1000 {
            let goes_on = self.choose();
            if self.open.is_empty() && !goes_on {
                break;
            }
            let act = match random.below(8) {
                0 if step < steps => any_act(self, random),
                _ => None,
            };
            if let Some(act) = act {
                decisions += u32::from(self.decide(act));
            } else if !self.open.is_empty() {
                let at = random.below(self.open.len() as u64) as usize;
                let score = [GameScore::Win, GameScore::Draw, GameScore::Loss];
                self.play(at, score[random.below(3) as usize]);
            }
            self.check();
        }
        decisions
    }

    /// What was chosen and is still to be played, after a decision.
    fn reopen(&mut self) {
        let unpaired = self.book.unpaired();
        let pairs: Vec<(PairId, PairSpec)> = self
            .contest
            .history
            .pairs()
            .map(|(id, spec)| (id, *spec))
            .collect();
        let left = pairs.into_iter().filter(|(id, _)| !unpaired.contains(id));
        let games = left.flat_map(|(pair, spec)| {
            (0..spec.games).map(move |game| (GameId { pair, game }, spec))
        });
        let is_open = |(id, _): &(GameId, PairSpec)| !self.games.contains_key(id);
        self.open = games.filter(is_open).collect();
    }

    /// What follows is chosen; whether anything may follow yet.
    fn choose(&mut self) -> bool {
        let board = self.board();
        let history = &board.contest().unwrap().history;
        match self.rounds.next(history) {
            Ok(Following::Chosen(chosen)) => {
                let text = serde_json::to_string(&chosen).unwrap();
                assert_eq!(chosen, serde_json::from_str(&text).unwrap(), "as stored");
                let first = self.contest.history.pairs().count() as u64;
                for (pair, spec) in (first..).map(PairId).zip(&chosen.pairs) {
                    let games = (0..spec.games).map(|game| (GameId { pair, game }, *spec));
                    self.open.extend(games);
                }
                self.contest.history.choose(&chosen);
                true
            }
            Ok(Following::Wait) => true,
            Ok(Following::Over) | Err(_) => false,
        }
    }

    fn play(&mut self, at: usize, score: GameScore) {
        let (id, spec) = self.open.swap_remove(at);
        let out = self.book.withdrawn();
        if !out.iter().any(|engine| spec.concerns(*engine)) {
            self.games.insert(id, (spec.seats(id.game), score));
        }
    }

    /// Points are the sum over rounds in every table; no engine is twice in a round; in a tree those meet who come to
    /// an encounter.
    fn check(&self) {
        let board = self.board();
        let history = &board.contest().unwrap().history;
        assert_eq!(self.rounds.superseded(history.clone()), Ok(BTreeSet::new()));
        let outcomes = board.contest().unwrap().outcomes(&board.engines());
        let signed = board.round_games().unwrap();
        for row in board.standings() {
            let own = signed.iter().map(|round| &round[usize::from(row.engine)]);
            let sum: u32 = own.flatten().map(|game| game.half_points()).sum();
            assert_eq!(sum, row.half_points, "signs: {:?}", self.rounds);
            let own = outcomes.iter().filter(|one| one.engine == row.engine);
            let sum: u32 = own.clone().map(|one| one.outcome.half_points()).sum();
            assert_eq!(sum, row.half_points, "{:?}", self.rounds);
            let mut rounds: Vec<u32> = own.map(|one| one.round).collect();
            let count = rounds.len();
            rounds.sort_unstable();
            rounds.dedup();
            assert_eq!(rounds.len(), count, "engine {} twice", row.engine);
            let all_meet = matches!(
                self.rounds.format,
                RoundFormat::Swiss(_) | RoundFormat::League { .. }
            );
            let history = &board.contest().unwrap().history;
            let encounters = history.encounters();
            let mut all = encounters.values();
            if all_meet && !all.any(|met| history.is_open(met)) {
                let last = history.last_round();
                assert_eq!(count, usize::from(last), "every round is something");
            }
        }
    }
}

fn swiss(engines: u16, rounds: u16, bye: ByePoints) -> RoundFormat {
    RoundFormat::Swiss(SwissRules {
        seeds: (0..engines).collect(),
        pairs: 1,
        rounds,
        groups: 2,
        forbidden: Vec::new(),
        bye,
    })
}

fn formats(engines: u16) -> Vec<RoundFormat> {
    let tree = |kind| {
        RoundFormat::Elimination(
            kind,
            EliminationRules {
                seeds: (0..engines).collect(),
                pairs: 1,
                round_pairs: Vec::new(),
                first_white: FirstWhite::Alternate,
                ends_when_decided: false,
                playoffs: vec![Playoff {
                    pairs: 1,
                    times: 1,
                    limits: None,
                    armageddon: None,
                }],
                tie_break: vec![EncounterTieBreak::Seed],
                third_place: true,
            },
        )
    };
    vec![
        swiss(engines, 5, ByePoints::Win),
        swiss(engines, 5, ByePoints::Draw),
        swiss(engines, 5, ByePoints::Nothing),
        RoundFormat::League {
            table: league(&(0..engines).collect::<Vec<u16>>()),
            cycles: 2,
        },
        tree(Elimination::Knockout),
        tree(Elimination::Double),
        tree(Elimination::Ladder),
    ]
}

/// Some decision that an arbiter might make.
fn any_act(played: &Played, random: &mut Random) -> Option<ArbiterAct> {
    let mut below = |count: usize| random.below(count.max(1) as u64) as usize;
    let (id, spec) = match below(2) {
        0 => *played.open.get(below(played.open.len()))?,
        _ => {
            let (id, _) = played.games.iter().nth(below(played.games.len()))?;
            let (_, spec) = played
                .contest
                .history
                .pairs()
                .find(|(at, _)| *at == id.pair)?;
            (*id, *spec)
        }
    };
    let GameId { pair, game } = id;
    Some(match below(6) {
        0 => ArbiterAct::Withdraw {
            engine: below(played.engines.into()) as u16,
        },
        1 => ArbiterAct::Forfeit {
            pair,
            game,
            white_loses: below(2) == 0,
            seats: spec.seats(game),
        },
        2 if played.games.contains_key(&id) => ArbiterAct::Result {
            pair,
            game,
            white_half_points: below(3) as u8,
        },
        3 => ArbiterAct::Uneven {
            pair,
            game,
            result: [Uneven::BothLose, Uneven::WhiteHalf, Uneven::BlackHalf][below(3)],
            seats: spec.seats(game),
        },
        4 => ArbiterAct::Undo {
            decision: below(played.book.len() as usize) as u64 + 1,
        },
        _ => return None,
    })
}

#[test]
fn points_are_the_sum_over_rounds_whatever_is_decided() {
    let mut random = Random::new(11);
    let (mut decisions, mut unpaired) = (0, 0);
    for engines in 2..=9 {
        for format in formats(engines) {
            let mut played = Played::new(format, engines);
            decisions += played.play_on(&mut random, 300);
            unpaired += played.book.unpaired().len();
        }
    }
    assert!(decisions > 100 && unpaired > 0, "{decisions} {unpaired}");
}
