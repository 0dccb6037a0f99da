//! Starts that the engines make themselves, before the games: Northam's placing, Pre-Chess, the auction and
//! the first-turn exchange of transcendental chess.
//!
//! | file | what |
//! |---|---|
//! | this one | every start that is missing, one after the other, to the store and from it |
//! | `judge` | an engine that evaluates positions on a clock |
//! | `exchange` | pieces placed alternately; the first turn of transcendental chess, and tempi that were given |
//! | `auction` | tempi or time are bid for a side |
//!
//! **Invariant: a start is stored before its first game, and made once.** All starts are made before the games
//! of the run begin. They are made one at a time, so that nothing else takes time from the clocks of this phase.
//! Whatever stops the run, the next one makes those that are not in the store.

mod auction;
mod exchange;
mod judge;

use std::sync::Arc;
use std::time::Duration;

use judge::Judge;

use super::error::RunError;
use crate::chess::{FenDialect, Position};
use crate::clock::{GivenTime, Limits, TimeLimit};
use crate::config::Tournament;
use crate::engine::probe::UnfitEngine;
use crate::engine::surroundings::Surroundings;
use crate::event::{MAX_GIVEN_PERCENT, OpeningSystem, PairId, Seat};
use crate::schedule::{MadeOpening, Opening, Openings, opening_lots};
use crate::store::{MadeStart, Reader, Store};
use crate::text::{printable, tell};

/// Makes and stores all starts that are missing; the tournament with all of them.
///
/// # Errors
/// An engine does not start; the store cannot be read or written.
pub(crate) async fn make(
    tournament: &Arc<Tournament>,
    around: &Surroundings,
    store: &Store,
) -> Result<Arc<Tournament>, RunError> {
    let Some(making) = tournament.making else {
        return Ok(Arc::clone(tournament));
    };
    let plan = tournament.plan().map_err(std::io::Error::other)?;
    let mut judges: Vec<(Seat, Judge)> = Vec::new();
    for number in 0..tournament.openings.len() {
        if store.reader()?.made_start(number)?.is_some() {
            continue;
        }
        let spec = plan.pair(PairId(u64::from(number)));
        let Some(spec) = spec.filter(|spec| spec.opening == number) else {
            continue;
        };
        if judges.is_empty() {
            for seat in [spec.first, spec.second] {
                judges.push((seat, begin(tournament, seat, around).await?));
            }
        }
        start_again(&mut judges, tournament, around).await?;
        judges.sort_by_key(|(seat, _)| *seat != spec.first);
        let [(_, first), (_, second)] = &mut judges[..] else {
            break;
        };
        let mut players = [first, second];
        let times = [spec.first, spec.second].map(|seat| {
            let clock = clock_share(&tournament.engine(seat).limits).filter(|_| making.on_clock);
            clock.map_or(making.time(), |most| making.time().min(most))
        });
        for (player, time) in players.iter_mut().zip(times) {
            player.begin(time, tournament.timeouts.new_game).await;
        }
        let base = tournament.openings.get(number);
        let made = hold(making.system, &mut players, &base, tournament.seed, number).await;
        let Some(mut made) = made else {
            let what = "the start of a game could not be made";
            return Err(std::io::Error::other(what).into());
        };
        if making.on_clock {
            made.start.time_given = [0, 1].map(|side| GivenTime::Used {
                used_ms: (times[side] - players[side].left()).as_millis() as u64,
            });
        }
        let drawn = drawn(&players, number);
        let stored = made.stored(players.map(|player| player.name.clone()), drawn);
        store.set_event(&[(&MadeStart::key(number), &stored.text())])?;
        say(number, tournament.openings.len(), &made);
    }
    for (_, judge) in judges {
        judge.end().await;
    }
    with_stored(tournament, &store.reader()?)
}

/// The most that a player may use of its clock before a game.
fn clock_share(limits: &Limits) -> Option<Duration> {
    let TimeLimit::Clock(control) = &limits.time else {
        return None;
    };
    let base = control.stages().first()?.base;
    Some(base * u32::from(MAX_GIVEN_PERCENT) / 100)
}

/// Lets two engines make the start of this number.
async fn hold(
    system: OpeningSystem,
    players: &mut [&mut Judge; 2],
    base: &Opening,
    seed: u64,
    number: u32,
) -> Option<StoredStart> {
    let mut lots = opening_lots(seed, number);
    match system {
        OpeningSystem::Auction => auction::of_tempi(players, base, false, &mut lots).await,
        OpeningSystem::AuctionExchange => auction::of_tempi(players, base, true, &mut lots).await,
        OpeningSystem::AuctionTime => Some(auction::of_time(players, base, &mut lots).await),
        OpeningSystem::Exchange => {
            exchange::first_turns(players, &base.start, [true; 2], &mut lots).await
        }
        system => exchange::place(players, system, &mut lots).await,
    }
}

/// Starts those again that have ended, or have not answered, while the start before was made.
async fn start_again(
    judges: &mut [(Seat, Judge)],
    tournament: &Tournament,
    around: &Surroundings,
) -> Result<(), RunError> {
    for (seat, judge) in judges {
        if judge.trouble().is_some() {
            let again = begin(tournament, *seat, around).await?;
            std::mem::replace(judge, again).end().await;
        }
    }
    Ok(())
}

/// The players of whose choices some were drawn, and why; this is also printed.
fn drawn(players: &[&mut Judge; 2], number: u32) -> Vec<String> {
    let why = |player: &&mut Judge| {
        let why = player.why_drawn()?;
        let name = &player.name;
        Some(format!("{name}: {why}; what it had to choose was drawn"))
    };
    let drawn: Vec<String> = players.iter().filter_map(why).collect();
    for line in &drawn {
        tell(&printable(&format!("opening {}: {line}", number + 1)));
    }
    drawn
}

async fn begin(
    tournament: &Tournament,
    seat: Seat,
    around: &Surroundings,
) -> Result<Judge, RunError> {
    let name = tournament.participant_name(seat);
    let spec = tournament.engine(seat);
    let started = Judge::start(name.clone(), spec, around).await;
    started.map_err(|error| RunError::Engines(vec![UnfitEngine { name, error }]))
}

fn say(number: u32, all: u32, made: &StoredStart) {
    let opening = &made.start.opening;
    let what = match opening.number {
        Some(start) => format!("start {start}"),
        None => opening.start.fen(crate::chess::FenDialect::XFen),
    };
    let turns = made.turns.join(" ");
    let number = number + 1;
    tell(&printable(&format!(
        "opening {number} of {all}: {turns}: {what}"
    )));
}

/// A start, and how it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
struct StoredStart {
    start: MadeOpening,
    /// The turns, for people.
    turns: Vec<String>,
}

impl StoredStart {
    /// A start that is played as the plan has it.
    fn new(opening: Opening, turns: Vec<String>) -> StoredStart {
        StoredStart {
            start: MadeOpening::new(opening),
            turns,
        }
    }

    /// What the store keeps of it.
    fn stored(&self, players: [String; 2], drawn: Vec<String>) -> MadeStart {
        MadeStart {
            fen: self.start.opening.start.fen(FenDialect::XFen),
            reversed: self.start.reversed,
            players,
            turns: self.turns.clone(),
            time_given: self.start.time_given,
            drawn,
        }
    }
}

/// The tournament with all starts that the store has; the others are as before.
///
/// # Errors
/// The store cannot be read, or does not hold what this program writes there.
pub(crate) fn with_stored(
    tournament: &Arc<Tournament>,
    reader: &Reader,
) -> Result<Arc<Tournament>, RunError> {
    if tournament.making.is_none() {
        return Ok(Arc::clone(tournament));
    }
    let openings = &tournament.openings;
    let mut made = Vec::new();
    for number in 0..openings.len() {
        made.push(match reader.made_start(number)? {
            Some(stored) => read(tournament, &stored).ok_or_else(|| senseless(&stored))?,
            None => MadeOpening::new(openings.get(number)),
        });
    }
    let openings = Openings::made(openings.variant(), made);
    Ok(Arc::new(Tournament {
        openings: Arc::new(openings),
        ..Tournament::clone(tournament)
    }))
}

fn read(tournament: &Tournament, stored: &MadeStart) -> Option<MadeOpening> {
    let rule = tournament.variant.castling_rule();
    let position = Position::from_fen_with(&stored.fen, rule).ok()?;
    Some(MadeOpening {
        opening: Opening::new(tournament.variant, position, Vec::new()).ok()?,
        reversed: stored.reversed,
        time_given: stored.time_given,
    })
}

fn senseless(stored: &MadeStart) -> RunError {
    let text = stored.text();
    let what = format!("the event's store holds a start that makes no sense: {text}");
    RunError::System(std::io::Error::other(what))
}
