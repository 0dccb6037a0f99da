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

/// A move that was not in time: by how much it was late, the margin not counted as allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFall(pub Duration);

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
pub struct Clock(ClockState);

#[derive(Clone, Debug, PartialEq, Eq, Default)]
enum ClockState {
    Running(Running),
    MoveTime(Duration),
    #[default]
    Untimed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Running {
    control: TimeControl,
    first_increment: FirstIncrement,
    stage: usize,
    moves_to_go: Option<NonZeroU32>,
    remaining: Duration,
}

impl Clock {
    /// The clock before the first move.
    pub fn new(limit: &TimeLimit, first_increment: FirstIncrement) -> Clock {
        let state = match limit {
            TimeLimit::Clock(control) => {
                ClockState::Running(Running::new(control, first_increment))
            }
            TimeLimit::MoveTime(time) => ClockState::MoveTime(whole_microseconds(*time)),
            TimeLimit::None => ClockState::Untimed,
        };
        Clock(state)
    }

    /// All the time that a side has for its first sixty moves.
    pub(crate) fn time_of_sixty_moves(limit: &TimeLimit) -> Duration {
        let mut clock = Clock::new(limit, FirstIncrement::Granted);
        if let ClockState::MoveTime(time) = clock.0 {
            return time.saturating_mul(60);
        }
        for _ in 0..60 {
            // A move that takes no time is in time.
            let _ = clock.charge(Duration::ZERO, Duration::ZERO);
        }
        clock.remaining().unwrap_or_default()
    }

    /// What is on the clock; `None` where no clock runs.
    pub fn remaining(&self) -> Option<Duration> {
        self.running().map(|running| running.remaining)
    }

    /// The increment of the present period, as `go` tells it; `None` where no clock runs.
    pub fn increment(&self) -> Option<Duration> {
        self.running().map(|running| running.stage().increment)
    }

    /// Moves to the end of the period; `None` where the period is the rest of the game.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.running()?.moves_to_go.map(NonZeroU32::get)
    }

    /// What the next move may take without a margin; `None` where time is not limited.
    pub fn allowed(&self) -> Option<Duration> {
        match &self.0 {
            ClockState::MoveTime(time) => Some(*time),
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
        if let (ClockState::Running(own), ClockState::Running(other)) = (&mut self.0, &opponent.0)
            && own.control.is_hourglass()
            && other.control.is_hourglass()
        {
            own.remaining = own.remaining.saturating_add(whole_microseconds(elapsed));
        }
    }

    /// Takes the time of a move off the clock and adds what the move has earned.
    ///
    /// # Errors
    /// The flag has fallen; the clock is unchanged.
    pub fn charge(&mut self, elapsed: Duration, margin: Duration) -> Result<(), FlagFall> {
        let elapsed = whole_microseconds(elapsed);
        if let Some(allowed) = self.allowed()
            && elapsed > allowed.saturating_add(whole_microseconds(margin))
        {
            return Err(FlagFall(elapsed - allowed));
        }
        if let ClockState::Running(running) = &mut self.0 {
            running.complete_move(elapsed);
        }
        Ok(())
    }

    fn running(&self) -> Option<&Running> {
        match &self.0 {
            ClockState::Running(running) => Some(running),
            ClockState::MoveTime(_) | ClockState::Untimed => None,
        }
    }
}

impl Running {
    fn new(control: &TimeControl, first_increment: FirstIncrement) -> Running {
        let first = control.stages()[0];
        let granted = match first_increment {
            FirstIncrement::Granted => first.increment,
            FirstIncrement::Withheld => Duration::ZERO,
        };
        Running {
            control: control.clone(),
            first_increment,
            stage: 0,
            moves_to_go: first.moves,
            remaining: first.base + granted,
        }
    }

    fn stage(&self) -> Stage {
        self.control.stages()[self.stage]
    }

    /// Counts a move that was in time.
    fn complete_move(&mut self, elapsed: Duration) {
        let played = self.stage();
        let ended = self.moves_to_go.is_some_and(|moves| moves.get() == 1);
        self.remaining = self.remaining.saturating_sub(elapsed);
        if ended {
            self.stage = (self.stage + 1).min(self.control.stages().len() - 1);
            self.moves_to_go = self.stage().moves;
            self.remaining = self.remaining.saturating_add(self.stage().base);
        } else {
            self.moves_to_go = self
                .moves_to_go
                .and_then(|moves| NonZeroU32::new(moves.get() - 1));
        }
        let increment = match self.first_increment {
            FirstIncrement::Granted => self.stage().increment,
            FirstIncrement::Withheld => played.increment,
        };
        self.remaining = self.remaining.saturating_add(increment);
    }
}

fn whole_microseconds(time: Duration) -> Duration {
    time - Duration::from_nanos(u64::from(time.subsec_nanos() % 1000))
}
