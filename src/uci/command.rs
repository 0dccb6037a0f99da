//! What is sent to an engine.

use std::fmt::Write as _;
use std::time::Duration;

use crate::chess::{FenDialect, Position};

/// One command. [`write_to`](Command::write_to) appends it to a string that may be reused, so
/// that a move costs no allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `uci`
    Uci,
    /// `isready`
    IsReady,
    /// `ucinewgame`
    UciNewGame,
    /// `setoption name … value …`
    SetOption {
        /// the option's name
        name: &'a str,
        /// no value presses a button
        value: Option<&'a str>,
    },
    /// `go …`
    Go(&'a GoLimits),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
}

/// The limits of one search. Everything absent is not sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoLimits {
    /// White's clock; sent in whole milliseconds, never below 1.
    pub wtime: Option<Duration>,
    /// Black's clock; sent in whole milliseconds, never below 1.
    pub btime: Option<Duration>,
    /// White's increment.
    pub winc: Option<Duration>,
    /// Black's increment.
    pub binc: Option<Duration>,
    /// Moves to the next time control.
    pub movestogo: Option<u32>,
    /// Time for this move; never below 1 ms.
    pub movetime: Option<Duration>,
    /// Nodes for this move.
    pub nodes: Option<u64>,
    /// Depth in plies for this move.
    pub depth: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
}

impl GoLimits {
    /// Appends `go` with its limits, without a line end and without an allocation if `out`
    /// has room.
    pub fn write_to(&self, out: &mut String) {
        let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis());
        let clock = |time: Option<Duration>| milliseconds(time).map(|time| time.max(1));
        out.push_str(if self.ponder { "go ponder" } else { "go" });
        let limits = [
            ("wtime", clock(self.wtime)),
            ("btime", clock(self.btime)),
            ("winc", milliseconds(self.winc)),
            ("binc", milliseconds(self.binc)),
            ("movestogo", self.movestogo.map(u128::from)),
            ("movetime", clock(self.movetime)),
            ("nodes", self.nodes.map(u128::from)),
            ("depth", self.depth.map(u128::from)),
        ];
        for (name, value) in limits {
            if let Some(value) = value {
                // Writing to a String cannot fail.
                let _ = write!(out, " {name} {value}");
            }
        }
        if self.infinite {
            out.push_str(" infinite");
        }
    }
}

impl Command<'_> {
    /// Appends the command and a line end.
    ///
    /// ```
    /// use arbiter960::uci::Command;
    /// let mut out = String::new();
    /// Command::IsReady.write_to(&mut out);
    /// assert_eq!(out, "isready\n");
    /// ```
    pub fn write_to(&self, out: &mut String) {
        match self {
            Command::Uci => out.push_str("uci"),
            Command::IsReady => out.push_str("isready"),
            Command::UciNewGame => out.push_str("ucinewgame"),
            Command::SetOption { name, value } => set_option(name, *value, out),
            Command::Go(limits) => limits.write_to(out),
            Command::Stop => out.push_str("stop"),
            Command::PonderHit => out.push_str("ponderhit"),
            Command::Quit => out.push_str("quit"),
        }
        out.push('\n');
    }
}

fn set_option(name: &str, value: Option<&str>, out: &mut String) {
    out.push_str("setoption name ");
    out.push_str(name);
    if let Some(value) = value {
        out.push_str(" value ");
        out.push_str(value);
    }
}

/// `position` with a start, without the moves since: `startpos` where it is the usual start, which is all that
/// some engines know.
pub fn position_command(start: &Position, dialect: FenDialect) -> String {
    if *start == Position::standard() {
        return "position startpos".to_owned();
    }
    format!("position fen {}", start.fen(dialect))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(command: Command<'_>) -> String {
        let mut out = String::new();
        command.write_to(&mut out);
        out
    }

    #[test]
    fn options_and_positions() {
        let hash = Command::SetOption {
            name: "Hash",
            value: Some("16"),
        };
        assert_eq!(text(hash), "setoption name Hash value 16\n");
        let button = Command::SetOption {
            name: "Clear Hash",
            value: None,
        };
        assert_eq!(text(button), "setoption name Clear Hash\n");
        let fen = "8/8/8/8/8/8/k7/2K5 w - - 0 1";
        let start = Position::from_fen(fen).unwrap();
        let command = position_command(&start, FenDialect::Shredder);
        assert_eq!(command, format!("position fen {fen}"));
        let usual = position_command(&Position::standard(), FenDialect::Shredder);
        assert_eq!(usual, "position startpos");
    }

    #[test]
    fn a_clock_is_never_below_one_millisecond() {
        let limits = GoLimits {
            wtime: Some(Duration::ZERO),
            btime: Some(Duration::from_micros(1_999)),
            winc: Some(Duration::ZERO),
            binc: Some(Duration::from_millis(100)),
            movestogo: Some(40),
            ..GoLimits::default()
        };
        assert_eq!(
            text(Command::Go(&limits)),
            "go wtime 1 btime 1 winc 0 binc 100 movestogo 40\n"
        );
    }

    #[test]
    fn other_limits() {
        let limits = GoLimits {
            movetime: Some(Duration::from_millis(500)),
            nodes: Some(u64::MAX),
            depth: Some(8),
            infinite: true,
            ..GoLimits::default()
        };
        let expected = "go movetime 500 nodes 18446744073709551615 depth 8 infinite\n";
        assert_eq!(text(Command::Go(&limits)), expected);
    }
}
