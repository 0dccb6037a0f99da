//! `arbiter960 positions`: start positions, and conversion of any legal position.

mod format;
mod place;

use std::io::{self, BufRead, BufWriter, Write};

use anyhow::{Context, bail, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};

pub use format::Format;

use crate::chess::Position;
use crate::chess::start::{
    self, BoardStyle, DiceError, Filter, StartNumber, StartRange, Variant, parse_number,
};
use format::Shown;

/// Print start positions, or convert any legal position given as FEN: one bare line each.
///
/// Starts are numbered: Chess960 and Chess480 0-959 (Scharnagl; 518 is the orthodox
/// array), DFRC white*960+black, shuffle 0-5039, transcendental white*2880+black, corner
/// 0-359, Chess256 0-255 (bit i: the pawns of file i stand on the third rank).
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 positions 518
  arbiter960 positions 0-9 RNBQKBNR --format shredder
  arbiter960 positions --variant dfrc 518/12 --format json
  arbiter960 positions --sample 50 --seed 7 --filter not-518 --format epd > book.epd
  arbiter960 positions --dice 2 3 3 2 3 --format number
  arbiter960 positions 'rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1' --format shredder")]
pub struct PositionsArguments {
    /// Numbers (518), pairs (518/12), ranges (0-99), `all`, back ranks (RNBQKBNR), or a
    /// FEN in quotes
    #[arg(value_name = "NUMBER|RANGE|BACKRANK|FEN")]
    pub positions: Vec<String>,

    /// Every start of the variant
    #[arg(long, conflicts_with_all = ["positions", "dice", "place"])]
    pub all: bool,

    /// The start that these rolls of a die make: bishop on dark squares, bishop on light
    /// squares, queen, knight, knight, each counting free squares from the a-file. A roll
    /// that names no free square may stand there with its reroll after it
    #[arg(long, value_name = "D", num_args = 5.., conflicts_with_all = ["positions", "place"])]
    pub dice: Vec<u8>,

    /// That many different starts, drawn at random out of those named, or out of all
    #[arg(long, value_name = "N", conflicts_with_all = ["dice", "place"])]
    pub sample: Option<u32>,

    /// The seed of --sample: the same seed draws the same starts, for ever
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    pub seed: u64,

    /// The variant whose starts are meant
    #[arg(long, value_name = "V", default_value = Variant::Chess960.name(), ignore_case = true,
          value_parser = names::<Variant>(Variant::ALL.map(Variant::name)))]
    pub variant: Variant,

    /// Only starts that fulfil this (repeatable: all of these)
    #[arg(long, value_name = "F", ignore_case = true, conflicts_with_all = ["dice", "place"],
          value_parser = names::<Filter>(Filter::ALL.map(Filter::name)))]
    pub filter: Vec<Filter>,

    /// The left-right mirror of each
    #[arg(long)]
    pub mirror: bool,

    /// Two players make a start together by turns (Northam), on the terminal
    #[arg(long, conflicts_with = "positions")]
    pub place: bool,

    /// What to print of each
    #[arg(long, value_enum, default_value_t = Format::Xfen)]
    pub format: Format,

    /// Draw the board with chess symbols instead of letters
    #[arg(long)]
    pub unicode: bool,
}

/// Reads one of `names`; they appear in the help and in completions.
fn names<T>(names: impl Into<PossibleValuesParser>) -> impl TypedValueParser<Value = T>
where
    T: std::str::FromStr<Err = start::StartError> + Clone + Send + Sync + 'static,
{
    names.into().try_map(|name| name.parse())
}

/// Runs the command, with `out` as standard output.
///
/// # Errors
/// Whatever is wrong with the command line, before anything is printed; or `out` cannot be
/// written. A reader that stops reading (`| head`) is no error.
pub fn run(arguments: PositionsArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    run_with(
        &arguments,
        &mut io::stdin().lock(),
        &mut io::stderr().lock(),
        out,
    )
}

/// As [`run`], with the terminal for `--place` as arguments.
///
/// # Errors
/// As [`run`], or the placing is abandoned.
pub fn run_with(
    arguments: &PositionsArguments,
    input: &mut dyn BufRead,
    prompts: &mut dyn Write,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let selection = select(arguments, input, prompts)?;
    match print(arguments, selection, &mut BufWriter::new(out)) {
        Err(error) if is_closed_pipe(&error) => Ok(()),
        result => result,
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let cause = error.downcast_ref::<io::Error>();
    cause.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// What one argument names.
enum Selected {
    Starts(Vec<StartNumber>),
    Position(Box<Position>),
}

fn select(
    arguments: &PositionsArguments,
    input: &mut dyn BufRead,
    prompts: &mut dyn Write,
) -> anyhow::Result<Vec<Selected>> {
    let variant = arguments.variant;
    if arguments.place {
        ensure!(
            has_960_starts(variant),
            "--place makes starts of chess960 and chess480"
        );
        let rank = place::place(input, prompts)?.to_string();
        return Ok(vec![Selected::Starts(vec![parse_number(variant, &rank)?])]);
    }
    if !arguments.dice.is_empty() {
        ensure!(has_960_starts(variant), DiceError::Variant(variant));
        return Ok(vec![Selected::Starts(vec![start::dice(&arguments.dice)?])]);
    }
    let everything =
        arguments.all || (arguments.positions.is_empty() && arguments.sample.is_some());
    let mut selection = match everything {
        true => vec![Selected::Starts(variant.numbers().collect())],
        false => named(arguments)?,
    };
    for selected in &mut selection {
        filter(selected, arguments)?;
    }
    sample(selection, arguments)
}

fn has_960_starts(variant: Variant) -> bool {
    matches!(variant, Variant::Chess960 | Variant::Chess480)
}

/// What the arguments name, in their order.
fn named(arguments: &PositionsArguments) -> anyhow::Result<Vec<Selected>> {
    if arguments.positions.is_empty() {
        bail!(
            "which positions? Name numbers, back ranks or FENs, or give --all, --sample, --dice or --place"
        );
    }
    let variant = arguments.variant;
    arguments
        .positions
        .iter()
        .map(|text| one_argument(variant, text))
        .collect()
}

fn one_argument(variant: Variant, text: &str) -> anyhow::Result<Selected> {
    // white/black has one slash, a board seven.
    if text.matches('/').count() < 2 && !text.contains(' ') {
        let range = StartRange::parse(variant, text)?;
        return Ok(Selected::Starts(range.numbers().collect()));
    }
    let position = Position::from_fen_with(text, variant.castling_rule()).with_context(|| {
        let quotes = if text.contains(' ') {
            ""
        } else {
            " (put a FEN in quotes)"
        };
        format!("`{text}` is not a position{quotes}")
    })?;
    Ok(Selected::Position(Box::new(position)))
}

fn filter(selected: &mut Selected, arguments: &PositionsArguments) -> anyhow::Result<()> {
    if arguments.filter.is_empty() {
        return Ok(());
    }
    let Selected::Starts(numbers) = selected else {
        bail!("--filter chooses among numbered starts, not FENs");
    };
    // Only numbers of the variant were selected, and those every filter can judge.
    let accepts = |number: &StartNumber| {
        let mut filters = arguments.filter.iter();
        filters.all(|filter| filter.accepts(arguments.variant, *number) == Ok(true))
    };
    numbers.retain(accepts);
    Ok(())
}

fn sample(
    selection: Vec<Selected>,
    arguments: &PositionsArguments,
) -> anyhow::Result<Vec<Selected>> {
    let Some(count) = arguments.sample else {
        return Ok(selection);
    };
    let mut population = Vec::new();
    for selected in selection {
        match selected {
            Selected::Starts(numbers) => population.extend(numbers),
            Selected::Position(_) => bail!("--sample draws from numbered starts, not FENs"),
        }
    }
    let drawn = start::sample_of(&population, count, arguments.seed)?;
    Ok(vec![Selected::Starts(drawn)])
}

fn print(
    arguments: &PositionsArguments,
    selection: Vec<Selected>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let variant = arguments.variant;
    let style = if arguments.unicode {
        BoardStyle::Unicode
    } else {
        BoardStyle::Ascii
    };
    let mut print_one = |shown: Shown| -> anyhow::Result<()> {
        out.write_all(shown.text(arguments.format, style)?.as_bytes())?;
        Ok(())
    };
    for selected in selection {
        match selected {
            Selected::Position(position) if arguments.mirror => {
                print_one(Shown::of(
                    variant,
                    start::mirrored_position(&position, variant)?,
                ))?;
            }
            Selected::Position(position) => print_one(Shown::of(variant, *position))?,
            Selected::Starts(numbers) => {
                for number in numbers {
                    let mirror = || start::mirror(variant, number);
                    let number = if arguments.mirror { mirror()? } else { number };
                    print_one(Shown::start(variant, number)?)?;
                }
            }
        }
    }
    out.flush()?;
    Ok(())
}
