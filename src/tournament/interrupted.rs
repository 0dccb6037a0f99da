//! Games that a run has left behind when it was stopped at once or killed.

use std::collections::BTreeSet;

use super::roster::Roster;
use super::stored::engines_out;
use crate::event::{PlayedGame, UnixMillis};
use crate::referee::{Outcome, VoidReason};
use crate::store::{Reader, RecordedGame, RunningGameFiles, StoreResult};
use crate::text::{duration, printable};

/// A game that was left behind and is not settled meanwhile.
#[derive(Debug)]
pub(crate) struct InterruptedGame {
    /// As far as it was played.
    pub recorded: RecordedGame,
    /// Why it is played from its start, if it is; else it goes on at its move.
    pub anew: Option<&'static str>,
}

/// The games that were left behind, in the order of the plan.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn interrupted_games(reader: &Reader) -> StoreResult<Vec<InterruptedGame>> {
    let identity = reader.identity_hash()?;
    let mut games = Vec::new();
    for recorded in RunningGameFiles::of_event(reader.folder()).all() {
        let game = &recorded.game;
        if reader.game(game.id)?.is_some() || reader.decisions().changes(game.id) {
            continue;
        }
        let anew = if recorded.identity == identity {
            is_replayed(reader, game).then_some("the arbiter has decided so")
        } else {
            Some("the event or an engine has changed since")
        };
        // With an engine that plays no more it is only finished.
        let is_in = |out: &BTreeSet<u16>| game.seats.iter().all(|seat| !out.contains(&seat.engine));
        if anew.is_none() || is_in(&engines_out(reader)?) {
            games.push(InterruptedGame { recorded, anew });
        }
    }
    Ok(games)
}

/// Whether the arbiter has decided since it began that it is played again.
fn is_replayed(reader: &Reader, game: &PlayedGame) -> bool {
    let mut decisions = reader.decisions().in_force();
    decisions.any(|decision| decision.decided > game.started && decision.act.replays(game.id))
}

/// A sentence for each of these games, fit for a terminal.
pub(crate) fn interruption_lines(roster: &Roster, games: &[InterruptedGame]) -> Vec<String> {
    let line = |InterruptedGame { recorded, anew }: &InterruptedGame| {
        let game = &recorded.game;
        let clocks = game.record.clocks();
        let side = |side: usize| {
            let name = roster.name(game.seats[side]);
            let clock = clocks[side].map(|left| format!(" ({} left)", duration(left)));
            printable(&name).into_owned() + &clock.unwrap_or_default()
        };
        let (name, away) = (roster.games.name(game.id), recorded.away(UnixMillis::now()));
        let due = game.record.board().position().fullmove_number();
        let fate = match anew {
            Some(why) => format!("begins anew: {why}"),
            None => "goes on there".to_owned(),
        };
        let (white, black, away) = (side(0), side(1), duration(away));
        format!(
            "Game {name}, {white} - {black}, was interrupted at move {due}, {away} ago; it {fate}."
        )
    };
    games.iter().map(line).collect()
}

/// A sentence for each time that a stored game was interrupted and went on, fit for a terminal.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn resumption_lines(reader: &Reader, roster: &Roster) -> StoreResult<Vec<String>> {
    let mut lines = Vec::new();
    for stored in reader.games().chain(reader.voided()?.into_iter().map(Ok)) {
        let game = stored?.game;
        let name = roster.games.name(game.id);
        let fate = match &game.record.outcome {
            // It was interrupted once more, and is told when it is over.
            Outcome::Void(VoidReason::Interrupted) => continue,
            Outcome::Void(_) => ", and is void",
            _ => "",
        };
        let pauses = game.record.interruptions();
        lines.extend(pauses.map(|(due, away)| {
            let away = duration(away);
            format!(
                "Game {name} was interrupted at move {due} and went on there after {away}{fate}."
            )
        }));
    }
    Ok(lines)
}
