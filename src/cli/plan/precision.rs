//! Pairs per position for a wanted interval, reliability or spread.

use std::io::Write;

use crate::cli::plan::assumptions::{Assumed, PlannedRun, PositionBasis, table};
use crate::stats::planning::{PlanSummary, PositionPlan, PrecisionError};
use crate::text::write_json;

/// The numbers of pairs per position shown by default.
const USUAL_PAIRS: [f64; 8] = [1.0, 2.0, 4.0, 10.0, 20.0, 50.0, 100.0, 200.0];

/// Maximum number of pairs per position of a plan.
const MOST_PAIRS: f64 = 1e9;

/// Pairs per position for what you want to know of White's advantage at each start position.
///
/// Without a question a table: what 1, 2, 4 … pairs per position achieve.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 plan precision --draw-rate 0.5                      what 1, 2, 4 ... pairs achieve
  arbiter960 plan precision --draw-rate 0.5 --elo 20             pairs for an interval of ±20 Elo
  arbiter960 plan precision --draw-rate 0.88 --reliability 0.8 --spread 15
  arbiter960 plan precision --draw-rate 0.88 --detect 10         pairs to find a spread of 10 Elo
  arbiter960 plan precision --pilot results/first --elo 20         as a pilot event has it
  arbiter960 plan precision --draw-rate 0.5 --pairs 4 --json")]
pub(crate) struct PrecisionArguments {
    /// Wanted: each position's 95 % interval is ± this many Elo
    #[arg(long, value_name = "ELO", group = "question")]
    elo: Option<f64>,

    /// Wanted: this share of what differs between estimates is the positions' own (0.8 is enough
    /// to rank them); needs --spread or --pilot
    #[arg(long, value_name = "R", group = "question")]
    reliability: Option<f64>,

    /// Wanted: a spread (standard deviation over the positions) of this many Elo is found with 90 %
    #[arg(long, value_name = "ELO", group = "question")]
    detect: Option<f64>,

    /// Given: pairs per position; what do they achieve?
    #[arg(long, value_name = "N", group = "question")]
    pairs: Option<f64>,

    #[command(flatten)]
    basis: PositionBasis,
}

/// Runs the question.
///
/// # Errors
/// Numbers that are not possible, or an output that cannot be written.
pub(crate) fn run(arguments: &PrecisionArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let question = &Precision {
        asked: arguments,
        assumed: arguments.basis.assumptions.assume()?,
    };
    let wanted = question.wanted_pairs()?;
    let pairs = wanted.map_or_else(|| USUAL_PAIRS.to_vec(), |pairs| vec![pairs]);
    let basis = &arguments.basis;
    let plans = basis.planned(&question.assumed, &pairs, 1.0, PositionPlan::summary)?;
    if basis.json {
        return Ok(write_json(out, &plans)?);
    }
    write!(out, "{}", question.assumed.words())?;
    match (&plans[..], wanted) {
        ([plan], Some(_)) => question.one(plan, out),
        _ => question.table(&plans, out),
    }
}

/// The question, and what is assumed.
struct Precision<'a> {
    asked: &'a PrecisionArguments,
    assumed: Assumed,
}

impl Precision<'_> {
    fn plan(&self, pairs: f64) -> PositionPlan {
        self.assumed.plan(pairs)
    }

    /// The whole number of pairs that answers the question, if there is one.
    fn wanted_pairs(&self) -> anyhow::Result<Option<f64>> {
        let unit = self.plan(1.0);
        let pairs = if let Some(elo) = self.asked.elo {
            unit.pairs_for_halfwidth(elo)?
        } else if let Some(reliability) = self.asked.reliability {
            anyhow::ensure!(
                self.assumed.spread().is_some(),
                "--reliability needs the spread of the positions: --spread, or --pilot"
            );
            let pairs = unit.pairs_for_reliability(reliability)?;
            pairs.ok_or_else(|| {
                anyhow::anyhow!("positions that do not differ cannot be ranked: --spread 0")
            })?
        } else if let Some(spread) = self.asked.detect {
            self.pairs_to_detect(spread)?
        } else {
            let most = self.asked.pairs.is_none_or(|pairs| pairs <= MOST_PAIRS);
            anyhow::ensure!(most, "--pairs: at most {MOST_PAIRS}");
            return Ok(self.asked.pairs);
        };
        Ok(Some(pairs.ceil().clamp(1.0, MOST_PAIRS)))
    }

    /// The smallest number of pairs with which this spread is found.
    fn pairs_to_detect(&self, spread: f64) -> anyhow::Result<f64> {
        anyhow::ensure!(spread > 0.0, "--detect {spread} is not possible");
        anyhow::ensure!(self.assumed.positions() > 1, "one position has no spread");
        let found = |pairs: f64| -> Result<bool, PrecisionError> {
            Ok(self
                .plan(pairs)
                .detectable_tau_elo()?
                .is_some_and(|tau| tau <= spread))
        };
        let mut enough = 2.0;
        while !found(enough)? {
            enough *= 2.0;
            anyhow::ensure!(
                enough < MOST_PAIRS,
                "no number of pairs finds so small a spread"
            );
        }
        let mut too_few = (enough / 2.0_f64).floor();
        while enough - too_few > 1.0 {
            let middle = ((enough + too_few) / 2.0).floor();
            if found(middle)? {
                enough = middle;
            } else {
                too_few = middle;
            }
        }
        Ok(enough)
    }

    fn one(&self, planned: &PlannedRun<PlanSummary>, out: &mut dyn Write) -> anyhow::Result<()> {
        let PlannedRun {
            plan,
            summary,
            games,
            ..
        } = planned;
        let time = self.asked.basis.speed.text(*games)?;
        let pairs = plan.pairs;
        writeln!(
            out,
            "{pairs} pairs at each of {} positions: {games} games{time}",
            plan.positions
        )?;
        writeln!(
            out,
            "  interval of a position      ±{:.1} Elo (95 %)",
            summary.halfwidth_elo
        )?;
        if let Some(tau) = summary.mde_tau_elo {
            writeln!(
                out,
                "  spread that is found        {tau:.1} Elo (90 % power, F test)"
            )?;
        }
        writeln!(
            out,
            "  smallest detectable deviation of a position  {:.0} Elo (80 % power, Bonferroni)",
            summary.mde_one_vs_average_bonferroni
        )?;
        if let Some(spread) = self.assumed.spread() {
            let spread = (10.0 * spread).round() / 10.0;
            writeln!(
                out,
                "  reliability                 {:.2} at a spread of {spread} Elo",
                summary.reliability
            )?;
        }
        Ok(())
    }

    fn table(&self, plans: &[PlannedRun<PlanSummary>], out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(
            out,
            "{} positions, {:.0} % draws; in Elo: ± of a position's 95 % interval, spread found with 90 %,",
            self.assumed.positions(),
            100.0 * self.assumed.draw_rate()
        )?;
        writeln!(
            out,
            "distance of one position from the average found with 80 %\n"
        )?;
        let spread = self.assumed.spread();
        let reliability = spread.map_or("", |_| "  reliability");
        let header = format!("{:>8}{:>8}{:>10}{reliability}", "±", "spread", "distance");
        let row = |plan: &PlanSummary| {
            let tau = plan.mde_tau_elo.map(|tau| format!("{tau:.1}"));
            let reliability = spread.map(|_| format!("{:>13.2}", plan.reliability));
            format!(
                "{:>8.1}{:>8}{:>10.1}{}",
                plan.halfwidth_elo,
                tau.unwrap_or("-".to_owned()),
                plan.mde_one_vs_average_bonferroni,
                reliability.unwrap_or_default()
            )
        };
        Ok(table(plans, [6, 10], &header, row, out)?)
    }
}
