//! The thinking thread: one job after the other.

use std::io::{self, Write};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use arbiter960_sparring::{Control, IterationReport, Search, Strength, TranspositionTable};

use super::budget::budget;
use super::report;
use crate::chess::{Position, UciDialect};
use crate::uci::GoLimits;

/// What the worker is asked for.
pub(super) enum WorkerJob {
    /// Think, and say a move.
    Search(Box<Task>),
    /// Forget the last game.
    NewGame,
    /// A table of this size in mebibytes.
    Resize(usize),
    /// Say that everything before is done.
    Ready,
}

/// One search.
pub(super) struct Task {
    pub(super) position: Position,
    /// Keys of the game, the position's last.
    pub(super) keys: Vec<u64>,
    pub(super) limits: GoLimits,
    pub(super) strength: Strength,
    pub(super) dialect: UciDialect,
    pub(super) started: Instant,
    pub(super) control: Arc<Control>,
}

/// Where lines go, one write each.
pub(super) struct LineOutput<W: Write>(Mutex<W>);

impl<W: Write> LineOutput<W> {
    pub(super) fn new(writer: W) -> Self {
        LineOutput(Mutex::new(writer))
    }

    /// Writes a line (or several) and flushes.
    pub(super) fn say(&self, mut text: String) -> io::Result<()> {
        text.push('\n');
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writer.write_all(text.as_bytes())?;
        writer.flush()
    }
}

/// Works until nobody can ask any more.
///
/// # Errors
/// The output cannot be written.
pub(super) fn work<W: Write>(
    jobs: Receiver<WorkerJob>,
    output: &LineOutput<W>,
    mebibytes: usize,
) -> io::Result<()> {
    let mut table = TranspositionTable::new(mebibytes);
    for job in jobs {
        match job {
            WorkerJob::Search(task) => {
                let said = think(&task, &mut table, output);
                task.control.finish();
                said?;
            }
            WorkerJob::NewGame => table.clear(),
            WorkerJob::Resize(mebibytes) => table.resize(mebibytes),
            WorkerJob::Ready => output.say("readyok".to_owned())?,
        }
    }
    Ok(())
}

fn think<W: Write>(
    task: &Task,
    table: &mut TranspositionTable,
    output: &LineOutput<W>,
) -> io::Result<()> {
    let (position, dialect, control) = (&task.position, task.dialect, &task.control);
    let mover = position.side_to_move();
    let budget = budget(&task.limits, mover, task.strength, task.started);
    let mut said = Ok(());
    let mut tell = |found: &IterationReport<'_>| {
        if said.is_ok() {
            said = output.say(report::finding(found, position, dialect));
        }
    };
    let keys = task.keys.clone();
    let mut search = Search::new(table, task.strength, keys, budget, control);
    let outcome = search.run(position, &mut tell);
    said?;
    control.wait(budget.infinite);
    output.say(report::outcome(&outcome, position, dialect))
}
