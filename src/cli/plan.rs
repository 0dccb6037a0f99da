//! `arbiter960 plan`: what an experiment needs, before it begins.

mod assumptions;
mod duration;
mod mean;
mod precision;
mod test;

use std::io::Write;

use crate::cli::exit;

/// Plan an experiment: pairs for a position, the mean, two maps; the length of an SPRT, hours.
///
/// The formulas are in docs/statistics.md. Nothing is played.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 plan precision --draw-rate 0.5 --elo 20
  arbiter960 plan precision --draw-rate 0.88 --reliability 0.8 --spread 15 --games-per-hour 9000
  arbiter960 plan precision --draw-rate 0.5 --pairs 4
  arbiter960 plan mean --pilot results/first --elo 5
  arbiter960 plan maps --draw-rate 0.5 --spread 15 --pairs 20
  arbiter960 plan sprt --elo0 0 --elo1 5 --draw-rate 0.6 --tc 10+0.1 --concurrency 8
  arbiter960 plan time --games 7680 --tc 10+0.1 --concurrency 2")]
pub(crate) struct PlanArguments {
    #[command(subcommand)]
    question: PlanQuestion,
}

#[derive(Debug, clap::Subcommand)]
enum PlanQuestion {
    Precision(precision::PrecisionArguments),
    Mean(mean::MeanArguments),
    Maps(mean::MapsArguments),
    Sprt(test::TestArguments),
    Time(duration::TimeArguments),
}

/// Runs the command.
///
/// # Errors
/// Numbers that are not possible, or an output that cannot be written.
pub(crate) fn run(arguments: &PlanArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    match &arguments.question {
        PlanQuestion::Precision(arguments) => precision::run(arguments, out)?,
        PlanQuestion::Mean(arguments) => arguments.run(out)?,
        PlanQuestion::Maps(arguments) => arguments.run(out)?,
        PlanQuestion::Sprt(arguments) => test::run(arguments, out)?,
        PlanQuestion::Time(arguments) => duration::run(arguments, out)?,
    }
    Ok(exit::DONE)
}
