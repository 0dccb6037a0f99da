//! `arbiter960 decide`: the arbiter's book.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::conclusion::EventEnd;
use crate::cli::exit;
use crate::cli::listeners::{statistics, verdict};
use crate::cli::report::report_of;
use crate::config::{Overrides, load};
use crate::event::{ArbiterDecision, UnixMillis};
use crate::platform::machine;
use crate::report::statistics::positions_csv;
use crate::sink::{Sink, StandingsSink, replace_file, rewrite_pgn};
use crate::store::{EventLock, Reader, Signature, record_decision};
use crate::text::printable;
use crate::tournament::{
    DecisionRefusal, Desk, EventState, EventView, PreparedDecision, Roster, act_words,
    decision_lines, resumption_lines,
};

/// Write a decision of the arbiter into the event's book, or print the book.
///
/// A decision is a fact beside the games: with time, author and reason, never in the place of what was
/// played. It counts at once, also while the event is being played, in PGN, standings, tables and report.
/// What follows from it is shown; on a terminal it is written only after `y`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 decide results/cup result 3.1.2 1-0 --reason \"the flag fell by the host's fault\"
  arbiter960 decide results/league forfeit 17.2 --loser Toga --reason \"a second processor\"
  arbiter960 decide results/league withdraw Toga --reason \"its author asks for it\" --author Anna
  arbiter960 decide results/swiss extend --rounds 2 --reason \"time is left\"
  arbiter960 decide results/farm purge box2 --reason \"its fan has stopped\"
  arbiter960 decide results/swiss undo 3 --reason \"the wrong game\"
  arbiter960 decide results/swiss list

A game is named as the tag Round of games.pgn has it: pair and game (17.2), or round, board and game
(3.1.2). Pair and game do in every event, and a pair alone (17) where it has one game.
docs/organiser.md walks through an event.")]
pub(crate) struct DecideArguments {
    /// The event's folder
    #[arg(value_name = "RESULTS")]
    results: PathBuf,

    #[command(subcommand)]
    act: BookAct,

    /// Why: it enters the book, the PGN and the report
    #[arg(long, value_name = "TEXT", global = true)]
    reason: Option<String>,

    /// Who decides; without it the user of this system
    #[arg(long, value_name = "NAME", global = true)]
    author: Option<String>,

    /// Write it without asking; scripts are never asked
    #[arg(long, global = true)]
    yes: bool,
}

/// What can be asked.
#[derive(Debug, clap::Subcommand)]
enum BookAct {
    #[command(flatten)]
    Decide(DecisionAct),
    /// Print the book, and which games went on after an interruption
    List,
}

/// What can be decided.
#[derive(Debug, clap::Subcommand, serde::Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum DecisionAct {
    /// Take an engine out: it plays no more pairs; `disqualified` in [faults] says what its games are worth
    Withdraw {
        /// The engine's name
        engine: String,
    },
    /// Let one side lose a game, played or not; it counts in the standings, not in the statistics
    Forfeit {
        /// The game
        game: String,
        /// Who loses: white, black or the engine's name
        #[arg(long, value_name = "WHO")]
        loser: String,
    },
    /// Change the result of a played game, or take points from both sides of a game, played or not
    Result {
        /// The game
        game: String,
        /// 1-0, 0-1 or 1/2-1/2; 0-0, 1/2-0 or 0-1/2, which the statistics leave out
        #[arg(allow_hyphen_values = true)]
        result: String,
    },
    /// Play a game again; the first one does not count. One that was interrupted begins anew
    Replay {
        /// The game
        game: String,
    },
    /// Play again what a worker of a farm has played; its games do not count
    Purge {
        /// The worker's name
        worker: String,
    },
    /// Let the last engine of the event file take part from the next round on (Swiss)
    Add {
        /// The engine's name
        engine: String,
    },
    /// Go on with another build of an engine: the one that the event file names now
    Replace {
        /// The engine's name
        engine: String,
    },
    /// Add rounds to a Swiss or a league in rounds
    Extend {
        /// How many
        #[arg(long, value_name = "N")]
        rounds: u16,
    },
    /// Bid for an armageddon game that waits for it: sealed until both engines have bid
    Bid {
        /// The engine's name
        engine: String,
        /// The part of White's time that it wants for Black
        percent: u8,
    },
    /// Take a decision back: the last that holds, or that of this number
    Undo {
        /// The decision's number
        decision: Option<u64>,
    },
    /// Tell those who look at the page something; `undo` ends it
    Announce {
        /// What they are told
        words: String,
    },
}

/// Runs the command.
///
/// # Errors
/// The folder has no event, or the decision cannot be made: then nothing is written.
pub(crate) fn run(arguments: &DecideArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let folder = &arguments.results;
    let BookAct::Decide(act) = &arguments.act else {
        return list(folder, out);
    };
    let of_bid = matches!(act, DecisionAct::Bid { .. }).then_some("the operator's bid");
    let reason = arguments.reason.as_deref().or(of_bid).unwrap_or_default();
    let signature = signature(arguments.author.as_deref(), reason)?;
    check_event_file(folder, act)?;
    let asks = !arguments.yes && io::stdin().is_terminal() && io::stdout().is_terminal();
    let mut shown = None;
    if asks {
        let reader = Reader::open(folder)?;
        let (words, prepared) = previewed(&reader, act, reader.is_running())?;
        writeln!(out, "To be decided: {words}.")?;
        tell_consequences(&prepared.consequences, out)?;
        if !is_confirmed(out)? {
            writeln!(out, "Nothing was written.")?;
            return Ok(exit::DONE);
        }
        shown = Some(prepared);
    }
    // Kept until the files are written, so that no run begins before then.
    let stopped = EventLock::unless_played(folder)?;
    let shown_before = shown.as_ref().map(|shown| shown.consequences.clone());
    let is_played = stopped.is_none();
    let (decision, consequences) = write(folder, act, &signature, (shown, None), is_played)?;
    let reader = Reader::open(folder)?;
    let words = act_words(&Roster::read(&reader)?, &decision.act);
    writeln!(out, "Decision {}: {}.", decision.id, printable(&words))?;
    if shown_before.as_ref() != Some(&consequences) {
        tell_consequences(&consequences, out)?;
    }
    let rest = if is_played {
        "The event is being played: the runner acts on it within a second."
    } else if write_files(&reader, folder)? {
        "games.pgn, standings and tables have it."
    } else {
        "games.pgn, standings and tables have it; `arbiter960 run` with the event file plays what follows from it."
    };
    writeln!(out, "{rest}")?;
    Ok(exit::DONE)
}

/// Who decides now, and why.
///
/// # Errors
/// No reason is given, or an empty name.
pub(super) fn signature(author: Option<&str>, reason: &str) -> anyhow::Result<Signature> {
    let author = author.map_or_else(user, |name| name.trim().to_owned());
    let reason = reason.trim().to_owned();
    if reason.is_empty() {
        anyhow::bail!("a decision needs its reason: --reason \"…\"");
    }
    if author.is_empty() {
        anyhow::bail!("a decision needs the name of who decides");
    }
    Ok(Signature {
        decided: UnixMillis::now(),
        author,
        reason,
    })
}

/// Prints the book.
fn list(folder: &Path, out: &mut dyn Write) -> anyhow::Result<u8> {
    let reader = Reader::open(folder)?;
    let roster = Roster::read(&reader)?;
    let mut lines = decision_lines(&roster);
    lines.extend(resumption_lines(&reader, &roster)?);
    for line in &lines {
        writeln!(out, "{line}")?;
    }
    if lines.is_empty() {
        writeln!(out, "Nothing has been decided.")?;
    }
    Ok(exit::DONE)
}

/// A decision in words, and what follows from it in the present state of the event.
///
/// # Errors
/// It cannot be made.
pub(super) fn previewed(
    reader: &Reader,
    act: &DecisionAct,
    is_played: bool,
) -> Result<(String, PreparedDecision), DecisionRefusal> {
    let desk = Desk::open(reader, is_played)?;
    let prepared = desk.prepare(match act {
        DecisionAct::Withdraw { engine } => desk.withdraw(engine)?,
        DecisionAct::Forfeit { game, loser } => desk.forfeit(game, loser)?,
        DecisionAct::Result { game, result } => desk.result(game, result)?,
        DecisionAct::Replay { game } => desk.replay(game)?,
        DecisionAct::Purge { worker } => desk.purge(worker)?,
        DecisionAct::Add { engine } => desk.add(engine)?,
        DecisionAct::Replace { engine } => desk.replace(engine)?,
        DecisionAct::Extend { rounds } => desk.extend(*rounds)?,
        DecisionAct::Bid { engine, percent } => desk.bid(engine, *percent)?,
        DecisionAct::Undo { decision } => desk.undo(*decision)?,
        DecisionAct::Announce { words } => desk.announce(words)?,
    })?;
    let words = act_words(&Roster::read(reader)?, &prepared.written.act);
    Ok((printable(&words).into_owned(), prepared))
}

/// Writes a decision with what follows from it: as it was shown, if nothing in the store has changed since, or else as it
/// follows now. With the number of decisions that were known, only if there is no other since.
///
/// # Errors
/// It cannot be made: nothing is written.
pub(super) fn write(
    folder: &Path,
    act: &DecisionAct,
    signature: &Signature,
    (mut shown, known): (Option<PreparedDecision>, Option<u64>),
    is_played: bool,
) -> Result<(ArbiterDecision, Vec<String>), DecisionRefusal> {
    let mut consequences = Vec::new();
    let decision = record_decision(folder, signature, |reader| {
        if known.is_some_and(|known| known != reader.decisions().len()) {
            let since = "something else was decided since: look at what follows now";
            return Err(DecisionRefusal::Refused(since.to_owned()));
        }
        let version = reader.version()?;
        let prepared = match shown.take().filter(|shown| shown.version == version) {
            Some(shown) => shown,
            None => previewed(reader, act, is_played)?.1,
        };
        consequences = prepared.consequences;
        Ok(prepared.written)
    })?;
    Ok((decision, consequences))
}

fn is_confirmed(out: &mut dyn Write) -> io::Result<bool> {
    write!(out, "Write it? y or n: ")?;
    out.flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "yes"))
}

fn tell_consequences(lines: &[String], out: &mut dyn Write) -> io::Result<()> {
    let mut lines = lines.iter();
    lines.try_for_each(|line| writeln!(out, "{}", printable(line)))
}

/// The user of this system.
fn user() -> String {
    let variables = ["USER", "LOGNAME"];
    let named = variables.iter().find_map(|name| std::env::var(name).ok());
    let named = named.filter(|name| !name.is_empty());
    named.unwrap_or_else(machine::user)
}

/// An engine that is to take part must be in the event file, and that file must be valid: a running event reads it at
/// once.
pub(super) fn check_event_file(folder: &Path, act: &DecisionAct) -> anyhow::Result<()> {
    let (DecisionAct::Add { engine: name } | DecisionAct::Replace { engine: name }) = act else {
        return Ok(());
    };
    let reader = Reader::open(folder)?;
    let source = reader.value("source")?.unwrap_or_default();
    let source = Path::new(&source);
    let (file, shown) = (source.display(), printable(name));
    if !source.is_file() {
        anyhow::bail!(
            "the event file {file} is not there any more: put it back with the engine in it"
        );
    }
    let identity = reader.identity()?.map(|accepted| accepted.identity);
    let overrides = Overrides {
        seed: identity.as_ref().map(|identity| identity.seed),
        ..Overrides::default()
    };
    let (tournament, _) = load(source, overrides)?;
    let mut names = tournament.engines.iter().map(|engine| &engine.name);
    if !names.any(|known| known == name) {
        anyhow::bail!(
            "{file} has no [[engine]] of the name \"{shown}\": write it at the end of the file first"
        );
    }
    let last = tournament.engines.last().map(|engine| &engine.name);
    let takes_part =
        identity.is_some_and(|identity| identity.engines.iter().any(|engine| engine.name == *name));
    if matches!(act, DecisionAct::Add { .. }) && !takes_part && last != Some(name) {
        anyhow::bail!(
            "\"{shown}\" must be the last [[engine]] of {file}: games name engines by their place"
        );
    }
    Ok(())
}

/// Brings the files of an event that is not running up to date with the decisions in the store, and says whether it is
/// over.
fn write_files(reader: &Reader, folder: &Path) -> anyhow::Result<bool> {
    rewrite_pgn(reader, folder)?;
    let state = EventState::read(reader)?;
    let is_over = state.is_over();
    let event = EventView::new(state);
    let end = Arc::new(EventEnd::default());
    let mut standings = StandingsSink::new(folder, event);
    standings.verdict = Some(verdict(folder, &end));
    standings.finish()?;
    let positions = positions_csv(statistics(reader, &end)?);
    replace_file(&folder.join("positions.csv"), positions.as_bytes(), true)?;
    let report = folder.join("report.html");
    if report.exists() {
        replace_file(&report, report_of(folder)?.as_bytes(), true)?;
    }
    Ok(is_over)
}
