//! Games that repeat earlier games.
//!
//! Without a book, nearly deterministic engines play the same game again, and
//! counting copies as evidence is the worst error these statistics can make.
//! But a copy is only *excluded* where it is a replay: the same limits and no
//! independent source of randomness. Games that coincide although they were
//! drawn independently are evidence; dropping them would give the lines that
//! diverge too much weight. Both are reported.
//!
//! * here: what a game is, and the report
//! * `copies`: games that are the same, found and counted; the ply at which games first differ

mod copies;

use serde::Serialize;

use super::games::{GameFlags, GameTable};
pub use copies::Divergence;
use copies::{StartCounts, judge, keep_pairs_whole, with_equal_digests};

/// A game as the detector sees it. Identities are any numbers that are equal for equal things; an engine's identity
/// covers its program and options, not its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparedGame {
    /// Start number.
    pub start: u32,
    /// Identity of the engine with the white pieces.
    pub white: u32,
    /// Identity of the engine with the black pieces.
    pub black: u32,
    /// The pair it was played in, if any: its other game, with the colours swapped, does not count as a copy.
    pub pair: Option<u32>,
    /// Identity of the limits both played under.
    pub limits: u32,
    /// Did an independent source of randomness (a clock, jittered limits)
    /// take part? Then a coincidence is not a replay.
    pub random: bool,
    /// Hash of the moves; a game whose moves are not known is not a copy.
    pub moves: Option<u64>,
}

impl ComparedGame {
    fn key(&self) -> (u32, u32, u32, Option<u64>) {
        (self.start, self.white, self.black, self.moves)
    }

    /// Equal for equal keys, so that sorting by it brings copies together:
    /// multiplicative hashing by the golden ratio. `None` without moves.
    fn digest(&self) -> Option<u64> {
        let fold = |sum: u64, value: u32| {
            (sum.rotate_left(26) ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        let players = [self.start, self.white, self.black].into_iter();
        self.moves.map(|moves| players.fold(moves, fold))
    }
}

/// What a game is in relation to the earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Novelty {
    /// No earlier game is the same.
    New,
    /// The same as an earlier game, though drawn independently: kept.
    Coincidence,
    /// Played again under the same limits without randomness: excluded.
    Replay,
}

/// One start position's games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StartDuplicates {
    /// Start number.
    #[serde(skip)]
    pub start: u32,
    /// Games played.
    pub games: u32,
    /// Distinct games (the engines and their colours being part of a game).
    pub distinct: u32,
    /// Replays, which are excluded.
    pub replays: u32,
    /// Copies that were drawn independently, which are kept.
    pub coincidences: u32,
    /// The first ply (from 1) at which two games with the same White and
    /// Black differ; `None` where no two do, or the moves were not read.
    pub first_divergence: Option<u32>,
    /// Effective number of games: `n² / Σ n_k²` over the distinct ones.
    pub effective: f64,
}

/// All games of an event.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DuplicateReport {
    /// Games looked at.
    pub games: usize,
    /// Distinct games.
    pub distinct: usize,
    /// Replays, which are excluded.
    pub replays: usize,
    /// Copies that were drawn independently, which are kept.
    pub coincidences: usize,
    /// Copies of either sort, as a share of the games.
    pub share: f64,
    /// More than one game in a hundred is a copy: the reader must be warned.
    pub warning: bool,
    /// By start number; the caller that prints them knows what the numbers mean.
    #[serde(skip)]
    pub starts: Vec<StartDuplicates>,
}

/// Share of copies above which a report warns.
pub const WARN_ABOVE: f64 = 0.01;

/// Games in the order of play, each judged by those before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Duplicates {
    /// What was found.
    pub report: DuplicateReport,
    /// The result for each game.
    pub novelties: Vec<Novelty>,
}

impl Duplicates {
    /// Judges the games.
    pub fn new(games: &[ComparedGame]) -> Self {
        let mut starts = StartCounts::new(games);
        let mut novelties = vec![Novelty::New; games.len()];
        let order = with_equal_digests(games);
        let same = |a: &(u64, usize), b: &(u64, usize)| games[a.1].key() == games[b.1].key();
        for equal in order.chunk_by(same) {
            let entry = starts.of_start(games[equal[0].1].start);
            let indices = equal.iter().map(|(_, index)| *index);
            judge(games, indices, &mut novelties, entry);
        }
        keep_pairs_whole(games, &mut novelties, &mut starts);
        let report = DuplicateReport::new(games.len(), starts.into_entries());
        Self { report, novelties }
    }

    /// Marks the replays in the table with the same games in the same order. `table.without(GameFlags::REPLAY)` gives
    /// the estimate without them.
    pub fn mark(&self, table: &mut GameTable) {
        for (index, novelty) in self.novelties.iter().enumerate() {
            match novelty {
                Novelty::New => {}
                Novelty::Coincidence => table.mark(index, GameFlags::COINCIDENCE),
                Novelty::Replay => table.mark(index, GameFlags::REPLAY),
            }
        }
    }
}

impl DuplicateReport {
    fn new(games: usize, starts: Vec<StartDuplicates>) -> Self {
        let sum = |count: fn(&StartDuplicates) -> u32| -> usize {
            starts.iter().map(|start| count(start) as usize).sum()
        };
        let (replays, coincidences) = (sum(|s| s.replays), sum(|s| s.coincidences));
        let share = (replays + coincidences) as f64 / games.max(1) as f64;
        Self {
            games,
            distinct: sum(|s| s.distinct),
            replays,
            coincidences,
            share,
            warning: share > WARN_ABOVE,
            starts,
        }
    }

    /// The games of one start.
    pub fn of_start(&self, start: u32) -> Option<&StartDuplicates> {
        let place = self.starts.binary_search_by_key(&start, |own| own.start);
        self.starts.get(place.ok()?)
    }

    /// Enters the plies at which games first differ.
    pub fn enter(&mut self, divergence: &Divergence) {
        let plies = divergence.first_plies();
        for start in &mut self.starts {
            start.first_divergence = plies.get(&start.start).copied();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameRow, GameScore};

    fn game(white: u32, moves: u64, random: bool) -> ComparedGame {
        ComparedGame {
            start: 518,
            white,
            black: 9,
            pair: None,
            limits: 1,
            random,
            moves: Some(moves),
        }
    }

    #[test]
    fn a_replay_needs_fixed_limits_and_no_randomness() {
        let other_limits = ComparedGame {
            limits: 2,
            ..game(1, 5, false)
        };
        let other_start = ComparedGame {
            start: 0,
            ..game(1, 5, false)
        };
        let games = [
            game(1, 5, false),
            game(1, 5, false),
            game(1, 5, true),
            other_limits,
            other_limits,
            game(2, 5, false),
            other_start,
        ];
        use Novelty::*;
        let expected = [New, Replay, Coincidence, Coincidence, Replay, New, New];
        assert_eq!(Duplicates::new(&games).novelties, expected);
    }

    /// A build against itself: both games of a pair are the same, and so are most pairs.
    #[test]
    fn pairs_are_replayed_whole() {
        let of = |pair: u32, moves| ComparedGame {
            pair: Some(pair),
            ..game(1, moves, false)
        };
        let mut games = vec![of(0, 5), of(0, 5), of(1, 5), of(1, 5), of(2, 5), of(2, 6)];
        use Novelty::*;
        let mut expected = vec![New, New, Replay, Replay, Coincidence, New];
        let found = Duplicates::new(&games);
        assert_eq!(found.novelties, expected);
        assert_eq!((found.report.replays, found.report.coincidences), (2, 1));
        // Both games are known, from two pairs: this pair is none of them.
        games.extend([of(3, 6), of(3, 6), of(4, 6), of(4, 5)]);
        expected.extend([Coincidence, Coincidence, Replay, Replay]);
        assert_eq!(Duplicates::new(&games).novelties, expected);
    }

    #[test]
    fn the_report_counts_by_start() {
        let lines = [&[1_u16, 2, 3, 4][..], &[1, 2, 3, 4], &[1, 2, 9], &[1, 2, 3]];
        let mut divergence = Divergence::default();
        lines
            .iter()
            .for_each(|moves| divergence.add(518, 1, 9, moves));
        let games = [7, 7, 8, 9].map(|moves| game(1, moves, true));
        let mut report = Duplicates::new(&games).report;
        report.enter(&divergence);
        let start = &report.starts[0];
        assert_eq!((start.games, start.distinct, start.coincidences), (4, 3, 1));
        assert_eq!(start.first_divergence, Some(3));
        assert!((start.effective - 16.0 / 6.0).abs() < 1e-15);
        assert!(report.warning && report.share == 0.25);
        assert_eq!(Duplicates::new(&[]), Duplicates::default());
    }

    #[test]
    fn replays_are_marked_and_can_be_left_out() {
        let mut table = GameTable::new(vec!["A".into(), "B".into()]);
        let row = GameRow {
            white: 0,
            black: 1,
            start: 518,
            pair: None,
            result: GameScore::Win,
            flags: GameFlags::default(),
        };
        (0..3).for_each(|_| table.push(row).expect("a valid game"));
        Duplicates::new(&[game(1, 7, false); 3]).mark(&mut table);
        assert_eq!(
            (table.len(), table.without(GameFlags::REPLAY).len()),
            (3, 1)
        );
    }
}
