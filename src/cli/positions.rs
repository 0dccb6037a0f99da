//! `arbiter960 positions`: start positions, and conversion of any legal position.

mod evaluate;
mod format;
mod select;

use std::collections::HashSet;
use std::io::{self, BufRead, Write};

use clap::builder::{PossibleValuesParser, TypedValueParser};

pub(crate) use format::PositionFormat;

use crate::check::random_game;
use crate::chess::start::{self, BoardStyle, Filter, Variant, epd};
use crate::hash::fnv1a;
use format::ShownPosition;
use select::{Selected, select};

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
  arbiter960 positions --throws 3 4 1 6
  arbiter960 positions --draw --format dgt
  arbiter960 positions --all --evaluate stockfish --nodes 100000 > chess960.epd
  arbiter960 positions --all --plies 6 --lines 20 --seed 7 --evaluate stockfish --nodes 20000 \\
      --between 80..120 --output evaluated.epd > unbalanced.epd
  arbiter960 positions 'rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1' --format shredder")]
pub struct PositionsArguments {
    /// Numbers (518), pairs (518/12), ranges (0-99), `all`, back ranks (RNBQKBNR), or a
    /// FEN
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

    /// The start that throws decide by its number, every start equally likely: rolls of a die (1 to 6; 4.3 on average,
    /// --dice takes 6.7), tosses of a coin (H, T; 10.3), or cards of 52 that are put back (AS, 10H, KD; 2.3)
    #[arg(long, value_name = "THROW", num_args = 1.., conflicts_with_all = ["positions", "place", "dice", "all"])]
    throws: Vec<String>,

    /// That many different starts, drawn at random out of those named, or out of all
    #[arg(long, value_name = "N", conflicts_with_all = ["dice", "place"])]
    pub sample: Option<u32>,

    /// The seed of --sample and --plies: the same seed draws the same, for ever. Without it one is drawn
    /// and printed
    #[arg(long, value_name = "S", conflicts_with = "draw")]
    pub seed: Option<u64>,

    /// Draw starts that nobody can foretell, not even who has the seed of an earlier draw: one, or
    /// N different ones, out of those named, or out of all
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1", require_equals = true,
          conflicts_with_all = ["dice", "place", "sample"])]
    pub draw: Option<u32>,

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
    #[arg(long, value_enum, default_value_t = PositionFormat::Xfen)]
    pub format: PositionFormat,

    /// Instead of each start, the end of this number of half-moves from it, drawn at random with the seed
    #[arg(long, value_name = "N", requires = "seed", conflicts_with_all = ["place", "mirror"])]
    plies: Option<u32>,

    /// With --plies: this number of lines from each start
    #[arg(long, value_name = "N", requires = "plies", default_value_t = 1)]
    lines: u32,

    #[command(flatten)]
    evaluation: evaluate::EvaluateArguments,

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
/// Whatever is wrong with the command line, before anything is printed; a position without a number where numbers are
/// printed, at its turn; or `out` cannot be written.
pub(crate) fn run(arguments: PositionsArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    run_with(&arguments, &mut io::stdin().lock(), &mut io::stderr(), out)
}

/// As `run`, with the terminal for `--place` as arguments.
///
/// # Errors
/// As `run`, or the placing is abandoned.
pub fn run_with(
    arguments: &PositionsArguments,
    input: &mut dyn BufRead,
    prompts: &mut dyn Write,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let shown = shown(arguments, select(arguments, input, prompts)?);
    if arguments.evaluation.evaluate.is_some() {
        return evaluate::print(&arguments.evaluation, shown, out);
    }
    let style = if arguments.unicode {
        BoardStyle::Unicode
    } else {
        BoardStyle::Ascii
    };
    for shown in shown {
        out.write_all(shown?.text(arguments.format, style)?.as_bytes())?;
    }
    out.flush()?;
    Ok(())
}

/// The positions one after the other; none is made before its turn.
fn shown(
    arguments: &PositionsArguments,
    selection: Vec<Selected>,
) -> impl Iterator<Item = anyhow::Result<ShownPosition>> {
    let (variant, mirror) = (arguments.variant, arguments.mirror);
    let mut lines = arguments.plies.map(|plies| DrawnLines {
        plies,
        lines: arguments.lines,
        seed: arguments.seed.unwrap_or_default(),
        known: HashSet::new(),
    });
    let starts = selection.into_iter().flat_map(move |selected| {
        let (position, numbers) = match selected {
            Selected::Position(position) => (Some(position), Vec::new()),
            Selected::Starts(numbers) => (None, numbers),
        };
        let any = |position| Ok(ShownPosition::from_position(variant, position, mirror)?);
        let start = move |number| Ok(ShownPosition::start(variant, number, mirror)?);
        let position = position.map(|position| any(*position));
        position.into_iter().chain(numbers.into_iter().map(start))
    });
    starts.flat_map(move |start| match (start, &mut lines) {
        (Ok(start), Some(lines)) => lines.ends_from(&start),
        (start, _) => vec![start],
    })
}

/// Lines of random moves from starts.
struct DrawnLines {
    plies: u32,
    /// From each start.
    lines: u32,
    seed: u64,
    /// The positions that were reached.
    known: HashSet<String>,
}

impl DrawnLines {
    /// The ends of the lines from a start; no position twice, and none in which the game is over.
    fn ends_from(&mut self, start: &ShownPosition) -> Vec<anyhow::Result<ShownPosition>> {
        let key = fnv1a(start.xfen().bytes());
        let mut ends = Vec::new();
        for line in 0..u64::from(self.lines) {
            let seed = self.seed ^ key.wrapping_add(line);
            let game = random_game(start.position.clone(), seed, self.plies);
            let end = ShownPosition::from_position(start.variant, game.position().clone(), false);
            let is_new = |end: &ShownPosition| self.known.insert(epd(&end.xfen()));
            if game.ending().is_none() && end.as_ref().is_ok_and(is_new) {
                ends.push(end.map_err(anyhow::Error::from));
            }
        }
        ends
    }
}
