//! `arbiter960 perft`: counts the leaves of the tree of legal moves.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::chess::start::{self, Variant};
use crate::chess::{PerftCase, Position, perft};
use crate::cli::exit;
use crate::pgn;

/// Count the leaves of the tree of legal moves, or run a file of positions with known counts.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 perft 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' 5
  arbiter960 perft 518 5
  arbiter960 perft --suite tests/data/perft/sp960-perft.epd --depth 5")]
pub(crate) struct PerftArguments {
    /// The position: a FEN in any castling dialect, or a start number of the variant
    #[arg(required_unless_present = "suite", conflicts_with = "suite")]
    fen: Option<String>,

    /// Half-moves
    #[arg(
        value_name = "DEPTH",
        required_unless_present = "suite",
        conflicts_with = "suite"
    )]
    plies: Option<u32>,

    /// Print the count behind each first move too
    #[arg(long, conflicts_with = "suite")]
    divide: bool,

    /// The variant, for its castling (chess480 castles its own way) and its start numbers
    #[arg(long, value_name = "V", default_value = "chess960")]
    variant: Variant,

    /// A file of `FEN ;D1 n ;D2 n …`, also compressed; - is the standard input
    #[arg(long, value_name = "FILE.epd", requires = "depth")]
    suite: Option<PathBuf>,

    /// Half-moves to count in each position of the suite
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
}

/// Runs the command; exit code 1 if a count of the suite is wrong.
///
/// # Errors
/// A bad position, an unreadable file, a suite without any count for the depth, a closed
/// output.
pub(crate) fn run(arguments: &PerftArguments, out: &mut dyn Write) -> Result<u8> {
    if let (Some(file), Some(depth)) = (&arguments.suite, arguments.depth) {
        return suite(file, depth, arguments.variant, out);
    }
    let (Some(text), Some(plies)) = (&arguments.fen, arguments.plies) else {
        bail!("a FEN or a start number and a depth, or --suite and --depth");
    };
    let position = position(text, arguments.variant)?;
    if arguments.divide && plies > 0 {
        for chess_move in &position.legal_moves() {
            let next = position.after(*chess_move);
            let text = position.uci(*chess_move, arguments.variant.uci_dialect());
            writeln!(out, "{text} {}", perft(&next, plies - 1))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{}", perft(&position, plies))?;
    Ok(exit::DONE)
}

/// A FEN of the variant, or the name of one of its starts: `518`, `518/12`, `RNBQKBNR`.
fn position(text: &str, variant: Variant) -> Result<Position> {
    if text.matches('/').count() < 2 && !text.trim().contains(' ') {
        let number = start::parse_number(variant, text)?;
        return Ok(start::position(variant, number)?);
    }
    Ok(variant.read_fen(text)?)
}

fn suite(file: &Path, depth: u32, variant: Variant, out: &mut dyn Write) -> Result<u8> {
    let mut text = String::new();
    pgn::open(file)
        .and_then(|mut input| input.read_to_string(&mut text))
        .with_context(|| format!("cannot read {}", file.display()))?;
    let mut cases = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if !line.trim().is_empty() {
            let place = || format!("{}:{number}", file.display());
            let case = PerftCase::parse(line, variant.castling_rule()).with_context(place)?;
            variant.check_castling(&case.position).with_context(place)?;
            cases.push((number, case));
        }
    }
    ensure!(!cases.is_empty(), "{}: no position", file.display());
    let begun = Instant::now();
    let (mut nodes, mut wrong, mut compared) = (0, false, 0);
    for (number, case) in &cases {
        let counted = perft(&case.position, depth);
        nodes += counted;
        let given = case.expected.iter().filter(|(at, _)| *at == depth);
        compared += given.clone().count();
        for (_, expected) in given.filter(|(_, count)| *count != counted) {
            wrong = true;
            let place = format!("{}:{number}: depth {depth}", file.display());
            writeln!(out, "{place}: counted {counted}, expected {expected}")?;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
    let counted = format!("positions {} nodes {nodes}", cases.len());
    writeln!(out, "{counted} seconds {seconds:.3} mnps {speed:.1}")?;
    // A suite without any comparison has not passed.
    ensure!(
        compared > 0,
        "{}: no line has a count for depth {depth} (;D{depth} n), so nothing was compared",
        file.display()
    );
    Ok(if wrong { exit::FOUND } else { exit::DONE })
}
