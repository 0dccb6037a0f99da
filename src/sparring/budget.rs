//! How much time and how many nodes a move may take.

use std::time::{Duration, Instant};

use arbiter960_sparring::{Budget, MAX_DEPTH, Strength};

use crate::chess::Color;
use crate::uci::GoLimits;

/// Time kept back for pipes and schedulers.
const OVERHEAD: Duration = Duration::from_millis(8);

/// Moves still to be played, where nobody says how many.
const MOVES_LEFT: u32 = 28;

/// What `limits` allow `mover`, beginning at `started`.
pub(super) fn budget(
    limits: &GoLimits,
    mover: Color,
    strength: Strength,
    started: Instant,
) -> Budget {
    let (clock, increment) = match mover {
        Color::White => (limits.wtime, limits.winc),
        Color::Black => (limits.btime, limits.binc),
    };
    let on_clock = clock.map(|time| share(time, increment, limits.movestogo));
    let for_move = limits.movetime.map(|time| time - OVERHEAD.min(time / 4));
    let hard = [on_clock.map(|(_, hard)| hard), for_move]
        .into_iter()
        .flatten()
        .min();
    let deepest = MAX_DEPTH;
    Budget {
        started,
        soft: on_clock.map(|(soft, _)| soft).filter(|_| !limits.infinite),
        hard: hard.filter(|_| !limits.infinite),
        nodes: limits.nodes.unwrap_or(u64::MAX),
        level_nodes: strength.nodes().unwrap_or(u64::MAX),
        depth: limits
            .depth
            .map_or(deepest, |depth| depth.clamp(1, deepest as u32) as i32),
        infinite: limits.infinite,
    }
}

/// The part of a clock that a move may take: when to begin nothing new, when to break off.
fn share(
    clock: Duration,
    increment: Option<Duration>,
    moves_to_go: Option<u32>,
) -> (Duration, Duration) {
    let usable = clock - OVERHEAD.min(clock / 2);
    let moves = moves_to_go.unwrap_or(MOVES_LEFT).clamp(1, MOVES_LEFT);
    let increment = increment.unwrap_or_default();
    // The increment of this move is on the clock already.
    let average = usable / moves + increment * 3 / 4;
    let hard = (average * 4)
        .min(usable * if moves == 1 { 9 } else { 5 } / 10)
        .min(usable);
    (average.min(hard) * 7 / 10, hard)
}

#[cfg(test)]
mod tests {
    use super::{Budget, Color, Duration, GoLimits, Instant, Strength};

    fn milliseconds(number: u64) -> Option<Duration> {
        Some(Duration::from_millis(number))
    }

    fn budget(limits: GoLimits) -> Budget {
        super::budget(&limits, Color::White, Strength::MAX, Instant::now())
    }

    #[test]
    fn no_move_takes_more_than_the_clock() {
        for time in [1, 2, 10, 50, 100, 1_000, 60_000] {
            for increment in [0, 1, 100, 10_000] {
                for movestogo in [None, Some(1), Some(2), Some(40)] {
                    let (wtime, winc) = (milliseconds(time), milliseconds(increment));
                    let limits = GoLimits {
                        wtime,
                        winc,
                        movestogo,
                        ..GoLimits::default()
                    };
                    let budget = budget(limits);
                    assert!(
                        budget.soft <= budget.hard && budget.hard < wtime,
                        "{limits:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn time_lasts_for_a_game() {
        let mut left = Duration::from_secs(10);
        for _ in 0..100 {
            let limits = GoLimits {
                wtime: Some(left),
                winc: milliseconds(100),
                ..GoLimits::default()
            };
            left = left - budget(limits).hard.unwrap() + Duration::from_millis(100);
        }
        assert!(left > Duration::from_millis(100), "{left:?}");
    }

    #[test]
    fn infinite_means_infinite() {
        let limits = GoLimits {
            wtime: milliseconds(1),
            infinite: true,
            ..GoLimits::default()
        };
        assert_eq!((budget(limits).soft, budget(limits).hard), (None, None));
    }
}
