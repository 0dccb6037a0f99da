//! Time controls and clocks, in virtual time: nothing here asks what time it is.
//!
//! | file | what |
//! |---|---|
//! | this one | [`Stamp`]: when something happened, in nanoseconds of the run; [`Limits`]: what bounds a search: a clock, a time, nodes, depth |
//! | `control` | [`TimeControl`]: periods as PGN writes them, `40/5400+30:1800+30` |
//! | `running` | [`Clock`]: the time of one player in one game, and the fall of the flag |

mod control;
mod running;

use std::fmt;
use std::ops::{Add, RangeInclusive};
use std::str::FromStr;
use std::time::Duration;

use control::{scaled, write_seconds};
use serde::{Deserialize, Serialize};

pub use control::{Stage, TimeControl, TimeControlError, TimeControlProblem};
pub use running::Clock;

pub(crate) use control::MAX_SECONDS;

/// Nanoseconds since the run's epoch, of a monotonic clock. Enough for 584 years.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Stamp(pub u64);

impl Stamp {
    /// The time from `earlier` to this stamp; zero if it is not earlier.
    pub fn saturating_since(self, earlier: Stamp) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Stamp {
    type Output = Stamp;

    /// The stamp this much later; the last possible one where that cannot be represented.
    fn add(self, time: Duration) -> Stamp {
        Stamp(self.0.saturating_add(nanoseconds(time)))
    }
}

/// Durations of more than 584 years do not occur; they would be cut to that.
pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Times in files, for serde's `with`: nanoseconds, and `null` where they are not known.
pub(crate) mod as_nanoseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        time: &(impl Copy + Into<Option<Duration>>),
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let time: Option<Duration> = (*time).into();
        time.map(super::nanoseconds).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_nanos)
    }

    pub(crate) fn if_known<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::deserialize(deserializer)?.map(Duration::from_nanos))
    }
}

// What bounds the searches of one player.

/// Shares of a limit in nodes, as a median of many searches, that are not told: an engine looks at its limit now and then,
/// so it may search somewhat more; one that searches much less does not search what the event is about.
pub const NODES_OBEYED: RangeInclusive<f64> = 0.5..=2.0;

/// How time is limited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum TimeLimit {
    /// A clock for the game.
    Clock(TimeControl),
    /// A time for each move, which must not be exceeded.
    MoveTime(Duration),
    /// Not at all.
    #[default]
    None,
}

/// What a player has given of its time before a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GivenTime {
    /// This part of all its times, in percent.
    Percent(u8),
    /// This much of its clock: it was used.
    Used {
        /// Milliseconds.
        used_ms: u64,
    },
}

impl Default for GivenTime {
    fn default() -> GivenTime {
        GivenTime::Percent(0)
    }
}

/// Whether the first move already has its increment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FirstIncrement {
    /// On the clock from the start.
    #[default]
    Granted,
    /// Increments are added after the move they belong to.
    Withheld,
}

/// All limits of one player; those that are present hold together.
///
/// Written as PGN's tag `TimeControl` has it where PGN has a way: a clock as its periods, no
/// limit of time as `-`. What PGN cannot say is written so that nobody takes it for a clock:
/// a time for each move as `0.5/move`, further limits as `nodes=10000` and `depth=8`, all
/// separated by a comma and a blank. `first_increment=false` says that the first move does not
/// have its increment from the start.
///
/// ```
/// use arbiter960::clock::{Limits, TimeLimit};
/// let control = TimeLimit::Clock("10+0.1".parse().unwrap());
/// let limits = Limits { time: control, nodes: Some(10_000), ..Limits::default() };
/// assert_eq!(limits.to_string(), "10+0.1, nodes=10000");
/// assert_eq!(Limits::default().to_string(), "-");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Limits {
    /// The limit of time.
    pub time: TimeLimit,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth in plies for each move.
    pub depth: Option<u32>,
    /// Whether a clock begins with the increment of the first move.
    pub first_increment: FirstIncrement,
}

impl TimeLimit {
    /// The same limit with all times multiplied and rounded to microseconds; `None` if nothing
    /// is left that bounds a search, or there was nothing to multiply.
    pub fn scaled(&self, factor: f64) -> Option<TimeLimit> {
        match self {
            TimeLimit::Clock(control) => control.scaled(factor).map(TimeLimit::Clock),
            TimeLimit::MoveTime(time) => scaled(*time, factor)
                .filter(|time| !time.is_zero())
                .map(TimeLimit::MoveTime),
            TimeLimit::None => None,
        }
    }

    /// Whether moves earn time: a clock with an increment in one of its periods.
    pub fn has_increment(&self) -> bool {
        match self {
            TimeLimit::Clock(control) => {
                let increments = control.stages().iter().map(|stage| stage.increment);
                increments.sum::<Duration>() > Duration::ZERO
            }
            TimeLimit::MoveTime(_) | TimeLimit::None => false,
        }
    }
}

impl Limits {
    /// The same without what was given of its times; `None` if nothing was, no time is left, or none was limited.
    pub(crate) fn after_giving(&self, given: GivenTime) -> Option<Limits> {
        let time = match (given, &self.time) {
            (GivenTime::Percent(0), _) => return None,
            (GivenTime::Percent(percent), time) => {
                time.scaled(f64::from(100_u8.saturating_sub(percent)) / 100.0)?
            }
            (GivenTime::Used { used_ms }, TimeLimit::Clock(control)) => {
                TimeLimit::Clock(control.without(Duration::from_millis(used_ms))?)
            }
            (GivenTime::Used { .. }, _) => return None,
        };
        Some(Limits {
            time,
            ..self.clone()
        })
    }

    /// Whether anything bounds a search.
    pub fn is_bounded(&self) -> bool {
        self.time != TimeLimit::None || self.nodes.is_some() || self.depth.is_some()
    }

    /// Whether nothing but nodes and plies bounds a search: a deterministic engine then does the
    /// same whenever it is asked the same.
    pub fn is_fixed(&self) -> bool {
        self.time == TimeLimit::None
    }
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeLimit::Clock(control) => control.fmt(out),
            TimeLimit::MoveTime(time) => {
                write_seconds(*time, out)?;
                out.write_str("/move")
            }
            TimeLimit::None => out.write_str("-"),
        }
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.time != TimeLimit::None || !self.is_bounded() {
            parts.push(self.time.to_string());
        }
        parts.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        parts.extend(self.depth.map(|depth| format!("depth={depth}")));
        if self.first_increment == FirstIncrement::Withheld {
            parts.push("first_increment=false".to_owned());
        }
        out.write_str(&parts.join(", "))
    }
}

/// A text that is not one that [`Limits`] is written as.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no limit of a search")]
pub struct LimitsError(pub String);

impl FromStr for Limits {
    type Err = LimitsError;

    /// Reads back what `Display` writes.
    fn from_str(text: &str) -> Result<Limits, LimitsError> {
        let mut limits = Limits::default();
        for part in text.split(", ").filter(|part| *part != "-") {
            let wrong = || LimitsError(part.to_owned());
            if let Some(nodes) = part.strip_prefix("nodes=") {
                limits.nodes = Some(nodes.parse().map_err(|_| wrong())?);
            } else if let Some(depth) = part.strip_prefix("depth=") {
                limits.depth = Some(depth.parse().map_err(|_| wrong())?);
            } else if part == "first_increment=false" {
                limits.first_increment = FirstIncrement::Withheld;
            } else if let Some(seconds) = part.strip_suffix("/move") {
                let seconds = seconds.parse::<TimeControl>().ok();
                let seconds = seconds
                    .and_then(|time| time.only_time())
                    .ok_or_else(wrong)?;
                limits.time = TimeLimit::MoveTime(seconds);
            } else {
                limits.time = TimeLimit::Clock(part.parse().map_err(|_| wrong())?);
            }
        }
        Ok(limits)
    }
}

/// One limit, or those of White and Black where they differ; for people.
pub(crate) fn both_limits([white, black]: &[Limits; 2]) -> String {
    if white == black {
        white.to_string()
    } else {
        format!("White {white}, Black {black}")
    }
}

impl TryFrom<String> for Limits {
    type Error = LimitsError;

    fn try_from(text: String) -> Result<Limits, LimitsError> {
        text.parse()
    }
}

impl From<Limits> for String {
    fn from(limits: Limits) -> String {
        limits.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_never_overflow() {
        assert_eq!(Stamp(5) + Duration::from_nanos(7), Stamp(12));
        assert_eq!(Stamp(1) + Duration::MAX, Stamp(u64::MAX));
        assert_eq!(Stamp(3).saturating_since(Stamp(1)), Duration::from_nanos(2));
        assert_eq!(Stamp(1).saturating_since(Stamp(3)), Duration::ZERO);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let texts = [
            "10+0.1",
            "40/5400+30:1800+30, depth=8",
            "0.5/move, nodes=5000",
            "-",
            "nodes=7",
            "10+0.1, first_increment=false",
        ];
        for text in texts {
            let limits: Limits = text.parse().unwrap();
            assert_eq!(limits.to_string(), text);
        }
        assert!("0.5+1/move".parse::<Limits>().is_err());
        assert!("nodes=many".parse::<Limits>().is_err());
    }

    #[test]
    fn limits_without_a_clock() {
        let half = TimeLimit::MoveTime(Duration::from_millis(500));
        let limits = Limits {
            time: half,
            depth: Some(8),
            ..Limits::default()
        };
        assert_eq!(limits.to_string(), "0.5/move, depth=8");
        let halved = limits.time.scaled(0.5);
        assert_eq!(
            halved,
            Some(TimeLimit::MoveTime(Duration::from_millis(250)))
        );
        assert_eq!(limits.time.scaled(1e-7), None);
        assert_eq!(TimeLimit::None.scaled(2.0), None);
        let nodes = Limits {
            nodes: Some(5000),
            ..Limits::default()
        };
        assert_eq!(nodes.to_string(), "nodes=5000");
        assert!(nodes.is_bounded() && !Limits::default().is_bounded());
    }
}
