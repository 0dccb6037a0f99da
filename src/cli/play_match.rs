//! `arbiter960 match`: an event without a file.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::Context;
use clap::{Arg, ArgAction, ArgMatches};

use crate::cli::exit;
use crate::cli::play::{Play, play};
use crate::config::{Disk, MatchEngine, MatchOptions, MatchTime, Overrides, match_file, parse};

/// Play a match without an event file.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 match --engine stockfish --engine ethereal-chess --tc 10+0.1 --positions sample:50
  arbiter960 match --engine cmd=./new name=new option.Hash=32 --engine cmd=./old \\
      --tc 8+0.08 --positions all --sprt 0,5 --concurrency 4
  arbiter960 match --engine ./new --engine ./old scale=0.5 --tc 10+0.1
  arbiter960 match --engine builtin=sparring copies=2 --nodes 5000 --positions all

An engine's words: cmd=PATH (or the bare path), name=, builtin=sparring, arg= (repeatable),
dir=, option.NAME=VALUE, tc=, movetime=, nodes=, depth=, scale=, fen=shredder|xfen, margin=MS,
copies=2; nice=, cpus=2,3, memory=MIB, processes=N, file_size=MIB, sandbox=true|false|best-effort,
read=PATH, write=PATH (docs/sandbox.md).")]
pub(crate) struct MatchArguments {
    #[command(flatten)]
    engines: Engines,

    /// The clock of both, as in PGN: 10+0.1, 40/5400+30:1800+30
    #[arg(long, value_name = "TC")]
    tc: Option<String>,

    /// Nodes for each move
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Plies for each move
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    /// Seconds for each move
    #[arg(long, value_name = "S")]
    movetime: Option<f64>,

    /// all, sample:50, numbers and ranges such as 518,0-99, or a book's file
    #[arg(long, value_name = "WHICH", default_value = "all")]
    positions: String,

    /// The variant of chess
    #[arg(long, value_name = "V")]
    variant: Option<String>,

    /// Pairs per position
    #[arg(long, value_name = "N")]
    pairs: Option<u32>,

    /// Stop by a sequential probability ratio test with these two hypotheses
    #[arg(long, value_name = "ELO0,ELO1", value_parser = two_numbers)]
    #[arg(allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,

    /// Games at once
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,

    /// The seed of every random choice
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// The event's name; by default the engines' names
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Print the event file that these options amount to, and play nothing
    #[arg(long)]
    print_config: bool,

    #[command(flatten)]
    play: Play,
}

/// The words of each `--engine`: an option that takes several words, several times.
#[derive(Debug)]
struct Engines(Vec<Vec<String>>);

impl clap::FromArgMatches for Engines {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Engines, clap::Error> {
        let occurrences = matches
            .get_occurrences::<String>("engine")
            .into_iter()
            .flatten();
        Ok(Engines(
            occurrences.map(|words| words.cloned().collect()).collect(),
        ))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Engines::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Engines {
    fn augment_args(command: clap::Command) -> clap::Command {
        let engine = Arg::new("engine")
            .long("engine")
            .value_name("KEY=VALUE")
            .num_args(1..);
        let help = "An engine; a bare path is enough. Give two or more";
        command.arg(engine.action(ArgAction::Append).required(true).help(help))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Engines::augment_args(command)
    }
}

fn two_numbers(text: &str) -> Result<(f64, f64), String> {
    let parse = |number: &str| {
        number
            .trim()
            .parse::<f64>()
            .map_err(|error| error.to_string())
    };
    match text.split_once(',') {
        Some((elo0, elo1)) => Ok((parse(elo0)?, parse(elo1)?)),
        None => Err("two numbers with a comma between, as in 0,5".to_owned()),
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps the match from being played.
pub(crate) fn run(arguments: MatchArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let engines: Result<Vec<_>, _> = arguments
        .engines
        .0
        .iter()
        .map(|words| MatchEngine::from_words(words))
        .collect();
    let text = match_file(&MatchOptions {
        name: arguments.name,
        engines: engines?,
        time: MatchTime {
            control: arguments.tc,
            movetime: arguments.movetime,
            nodes: arguments.nodes,
            depth: arguments.depth,
            scale: None,
        },
        positions: arguments.positions,
        variant: arguments.variant,
        pairs: arguments.pairs,
        sprt: arguments.sprt,
        concurrency: arguments.concurrency.map(NonZeroUsize::get),
        seed: arguments.seed,
    });
    if arguments.print_config {
        out.write_all(text.as_bytes())?;
        out.flush()?;
        return Ok(exit::DONE);
    }
    let folder = std::env::current_dir().context("there is no working directory")?;
    let origin = folder.join(Path::new("match (from the command line)"));
    let (tournament, warnings) = parse(&text, &origin, Overrides::default(), &Disk)?;
    play(tournament, &warnings, &arguments.play, out)
}
