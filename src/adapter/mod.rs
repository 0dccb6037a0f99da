//! Engines that the referee cannot ask as they are, as UCI engines: a process stands between the two, so that
//! clock, evidence and rules are those of every other engine. `arbiter960 xboard ENGINE` speaks XBoard's protocol;
//! `arbiter960 own-book FILE ENGINE` answers from a Polyglot book. Standard chess and Chess960.
//!
//! | file | what |
//! |---|---|
//! | `features` | what the engine says it can do, and its options |
//! | `thinking` | lines of thinking as `info` |
//! | `board` | the game that the engine has on its board, and moves in its notation |
//! | `limits` | the words of `go` as time controls |
//! | `translator` | the two dialogues of an XBoard engine, in virtual time |
//! | `own_book` | an engine with a book |

mod board;
mod features;
mod limits;
mod own_book;
mod thinking;
mod translator;

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) use own_book::FROM_BOOK;
use own_book::OwnBook;
use translator::Translator;

use crate::platform::pipes;
use crate::schedule::polyglot::PolyglotBook;

/// The names of the commands.
pub(crate) const XBOARD: &str = "xboard";
pub(crate) const OWN_BOOK: &str = "own-book";

/// An engine of XBoard's protocol, and its arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct XboardArguments {
    /// A line that the engine is sent first
    #[arg(long, value_name = "LINE", allow_hyphen_values = true)]
    init: Vec<String>,
    /// The engine and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

/// A book, and an engine with its arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct BookArguments {
    /// The Polyglot book
    book: PathBuf,
    /// For how many half-moves of a game it is asked
    plies: usize,
    /// What its moves are drawn with
    seed: u64,
    /// The engine and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

/// What stands between runner and engine.
trait Between: Send + 'static {
    /// A line of the runner.
    fn hear_runner(&mut self, line: &str);
    /// A line of the engine.
    fn hear_engine(&mut self, line: &str);
    /// What is to be passed on, in order.
    fn take(&mut self) -> Vec<Line>;
    /// The runner is done.
    fn ends(&mut self);
    /// Time has passed since the runner said `uci`.
    fn has_waited(&mut self) {}
    /// Whether the engine hears only what comes after a pause.
    fn overlooks_lines(&self) -> bool {
        false
    }
}

/// A line that is to be passed on.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Line {
    ToEngine(String),
    ToRunner(String),
}

/// How long an answer to `protover 2` is waited for, before it is said again and after that: an engine that
/// answers nothing speaks the first version.
const GREETING: Duration = Duration::from_secs(1);

/// How long an engine may live on after `quit`.
const FAREWELL: Duration = Duration::from_secs(5);

/// Between two lines to an engine that overlooks one which comes together with another: from when it has read
/// the first, for which it is waited so long at most.
const PAUSE: Duration = Duration::from_millis(1);
const PATIENCE: Duration = Duration::from_secs(1);

/// Where lines arrive and are passed on, translated.
struct Middle<B> {
    between: B,
    engine: ChildStdin,
}

impl<B: Between> Middle<B> {
    /// Lets it hear something, and passes on what it says to that.
    fn hear(&mut self, tell: impl FnOnce(&mut B)) -> io::Result<()> {
        tell(&mut self.between);
        let mut runner = io::stdout().lock();
        for line in self.between.take() {
            match line {
                Line::ToEngine(text) => self.tell(&text)?,
                Line::ToRunner(text) => writeln!(runner, "{text}")?,
            }
        }
        runner.flush()
    }

    fn tell(&mut self, text: &str) -> io::Result<()> {
        let begun = Instant::now();
        while self.between.overlooks_lines() {
            let is_read = pipes::unread(&self.engine) == 0;
            thread::sleep(PAUSE);
            if is_read || begun.elapsed() > PATIENCE {
                break;
            }
        }
        self.engine.write_all(format!("{text}\n").as_bytes())
    }
}

/// Plays with an engine of XBoard's protocol as a UCI engine on standard input and output, until either ends.
///
/// # Errors
/// The engine cannot be started, or nobody reads.
pub(crate) fn xboard(arguments: XboardArguments) -> io::Result<()> {
    let program = arguments.command.first().cloned().unwrap_or_default();
    let name = program.to_string_lossy();
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    relay(&arguments.command, Translator::new(name, arguments.init))
}

/// The same with a UCI engine that has a book; one that cannot be read is none.
///
/// # Errors
/// As [`xboard`].
pub(crate) fn own_book(arguments: BookArguments) -> io::Result<()> {
    let bytes = fs::read(&arguments.book).unwrap_or_default();
    let book = PolyglotBook::read(&bytes).ok();
    let between = OwnBook::new(book, arguments.plies, arguments.seed);
    relay(&arguments.command, between)
}

fn relay(command: &[OsString], between: impl Between) -> io::Result<()> {
    let Some((program, args)) = command.split_first() else {
        return Ok(());
    };
    let mut command = Command::new(program);
    command.args(args);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Ok(());
    };
    let middle = Arc::new(Mutex::new(Middle {
        between,
        engine: input,
    }));
    let runner = Arc::clone(&middle);
    thread::spawn(move || {
        // Whoever writes to an engine that has ended learns it by the end of its output.
        let _ended = listen(io::stdin().lock(), |line| {
            hear(&runner, |between| between.hear_runner(line))?;
            if line == "uci" {
                let late = Arc::clone(&runner);
                thread::spawn(move || {
                    for _ in 0..2 {
                        thread::sleep(GREETING);
                        hear(&late, Between::has_waited)?;
                    }
                    io::Result::Ok(())
                });
            }
            Ok(line != "quit")
        });
        let _ended = hear(&runner, Between::ends);
        thread::sleep(FAREWELL);
        let _ended = child.kill();
    });
    listen(BufReader::new(output), |line| {
        hear(&middle, |between| between.hear_engine(line))?;
        Ok(true)
    })
}

/// Lets it hear something.
fn hear<B: Between>(middle: &Mutex<Middle<B>>, tell: impl FnOnce(&mut B)) -> io::Result<()> {
    let mut middle = middle.lock().unwrap_or_else(PoisonError::into_inner);
    middle.hear(tell)
}

/// Hands over every line, as long as more are wanted; what is no UTF-8 is replaced.
fn listen(
    mut from: impl BufRead,
    mut each: impl FnMut(&str) -> io::Result<bool>,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if from.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if !each(String::from_utf8_lossy(&line).trim())? {
            return Ok(());
        }
    }
}
