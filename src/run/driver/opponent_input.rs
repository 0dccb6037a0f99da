//! The side whose clock does not run keeps quiet, and one that does not is heard little by
//! little: reading it must not cost the mover's time. What it writes beyond that waits in its
//! pipe, and then it waits itself.

use std::time::Duration;

use tokio::time::Instant;

use crate::chess::Color;

/// How much of it is read at once, in bytes: some 30 µs of work at the most.
pub(super) const PORTION: usize = 1024;

/// For how long it is not heard after that. An engine that ponders may say a megabyte a second.
const READ_INTERVAL: Duration = Duration::from_millis(1);

/// When each side was heard last.
#[derive(Debug, Default)]
pub(super) struct OpponentInput {
    heard: [Option<Instant>; 2],
}

impl OpponentInput {
    /// This side was heard.
    pub(super) fn heard(&mut self, side: Color, now: Instant) {
        self.heard[side.index()] = Some(now);
    }

    /// Until when the side that is not to move is not to be heard.
    pub(super) fn pause(&self, mover: Color, on_clock: bool, now: Instant) -> Option<Instant> {
        let heard = self.heard[(!mover).index()].filter(|_| on_clock)?;
        Some(heard + READ_INTERVAL).filter(|end| *end > now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_side_that_is_not_to_move_is_kept_waiting_and_only_while_a_clock_runs() {
        let mut opponent_input = OpponentInput::default();
        let now = Instant::now();
        assert_eq!(opponent_input.pause(Color::White, true, now), None);
        opponent_input.heard(Color::Black, now);
        assert_eq!(
            opponent_input.pause(Color::White, true, now),
            Some(now + READ_INTERVAL)
        );
        assert_eq!(opponent_input.pause(Color::White, false, now), None);
        assert_eq!(opponent_input.pause(Color::Black, true, now), None);
        assert_eq!(
            opponent_input.pause(Color::White, true, now + READ_INTERVAL),
            None
        );
    }
}
