//! How often the printed statements would be true with games like these.

use std::time::{Duration, Instant};

use crate::stats::calibrate::{Calibration, Design, Truth};
use crate::stats::games::GameFlags;
use crate::stats::numeric::random::SplitMix;

use super::collection::Collection;
use super::event::EventStatistics;

/// Laws drawn at random.
const TRUTHS: usize = 10;
/// Events of each, if there is time.
const ROUNDS: u64 = 100;
/// Only events with an advantage like this one are of interest, logits.
const LARGEST: f64 = 3.0;

/// Simulates the event's own design under ten laws, drawn at random with its share of draws and its mean advantage. The
/// laws alternate until each has a hundred events or the time is over. `progress` receives the share that is done.
pub(crate) fn calibrated(
    collection: &Collection,
    statistics: &EventStatistics,
    time: Duration,
    mut progress: impl FnMut(f64),
) -> Calibration {
    let counted = collection.table.without(GameFlags::REPLAY);
    let design = Design::of_table(&counted, collection.self_play);
    let truths = truths(statistics);
    let mut found = Calibration::default();
    let begun = Instant::now();
    for round in 0..ROUNDS {
        for (place, truth) in truths.iter().enumerate() {
            let seed = round * TRUTHS as u64 + place as u64;
            found.event(&design, truth, seed);
            let spent = begun.elapsed().as_secs_f64() / time.as_secs_f64();
            let played = (seed + 1) as f64 / (ROUNDS * TRUTHS as u64) as f64;
            progress(spent.max(played).min(1.0));
        }
        // Only whole rounds: each law has as many events as the others.
        if begun.elapsed() > time {
            break;
        }
    }
    found
}

fn truths(statistics: &EventStatistics) -> Vec<Truth> {
    let mut random = SplitMix::new(960);
    let advantage = &statistics.first_move.advantage;
    let draws = advantage.draw_rate.unwrap_or(0.5);
    let score = advantage.mean.map_or(0.5, |mean| mean.score);
    // Davidson's law: the ratio of wins to losses is proportional to e^x.
    let edge = (2.0 * score - 1.0) / (1.0 - draws).max(1e-3);
    let mean = 2.0 * edge.clamp(-0.99, 0.99).atanh();
    let truth = |_| Truth {
        draws,
        mean: mean.clamp(-LARGEST, LARGEST),
        ..Truth::random(&mut random)
    };
    (0..TRUTHS).map(truth).collect()
}
