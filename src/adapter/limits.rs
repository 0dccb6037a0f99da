//! The words of `go` in XBoard's protocol.

use std::time::Duration;

use crate::uci::GoLimits;

/// Thinking time without any limit, in seconds.
const UNLIMITED: u32 = 86_400;

/// The commands about the limits at the beginning of a game, for the engine of this side (0 is White).
pub(super) fn control(limits: &GoLimits, side: usize, counts_nodes: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(time) = limits.movetime {
        lines.push(format!("st {}", seconds(time)));
    } else if let Some(clocks) = clocks(limits) {
        // Minutes, with seconds where needed, rounded down to whole seconds; the command `time` is exact.
        let whole = clocks[side].as_secs().max(1);
        let base = match whole % 60 {
            0 => (whole / 60).to_string(),
            rest => format!("{}:{rest:02}", whole / 60),
        };
        let increment = seconds([limits.winc, limits.binc][side].unwrap_or_default());
        let moves = limits.movestogo.unwrap_or(0);
        lines.push(format!("level {moves} {base} {increment}"));
    } else if limits.depth.is_none() && limits.nodes.is_none() {
        lines.push(format!("st {UNLIMITED}"));
    }
    lines.extend(limits.depth.map(|depth| format!("sd {depth}")));
    if let Some(nodes) = limits.nodes.filter(|_| counts_nodes) {
        lines.extend(["st 1".to_owned(), format!("nps {nodes}")]);
    }
    lines
}

/// The present clocks, in hundredths of a second.
pub(super) fn time(limits: &GoLimits, side: usize) -> Vec<String> {
    match clocks(limits) {
        Some(clocks) => vec![
            format!("time {}", clocks[side].as_millis() / 10),
            format!("otim {}", clocks[1 - side].as_millis() / 10),
        ],
        None if limits.movetime.is_none() => vec![format!("time {}", UNLIMITED * 100)],
        None => Vec::new(),
    }
}

/// White's clock and Black's; `None` if there is none.
fn clocks(limits: &GoLimits) -> Option<[Duration; 2]> {
    let clocks = [limits.wtime, limits.btime];
    let is_any = clocks.iter().any(Option::is_some);
    is_any.then(|| clocks.map(Option::unwrap_or_default))
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
        let read = |text: &'static str| GoLimits::parse(text.split(' '));
        let control = |text| control(&read(text), 0, true);
        assert_eq!(
            control("wtime 61000 btime 60000 winc 500 binc 0 movestogo 40"),
            ["level 40 1:01 0.5"]
        );
        assert_eq!(control("wtime 120000 btime 60000"), ["level 0 2 0"]);
        assert_eq!(control("movetime 2000"), ["st 2"]);
        assert_eq!(control("depth 8"), ["sd 8"]);
        assert_eq!(control("nodes 1000"), ["st 1", "nps 1000"]);
        assert_eq!(control("infinite"), ["st 86400"]);
        let limits = read("wtime 61234 btime 60000");
        assert_eq!(time(&limits, 1), ["time 6000", "otim 6123"]);
    }
}
