//! One process under examination: everything said is written down, every wait has an end.
//!
//! | file | what |
//! |---|---|
//! | this one | from the start of the program to `readyok` |
//! | `search` | positions and searches |
//! | `hearing` | what it says, and how it ends |

mod hearing;
mod search;

use std::time::Duration;

use super::bench::Bench;
use super::trouble::{Trouble, wrong};
use crate::check::Direction;
use crate::chess::UciDialect;
use crate::engine::process::Process;
use crate::uci::{Handshake, HandshakeStep, Message, Wishes};

pub(super) use search::SearchAnswer;

/// How long `uciok` may take at least, as in a tournament: large networks are read.
const START: Duration = Duration::from_secs(10);

/// A running engine. Dropping it kills its group.
pub(super) struct Subject<'a> {
    bench: &'a Bench,
    process: Process,
    number: usize,
    /// What every line ends with that is sent.
    pub line_end: &'static str,
    /// How castling is written.
    pub dialect: UciDialect,
}

impl<'a> Subject<'a> {
    /// Starts the program and says nothing.
    pub(crate) fn spawn(bench: &'a Bench) -> Result<Subject<'a>, Trouble> {
        let number = bench.next_engine();
        let process = Process::spawn(bench.candidate.command(), None, &bench.guardian);
        let process = process.map_err(|error| {
            let program = bench.candidate.program.display();
            Trouble::Unstartable(format!("cannot run {program}: {error}"))
        })?;
        Ok(Subject {
            bench,
            process,
            number,
            line_end: "\n",
            dialect: UciDialect::Standard,
        })
    }

    /// Starts the program and brings it to `readyok`, as a tournament would.
    pub(crate) async fn start(
        bench: &'a Bench,
        dialect: UciDialect,
    ) -> Result<Subject<'a>, Trouble> {
        let mut subject = Subject::spawn(bench)?;
        subject.shake_hands(dialect).await?;
        Ok(subject)
    }

    /// The handshake of a tournament, with its defaults (`Ponder` false, `OwnBook` false,
    /// `Threads` 1) where the engine declares them.
    pub(crate) async fn shake_hands(&mut self, dialect: UciDialect) -> Result<(), Trouble> {
        self.dialect = dialect;
        let mut handshake = Handshake::new(Wishes {
            options: self.bench.candidate.options.clone(),
            chess960: dialect == UciDialect::Chess960,
            ..Wishes::default()
        });
        let lines = self.introduce().await?;
        let mut commands = String::new();
        for line in lines {
            let progress = handshake.line(&line, &mut commands);
            let unfit = progress.map_err(|errors| {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                Trouble::Skip(errors.join("; "))
            })?;
            if unfit == HandshakeStep::Configured {
                break;
            }
        }
        commands.lines().for_each(|command| self.send(command));
        self.wait_ready().await
    }

    /// Sends one line.
    pub(crate) fn send(&mut self, line: &str) {
        self.bench.note(self.number, Direction::ToEngine, line);
        // An engine that has gone is noticed when its answer is awaited.
        let _ = self.process.input.send(&format!("{line}{}", self.line_end));
    }

    /// Closes the engine's input.
    pub(crate) fn close(&mut self) {
        self.remark("(its input is closed)");
        self.process.input.close();
    }

    fn remark(&self, words: &str) {
        self.bench.note(self.number, Direction::Remark, words);
    }

    /// Sends `uci`; the lines up to `uciok`, which is the last.
    pub(crate) async fn introduce(&mut self) -> Result<Vec<String>, Trouble> {
        self.send("uci");
        let mut lines = Vec::new();
        let limit = self.bench.timeout.max(START);
        self.wait_for("uciok", limit, |line| {
            lines.push(line.to_owned());
            (Message::parse(line) == Message::UciOk).then_some(())
        })
        .await?;
        Ok(lines)
    }

    /// Asks whether it is ready. A `bestmove` that nobody asked for is a fault.
    pub(crate) async fn ready(&mut self) -> Result<(), Trouble> {
        self.ready_by("isready").await
    }

    /// The same with other words.
    pub(crate) async fn ready_by(&mut self, command: &str) -> Result<(), Trouble> {
        self.send(command);
        self.wait_ready().await
    }

    async fn wait_ready(&mut self) -> Result<(), Trouble> {
        let limit = self.bench.timeout;
        let stray = |line: &str| match Message::parse(line) {
            Message::ReadyOk => Some(None),
            Message::BestMove { .. } => Some(Some(line.to_owned())),
            _ => None,
        };
        match self.wait_for("readyok", limit, stray).await? {
            None => Ok(()),
            Some(line) => wrong(format!("{line:?} was not asked for")),
        }
    }
}
