//! Games out of the store of an event.

use std::collections::HashMap;

use crate::chess::start::Variant;
use crate::event::identity::EventEngine;
use crate::event::{GameNames, PairId, Seat};
use crate::referee::{FaultKind, Termination};
use crate::schedule::GameLimits;
use crate::stats::duplicates::ComparedGame;
use crate::stats::games::{GameFlags, GameRow};
use crate::stats::numeric::beside;
use crate::store::{Reader, ResultRow, StoreError};
use crate::tournament::fault_counts::FaultCounts;
use crate::tournament::{Builds, EventState, Roster, game_limits};

use super::collection::{
    CollectedGame, CollectionSource, Collector, SourceKind, game_name, known_event,
};
use super::engines::{idle_use, node_use, variant_key};

/// With at least this number of games a second connection reads half of them.
const WORTH_A_THREAD: u64 = 50_000;

/// The data that all games of one event share.
struct EventGames {
    variant: Variant,
    /// By revision: the place of its first game, and who played.
    players: Vec<(u64, Players)>,
    first_pair: u32,
    /// Starts without a number, by the game's sequence number.
    named_starts: HashMap<u64, u32>,
    event: String,
    /// Games that the host decided, by sequence number, ascending.
    host_faults: Vec<u64>,
    /// The engines whose games do not count.
    fault_counts: FaultCounts,
    /// The limits that are not those of the engines, and the places of the pairs on which they depend.
    limits: GameLimits,
    games: GameNames,
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
        source.revisions = builds.revisions().collect();
        source.replaced_engines = builds.replaced_engines();
        let players =
            |(first, revision): &(u64, u32)| (*first, self.players(roster, &builds, *revision));
        let players = builds.starts.iter().map(players).collect();
        let mut event = EventGames {
            variant: roster.variant,
            players,
            first_pair: self.next_pair,
            named_starts: HashMap::new(),
            event: known_event(&roster.event).to_owned(),
            host_faults: Vec::new(),
            fault_counts: state.fault_counts().clone(),
            limits: game_limits(&builds.current),
            games: roster.games.clone(),
        };
        self.found.test = state.test().cloned();
        self.found.tie_breaks = Some(builds.current.tie_breaks());
        if self.moves {
            event.host_faults = reader.host_faults()?;
            event.named_starts = self.named_starts(reader)?;
            for stored in reader.games() {
                let stored = stored?;
                let record = &stored.game.record;
                if record.outcome.is_evidence() {
                    let moves: Vec<u16> = record.all_moves().map(|m| m.bits()).collect();
                    self.add_result(&event, &mut source, &stored.result(), Some(&moves));
                }
            }
        } else {
            self.add_results(&mut event, &mut source, reader)?;
        }
        // Not for games that were read before.
        let mut limits = self.limits.texts.iter();
        if source.games > 0 && limits.any(|limits| limits.contains("nodes=")) {
            self.found.node_use.extend(node_use(reader, roster)?);
        }
        if source.games > 0 {
            self.found.idle_use.extend(idle_use(reader, &builds)?);
        }
        source.annulled = state.board().annulled_games();
        source.ruled = state.ruled;
        self.found.sources.push(source);
        Ok(())
    }

    fn named_starts(&mut self, reader: &Reader) -> Result<HashMap<u64, u32>, StoreError> {
        let starts = reader.unnumbered_starts()?.into_iter();
        let named = starts.map(|(sequence, name)| (sequence, self.found.starts.named(&name)));
        Ok(named.collect())
    }

    /// Reads all results.
    fn add_results(
        &mut self,
        event: &mut EventGames,
        source: &mut CollectionSource,
        reader: &Reader,
    ) -> Result<(), StoreError> {
        let parts = results(reader)?;
        // The names of starts without a number need a second reading of all games.
        let all_numbered = parts.iter().flatten().all(|result| result.number.is_some());
        if !all_numbered {
            event.named_starts = self.named_starts(reader)?;
        }
        let mut faults = parts.iter().flatten().filter_map(|result| result.fault);
        if faults.any(|(_, kind)| kind == FaultKind::FlagFall) {
            event.host_faults = reader.host_faults()?;
        }
        for result in parts.iter().flatten() {
            self.add_result(event, source, result, None);
        }
        Ok(())
    }

    /// Adds a game that counts, with its moves where they were read.
    fn add_result(
        &mut self,
        event: &EventGames,
        source: &mut CollectionSource,
        result: &ResultRow,
        moves: Option<&[u16]>,
    ) {
        if event.fault_counts.annuls(result.seats) {
            return;
        }
        let name = || event.game_name(result.id.pair, result.seats);
        if self.compares && self.repeats(source, name(), result.moves_hash) {
            return;
        }
        let named = || event.named_starts.get(&result.sequence).copied();
        let start = match result.number {
            Some(number) => self.found.starts.numbered(event.variant, number),
            None => named().unwrap_or_default(),
        };
        if let Some(mut game) = event.game(result, start, moves) {
            let terms = event.games.terms(result.id.pair);
            if let Some(limits) = event.limits.of(terms) {
                let [white, black] = limits.map(|limits| self.limits.place(&limits.to_string()));
                game.compared.limits = white << 16 | black;
            }
            self.add(&game);
            source.games += 1;
        }
    }
}

/// The results of all games that are evidence of strength, in order; those of a large event are read by two
/// connections at once.
fn results(reader: &Reader) -> Result<[Vec<ResultRow>; 2], StoreError> {
    // Places have no gaps; counting would read, and check, every game once more.
    let games = reader.last_place()?;
    let read = |reader: &Reader, after, until| {
        let mut results = Vec::with_capacity(games.div_ceil(2) as usize);
        for result in reader.results_between(after, until) {
            results.extend(Some(result?).filter(|result| result.outcome.is_evidence()));
        }
        Ok(results)
    };
    if games < WORTH_A_THREAD {
        return Ok([read(reader, 0, games)?, Vec::new()]);
    }
    let (folder, middle) = (reader.folder(), games / 2);
    let (later, earlier) = beside(
        || read(&Reader::open(folder)?, middle, games),
        || read(reader, 0, middle),
    );
    Ok([earlier?, later?])
}

impl EventGames {
    /// The game's name, the same in every file.
    fn game_name(&self, pair: PairId, seats: [Seat; 2]) -> u64 {
        // The last revision has all engines: one may have entered late.
        let players = seats.map(|seat| self.player(u64::MAX, seat));
        let names = players.map(|player| player.map_or("", |player| &player.name));
        game_name(&self.event, pair.0 + 1, names)
    }

    /// Who played on this seat a game with this place in the order of finishing.
    fn player(&self, sequence: u64, seat: Seat) -> Option<&RatedPlayer> {
        let revision = self
            .players
            .partition_point(|(first, _)| *first <= sequence);
        let (_, players) = self.players.get(revision.saturating_sub(1))?;
        let copies = players.get(usize::from(seat.engine))?;
        copies.get(usize::from(seat.copy))
    }

    /// A game in the form in which it is counted; `None` if it is void.
    fn game<'a>(
        &self,
        played: &ResultRow,
        start: u32,
        moves: Option<&'a [u16]>,
    ) -> Option<CollectedGame<'a>> {
        let (outcome, seats) = (&played.outcome, played.seats);
        let result = outcome.white_score()?;
        let mut flags = flags(outcome.termination());
        if self.host_faults.binary_search(&played.sequence).is_ok() {
            flags = flags.with(GameFlags::HOST_FAULT);
        }
        // The roster has every seat that games name.
        let white = self.player(played.sequence, seats[0])?;
        let black = self.player(played.sequence, seats[1])?;
        let pair = Some(self.first_pair.saturating_add(played.id.pair.0 as u32));
        Some(CollectedGame {
            row: GameRow {
                white: white.engine,
                black: black.engine,
                start,
                pair,
                result,
                flags,
            },
            compared: ComparedGame {
                start,
                white: white.identity,
                black: black.identity,
                pair,
                // Two limits in one number; a collection has few.
                limits: white.limits << 16 | black.limits,
                random: white.random || black.random,
                moves: Some(played.moves_hash),
            },
            self_play: seats[0].engine == seats[1].engine,
            record: played.moves_hash,
            moves,
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

// Who played in a stored event: each seat under each revision of its identity.

/// A seat of the event in the collection.
struct RatedPlayer {
    /// The participant's name, the same under every revision.
    name: String,
    engine: u16,
    identity: u32,
    limits: u32,
    random: bool,
}

/// The seats of an event, by engine and copy.
type Players = Vec<Vec<RatedPlayer>>;

impl Collector {
    /// The seats under one revision. An engine that was replaced gets a different name from its earlier build: results
    /// of two builds are never counted as one engine's.
    fn players(&mut self, roster: &Roster, builds: &Builds, revision: u32) -> Players {
        let mut players = Players::new();
        let identity = builds.identity(revision).unwrap_or(&builds.current);
        let replaced = builds.replaced_engines();
        for participant in &roster.participants {
            let seat = participant.seat;
            // Two revisions of an event have the same participants.
            let Some(engine) = identity.engines.get(usize::from(seat.engine)) else {
                continue;
            };
            let mut name = participant.name.clone();
            if replaced.contains(&engine.name) {
                name += &format!(" (revision {})", builds.since(revision, seat.engine));
            }
            let (limits, program) = (limits_text(engine), engine.program_text());
            let player = RatedPlayer {
                name: participant.name.clone(),
                engine: self.engine(&variant_key(&name, &limits, &program)),
                identity: self.identities.place(&program),
                limits: self.limits.place(&limits),
                random: !engine.repeats_itself(),
            };
            // The roster has engines and copies in order, without a gap.
            let place = usize::from(seat.engine);
            players.resize_with(players.len().max(place + 1), Vec::new);
            players[place].push(player);
        }
        players
    }
}

fn limits_text(engine: &EventEngine) -> String {
    match engine.nodes_jitter {
        Some(jitter) if jitter > 0.0 => format!("{} ± {} %", engine.limits, 100.0 * jitter),
        _ => engine.limits.to_string(),
    }
}
