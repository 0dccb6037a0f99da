//! Games that are the same: found, and counted by start.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{ComparedGame, Novelty, StartDuplicates};

/// The digests and places of games whose digest others share, sorted: all copies are among
/// them, side by side. Most events have none, so the digests are sorted alone first.
pub(super) fn with_equal_digests(games: &[ComparedGame]) -> Vec<(u64, usize)> {
    let mut digests: Vec<u64> = games.iter().filter_map(ComparedGame::digest).collect();
    digests.sort_unstable();
    let shared: HashSet<u64> = digests
        .windows(2)
        .filter(|two| two[0] == two[1])
        .map(|two| two[0])
        .collect();
    if shared.is_empty() {
        return Vec::new();
    }
    let keyed = |(index, game): (usize, &ComparedGame)| {
        let digest = game.digest().filter(|digest| shared.contains(digest))?;
        Some((digest, index))
    };
    let mut order: Vec<(u64, usize)> = games.iter().enumerate().filter_map(keyed).collect();
    // The first by the plan is kept, whichever ended first.
    order.sort_unstable_by_key(|(digest, index)| (*digest, games[*index].pair, *index));
    order
}

/// The counts of every start, at first as if no game were a copy; and the sum of the squares of how often each game was
/// played.
pub(super) struct StartCounts(BTreeMap<u32, (StartDuplicates, f64)>);

impl StartCounts {
    pub(super) fn new(games: &[ComparedGame]) -> Self {
        let mut counts = Self(BTreeMap::new());
        // Games of one start come in runs.
        for run in games.chunk_by(|a, b| a.start == b.start) {
            let (entry, squares) = counts.of_start(run[0].start);
            entry.games += run.len() as u32;
            entry.distinct += run.len() as u32;
            *squares += run.len() as f64;
        }
        counts
    }

    pub(super) fn of_start(&mut self, start: u32) -> &mut (StartDuplicates, f64) {
        self.0.entry(start).or_default()
    }

    pub(super) fn into_entries(self) -> Vec<StartDuplicates> {
        let entries = self.0.into_iter();
        let entry = |(start, (entry, squares)): (u32, (StartDuplicates, f64))| StartDuplicates {
            start,
            effective: f64::from(entry.games).powi(2) / squares,
            ..entry
        };
        entries.map(entry).collect()
    }
}

/// Judges games that are all the same, in the order of play. The other game of a pair, which has the colours swapped,
/// does not count as a copy.
pub(super) fn judge(
    games: &[ComparedGame],
    equal: impl ExactSizeIterator<Item = usize>,
    novelties: &mut [Novelty],
    (entry, squares): &mut (StartDuplicates, f64),
) {
    let count = equal.len() as f64;
    *squares += count * count - count;
    // Limits, and the pair in which they were seen first.
    let mut fixed_limits: Vec<(u32, Option<u32>)> = Vec::new();
    let mut first = None;
    for index in equal {
        let game = &games[index];
        let is_other_half = |pair: Option<u32>| pair.is_some() && pair == game.pair;
        let known = fixed_limits
            .iter()
            .find(|(limits, _)| *limits == game.limits);
        let replayed = !game.random && known.is_some_and(|(_, pair)| !is_other_half(*pair));
        if !game.random && known.is_none() {
            fixed_limits.push((game.limits, game.pair));
        }
        let Some(begun) = first else {
            first = Some(game.pair);
            continue;
        };
        if is_other_half(begun) {
            continue;
        }
        entry.distinct -= 1;
        if replayed {
            entry.replays += 1;
            novelties[index] = Novelty::Replay;
        } else {
            entry.coincidences += 1;
            novelties[index] = Novelty::Coincidence;
        }
    }
}

/// Only a whole pair is a replay, of one pair before it: half of one would be counted with one colour only. All others
/// are kept, whichever of them ended first.
pub(super) fn keep_pairs_whole(
    games: &[ComparedGame],
    novelties: &mut [Novelty],
    starts: &mut StartCounts,
) {
    let is_replay = |novelty: &Novelty| *novelty == Novelty::Replay;
    if !novelties.iter().any(is_replay) {
        return;
    }
    let mut pairs = BTreeMap::<u32, Vec<usize>>::new();
    for (index, game) in games.iter().enumerate() {
        if let Some(pair) = game.pair {
            pairs.entry(pair).or_default().push(index);
        }
    }
    let mut known = HashSet::new();
    for indices in pairs.values() {
        let key = |index: &usize| (games[*index].digest(), games[*index].limits);
        let mut keys: Vec<_> = indices.iter().map(key).collect();
        keys.sort_unstable();
        let is_new = known.insert(keys) && indices.len() > 1;
        if !is_new && indices.iter().all(|index| is_replay(&novelties[*index])) {
            continue;
        }
        for index in indices {
            if is_replay(&novelties[*index]) {
                novelties[*index] = Novelty::Coincidence;
                let (entry, _) = starts.of_start(games[*index].start);
                entry.replays -= 1;
                entry.coincidences += 1;
            }
        }
    }
}

// The ply at which games from a start first differ.

/// Finds the ply at which the games of a start first differ. Needs all moves,
/// but keeps those of one game for each start, White and Black only.
#[derive(Clone, Debug, Default)]
pub struct Divergence {
    meetings: HashMap<(u32, u32, u32), Meeting>,
}

/// The first game of a White and a Black from a start, and how many plies of
/// it all later ones share.
#[derive(Clone, Debug)]
struct Meeting {
    moves: Vec<u16>,
    shared: usize,
    diverged: bool,
}

impl Divergence {
    /// Looks at the next game: start, White's and Black's identity, the moves
    /// encoded in any unambiguous way.
    pub fn add(&mut self, start: u32, white: u32, black: u32, moves: &[u16]) {
        let first = || Meeting {
            moves: moves.to_vec(),
            shared: moves.len(),
            diverged: false,
        };
        let key = (start, white, black);
        let meeting = self.meetings.entry(key).or_insert_with(first);
        let pairs = meeting.moves.iter().zip(moves);
        let common = pairs.take_while(|(a, b)| a == b).count();
        if common < meeting.moves.len().max(moves.len()) {
            meeting.diverged = true;
            meeting.shared = meeting.shared.min(common);
        }
    }

    pub(super) fn first_plies(&self) -> BTreeMap<u32, u32> {
        let mut plies = BTreeMap::<u32, u32>::new();
        for ((start, ..), meeting) in self.meetings.iter().filter(|(_, m)| m.diverged) {
            let ply = meeting.shared as u32 + 1;
            let known = plies.entry(*start).or_insert(ply);
            *known = ply.min(*known);
        }
        plies
    }
}
