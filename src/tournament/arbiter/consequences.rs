//! What a decision changes: the event is read without it and with it, before it is written.

use std::collections::{BTreeMap, BTreeSet};

use super::{DecisionRefusal, Desk};
use crate::event::{ArbiterAct, GameId, PairId};
use crate::schedule::Following;
use crate::store::{Reader, StoreError, StoredAct};
use crate::text::count;
use crate::tournament::EventState;
use crate::tournament::rounds::{history_without, rounds_of};

/// Number of games that are listed by name; for the others only their number is given.
const NAMED: usize = 8;

/// Why a result changes nothing.
const NOTHING_COUNTS: &str =
    "one of the two plays no more, and this game does not count, or counts so without it";

/// An event as far as a decision can change it.
#[derive(Debug, PartialEq)]
struct EventSnapshot {
    /// Points and place of every participant.
    table: Vec<(f64, usize)>,
    /// The games that need not be played any more.
    settled: BTreeSet<GameId>,
    /// The engines that play no more.
    out: BTreeSet<u16>,
    /// The boards of the round that is paired next, if one can be paired now.
    next: Option<(u16, Vec<String>)>,
    /// Whether a sequential test is decided: nothing more is played then.
    is_decided: bool,
    /// The games of which the statistics are made.
    evidence: BTreeSet<GameId>,
}

impl Desk<'_> {
    /// What follows from a decision, in lines for people.
    ///
    /// # Errors
    /// Nothing follows, or something else than it says.
    pub(super) fn consequences(&self, written: &StoredAct) -> Result<Vec<String>, DecisionRefusal> {
        let act = &written.act;
        let supposed = self.supposed(written)?;
        let before = self.snapshot(self.reader)?;
        let after = self.snapshot(&supposed)?;
        let mut lines = self.table_lines(&before, &after);
        lines.extend(self.game_lines(&before, &after));
        lines.extend(self.unpaired_line(&written.unpairs));
        if before.next != after.next
            && let Some((round, boards)) = &after.next
        {
            lines.push(format!("Round {round}: {}.", boards.join(", ")));
        }
        self.check_effect(act, &before, after)?;
        Ok(lines)
    }

    fn snapshot(&self, reader: &Reader) -> Result<EventSnapshot, StoreError> {
        let state = EventState::read(reader)?;
        let board = state.board();
        let mut table = board.standings();
        table.sort_by_key(|row| row.engine);
        let mut settled: BTreeSet<GameId> = reader.finished_ids()?.into_iter().collect();
        settled.extend(reader.awards()?.into_iter().map(|award| award.id));
        let out = board.rulings().into_iter().map(|ruling| ruling.engine);
        let out: BTreeSet<u16> = out.collect();
        let mut evidence = BTreeSet::new();
        for result in reader.results() {
            let result = result?;
            let counts = !board.fault_counts().annuls(result.seats);
            evidence.extend((counts && result.outcome.is_evidence()).then_some(result.id));
        }
        Ok(EventSnapshot {
            table: table.iter().map(|row| (row.points(), row.place)).collect(),
            settled,
            next: self.next_round(reader, &out)?,
            out,
            is_decided: state.is_decided(),
            evidence,
        })
    }

    fn next_round(
        &self,
        reader: &Reader,
        out: &BTreeSet<u16>,
    ) -> Result<Option<(u16, Vec<String>)>, StoreError> {
        let Some(rounds) = rounds_of(&self.identity) else {
            return Ok(None);
        };
        let rounds = rounds.extended(reader.decisions().extra_rounds());
        let history = history_without(reader, out)?;
        let Ok(Following::Chosen(chosen)) = rounds.next(&history) else {
            return Ok(None);
        };
        let mut boards: BTreeMap<(u16, u16), String> = BTreeMap::new();
        for pair in &chosen.pairs {
            let Some(place) = pair.place else { continue };
            let names = [pair.first, pair.second].map(|seat| self.roster.name(seat));
            boards
                .entry((place.round, place.board))
                .or_insert_with(|| names.join(" – "));
        }
        let round = boards.keys().map(|(round, _)| *round).min();
        Ok(round.map(|round| (round, boards.into_values().collect())))
    }

    fn table_lines(&self, before: &EventSnapshot, after: &EventSnapshot) -> Vec<String> {
        let rows = before.table.iter().zip(&after.table);
        let named = self.roster.participants.iter().zip(rows);
        let mut changed: Vec<(usize, String)> = named
            .filter(|(_, (old, new))| old != new)
            .map(|(entry, (old, new))| {
                let name = &entry.name;
                let points = match old.0 == new.0 {
                    true => format!("{:.1} points", new.0),
                    false => format!("{:.1} points, {:.1} before", new.0, old.0),
                };
                let place = match old.1 == new.1 {
                    true => format!("place {}", new.1),
                    false => format!("place {}, {} before", new.1, old.1),
                };
                (new.1, format!("{name}: {points}; {place}."))
            })
            .collect();
        changed.sort_by_key(|(place, _)| *place);
        changed.into_iter().map(|(_, line)| line).collect()
    }

    fn game_lines(&self, before: &EventSnapshot, after: &EventSnapshot) -> Vec<String> {
        let named = |games: Vec<&GameId>| {
            let names = games.iter().take(NAMED);
            let names: Vec<String> = names
                .map(|game| self.roster.games.name(**game).to_string())
                .collect();
            let more = if games.len() > NAMED { ", …" } else { "" };
            let games = count(games.len() as u64, "game");
            (games, names.join(", ") + more)
        };
        let mut lines = Vec::new();
        let again: Vec<&GameId> = before.settled.difference(&after.settled).collect();
        if !again.is_empty() {
            let (games, names) = named(again);
            lines.push(format!("To be played again, {games}: {names}."));
        }
        let settled: Vec<&GameId> = after.settled.difference(&before.settled).collect();
        if !settled.is_empty() {
            let (games, names) = named(settled);
            lines.push(format!("Not to be played any more, {games}: {names}."));
        }
        // Of one that is played again this goes without saying.
        let is_played = |id: &&GameId| before.settled.contains(*id) && after.settled.contains(*id);
        for (old, new, what) in [
            (before, after, "Not in the statistics any more"),
            (after, before, "In the statistics again"),
        ] {
            let moved = old.evidence.difference(&new.evidence).filter(is_played);
            let moved: Vec<&GameId> = moved.collect();
            if !moved.is_empty() {
                let (games, names) = named(moved);
                lines.push(format!("{what}, {games}: {names}."));
            }
        }
        lines
    }

    /// The encounters that others play than those who were paired.
    fn unpaired_line(&self, unpairs: &[PairId]) -> Option<String> {
        let places = unpairs
            .iter()
            .filter_map(|pair| self.roster.games.place(*pair));
        let boards = places.map(|place| (place.round, place.board));
        let boards: BTreeSet<(u16, u16)> = boards.collect();
        let names = boards
            .iter()
            .map(|(round, board)| format!("round {round} board {board}"));
        let names: Vec<String> = names.collect();
        (!names.is_empty())
            .then(|| format!("Paired anew, no game of it counts: {}.", names.join(", ")))
    }

    /// A decision must do what it says.
    fn check_effect(
        &self,
        act: &ArbiterAct,
        before: &EventSnapshot,
        mut after: EventSnapshot,
    ) -> Result<(), DecisionRefusal> {
        let why = match act {
            ArbiterAct::Replay { .. } | ArbiterAct::Purge { .. } => {
                return self.check_replay(act, &after);
            }
            // They say what may be done from now on.
            ArbiterAct::Add { .. }
            | ArbiterAct::Replace { .. }
            | ArbiterAct::Extend { .. }
            | ArbiterAct::Undo { .. } => return Ok(()),
            ArbiterAct::Withdraw { .. } => "it is disqualified, and plays no more",
            ArbiterAct::Forfeit { seats, .. } | ArbiterAct::Uneven { seats, .. } => {
                if seats.iter().any(|seat| after.out.contains(&seat.engine)) {
                    // It is not played, whatever is decided.
                    after.settled.clone_from(&before.settled);
                }
                NOTHING_COUNTS
            }
            ArbiterAct::Result { .. } => NOTHING_COUNTS,
        };
        match *before == after {
            true => Err(DecisionRefusal::NoEffect(why)),
            false => Ok(()),
        }
    }

    /// An engine that is out plays no game again; its opponent would win a game that was played.
    fn check_replay(&self, act: &ArbiterAct, after: &EventSnapshot) -> Result<(), DecisionRefusal> {
        let mut absent = None;
        for game in act.games() {
            let stored = self.reader.game(game)?;
            let seats = stored.map(|stored| stored.game.seats).into_iter().flatten();
            let out = seats.map(|seat| seat.engine);
            match out.into_iter().find(|engine| after.out.contains(engine)) {
                Some(engine) => absent = Some((game, engine)),
                None if after.is_decided => return Err(DecisionRefusal::TestStaysDecided),
                None => return Ok(()),
            }
        }
        match absent {
            Some((game, engine)) => Err(DecisionRefusal::NeverPlayed {
                game: self.roster.games.name(game),
                engine: self.roster.engine_name(engine),
            }),
            None => Ok(()),
        }
    }
}
