//! Games that repeat earlier games.
//!
//! Without a book, nearly deterministic engines play the same game again, and
//! counting copies as evidence is the worst error these statistics can make.
//! But a copy is only *excluded* where it is a replay: the same limits and no
//! independent source of randomness. Games that coincide although they were
//! drawn independently are evidence; dropping them would give the lines that
//! diverge too much weight. Both are reported.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::games::{GameFlags, GameTable};

/// A game as the detector sees it.
#[derive(Clone, Copy, Debug)]
pub struct PlayedGame<'a> {
    /// Start number.
    pub start: u32,
    /// Identity of the engine with the white pieces: a hash of its program
    /// and options, not its name.
    pub white: u128,
    /// Identity of the engine with the black pieces.
    pub black: u128,
    /// Identity of the limits both played under.
    pub limits: u128,
    /// Did an independent source of randomness (a clock, jittered limits)
    /// take part? Then a coincidence is not a replay.
    pub random: bool,
    /// The moves, encoded in any unambiguous way.
    pub moves: &'a [u16],
}

impl PlayedGame<'_> {
    /// Hash of start, engines and moves: FNV-1a with 128 bits, stable across
    /// versions and machines.
    pub fn hash(&self) -> u128 {
        let head = self.start.to_le_bytes().into_iter();
        let engines = self
            .white
            .to_le_bytes()
            .into_iter()
            .chain(self.black.to_le_bytes());
        let moves = self.moves.iter().flat_map(|m| m.to_le_bytes());
        fnv1a(head.chain(engines).chain(moves))
    }
}

/// FNV-1a with 128 bits (Fowler, Noll & Vo).
pub fn fnv1a(bytes: impl Iterator<Item = u8>) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.fold(OFFSET, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(PRIME)
    })
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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StartDuplicates {
    /// Start number.
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
    /// Black differ; `None` where no two do.
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
    /// By start number.
    pub starts: Vec<StartDuplicates>,
}

/// Share of copies above which a report warns.
pub const WARN_ABOVE: f64 = 0.01;

/// Looks at games one after the other.
#[derive(Clone, Debug, Default)]
pub struct DuplicateDetector {
    seen: HashMap<u128, Seen>,
    meetings: HashMap<(u32, u128, u128), Meeting>,
    counts: BTreeMap<u32, StartDuplicates>,
    novelties: Vec<Novelty>,
}

#[derive(Clone, Debug)]
struct Seen {
    start: u32,
    count: u32,
    /// Limits under which it was played without randomness.
    fixed_limits: Vec<u128>,
}

/// The first game of a White and a Black from a start, and how many plies of
/// it all later ones share.
#[derive(Clone, Debug)]
struct Meeting {
    moves: Vec<u16>,
    shared: usize,
    diverged: bool,
}

impl DuplicateDetector {
    /// Looks at the next game.
    pub fn add(&mut self, game: &PlayedGame) -> Novelty {
        let novelty = self.novelty(game);
        self.follow(game);
        let entry = self.counts.entry(game.start).or_default();
        entry.start = game.start;
        entry.games += 1;
        match novelty {
            Novelty::New => entry.distinct += 1,
            Novelty::Coincidence => entry.coincidences += 1,
            Novelty::Replay => entry.replays += 1,
        }
        self.novelties.push(novelty);
        novelty
    }

    fn novelty(&mut self, game: &PlayedGame) -> Novelty {
        let new = Seen {
            start: game.start,
            count: 0,
            fixed_limits: Vec::new(),
        };
        let seen = self.seen.entry(game.hash()).or_insert(new);
        seen.count += 1;
        let replayed = !game.random && seen.fixed_limits.contains(&game.limits);
        if !game.random && !replayed {
            seen.fixed_limits.push(game.limits);
        }
        match seen.count {
            1 => Novelty::New,
            _ if replayed => Novelty::Replay,
            _ => Novelty::Coincidence,
        }
    }

    /// Keeps track of where the games of one meeting part.
    fn follow(&mut self, game: &PlayedGame) {
        let first = || Meeting {
            moves: game.moves.to_vec(),
            shared: game.moves.len(),
            diverged: false,
        };
        let key = (game.start, game.white, game.black);
        let meeting = self.meetings.entry(key).or_insert_with(first);
        let common = meeting
            .moves
            .iter()
            .zip(game.moves)
            .take_while(|(a, b)| a == b)
            .count();
        if common < meeting.moves.len().max(game.moves.len()) {
            meeting.diverged = true;
            meeting.shared = meeting.shared.min(common);
        }
    }

    /// What was found so far.
    pub fn report(&self) -> DuplicateReport {
        let mut starts = self.counts.clone();
        let mut squares = HashMap::<u32, f64>::new();
        for seen in self.seen.values() {
            *squares.entry(seen.start).or_default() += f64::from(seen.count).powi(2);
        }
        for ((start, ..), meeting) in self.meetings.iter().filter(|(_, m)| m.diverged) {
            if let Some(entry) = starts.get_mut(start) {
                let ply = meeting.shared as u32 + 1;
                entry.first_divergence = Some(entry.first_divergence.map_or(ply, |p| p.min(ply)));
            }
        }
        for (start, entry) in &mut starts {
            entry.effective = f64::from(entry.games).powi(2) / squares[start];
        }
        let count = |novelty| self.novelties.iter().filter(|n| **n == novelty).count();
        let games = self.novelties.len();
        let (replays, coincidences) = (count(Novelty::Replay), count(Novelty::Coincidence));
        let share = (replays + coincidences) as f64 / games.max(1) as f64;
        DuplicateReport {
            games,
            distinct: count(Novelty::New),
            replays,
            coincidences,
            share,
            warning: share > WARN_ABOVE,
            starts: starts.into_values().collect(),
        }
    }

    /// Marks the replays in a table whose games were added in its order. The
    /// estimate without copies is that of `table.without(GameFlags::REPLAY)`.
    pub fn mark(&self, table: &mut GameTable) {
        for (index, novelty) in self.novelties.iter().enumerate() {
            if *novelty == Novelty::Replay {
                table.mark(index, GameFlags::REPLAY);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::games::{GameRow, WhiteResult};

    fn game(white: u128, moves: &[u16], random: bool) -> PlayedGame<'_> {
        PlayedGame {
            start: 518,
            white,
            black: 9,
            limits: 1,
            random,
            moves,
        }
    }

    #[test]
    fn a_replay_needs_fixed_limits_and_no_randomness() {
        let mut detector = DuplicateDetector::default();
        assert_eq!(detector.add(&game(1, &[5, 6], false)), Novelty::New);
        assert_eq!(detector.add(&game(1, &[5, 6], false)), Novelty::Replay);
        assert_eq!(detector.add(&game(1, &[5, 6], true)), Novelty::Coincidence);
        let other_limits = PlayedGame {
            limits: 2,
            ..game(1, &[5, 6], false)
        };
        assert_eq!(detector.add(&other_limits), Novelty::Coincidence);
        assert_eq!(detector.add(&other_limits), Novelty::Replay);
        assert_eq!(detector.add(&game(2, &[5, 6], false)), Novelty::New);
        assert_eq!(
            detector.add(&PlayedGame {
                start: 0,
                ..game(1, &[5, 6], false)
            }),
            Novelty::New
        );
    }

    #[test]
    fn the_report_counts_by_start() {
        let mut detector = DuplicateDetector::default();
        for moves in [&[1_u16, 2, 3, 4][..], &[1, 2, 3, 4], &[1, 2, 9], &[1, 2, 3]] {
            detector.add(&game(1, moves, true));
        }
        let report = detector.report();
        let start = &report.starts[0];
        assert_eq!((start.games, start.distinct, start.coincidences), (4, 3, 1));
        assert_eq!(start.first_divergence, Some(3));
        assert!((start.effective - 16.0 / 6.0).abs() < 1e-15);
        assert!(report.warning && report.share == 0.25);
        assert_eq!(
            DuplicateDetector::default().report(),
            DuplicateReport::default()
        );
    }

    #[test]
    fn replays_are_marked_and_can_be_left_out() {
        let mut table = GameTable::new(vec!["A".into(), "B".into()]);
        let mut detector = DuplicateDetector::default();
        for _ in 0..3 {
            let flags = GameFlags::default();
            let row = GameRow {
                white: 0,
                black: 1,
                start: 518,
                pair: None,
                result: WhiteResult::Win,
                flags,
            };
            table.push(row).expect("a valid game");
            detector.add(&game(1, &[7], false));
        }
        detector.mark(&mut table);
        assert_eq!(
            (table.len(), table.without(GameFlags::REPLAY).len()),
            (3, 1)
        );
    }

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(
            fnv1a(b"a".iter().copied()),
            0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964
        );
    }
}
