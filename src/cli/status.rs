//! `arbiter960 status`: the present state of an event.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::analysis::{EventStatistics, Verdict};
use crate::event::UnixMillis;
use crate::platform::terminal::shell_word;
use crate::report::tables::results;
use crate::report::verdict::first_text;
use crate::run::control::{ControlRequest, RunStatus, WorkerStatus, ask};
use crate::sink::Pace;
use crate::store::{PROGRAMS, Reader, StoreCounts, StoreError};
use crate::text::{about, count, harmless_json, instant, labelled, printable};
use crate::tournament::{
    EventPhase, EventState, InterruptedGame, SprtWatch, entrant_lines, interrupted_games,
    interruption_lines, pending_bids, ruling_lines, ruling_values, unusual_games,
};

use super::exit;
use super::sources::games_of;

/// Say where an event stands: played, missing, time left, SPRT, standings.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  arbiter960 status results/quickstart")]
pub(crate) struct StatusArguments {
    /// The event's folder
    #[arg(value_name = "RESULTS")]
    results: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Print who meets whom in the round that is played and in the next one, of an event in rounds
    #[arg(long, conflicts_with = "json")]
    pairings: bool,
}

/// The present state of an event.
struct EventStatus {
    reader: Reader,
    running: bool,
    state: EventState,
    counts: StoreCounts,
    /// The answer of its run, if one answers.
    run: Option<RunStatus>,
    statistics: Option<EventStatistics>,
    /// Whether a run was about to play a game.
    has_run: bool,
    /// Games that the last run has left behind.
    interrupted: Vec<InterruptedGame>,
}

/// Runs the command.
///
/// # Errors
/// The folder has no event, or it cannot be read.
pub(crate) fn run(arguments: &StatusArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let standing = EventStatus::read(&arguments.results)?;
    if arguments.pairings {
        return print_pairings(&standing.state, out);
    }
    let verdict = Verdict::of_event(&standing.state, standing.statistics.as_ref());
    if arguments.json {
        let text = standing.json(&verdict).to_string();
        writeln!(out, "{}", harmless_json(&text))?;
        return Ok(exit::DONE);
    }
    let folder = shell_word(&arguments.results.display().to_string());
    writeln!(out, "{}", first_text(&verdict, &folder))?;
    for (name, text) in standing.lines()? {
        write!(out, "{}", labelled(name, 11, &text))?;
    }
    if standing.state.board().games() > 0 {
        let statistics = standing.statistics.as_ref();
        let table = results(&verdict, Some(&standing.state), statistics);
        write!(out, "\n{table}")?;
    }
    Ok(exit::DONE)
}

/// Prints what is known of the rounds to come of an event that has begun, for `--dry-run`.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn coming_rounds(state: &EventState, out: &mut dyn Write) -> anyhow::Result<()> {
    let (board, name) = (state.board(), printable(&state.roster().event));
    let played = count(board.games(), "game");
    let how = match board.planned_games() {
        Some(planned) => format!(" of {planned} are played."),
        None => " are played; the results decide how many follow.".to_owned(),
    };
    writeln!(out, "{name}: {played}{how}")?;
    print_pairings(state, out).map(drop)
}

/// The boards of this round and of the next one.
fn print_pairings(state: &EventState, out: &mut dyn Write) -> anyhow::Result<u8> {
    let Some(rounds) = state.pairings() else {
        anyhow::bail!(
            "this event is not played in rounds: `arbiter960 run --dry-run` with its event file says what it plays"
        );
    };
    for words in entrant_lines(state.roster()) {
        writeln!(out, "{words}")?;
    }
    if rounds.is_empty() {
        writeln!(out, "No round can be paired now.")?;
    }
    for pairings in rounds {
        let provisional = if pairings.provisional {
            ", if the arbiter decides nothing else"
        } else {
            ""
        };
        writeln!(out, "Round {}{provisional}", pairings.round)?;
        for (board, [white, black]) in &pairings.boards {
            let (white, black) = (printable(white), printable(black));
            writeln!(out, "  board {board}  {white} – {black}")?;
        }
        for bye in &pairings.byes {
            writeln!(out, "  bye  {}", printable(bye))?;
        }
    }
    Ok(exit::DONE)
}

impl EventStatus {
    fn read(folder: &Path) -> anyhow::Result<EventStatus> {
        let reader = Reader::open(folder)?;
        let running = reader.is_running();
        let mut state = EventState::read(&reader)?;
        state.runs(usize::from(running));
        // A run that does not answer is treated as one that has just ended.
        let status = ask(folder, ControlRequest::Status);
        let run = status.ok().flatten().and_then(|reply| reply.status);
        state.acts(running.then_some(match &run {
            Some(run) if run.paused => EventPhase::Paused,
            Some(RunStatus {
                waits: Some(round), ..
            }) => EventPhase::Waiting(round.clone()),
            _ => EventPhase::Playing,
        }));
        Ok(EventStatus {
            running,
            has_run: reader.value(PROGRAMS)?.is_some(),
            counts: reader.counts()?,
            run,
            // Statistics would take processors from engines that play.
            statistics: if running {
                None
            } else {
                Some(EventStatistics::new(&games_of(folder)?))
            },
            state,
            interrupted: if running {
                Vec::new()
            } else {
                interrupted_games(&reader)?
            },
            reader,
        })
    }

    fn phase(&self) -> EventPhase {
        match self.state.phase() {
            // A run was killed in its first game, or in one that is finished although it decides nothing.
            EventPhase::Before if self.has_run => EventPhase::Stopped,
            EventPhase::Over if !self.interrupted.is_empty() && !self.state.is_decided() => {
                EventPhase::Stopped
            }
            phase => phase,
        }
    }

    fn json(&self, verdict: &Verdict) -> serde_json::Value {
        let (roster, board, test) = (self.state.roster(), self.state.board(), self.state.test());
        serde_json::json!({
            "event": roster.event,
            "planned_games": board.planned_games(),
            "played_games": self.counts.finished,
            "played_pairs": self.counts.pairs,
            "missing_games": self.state.missing_games(),
            "voided_games": self.counts.voided,
            "forfeited_games": board.forfeited_games(),
            "annulled_games": board.annulled_games(),
            "cancelled_games": board.cancelled_games(),
            "interrupted": interruption_lines(roster, &self.interrupted),
            "disqualified": ruling_values(board),
            "entrants": roster.entrants(),
            "running": self.running,
            "phase": self.phase().word(),
            "run": self.run,
            "decided_by_host": roster.decided_by_host,
            "sprt": test.map(SprtWatch::json),
            "verdict": test.map(SprtWatch::verdict),
            "claims": verdict.claims,
            "adaptive": roster.adaptive,
            "rebuilt": roster.rebuilt,
        })
    }

    /// Each line with its label.
    fn lines(&self) -> Result<Vec<(&'static str, String)>, StoreError> {
        let (roster, board) = (self.state.roster(), self.state.board());
        let planned = match board.planned_games() {
            Some(planned) => count(planned, "game"),
            None if self.state.is_decided() => "until the SPRT decided".to_owned(),
            None if self.state.test().is_some() => "until the SPRT decides".to_owned(),
            None if roster.adaptive.is_some() => "until every position is settled".to_owned(),
            None => "the results decide how many games".to_owned(),
        };
        let event = printable(&roster.event).into_owned();
        let mut lines = vec![("event", event), ("planned", planned)];
        let [games, pairs] = [self.counts.finished, self.counts.pairs];
        let played = format!("{}, {}", count(games, "game"), count(pairs, "pair"));
        lines.push(("played", played));
        lines.extend(unusual_games(board));
        if let Some(missing) = self.state.missing_games() {
            let left = self.left(missing)?;
            lines.push(("missing", format!("{}{left}", count(missing, "game"))));
        }
        if self.counts.voided > 0 {
            let games = count(self.counts.voided, "game");
            lines.push(("void", format!("{games}, played again or missing")));
        }
        lines.extend(roster.adaptive.clone().map(|words| ("adaptive", words)));
        let rebuilt = roster.rebuilt.as_ref();
        lines.extend(rebuilt.map(|rebuilt| ("rebuilt", rebuilt.to_string())));
        if self.phase() != EventPhase::Over {
            let words = interruption_lines(roster, &self.interrupted);
            lines.extend(words.into_iter().map(|words| ("note", words)));
        }
        if !self.running {
            let waits = pending_bids(&self.reader, roster, board)?.into_iter();
            lines.extend(waits.map(|wait| ("note", wait.to_string())));
        }
        let notes = ruling_lines(board).into_iter().chain(entrant_lines(roster));
        lines.extend(notes.map(|words| ("note", words)));
        lines.push(("phase", self.phase().to_string()));
        let run = self.run.iter().flat_map(what_runs);
        lines.extend(run.map(|words| ("", words)));
        Ok(lines)
    }

    /// How long the missing games take at the last games' pace, if that can be estimated.
    fn left(&self, missing: u64) -> Result<String, StoreError> {
        let now = UnixMillis::now().0;
        let wait_ms = match self.state.phase() {
            EventPhase::Paused | EventPhase::Over => return Ok(String::new()),
            EventPhase::Waiting(round) => u64::try_from(round.starts_ms - now).unwrap_or(0),
            EventPhase::Before | EventPhase::Playing | EventPhase::Stopped => 0,
        };
        let Some((a_game, last)) = self.reader.pace()?.filter(|_| missing > 0) else {
            return Ok(String::new());
        };
        // The time in which no run had the event is no silence.
        let pairs = self.run.iter().flat_map(|run| &run.running);
        let last = last.max(pairs.map(|pair| pair.since_ms).min().unwrap_or(last));
        let silent = u64::try_from(now.saturating_sub(last)).unwrap_or(0);
        let plays = self.running && wait_ms == 0;
        let silent = Duration::from_millis(if plays { silent } else { 0 });
        let pace = Pace { a_game, silent };
        if let Some(silence) = pace.silence() {
            return Ok(format!("; {silence}"));
        }
        let seconds = wait_ms as f64 / 1e3 + pace.seconds(missing as f64);
        let mut left = about(seconds);
        if self.running {
            let end = now.saturating_add((1e3 * seconds) as i64);
            left += &format!(" (until {})", instant(end));
        }
        Ok(format!(", about {left} at the last games' pace"))
    }
}

/// The present activity of a run, line by line.
fn what_runs(status: &RunStatus) -> Vec<String> {
    let games = count(status.concurrency, "game");
    let mut lines = vec![format!("{games} at once")];
    let said = status.farm.iter().chain(&status.overdue);
    lines.extend(said.map(|words| printable(words).into_owned()));
    lines.extend(status.workers.iter().map(of_worker));
    lines.extend(status.waiting.iter().map(ToString::to_string));
    for pair in &status.running {
        let number = pair.number;
        let number = number.map_or(String::new(), |number| format!(", position {number}"));
        let (white, black) = (printable(&pair.white), printable(&pair.black));
        let (round, since) = (&pair.round, instant(pair.since_ms));
        let words = format!("{round} {white} - {black}{number}, the pair since {since}");
        lines.push(words);
    }
    lines
}

/// A machine that plays for the run.
fn of_worker(worker: &WorkerStatus) -> String {
    let (machine, playing) = (&worker.machine, worker.playing);
    let lanes = machine.lanes;
    let [name, host, processor] =
        [&worker.name, &machine.host, &machine.processor].map(|own| printable(own));
    let (pairs, faults) = (count(worker.pairs, "pair"), count(worker.faults, "game"));
    let refused = match worker.refused {
        0 => "none refused".to_owned(),
        refused => format!("{refused} refused"),
    };
    let mut words = format!(
        "worker {name} on {host} ({processor}): {playing} of {lanes} lanes play, {pairs} stored, {faults} \
         with faults or void, {refused}, heard of at {}",
        instant(worker.heard_ms)
    );
    if let Some(trouble) = &worker.trouble {
        words.push_str(&format!("; {}", printable(trouble)));
    }
    words
}
