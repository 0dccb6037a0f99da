//! `arbiter960 merge` and `rebuild`: one event out of its shards, and a store out of `games.pgn`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::listeners::{RunDisplay, RunListeners, listeners};
use crate::cli::{conclusion, exit, play};
use crate::config::{Overrides, load};
use crate::run::signals::SignalWatch;
use crate::run::{Merged, Rebuilding, merge, rebuild};
use crate::text::{count, printable, printable_lines, tell};
use crate::tournament::NOT_IN_PGN;

/// Maximum number of incomplete shards that are named; the others are counted.
const MAX_NAMED_SHARDS: usize = 20;

/// Make one event of the shards that several machines have played.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  arbiter960 run event.toml --shard 1/2     on one machine
  arbiter960 run event.toml --shard 2/2     on another
  arbiter960 merge results/event results/event-shard-*

Every game of every shard is replayed and compared with the plan first, and a game that two shards have
differently is refused. Merging again, with the same shards or with more, gives the same as merging
once. The engines need not be installed here; a book must be. What is missing is named: `arbiter960 run`
with the event file plays it, if OUT is the event's folder below the results. docs/many-machines.md has
scripts for Slurm and for GitHub Actions.")]
pub(crate) struct MergeArguments {
    /// The folder of the whole event, such as results/NAME
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// The folders of the shards
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,

    /// The event file, if the one that the shards have cannot be read here
    #[arg(long, value_name = "EVENT.toml")]
    event: Option<PathBuf>,

    /// Write no report.html
    #[arg(long)]
    no_report: bool,

    /// Let the exit code say how the SPRT ended: 10 H1 accepted, 11 H0 accepted, 12 undecided
    #[arg(long)]
    exit_verdict: bool,
}

/// Runs the command.
///
/// # Errors
/// The stores are not shards of one event, or a game of one is not what it should be; nothing is changed
/// then. A file cannot be written.
pub(crate) fn run(arguments: &MergeArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let signals = SignalWatch::start()?;
    let event = arguments.event.as_deref();
    let merged = merge(&arguments.out, &arguments.shards, event)?;
    if arguments.exit_verdict && merged.session.tournament().sprt.is_none() {
        anyhow::bail!("--exit-verdict needs a test: the event has no [sprt]");
    }
    let said = words(&merged, &arguments.out);
    let end = Arc::<conclusion::EventEnd>::default();
    let complete = merged.session.is_complete()?;
    let shown = RunListeners {
        display: RunDisplay::Quiet,
        report: !arguments.no_report,
        live_pgn: None,
        web: None,
    };
    let ending = merged.session.complete(&signals, |session, event| {
        listeners(session, event, &shown, &end)
    })?;
    if let Some(code) = ending.signal() {
        return Ok(code);
    }
    said.iter().for_each(|line| tell(line));
    conclusion::write(&arguments.out, complete, &end, out)?;
    if arguments.exit_verdict {
        play::verdict(&arguments.out)
    } else {
        Ok(exit::DONE)
    }
}

/// Prints what was merged, and what is missing.
fn words(merged: &Merged, out: &Path) -> Vec<String> {
    let games = count(merged.games, "game");
    let shards = count(merged.shards, "shard");
    let mut lines = vec![if merged.unchanged {
        format!("{} has all {games} of {shards} already", out.display())
    } else {
        format!("{games} of {shards} are in {}", out.display())
    }];
    if merged.repeated > 0 {
        let repeated = count(merged.repeated, "game");
        let words = format!("{repeated} were found more than once, and count once");
        lines.push(words);
    }
    let missing: u64 = merged.missing.iter().map(|(_, games, _)| games).sum();
    if missing == 0 {
        return lines;
    }
    let total = count(missing, "game");
    lines.push(format!("missing of {} shards: {total}", merged.division));
    for (shard, games, named) in merged.missing.iter().take(MAX_NAMED_SHARDS) {
        let games = count(*games, "game");
        let why = if *named { "" } else { ", which was not named" };
        lines.push(format!("  {games} of shard {shard}{why}"));
    }
    let more = merged.missing.len().saturating_sub(MAX_NAMED_SHARDS);
    if more > 0 {
        lines.push(format!("  and some of {}", count(more, "more shard")));
    }
    let source = merged.session.tournament().source.display().to_string();
    lines.push(format!(
        "the same command of these shards, and this one again, adds them; or `arbiter960 run {}` plays \
         them here",
        printable(&source)
    ));
    lines
}

// `arbiter960 rebuild`: a store out of `games.pgn`.

/// Make the store of an event anew out of its games.pgn, where event.db is gone.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  arbiter960 rebuild event.toml
  arbiter960 run event.toml

Every game of games.pgn is replayed and compared with the plan: pair, colours, engines with their \
options and limits, start and book; its result is compared with its end. A game that does not fit is \
named, and nothing is changed; a game that a power cut has torn at the end of the file is played again. The engines are started once, to learn their names. What only the store knew is lost.

Of an event of `match`: the same options with --print-config write its event file. A seed that was \
drawn stands in log/run.log in the event's folder.")]
pub(crate) struct RebuildArguments {
    /// The event file, as it was when the games were played
    #[arg(value_name = "EVENT.toml")]
    event: PathBuf,

    /// The folder of all events
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,

    /// The seed of the event, if it was drawn
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Leave games out that do not fit: the next run plays them again, and keeps the old games.pgn
    #[arg(long)]
    leave_out: bool,
}

/// Runs the command.
///
/// # Errors
/// The store cannot be made; then nothing was changed.
pub(crate) fn run_rebuild(arguments: &RebuildArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let overrides = Overrides {
        seed: arguments.seed,
        ..Overrides::default()
    };
    let (tournament, _) = load(&arguments.event, overrides)?;
    let identity = tournament.identity()?;
    let signals = SignalWatch::start()?;
    let results = &arguments.results;
    let made = rebuild(tournament, identity, results, arguments.leave_out, &signals)?;
    let (folder, made) = match made {
        Rebuilding::Stopped(code) => return Ok(code),
        Rebuilding::Done { folder, games } => (folder, games),
    };
    for words in &made.left_out {
        writeln!(out, "left out: {}", printable_lines(words))?;
    }
    if let Some(words) = made.torn {
        let what = "the end of the file is not a whole game, and is left out";
        writeln!(out, "{what}: {}", printable_lines(&words))?;
    }
    writeln!(
        out,
        "{} was made anew out of games.pgn: {}. Of these is not known: {NOT_IN_PGN}. The \
         programs of the engines were taken to be those that are there now.\n`arbiter960 run {}` goes on \
         with the event.",
        printable(&folder.join("event.db").display().to_string()),
        count(made.games, "game"),
        printable(&arguments.event.display().to_string())
    )?;
    if !made.rulings.is_empty() {
        writeln!(
            out,
            "The arbiter's book is not restored. games.pgn had these rulings; the games count as they were \
             played until you make them again with `arbiter960 decide`:"
        )?;
    }
    for ruling in &made.rulings {
        writeln!(out, "  {}", printable_lines(ruling))?;
    }
    Ok(exit::DONE)
}
