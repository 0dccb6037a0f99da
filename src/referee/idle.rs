//! Thinking on the opponent's time: what it is, and what it costs.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Processor time of the engine that was not to move, while it was watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IdleTimes {
    /// How long it was watched: its opponent's thinking time without its first milliseconds.
    pub watched: Duration,
    /// Processor time of all its processes meanwhile.
    pub cpu: Duration,
}

/// What happens to an engine that thinks on its opponent's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IdlePolicy {
    /// A warning is reported.
    #[default]
    Warn,
    /// It loses the game.
    Fault,
    /// It is stopped while it is not to move; what it uses nevertheless is reported.
    Freeze,
}

/// `[faults] idle_cpu`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdleRule {
    /// What becomes of an engine above the limit.
    pub policy: IdlePolicy,
    /// The largest share of the opponent's thinking time, per cent of one processor.
    pub percent: u32,
}

/// What everybody may use in one game: the end of a search, a hash table that is cleared.
pub const ALLOWED: Duration = Duration::from_millis(100);

impl Default for IdleRule {
    fn default() -> IdleRule {
        IdleRule {
            policy: IdlePolicy::Warn,
            percent: 20,
        }
    }
}

impl IdleRule {
    /// Whether an engine that has used this much in one game is above the limit.
    pub fn is_exceeded(&self, idle: IdleTimes) -> bool {
        idle.cpu > ALLOWED && idle.percent() > f64::from(self.percent)
    }
}

impl IdleTimes {
    /// Both together.
    pub fn plus(self, other: IdleTimes) -> IdleTimes {
        IdleTimes {
            watched: self.watched + other.watched,
            cpu: self.cpu + other.cpu,
        }
    }

    /// The share of the time, per cent of one processor.
    pub fn percent(&self) -> f64 {
        if self.watched.is_zero() {
            0.0
        } else {
            100.0 * self.cpu.as_secs_f64() / self.watched.as_secs_f64()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_above_the_limit_counts_and_a_moment_does_not() {
        let rule = IdleRule::default();
        let exceeded = |watched, cpu| {
            rule.is_exceeded(IdleTimes {
                watched: Duration::from_millis(watched),
                cpu: Duration::from_millis(cpu),
            })
        };
        assert!(exceeded(1000, 201));
        assert!(!exceeded(1000, 200), "the share itself is allowed");
        assert!(!exceeded(100, 100), "so much is allowed in any game");
        assert!(exceeded(100, 101));
        assert!(!exceeded(0, 0));
    }
}
