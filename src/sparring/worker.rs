//! The thinking thread: one job after the other, how much time and how many nodes a move may take, and what is said of it.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arbiter960_sparring::{
    Budget, Control, IterationReport, MATE, MATED_AT_MOST, MAX_DEPTH, Search, SearchOutcome,
    Strength, TranspositionTable,
};

use crate::chess::{Color, Position, UciDialect};
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
pub(super) struct LineOutput<W: Write>(pub(super) Mutex<W>);

impl<W: Write> LineOutput<W> {
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
            said = output.say(finding_line(found, position, dialect));
        }
    };
    let keys = task.keys.clone();
    let mut search = Search::new(table, task.strength, keys, budget, control);
    let outcome = search.run(position, &mut tell);
    said?;
    control.wait(budget.infinite);
    output.say(outcome_lines(&outcome, position, dialect))
}

/// Time kept back for pipes and schedulers.
const MOVE_OVERHEAD: Duration = Duration::from_millis(8);

/// Moves still to be played, where nobody says how many.
const EXPECTED_MOVES: u32 = 28;

/// What `limits` allow `mover`, beginning at `started`.
fn budget(limits: &GoLimits, mover: Color, strength: Strength, started: Instant) -> Budget {
    let (clock, increment) = match mover {
        Color::White => (limits.wtime, limits.winc),
        Color::Black => (limits.btime, limits.binc),
    };
    let on_clock = clock.map(|time| share(time, increment, limits.movestogo));
    let for_move = limits
        .movetime
        .map(|time| time - MOVE_OVERHEAD.min(time / 4));
    let hard = [on_clock.map(|(_, hard)| hard), for_move]
        .into_iter()
        .flatten()
        .min();
    let deepest = MAX_DEPTH;
    Budget {
        started,
        soft: on_clock.map(|(soft, _)| soft).filter(|_| !limits.infinite),
        hard: hard.filter(|_| !limits.infinite),
        nodes: limits.nodes.unwrap_or(u64::MAX),
        level_nodes: strength.nodes().unwrap_or(u64::MAX),
        depth: limits
            .depth
            .map_or(deepest, |depth| depth.clamp(1, deepest as u32) as i32),
        infinite: limits.infinite,
    }
}

/// The part of a clock that a move may take: when to begin nothing new, when to break off.
fn share(
    clock: Duration,
    increment: Option<Duration>,
    moves_to_go: Option<u32>,
) -> (Duration, Duration) {
    let usable = clock - MOVE_OVERHEAD.min(clock / 2);
    let moves = moves_to_go
        .unwrap_or(EXPECTED_MOVES)
        .clamp(1, EXPECTED_MOVES);
    let increment = increment.unwrap_or_default();
    // The increment of this move is on the clock already.
    let average = usable / moves + increment * 3 / 4;
    let hard = (average * 4)
        .min(usable * if moves == 1 { 9 } else { 5 } / 10)
        .min(usable);
    (average.min(hard) * 7 / 10, hard)
}

/// An `info` line with score and line of play.
fn finding_line(found: &IterationReport<'_>, position: &Position, dialect: UciDialect) -> String {
    let mut text = format!(
        "info depth {} seldepth {} score ",
        found.depth, found.seldepth
    );
    push_score(&mut text, found.score);
    push_totals(&mut text, found.nodes, found.time);
    let _ = write!(text, " hashfull {} pv", found.fill);
    for word in position.uci_line(found.line.iter().copied(), dialect) {
        let _ = write!(text, " {word}");
    }
    text
}

/// The end of a search: totals where the last iteration was broken off, and the move.
fn outcome_lines(outcome: &SearchOutcome, position: &Position, dialect: UciDialect) -> String {
    let mut text = String::new();
    if outcome.unfinished {
        text.push_str("info");
        push_totals(&mut text, outcome.nodes, outcome.time);
        text.push('\n');
    }
    let Some(best) = outcome.best else {
        let score = if position.in_check() {
            "mate 0"
        } else {
            "cp 0"
        };
        let _ = write!(text, "info depth 0 score {score}\nbestmove (none)");
        return text;
    };
    let _ = write!(text, "bestmove {}", position.uci(best, dialect));
    if let Some(ponder) = outcome.ponder {
        let _ = write!(
            text,
            " ponder {}",
            position.after(best).uci(ponder, dialect)
        );
    }
    text
}

/// Centipawns, or mate in moves.
fn push_score(text: &mut String, score: i32) {
    // Writing to a String cannot fail.
    let _ = if score.abs() < MATED_AT_MOST {
        write!(text, "cp {score}")
    } else {
        let moves = (MATE - score.abs() + 1) / 2;
        write!(text, "mate {}", moves * score.signum())
    };
}

fn push_totals(text: &mut String, nodes: u64, time: Duration) {
    let nps = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    let _ = write!(text, " nodes {nodes} nps {nps} time {}", time.as_millis());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(number: u64) -> Option<Duration> {
        Some(Duration::from_millis(number))
    }

    fn budget(limits: GoLimits) -> Budget {
        super::budget(&limits, Color::White, Strength::MAX, Instant::now())
    }

    #[test]
    fn no_move_takes_more_than_the_clock() {
        for time in [1, 2, 10, 50, 100, 1_000, 60_000] {
            for increment in [0, 1, 100, 10_000] {
                for movestogo in [None, Some(1), Some(2), Some(40)] {
                    let (wtime, winc) = (milliseconds(time), milliseconds(increment));
                    let limits = GoLimits {
                        wtime,
                        winc,
                        movestogo,
                        ..GoLimits::default()
                    };
                    let budget = budget(limits);
                    assert!(
                        budget.soft <= budget.hard && budget.hard < wtime,
                        "{limits:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn time_lasts_for_a_game() {
        let mut left = Duration::from_secs(10);
        for _ in 0..100 {
            let limits = GoLimits {
                wtime: Some(left),
                winc: milliseconds(100),
                ..GoLimits::default()
            };
            left = left - budget(limits).hard.unwrap() + Duration::from_millis(100);
        }
        assert!(left > Duration::from_millis(100), "{left:?}");
    }

    #[test]
    fn infinite_means_infinite() {
        let limits = GoLimits {
            wtime: milliseconds(1),
            infinite: true,
            ..GoLimits::default()
        };
        assert_eq!((budget(limits).soft, budget(limits).hard), (None, None));
    }

    #[test]
    fn mates_are_counted_in_moves() {
        let text = |score| {
            let mut text = String::new();
            push_score(&mut text, score);
            text
        };
        assert_eq!(text(MATE - 1), "mate 1");
        assert_eq!(text(MATE - 3), "mate 2");
        assert_eq!(text(2 - MATE), "mate -1");
        assert_eq!(text(4 - MATE), "mate -2");
        assert_eq!(text(-55), "cp -55");
    }
}
