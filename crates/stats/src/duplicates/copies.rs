//! Games that are the same: found, and counted by start.

use std::collections::{HashMap, HashSet};

use super::{ComparedGame, Novelty, StartDuplicates};

/// The digests and places of games whose digest others share, sorted: all copies are among
/// them, side by side. Most events have none, so the digests are sorted alone first.
pub(super) fn with_equal_digests(games: &[ComparedGame]) -> Vec<(u64, usize)> {
    let mut digests: Vec<u64> = games.iter().map(ComparedGame::digest).collect();
    digests.sort_unstable();
    let shared: HashSet<u64> = digests
        .windows(2)
        .filter(|two| two[0] == two[1])
        .map(|two| two[0])
        .collect();
    if shared.is_empty() {
        return Vec::new();
    }
    let keyed = |(index, game): (usize, &ComparedGame)| (game.digest(), index);
    let mut order: Vec<(u64, usize)> = games.iter().enumerate().map(keyed).collect();
    order.retain(|(digest, _)| shared.contains(digest));
    order.sort_unstable();
    order
}

/// The counts of every start, at first as if no game were a copy.
pub(super) struct StartCounts {
    places: HashMap<u32, usize>,
    entries: Vec<(StartDuplicates, f64)>,
}

impl StartCounts {
    pub(super) fn of(games: &[ComparedGame]) -> Self {
        let mut counts = Self {
            places: HashMap::new(),
            entries: Vec::new(),
        };
        // Games of one start come in runs.
        for run in games.chunk_by(|a, b| a.start == b.start) {
            let (entry, squares) = counts.of_start(run[0].start);
            entry.games += run.len() as u32;
            entry.distinct += run.len() as u32;
            *squares += run.len() as f64;
        }
        counts
    }

    /// A start's counts, and the sum of the squares of how often each game was played.
    pub(super) fn of_start(&mut self, start: u32) -> &mut (StartDuplicates, f64) {
        let place = *self.places.entry(start).or_insert_with(|| {
            let entry = StartDuplicates {
                start,
                ..StartDuplicates::default()
            };
            self.entries.push((entry, 0.0));
            self.entries.len() - 1
        });
        &mut self.entries[place]
    }

    pub(super) fn into_entries(self) -> Vec<StartDuplicates> {
        let effective = |(mut entry, squares): (StartDuplicates, f64)| {
            entry.effective = f64::from(entry.games).powi(2) / squares;
            entry
        };
        let mut entries: Vec<_> = self.entries.into_iter().map(effective).collect();
        entries.sort_unstable_by_key(|entry| entry.start);
        entries
    }
}

/// Judges games that are all the same, in the order of play.
pub(super) fn judge(
    games: &[ComparedGame],
    equal: impl ExactSizeIterator<Item = usize>,
    novelties: &mut [Novelty],
    (entry, squares): &mut (StartDuplicates, f64),
) {
    let count = equal.len() as f64;
    *squares += count * count - count;
    let mut fixed_limits: Vec<u32> = Vec::new();
    for (nth, index) in equal.enumerate() {
        let game = &games[index];
        let replayed = !game.random && fixed_limits.contains(&game.limits);
        if !game.random && !replayed {
            fixed_limits.push(game.limits);
        }
        if nth == 0 {
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
