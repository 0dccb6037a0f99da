//! The command line, command by command.
//!
//! | file | what |
//! |---|---|
//! | `exit` | the exit codes, and which error has which |
//! | `init` | a first event file |
//! | `mistakes` | the help of the program, how errors are printed, and options of other runners |
//! | `run`, `play_match` | an event from a file, or from options |
//! | `play`, `play_options`, `listeners`, `conclusion` | the common parts of these two |
//! | `fronts` | the program as a replacement for another runner |
//! | `decide`, `control` | decisions and requests of arbiter and organiser while an event is played, also from its page |
//! | `sources` | what the paths of a command line name |
//! | `status`, `stats`, `export` | what is in a store |
//! | `merge` | an event that several machines play apart, and a store out of `games.pgn` |
//! | `worker` | an event that several machines play together |
//! | `report`, `serve` | a page to look at, and several events beside each other |
//! | `explain` | why a game was lost, and the same search again |
//! | `adjudicate` | what rules of adjudication would have done |
//! | `plan` | what an experiment needs |
//! | `doctor` | whether this machine is fit to time engines |
//! | `positions`, `perft`, `verify` | the rules core at work |
//! | `check` | conformance of an engine |
//! | `seal` | events fixed before their first game, and what decides their positions |
//! | `schema` | the keys of the event file |
//! | `completions` | completion in a shell |

mod adjudicate;
pub(crate) mod check;
mod completions;
pub(crate) mod conclusion;
pub(crate) mod control;
pub(crate) mod decide;
pub(crate) mod doctor;
pub(crate) mod exit;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fronts;
pub(crate) mod init;
pub(crate) mod listeners;
pub(crate) mod merge;
mod mistakes;
pub(crate) mod perft;
pub(crate) mod plan;
pub(crate) mod play;
pub(crate) mod play_match;
pub(crate) mod play_options;
pub(crate) mod positions;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod seal;
pub(crate) mod serve;
mod sources;
pub(crate) mod stats;
pub(crate) mod status;
pub(crate) mod verify;
pub(crate) mod worker;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::adapter;
use crate::engine::start::SPARRING;
use crate::engine::{guardian, launcher};
use crate::platform::process::keep_descriptors;
use crate::platform::signals::{hold_user_stop, outlive_the_file_size_limit, release_user_stop};
use crate::platform::{Stream, terminal};
use crate::report::event_file::event_manual;
use crate::sparring::{self, Strength};
use crate::text::{set_page_width, tell};

/// The version and the commit it was built from.
pub(crate) const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("ARBITER960_COMMIT"),
    ")"
);

const ABOUT: &str = "Tournaments between UCI chess engines, Chess960 first";

/// Columns of a help text; clap breaks longer lines.
const HELP_COLUMNS: usize = 100;

const EXAMPLES: &str = "Examples:
  arbiter960 run configs/quickstart.toml
  arbiter960 match --engine stockfish --engine ethereal-chess --tc 1+0.05 --positions sample:10
  arbiter960 positions 518
  arbiter960 verify results/quickstart/games.pgn

Exit codes: 0 done; 1 verify or check found something; 2 wrong command line, event
file, positions or book; 3 an engine cannot be started or does not play the variant;
4 storage; 5 voided games are left (the same command plays them again); 129, 130,
143 stopped by SIGHUP, SIGINT, SIGTERM; 138 by SIGUSR1. With --exit-verdict also 10 to 13:
an SPRT accepted H1, accepted H0, is undecided, both engines played the same moves.";

#[derive(Debug, Parser)]
#[command(name = "arbiter960", version = VERSION, about = ABOUT, after_help = EXAMPLES)]
#[command(propagate_version = true, max_term_width = HELP_COLUMNS)]
struct Arguments {
    #[command(subcommand)]
    command: CliCommand,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    Init(init::InitArguments),
    Run(Box<run::RunArguments>),
    Match(Box<play_match::MatchArguments>),
    Fastchess(fronts::FrontArguments),
    Cutechess(fronts::CutechessArguments),
    Import(fronts::ImportArguments),
    InstallFronts(fronts::InstallArguments),
    Decide(decide::DecideArguments),
    Control(control::ControlArguments),
    Status(status::StatusArguments),
    Stats(stats::StatsArguments),
    Compare(report::CompareArguments),
    Report(report::ReportArguments),
    Serve(serve::ServeArguments),
    Export(export::ExportArguments),
    Explain(explain::ExplainArguments),
    Adjudicate(adjudicate::AdjudicateArguments),
    Verify(verify::VerifyArguments),
    Check(check::CheckArguments),
    Positions(positions::PositionsArguments),
    Plan(plan::PlanArguments),
    Perft(perft::PerftArguments),
    Doctor(doctor::DoctorArguments),
    Draw(seal::DrawArguments),
    Seal(seal::SealArguments),
    Merge(merge::MergeArguments),
    Worker(worker::WorkerArguments),
    Rebuild(merge::RebuildArguments),
    Schema(schema::SchemaArguments),
    /// Print what a shell needs to complete command lines.
    #[command(after_help = "Example:\n  source <(arbiter960 completions bash)")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write one for every command and for event files into a folder.
    #[command(after_help = "Example:\n  arbiter960 manual | man -l -")]
    Manual {
        /// Write arbiter960.1, arbiter960-run.1, arbiter960-event.5 … into this folder.
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// The built-in engine; speaks UCI.
    #[command(name = SPARRING, hide = true)]
    Sparring,
    /// An engine of XBoard's protocol; speaks UCI.
    #[command(name = adapter::XBOARD, hide = true)]
    Xboard {
        /// A line that the engine is sent first
        #[arg(long, value_name = "LINE", allow_hyphen_values = true)]
        init: Vec<String>,
        /// The engine and its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        command: Vec<OsString>,
    },
    /// An engine with a Polyglot book; speaks UCI.
    #[command(name = adapter::OWN_BOOK, hide = true)]
    OwnBook {
        /// The Polyglot book
        book: PathBuf,
        /// For how many half-moves of a game it is asked
        plies: usize,
        /// What its moves are drawn with
        seed: u64,
        /// The engine and its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        command: Vec<OsString>,
    },
    /// Play with an engine that gives its scores as White sees them
    #[command(name = adapter::WHITE_VIEW, hide = true)]
    WhiteView {
        /// The engine and its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        command: Vec<OsString>,
    },
    /// Restricts itself, then becomes an engine.
    #[command(name = launcher::COMMAND, hide = true)]
    Launch {
        /// Only say what could be enforced
        #[arg(long)]
        trial: bool,
        /// The engine and its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<OsString>,
    },
    /// Ends the engines of a runner that was killed.
    #[command(name = guardian::COMMAND, hide = true)]
    Guardian {
        /// The process groups that live
        groups: Vec<i32>,
    },
}

/// Runs the command line and gives the exit code.
pub fn main() -> ExitCode {
    // Slurm's warning signal may come at any time.
    hold_user_stop();
    // Before anything is opened: processes started by this program inherit no open files of its caller.
    keep_descriptors();
    terminal::prepare();
    let code = run_line();
    terminal::leave();
    code
}

fn run_line() -> ExitCode {
    completions::answer(Arguments::command);
    let columns = terminal::size(Stream::Out).map(|[columns, _]| columns);
    set_page_width(columns.filter(|columns| *columns > 0));
    if let Some(code) = fronts::run(&std::env::args().collect::<Vec<_>>()) {
        return ExitCode::from(code);
    }
    let words = || std::env::args().skip(1);
    let advice = mistakes::one_dash(words(), Arguments::command)
        .or_else(|| mistakes::bare_engine(words()))
        .or_else(|| mistakes::of_an_event(words()));
    if let Some(advice) = advice {
        tell(&format!("error: {advice}"));
        return ExitCode::from(exit::USAGE);
    }
    let words = play_match::with_named_hypotheses(std::env::args_os());
    let found = mistakes::grouped(Arguments::command()).try_get_matches_from(words);
    let command = match found.and_then(|found| Arguments::from_arg_matches(&found)) {
        Ok(read) => read.command,
        Err(error) => {
            // Help and the version are such errors, too; nobody may listen.
            let _shown = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(exit::USAGE));
        }
    };
    // These commands have already reported what they could not print; they exit with the event's code.
    let plays = matches!(command, CliCommand::Run(_) | CliCommand::Match(_));
    // Other commands start engines without handling signals, or become an engine.
    if !plays {
        release_user_stop();
    }
    outlive_the_file_size_limit();
    let mut out = BufWriter::new(io::stdout());
    let outcome = dispatch(command, &mut out);
    let outcome = outcome.and_then(|code| match out.flush() {
        // The work is done even if nobody reads the end of the output.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe && !plays => Err(error.into()),
        _ => Ok(code),
    });
    match outcome {
        Ok(code) => ExitCode::from(code),
        // `arbiter960 positions --all | head` is not an error.
        Err(error) if exit::is_closed_output(&error) => ExitCode::SUCCESS,
        Err(error) => {
            mistakes::report(&error);
            ExitCode::from(exit::code_of(&error))
        }
    }
}

fn dispatch(command: CliCommand, out: &mut dyn Write) -> anyhow::Result<u8> {
    match command {
        CliCommand::Init(arguments) => init::run(&arguments, out),
        CliCommand::Run(arguments) => run::run(&arguments, out),
        CliCommand::Match(arguments) => play_match::run(&arguments, out),
        // Handled before the command line is parsed: these have their own options.
        CliCommand::Fastchess(_) | CliCommand::Cutechess(_) => Ok(exit::USAGE),
        CliCommand::Import(arguments) => fronts::import(&arguments),
        CliCommand::InstallFronts(arguments) => fronts::install(&arguments, out),
        CliCommand::Decide(arguments) => decide::run(&arguments, out),
        CliCommand::Control(arguments) => control::run(&arguments, out),
        CliCommand::Status(arguments) => status::run(&arguments, out),
        CliCommand::Stats(arguments) => stats::run(&arguments, out),
        CliCommand::Compare(arguments) => report::compare(&arguments, out),
        CliCommand::Report(arguments) => report::run(&arguments, out),
        CliCommand::Serve(arguments) => serve::run(&arguments, out),
        CliCommand::Export(arguments) => export::run(&arguments, out),
        CliCommand::Explain(arguments) => explain::run(&arguments, out),
        CliCommand::Adjudicate(arguments) => adjudicate::run(&arguments, out),
        CliCommand::Verify(arguments) => verify::run(&arguments, out),
        CliCommand::Check(arguments) => check::run(&arguments, out),
        CliCommand::Positions(arguments) => positions::run(arguments, out).map(|()| exit::DONE),
        CliCommand::Plan(arguments) => plan::run(&arguments, out),
        CliCommand::Perft(arguments) => perft::run(&arguments, out),
        CliCommand::Doctor(arguments) => doctor::run(&arguments, out),
        CliCommand::Draw(arguments) => seal::draw(&arguments, out),
        CliCommand::Seal(arguments) => seal::run(&arguments, out),
        CliCommand::Worker(arguments) => worker::run(&arguments, out),
        CliCommand::Merge(arguments) => merge::run(&arguments, out),
        CliCommand::Rebuild(arguments) => merge::run_rebuild(&arguments, out),
        CliCommand::Schema(arguments) => schema::run(&arguments, out).map(|()| exit::DONE),
        CliCommand::Completions { shell } => {
            out.write_all(&completions::script(shell)?)?;
            Ok(exit::DONE)
        }
        CliCommand::Manual { output } => manual(output, out).map(|()| exit::DONE),
        CliCommand::Sparring => Ok(sparring::run(Strength::default()).map(|()| exit::DONE)?),
        CliCommand::Xboard { init, command } => Ok(adapter::xboard(&command, init)?),
        CliCommand::OwnBook {
            book,
            plies,
            seed,
            command,
        } => Ok(adapter::own_book(&command, &book, plies, seed)?),
        CliCommand::WhiteView { command } => Ok(adapter::white_view(&command)?),
        CliCommand::Launch { trial: true, .. } => {
            writeln!(out, "{}", launcher::try_out()?)?;
            Ok(exit::DONE)
        }
        CliCommand::Launch { command, .. } => {
            // Reached only on failure: otherwise this process has become the engine.
            tell(&launcher::launch(&command));
            Ok(exit::ENGINE)
        }
        CliCommand::Guardian { groups } => {
            guardian::guard(io::stdin().lock(), &groups);
            Ok(exit::DONE)
        }
    }
}

fn manual(output: Option<PathBuf>, out: &mut dyn Write) -> anyhow::Result<()> {
    match output {
        Some(folder) => {
            clap_mangen::generate_to(Arguments::command(), &folder)?;
            let mut page = File::create(folder.join("arbiter960-event.5"))?;
            event_manual(VERSION, &mut page)?;
        }
        None => clap_mangen::Man::new(Arguments::command()).render(out)?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command below this one, and itself.
    fn commands(of: &clap::Command) -> Vec<clap::Command> {
        let below = of.get_subcommands().flat_map(commands);
        std::iter::once(of.clone()).chain(below).collect()
    }

    #[test]
    fn every_command_is_in_one_group() {
        let command = Arguments::command();
        let shown = command
            .get_subcommands()
            .filter(|command| !command.is_hide_set());
        let mut shown: Vec<&str> = shown.map(clap::Command::get_name).collect();
        let mut grouped: Vec<&str> = mistakes::GROUPS
            .iter()
            .flat_map(|(_, names)| names.split(' '))
            .filter(|name| shown.contains(name))
            .collect();
        shown.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, shown);
    }

    #[test]
    fn no_example_of_a_help_text_is_broken_in_two() {
        for command in commands(&Arguments::command()) {
            let help = command.get_after_help().map(ToString::to_string);
            for line in help
                .unwrap_or_default()
                .lines()
                .filter(|line| line.starts_with("  "))
            {
                let width = line.chars().count();
                assert!(
                    width <= HELP_COLUMNS,
                    "{}: {width} columns: {line}",
                    command.get_name()
                );
            }
        }
    }
}
