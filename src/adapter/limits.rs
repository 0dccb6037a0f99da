//! The words of `go` in XBoard's protocol.

use std::time::Duration;

/// Thinking time without any limit, in seconds.
const UNLIMITED: u32 = 86_400;

/// The contents of `go`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CommandLimits {
    /// The clocks, White's first.
    clocks: Option<[Duration; 2]>,
    increments: [Duration; 2],
    moves: u32,
    move_time: Option<Duration>,
    depth: Option<u64>,
    nodes: Option<u64>,
}

impl CommandLimits {
    /// Reads the words after `go`.
    pub(super) fn parse(text: &str) -> CommandLimits {
        let mut limits = CommandLimits::default();
        let mut words = text.split_ascii_whitespace();
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|word| word.parse::<i64>().ok());
            let mut time = || {
                let milliseconds = number().unwrap_or(0).max(0);
                Duration::from_millis(milliseconds.unsigned_abs())
            };
            match word {
                "wtime" => limits.clocks.get_or_insert_default()[0] = time(),
                "btime" => limits.clocks.get_or_insert_default()[1] = time(),
                "winc" => limits.increments[0] = time(),
                "binc" => limits.increments[1] = time(),
                "movetime" => limits.move_time = Some(time()),
                "movestogo" => {
                    limits.moves = number().and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
                }
                "depth" => limits.depth = number().map(i64::unsigned_abs),
                "nodes" => limits.nodes = number().map(i64::unsigned_abs),
                _ => {}
            }
        }
        limits
    }

    /// The commands about the limits at the beginning of a game, for the engine of this side (0 is White).
    pub(super) fn control(&self, side: usize, counts_nodes: bool) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(time) = self.move_time {
            lines.push(format!("st {}", seconds(time)));
        } else if let Some(clocks) = self.clocks {
            // Minutes, with seconds where needed, rounded down to whole seconds; the command `time` is exact.
            let whole = clocks[side].as_secs().max(1);
            let base = match whole % 60 {
                0 => (whole / 60).to_string(),
                rest => format!("{}:{rest:02}", whole / 60),
            };
            let increment = seconds(self.increments[side]);
            lines.push(format!("level {} {base} {increment}", self.moves));
        } else if self.depth.or(self.nodes).is_none() {
            lines.push(format!("st {UNLIMITED}"));
        }
        if let Some(depth) = self.depth {
            lines.push(format!("sd {depth}"));
        }
        if let Some(nodes) = self.nodes.filter(|_| counts_nodes) {
            lines.extend(["st 1".to_owned(), format!("nps {nodes}")]);
        }
        lines
    }

    /// The present clocks, in hundredths of a second.
    pub(super) fn clocks(&self, side: usize) -> Vec<String> {
        match self.clocks {
            Some(clocks) => vec![
                format!("time {}", clocks[side].as_millis() / 10),
                format!("otim {}", clocks[1 - side].as_millis() / 10),
            ],
            None if self.move_time.is_none() => vec![format!("time {}", UNLIMITED * 100)],
            None => Vec::new(),
        }
    }
}

/// Seconds, with decimals where they are needed.
fn seconds(time: Duration) -> String {
    time.as_secs_f64().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_become_time_controls() {
        let control = |text: &str| CommandLimits::parse(text).control(0, true);
        assert_eq!(
            control("wtime 61000 btime 60000 winc 500 binc 0 movestogo 40"),
            ["level 40 1:01 0.5"]
        );
        assert_eq!(control("wtime 120000 btime 60000"), ["level 0 2 0"]);
        assert_eq!(control("movetime 2000"), ["st 2"]);
        assert_eq!(control("depth 8"), ["sd 8"]);
        assert_eq!(control("nodes 1000"), ["st 1", "nps 1000"]);
        assert_eq!(control("infinite"), ["st 86400"]);
        let limits = CommandLimits::parse("wtime 61234 btime 60000");
        assert_eq!(limits.clocks(1), ["time 6000", "otim 6123"]);
    }
}
