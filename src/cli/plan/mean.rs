//! The precision of the mean advantage, and of the comparison of two maps.

use std::io::Write;

use serde::Serialize;

use crate::cli::plan::assumptions::{Assumed, PositionBasis, table};
use crate::stats::planning::{MapsSummary, MeanSummary, PositionPlan, PrecisionError};
use crate::text::write_json;

/// The numbers of pairs per position shown by default.
const USUAL_PAIRS: [f64; 7] = [1.0, 2.0, 4.0, 10.0, 20.0, 50.0, 100.0];

/// Pairs per position for White's mean advantage over the start positions.
///
/// The mean of many positions is known long before any of them. For positions like these (not just
/// these) their spread counts too, and no number of pairs helps against it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 plan mean --draw-rate 0.29                     what 1, 2, 4 ... pairs achieve
  arbiter960 plan mean --draw-rate 0.29 --elo 5             pairs for a mean of ±5 Elo
  arbiter960 plan mean --pilot results/first --elo 5 --all  over starts like these, by a pilot event")]
pub(crate) struct MeanArguments {
    /// Wanted: the 95 % interval of the mean is ± this many Elo
    #[arg(long, value_name = "ELO", conflicts_with = "pairs")]
    elo: Option<f64>,

    /// Wanted for positions like these, of which those played are a sample
    #[arg(long, requires = "elo")]
    all: bool,

    /// Given: pairs per position; what do they achieve?
    #[arg(long, value_name = "N")]
    pairs: Option<f64>,

    #[command(flatten)]
    basis: PositionBasis,
}

/// Pairs per position for comparing two maps: two engines, or two limits, on the same positions.
///
/// The correlation is that of the starts' true advantages; noise draws what is observed towards 0 by
/// the reliability of a map, which `compare` takes off again. --spread (or --pilot) is needed for it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 plan maps --draw-rate 0.5 --spread 15                  what 1, 2, 4 ... pairs achieve
  arbiter960 plan maps --draw-rate 0.5 --spread 15 --difference 5   pairs for a difference of ±5 Elo
  arbiter960 plan maps --pilot results/first --pairs 20")]
pub(crate) struct MapsArguments {
    /// Wanted: the 95 % interval of the difference of the means is ± this many Elo
    #[arg(long, value_name = "ELO", conflicts_with = "pairs")]
    difference: Option<f64>,

    /// Given: pairs per position of each map; what do they achieve?
    #[arg(long, value_name = "N")]
    pairs: Option<f64>,

    #[command(flatten)]
    basis: PositionBasis,
}

/// Answers both questions: numbers of pairs, each with what it achieves; each pair is played `times` times.
fn answer<T: Serialize>(
    (basis, assumed, times): (&PositionBasis, &Assumed, f64),
    pairs: Option<f64>,
    summary: fn(&PositionPlan) -> Result<T, PrecisionError>,
    header: &str,
    row: impl Fn(&T) -> String,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let pairs = pairs.map_or_else(|| USUAL_PAIRS.to_vec(), |pairs| vec![pairs]);
    let plans = basis.planned(assumed, &pairs, times, summary)?;
    if basis.json {
        return Ok(write_json(out, &plans)?);
    }
    let spread = assumed.spread();
    let spread = spread.map_or_else(String::new, |tau| format!(", spread {tau:.1} Elo"));
    writeln!(
        out,
        "{}{} positions, {:.0} % draws{spread}; in Elo, intervals 95 %, power 80 %\n",
        assumed.words(),
        assumed.positions(),
        100.0 * assumed.draw_rate()
    )?;
    Ok(table(&plans, [7, 11], header, row, out)?)
}

impl MeanArguments {
    /// Runs the question.
    ///
    /// # Errors
    /// Numbers that are not possible, or an output that cannot be written.
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let assumed = self.basis.assumptions.assume()?;
        anyhow::ensure!(
            !self.all || assumed.spread().is_some(),
            "--all needs the spread of the positions: --spread, or --pilot"
        );
        let pairs = match self.elo {
            None => self.pairs,
            Some(elo) => {
                let wanted = assumed.plan(1.0).pairs_for_mean(positive(elo)?, self.all)?;
                Some(whole(wanted.ok_or_else(|| {
                    anyhow::anyhow!(
                        "no number of pairs does: {} positions with this spread leave the mean of all \
                         less certain than ±{elo} Elo; take more positions",
                        assumed.positions()
                    )
                })?))
            }
        };
        let question = (&self.basis, &assumed, 1.0);
        let header = format!("{:>12}{:>12}{:>12}", "± these", "± all", "found");
        let row = |mean: &MeanSummary| {
            let all = assumed.spread().map(|_| mean.halfwidth_all);
            let all = all.map_or_else(|| "-".to_owned(), |all| format!("{all:.1}"));
            format!(
                "{:>12.1}{all:>12}{:>12.1}",
                mean.halfwidth_these, mean.detectable_these
            )
        };
        answer(question, pairs, PositionPlan::mean, &header, row, out)
    }
}

impl MapsArguments {
    /// Runs the question.
    ///
    /// # Errors
    /// Numbers that are not possible, or an output that cannot be written.
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let assumed = self.basis.assumptions.assume()?;
        anyhow::ensure!(
            assumed.spread().is_some_and(|spread| spread > 0.0),
            "maps of positions that do not differ cannot be compared: say --spread, or --pilot"
        );
        let wanted = self.difference.map(|elo| {
            let pairs = assumed.plan(1.0).pairs_for_difference(positive(elo)?)?;
            anyhow::Ok(whole(pairs))
        });
        let question = (&self.basis, &assumed, 2.0);
        let header = format!(
            "{:>14}{:>12}{:>12}{:>14}{:>14}",
            "difference ±", "found", "reliability", "correlation ±", "found"
        );
        let row = |maps: &MapsSummary| {
            let two = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.2}"));
            format!(
                "{:>14.1}{:>12.1}{:>12.2}{:>14}{:>14}",
                maps.difference_halfwidth,
                maps.difference_detectable,
                maps.reliability,
                two(maps.correlation_halfwidth),
                two(maps.correlation_detectable)
            )
        };
        let pairs = wanted.transpose()?.or(self.pairs);
        answer(question, pairs, PositionPlan::two_maps, &header, row, out)
    }
}

fn positive(elo: f64) -> anyhow::Result<f64> {
    anyhow::ensure!(elo > 0.0 && elo.is_finite(), "± {elo} Elo is not possible");
    Ok(elo)
}

fn whole(pairs: f64) -> f64 {
    pairs.ceil().max(1.0)
}
