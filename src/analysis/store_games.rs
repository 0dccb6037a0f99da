//! Games out of the store of an event.

use std::collections::HashMap;

use crate::chess::start::Variant;
use crate::chess::{FenDialect, StartNumber};
use crate::event::{PairId, Seat};
use crate::hash::moves_hash;
use crate::referee::{Outcome, Termination};
use crate::stats::games::{GameFlags, GameRow};
use crate::stats::numeric::beside;
use crate::store::{Reader, StoreError, StoredGame, Tally};
use crate::tournament::fault_counts::FaultCounts;
use crate::tournament::{
    Builds, EventState, PLAYED_TWICE_FILE, PlayedTwice, RECOMPUTED_FILE, Recomputed, Roster,
};

use super::collection::{
    CollectedGame, CollectionSource, Collector, SourceKind, game_name, known_event,
};
use super::idle_use::idle_use;
use super::node_use::node_use;
use super::players::{Players, RatedPlayer};

/// With at least this number of games a second connection reads half of them.
const WORTH_A_THREAD: u64 = 50_000;

/// Beyond every place in the order of finishing.
const LAST: u64 = i64::MAX as u64;

/// The data that all games of one event share.
struct EventGames {
    variant: Variant,
    /// By revision: the place of its first game, and who played.
    players: Vec<(u64, Players)>,
    first_pair: u32,
    /// Starts without a number, by the game's sequence number.
    named_starts: HashMap<u64, u32>,
    /// The event's name, and the participants' by engine and copy.
    event: String,
    names: Vec<Vec<String>>,
    /// Games that the host decided, by sequence number, ascending.
    host_faults: Vec<u64>,
    /// The engines whose games do not count.
    fault_counts: FaultCounts,
}

impl Collector {
    /// Adds all finished games of an event.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn add_store(&mut self, reader: &Reader) -> Result<(), StoreError> {
        let state = EventState::read(reader)?;
        let roster = state.roster();
        let builds = Builds::read(reader)?;
        let path = reader.folder().display().to_string();
        let mut source = CollectionSource::new(&path, SourceKind::Store);
        source.voided = roster.voided_games;
        source.running = reader.is_running();
        source.adaptive = roster.adaptive.clone();
        source.rebuilt = roster.rebuilt.as_ref().map(ToString::to_string);
        let recomputed = Recomputed::read(reader.folder());
        let recomputed = recomputed.map_err(|error| reader.unreadable(RECOMPUTED_FILE, &error))?;
        source.recomputed = recomputed.counts();
        let twice = PlayedTwice::read(reader.folder());
        source.played_twice =
            twice.map_err(|error| reader.unreadable(PLAYED_TWICE_FILE, &error))?;
        source.revisions = builds.revisions().collect();
        source.replaced_engines = builds.replaced_engines();
        let mut event = EventGames {
            variant: roster.variant,
            players: self.players_by_revision(roster, &builds),
            first_pair: self.next_pair(),
            named_starts: HashMap::new(),
            event: known_event(&roster.event).to_owned(),
            names: names(roster),
            host_faults: Vec::new(),
            fault_counts: state.fault_counts().clone(),
        };
        self.test = state.test().cloned();
        self.tie_breaks = Some(builds.current().tie_breaks());
        if self.reads_moves() {
            event.host_faults = reader.host_faults()?;
            event.named_starts = self.named_starts(reader)?;
            for stored in reader.games() {
                let counts = self.add_stored(&event, &mut source, &stored?);
                source.games += u64::from(counts);
            }
        } else {
            source.games = self.add_results(&mut event, &mut source, reader)?;
        }
        // Not for games that were read before.
        if source.games > 0 && self.limits_in_nodes() {
            self.node_use.extend(node_use(reader, roster)?);
        }
        if source.games > 0 {
            self.idle_use.extend(idle_use(reader, &builds)?);
        }
        source.annulled = state.board().annulled_games();
        self.sources.push(source);
        Ok(())
    }

    fn named_starts(&mut self, reader: &Reader) -> Result<HashMap<u64, u32>, StoreError> {
        let starts = reader.unnumbered_starts()?.into_iter();
        Ok(starts
            .map(|(sequence, name)| (sequence, self.starts.named(&name)))
            .collect())
    }

    /// Reads all results.
    fn add_results(
        &mut self,
        event: &mut EventGames,
        source: &mut CollectionSource,
        reader: &Reader,
    ) -> Result<u64, StoreError> {
        let before = self.games();
        let parts = tallies(reader)?;
        // The names of starts without a number need a second reading of all games.
        let all_numbered = parts.iter().flatten().all(|tally| tally.number.is_some());
        if !all_numbered {
            event.named_starts = self.named_starts(reader)?;
        }
        if parts.iter().flatten().any(|tally| tally.flag_fall) {
            event.host_faults = reader.host_faults()?;
        }
        for tally in parts.iter().flatten() {
            self.add_tally(event, source, tally);
        }
        Ok((self.games() - before) as u64)
    }

    fn add_tally(&mut self, event: &EventGames, source: &mut CollectionSource, tally: &Tally) {
        if event.fault_counts.annuls(tally.seats) {
            return;
        }
        if self.compares()
            && self.repeats(
                source,
                event.game_name(tally.pair, tally.seats),
                tally.moves_hash,
            )
        {
            return;
        }
        let start = self.start_key(event, tally.number, tally.sequence);
        let game = event.game(
            start,
            tally.sequence,
            tally.pair,
            tally.seats,
            &tally.outcome,
        );
        let Some(game) = game else { return };
        self.add(&CollectedGame {
            hash: Some(tally.moves_hash),
            record: tally.moves_hash,
            ..game
        });
    }

    fn start_key(&mut self, event: &EventGames, number: Option<StartNumber>, sequence: u64) -> u32 {
        match number {
            Some(number) => self.starts.numbered(event.variant, number),
            None => event
                .named_starts
                .get(&sequence)
                .copied()
                .unwrap_or_default(),
        }
    }

    /// As [`Self::add_tally`], with the moves; whether the game counts.
    fn add_stored(
        &mut self,
        event: &EventGames,
        source: &mut CollectionSource,
        stored: &StoredGame,
    ) -> bool {
        let (game, record) = (&stored.game, &stored.game.record);
        if event.fault_counts.annuls(game.seats) || !record.outcome.is_evidence() {
            return false;
        }
        let start = self.start_key(event, game.number, stored.sequence);
        let moves: Vec<u16> = record.all_moves().map(|m| m.bits()).collect();
        let hash = moves_hash(&record.start.fen(FenDialect::XFen), moves.iter().copied());
        if self.compares() && self.repeats(source, event.game_name(game.id.pair, game.seats), hash)
        {
            return false;
        }
        let collected = event.game(
            start,
            stored.sequence,
            game.id.pair,
            game.seats,
            &record.outcome,
        );
        let Some(collected) = collected else {
            return false;
        };
        self.add(&CollectedGame {
            hash: Some(hash),
            record: hash,
            moves: Some(&moves),
            ..collected
        });
        true
    }
}

/// All results in order; those of a large event are read by two connections at once.
fn tallies(reader: &Reader) -> Result<[Vec<Tally>; 2], StoreError> {
    // Places have no gaps; counting would read, and check, every game once more.
    let games = reader.last_place()?;
    let middle = if games < WORTH_A_THREAD {
        LAST
    } else {
        games / 2
    };
    let read = |reader: &Reader, after, until| {
        let mut tallies = Vec::with_capacity(games.div_ceil(2) as usize);
        reader.tallies(after, until, |tally| tallies.push(tally))?;
        Ok(tallies)
    };
    if middle == LAST {
        return Ok([read(reader, 0, LAST)?, Vec::new()]);
    }
    let folder = reader.folder();
    let (later, earlier) = beside(
        || read(&Reader::open(folder)?, middle, LAST),
        || read(reader, 0, middle),
    );
    Ok([earlier?, later?])
}

/// The participants' names by engine and copy.
fn names(roster: &Roster) -> Vec<Vec<String>> {
    let mut names: Vec<Vec<String>> = Vec::new();
    for participant in &roster.participants {
        let engine = usize::from(participant.seat.engine);
        names.resize_with(names.len().max(engine + 1), Vec::new);
        names[engine].push(participant.name.clone());
    }
    names
}

impl EventGames {
    /// The game's name, the same in every file.
    fn game_name(&self, pair: PairId, seats: [Seat; 2]) -> u64 {
        let name = |seat: Seat| {
            let copies = self.names.get(usize::from(seat.engine))?;
            copies.get(usize::from(seat.copy)).map(String::as_str)
        };
        let players = seats.map(|seat| name(seat).unwrap_or_default());
        game_name(&self.event, pair.0 + 1, players)
    }

    /// A game in the form in which it is counted; `None` if it is void.
    fn game(
        &self,
        start: u32,
        sequence: u64,
        pair: PairId,
        seats: [Seat; 2],
        outcome: &Outcome,
    ) -> Option<CollectedGame<'static>> {
        let result = outcome.white_score()?;
        let mut flags = flags(outcome.termination());
        if self.host_faults.binary_search(&sequence).is_ok() {
            flags = flags.with(GameFlags::HOST_FAULT);
        }
        // The roster has every seat that games name.
        let nobody = RatedPlayer {
            engine: 0,
            identity: 0,
            limits: 0,
            random: true,
        };
        let revision = self
            .players
            .partition_point(|(first, _)| *first <= sequence);
        let players = self.players.get(revision.saturating_sub(1));
        let player = |seat: Seat| {
            let (_, players) = players?;
            let copies = players.get(usize::from(seat.engine))?;
            copies.get(usize::from(seat.copy)).copied()
        };
        let [white, black] = seats.map(|seat| player(seat).unwrap_or(nobody));
        Some(CollectedGame {
            row: GameRow {
                white: white.engine,
                black: black.engine,
                start,
                pair: Some(self.first_pair.saturating_add(pair.0 as u32)),
                result,
                flags,
            },
            identities: [white.identity, black.identity],
            self_play: seats[0].engine == seats[1].engine,
            // Two limits in one number; a collection has few.
            limits: white.limits << 16 | black.limits,
            random: white.random || black.random,
            hash: None,
            record: 0,
            moves: None,
        })
    }
}

fn flags(termination: Termination) -> GameFlags {
    match termination {
        Termination::Normal | Termination::Unterminated => GameFlags::default(),
        Termination::Adjudication => GameFlags::ADJUDICATED,
        Termination::TimeForfeit | Termination::RulesInfraction | Termination::Abandoned => {
            GameFlags::FORFEIT
        }
    }
}
