//! Games of any origin in one table.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

use serde::Serialize;

use crate::hash::fnv1a;
use crate::stats::duplicates::{ComparedGame, Divergence, DuplicateReport, Duplicates};
use crate::stats::games::{GameRow, GameTable};
use crate::stats::standings::TieBreak;
use crate::tournament::SprtWatch;

use super::engines::{IdleUse, NodeUse, variant_labels};
use super::starts::{Starts, TextNumbers};

/// The kind of source that games were read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// The store of an event.
    #[default]
    Store,
    /// A PGN file.
    Pgn,
}

/// Players of a table, which numbers them by 16 bits.
pub(super) const MOST_PLAYERS: usize = 1 << u16::BITS;

/// One file or event, and what it contained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Default)]
pub struct CollectionSource {
    /// Its path.
    pub path: String,
    /// The kind of source.
    pub kind: SourceKind,
    /// Games taken from it.
    pub games: u64,
    /// Games without a result (`*`).
    pub unfinished: u64,
    /// Games that cannot be read, or are not played by the rules.
    pub unreadable: u64,
    /// The first of them: where, and what is wrong.
    pub first_unreadable: Option<String>,
    /// Games that do not count because an engine was disqualified.
    pub annulled: u64,
    /// Games whose result the arbiter has ruled: no evidence of strength.
    #[serde(skip_serializing_if = "crate::text::is_usual")]
    pub(crate) ruled: u64,
    /// Voided games in the event's log.
    pub voided: u64,
    /// Games that an earlier source, or this one before, has already: not counted again.
    pub repeated: u64,
    /// The source that has the first of them.
    pub repeated_from: Option<String>,
    /// Whether the event is being played now.
    pub running: bool,
    /// Which positions got the event's pairs, in words, if that depended on results.
    pub adaptive: Option<String>,
    /// The revisions of the event's identity that have games.
    #[serde(skip_serializing_if = "is_usual")]
    pub revisions: Vec<u32>,
    /// Engines that were replaced by another build between two revisions; here they have a name for each build.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaced_engines: Vec<String>,
    /// How the event's store was rebuilt from `games.pgn`, in words, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rebuilt: Option<String>,
}

/// Whether all games were played under one revision of the event.
fn is_usual(revisions: &[u32]) -> bool {
    revisions.len() < 2
}

impl CollectionSource {
    pub(super) fn new(path: &str, kind: SourceKind) -> CollectionSource {
        CollectionSource {
            path: path.to_owned(),
            kind,
            ..CollectionSource::default()
        }
    }
}

/// All games, with everything the statistics need to know of them.
#[derive(Debug, Clone, Default)]
pub struct Collection {
    /// The games; replays and coincidences are marked.
    pub table: GameTable,
    /// What the start numbers of the table mean.
    pub starts: Starts,
    /// Copies of games.
    pub duplicates: DuplicateReport,
    /// Complete pairs, and those whose two games have the same moves.
    pub(crate) mirrored: [u64; 2],
    /// The limits of the games, each once.
    pub limits: Vec<String>,
    /// Names under which several programs or limits played; each is a separate engine.
    pub told_apart: Vec<String>,
    /// In every game an engine plays against itself.
    pub self_play: bool,
    /// How far the engines of events obeyed limits in nodes.
    pub node_use: Vec<NodeUse>,
    /// What engines of events used while their opponents thought.
    pub idle_use: Vec<IdleUse>,
    /// The test that decides when the event ends, with its games.
    pub test: Option<SprtWatch>,
    /// The event's own order of tie-breaks, if all games belong to one event.
    pub tie_breaks: Option<Vec<TieBreak>>,
    /// The place of each game in its PGN file, from 1; only if requested.
    pub(crate) places: Vec<u64>,
    /// The keys by which the table's games are recognised in another collection.
    pub(crate) records: Vec<u64>,
    /// Where the games came from.
    pub sources: Vec<CollectionSource>,
}

/// One game on its way into a collection.
pub(super) struct CollectedGame<'a> {
    /// Engines by [`Collector::engine`], start by [`Collection::starts`].
    pub row: GameRow,
    /// The same to look for copies.
    pub compared: ComparedGame,
    /// One engine against itself.
    pub self_play: bool,
    /// The key to recognise it: its moves, or its name if they are not known.
    pub record: u64,
    /// The moves, where they were read.
    pub moves: Option<&'a [u16]>,
}

/// Passes a hash through as its own hash: hashing it once more would cost a fifth of a second for a million games.
#[derive(Debug, Default, Clone)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = fnv1a(bytes.iter().copied());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// Collects games and becomes a [`Collection`].
#[derive(Debug, Default)]
pub struct Collector {
    /// Read all moves, even if the results would be enough.
    pub(super) moves: bool,
    pub(super) engines: TextNumbers,
    pub(super) identities: TextNumbers,
    pub(super) limits: TextNumbers,
    pub(super) rows: Vec<GameRow>,
    played: Vec<ComparedGame>,
    divergence: Divergence,
    /// The first pair number that no source before has used.
    pub(super) next_pair: u32,
    others_play: bool,
    /// The place of each game in its file is kept.
    pub(crate) places: bool,
    /// Games of one source are looked for in the others; needed if there are several.
    pub(crate) compares: bool,
    /// Engines of one name are one engine, whatever program they ran under which limits.
    pub(crate) pools: bool,
    /// Every named game, and the source it came from.
    known: HashMap<u64, u32, BuildHasherDefault<AsItIs>>,
    /// What is in the collection as it was read; the test and the tie-breaks are those of the event read last.
    pub(super) found: Collection,
}

impl Collector {
    /// Starts empty. With `moves` the moves are read too: for the ply at which games of a start first differ.
    pub fn new(moves: bool) -> Collector {
        Collector {
            moves,
            ..Collector::default()
        }
    }

    /// Whether a game of this name and record was met before; it is then entered as repeated
    /// in the source, and must not be added.
    pub(super) fn repeats(
        &mut self,
        source: &mut CollectionSource,
        name: u64,
        record: u64,
    ) -> bool {
        // Multiplication by an odd number spreads both hashes to the upper bits, which the map uses.
        let key = (name.rotate_left(32) ^ record).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let here = self.found.sources.len() as u32;
        let first = match self.known.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(here);
                return false;
            }
            Entry::Occupied(entry) => *entry.get(),
        };
        let earlier = self.found.sources.get(first as usize);
        let path = earlier.map_or(&source.path, |one| &one.path).clone();
        source.repeated += 1;
        source.repeated_from.get_or_insert(path);
        true
    }

    pub(super) fn engine(&mut self, name: &str) -> u16 {
        // With more than `MOST_PLAYERS` the file is refused as a whole.
        u16::try_from(self.engines.place(name)).unwrap_or(u16::MAX)
    }

    /// Makes a pair of two games, named by their places.
    pub(super) fn join(&mut self, games: [usize; 2]) {
        for game in games {
            self.rows[game].pair = Some(self.next_pair);
        }
        self.next_pair += 1;
    }

    /// Adds a game. A game without a known hash is not a copy of any other.
    pub(super) fn add(&mut self, game: &CollectedGame<'_>) {
        let own = game.compared;
        self.rows.push(game.row);
        self.found.records.push(game.record);
        self.played.push(own);
        if let Some(pair) = own.pair {
            self.next_pair = self.next_pair.max(pair + 1);
        }
        self.others_play |= !game.self_play;
        if let Some(moves) = game.moves.filter(|_| self.moves) {
            self.divergence.add(own.start, own.white, own.black, moves);
        }
    }

    /// Makes the collection: single games are paired, copies marked.
    pub fn finish(self) -> Collection {
        let engines = variant_labels(&self.engines.texts, self.pools);
        let mut table = GameTable::new(engines.labels);
        let place = |engine: u16| engines.places.get(usize::from(engine)).copied();
        let row = |row: &GameRow| GameRow {
            white: place(row.white).unwrap_or(u16::MAX),
            black: place(row.black).unwrap_or(u16::MAX),
            ..*row
        };
        let rows = self.rows.iter();
        let refused = rows.filter(|one| table.push(row(one)).is_err()).count();
        let mut duplicates = Duplicates::default();
        // If the table refuses a game, the places no longer agree; that needs more engines than `MOST_PLAYERS`.
        if refused == 0 {
            duplicates = Duplicates::new(&self.played);
            duplicates.mark(&mut table);
            duplicates.report.enter(&self.divergence);
        }
        table.assign_pairs();
        let mirrored = mirrored(&self.rows, &self.played);
        let is_one_event = self.found.sources.len() == 1;
        Collection {
            self_play: !self.others_play && !table.is_empty(),
            table,
            duplicates: duplicates.report,
            mirrored,
            limits: self.limits.texts,
            told_apart: engines.told_apart,
            tie_breaks: self.found.tie_breaks.filter(|_| is_one_event),
            ..self.found
        }
    }
}

fn mirrored(rows: &[GameRow], played: &[ComparedGame]) -> [u64; 2] {
    let mut first = HashMap::new();
    let mut found = [0, 0];
    for (row, game) in rows.iter().zip(played) {
        let Some(pair) = row.pair else { continue };
        if let Some(other) = first.insert(pair, game.moves) {
            found[0] += 1;
            found[1] += u64::from(game.moves.is_some() && game.moves == other);
        }
    }
    found
}

/// A game's name, the same in every file: event, pair, White and Black.
pub(super) fn game_name(event: &str, pair: u64, [white, black]: [&str; 2]) -> u64 {
    let parts = [event, white, black].map(|text| text.bytes().chain([b'\n']));
    let pair = pair.to_le_bytes().into_iter();
    fnv1a(pair.chain(parts.into_iter().flatten()))
}

/// An event's name as PGN has it.
pub(super) fn known_event(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}
