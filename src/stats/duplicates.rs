//! Games that are move for move the same.
//!
//! Near-deterministic engines without a book repeat games. Where a game could only come
//! out as it did (a fixed limit, no jitter), a copy is a *replay* and says nothing new:
//! if half of the later pairs are replays, a correct model finds variation where there is
//! none. Where chance was at work (a clock, jitter), games that coincide are legitimate
//! draws from the same law; dropping them would over-weight the lines that diverge.

use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};

/// Share of copies above which results are printed with a warning.
pub const WARNING_SHARE: f64 = 0.01;

/// What two games must share to be copies, and what makes a copy a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedGame<'a> {
    /// The start position.
    pub start_number: u32,
    /// Identity of the engine with White: hash and options, not its name.
    pub white: &'a str,
    /// Identity of the engine with Black.
    pub black: &'a str,
    /// The limits of both sides, in any fixed spelling.
    pub limits: &'a str,
    /// The game had a source of randomness of its own: a clock, or jitter.
    pub independent: bool,
    /// The moves, in any fixed coding.
    pub moves: &'a [u16],
}

/// Hash of start position, identities and moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub [u8; 32]);

/// What a game is among the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Originality {
    /// The first of its kind.
    Original,
    /// The same as an earlier game, but drawn independently: kept.
    Coincidence,
    /// A replay of an earlier game: left out.
    Replay,
}

/// How varied the games from one start position are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StartVariety {
    /// The start position.
    pub start_number: u32,
    /// Games played.
    pub games: u64,
    /// Games that differ.
    pub distinct: u64,
    /// Copies left out.
    pub replays: u64,
    /// The earliest ply, counted from 1, at which two games of the same engines with the
    /// same colours differ; `None` if none do.
    pub first_divergence: Option<u64>,
    /// Effective number of games 1/Σ(mᵢ/n)² (inverse Simpson index), mᵢ being how often
    /// the i-th distinct game occurs.
    pub effective: f64,
}

/// All games of an event compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DuplicateReport {
    /// What each game is, in the order given.
    pub originality: Vec<Originality>,
    /// Start positions in ascending order.
    pub starts: Vec<StartVariety>,
}

impl PlayedGame<'_> {
    /// Hash of what makes games the same. Lengths are hashed too, so that no two
    /// different games are spelled alike.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hash = Sha256::new();
        hash.update(self.start_number.to_le_bytes());
        for identity in [self.white, self.black] {
            hash.update((identity.len() as u64).to_le_bytes());
            hash.update(identity.as_bytes());
        }
        for step in self.moves {
            hash.update(step.to_le_bytes());
        }
        Fingerprint(hash.finalize().into())
    }
}

impl DuplicateReport {
    /// Compares all games, given in the order of the plan, so that the same game is the
    /// original whoever finished first.
    pub fn new(games: &[PlayedGame<'_>]) -> Self {
        let prints: Vec<Fingerprint> = games.iter().map(PlayedGame::fingerprint).collect();
        let originality = judge(games, &prints);
        let mut members: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, game) in games.iter().enumerate() {
            members.entry(game.start_number).or_default().push(index);
        }
        let starts = members
            .into_iter()
            .map(|(start, members)| variety(start, &members, games, &prints, &originality))
            .collect();
        Self {
            originality,
            starts,
        }
    }

    /// Number of games that are the same as an earlier one.
    pub fn copies(&self) -> usize {
        self.originality
            .iter()
            .filter(|kind| **kind != Originality::Original)
            .count()
    }

    /// Share of games that are the same as an earlier one; 0 without games.
    pub fn share(&self) -> f64 {
        self.copies() as f64 / self.originality.len().max(1) as f64
    }

    /// Whether results need the warning.
    pub fn needs_warning(&self) -> bool {
        self.share() > WARNING_SHARE
    }
}

/// A copy is a replay if neither it nor the earlier game it equals had chances of its own
/// and both were played at the same limits.
fn judge(games: &[PlayedGame<'_>], prints: &[Fingerprint]) -> Vec<Originality> {
    let mut earlier: HashMap<Fingerprint, Vec<usize>> = HashMap::new();
    let mut kinds = Vec::with_capacity(games.len());
    for (index, (game, print)) in games.iter().zip(prints).enumerate() {
        let same = earlier.entry(*print).or_default();
        let replays = |&other: &usize| {
            let other = &games[other];
            !game.independent && !other.independent && game.limits == other.limits
        };
        kinds.push(match same.is_empty() {
            true => Originality::Original,
            false if same.iter().any(replays) => Originality::Replay,
            false => Originality::Coincidence,
        });
        // A replay adds nothing that its original does not say.
        if kinds[index] != Originality::Replay {
            same.push(index);
        }
    }
    kinds
}

fn variety(
    start_number: u32,
    members: &[usize],
    games: &[PlayedGame<'_>],
    prints: &[Fingerprint],
    originality: &[Originality],
) -> StartVariety {
    let mut multiplicities: BTreeMap<Fingerprint, u64> = BTreeMap::new();
    for &index in members {
        *multiplicities.entry(prints[index]).or_default() += 1;
    }
    let count = members.len() as f64;
    let concentration: f64 = multiplicities
        .values()
        .map(|&m| (m as f64 / count).powi(2))
        .sum();
    let replays = members
        .iter()
        .filter(|&&index| originality[index] == Originality::Replay);
    StartVariety {
        start_number,
        games: members.len() as u64,
        distinct: multiplicities.len() as u64,
        replays: replays.count() as u64,
        first_divergence: first_divergence(members, games),
        effective: 1.0 / concentration,
    }
}

/// The earliest ply at which games of the same engines and colours part. Every game is
/// compared with the first of its kind, which is enough for the minimum.
fn first_divergence(members: &[usize], games: &[PlayedGame<'_>]) -> Option<u64> {
    let mut firsts: HashMap<(&str, &str), &[u16]> = HashMap::new();
    let mut earliest: Option<u64> = None;
    for &index in members {
        let game = &games[index];
        let first = *firsts.entry((game.white, game.black)).or_insert(game.moves);
        if first == game.moves {
            continue;
        }
        let common = first
            .iter()
            .zip(game.moves)
            .take_while(|(a, b)| a == b)
            .count();
        let ply = common as u64 + 1;
        earliest = Some(earliest.map_or(ply, |other| other.min(ply)));
    }
    earliest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &[u16], independent: bool) -> PlayedGame<'_> {
        PlayedGame {
            start_number: 518,
            white: "a",
            black: "b",
            limits: "nodes 2000",
            independent,
            moves,
        }
    }

    #[test]
    fn only_what_could_not_come_out_differently_is_a_replay() {
        let fixed = DuplicateReport::new(&[game(&[1, 2], false), game(&[1, 2], false)]);
        assert_eq!(
            fixed.originality,
            [Originality::Original, Originality::Replay]
        );
        let jittered = DuplicateReport::new(&[game(&[1, 2], true), game(&[1, 2], true)]);
        assert_eq!(
            jittered.originality,
            [Originality::Original, Originality::Coincidence]
        );
        let mut longer = game(&[1, 2], false);
        longer.limits = "nodes 4000";
        let other_limits = DuplicateReport::new(&[game(&[1, 2], false), longer, longer]);
        assert_eq!(
            other_limits.originality,
            [
                Originality::Original,
                Originality::Coincidence,
                Originality::Replay
            ]
        );
        assert!(other_limits.needs_warning());
    }

    #[test]
    fn identities_and_colours_tell_games_apart() {
        let mut swapped = game(&[1, 2], false);
        (swapped.white, swapped.black) = ("b", "a");
        let mut elsewhere = game(&[1, 2], false);
        elsewhere.start_number = 0;
        let report = DuplicateReport::new(&[game(&[1, 2], false), swapped, elsewhere]);
        assert_eq!((report.copies(), report.starts.len()), (0, 2));
        assert!(!report.needs_warning());
    }

    #[test]
    fn variety_of_a_start_position() {
        let games = [
            game(&[1, 2, 3], true),
            game(&[1, 2, 3], true),
            game(&[1, 2, 4], true),
            game(&[1, 2], true),
        ];
        let start = DuplicateReport::new(&games).starts[0];
        assert_eq!((start.games, start.distinct, start.replays), (4, 3, 0));
        assert_eq!(start.first_divergence, Some(3));
        // frequencies 1/2, 1/4, 1/4
        assert!((start.effective - 8.0 / 3.0).abs() < 1e-12);
    }
}
