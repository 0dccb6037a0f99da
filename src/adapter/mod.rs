//! Engines that cannot play as UCI engines without help: a process runs between the referee and the engine, so that
//! clock, evidence and rules are the same as for every other engine. `arbiter960 xboard ENGINE` speaks XBoard's
//! protocol; `arbiter960 own-book FILE ENGINE` answers from a Polyglot book; `arbiter960 white-view ENGINE` turns scores round. Standard chess and Chess960.
//!
//! | file | what |
//! |---|---|
//! | `features` | what the engine says it can do, and its options |
//! | `thinking` | lines of thinking as `info`; the game that the engine has on its board, and moves in its notation |
//! | `limits` | the words of `go` as time controls |
//! | `delivery` | the order in which lines leave it |
//! | `translator` | the two dialogues of an XBoard engine, in virtual time |
//! | `own_book` | an engine with a book; an engine that gives its scores as White sees them |

mod delivery;
mod features;
mod limits;
mod own_book;
mod thinking;
mod translator;

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fs, thread};

pub(crate) use own_book::FROM_BOOK;
use own_book::{OwnBook, WhiteView};
use translator::Translator;

use crate::platform::process::signal_of;
use crate::platform::walls::end_by;
use crate::platform::{lock, pipes};
use crate::schedule::polyglot::PolyglotBook;
use crate::uci::LineBuffer;

/// The names of the commands.
pub(crate) const XBOARD: &str = "xboard";
pub(crate) const OWN_BOOK: &str = "own-book";
pub(crate) const WHITE_VIEW: &str = "white-view";

/// The part between runner and engine.
trait Between: Send + 'static {
    /// A line of the runner.
    fn hear_runner(&mut self, line: &str);
    /// A line of the engine.
    fn hear_engine(&mut self, line: &str);
    /// The lines to pass on, in order.
    fn out(&mut self) -> &mut Vec<PassedLine>;
    fn take(&mut self) -> Vec<PassedLine> {
        std::mem::take(self.out())
    }
    /// The runner has closed its side.
    fn ends(&mut self) {
        self.out().push(PassedLine::ToEngine("quit".to_owned()));
    }
    /// Time has passed since the runner said `uci`.
    fn has_waited(&mut self) {}
    /// The answer to this `ping` has not come for a while.
    fn doubts(&mut self, _ping: u32) {}
    /// The number of the `ping` whose answer is waited for.
    fn awaited(&self) -> Option<u32> {
        None
    }
    /// How long to wait after the engine has read a line, before the next one; `None` if lines may come together.
    fn pause(&self) -> Option<Duration> {
        None
    }
}

/// A line to pass on.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PassedLine {
    ToEngine(String),
    ToRunner(String),
}

/// Waiting time for an answer to `protover 2`, before it is sent again and once more after that: an engine that answers
/// nothing speaks the first version.
const GREETING: Duration = Duration::from_secs(1);

/// How long an engine may run after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_secs(5);

/// Time between two lines to an engine that overlooks a line which comes together with another. It counts from when the
/// engine has read the first line.
const LINE_INTERVAL: Duration = Duration::from_millis(1);

/// The longest wait for an engine to read a line, and the time between two looks.
const ENGINE_TIMEOUT: Duration = Duration::from_secs(1);
const POLL_INTERVAL: Duration = Duration::from_micros(50);

/// How long the answer to a `ping` may take before it is sent again, because it may have been overlooked.
const DOUBT: Duration = Duration::from_millis(20);

/// Where lines arrive and are passed on, translated.
struct Middle<B> {
    between: B,
    engine: ChildStdin,
    /// Receives the number of every ping that is waited for, and the last one sent there.
    pings: Sender<u32>,
    doubted: Option<u32>,
}

impl<B: Between> Middle<B> {
    /// Gives it an input, and passes on its answer.
    fn hear(&mut self, tell: impl FnOnce(&mut B)) -> io::Result<()> {
        tell(&mut self.between);
        let mut runner = io::stdout().lock();
        for line in self.between.take() {
            match line {
                PassedLine::ToEngine(text) => self.tell(&text)?,
                PassedLine::ToRunner(text) => writeln!(runner, "{text}")?,
            }
        }
        let awaited = self.between.awaited();
        if let Some(ping) = awaited.filter(|_| awaited != self.doubted) {
            // Without a receiver the process is at its end.
            let _ended = self.pings.send(ping);
        }
        self.doubted = awaited;
        runner.flush()
    }

    fn tell(&mut self, text: &str) -> io::Result<()> {
        if let Some(pause) = self.between.pause() {
            let begun = Instant::now();
            while pipes::unread(&self.engine) > 0 && begun.elapsed() < ENGINE_TIMEOUT {
                thread::sleep(POLL_INTERVAL);
            }
            thread::sleep(pause);
        }
        self.engine.write_all(format!("{text}\n").as_bytes())
    }
}

/// Plays with an engine of XBoard's protocol as a UCI engine on standard input and output, until either ends. Returns the
/// engine's exit code; this process ends by the signal by which the engine was ended.
///
/// # Errors
/// The engine cannot be started, or the output is closed.
pub(crate) fn xboard(command: &[OsString], first_lines: Vec<String>) -> io::Result<u8> {
    let program = command.first().cloned().unwrap_or_default();
    let name = program.to_string_lossy();
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    relay(command, Translator::new(name, first_lines))
}

/// The same with a UCI engine that has a book; a book that cannot be read is left out. It is asked for so many half-moves
/// of a game, and its moves are drawn with this seed.
///
/// # Errors
/// As [`xboard`].
pub(crate) fn own_book(
    command: &[OsString],
    book: &Path,
    plies: usize,
    seed: u64,
) -> io::Result<u8> {
    let bytes = fs::read(book).unwrap_or_default();
    let book = PolyglotBook::read(&bytes).ok();
    relay(command, OwnBook::new(book, plies, seed))
}

/// The same with a UCI engine that gives its scores as White sees them.
///
/// # Errors
/// As [`xboard`].
pub(crate) fn white_view(command: &[OsString]) -> io::Result<u8> {
    relay(command, WhiteView::default())
}

fn relay(command: &[OsString], between: impl Between) -> io::Result<u8> {
    let Some((program, args)) = command.split_first() else {
        return Ok(0);
    };
    let mut command = Command::new(program);
    command.args(args);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Ok(0);
    };
    let engine = Arc::new(Mutex::new(child));
    let ending = Arc::clone(&engine);
    let (pings, unanswered) = mpsc::channel();
    let middle = Arc::new(Mutex::new(Middle {
        between,
        engine: input,
        pings,
        doubted: None,
    }));
    let doubting = Arc::clone(&middle);
    thread::spawn(move || doubt(&doubting, &unanswered));
    let runner = Arc::clone(&middle);
    thread::spawn(move || {
        // A write to an engine that has ended is not reported here: the end of the engine's output shows it.
        let _ended = listen(io::stdin().lock(), |line| {
            lock(&runner).hear(|between| between.hear_runner(line))?;
            if line == "uci" {
                let late = Arc::clone(&runner);
                thread::spawn(move || {
                    for _ in 0..2 {
                        thread::sleep(GREETING);
                        lock(&late).hear(Between::has_waited)?;
                    }
                    io::Result::Ok(())
                });
            }
            Ok(line != "quit")
        });
        let _ended = lock(&runner).hear(Between::ends);
        thread::sleep(QUIT_TIMEOUT);
        let _ended = lock(&ending).kill();
    });
    let heard = listen(output, |line| {
        lock(&middle).hear(|between| between.hear_engine(line))?;
        Ok(true)
    });
    // A line for an engine that has ended is an error, too: what counts is how it ended.
    end_of(&engine).map_or(heard.map(|()| 0), Ok)
}

/// How the engine ended, whose output has ended. One that lives on is not waited for.
fn end_of(engine: &Mutex<Child>) -> Option<u8> {
    let begun = Instant::now();
    while begun.elapsed() < ENGINE_TIMEOUT {
        if let Ok(Some(status)) = lock(engine).try_wait() {
            if let Some(signal) = signal_of(status) {
                end_by(signal);
            }
            return status.code().map(|code| code.to_le_bytes()[0]);
        }
        thread::sleep(POLL_INTERVAL);
    }
    None
}

/// Sends pings again as long as they are not answered, less and less often: the engine may only be slow.
fn doubt<B: Between>(middle: &Mutex<Middle<B>>, pings: &Receiver<u32>) -> io::Result<()> {
    while let Ok(ping) = pings.recv() {
        let ping = pings.try_iter().last().unwrap_or(ping);
        let mut wait = DOUBT;
        let mut is_awaited = true;
        while is_awaited {
            thread::sleep(wait);
            wait *= 2;
            lock(middle).hear(|between| {
                is_awaited = between.awaited() == Some(ping);
                if is_awaited {
                    between.doubts(ping);
                }
            })?;
        }
    }
    Ok(())
}

/// Passes on every line, as long as more are wanted.
fn listen(mut from: impl Read, mut each: impl FnMut(&str) -> io::Result<bool>) -> io::Result<()> {
    let mut lines = LineBuffer::new();
    loop {
        let count = match from.read(lines.spare()) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        lines.commit(count);
        while let Some(line) = lines.next_line() {
            if !each(line.text.trim())? {
                return Ok(());
            }
        }
        if count == 0 {
            return Ok(());
        }
    }
}
