//! One process under examination: everything said is written down, every wait has an end.

use std::process::ExitStatus;
use std::time::Duration;

use tokio::time::Instant;

use super::bench::{Bench, CheckError, Checked, Direction, Introduction, wrong};
use crate::chess::{FenDialect, Game, Move, Position, UciDialect};
use crate::engine::process::{AwaitedReply, Process, describe_exit};
use crate::engine::start::ReplyDeadline;
use crate::host::starvation::Starvation;
use crate::uci::{EngineIdentity, Handshake, HandshakeStep, Message, Wishes, position_command};

/// How long `uciok` may take at least, as in a tournament: large networks are read.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// How long an engine that has closed its output has to say how it ended.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// What an engine that ends while it is listened to ended before.
const END_OF_PAUSE: &str = "the end of a pause in which nothing was asked";

/// More lines before one answer than any engine writes.
const MAX_LINES: usize = 200_000;

/// One search that has ended.
#[derive(Debug)]
pub(super) struct SearchAnswer {
    /// The move, in the engine's words.
    pub text: String,
    /// The move after `ponder`.
    pub ponder: Option<String>,
    /// All lines before `bestmove`.
    pub lines: Vec<String>,
    /// From when it was awaited to the answer.
    pub took: Duration,
}

/// How long an engine is listened to before it is asked anything, and after `uciok`.
const LISTENING_TIME: Duration = Duration::from_millis(200);

/// A running engine. Dropping it kills its group.
pub(super) struct Subject<'a> {
    pub(super) bench: &'a Bench,
    process: Process,
    number: usize,
    /// What every line ends with that is sent.
    pub line_end: &'static str,
    /// How castling is written.
    pub dialect: UciDialect,
}

impl<'a> Subject<'a> {
    /// Starts the program and says nothing.
    pub(super) fn spawn(bench: &'a Bench) -> Checked<Subject<'a>> {
        let number = bench.next_engine();
        let process = Process::spawn(bench.candidate.command(), None, &bench.guardian, None);
        let process = process.map_err(|error| {
            let program = bench.candidate.program.display();
            CheckError::Wrong(format!("cannot run {program}: {error}"))
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
    pub(super) async fn start(bench: &'a Bench, dialect: UciDialect) -> Checked<Subject<'a>> {
        let mut subject = Subject::spawn(bench)?;
        subject.shake_hands(dialect).await?;
        Ok(subject)
    }

    /// The handshake of a tournament, with its defaults (`Ponder` false, `OwnBook` false,
    /// `Threads` 1) where the engine declares them.
    pub(super) async fn shake_hands(&mut self, dialect: UciDialect) -> Checked<()> {
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
                CheckError::Skip(errors.join("; "))
            })?;
            if unfit == HandshakeStep::Configured {
                break;
            }
        }
        commands.lines().for_each(|command| self.send(command));
        self.wait_ready().await
    }

    /// Sends one line.
    pub(super) fn send(&mut self, line: &str) {
        self.bench.note(self.number, Direction::ToEngine, line);
        // An engine that has gone is noticed when its answer is awaited.
        let _ = self.process.input.send(&format!("{line}{}", self.line_end));
    }

    /// Closes the engine's input.
    pub(super) fn close(&mut self) {
        self.remark("(its input is closed)");
        self.process.input.close();
    }

    fn remark(&self, words: &str) {
        self.bench.note(self.number, Direction::Remark, words);
    }

    /// Sends `uci`; the lines up to `uciok`, which is the last.
    pub(super) async fn introduce(&mut self) -> Checked<Vec<String>> {
        self.send("uci");
        let mut lines = Vec::new();
        let limit = self.bench.timeout.max(START_TIMEOUT);
        self.wait_for("uciok", limit, |line| {
            lines.push(line.to_owned());
            (Message::parse(line) == Message::UciOk).then_some(())
        })
        .await?;
        Ok(lines)
    }

    /// Asks whether it is ready. A `bestmove` that nobody asked for is a fault.
    pub(super) async fn ready(&mut self) -> Checked<()> {
        self.send("isready");
        self.wait_ready().await
    }

    pub(super) async fn wait_ready(&mut self) -> Checked<()> {
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

    /// The FEN that every engine reads: Shredder-FEN in Chess960, `KQkq` in plain chess.
    pub(super) fn fen(&self) -> FenDialect {
        match self.dialect {
            UciDialect::Chess960 => FenDialect::Shredder,
            UciDialect::Standard => FenDialect::XFen,
        }
    }

    /// Sends `position` with the start in this dialect, `startpos` where it is that.
    pub(super) fn place(&mut self, game: &Game, fen: FenDialect) {
        let mut line = position_command(game.start(), fen);
        for (index, &mv) in game.moves().iter().enumerate() {
            line.push_str(if index == 0 { " moves " } else { " " });
            line.push_str(game.positions()[index].uci(mv, self.dialect).as_str());
        }
        self.send(&line);
    }

    /// Sends `go …` and waits for its end.
    pub(super) async fn go(&mut self, limits: &str, limit: Duration) -> Checked<SearchAnswer> {
        self.send(&format!("go {limits}"));
        self.best_move(limit).await
    }

    /// Places the game and lets the engine answer; the answer must be legal.
    pub(super) async fn answer(
        &mut self,
        game: &Game,
        limits: &str,
    ) -> Checked<(Move, SearchAnswer)> {
        self.place(game, self.fen());
        let search = self.go(limits, self.bench.timeout).await?;
        Ok((self.legal(game.position(), &search)?, search))
    }

    /// The move that the search ended with.
    pub(super) fn legal(&self, position: &Position, search: &SearchAnswer) -> Checked<Move> {
        let read = position.parse_uci(&search.text, self.dialect);
        read.or_else(|error| {
            let fen = position.fen(self.fen());
            wrong(format!("`bestmove {}` in {fen}: {error}", search.text))
        })
    }

    /// Waits for `bestmove`.
    pub(super) async fn best_move(&mut self, limit: Duration) -> Checked<SearchAnswer> {
        let begun = Instant::now();
        let mut lines = Vec::new();
        let found = |line: &str| match Message::parse(line) {
            Message::BestMove { text, ponder } => {
                Some((text.to_owned(), ponder.map(str::to_owned)))
            }
            _ => {
                lines.push(line.to_owned());
                None
            }
        };
        let mut waits = Starvation::begin(self.process.id());
        let found = self.wait_for("bestmove", limit, found).await;
        let waited = waits.as_mut().map(|waits| waits.since(Duration::ZERO));
        self.bench.add_wait(waited.unwrap_or_default());
        let (text, ponder) = found?;
        Ok(SearchAnswer {
            text,
            ponder,
            lines,
            took: begun.elapsed(),
        })
    }

    /// Fails if the search ends within this time, with these words.
    pub(super) async fn thinks_on(&mut self, time: Duration, words: &str) -> Checked<()> {
        let ended = |line: &String| matches!(Message::parse(line), Message::BestMove { .. });
        match self.listen(time).await?.into_iter().find(ended) {
            None => Ok(()),
            Some(line) => wrong(format!("{line:?} {words}")),
        }
    }

    /// Everything that it says within this time.
    pub(super) async fn listen(&mut self, time: Duration) -> Checked<Vec<String>> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        // Also for an engine that never stops talking.
        while lines.len() < MAX_LINES && Instant::now() < deadline {
            match self.line(END_OF_PAUSE).await? {
                Some(line) => lines.push(line),
                None => {
                    self.process.attend(AwaitedReply::Output, deadline).await;
                }
            }
        }
        Ok(lines)
    }

    /// Reads lines until one is what is awaited. What the machine takes of its time the engine is given back, as in an
    /// event.
    pub(super) async fn wait_for<T>(
        &mut self,
        awaited: &str,
        limit: Duration,
        mut found: impl FnMut(&str) -> Option<T>,
    ) -> Checked<T> {
        let mut patience = ReplyDeadline::new(limit);
        let mut lines = 0;
        while lines < MAX_LINES {
            match self.line(awaited).await? {
                Some(line) => match found(&line) {
                    Some(found) => return Ok(found),
                    None => lines += 1,
                },
                None if patience.read(&mut self.process).await.is_none() => break,
                None => {}
            }
        }
        Err(CheckError::silent(awaited, limit))
    }

    /// The next line, if it was read; an engine that has closed its output says no more.
    async fn line(&mut self, awaited: &str) -> Checked<Option<String>> {
        let open = self.process.output.is_open();
        let lines = &mut self.process.output.lines;
        let mut line = lines.next_line().map(|line| line.text.to_owned());
        if line.is_none() && !open {
            line = lines.finish().map(|line| line.text.to_owned());
        }
        if let Some(text) = &line {
            self.bench.note(self.number, Direction::FromEngine, text);
        } else if !open {
            return self.ended(awaited).await;
        }
        Ok(line)
    }

    async fn ended<T>(&mut self, awaited: &str) -> Checked<T> {
        self.process.ends_within(EXIT_TIMEOUT).await;
        let mut evidence = describe_exit(self.process.end().await);
        let stderr = self.process.errors.tail();
        if !stderr.is_empty() {
            evidence += &format!("; stderr: {stderr:?}");
        }
        self.remark(&format!("(it has ended: {evidence})"));
        wrong(format!("it ended before {awaited}; {evidence}"))
    }

    /// Waits for its end, and kills whatever it leaves behind: its exit status, and how many
    /// processes it left.
    pub(super) async fn end(mut self, why: &str) -> Checked<(Option<ExitStatus>, usize)> {
        let limit = self.bench.timeout;
        let mut patience = ReplyDeadline::new(limit);
        if !patience.sees_the_end_of(&mut self.process).await {
            return Err(CheckError::silent(&format!("end after {why}"), limit));
        }
        let left = self.process.companions();
        let status = self.process.end().await;
        self.remark(&format!("(it has ended: {})", describe_exit(status)));
        Ok((status, left))
    }
}

impl Bench {
    /// Hears what the engine says of itself.
    pub(super) async fn meet(&self) -> Checked<Introduction> {
        let mut subject = Subject::spawn(self)?;
        let unasked = subject.listen(LISTENING_TIME).await?;
        let begun = Instant::now();
        let lines = subject.introduce().await?;
        let took = begun.elapsed();
        let afterwards = subject.listen(LISTENING_TIME).await?;
        Ok(Introduction {
            unasked,
            identity: identity(&lines),
            lines,
            afterwards,
            took,
        })
    }
}

fn identity(lines: &[String]) -> EngineIdentity {
    let mut identity = EngineIdentity::default();
    for line in lines {
        match Message::parse(line) {
            Message::Name(name) => identity.name = name.to_owned(),
            Message::Author(author) => identity.author = author.to_owned(),
            Message::Option(option) => identity.options.insert(option),
            _ => {}
        }
    }
    identity
}
