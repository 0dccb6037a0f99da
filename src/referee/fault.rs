//! What an engine did wrong, and the end of the dialogue that shows it. What the host did wrong is never a fault.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chess::Color;
use crate::clock::Stamp;
use crate::platform::{ended_by, ended_with};
use crate::referee::FlagEvidence;

crate::chess::worded! {
    /// The kinds of fault that lose a game.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum FaultKind,
    /// A stable word for files that programs read, what the engine did, and what that is called.
    words: [&'static str; 3] {
        /// More time was used than the clock, the margin and the limit allowed.
        FlagFall = ["flag-fall", "lost on time", "loss on time"],
        /// The answer to `go` was not a legal move.
        IllegalMove = ["illegal-move", "made an illegal move", "illegal move"],
        /// The process ended or closed its output when a move was due.
        Crash = ["crash", "crashed", "crash"],
        /// No answer where no clock runs, for longer than `timeouts.stall`.
        Stall = ["stall", "did not move", "stall"],
        /// No `readyok` within the time allowed, at the start of a game.
        NotReady = ["not-ready", "did not answer `isready`", "not ready"],
        /// The engine could not be started again after an earlier game.
        StartFailure = ["start-failure", "could not be started", "could not be started"],
        /// It used more memory than the event file allows, and was ended.
        MemoryLimit = ["memory-limit", "used too much memory", "too much memory"],
        /// It had more processes than the event file allows, and was ended.
        ProcessLimit = ["process-limit", "started too many processes", "too many processes"],
        /// It wrote more to the disk than the event file allows, and was ended.
        DiskLimit = ["disk-limit", "wrote too much to the disk", "too much on the disk"],
        /// It thought on its opponent's time, for more than the event file allows.
        IdleCpu = ["idle-cpu", "thought on its opponent's time", "thinking on the opponent's time"],
    }
}

impl FaultKind {
    /// The PGN `Termination` of a game lost by this fault.
    pub fn termination(self) -> Termination {
        match self {
            FaultKind::FlagFall => Termination::TimeForfeit,
            FaultKind::IllegalMove | FaultKind::IdleCpu => Termination::RulesInfraction,
            _ => Termination::Abandoned,
        }
    }

    /// A stable word, for files that programs read.
    pub const fn reason(self) -> &'static str {
        self.words()[0]
    }

    /// What the engine did: the rest of a sentence that begins with its name.
    pub(crate) fn deed(self) -> &'static str {
        self.words()[1]
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words()[2])
    }
}

/// One fault, with its evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Who did it.
    pub side: Color,
    /// What it was.
    pub kind: FaultKind,
    /// How many half-moves had been played in the game when it happened, the
    /// book's moves included.
    pub ply: u32,
    /// When the referee saw it.
    pub at: Stamp,
    /// What the engine said or did, quoted; for people.
    pub detail: String,
    /// Of a crash: the end of what it wrote to its stderr, if it wrote any.
    pub stderr: Option<String>,
    /// For a flag fall: who is to blame, and the evidence; `None` if the host was not watched.
    pub evidence: Option<FlagEvidence>,
}

impl Fault {
    /// The detail, and what the engine wrote to its stderr, in one line.
    pub(crate) fn explained(&self) -> Cow<'_, str> {
        match &self.stderr {
            Some(stderr) => Cow::from(format!("{}; stderr: {stderr:?}", self.detail)),
            None => Cow::from(&self.detail),
        }
    }
}

/// Breaches of the protocol that lose nothing, counted per game and side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Breaches {
    /// `bestmove` lines without a `go`, or too late; never played.
    pub unasked_bestmoves: u32,
    /// Lines longer than the buffer, of which only the beginning was read.
    pub overlong_lines: u32,
}

// The values of the PGN tag `Termination`.

crate::chess::worded! {
    /// The PGN `Termination` tag's values.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Termination,
    /// The value of the tag.
    words: &'static str {
        /// Ended on the board.
        Normal = "normal",
        /// By score, length or tablebase.
        Adjudication = "adjudication",
        /// A flag fell.
        TimeForfeit = "time forfeit",
        /// An illegal move.
        RulesInfraction = "rules infraction",
        /// A crash, a stall, an engine that would not start.
        Abandoned = "abandoned",
        /// The game is void.
        Unterminated = "unterminated",
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

// The end of the conversation with both engines: the evidence of a fault.
//
// While a game runs the last lines of each direction are kept, so that an engine
// that chatters cannot push out the `go` it does not answer.

/// Lines kept of what one engine said.
const HEARD: usize = 24;

/// Lines kept of those sent to one engine: `position` and `go`, three times.
const TOLD: usize = 6;

/// The longest text kept of one line, in bytes.
pub const MAX_LINE_BYTES: usize = 400;

/// The longest end of stderr kept with a game, in bytes.
pub const MAX_STDERR_BYTES: usize = 4096;

/// One line, and when it was written or read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spoken {
    /// Just before it was written, or when its bytes had been read.
    pub at: Stamp,
    /// The engine.
    pub side: Color,
    /// Whether the engine wrote it; otherwise it was sent to the engine.
    pub from_engine: bool,
    /// The line, or its beginning.
    pub text: String,
    /// The length of the whole line in bytes.
    pub length: usize,
}

impl Spoken {
    /// Whether only the beginning of the line is here.
    pub fn is_cut(&self) -> bool {
        self.length > self.text.len()
    }
}

/// How the process of an engine with a fault ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// By itself, with this status.
    #[error("{}", ended_with(*.0))]
    Status(i32),
    /// By this signal, which did not come from here.
    #[error("{}", ended_by(*.0))]
    Signal(i32),
    /// It ran on, and was ended by the runner.
    #[error("ran on, and was ended by the runner")]
    Ended,
}

/// What is left of the engine that had the fault.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EngineExit {
    /// How its process ended; `None` if it still runs, or if this is not known.
    pub exit: Option<Exit>,
    /// The end of its stderr.
    pub stderr: String,
}

/// The evidence of a fault.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Dialogue {
    /// The last lines from and to both engines, in the order of time.
    pub lines: Vec<Spoken>,
    /// What is left of the engine that had the fault.
    pub remains: EngineExit,
}

impl Dialogue {
    /// Takes over the end of stderr, as much as is kept.
    pub fn take_stderr(&mut self, stderr: &str) {
        let mut start = stderr.len().saturating_sub(MAX_STDERR_BYTES);
        while !stderr.is_char_boundary(start) {
            start += 1;
        }
        self.remains.stderr = stderr[start..].to_owned();
    }
}

/// Listens while a game runs.
#[derive(Debug, Default)]
pub struct DialogueRecorder {
    /// By [`Color::index`].
    heard: [VecDeque<Spoken>; 2],
    told: [VecDeque<Spoken>; 2],
}

impl DialogueRecorder {
    /// A new game: the buffers stay.
    pub fn forget(&mut self) {
        let all = self.heard.iter_mut().chain(&mut self.told);
        all.for_each(VecDeque::clear);
    }

    /// A line that the engine said.
    pub fn heard(&mut self, side: Color, text: &str, at: Stamp) {
        self.keep(side, true, text, at);
    }

    /// Lines sent to the engine, each with its end.
    pub fn told(&mut self, side: Color, text: &str, at: Stamp) {
        for line in text.lines() {
            self.keep(side, false, line, at);
        }
    }

    /// Adds a line at the end of those of its direction.
    fn keep(&mut self, side: Color, from_engine: bool, line: &str, at: Stamp) {
        let (all, most) = if from_engine {
            (&mut self.heard, HEARD)
        } else {
            (&mut self.told, TOLD)
        };
        let kept = &mut all[side.index()];
        if kept.len() == most {
            kept.pop_front();
        }
        kept.push_back(Spoken {
            at,
            side,
            from_engine,
            text: beginning(line).to_owned(),
            length: line.len(),
        });
    }

    /// The lines of this game, in the order of time.
    pub fn dialogue(&self) -> Dialogue {
        let kept = self.told.iter().chain(&self.heard).flatten();
        let mut lines: Vec<Spoken> = kept.cloned().collect();
        // Stable: lines with the same stamp stay as they came, sent lines before received ones.
        lines.sort_by_key(|line| line.at);
        Dialogue {
            lines,
            remains: EngineExit::default(),
        }
    }
}

fn beginning(line: &str) -> &str {
    let mut end = line.len().min(MAX_LINE_BYTES);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    &line[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chatter_does_not_push_out_what_was_asked() {
        let mut listener = DialogueRecorder::default();
        listener.told(Color::White, "position fen X\ngo depth 1\n", Stamp(1));
        for line in 0..1000 {
            listener.heard(Color::White, &format!("info depth {line}"), Stamp(2 + line));
        }
        let lines = listener.dialogue().lines;
        assert_eq!(lines.len(), 2 + HEARD);
        assert_eq!(lines[1].text, "go depth 1");
        assert_eq!(lines.last().unwrap().text, "info depth 999");
    }

    #[test]
    fn nothing_of_the_last_game_is_said_of_this_one() {
        let mut listener = DialogueRecorder::default();
        listener.heard(Color::White, "bestmove e2e4", Stamp(5));
        listener.forget();
        listener.heard(Color::Black, "readyok", Stamp(9));
        let lines = listener.dialogue().lines;
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].text, "readyok");
    }

    #[test]
    fn long_lines_and_long_stderr_are_cut_between_letters() {
        let mut listener = DialogueRecorder::default();
        listener.heard(Color::White, &"ä".repeat(MAX_LINE_BYTES), Stamp(5));
        let line = &listener.dialogue().lines[0];
        assert!(line.is_cut() && line.text.len() <= MAX_LINE_BYTES);
        let mut dialogue = Dialogue::default();
        dialogue.take_stderr(&format!("a{}", "ä".repeat(MAX_STDERR_BYTES)));
        assert!(dialogue.remains.stderr.len() <= MAX_STDERR_BYTES);
        assert!(dialogue.remains.stderr.ends_with('ä'));
    }
}
