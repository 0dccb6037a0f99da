//! The time of one player in one game.
//!
//! The rules, exactly:
//!
//! * Times are whole microseconds. A move's time is rounded down, in the player's favour.
//! * The flag falls when a move takes more than what remains and the margin together: a move
//!   that ends exactly on the margin is in time.
//! * Time taken from the margin is forgiven: the clock is then at 0, never below.
//! * Nothing is added before that check. A move that is in time brings the increment and,
//!   as the last move of a period, the next period's base.
//! * The increment of the first move is on the clock from the start (FIDE Laws of Chess,
//!   Guidelines III.3 for digital clocks in Fischer mode), so every increment is there when
//!   its move begins. The increment added after the last move of a period is therefore that
//!   of the next period. [`FirstIncrement::Withheld`] adds each increment after its own move.
//! * A last period with a number of moves repeats itself.
//! * Where both clocks are hourglasses, what a move took is then added to the opponent's.

use std::num::NonZeroU32;
use std::time::Duration;

use super::control::{Stage, TimeControl};
use super::{FirstIncrement, Stamp, TimeLimit};

/// The time of one player.
///
/// ```
/// use std::time::Duration;
/// use arbiter960::clock::{Clock, FirstIncrement, TimeLimit};
/// let limit = TimeLimit::Clock("10+0.1".parse().unwrap());
/// let mut clock = Clock::new(&limit, FirstIncrement::Granted);
/// assert_eq!(clock.remaining(), Some(Duration::from_millis(10_100)));
/// clock.charge(Duration::from_millis(600), Duration::ZERO).unwrap();
/// assert_eq!(clock.remaining(), Some(Duration::from_millis(9_600)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Clock {
    limit: TimeLimit,
    first_increment: FirstIncrement,
    /// The rest is of a clock alone: the period, its moves to go, and what remains.
    stage: usize,
    moves_to_go: Option<NonZeroU32>,
    remaining: Duration,
}

impl Clock {
    /// The clock before the first move.
    pub fn new(limit: &TimeLimit, first_increment: FirstIncrement) -> Clock {
        let mut clock = Clock {
            limit: limit.clone(),
            first_increment,
            ..Clock::default()
        };
        if let Some(first) = clock.stage() {
            clock.moves_to_go = first.moves;
            clock.remaining = match first_increment {
                FirstIncrement::Granted => first.base + first.increment,
                FirstIncrement::Withheld => first.base,
            };
        }
        clock
    }

    /// All the time that a side has for its first sixty moves.
    pub(crate) fn time_of_sixty_moves(limit: &TimeLimit) -> Duration {
        if let TimeLimit::MoveTime(time) = limit {
            return whole_microseconds(*time).saturating_mul(60);
        }
        let mut clock = Clock::new(limit, FirstIncrement::Granted);
        for _ in 0..60 {
            // A move that takes no time is in time.
            let _ = clock.charge(Duration::ZERO, Duration::ZERO);
        }
        clock.remaining
    }

    /// What is on the clock; `None` where no clock runs.
    pub fn remaining(&self) -> Option<Duration> {
        self.control().map(|_| self.remaining)
    }

    /// The increment of the present period, as `go` tells it; `None` where no clock runs.
    pub fn increment(&self) -> Option<Duration> {
        self.stage().map(|stage| stage.increment)
    }

    /// Moves to the end of the period; `None` where the period is the rest of the game.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go.map(NonZeroU32::get)
    }

    /// What the next move may take without a margin; `None` where time is not limited.
    pub fn allowed(&self) -> Option<Duration> {
        match self.limit {
            TimeLimit::MoveTime(time) => Some(whole_microseconds(time)),
            _ => self.remaining(),
        }
    }

    /// The last stamp at which a move that started at `started` is in time: the flag has
    /// fallen at every later one. `None` where time is not limited.
    pub fn deadline(&self, started: Stamp, margin: Duration) -> Option<Stamp> {
        // A move's time is rounded down to microseconds, so the last one counts in full.
        const LAST: Duration = Duration::from_nanos(999);
        let allowed = self.allowed()?;
        let allowed = allowed.saturating_add(whole_microseconds(margin));
        Some(started + allowed.saturating_add(LAST))
    }

    /// Adds what the opponent's move took, where both clocks are hourglasses.
    pub fn receive(&mut self, opponent: &Clock, elapsed: Duration) {
        let is_hourglass = |clock: &Clock| clock.control().is_some_and(TimeControl::is_hourglass);
        if is_hourglass(self) && is_hourglass(opponent) {
            self.remaining = self.remaining.saturating_add(whole_microseconds(elapsed));
        }
    }

    /// Takes the time of a move off the clock and adds what the move has earned.
    ///
    /// # Errors
    /// The flag has fallen: by how much the move was late, the margin not counted as allowed. The clock is unchanged.
    pub fn charge(&mut self, elapsed: Duration, margin: Duration) -> Result<(), Duration> {
        let elapsed = whole_microseconds(elapsed);
        if let Some(allowed) = self.allowed()
            && elapsed > allowed.saturating_add(whole_microseconds(margin))
        {
            return Err(elapsed - allowed);
        }
        self.complete_move(elapsed);
        Ok(())
    }

    fn control(&self) -> Option<&TimeControl> {
        match &self.limit {
            TimeLimit::Clock(control) => Some(control),
            TimeLimit::MoveTime(_) | TimeLimit::None => None,
        }
    }

    fn stage(&self) -> Option<Stage> {
        self.control().map(|control| control.stages()[self.stage])
    }

    /// Counts a move that was in time, on a clock.
    fn complete_move(&mut self, elapsed: Duration) {
        let (Some(played), Some(control)) = (self.stage(), self.control()) else {
            return;
        };
        let next = (self.stage + 1).min(control.stages().len() - 1);
        let following = control.stages()[next];
        let mut present = played;
        self.remaining = self.remaining.saturating_sub(elapsed);
        if self.moves_to_go.is_some_and(|moves| moves.get() == 1) {
            (self.stage, present) = (next, following);
            self.moves_to_go = present.moves;
            self.remaining = self.remaining.saturating_add(present.base);
        } else {
            let moves = self.moves_to_go;
            self.moves_to_go = moves.and_then(|moves| NonZeroU32::new(moves.get() - 1));
        }
        let increment = match self.first_increment {
            FirstIncrement::Granted => present.increment,
            FirstIncrement::Withheld => played.increment,
        };
        self.remaining = self.remaining.saturating_add(increment);
    }
}

fn whole_microseconds(time: Duration) -> Duration {
    time - Duration::from_nanos(u64::from(time.subsec_nanos() % 1000))
}
