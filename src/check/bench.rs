//! What the checks of one engine share.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use tokio::time::Instant;

use super::subject::Subject;
use super::trouble::{Trouble, wrong};
use crate::check::{BoundedDialogue, Direction};
use crate::engine::environment;
use crate::engine::guardian::Guardian;
use crate::host::starvation::Starvation;
use crate::uci::{EngineIdentity, IdField, Message};

/// How long an engine is listened to before it is asked anything, and after `uciok`.
const SILENCE: Duration = Duration::from_millis(200);

/// The engine that is to be examined.
#[derive(Debug, Clone)]
pub(crate) struct CheckedEngine {
    /// Its program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Options that are set in every check; names and values.
    pub options: Vec<(String, String)>,
}

impl CheckedEngine {
    /// Never a shell's line: every argument is its own.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        environment::reduce(&mut command, false);
        command
    }
}

/// What an engine said of itself when it was first met.
#[derive(Debug, Default)]
pub(super) struct Introduction {
    /// Before it was asked.
    pub unasked: Vec<String>,
    /// From `uci` to `uciok`.
    pub lines: Vec<String>,
    /// After `uciok`.
    pub afterwards: Vec<String>,
    /// From `uci` to `uciok`.
    pub took: Duration,
    /// The same, read.
    pub identity: EngineIdentity,
}

/// Where the dialogue is written down.
#[derive(Debug)]
struct DialogueRecord {
    begun: Instant,
    engines: usize,
    dialogue: BoundedDialogue,
}

impl DialogueRecord {
    fn new() -> DialogueRecord {
        DialogueRecord {
            begun: Instant::now(),
            engines: 0,
            dialogue: BoundedDialogue::default(),
        }
    }
}

/// Where an engine is examined.
#[derive(Debug)]
pub(super) struct Bench {
    pub candidate: CheckedEngine,
    /// How long an answer may take where a check does not say otherwise.
    pub timeout: Duration,
    pub guardian: Guardian,
    pub introduction: Introduction,
    record: RefCell<DialogueRecord>,
    /// How long engines were kept from running in this check, and this process.
    waits: Cell<Duration>,
    examiner: RefCell<Option<Starvation>>,
}

impl Bench {
    pub(crate) fn new(candidate: CheckedEngine, timeout: Duration, guardian: Guardian) -> Bench {
        Bench {
            candidate,
            timeout,
            guardian,
            introduction: Introduction::default(),
            record: RefCell::new(DialogueRecord::new()),
            waits: Cell::default(),
            examiner: RefCell::default(),
        }
    }

    /// Adds a time for which an engine of this check was kept from running.
    pub(crate) fn add_wait(&self, waited: Duration) {
        self.waits.set(self.waits.get() + waited);
    }

    /// How long the machine kept engine and examiner from running since this was asked last.
    pub(crate) fn take_waits(&self) -> Duration {
        let mut examiner = self.examiner.borrow_mut();
        let own = examiner.as_mut().map(|own| own.since(Duration::ZERO));
        if examiner.is_none() {
            *examiner = i32::try_from(std::process::id())
                .ok()
                .and_then(Starvation::begin);
        }
        self.waits.take() + own.unwrap_or_default()
    }

    /// Another process of this check; its number.
    pub(crate) fn next_engine(&self) -> usize {
        let mut record = self.record.borrow_mut();
        record.engines += 1;
        record.engines
    }

    pub(crate) fn note(&self, engine: usize, direction: Direction, text: &str) {
        let mut record = self.record.borrow_mut();
        let at = record.begun.elapsed();
        record.dialogue.add(at, engine, direction, text);
    }

    /// The dialogue of the check that is over, and how long it took; a new record begins.
    pub(crate) fn take_record(&self) -> (BoundedDialogue, Duration) {
        let record = self.record.replace(DialogueRecord::new());
        (record.dialogue, record.begun.elapsed())
    }

    /// Hears what the engine says of itself.
    pub(crate) async fn meet(&self) -> Result<Introduction, Trouble> {
        let mut subject = Subject::spawn(self)?;
        let unasked = subject.listen(SILENCE).await?;
        let begun = Instant::now();
        let lines = subject.introduce().await?;
        let took = begun.elapsed();
        let afterwards = subject.listen(SILENCE).await?;
        Ok(Introduction {
            unasked,
            identity: identity(&lines),
            lines,
            afterwards,
            took,
        })
    }

    /// An option of this name must be declared, or the check does not concern the engine.
    pub(crate) fn needs_option(&self, name: &str) -> Result<(), Trouble> {
        match self.introduction.identity.options.get(name) {
            Some(_) => Ok(()),
            None => Err(Trouble::Skip(format!("it declares no option {name}"))),
        }
    }

    /// Fails if one of these is a problem.
    pub(crate) fn none_of(&self, problems: Vec<String>) -> Result<String, Trouble> {
        if problems.is_empty() {
            return Ok(String::new());
        }
        wrong(problems.join("; "))
    }
}

fn identity(lines: &[String]) -> EngineIdentity {
    let mut identity = EngineIdentity::default();
    for line in lines {
        match Message::parse(line) {
            Message::Id {
                field: IdField::Name,
                value,
            } => identity.name = value.to_owned(),
            Message::Id {
                field: IdField::Author,
                value,
            } => identity.author = value.to_owned(),
            Message::Option(option) => identity.options.insert(option),
            _ => {}
        }
    }
    identity
}
