//! `arbiter960 status`: where an event stands.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use crate::analysis::Verdict;
use crate::cli::conclusion::{shell_word, shown};
use crate::cli::exit;
use crate::report::screen::results;
use crate::report::verdict::{first_text, verdict_json};
use crate::run::control::{ControlRequest, RunStatus, WorkerStatus, ask};
use crate::sink::{Pace, span};
use crate::store::Reader;
use crate::text::{count, harmless_json, labelled, printable};
use crate::tournament::{EventState, Scoreboard, SprtWatch, ruling_lines, ruling_values};

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
}

/// Runs the command.
///
/// # Errors
/// There is no event in the folder, or it cannot be read.
pub(crate) fn run(arguments: &StatusArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let reader = Reader::open(&arguments.results)?;
    let running = reader.is_running();
    let mut state = EventState::read(&reader)?;
    state.runs(usize::from(running));
    let (roster, board, test) = (state.roster(), state.board(), state.test());
    let counts = reader.counts()?;
    let missing = roster
        .planned_games
        .map(|planned| board.missing_games(planned));
    // A run that does not answer is as good as one that has just ended.
    let status = ask(&arguments.results, ControlRequest::Status);
    let status = status.ok().flatten().and_then(|reply| reply.status);
    // A test that is decided misses nothing.
    let missing = if state.is_decided() { Some(0) } else { missing };
    // Statistics would take processors from engines that play.
    let statistics = match running {
        true => None,
        false => Some(shown(&reader)?),
    };
    let verdict = Verdict::of_event(&state, statistics.as_ref());
    if arguments.json {
        let value = serde_json::json!({
            "event": roster.event,
            "planned_games": roster.planned_games,
            "played_games": counts.finished,
            "played_pairs": counts.pairs,
            "missing_games": missing,
            "voided_games": counts.voided,
            "annulled_games": board.annulled_games(),
            "cancelled_games": board.cancelled_games(),
            "disqualified": ruling_values(board),
            "running": running,
            "run": status,
            "decided_by_host": roster.decided_by_host,
            "sprt": test.map(SprtWatch::json),
            "verdict": test.map(SprtWatch::verdict),
            "claims": verdict_json(&verdict)["claims"],
            "adaptive": roster.adaptive,
            "rebuilt": roster.rebuilt,
        });
        writeln!(out, "{}", harmless_json(&value.to_string()))?;
        return Ok(exit::DONE);
    }
    let line =
        |out: &mut dyn Write, name: &str, text: &str| write!(out, "{}", labelled(name, 11, text));
    let folder = shell_word(&arguments.results.display().to_string());
    writeln!(out, "{}", first_text(&verdict, &folder))?;
    line(out, "event", &printable(&roster.event))?;
    let planned = match roster.planned_games {
        Some(planned) => count(planned, "game"),
        None if test.is_some() => "until the SPRT decides".to_owned(),
        None => "until every position is settled".to_owned(),
    };
    line(out, "planned", &planned)?;
    let played = counts_of_games(counts.finished, counts.pairs, board);
    for (name, text) in played {
        line(out, name, &text)?;
    }
    if let Some(missing) = missing {
        let left = match reader.pace()?.filter(|_| missing > 0) {
            Some((a_game, last)) => {
                let now = jiff::Timestamp::now().as_millisecond();
                let silent = now.saturating_sub(last).max(0).unsigned_abs();
                let silent = Duration::from_millis(if running { silent } else { 0 });
                let pace = Pace { a_game, silent };
                match pace.silence() {
                    Some(silence) => format!("; {silence}"),
                    None => format!(
                        ", about {} at the last games' pace",
                        until(pace.seconds(missing as f64), running)
                    ),
                }
            }
            None => String::new(),
        };
        line(out, "missing", &format!("{}{left}", count(missing, "game")))?;
    }
    if counts.voided > 0 {
        let text = "void, and played again or still missing; counted nowhere above";
        line(
            out,
            "void",
            &format!("{}: {text}", count(counts.voided, "attempt")),
        )?;
    }
    if let Some(adaptive) = &roster.adaptive {
        line(out, "adaptive", adaptive)?;
    }
    if let Some(rebuilt) = &roster.rebuilt {
        line(out, "rebuilt", &rebuilt.to_string())?;
    }
    for ruling in ruling_lines(board) {
        line(out, "note", &ruling)?;
    }
    line(out, "running", if running { "yes" } else { "no" })?;
    if let Some(status) = &status {
        what_runs(status, out)?;
    }
    if board.games() > 0 {
        let table = results(&verdict, Some(&state), statistics.as_ref());
        write!(out, "\n{table}")?;
    }
    Ok(exit::DONE)
}

/// The games that are played, and those that count nowhere.
fn counts_of_games(finished: u64, pairs: u64, board: &Scoreboard) -> Vec<(&'static str, String)> {
    let (games, pairs) = (count(finished, "game"), count(pairs, "pair"));
    let mut lines = vec![("played", format!("{games}, {pairs}"))];
    for (name, games, why) in [
        (
            "annulled",
            board.annulled_games(),
            "played by a disqualified engine, and not counted",
        ),
        (
            "cancelled",
            board.cancelled_games(),
            "not played, because an engine was disqualified",
        ),
    ] {
        if games > 0 {
            lines.push((name, format!("{}: {why}", count(games, "game"))));
        }
    }
    lines
}

/// So long, and until when if it goes on now.
fn until(seconds: f64, running: bool) -> String {
    let left = span(seconds);
    let rest = Duration::from_secs_f64(seconds.clamp(0.0, 1e9));
    let end = jiff::Timestamp::now()
        .saturating_add(rest)
        .unwrap_or(jiff::Timestamp::MAX);
    match running {
        true => format!("{left} (until {} UTC)", end.strftime("%Y-%m-%d %H:%M")),
        false => left,
    }
}

/// What a run does now.
fn what_runs(status: &RunStatus, out: &mut dyn Write) -> std::io::Result<()> {
    let line = |out: &mut dyn Write, text: &str| write!(out, "{}", labelled("", 11, text));
    let games = count(status.concurrency as u64, "game");
    let paused = if status.paused { ", paused" } else { "" };
    line(out, &format!("{games} at once{paused}"))?;
    if let Some(waits) = &status.waits {
        line(out, waits)?;
    }
    for worker in &status.workers {
        line(out, &of_worker(worker))?;
    }
    for pair in &status.running {
        let since = jiff::Timestamp::from_millisecond(pair.since_ms).unwrap_or_default();
        let number = pair.number;
        let number = number.map_or(String::new(), |number| format!(", position {number}"));
        let (white, black) = (printable(&pair.white), printable(&pair.black));
        let since = since.strftime("%H:%M:%S");
        let words = format!(
            "{} {white} - {black}{number}, the pair since {since} UTC",
            pair.round
        );
        line(out, &words)?;
    }
    Ok(())
}

/// A machine that plays for the run.
fn of_worker(worker: &WorkerStatus) -> String {
    let WorkerStatus { lanes, playing, .. } = worker;
    let heard = jiff::Timestamp::from_millisecond(worker.heard_ms).unwrap_or_default();
    let mut words = format!(
        "worker {} on {} ({}): {playing} of {lanes} lanes play, {} stored, {} with faults or void, {}, \
         heard of at {} UTC",
        printable(&worker.name),
        printable(&worker.host),
        printable(&worker.processor),
        count(worker.pairs, "pair"),
        count(worker.faults, "game"),
        match worker.refused {
            0 => "none refused".to_owned(),
            refused => format!("{refused} refused"),
        },
        heard.strftime("%H:%M:%S")
    );
    if let Some(speed) = worker.speed {
        words.push_str(&format!(", speed {speed} nodes/s"));
    }
    if worker.recomputed[0] > 0 {
        let [moves, differing] = worker.recomputed;
        let moves = count(moves, "move");
        words.push_str(&format!(", {moves} recomputed, {differing} differ"));
    }
    if let Some(trouble) = &worker.trouble {
        words.push_str(&format!("; {}", printable(trouble)));
    }
    words
}
