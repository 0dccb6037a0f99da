//! `arbiter960 export`: an event's games for other tools.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;

#[cfg(feature = "parquet")]
use crate::cli::conclusion::of_store;
use crate::cli::exit;
use crate::pgn::{Comments, PgnDialect};
use crate::report::export;
use crate::report::trf::trf;
use crate::sink::write_selected_pgn;
use crate::store::Reader;
use crate::tournament::Roster;

/// Write an event's games for other tools.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 export results/quickstart --format pgn > games.pgn
  arbiter960 export results/quickstart --format csv -o games.csv
  arbiter960 export results/quickstart --format pgn --counted --comments none > for-ordo.pgn
  arbiter960 export results/quickstart --format jsonl | jq .moves[0]
  arbiter960 export results/open --format trf -o open.trf
  arbiter960 export results/quickstart --format parquet -o DIR   tables for DuckDB, polars and R")]
pub(crate) struct ExportArguments {
    /// The event's folder
    #[arg(value_name = "RESULTS")]
    results: PathBuf,

    /// What to write
    #[arg(long, value_enum)]
    format: ExportFormat,

    /// Only games that count in the standings: none of a disqualified engine whose games are annulled; with forfeits of
    /// games that were never played
    #[arg(long)]
    counted: bool,

    /// The comments in PGN: eval, clock, time, depth, nodes, pv, with commas; all, or none
    #[arg(long, value_name = "WORDS")]
    comments: Option<Comments>,

    /// The words of the comments in PGN: standard, or those that the viewers of the TCEC read
    #[arg(long, value_name = "DIALECT")]
    pgn_dialect: Option<PgnDialect>,

    /// The file, instead of stdout; of parquet the folder
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The formats of `export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// A row a game, its moves as UCI text
    Csv,
    /// A JSON object a game, with everything known of every move
    Jsonl,
    /// The file games.pgn, rebuilt from the store
    Pgn,
    /// FIDE's tournament report file (TRF16); each game of an encounter is a round
    Trf,
    /// The files games, moves, pairs and positions with typed columns, in a folder
    Parquet,
}

/// Runs the command.
///
/// # Errors
/// The folder has no event, or the output cannot be written.
pub(crate) fn run(arguments: &ExportArguments, out: &mut dyn Write) -> Result<u8> {
    let reader = Reader::open(&arguments.results)?;
    let worded = arguments.comments.is_some() || arguments.pgn_dialect.is_some();
    let selected = arguments.counted || worded;
    if selected && arguments.format != ExportFormat::Pgn {
        anyhow::bail!("--counted, --comments and --pgn-dialect belong to --format pgn");
    }
    if arguments.format == ExportFormat::Parquet {
        let needed = "Parquet files are written into a folder: name it, as in -o data";
        parquet(&reader, arguments.output.as_deref().context(needed)?)?;
        return Ok(exit::DONE);
    }
    match &arguments.output {
        None => write(&reader, arguments, out)?,
        Some(path) => {
            let named = || format!("cannot write {}", path.display());
            let mut file = BufWriter::new(File::create(path).with_context(named)?);
            write(&reader, arguments, &mut file)?;
            file.flush().with_context(named)?;
        }
    }
    Ok(exit::DONE)
}

fn write(reader: &Reader, arguments: &ExportArguments, out: &mut dyn Write) -> Result<()> {
    let dialect = arguments.pgn_dialect.unwrap_or_default();
    let comments = arguments.comments.unwrap_or_default();
    let comments = comments.in_dialect(dialect);
    match arguments.format {
        ExportFormat::Csv => export::csv(reader, &Roster::read(reader)?, out)?,
        ExportFormat::Jsonl => export::json_lines(reader, &Roster::read(reader)?, out)?,
        ExportFormat::Pgn => write_selected_pgn(reader, comments, arguments.counted, out)?,
        ExportFormat::Trf => write!(out, "{}", trf(reader)?)?,
        // Four files.
        ExportFormat::Parquet => {}
    }
    Ok(())
}

#[cfg(feature = "parquet")]
fn parquet(reader: &Reader, folder: &Path) -> Result<()> {
    let (roster, statistics) = (Roster::read(reader)?, of_store(reader)?.of_a_finished_run());
    let written = crate::report::parquet::write(reader, &roster, &statistics, folder);
    written.with_context(|| format!("cannot export to {}", folder.display()))
}

#[cfg(not(feature = "parquet"))]
fn parquet(_reader: &Reader, _folder: &Path) -> Result<()> {
    anyhow::bail!(
        "this program was built without Parquet: build it with --features parquet, or take --format csv or jsonl"
    )
}
