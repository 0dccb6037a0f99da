//! `arbiter960 seal`: events fixed before their first game.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;

use crate::cli::{VERSION, exit};
use crate::config::sha256;
use crate::engine::own_sha256;
use crate::seal::{self, Closing, SealedProgram, hold_against, seal};
use crate::text::{count, printable_lines};

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
pub(crate) fn run(arguments: &SealArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let path = &arguments.output;
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    if let Some(manifest) = &arguments.close {
        return close(manifest, arguments, folder, out);
    }
    let program = match &arguments.program {
        Some(file) => SealedProgram {
            version: None,
            sha256: sha256(file)?,
        },
        None => SealedProgram {
            version: Some(VERSION.to_owned()),
            sha256: own_sha256()?,
        },
    };
    let manifest = seal(&arguments.events, folder, program)?;
    write_record(path, &manifest)?;
    for event in &manifest.events {
        writeln!(
            out,
            "{}: {}, {}, plan {}",
            event.name,
            count(event.pairs, "pair"),
            count(event.games, "game"),
            event.plan_sha256
        )?;
    }
    writeln!(
        out,
        "program {}\nseal {}",
        manifest.program.sha256,
        sha256(path)?
    )?;
    Ok(exit::DONE)
}

/// A JSON file that was not there.
fn write_record(path: &Path, record: &impl Serialize) -> anyhow::Result<()> {
    let mut file =
        File::create_new(path).with_context(|| format!("cannot write {}", path.display()))?;
    writeln!(file, "{}", serde_json::to_string_pretty(record)?)?;
    Ok(file.sync_all()?)
}

/// Seals results.
fn close(
    manifest: &Path,
    arguments: &SealArguments,
    folder: &Path,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let (seal, sealed, closing) = seal::read(manifest)?;
    let mut wrong = Vec::new();
    let events = seal::open(&seal, &sealed, |words| wrong.push(words))?;
    let record = (&sealed, closing.as_ref());
    let found = hold_against(record, &events, &arguments.events, false);
    wrong.extend(found.wrong.iter().cloned());
    if !wrong.is_empty() {
        wrong
            .iter()
            .try_for_each(|words| writeln!(out, "{}", printable_lines(words)))?;
        return Ok(exit::FOUND);
    }
    write_record(
        &arguments.output,
        &Closing::new(&seal, folder, found.results())?,
    )?;
    let (games, sha256) = (found.games(), sha256(&arguments.output)?);
    writeln!(out, "{}\nclosing seal {sha256}", count(games, "game"))?;
    Ok(exit::DONE)
}
