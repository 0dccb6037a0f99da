//! `arbiter960 verify`: replays the games of PGN files; and tablebases that a command names.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use std::{fs, process};

use anyhow::{Context, Result};

use super::exit;
use crate::event::Place;
use crate::platform::files::open_untrusted;
use crate::run::signals::SignalWatch;
use crate::seal::hold_against;
use crate::sink::PGN_FILE;
use crate::store::Reader;
use crate::tablebase::{Syzygy, Tablebase};
use crate::text::{printable, printable_lines, tell};
use crate::tournament::read_drawn;
use crate::verify::{Options, Summary, verify};
use crate::{pgn, seal};

/// Replay every game of PGN files and report what is wrong, a line each.
///
/// Checked are: legality of every move, the result against the final position, Termination
/// against the final position, forfeits won by a side that cannot mate, moves after the game was
/// over, start number and castling rights against the FEN, PlyCount. A result in an unfinished
/// position is wrong only if Termination says normal.
///
/// Exit code 0: nothing is wrong; 1: something is; 2: a file cannot be read or has no game.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 verify results/quickstart/games.pgn
  arbiter960 verify archive/*.pgn.zst
  arbiter960 verify --seal seal.json results/event
  arbiter960 verify --tablebase /srv/syzygy games.pgn
  curl -s https://example.org/games.pgn.gz | arbiter960 verify -")]
pub(crate) struct VerifyArguments {
    /// PGN files, also compressed (gzip, Zstandard, bzip2), or folders of events, whose games.pgn is
    /// read; - is the standard input
    #[arg(required = true, value_name = "FILE.pgn")]
    files: Vec<PathBuf>,

    /// Check the draw of an event instead: its folder must be what this commitment of
    /// `arbiter960 draw` is about, and the positions of its rounds those that were drawn
    #[arg(long, value_name = "COMMITMENT", conflicts_with = "strict")]
    draw: Option<String>,

    /// Hold results (folders of events, PGN files) against this record of `arbiter960 seal`, written
    /// before the first game, or with --close after the last
    #[arg(long, value_name = "MANIFEST", conflicts_with_all = ["strict", "draw", "tablebase"])]
    seal: Option<PathBuf>,

    /// With --seal: games may be missing, as while an event is played
    #[arg(long, requires = "seal")]
    partly: bool,

    /// With --seal: draw this many games and play their pairs again, with the event's engines; names
    /// those with other moves (limits in nodes or plies, one thread)
    #[arg(long, value_name = "N", requires = "seal")]
    replay: Option<usize>,

    /// Hold results against the Syzygy tables in this folder, where a game has ended otherwise than
    /// on the board: wrong if it was adjudicated, odd (and wrong with --strict) if it may have been
    /// agreed. Several times for several folders
    #[arg(long, value_name = "FOLDER", conflicts_with = "draw")]
    tablebase: Vec<PathBuf>,

    /// Check the tag SetUp, move numbers, and marks of check and mate too; moves that are not
    /// written as PGN has them count as wrong, not as odd
    #[arg(long)]
    strict: bool,
}

/// Runs the command; returns the exit code.
///
/// # Errors
/// If `out` cannot be written to. Files that cannot be read are reported, and the others checked.
pub(crate) fn run(arguments: &VerifyArguments, out: &mut dyn Write) -> Result<u8> {
    if let Some(commitment) = &arguments.draw {
        return verify_draws(commitment, &arguments.files, out);
    }
    if let Some(manifest) = &arguments.seal {
        return verify_seal(manifest, arguments, out);
    }
    let begun = Instant::now();
    let tables = open_tables(&arguments.tablebase)?;
    let options = Options {
        strict: arguments.strict,
        tables: tables.clone(),
    };
    let mut total = Summary::default();
    let mut unreadable = 0;
    for file in &arguments.files {
        match verify_file(file, options.clone(), out)? {
            Ok(summary) => total += summary,
            Err(error) => {
                out.flush()?;
                let words = format!("{error:#}");
                tell(&format!("error: {}", printable_lines(&words)));
                unreadable += 1;
            }
        }
    }
    if let Some(tables) = tables {
        unreadable += tell_table_troubles(tables.as_ref());
    }
    let seconds = begun.elapsed().as_secs_f64();
    let read = format!("games {} moves {}", total.games, total.moves);
    let found = format!("findings {} warnings {}", total.findings, total.warnings);
    writeln!(
        out,
        "{read} {found} unreadable {unreadable} seconds {seconds:.3}"
    )?;
    Ok(match (unreadable, total.findings) {
        (0, 0) => exit::DONE,
        (0, _) => exit::FOUND,
        _ => exit::USAGE,
    })
}

/// Compares results to what was sealed.
fn verify_seal(path: &Path, arguments: &VerifyArguments, out: &mut dyn Write) -> Result<u8> {
    let (seal, manifest, closing) = seal::read(path)?;
    let mut wrong = Vec::new();
    let events = seal::open(&seal, &manifest, |words| wrong.push(words))?;
    let record = (&manifest, closing.as_ref());
    let mut found = hold_against(record, &events, &arguments.files, arguments.partly);
    if let Some(count) = arguments.replay {
        let signals = SignalWatch::start()?;
        let random = RandomState::new().hash_one(process::id());
        // A folder of that name that is there already is somebody else's.
        let results = std::env::temp_dir().join(format!("arbiter960-{random:016x}"));
        fs::create_dir(&results)?;
        let stopped = seal::replay(&seal, &mut found, (count, random), &results, &signals);
        fs::remove_dir_all(&results)?;
        if let Some(code) = stopped? {
            return Ok(code);
        }
    }
    wrong.extend(found.wrong.iter().cloned());
    for words in wrong.iter().chain(&found.remarks) {
        writeln!(out, "{}", printable_lines(words))?;
    }
    let (sealed, games, findings) = (&manifest.sealed, found.games(), wrong.len());
    writeln!(out, "sealed {sealed}: games {games} findings {findings}")?;
    Ok(match findings {
        0 => exit::DONE,
        _ => exit::FOUND,
    })
}

/// Checks the draw of events.
fn verify_draws(commitment: &str, folders: &[PathBuf], out: &mut dyn Write) -> Result<u8> {
    let mut code = exit::DONE;
    for folder in folders {
        let reader = Reader::open(folder)?;
        let Some(identity) = reader.identity()?.map(|accepted| accepted.identity) else {
            anyhow::bail!("{}: the event has not begun", folder.display());
        };
        let name = reader.described()?.remove("name").unwrap_or_default();
        let found = identity.commitment(&name);
        let committed = if found.eq_ignore_ascii_case(commitment.trim()) {
            "seed, rules and engines are those that were committed to".to_owned()
        } else {
            code = exit::FOUND;
            format!("not what was committed to: this event's commitment is {found}")
        };
        let drawn = read_drawn(&reader)?;
        let drawn = drawn.map(|(rounds, chosen)| rounds.other_position(&chosen));
        let drawn = match drawn {
            None => "its positions are not drawn by rounds".to_owned(),
            Some(None) => "the positions of all rounds are those of the seed".to_owned(),
            Some(Some(Place { round, board, pair })) => {
                code = exit::FOUND;
                format!(
                    "round {round}, board {board}, pair {pair} has another position than the seed gives it"
                )
            }
        };
        let shown = printable(&name);
        writeln!(out, "{shown}: {committed}\n{shown}: {drawn}")?;
    }
    Ok(code)
}

/// Checks one file. The outer error is of the output, the inner one of the file.
fn verify_file(path: &Path, options: Options, out: &mut dyn Write) -> io::Result<Result<Summary>> {
    // An event's folder: others may have put something else there.
    let in_event = path.is_dir().then(|| path.join(PGN_FILE));
    let opened = match &in_event {
        Some(path) => open_untrusted(path).and_then(pgn::decompressed),
        None => pgn::open(path),
    };
    let name = in_event.as_deref().unwrap_or(path).display();
    let input = match opened.with_context(|| format!("cannot read {name}")) {
        Ok(input) => input,
        Err(error) => return Ok(Err(error)),
    };
    let shown = printable(&name.to_string()).into_owned();
    let mut written = Ok(());
    let summary = verify(input, options, |finding| {
        let (place, words) = (finding.place, finding.to_string());
        if written.is_ok() {
            let at = format!("game {}, ply {}", place.game, place.ply);
            written = writeln!(out, "{shown}:{}: {at}: {}", place.line, printable(&words));
        }
    });
    written?;
    let summary = summary.with_context(|| format!("cannot read {name}"));
    Ok(match summary {
        Ok(Summary { games: 0, .. }) => Err(anyhow::anyhow!("{name}: no game")),
        other => other,
    })
}

/// The tables in these folders, if there are any folders.
///
/// # Errors
/// A folder has no tables, or a damaged one.
pub(super) fn open_tables(folders: &[PathBuf]) -> Result<Option<Arc<dyn Tablebase>>> {
    if folders.is_empty() {
        return Ok(None);
    }
    let tables = Syzygy::open(folders, None).context("--tablebase")?;
    Ok(Some(Arc::new(tables)))
}

/// Reports which tables could not be read; returns their number.
pub(super) fn tell_table_troubles(tables: &dyn Tablebase) -> usize {
    let troubles = tables.troubles();
    for trouble in &troubles {
        tell(&format!("error: tablebase: {}", printable(trouble)));
    }
    troubles.len()
}
