//! The time of one player in one game.
//!
//! The rules, exactly:
//!
//! * Times are whole microseconds. A move's time is rounded down, in the player's favour.
//! * The flag falls when a move takes more than what remains and the margin together: a move
//!   that ends exactly on the margin is in time.
//! * What a move took of the margin is forgiven: the clock then stands at 0, never below.
//! * Nothing is added before that check. A move that is in time brings the increment and,
//!   as the last move of a period, the next period's base.
//! * The increment of the first move is on the clock from the start (FIDE Laws of Chess,
//!   Guidelines III.3 for digital clocks in Fischer mode), so every increment is there when
//!   its move begins. The increment added after the last move of a period is therefore that
//!   of the next period. [`FirstIncrement::Withheld`] adds each increment after its own move.
//! * A last period with a number of moves repeats itself.

use std::num::NonZeroU32;
use std::time::Duration;

use super::control::{Stage, TimeControl};
use super::limits::TimeLimit;
use super::stamp::Stamp;

/// Whether the first move already has its increment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FirstIncrement {
    /// On the clock from the start.
    #[default]
    Granted,
    /// Increments are added after the move they belong to.
    Withheld,
}

/// A move that was in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// What the move took, whole microseconds.
    pub elapsed: Duration,
    /// What was on the clock before; `None` where no clock runs.
    pub before: Option<Duration>,
    /// What is on the clock now, additions included; `None` where no clock runs.
    pub after: Option<Duration>,
    /// How much of the margin the move used.
    pub margin_used: Duration,
    /// The move was the last one of a period.
    pub period_ended: bool,
}

/// A move that was not in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFall {
    /// What the move took, whole microseconds.
    pub elapsed: Duration,
    /// What it might have taken without the margin.
    pub allowed: Duration,
    /// The margin on top of that.
    pub margin: Duration,
}

impl FlagFall {
    /// By how much the move was late, the margin not counted as allowed.
    pub fn overrun(&self) -> Duration {
        self.elapsed.saturating_sub(self.allowed)
    }
}

/// The time of one player.
///
/// ```
/// use std::time::Duration;
/// use arbiter960::clock::{Clock, FirstIncrement, TimeLimit};
/// let limit = TimeLimit::Clock("10+0.1".parse().unwrap());
/// let mut clock = Clock::new(&limit, FirstIncrement::Granted);
/// assert_eq!(clock.remaining(), Some(Duration::from_millis(10_100)));
/// let charge = clock.charge(Duration::from_millis(600), Duration::ZERO).unwrap();
/// assert_eq!(charge.after, Some(Duration::from_millis(9_600)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    state: State,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Running(Running),
    MoveTime(Duration),
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
            TimeLimit::Clock(control) => State::Running(Running::new(control, first_increment)),
            TimeLimit::MoveTime(time) => State::MoveTime(whole_microseconds(*time)),
            TimeLimit::None => State::Untimed,
        };
        Clock { state }
    }

    /// What is on the clock; `None` where no clock runs.
    pub fn remaining(&self) -> Option<Duration> {
        match &self.state {
            State::Running(running) => Some(running.remaining),
            State::MoveTime(_) | State::Untimed => None,
        }
    }

    /// The increment of the present period, as `go` tells it; `None` where no clock runs.
    pub fn increment(&self) -> Option<Duration> {
        match &self.state {
            State::Running(running) => Some(running.stage().increment),
            State::MoveTime(_) | State::Untimed => None,
        }
    }

    /// Moves to the end of the period; `None` where the period is the rest of the game.
    pub fn moves_to_go(&self) -> Option<u32> {
        match &self.state {
            State::Running(running) => running.moves_to_go.map(NonZeroU32::get),
            State::MoveTime(_) | State::Untimed => None,
        }
    }

    /// What the next move may take without a margin; `None` where time is not limited.
    pub fn allowed(&self) -> Option<Duration> {
        match &self.state {
            State::Running(running) => Some(running.remaining),
            State::MoveTime(time) => Some(*time),
            State::Untimed => None,
        }
    }

    /// The last stamp at which a move that started at `started` is in time: the flag has
    /// fallen at every later one. `None` where time is not limited.
    pub fn deadline(&self, started: Stamp, margin: Duration) -> Option<Stamp> {
        // A move's time is rounded down to microseconds, so the last one counts in full.
        const LAST: Duration = Duration::from_nanos(999);
        let allowed = self.allowed()?;
        Some(
            started
                + allowed
                    .saturating_add(whole_microseconds(margin))
                    .saturating_add(LAST),
        )
    }

    /// Takes the time of a move off the clock and adds what the move has earned.
    ///
    /// # Errors
    /// The flag has fallen; the clock is left as it was.
    pub fn charge(&mut self, elapsed: Duration, margin: Duration) -> Result<Charge, FlagFall> {
        let elapsed = whole_microseconds(elapsed);
        let margin = whole_microseconds(margin);
        let before = self.remaining();
        let mut margin_used = Duration::ZERO;
        if let Some(allowed) = self.allowed() {
            if elapsed > allowed.saturating_add(margin) {
                return Err(FlagFall {
                    elapsed,
                    allowed,
                    margin,
                });
            }
            margin_used = elapsed.saturating_sub(allowed);
        }
        let period_ended = match &mut self.state {
            State::Running(running) => running.complete_move(elapsed),
            State::MoveTime(_) | State::Untimed => false,
        };
        Ok(Charge {
            elapsed,
            before,
            after: self.remaining(),
            margin_used,
            period_ended,
        })
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

    /// Counts a move that was in time; says whether a period ended with it.
    fn complete_move(&mut self, elapsed: Duration) -> bool {
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
        ended
    }
}

fn whole_microseconds(time: Duration) -> Duration {
    time - Duration::from_nanos(u64::from(time.subsec_nanos() % 1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Duration = Duration::ZERO;

    fn us(microseconds: u64) -> Duration {
        Duration::from_micros(microseconds)
    }

    fn clock(text: &str) -> Clock {
        Clock::new(
            &TimeLimit::Clock(text.parse().unwrap()),
            FirstIncrement::Granted,
        )
    }

    /// control, margin in ms, move times in µs; then what is on the clock in µs after the last
    /// move, or by how many µs the last move was late.
    const BOUNDARIES: [(&str, u64, &[u64], Result<u64, u64>); 17] = [
        ("1", 0, &[999_999], Ok(1)),
        ("1", 0, &[1_000_000], Ok(0)),
        ("1", 0, &[1_000_001], Err(1)),
        ("1", 0, &[1_000_000, 0], Ok(0)),
        ("1", 0, &[1_000_000, 1], Err(1)),
        ("1", 50, &[1_050_000], Ok(0)),
        ("1", 50, &[1_050_001], Err(50_001)),
        // what was used of the margin is forgiven, and the margin is there again
        ("1+0.1", 50, &[1_150_000], Ok(100_000)),
        ("1+0.1", 50, &[1_150_000, 150_000], Ok(100_000)),
        ("1+0.1", 50, &[1_150_000, 150_001], Err(50_001)),
        // increments alone
        ("0+0.1", 0, &[100_000, 100_000], Ok(100_000)),
        ("0+0.1", 0, &[100_001], Err(1)),
        // the last move of a period: time is added after the check, never before it
        ("2/1:5", 0, &[400_000, 600_000], Ok(5_000_000)),
        ("2/1:5", 0, &[400_000, 600_001], Err(1)),
        ("2/1+0.1:5+0.3", 0, &[100_000, 1_100_000], Ok(5_300_000)),
        // a last period with moves repeats itself
        ("1/1", 0, &[250_000, 1_000_000, 1_750_000], Ok(1_000_000)),
        ("1/1", 0, &[250_000, 1_000_000, 1_750_001], Err(1)),
    ];

    #[test]
    fn boundaries() {
        for (control, margin, moves, expected) in BOUNDARIES {
            let mut clock = clock(control);
            let margin = Duration::from_millis(margin);
            let (last, earlier) = moves.split_last().unwrap();
            for time in earlier {
                clock.charge(us(*time), margin).unwrap();
            }
            let outcome = clock.charge(us(*last), margin);
            let outcome = outcome.map(|charge| charge.after.unwrap());
            let outcome = outcome.map_err(|fall| fall.overrun());
            assert_eq!(
                outcome,
                expected.map(us).map_err(us),
                "{control} {margin:?} {moves:?}"
            );
        }
    }

    #[test]
    fn deadline_and_charge_agree_to_the_nanosecond() {
        let started = Stamp(123_456_789);
        for (control, margin) in [("1", 0), ("0.000001", 0), ("10+0.1", 50)] {
            let margin = Duration::from_millis(margin);
            let deadline = clock(control).deadline(started, margin).unwrap();
            let at = |stamp: Stamp| clock(control).charge(stamp.saturating_since(started), margin);
            assert!(at(deadline).is_ok(), "{control}");
            assert!(at(deadline + Duration::from_nanos(1)).is_err(), "{control}");
        }
    }

    #[test]
    fn periods_count_down() {
        let mut clock = clock("3/60:2/30:10");
        let mut counts = vec![clock.moves_to_go()];
        for number in 1..=6 {
            let charge = clock.charge(NONE, NONE).unwrap();
            assert_eq!(charge.period_ended, number == 3 || number == 5);
            counts.push(clock.moves_to_go());
        }
        assert_eq!(
            counts,
            [Some(3), Some(2), Some(1), Some(2), Some(1), None, None]
        );
        assert_eq!(clock.remaining(), Some(Duration::from_secs(100)));
    }

    #[test]
    fn the_first_increment_may_be_withheld() {
        let limit = TimeLimit::Clock("2/1+0.1:5+0.3".parse().unwrap());
        let mut clock = Clock::new(&limit, FirstIncrement::Withheld);
        let remaining = |clock: &Clock| clock.remaining().unwrap().as_millis();
        assert_eq!(remaining(&clock), 1000);
        clock.charge(us(500_000), NONE).unwrap();
        assert_eq!(remaining(&clock), 600);
        clock.charge(us(600_000), NONE).unwrap();
        assert_eq!(remaining(&clock), 5100);
    }

    #[test]
    fn a_time_for_each_move() {
        let mut clock = Clock::new(&TimeLimit::MoveTime(us(500_000)), FirstIncrement::Granted);
        let margin = us(10_000);
        for _ in 0..2 {
            let charge = clock.charge(us(510_000), margin).unwrap();
            assert_eq!((charge.before, charge.after), (None, None));
            assert_eq!(charge.margin_used, us(10_000));
        }
        let fall = clock.charge(us(510_001), margin).unwrap_err();
        assert_eq!((fall.allowed, fall.overrun()), (us(500_000), us(10_001)));
        assert_eq!(clock.remaining(), None);
    }

    #[test]
    fn without_a_limit_of_time_no_flag_falls() {
        let mut clock = Clock::new(&TimeLimit::None, FirstIncrement::Granted);
        assert_eq!(clock.deadline(Stamp(0), NONE), None);
        assert!(clock.charge(Duration::MAX, NONE).is_ok());
    }

    #[test]
    fn a_fallen_flag_leaves_the_clock_as_it_was() {
        let mut clock = clock("1/1:60");
        assert!(clock.charge(us(2_000_000), NONE).is_err());
        assert_eq!(
            (clock.remaining(), clock.moves_to_go()),
            (Some(us(1_000_000)), Some(1))
        );
    }
}
