//! Whether a decision of the arbiter can be made of an event as it is.

use std::collections::BTreeSet;

use super::roster::Roster;
use super::rounds::{history_without, rounds_of};
use crate::event::identity::{EventIdentity, FormatWord};
use crate::event::{ArbiterAct, ArbiterDecision, GameId, PairId, PositionDraw, Seat, UnixMillis};
use crate::pgn::GameResult;
use crate::schedule::{Format, RoundFormat, seats_of_pair};
use crate::store::{Reader, StoreError};
use crate::text::{nearest, printable};

/// What an arbiter asks for, in the words of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ArbiterRequest {
    /// This engine plays no more pairs.
    Withdraw(String),
    /// This game is lost by this engine, or colour.
    Forfeit {
        /// The game.
        game: String,
        /// `white`, `black` or a name.
        loser: String,
    },
    /// This game has this result.
    Result {
        /// The game.
        game: String,
        /// `1-0`, `0-1`, `1/2-1/2`.
        result: String,
    },
    /// This game is played again.
    Replay(String),
    /// This engine takes part from now on.
    Add(String),
    /// This engine may be another build.
    Replace(String),
    /// So many more rounds.
    Extend(u16),
    /// This decision is taken back; the last that holds, if none is named.
    Undo(Option<u64>),
}

/// Why a decision is not made: nothing is written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// No engine has this name.
    #[error("no engine \"{name}\" takes part{}", hint(.nearest))]
    NoEngine {
        /// As it was given.
        name: String,
        /// A name that is nearly the same.
        nearest: Option<String>,
    },
    /// No game has this name.
    #[error(
        "\"{game}\" is no game of this event: games are named as the tag Round of games.pgn has it, {example}"
    )]
    NoGame {
        /// As it was given.
        game: String,
        /// Of this event.
        example: &'static str,
    },
    /// The game must have been played.
    #[error(
        "game {0} has not been played: a game without moves can be given to one side by `forfeit`, or left to be played"
    )]
    NotPlayed(String),
    /// Nobody of this name plays the game.
    #[error("{loser} does not play game {game}: `--loser` is white, black or one of {players}")]
    NotInGame {
        /// As it was given.
        loser: String,
        /// The game.
        game: String,
        /// Who plays it.
        players: String,
    },
    /// It is no result.
    #[error("\"{0}\" is no result: write 1-0, 0-1 or 1/2-1/2")]
    NoResult(String),
    /// It was decided before.
    #[error(
        "{what} was decided before (decision {by}): take that back first, `arbiter960 decide RESULTS undo {by} --reason …`"
    )]
    Twice {
        /// What.
        what: String,
        /// Where.
        by: u64,
    },
    /// The game has this result already.
    #[error("game {game} has the result {result} already")]
    Same {
        /// The game.
        game: String,
        /// Its result.
        result: &'static str,
    },
    /// What follows from it was paired already.
    #[error(
        "round {round} board {board} has been paired with the engines that went on by the results so far, and another would go on now: nothing was written"
    )]
    Paired {
        /// The round.
        round: u16,
        /// The board.
        board: u16,
    },
    /// The format does not know it.
    #[error("{0}")]
    Format(&'static str),
    /// The event file forbids it.
    #[error("the event file forbids other builds: replacements = false in [event]")]
    NoReplacements,
    /// The name is taken.
    #[error("\"{0}\" takes part already")]
    TakesPart(String),
    /// There is no such decision, or it does not hold.
    #[error(
        "there is no decision {0} that holds; `arbiter960 decide RESULTS list` prints the book"
    )]
    NoDecision(u64),
    /// Nothing to take back.
    #[error("no decision holds: there is nothing to take back")]
    NothingDecided,
    /// What was decided has been acted on.
    #[error("decision {id} cannot be taken back: {why}")]
    ActedOn {
        /// The decision.
        id: u64,
        /// What happened since.
        why: String,
    },
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn hint(nearest: &Option<String>) -> String {
    let hint = nearest.as_ref();
    hint.map_or_else(String::new, |name| {
        format!(": did you mean \"{}\"?", printable(name))
    })
}

/// What the store is to be told of a request, if it can be granted.
///
/// # Errors
/// Why it cannot.
pub(crate) fn decide(reader: &Reader, request: &ArbiterRequest) -> Result<ArbiterAct, Refusal> {
    let identity = reader.identity()?.ok_or_else(|| StoreError::NotBegun {
        folder: reader.folder().to_path_buf(),
    })?;
    let desk = Desk {
        reader,
        roster: Roster {
            places: super::places(reader)?,
            ..Roster::read(reader)?
        },
        identity: identity.identity,
    };
    let act = desk.act(request)?;
    desk.check_pairings(&act)?;
    Ok(act)
}

/// Everything that is looked at.
struct Desk<'a> {
    reader: &'a Reader,
    roster: Roster,
    identity: EventIdentity,
}

impl Desk<'_> {
    fn act(&self, request: &ArbiterRequest) -> Result<ArbiterAct, Refusal> {
        match request {
            ArbiterRequest::Withdraw(name) => self.withdraw(name),
            ArbiterRequest::Forfeit { game, loser } => self.forfeit(game, loser),
            ArbiterRequest::Result { game, result } => self.result(game, result),
            ArbiterRequest::Replay(game) => self.replay(game),
            ArbiterRequest::Add(name) => self.add(name),
            ArbiterRequest::Replace(name) => self.replace(name),
            ArbiterRequest::Extend(rounds) => self.extend(*rounds),
            ArbiterRequest::Undo(decision) => self.undo(*decision),
        }
    }

    fn engine(&self, name: &str) -> Result<u16, Refusal> {
        let names = self
            .identity
            .engines
            .iter()
            .map(|engine| engine.name.as_str());
        match (0..).zip(names.clone()).find(|(_, known)| *known == name) {
            Some((engine, _)) => Ok(engine),
            None => Err(Refusal::NoEngine {
                name: printable(name).into_owned(),
                nearest: nearest(name, names).map(str::to_owned),
            }),
        }
    }

    fn withdraw(&self, name: &str) -> Result<ArbiterAct, Refusal> {
        let engine = self.engine(name)?;
        match self.reader.decisions().withdrawal(engine) {
            Some(before) => Err(Refusal::Twice {
                what: format!("that {} is withdrawn", printable(name)),
                by: before.id,
            }),
            None => Ok(ArbiterAct::Withdraw { engine }),
        }
    }

    /// The game of this name, whether it was played or not.
    fn game(&self, text: &str) -> Result<GameId, Refusal> {
        let refusal = || Refusal::NoGame {
            game: printable(text).into_owned(),
            example: match self.roster.places.is_empty() {
                true => "such as 17.2: pair and game",
                false => "such as 3.1.2: round, board and game",
            },
        };
        let numbers: Option<Vec<u64>> = text.split('.').map(|part| part.parse().ok()).collect();
        match numbers.as_deref() {
            Some([pair, game @ 1..=2]) if *pair > 0 && self.roster.places.is_empty() => {
                Ok(GameId {
                    pair: PairId(pair - 1),
                    game: *game as u8 - 1,
                })
            }
            Some([_, _, _]) => {
                let mut games = self.roster.places.iter().flat_map(|(pair, place)| {
                    [0, 1].map(|game| {
                        (
                            GameId {
                                pair: PairId(*pair),
                                game,
                            },
                            place.game(game),
                        )
                    })
                });
                let found = games.find(|(_, name)| name == text);
                found.map(|(game, _)| game).ok_or_else(refusal)
            }
            _ => Err(refusal()),
        }
    }

    fn played(&self, text: &str) -> Result<GameId, Refusal> {
        let game = self.game(text)?;
        match self.reader.game(game)? {
            Some(_) => Ok(game),
            None => Err(Refusal::NotPlayed(self.roster.game_name(game))),
        }
    }

    fn undecided(&self, game: GameId) -> Result<GameId, Refusal> {
        match self.reader.decisions().verdict(game) {
            Some((_, _, by)) => Err(Refusal::Twice {
                what: format!("the result of game {}", self.roster.game_name(game)),
                by: by.id,
            }),
            None => Ok(game),
        }
    }

    fn forfeit(&self, text: &str, loser: &str) -> Result<ArbiterAct, Refusal> {
        let game = self.undecided(self.game(text)?)?;
        let seats = match self.reader.game(game)? {
            Some(stored) => stored.game.seats,
            None => self.planned_seats(game, text)?,
        };
        let names = seats.map(|seat| self.roster.name(seat));
        let white_loses = match loser {
            "white" => true,
            "black" => false,
            name if name == names[0] => true,
            name if name == names[1] => false,
            _ => {
                let [white, black] = &names;
                return Err(Refusal::NotInGame {
                    loser: printable(loser).into_owned(),
                    game: self.roster.game_name(game),
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

    /// Who would play a game that has not been played.
    fn planned_seats(&self, game: GameId, text: &str) -> Result<[Seat; 2], Refusal> {
        let none = || Refusal::NoGame {
            game: printable(text).into_owned(),
            example: "and this one is not planned",
        };
        if self.identity.draw != PositionDraw::Every {
            let chosen = super::rounds::chosen(self.reader)?;
            let mut pairs = chosen.iter().flat_map(|chosen| &chosen.pairs);
            let pair = usize::try_from(game.pair.0)
                .ok()
                .and_then(|nth| pairs.nth(nth));
            return pair.map(|pair| pair.seats(game.game)).ok_or_else(none);
        }
        let planned = self.roster.planned_games.ok_or(Refusal::Format(
            "a game can be forfeited before it is played only where the plan is known beforehand",
        ))?;
        let games = self.identity.games_per_pair.unwrap_or(2);
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

    fn result(&self, text: &str, result: &str) -> Result<ArbiterAct, Refusal> {
        let score = GameResult::parse(result.as_bytes()).and_then(GameResult::white_score);
        let score = score.ok_or_else(|| Refusal::NoResult(printable(result).into_owned()))?;
        let white_half_points = score.half_points();
        let game = self.undecided(self.played(text)?)?;
        let stored = self.reader.game(game)?;
        let outcome = stored.map(|stored| stored.game.record.outcome);
        let score = outcome.as_ref().and_then(|outcome| outcome.white_score());
        if let Some((outcome, score)) = outcome.as_ref().zip(score)
            && score.half_points() == white_half_points
        {
            return Err(Refusal::Same {
                game: self.roster.game_name(game),
                result: outcome.result(),
            });
        }
        Ok(ArbiterAct::Result {
            pair: game.pair.0,
            game: game.game,
            white_half_points,
        })
    }

    fn replay(&self, text: &str) -> Result<ArbiterAct, Refusal> {
        let game = self.game(text)?;
        if self.reader.game(game)?.is_none() {
            let decisions = self.reader.decisions();
            let mut earlier = decisions.in_force();
            let is_replay = |decision: &&ArbiterDecision| {
                matches!(decision.act, ArbiterAct::Replay { .. })
                    && decision.act.game() == Some(game)
            };
            return Err(match earlier.rfind(is_replay) {
                Some(before) => Refusal::Twice {
                    what: format!("that game {} is played again", self.roster.game_name(game)),
                    by: before.id,
                },
                None => Refusal::NotPlayed(self.roster.game_name(game)),
            });
        }
        Ok(ArbiterAct::Replay {
            pair: game.pair.0,
            game: game.game,
        })
    }

    fn add(&self, name: &str) -> Result<ArbiterAct, Refusal> {
        if self.identity.format != FormatWord::Swiss {
            return Err(Refusal::Format(
                "an engine can enter late in a Swiss alone: in other formats the schedule of all \
                 others would be another one; give the event another name and begin anew",
            ));
        }
        let mut known = self.identity.engines.iter();
        if known.any(|engine| engine.name == name) {
            return Err(Refusal::TakesPart(printable(name).into_owned()));
        }
        let is_it = |decision: &&ArbiterDecision| matches!(&decision.act, ArbiterAct::Add { name: added } if added == name);
        match self.reader.decisions().in_force().find(is_it) {
            Some(before) => Err(Refusal::Twice {
                what: format!("that {} takes part", printable(name)),
                by: before.id,
            }),
            None => Ok(ArbiterAct::Add {
                name: name.to_owned(),
            }),
        }
    }

    fn replace(&self, name: &str) -> Result<ArbiterAct, Refusal> {
        let engine = self.engine(name)?;
        if self.identity.no_replacements {
            return Err(Refusal::NoReplacements);
        }
        if self.identity.sprt.is_some() {
            return Err(Refusal::Format(
                "a sequential test is about one build: results of two cannot be one test; give the \
                 event another name",
            ));
        }
        let open = open_replacements(self.reader)?;
        match open.iter().find(|(known, _)| *known == engine) {
            Some((_, before)) => Err(Refusal::Twice {
                what: format!("that {} may be another build", printable(name)),
                by: *before,
            }),
            None => Ok(ArbiterAct::Replace { engine }),
        }
    }

    fn extend(&self, rounds: u16) -> Result<ArbiterAct, Refusal> {
        let rules = rounds_of(&self.identity);
        match rules.map(|rules| rules.format) {
            Some(RoundFormat::Swiss(_) | RoundFormat::League { .. }) => {
                Ok(ArbiterAct::Extend { rounds })
            }
            Some(RoundFormat::Elimination(..)) => Err(Refusal::Format(
                "a tree has the rounds that it takes to find its winner: none can be added",
            )),
            None => Err(Refusal::Format(
                "this event is not played in rounds: raise `pairs` in [event], and run it with \
                 --accept-changes",
            )),
        }
    }

    fn undo(&self, named: Option<u64>) -> Result<ArbiterAct, Refusal> {
        let decisions = self.reader.decisions();
        let found = match named {
            Some(id) => decisions.in_force().find(|decision| decision.id == id),
            None => decisions.in_force().next_back(),
        };
        let decision = found.ok_or(match named {
            Some(id) => Refusal::NoDecision(id),
            None => Refusal::NothingDecided,
        })?;
        self.check_undo(decision)?;
        Ok(ArbiterAct::Undo {
            decision: decision.id,
        })
    }

    /// What has been acted on stays.
    fn check_undo(&self, decision: &ArbiterDecision) -> Result<(), Refusal> {
        let acted_on = |why: String| {
            Err(Refusal::ActedOn {
                id: decision.id,
                why,
            })
        };
        match &decision.act {
            ArbiterAct::Add { name } => {
                let mut known = self.identity.engines.iter();
                match known.any(|engine| engine.name == *name) {
                    true => acted_on(format!(
                        "{} takes part by now; it can be withdrawn",
                        printable(name)
                    )),
                    false => Ok(()),
                }
            }
            ArbiterAct::Replace { .. } => {
                let open = open_replacements(self.reader)?;
                match open.iter().any(|(_, open)| *open == decision.id) {
                    true => Ok(()),
                    false => acted_on("another build plays by now".to_owned()),
                }
            }
            ArbiterAct::Extend { rounds } => {
                let chosen = history_without(self.reader, &BTreeSet::new())?.last_round();
                let planned = rounds_of(&self.identity).and_then(|rules| rules.rounds());
                let extra = self.reader.decisions().extra_rounds();
                let left = planned.unwrap_or(0) + extra - u32::from(*rounds);
                match u32::from(chosen) > left {
                    true => acted_on(format!("round {chosen} has been paired")),
                    false => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Whether everybody who was paired by results so far would still be, in a tree. The next round
    /// of a Swiss is paired by the results as they are then.
    fn check_pairings(&self, act: &ArbiterAct) -> Result<(), Refusal> {
        let Some(rounds) = rounds_of(&self.identity) else {
            return Ok(());
        };
        let supposed = Reader::open(self.reader.folder())?.supposing(ArbiterDecision {
            id: self.reader.decisions().len() + 1,
            decided: UnixMillis(0),
            author: String::new(),
            reason: String::new(),
            act: act.clone(),
        });
        let out = super::fault_counts(&supposed)?.rulings().into_iter();
        let out: BTreeSet<u16> = out.map(|ruling| ruling.engine).collect();
        let history = history_without(&supposed, &out)?;
        match rounds.contradiction(&history) {
            Some((round, board)) => Err(Refusal::Paired { round, board }),
            None => Ok(()),
        }
    }
}

/// The engines that may be another build, each with the decision: no build was accepted since.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn open_replacements(reader: &Reader) -> Result<Vec<(u16, u64)>, StoreError> {
    let identities = reader.identities()?;
    let is_used = |engine: u16, decision: &ArbiterDecision| {
        let mut changes = identities.windows(2).filter(|two| {
            two[1].accepted.0 >= decision.decided.0
                && !two[1]
                    .identity
                    .same_engine(engine, &two[0].identity, engine)
        });
        changes.next().is_some()
    };
    let replacements = reader.decisions().in_force().filter_map(|decision| {
        let ArbiterAct::Replace { engine } = decision.act else {
            return None;
        };
        (!is_used(engine, decision)).then_some((engine, decision.id))
    });
    Ok(replacements.collect())
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
