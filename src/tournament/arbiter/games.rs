//! Decisions about games.

use super::{DecisionRefusal, Desk, out};
use crate::event::identity::{EventIdentity, FormatWord};
use crate::event::{ArbiterAct, ArbiterDecision, GameId, Named, PositionDraw, Seat};
use crate::pgn::GameResult;
use crate::referee::Uneven;
use crate::schedule::{Format, seats_of_pair};
use crate::store::StoredAct;
use crate::text::{nearest, printable};
use crate::tournament::workers::{PairWorkers, WORKERS_FILE};

impl Desk<'_> {
    /// The game of this name, whether it was played or not. A pair names its game where it has but one.
    fn game(&self, text: &str) -> Result<GameId, DecisionRefusal> {
        let names = &self.roster.games;
        match names.find(text) {
            Some(Named::Game(game)) => Ok(game),
            Some(Named::Pair(pair)) if self.identity.games_in_a_pair() == 1 => {
                Ok(GameId { pair, game: 0 })
            }
            Some(Named::Pair(pair)) => Err(DecisionRefusal::TwoGames {
                pair: pair.0 + 1,
                games: [0, 1].map(|game| names.name(GameId { pair, game })),
            }),
            None => Err(DecisionRefusal::NoGame {
                game: printable(text).into_owned(),
                example: match names.is_in_rounds() {
                    false => "such as 17.2: pair and game",
                    true => "such as 3.1.2: round, board and game",
                },
            }),
        }
    }

    fn played(&self, text: &str) -> Result<GameId, DecisionRefusal> {
        let game = self.game(text)?;
        match self.reader.game(game)? {
            Some(_) => Ok(game),
            None => Err(DecisionRefusal::NotPlayed(self.roster.games.name(game))),
        }
    }

    fn undecided(&self, game: GameId) -> Result<GameId, DecisionRefusal> {
        match self.reader.decisions().verdict(game) {
            Some((_, by)) => Err(DecisionRefusal::Twice {
                what: format!("the result of game {}", self.roster.games.name(game)),
                by: by.id,
            }),
            None => Ok(game),
        }
    }

    pub(super) fn forfeit(&self, text: &str, loser: &str) -> Result<ArbiterAct, DecisionRefusal> {
        let game = self.undecided(self.game(text)?)?;
        let seats = self.seats(game, text)?;
        let names = seats.map(|seat| self.roster.name(seat));
        let white_loses = match loser {
            "white" => true,
            "black" => false,
            name if name == names[0] => true,
            name if name == names[1] => false,
            _ => {
                let [white, black] = &names;
                return Err(DecisionRefusal::NotInGame {
                    loser: printable(loser).into_owned(),
                    game: self.roster.games.name(game),
                    players: format!("{} and {}", printable(white), printable(black)),
                });
            }
        };
        Ok(ArbiterAct::Forfeit {
            pair: game.pair.0,
            game: game.game,
            white_loses,
            seats,
        })
    }

    /// White and Black of a game, played or not.
    fn seats(&self, game: GameId, text: &str) -> Result<[Seat; 2], DecisionRefusal> {
        match self.reader.game(game)? {
            Some(stored) => Ok(stored.game.seats),
            None => self.planned_seats(game, text),
        }
    }

    /// The players of a game that has not been played.
    fn planned_seats(&self, game: GameId, text: &str) -> Result<[Seat; 2], DecisionRefusal> {
        let none = || DecisionRefusal::NoGame {
            game: printable(text).into_owned(),
            example: "and this one is not planned",
        };
        if self.identity.draw == PositionDraw::Next {
            return Err(DecisionRefusal::Format(
                "a game can be forfeited before it is played only where the plan is known beforehand",
            ));
        }
        if self.identity.draw != PositionDraw::Every {
            let chosen = crate::tournament::rounds::chosen(self.reader)?;
            let mut pairs = chosen.iter().flat_map(|chosen| &chosen.pairs);
            let pair = usize::try_from(game.pair.0)
                .ok()
                .and_then(|nth| pairs.nth(nth));
            return pair.map(|pair| pair.seats(game.game)).ok_or_else(none);
        }
        let planned = self.roster.planned_games.ok_or(DecisionRefusal::Format(
            "a game can be forfeited before it is played only where the plan is known beforehand",
        ))?;
        let games = self.identity.games_in_a_pair();
        if game.game >= games || game.pair.0 >= planned / u64::from(games) {
            return Err(none());
        }
        let seats: Vec<Seat> = self
            .roster
            .participants
            .iter()
            .map(|one| one.seat)
            .collect();
        let openings = self.identity.positions.count(self.identity.variant);
        let found = format(&self.identity)
            .and_then(|format| seats_of_pair(&format, &seats, openings, game));
        found.ok_or_else(none)
    }

    pub(super) fn result(&self, text: &str, result: &str) -> Result<ArbiterAct, DecisionRefusal> {
        if let Some(result) = Uneven::parse(result) {
            return self.uneven(text, result);
        }
        let score = GameResult::parse(result.as_bytes()).and_then(GameResult::white_score);
        let score =
            score.ok_or_else(|| DecisionRefusal::NoResult(printable(result).into_owned()))?;
        let white_half_points = score.half_points();
        let game = self.undecided(self.played(text)?)?;
        let stored = self.reader.game(game)?;
        let outcome = stored.map(|stored| stored.game.record.outcome);
        let score = outcome.as_ref().and_then(|outcome| outcome.white_score());
        if let Some((outcome, score)) = outcome.as_ref().zip(score)
            && score.half_points() == white_half_points
        {
            return Err(DecisionRefusal::Same {
                game: self.roster.games.name(game),
                result: outcome.result(),
            });
        }
        Ok(ArbiterAct::Result {
            pair: game.pair.0,
            game: game.game,
            white_half_points,
        })
    }

    /// Points are taken from both sides: also in a game that nobody has played.
    fn uneven(&self, text: &str, result: Uneven) -> Result<ArbiterAct, DecisionRefusal> {
        let game = self.undecided(self.game(text)?)?;
        Ok(ArbiterAct::Uneven {
            pair: game.pair.0,
            game: game.game,
            result,
            seats: self.seats(game, text)?,
        })
    }

    pub(super) fn replay(&self, text: &str) -> Result<ArbiterAct, DecisionRefusal> {
        let game = self.game(text)?;
        if self.reader.game(game)?.is_none() {
            let decisions = self.reader.decisions();
            let mut earlier = decisions.in_force();
            let is_replay = |decision: &&ArbiterDecision| {
                decision.act.plays_again() && decision.act.games().contains(&game)
            };
            return Err(match earlier.rfind(is_replay) {
                Some(before) => DecisionRefusal::Twice {
                    what: format!("that game {} is played again", self.roster.games.name(game)),
                    by: before.id,
                },
                None => DecisionRefusal::NotPlayed(self.roster.games.name(game)),
            });
        }
        Ok(ArbiterAct::Replay {
            pair: game.pair.0,
            game: game.game,
        })
    }

    /// Every game that counts and that this worker has played, but those that would not be played again.
    pub(super) fn purge(&self, worker: &str) -> Result<ArbiterAct, DecisionRefusal> {
        let players = PairWorkers::read(self.reader.folder());
        let players = players.map_err(|error| self.reader.unreadable(WORKERS_FILE, &error))?;
        let mut games: Vec<(GameId, [Seat; 2])> = Vec::new();
        for result in self.reader.results() {
            let result = result?;
            if players.player(result.id.pair) == Some(worker) {
                games.push((result.id, result.seats));
            }
        }
        games.sort_unstable_by_key(|(id, _)| *id);
        while !games.is_empty() {
            let act = ArbiterAct::Purge {
                worker: worker.to_owned(),
                games: games.iter().map(|(id, _)| (id.pair.0, id.game)).collect(),
            };
            // Engines that play no more even if their faults in these games do not count.
            let supposed = self.supposed(&StoredAct {
                act: act.clone(),
                unpairs: Vec::new(),
            })?;
            let out = out(&supposed)?;
            let all = games.len();
            games.retain(|(_, seats)| !seats.iter().any(|seat| out.contains(&seat.engine)));
            if games.len() == all {
                return Ok(act);
            }
        }
        let names = players.names().iter().map(String::as_str);
        let others = names.filter(|name| *name != worker);
        Err(DecisionRefusal::NoWorker {
            name: printable(worker).into_owned(),
            nearest: nearest(worker, others).map(str::to_owned),
        })
    }
}

/// The format by which pairs are numbered, of an event that is not played in rounds.
fn format(identity: &EventIdentity) -> Option<Format> {
    match identity.format {
        FormatWord::Match => Some(Format::Match),
        FormatWord::RoundRobin => Some(Format::RoundRobin),
        FormatWord::Gauntlet => {
            let place = |hero: &String| {
                let mut engines = (0..).zip(&identity.engines);
                engines.find(|(_, engine)| engine.name == *hero)
            };
            let heroes = identity.heroes.iter().filter_map(place);
            Some(Format::Gauntlet {
                heroes: heroes.map(|(engine, _)| engine).collect(),
            })
        }
        _ => None,
    }
}
