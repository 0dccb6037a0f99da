//! Time controls as PGN writes them.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// The longest base or increment, in seconds (31 years): sums cannot overflow.
pub(crate) const MAX_SECONDS: u64 = 1_000_000_000;

/// One period of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stage {
    /// Moves of the period; `None` is the rest of the game.
    pub moves: Option<NonZeroU32>,
    /// Time added at the beginning of the period.
    pub base: Duration,
    /// Time added for every move.
    pub increment: Duration,
}

/// Periods of play, at least one. A last period with a number of moves repeats itself.
///
/// Text form: `[moves/]seconds[+increment]`, periods separated by colons, seconds with up to
/// six decimals (PGN standard, 9.6.1, with decimals and increments in every period). Where a
/// period without a number of moves would come before another, they are minutes and seconds:
/// `1:30+1`. An hourglass is `*seconds`: what a move takes is added to the opponent's clock.
///
/// ```
/// use arbiter960::clock::TimeControl;
/// let control: TimeControl = "40/5400+30:1800+30".parse().unwrap();
/// assert_eq!(control.stages().len(), 2);
/// assert_eq!(control.to_string(), "40/5400+30:1800+30");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    stages: Vec<Stage>,
    is_hourglass: bool,
}

/// Where and why a time control cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct TimeControlError {
    /// Place in the text, in bytes.
    pub at: usize,
    /// What is wrong there.
    pub problem: TimeControlProblem,
}

/// What can be wrong with a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeControlProblem {
    /// Not a number of seconds.
    #[error("expected seconds, as in \"10\" or \"0.1\"")]
    NotSeconds,
    /// More decimals than microseconds.
    #[error("at most six decimals: clocks run in microseconds")]
    TooPrecise,
    /// Longer than any game.
    #[error("longer than {MAX_SECONDS} seconds")]
    TooLong,
    /// The number of moves is not a whole number above 0.
    #[error("expected a number of moves above 0")]
    NotMoves,
    /// No time at all.
    #[error("a period needs time: base and increment are both 0")]
    NoTime,
    /// Only the last period may last for the rest of the game.
    #[error(
        "a period before the last needs a number of moves, as in \"40/5400:1800\"; minutes are written \"1:30+1\""
    )]
    EndlessBeforeLast,
    /// An hourglass has only a time.
    #[error("an hourglass has one time for all moves and no increment, as in \"*60\"")]
    NotOneTime,
}

impl TimeControl {
    /// A time control of these periods, one at least, in whole microseconds, if it makes sense.
    ///
    /// # Errors
    /// The first problem; its place is the number of the period.
    fn new(stages: Vec<Stage>) -> Result<TimeControl, TimeControlError> {
        let fail = |at, problem| Err(TimeControlError { at, problem });
        for (at, stage) in stages.iter().enumerate() {
            if stage.base.max(stage.increment) > Duration::from_secs(MAX_SECONDS) {
                return fail(at, TimeControlProblem::TooLong);
            }
            if stage.base.is_zero() && stage.increment.is_zero() {
                return fail(at, TimeControlProblem::NoTime);
            }
            if stage.moves.is_none() && at + 1 < stages.len() {
                return fail(at, TimeControlProblem::EndlessBeforeLast);
            }
        }
        Ok(TimeControl {
            stages,
            is_hourglass: false,
        })
    }

    /// The time for all moves, if it is nothing else.
    pub(super) fn only_time(&self) -> Option<Duration> {
        match self.stages.as_slice() {
            [stage] if stage.moves.is_none() && stage.increment.is_zero() && !self.is_hourglass => {
                Some(stage.base)
            }
            _ => None,
        }
    }

    /// Whether what a move takes is added to the opponent's clock, if that is an hourglass, too.
    pub fn is_hourglass(&self) -> bool {
        self.is_hourglass
    }

    /// The periods, at least one.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// The same control with so much less time in its first period; `None` if none is left there.
    pub(super) fn without(&self, used: Duration) -> Option<TimeControl> {
        let mut control = self.clone();
        let first = control.stages.first_mut()?;
        first.base = first
            .base
            .checked_sub(used)
            .filter(|left| !left.is_zero())?;
        Some(control)
    }

    /// The same control with all times multiplied and rounded to microseconds; `None` if the
    /// factor is not positive or the result is no time control.
    pub fn scaled(&self, factor: f64) -> Option<TimeControl> {
        let scale = |time| scaled(time, factor);
        let stages = self.stages.iter().map(|stage| {
            let (base, increment) = (scale(stage.base)?, scale(stage.increment)?);
            Some(Stage {
                base,
                increment,
                ..*stage
            })
        });
        let scaled = TimeControl::new(stages.collect::<Option<Vec<_>>>()?).ok()?;
        Some(TimeControl {
            is_hourglass: self.is_hourglass,
            ..scaled
        })
    }
}

/// A time multiplied and rounded to microseconds; `None` if that is negative or longer than
/// any game.
pub(crate) fn scaled(time: Duration, factor: f64) -> Option<Duration> {
    // Both microseconds and product are below 2⁵³: one rounding here, one in `round`.
    let microseconds = (time.as_micros() as f64 * factor).round();
    let allowed = (0.0..=MAX_SECONDS as f64 * 1e6).contains(&microseconds);
    allowed.then(|| Duration::from_micros(microseconds as u64))
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        if let Some(time) = text.strip_prefix('*') {
            let control: TimeControl = time.parse().map_err(|error: TimeControlError| {
                let at = error.at + 1;
                TimeControlError { at, ..error }
            })?;
            let problem = TimeControlProblem::NotOneTime;
            control
                .only_time()
                .ok_or(TimeControlError { at: 1, problem })?;
            let is_hourglass = true;
            return Ok(TimeControl {
                is_hourglass,
                ..control
            });
        }
        let mut stages = Vec::new();
        let mut starts = Vec::new();
        let mut at = 0;
        let mut parts = text.split(':').peekable();
        while let Some(part) = parts.next() {
            starts.push(at);
            let minutes = if part.contains(['/', '+']) {
                None
            } else {
                parts.next_if(|_| true)
            };
            match minutes {
                // No period follows one that lasts for the rest of the game: these are minutes.
                Some(seconds) => {
                    stages.push(minutes_and_seconds(part, seconds, at)?);
                    at += part.len() + seconds.len() + 2;
                }
                None => {
                    stages.push(stage(part, at)?);
                    at += part.len() + 1;
                }
            }
        }
        TimeControl::new(stages).map_err(|error| TimeControlError {
            at: starts[error.at],
            ..error
        })
    }
}

fn stage(text: &str, at: usize) -> Result<Stage, TimeControlError> {
    let (moves, time, time_at) = match text.split_once('/') {
        Some((count, time)) => (Some(moves(count, at)?), time, at + count.len() + 1),
        None => (None, text, at),
    };
    let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
    Ok(Stage {
        moves,
        base: seconds(base, time_at)?,
        increment: seconds(increment, time_at + base.len() + 1)?,
    })
}

/// `1:30+1`: minutes, and seconds below 60.
fn minutes_and_seconds(minutes: &str, rest: &str, at: usize) -> Result<Stage, TimeControlError> {
    let rest_at = at + minutes.len() + 1;
    let fail = |at, problem| Err(TimeControlError { at, problem });
    if minutes.contains('.') || rest.contains('/') {
        return fail(at, TimeControlProblem::EndlessBeforeLast);
    }
    let rest = stage(rest, rest_at)?;
    if rest.base >= Duration::from_secs(60) {
        return fail(rest_at, TimeControlProblem::EndlessBeforeLast);
    }
    let whole = seconds(minutes, at)?.saturating_mul(60);
    Ok(Stage {
        base: rest.base + whole,
        ..rest
    })
}

fn moves(text: &str, at: usize) -> Result<NonZeroU32, TimeControlError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    number.ok_or(TimeControlError {
        at,
        problem: TimeControlProblem::NotMoves,
    })
}

fn seconds(text: &str, at: usize) -> Result<Duration, TimeControlError> {
    let fail = |problem| TimeControlError { at, problem };
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(decimals) {
        return Err(fail(TimeControlProblem::NotSeconds));
    }
    if decimals.len() > 6 {
        return Err(fail(TimeControlProblem::TooPrecise));
    }
    // Only digits, so the one thing that can go wrong is their number.
    let whole: u64 = whole
        .parse()
        .map_err(|_| fail(TimeControlProblem::TooLong))?;
    let fraction: u64 = format!("{decimals:0<6}").parse().unwrap_or(0);
    if whole > MAX_SECONDS {
        return Err(fail(TimeControlProblem::TooLong));
    }
    Ok(Duration::from_micros(whole * 1_000_000 + fraction))
}

/// Seconds without needless zeros: `0.1`, `5400`.
pub(super) fn write_seconds(time: Duration, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(out, "{}", time.as_secs())?;
    match time.subsec_micros() {
        0 => Ok(()),
        micros => write!(out, ".{}", format!("{micros:06}").trim_end_matches('0')),
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(out, "{moves}/")?;
        }
        write_seconds(self.base, out)?;
        if !self.increment.is_zero() {
            out.write_str("+")?;
            write_seconds(self.increment, out)?;
        }
        Ok(())
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_hourglass {
            out.write_str("*")?;
        }
        for (number, stage) in self.stages.iter().enumerate() {
            let separator = if number == 0 { "" } else { ":" };
            write!(out, "{separator}{stage}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_printed_again() {
        let controls = [
            "60",
            "10+0.1",
            "0.000001",
            "0+0.1",
            "40/5400+30:1800+30",
            "40/9000:20/3600:900+30",
            "1/0.5",
            "*60",
        ];
        for text in controls {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!(
            "010.50+0".parse::<TimeControl>().unwrap().to_string(),
            "10.5"
        );
    }

    #[test]
    fn errors_name_the_place() {
        use TimeControlProblem::*;
        let cases = [
            ("", 0, NotSeconds),
            ("10+", 3, NotSeconds),
            ("-5", 0, NotSeconds),
            ("10+0,1", 3, NotSeconds),
            ("1e3", 0, NotSeconds),
            ("10+0.1234567", 3, TooPrecise),
            ("0/60", 0, NotMoves),
            ("+40/60", 0, NotMoves),
            ("40/60:x/30", 6, NotMoves),
            ("40/60:0", 6, NoTime),
            ("30+1:10", 0, EndlessBeforeLast),
            ("40/60:30+1:10", 6, EndlessBeforeLast),
            ("1.5:30", 0, EndlessBeforeLast),
            ("1:90", 2, EndlessBeforeLast),
            ("99999999999999999999", 0, TooLong),
            ("1000000001", 0, TooLong),
            ("*x", 1, NotSeconds),
            ("**5", 1, NotOneTime),
            ("*5+1", 1, NotOneTime),
            ("*40/5", 1, NotOneTime),
        ];
        for (text, at, problem) in cases {
            let expected = Err(TimeControlError { at, problem });
            assert_eq!(text.parse::<TimeControl>(), expected, "{text:?}");
        }
    }

    #[test]
    fn scaling() {
        let scaled = |text: &str, factor: f64| {
            let control: TimeControl = text.parse().unwrap();
            control.scaled(factor).map(|control| control.to_string())
        };
        assert_eq!(
            scaled("40/10+0.1:5", 1.5).as_deref(),
            Some("40/15+0.15:7.5")
        );
        assert_eq!(scaled("*1", 2.0).as_deref(), Some("*2"));
        assert_eq!(scaled("1", 1.0 / 3.0).as_deref(), Some("0.333333"));
        for factor in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-9] {
            assert_eq!(scaled("1", factor), None, "{factor}");
        }
    }
}
