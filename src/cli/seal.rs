//! `arbiter960 seal`: events fixed before their first game.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cli::{VERSION, exit};
use crate::config::sha256;
use crate::engine::own_sha256;
use crate::seal::{SealedProgram, seal};
use crate::text::count;

/// Write down all on which the games of events depend, before the first game.
///
/// The manifest has the event files, the SHA-256 of them, of engines, nets, books and of the program
/// that is to play, the seed, a hash of every pair of the plan, the commitment of `draw`, and the time.
/// Publish it, or its SHA-256: `verify --seal` then holds results against it, and names a changed
/// file, another build, and games that were left out, repeated or added. The program that verifies
/// may be a later one.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 seal event.toml -o seal.json
  arbiter960 seal a.toml b.toml --program ./arbiter960 -o seal.json
  arbiter960 verify --seal seal.json results/event
  arbiter960 verify --seal seal.json results/*.pgn.zst")]
pub(crate) struct SealArguments {
    /// The event files; the seed must stand in them
    #[arg(value_name = "EVENT.toml", required = true)]
    events: Vec<PathBuf>,

    /// The manifest; a file that is there is not overwritten
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
    let manifest = seal(&arguments.events, folder.unwrap_or(Path::new(".")), program)?;
    let mut file =
        File::create_new(path).with_context(|| format!("cannot write {}", path.display()))?;
    file.write_all(manifest.text()?.as_bytes())?;
    file.sync_all()?;
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
