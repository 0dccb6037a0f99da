//! `arbiter960 match`: an event without a file.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};

use crate::cli::exit;
use crate::cli::play::{drawn_seed, play, refused};
use crate::cli::play_options::Play;
use crate::config::keys::{Key, KeyKind};
use crate::config::{
    MatchOptions, Overrides, RealFiles, RefusedByEngine, Tournament, match_event, match_keys,
    parse_match,
};

/// Play a match without an event file.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 match --engine stockfish --engine ethereal-chess --tc 10+0.1 --positions sample:50
  arbiter960 match --engine cmd=./new name=new --engine cmd=./old --each option.Hash=64 \\
      --tc 8+0.08 --openings UHO.epd --sprt 0,5 --concurrency 4 \\
      --draw from=40 moves=8 score=10 --resign moves=4 score=600
  arbiter960 match --engine ./new --engine ./old scale=0.5 --tc 1:30+1 --games 500
  arbiter960 match --engine builtin=sparring copies=2 --nodes 5000 --positions all

An engine's words: cmd=PATH (or the bare path), name=, builtin=sparring, arg= (repeatable),
dir=, option.NAME=VALUE, tc=, movetime=, nodes=, depth=, scale=, fen=shredder|xfen, margin=MS,
copies=2, restart=; nice=, cpus=2,3, memory=MIB, processes=N, file_size=MIB, disk=MIB,
sandbox=true|false|strict|best-effort, read=PATH, write=PATH (docs/sandbox.md).
The words of --each are the same, without cmd, name, builtin, arg, dir and copies.")]
pub(crate) struct MatchArguments {
    #[command(flatten)]
    event: EventOptions,

    /// Words for all engines, such as option.Hash=64; an engine's own word counts more
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = ArgAction::Append)]
    each: Vec<String>,

    /// all (the default), sample:50, numbers and ranges such as 518,0-99, or a book's file
    #[arg(long, value_name = "WHICH")]
    positions: Option<String>,

    /// Stop by a sequential probability ratio test: 0,5, or elo0=0 elo1=5 with alpha=, beta=,
    /// model=normalized|logistic|bayesian, max_pairs=, max_hours=
    #[arg(long, value_name = "WORDS", num_args = 1..=8)]
    sprt: Vec<String>,

    /// Draw by score: moves=8 score=10, and from=40 for the first move that counts
    #[arg(long, value_name = "WORDS", num_args = 1..=3)]
    draw: Vec<String>,

    /// Win by score: moves=4 score=600, and both=false if the winner need not agree
    #[arg(long, value_name = "WORDS", num_args = 1..=3)]
    resign: Vec<String>,

    /// The event's name; by default the engines' names
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Print the event file that these options amount to, and play nothing
    #[arg(long)]
    print_config: bool,

    #[command(flatten)]
    play: Play,
}

/// The words of each `--engine`, and the options that are a key of the event file each.
#[derive(Debug)]
struct EventOptions {
    engines: Vec<Vec<String>>,
    keys: Vec<(&'static str, String)>,
}

impl FromArgMatches for EventOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EventOptions, clap::Error> {
        let engines = matches.get_occurrences::<String>("engine");
        let engines = engines.into_iter().flatten();
        let given = |(name, _)| Some((name, matches.get_one::<String>(name)?.clone()));
        Ok(EventOptions {
            engines: engines.map(|words| words.cloned().collect()).collect(),
            keys: match_keys().filter_map(given).collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EventOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for EventOptions {
    fn augment_args(command: Command) -> Command {
        let engine = Arg::new("engine")
            .long("engine")
            .value_name("KEY=VALUE")
            .num_args(1..)
            .action(ArgAction::Append)
            .required(true)
            .help("An engine; a bare path is enough. Give two or more");
        match_keys().fold(command.arg(engine), |command, (name, key)| {
            command.arg(key_option(name, key))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        EventOptions::augment_args(command)
    }
}

/// An option with the first sentence of its row, and its words if it takes one of some.
fn key_option(name: &'static str, key: &'static Key) -> Arg {
    let first = key.meaning.split(". ").next().unwrap_or_default();
    let first = first.trim_end_matches('.');
    let (value, help) = match key.kind {
        KeyKind::Whole(..) | KeyKind::Number(..) => ("N", first.to_owned()),
        KeyKind::Word(words) => ("WORD", format!("{first} [{}]", words.join(", "))),
        _ => ("VALUE", first.to_owned()),
    };
    let option = Arg::new(name).long(name).value_name(value).help(help);
    if key.name.contains('_') || key.name == name {
        option
    } else {
        option.alias(key.name)
    }
}

/// The words of the command line, with the hypotheses of a test named where they would be taken for
/// an option: `--sprt -5,0`.
pub(crate) fn with_named_hypotheses(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut named: Vec<OsString> = Vec::new();
    for word in words {
        let after_sprt = named.last().is_some_and(|last| last == "--sprt");
        let text = word
            .to_str()
            .filter(|text| after_sprt && text.starts_with('-'));
        match text.and_then(|text| text.split_once(',')) {
            Some((elo0, elo1)) => {
                named.extend([format!("elo0={elo0}").into(), format!("elo1={elo1}").into()]);
            }
            None => named.push(word),
        }
    }
    named
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps the match from being played.
pub(crate) fn run(arguments: &MatchArguments, out: &mut dyn Write) -> Result<u8> {
    let (options, play_options) = (options(arguments), &arguments.play);
    let event = match_event(&options)?;
    if arguments.print_config {
        out.write_all(event.to_toml().as_bytes())?;
        out.flush()?;
        return Ok(exit::DONE);
    }
    let folder = std::env::current_dir().context("there is no working directory")?;
    let origin = folder.join(Path::new("match (from the command line)"));
    let (drawn, of_event) = (drawn_seed(), play_options.clone());
    let read = move |found: &[RefusedByEngine]| -> Result<_> {
        let recorded = of_event.recorded();
        let trial = |event: &Tournament, has_errors: bool| refused(event, has_errors, found);
        let overrides = Overrides {
            recorded: Some(&recorded),
            trial: Some(&trial),
            drawn: Some(drawn),
            ..Overrides::default()
        };
        Ok(parse_match(&event, &origin, overrides, &RealFiles)?)
    };
    let (tournament, warnings) = read(&[])?;
    let given = |key: &str| {
        let mut keys = options.keys.iter();
        keys.find_map(|(name, value)| (*name == key).then_some(value.as_str()))
    };
    let said = given("concurrency");
    let from_input = given("openings") == Some("-");
    let options = Play {
        concurrency: said.map(|_| tournament.concurrency),
        ..play_options.clone()
    };
    let again = move |found: &[RefusedByEngine]| {
        // The standard input is read once.
        if found.is_empty() || from_input {
            return Ok((tournament.clone(), warnings.clone()));
        }
        read(found)
    };
    play(again, &options, out)
}

fn options(arguments: &MatchArguments) -> MatchOptions {
    MatchOptions {
        name: arguments.name.clone(),
        engines: arguments.event.engines.clone(),
        each: arguments.each.clone(),
        keys: arguments.event.keys.clone(),
        positions: arguments.positions.clone(),
        draw: arguments.draw.clone(),
        resign: arguments.resign.clone(),
        sprt: arguments.sprt.clone(),
    }
}
