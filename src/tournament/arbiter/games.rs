//! Decisions about games.

use super::{DecisionRefusal, Desk, did_you_mean, refuse, refuse_again, supposed};
use crate::event::identity::{EventIdentity, FormatWord};
use crate::event::{ArbiterAct, GameId, GameName, Named, PositionDraw, Seat};
use crate::pgn::GameResult;
use crate::referee::Uneven;
use crate::schedule::{Format, seats_of_pair};
use crate::store::Reader;
use crate::text::printable;
use crate::tournament::interrupted_games;
use crate::tournament::roster::{PairWorkers, WORKERS_FILE};
use crate::tournament::stored::{engines_out, planned_games};

/// Why a game cannot be forfeited before it is played.
const NO_PLAN: &str =
    "a game can be forfeited before it is played only where the plan is known beforehand";

impl Desk<'_> {
    fn name(&self, game: GameId) -> GameName {
        self.roster.games.name(game)
    }

    /// The game of this name, whether it was played or not. A pair names its game where it has but one.
    fn game(&self, text: &str) -> Result<GameId, DecisionRefusal> {
        let names = &self.roster.games;
        match names.find(text) {
            Some(Named::Game(game)) => Ok(game),
            Some(Named::Pair(pair)) => {
                let games = [0, 1].map(|game| GameId { pair, game });
                if self.identity.games_per_pair == 1 {
                    return Ok(games[0]);
                }
                let ([first, second], pair) = (games.map(|game| self.name(game)), pair.0 + 1);
                refuse(format!(
                    "pair {pair} has two games: name {first} or {second}"
                ))
            }
            None if names.is_in_rounds() => {
                refuse_name(text, "such as 3.1.2: round, board and game")
            }
            None => refuse_name(text, "such as 17.2: pair and game"),
        }
    }

    fn played(&self, text: &str) -> Result<GameId, DecisionRefusal> {
        let game = self.game(text)?;
        match self.reader.game(game)? {
            Some(_) => Ok(game),
            None => self.refuse_unplayed(game),
        }
    }

    fn refuse_unplayed<T>(&self, game: GameId) -> Result<T, DecisionRefusal> {
        refuse(format!(
            "game {} has not been played: a game without moves can be given to one side by `forfeit`, or left to be played",
            self.name(game)
        ))
    }

    fn undecided(&self, game: GameId) -> Result<GameId, DecisionRefusal> {
        match self.reader.decisions().verdict(game) {
            Some((_, by)) => {
                refuse_again(&format!("the result of game {}", self.name(game)), by.id)
            }
            None => Ok(game),
        }
    }

    /// One side has lost a game, whatever was played.
    pub(crate) fn forfeit(&self, text: &str, loser: &str) -> Result<ArbiterAct, DecisionRefusal> {
        let id = self.undecided(self.game(text)?)?;
        let seats = self.seats(id, text)?;
        let names = seats.map(|seat| self.roster.name(seat));
        let white_loses = match loser {
            "white" => true,
            "black" => false,
            name if name == names[0] => true,
            name if name == names[1] => false,
            _ => {
                let [white, black] = names.each_ref().map(|name| printable(name));
                let loser = printable(loser);
                return refuse(format!(
                    "{loser} does not play game {}: `--loser` is white, black or one of {white} and {black}",
                    self.name(id)
                ));
            }
        };
        Ok(ArbiterAct::Forfeit {
            pair: id.pair,
            game: id.game,
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
        let none = || refuse_name(text, "and this one is not planned");
        if self.identity.draw == PositionDraw::Next {
            return refuse(NO_PLAN);
        }
        if self.identity.draw != PositionDraw::Every {
            let chosen = crate::tournament::rounds::chosen(self.reader)?;
            let mut pairs = chosen.iter().flat_map(|chosen| &chosen.pairs);
            let nth = usize::try_from(game.pair.0).unwrap_or(usize::MAX);
            let pair = pairs.nth(nth);
            return pair.map_or_else(none, |pair| Ok(pair.seats(game.game)));
        }
        let Some(planned) = planned_games(self.reader)? else {
            return refuse(NO_PLAN);
        };
        let games = self.identity.games_per_pair;
        if game.game >= games || game.pair.0 >= planned / u64::from(games) {
            return none();
        }
        let seats = self.roster.participants.iter();
        let seats: Vec<Seat> = seats.map(|one| one.seat).collect();
        let openings = self.identity.positions.count(self.identity.variant);
        let format = format(&self.identity);
        let found = format.and_then(|format| seats_of_pair(&format, &seats, openings, game));
        found.map_or_else(none, Ok)
    }

    /// A played game has another result, or both sides get less than one point together.
    pub(crate) fn result(&self, text: &str, result: &str) -> Result<ArbiterAct, DecisionRefusal> {
        if let Some(result) = Uneven::parse(result) {
            return self.uneven(text, result);
        }
        let score = GameResult::parse(result.as_bytes()).and_then(GameResult::white_score);
        let Some(score) = score else {
            return refuse(format!(
                "\"{}\" is no result: write 1-0, 0-1 or 1/2-1/2, or 0-0, 1/2-0 or 0-1/2, which take points from both",
                printable(result)
            ));
        };
        let game = self.undecided(self.played(text)?)?;
        let stored = self.reader.game(game)?;
        let outcome = stored.map(|stored| stored.game.record.outcome);
        if let Some(outcome) = outcome.filter(|outcome| outcome.white_score() == Some(score)) {
            let (game, result) = (self.name(game), outcome.result());
            return refuse(format!("game {game} has the result {result} already"));
        }
        Ok(ArbiterAct::Result {
            pair: game.pair,
            game: game.game,
            white_half_points: score.half_points(),
        })
    }

    /// Points are taken from both sides: also in a game that nobody has played.
    fn uneven(&self, text: &str, result: Uneven) -> Result<ArbiterAct, DecisionRefusal> {
        let game = self.undecided(self.game(text)?)?;
        Ok(ArbiterAct::Uneven {
            pair: game.pair,
            game: game.game,
            result,
            seats: self.seats(game, text)?,
        })
    }

    /// A played game does not count, and is played again; one that was interrupted begins anew.
    pub(crate) fn replay(&self, text: &str) -> Result<ArbiterAct, DecisionRefusal> {
        let id = self.game(text)?;
        let GameId { pair, game } = id;
        let act = ArbiterAct::Replay { pair, game };
        if self.reader.game(id)?.is_none() {
            let mut earlier = self.reader.decisions().in_force();
            let what = format!("that game {} is played again", self.name(id));
            return match earlier.rfind(|decision| decision.act.replays(id)) {
                Some(before) => refuse_again(&what, before.id),
                None if self.is_interrupted(id)? => Ok(act),
                None => self.refuse_unplayed(id),
            };
        }
        Ok(act)
    }

    /// Whether it was left behind by a run, and none plays it.
    fn is_interrupted(&self, game: GameId) -> Result<bool, DecisionRefusal> {
        let games = interrupted_games(self.reader)?;
        let mut games = games.iter().map(|left| left.recorded.game.id);
        Ok(!self.is_played && games.any(|left| left == game))
    }

    /// Every game that counts and that this worker has played, but those that would not be played again.
    pub(crate) fn purge(&self, worker: &str) -> Result<ArbiterAct, DecisionRefusal> {
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
                games: games.iter().map(|(id, _)| (id.pair, id.game)).collect(),
            };
            // Engines that play no more even if their faults in these games do not count.
            let mut reader = Reader::open(self.reader.folder())?;
            reader.suppose(supposed(reader.decisions(), &act, &[]));
            let out = engines_out(&reader)?;
            let all = games.len();
            games.retain(|(_, seats)| !seats.iter().any(|seat| out.contains(&seat.engine)));
            if games.len() == all {
                return Ok(act);
            }
        }
        let names = players.names.iter().map(String::as_str);
        let others = names.filter(|name| *name != worker);
        refuse(format!(
            "no game that counts was played by a worker \"{}\"{}",
            printable(worker),
            did_you_mean(worker, others)
        ))
    }
}

fn refuse_name<T>(text: &str, example: &str) -> Result<T, DecisionRefusal> {
    refuse(format!(
        "\"{}\" is no game of this event: games are named as the tag Round of games.pgn has it, {example}",
        printable(text)
    ))
}

/// The format by which pairs are numbered, of an event that is not played in rounds.
fn format(identity: &EventIdentity) -> Option<Format> {
    match identity.format {
        FormatWord::Match => Some(Format::Match),
        FormatWord::RoundRobin => Some(Format::RoundRobin),
        FormatWord::Gauntlet => {
            let place = |hero: &String| identity.engine_named(hero);
            let heroes = identity.heroes.iter().filter_map(place).collect();
            Some(Format::Gauntlet { heroes })
        }
        _ => None,
    }
}
