//! `arbiter960 draw`: what decides the positions of an event, published before it and opened after it.

use std::io::Write;
use std::path::PathBuf;

use crate::analysis::back_rank;
use crate::chess::FenDialect;
use crate::cli::exit;
use crate::config::{Overrides, Tournament, load};
use crate::event::{Place, PositionDraw};
use crate::text::tell;

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
pub(crate) fn run(arguments: &DrawArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let (tournament, _) = load(&arguments.event, Overrides::default())?;
    let identity = tournament.identity()?;
    let name = &tournament.name;
    if arguments.open || arguments.positions {
        match arguments.open {
            true => write!(out, "{}", identity.draw_text(name))?,
            false => positions(&tournament, out)?,
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
fn positions(tournament: &Tournament, out: &mut dyn Write) -> anyhow::Result<()> {
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
