//! `arbiter960 fastchess`, `cutechess`, `import` and `install-fronts`, and the program under another's name.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;

use crate::adapter;
use crate::cli::play::drawn_seed;
use crate::cli::{Arguments, dispatch, exit};
use crate::engine::start::SPARRING;
use crate::engine::{guardian, launcher};
use crate::front::{self, Front, NAMES, PRINT_CONFIG};
use crate::platform::files;
use crate::platform::signals::outlive_the_file_size_limit;
use crate::text::tell;

/// Play an event by the command line of fastchess: `arbiter960 fastchess -help`.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true, disable_version_flag = true)]
#[command(after_help = "Example:
  arbiter960 fastchess -engine cmd=./new name=new -engine cmd=./old name=old -each tc=8+0.08 \\
      -openings file=book.epd order=random -rounds 500 -repeat -concurrency 4 -recover")]
pub(crate) struct FrontArguments {
    /// The words, as fastchess takes them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// Play an event by the command line of cutechess-cli: `arbiter960 cutechess -help`.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true, disable_version_flag = true)]
#[command(after_help = "Example:
  arbiter960 cutechess -engine cmd=./new proto=uci -engine cmd=./old proto=uci -each tc=8+0.08 \\
      -openings file=book.pgn order=random -rounds 500 -games 2 -repeat -concurrency 4 -recover")]
pub(crate) struct CutechessArguments {
    /// The words, as cutechess-cli takes them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// Print the event file that a command line of another runner amounts to, or a config.json of fastchess.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 import config.json > event.toml
  arbiter960 import fastchess -engine cmd=./new -engine cmd=./old -each tc=8+0.08 -rounds 100
What has no counterpart stands in comments (docs/migrating.md).")]
pub(crate) struct ImportArguments {
    /// A file, or a command line with its program first: fastchess or cutechess
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    words: Vec<String>,
}

/// Prints the event file; the front's exit code.
///
/// # Errors
/// The words name no front and no file.
pub(crate) fn import(arguments: &ImportArguments) -> Result<u8> {
    let (front, mut words) = match arguments.words.as_slice() {
        [first, rest @ ..] if first == "fastchess" => (Front::Fastchess, rest.to_vec()),
        [first, rest @ ..] if first == "cutechess" => (Front::Cutechess, rest.to_vec()),
        [file] => {
            let words = ["-config".to_owned(), format!("file={file}")];
            (Front::Fastchess, words.to_vec())
        }
        _ => anyhow::bail!("name one config.json, or begin with fastchess or cutechess"),
    };
    words.push(PRINT_CONFIG.to_owned());
    let program = "arbiter960 import";
    Ok(front::play(front, program, &words, drawn_seed()))
}

/// Make links by which the program is started in the place of another runner.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  arbiter960 install-fronts ~/bin    # fastchess, fastchess-ob, … (docs/migrating.md)")]
pub(crate) struct InstallArguments {
    /// The folder of the links
    folder: PathBuf,
}

/// Runs a front, if the program's name or its first word asks for one; the exit code.
pub(crate) fn run(words: &[String]) -> Option<u8> {
    let (program, rest) = words.split_first()?;
    let first = rest.first().map(String::as_str);
    let adapters = [adapter::XBOARD, adapter::OWN_BOOK, adapter::WHITE_VIEW];
    let helpers = [SPARRING, launcher::COMMAND, guardian::COMMAND];
    let is_helper = first.is_some_and(|word| adapters.contains(&word) || helpers.contains(&word));
    let (front, program, words) = match (Front::of_program(program), first) {
        (Some(front), _) if !is_helper => (front, program.clone(), rest),
        (_, Some("cutechess")) => (Front::Cutechess, format!("{program} cutechess"), &rest[1..]),
        (_, Some("fastchess")) => (Front::Fastchess, format!("{program} fastchess"), &rest[1..]),
        _ => (Front::of_words(rest)?, program.clone(), rest),
    };
    outlive_the_file_size_limit();
    if let (Front::Fastchess, [word, engine @ ..]) = (front, words)
        && word == "--compliance"
        && !engine.is_empty()
    {
        return Some(compliance(engine));
    }
    Some(front::play(front, &program, words, drawn_seed()))
}

/// `fastchess --compliance ENGINE [ARGS]`: the examination of `arbiter960 check`, with exit code 0 or 1.
fn compliance(engine: &[String]) -> u8 {
    let own = ["arbiter960", "check", "--standard"].map(str::to_owned);
    let words = own.into_iter().chain(engine.iter().cloned());
    let examined = Arguments::try_parse_from(words)
        .map_err(anyhow::Error::from)
        .and_then(|line| dispatch(line.command, &mut std::io::stdout()));
    match examined {
        Ok(code) => u8::from(code != exit::DONE),
        Err(error) => {
            tell(&format!("error: {error:#}"));
            1
        }
    }
}

/// Makes the links.
///
/// # Errors
/// The folder cannot be written, or there is another file of one of the names.
pub(crate) fn install(arguments: &InstallArguments, out: &mut dyn Write) -> Result<u8> {
    let program = std::env::current_exe().context("where this program lies is not known")?;
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{} cannot be made", folder.display()))?;
    for (name, _) in NAMES {
        let link = folder.join(name);
        let is_link = link.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
        if is_link {
            std::fs::remove_file(&link)
                .with_context(|| format!("{} cannot be replaced", link.display()))?;
        }
        let shown = link.display();
        files::link(&program, &link)
            .with_context(|| format!("{shown} is there and is no link: move it away first"))?;
        writeln!(out, "{shown} -> {}", program.display())?;
    }
    Ok(exit::DONE)
}
