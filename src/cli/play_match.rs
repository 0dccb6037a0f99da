//! `arbiter960 match`: an event without a file.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use clap::{Arg, ArgAction, ArgMatches};

use crate::cli::exit;
use crate::cli::play::{drawn_seed, play};
use crate::cli::play_options::Play;
use crate::config::{KeyOption, MatchOptions, Overrides, RealFiles, match_event, parse_match};

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
    engines: Engines,

    /// Words for all engines, such as option.Hash=64; an engine's own word counts more
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = ArgAction::Append)]
    each: Vec<String>,

    /// The clock of both: 10+0.1, 1:30+1, 40/5400+30:1800+30; inf with --nodes or --depth
    #[arg(long, alias = "control", value_name = "TC")]
    tc: Option<String>,

    /// Nodes for each move
    #[arg(long, value_name = "N")]
    nodes: Option<String>,

    /// Plies for each move
    #[arg(long, value_name = "N")]
    depth: Option<String>,

    /// Seconds for each move
    #[arg(long, value_name = "S")]
    movetime: Option<String>,

    /// all (the default), sample:50, numbers and ranges such as 518,0-99, or a book's file
    #[arg(long, value_name = "WHICH", conflicts_with = "openings")]
    positions: Option<String>,

    /// A book: EPD, FEN lines or PGN, also compressed (gzip, Zstandard, bzip2); - is the standard input
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,

    /// Half-moves of each game of a PGN book, or of each line of a Polyglot book
    #[arg(long, value_name = "N", requires = "openings")]
    plies: Option<String>,

    /// How moves of a Polyglot book are chosen: weighted, or best
    #[arg(long, value_name = "CHOICE", requires = "openings")]
    choice: Option<String>,

    /// The order of the positions: sequential, or random
    #[arg(long, value_name = "ORDER")]
    order: Option<String>,

    /// The position of the book to begin with, from 1; needs --order sequential
    #[arg(long, value_name = "N", requires = "openings")]
    start: Option<String>,

    /// Draw this number of positions of the book
    #[arg(long, value_name = "N", requires = "openings")]
    sample: Option<String>,

    /// The variant of chess
    #[arg(long, value_name = "V")]
    variant: Option<String>,

    /// Pairs per position
    #[arg(long, value_name = "N")]
    pairs: Option<String>,

    /// End after this number of games, whatever the number of positions
    #[arg(long, value_name = "N", conflicts_with = "pairs")]
    games: Option<String>,

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

    /// Draw and win by score as a known set of rules: tcec, fishtest, ccrl or none
    #[arg(long, value_name = "PRESET")]
    adjudication: Option<String>,

    /// Whose way of counting --draw and --resign follow: arbiter960, fastchess, cutechess or tcec
    #[arg(long, value_name = "SCHOOL")]
    school: Option<String>,

    /// A draw after this number of moves
    #[arg(long, value_name = "N")]
    max_moves: Option<String>,

    /// End a game when the Syzygy tables in this folder know how it ends
    #[arg(long, value_name = "FOLDER")]
    tablebases: Option<String>,

    /// What ends a game by tablebases: all, wins or draws
    #[arg(long, value_name = "WHAT", requires = "tablebases")]
    tablebase_results: Option<String>,

    /// Ask tablebases from this number of men on, the kings among them
    #[arg(long, value_name = "N", requires = "tablebases")]
    tablebase_men: Option<String>,

    /// What becomes of a game lost on time by this machine's fault: count, void, replay, or deduct to have no such loss
    #[arg(long, value_name = "WHAT")]
    host_faults: Option<String>,

    /// Games at once
    #[arg(long, value_name = "N")]
    concurrency: Option<String>,

    /// The seed of every random choice; without it one is drawn and printed
    #[arg(long, value_name = "N")]
    seed: Option<String>,

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
pub(crate) fn run(arguments: &MatchArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let (options, play_options) = (options(arguments), &arguments.play);
    let event = match_event(&options)?;
    if arguments.print_config {
        out.write_all(event.to_toml().as_bytes())?;
        out.flush()?;
        return Ok(exit::DONE);
    }
    let folder = std::env::current_dir().context("there is no working directory")?;
    let origin = folder.join(Path::new("match (from the command line)"));
    let recorded = play_options.recorded();
    let overrides = Overrides {
        recorded: Some(&recorded),
        drawn: Some(drawn_seed()),
        ..Overrides::default()
    };
    let (tournament, warnings) = parse_match(&event, &origin, overrides, &RealFiles)?;
    let said = arguments.concurrency.is_some();
    let options = Play {
        concurrency: said.then_some(tournament.concurrency),
        ..play_options.clone()
    };
    let read = move || Ok((tournament.clone(), warnings.clone()));
    play(read, &options, out)
}

fn options(arguments: &MatchArguments) -> MatchOptions {
    /// Options that are one key each, under the name that the key has or knows itself by.
    macro_rules! keys {
        ($($name:ident)+) => { [$((stringify!($name), &arguments.$name)),+] };
    }
    let keys = keys! {
        tc movetime nodes depth openings sample plies choice order start variant pairs games adjudication
        school max_moves tablebases tablebase_results tablebase_men host_faults concurrency seed
    };
    let keys = keys.into_iter().filter_map(|(name, value)| {
        let value = value.clone()?;
        Some(KeyOption { name, value })
    });
    MatchOptions {
        name: arguments.name.clone(),
        engines: arguments.engines.0.clone(),
        each: arguments.each.clone(),
        keys: keys.collect(),
        positions: arguments.positions.clone(),
        draw: arguments.draw.clone(),
        resign: arguments.resign.clone(),
        sprt: arguments.sprt.clone(),
    }
}
