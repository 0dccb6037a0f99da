//! `arbiter960 seal` and `draw`: events fixed before their first game, and what decides their positions.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::analysis::back_rank;
use crate::chess::FenDialect;
use crate::cli::sources::folder_of;
use crate::cli::{VERSION, exit};
use crate::config::{Overrides, Tournament, load, sha256};
use crate::engine::own_sha256;
use crate::event::{Place, PositionDraw};
use crate::seal::{self, Closing, SealedProgram, hold_against, seal};
use crate::text::{count, printable_lines, tell};

/// Write down all on which the games of events depend, before the first game.
///
/// The manifest has the event files, the SHA-256 of them, of engines, nets, books and of the program
/// that is to play, the seed, a hash of every pair of the plan, the commitment of `draw`, and the time.
/// Publish it, or its SHA-256: `verify --seal` then holds results against it, and names a changed
/// file, another build, and games that were left out, repeated or added. The program that verifies
/// may be a later one.
///
/// After the last game --close seals the results: `verify --seal` with that record also names games
/// whose moves, results or tags have changed since.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 seal event.toml -o seal.json
  arbiter960 seal a.toml b.toml --program ./arbiter960 -o seal.json
  arbiter960 seal --close seal.json results/event -o closed.json
  arbiter960 verify --seal closed.json results/event
  arbiter960 verify --seal seal.json results/*.pgn.zst --replay 10")]
pub(crate) struct SealArguments {
    /// The event files; the seed must stand in them. With --close the results: folders of events, PGN files
    #[arg(value_name = "EVENT.toml", required = true)]
    events: Vec<PathBuf>,

    /// Seal the results of this manifest's events, which must all be there and right
    #[arg(long, value_name = "MANIFEST", conflicts_with = "program")]
    close: Option<PathBuf>,

    /// The record; a file that is there is not overwritten
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// The build of arbiter960 that is to play, if it is not this one
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// An event cannot be sealed, or the manifest is there or cannot be written.
pub(crate) fn run(arguments: &SealArguments, out: &mut dyn Write) -> Result<u8> {
    let path = &arguments.output;
    if let Some(manifest) = &arguments.close {
        return close(manifest, arguments, out);
    }
    let program = SealedProgram {
        version: arguments.program.is_none().then(|| VERSION.to_owned()),
        sha256: match &arguments.program {
            Some(file) => sha256(file)?,
            None => own_sha256()?,
        },
    };
    let manifest = seal(&arguments.events, folder_of(path), program)?;
    write_record(path, &manifest)?;
    for event in &manifest.events {
        let (pairs, games) = (count(event.pairs, "pair"), count(event.games, "game"));
        let (name, plan) = (&event.name, &event.plan_sha256);
        writeln!(out, "{name}: {pairs}, {games}, plan {plan}")?;
    }
    let (program, seal) = (manifest.program.sha256, sha256(path)?);
    writeln!(out, "program {program}\nseal {seal}")?;
    Ok(exit::DONE)
}

/// A JSON file that was not there.
fn write_record(path: &Path, record: &impl Serialize) -> Result<()> {
    let mut file =
        File::create_new(path).with_context(|| format!("cannot write {}", path.display()))?;
    writeln!(file, "{}", serde_json::to_string_pretty(record)?)?;
    Ok(file.sync_all()?)
}

/// Seals results.
fn close(manifest: &Path, arguments: &SealArguments, out: &mut dyn Write) -> Result<u8> {
    let (seal, sealed, closing) = seal::read(manifest)?;
    let mut wrong = Vec::new();
    let events = seal::open(&seal, &sealed, |words| wrong.push(words))?;
    let record = (&sealed, closing.as_ref());
    let found = hold_against(record, &events, &arguments.events, false);
    wrong.extend(found.wrong.iter().cloned());
    if !wrong.is_empty() {
        for words in &wrong {
            writeln!(out, "{}", printable_lines(words))?;
        }
        return Ok(exit::FOUND);
    }
    let path = &arguments.output;
    let closing = Closing::new(&seal, folder_of(path), found.results())?;
    write_record(path, &closing)?;
    let (games, sha256) = (found.games(), sha256(path)?);
    writeln!(out, "{}\nclosing seal {sha256}", count(games, "game"))?;
    Ok(exit::DONE)
}

// `arbiter960 draw`: what decides the positions of an event, published before it and opened after it.

/// A seed below this can be found by trying.
const MAX_GUESSABLE_SEED: u64 = 1 << 40;

/// Publish the draw of an event: a commitment before it, the opening after it.
///
/// The commitment is the SHA-256 of all that decides who meets whom on which positions, the seed among
/// it. It says nothing until it is opened, and can only be opened as it was: whoever compares both
/// knows that the seed was not chosen afterwards. With `public_source` in [event], a number that is
/// announced later, such as a lottery draw, becomes part of the seed as `public_seed`, so that nobody
/// could have chosen it, the organiser included.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 draw event.toml                      before the event: the commitment
  arbiter960 draw event.toml --positions          the positions of the rounds, if public
  arbiter960 draw event.toml --open > draw.json   after it: sha256sum draw.json
  arbiter960 verify --draw COMMITMENT results/event")]
pub(crate) struct DrawArguments {
    /// The event file
    #[arg(value_name = "EVENT.toml")]
    event: PathBuf,

    /// Print what was committed to, the seed included: its SHA-256 is the commitment
    #[arg(long, conflicts_with = "positions")]
    open: bool,

    /// Print the positions of the rounds
    #[arg(long)]
    positions: bool,
}

/// Runs the command.
///
/// # Errors
/// The event file is wrong, or the output cannot be written.
pub(crate) fn draw(arguments: &DrawArguments, out: &mut dyn Write) -> Result<u8> {
    let (tournament, _) = load(&arguments.event, Overrides::default())?;
    let identity = tournament.identity()?;
    let name = &tournament.name;
    if arguments.open || arguments.positions {
        if arguments.open {
            write!(out, "{}", identity.draw_text(name))?
        } else {
            positions(&tournament, out)?
        }
        return Ok(exit::DONE);
    }
    let chosen = identity.public_draw.as_ref();
    let seed = chosen.map_or(identity.seed, |public| public.seed);
    if seed < MAX_GUESSABLE_SEED {
        tell(&format!(
            "warning: the seed can be found by trying: choose a large one, such as seed = {}",
            unguessable_seed()?
        ));
    }
    writeln!(out, "commitment {}", identity.commitment(name))?;
    writeln!(
        out,
        "Publish this line before the event, and what `draw --open` prints after it: its SHA-256 is \
         the commitment.\nUntil then keep the seed to yourself."
    )?;
    if let Some(public) = chosen {
        writeln!(out, "A part of the seed is announced by: {}", public.source)?;
    }
    Ok(exit::DONE)
}

/// A number that cannot be guessed; small enough for TOML.
///
/// # Errors
/// The system's source of randomness cannot be read.
pub(super) fn unguessable_seed() -> std::io::Result<u64> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(u64::from_le_bytes(bytes) >> 1)
}

/// The positions of every round that is planned, and of all its pairs.
fn positions(tournament: &Tournament, out: &mut dyn Write) -> Result<()> {
    let Some(rounds) = tournament.rounds() else {
        let label = &tournament.positions_label;
        writeln!(out, "Every encounter is played on every position: {label}")?;
        return Ok(());
    };
    if tournament.draw == PositionDraw::Encounter {
        let words = "Every encounter has its own positions; those of the first round are in `run --dry-run`.";
        return Ok(writeln!(out, "{words}")?);
    }
    for round in 1..=rounds.most_rounds() {
        write!(out, "round {round}:")?;
        let mut used = Vec::new();
        for pair in 1..=rounds.pairs(round) {
            let (board, pair) = (1, u16::try_from(pair).unwrap_or(u16::MAX));
            let opening = rounds.opening(Place { round, board, pair }, &used);
            used.push(opening);
            write!(out, " {}", position(tournament, opening))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A start by its number and its first rank; of a book its line.
fn position(tournament: &Tournament, opening: u32) -> String {
    let Some(number) = tournament.openings.number(opening) else {
        return tournament.openings.get(opening).start.fen(FenDialect::XFen);
    };
    match back_rank(tournament.variant, number) {
        Some(rank) => format!("{number} ({rank})"),
        None => number.to_string(),
    }
}
