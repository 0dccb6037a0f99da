//! `arbiter960 check`: conformance of an engine, for its author.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use indicatif::ProgressBar;

use crate::adapter;
use crate::check::{
    CATALOGUE, CheckReport, CheckedEngine, Definition, EngineReport, examine, report,
};
use crate::cli::exit;
use crate::cli::explain::OutputFormat;
use crate::cli::mistakes::seconds;
use crate::config::{RealFiles, find_command};
use crate::engine::guardian::Guardian;
use crate::platform::runtime;

/// Examine an engine: is it a sound UCI and Chess960 engine?
///
/// First the verdict, then what failed, by cause, with a dialogue of each: milliseconds, which
/// process, > to it, < from it. Every check has a number, a level and processes of its own; --only repeats it alone
/// and shows the whole dialogue. An engine that hangs is killed with all that it has started. A late answer
/// that this computer may have caused is not counted.
///
/// Levels: required (the protocol says so plainly, or no tournament can be played without it),
/// recommended, informational. Only required checks decide.
///
/// Exit code 0: every required check is passed; 1: one is not; 2: the command line is wrong or the
/// command is not found; 3: the engine cannot be started, or ends before `uciok`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 check ./my-engine
  arbiter960 check --standard gnuchess --uci
  arbiter960 check --standard --protocol xboard phalanx
  arbiter960 check --only C502,C503 --timeout 2 stockfish
  arbiter960 check --list")]
pub(crate) struct CheckArguments {
    /// The engine; without a slash it is looked up on PATH, and in /usr/games. Options of check
    /// stand before it, the engine's own arguments after it
    #[arg(
        required_unless_present = "list",
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    command: Vec<String>,

    /// Plain chess alone: leave the section chess960 out
    #[arg(long)]
    standard: bool,

    /// What the engine speaks
    #[arg(long, value_enum, default_value_t = EngineProtocol::Uci)]
    protocol: EngineProtocol,

    /// Make only these checks; repeatable
    #[arg(long, value_name = "ID", value_delimiter = ',', value_parser = check_of)]
    only: Vec<&'static Definition>,

    /// How long an answer may take, seconds
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    timeout: Duration,

    /// Set an option of the engine in every check; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,

    /// How to print the report: text for people, json for programs
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,

    /// Print every check with its level and explanation, and start no engine
    #[arg(long)]
    list: bool,
}

/// What an engine speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum EngineProtocol {
    /// UCI
    Uci,
    /// XBoard's protocol
    Xboard,
}

fn check_of(id: &str) -> Result<&'static Definition, String> {
    Definition::from_id(id).ok_or_else(|| format!("there is no check {id}; --list shows all"))
}

/// Reads `NAME=VALUE`.
pub(crate) fn option(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=');
    let (name, value) = parts.ok_or("written NAME=VALUE; an empty value presses a button")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Runs the command; returns the exit code.
///
/// # Errors
/// The command is not found, the system refuses a process, or `out` cannot be written to.
pub(crate) fn run(arguments: &CheckArguments, out: &mut dyn Write) -> Result<u8> {
    if arguments.list {
        match arguments.format {
            OutputFormat::Text => write!(out, "{}", report::list())?,
            OutputFormat::Json => writeln!(out, "{:#}", report::list_json())?,
        }
        return Ok(exit::DONE);
    }
    let [command, own @ ..] = arguments.command.as_slice() else {
        bail!("which engine?");
    };
    let mut program = program(command)?;
    let mut own = own.to_vec();
    if arguments.protocol == EngineProtocol::Xboard {
        let engine = program.to_string_lossy().into_owned();
        own.splice(0..0, [adapter::XBOARD.to_owned(), "--".to_owned(), engine]);
        program = std::env::current_exe()?;
    }
    let candidate = CheckedEngine {
        program,
        arguments: own,
        options: arguments.options.clone(),
    };
    let report = perform(arguments, candidate)?;
    let whole = !arguments.only.is_empty();
    match arguments.format {
        OutputFormat::Text => write!(out, "{}", report::report(&report, whole))?,
        OutputFormat::Json => writeln!(out, "{:#}", report::json(&report))?,
    }
    Ok(match (report.unstartable, report.is_sound()) {
        (true, _) => exit::ENGINE,
        (_, true) => exit::DONE,
        (_, false) => exit::FOUND,
    })
}

/// The program that a command means.
pub(crate) fn program(command: &str) -> Result<PathBuf> {
    find_command(command, &RealFiles)
        .map_err(|(title, _)| anyhow!("{title}: give the path of a program that may be executed"))
}

fn perform(arguments: &CheckArguments, candidate: CheckedEngine) -> Result<EngineReport> {
    let runtime = runtime()?;
    let guardian = Guardian::start()?;
    // In the order of the catalogue.
    let checks = CATALOGUE.iter().filter(|definition| {
        let chosen = arguments.only.is_empty() || arguments.only.contains(definition);
        chosen && !(arguments.standard && definition.section == "chess960")
    });
    let (checks, timeout): (Vec<_>, _) = (checks.collect(), arguments.timeout);
    let progress = ProgressBar::new(checks.len() as u64);
    let heard = |report: &CheckReport| {
        // On a terminal only.
        progress.set_message(report.check.id);
        progress.inc(1);
    };
    let examined = examine(candidate, checks, timeout, guardian.clone(), heard);
    let report = runtime.block_on(examined);
    progress.finish_and_clear();
    guardian.dismiss();
    Ok(report)
}
