//! Pairs per position for a wanted interval, reliability or spread: of each position, of their mean, of two maps.

use std::io::Write;

use anyhow::{Context, Result, ensure};

use super::assumptions::{Assumptions, MAX_PAIRS, QuestionColumn};
use crate::stats::planning::{MapsSummary, MeanSummary, PlanSummary, PositionPlan};
use crate::text::count;

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
pub(super) struct PrecisionArguments {
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
    basis: Assumptions,
}

/// Pairs per position for White's mean advantage over the start positions.
///
/// The mean of many positions is known long before any of them. For positions like these (not just
/// these) their spread counts too, and no number of pairs helps against it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 plan mean --draw-rate 0.29                     what 1, 2, 4 ... pairs achieve
  arbiter960 plan mean --draw-rate 0.29 --elo 5             pairs for a mean of ±5 Elo
  arbiter960 plan mean --pilot results/first --elo 5 --all  over starts like these, by a pilot event")]
pub(super) struct MeanArguments {
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
    basis: Assumptions,
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
pub(super) struct MapsArguments {
    /// Wanted: the 95 % interval of the difference of the means is ± this many Elo
    #[arg(long, value_name = "ELO", conflicts_with = "pairs")]
    difference: Option<f64>,

    /// Given: pairs per position of each map; what do they achieve?
    #[arg(long, value_name = "N")]
    pairs: Option<f64>,

    #[command(flatten)]
    basis: Assumptions,
}

impl PrecisionArguments {
    /// Answers the question.
    ///
    /// # Errors
    /// Numbers that are not possible, or an output that cannot be written.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let assumed = self.basis.assume()?;
        let unit = assumed.plan;
        let wanted = match (self.elo, self.reliability, self.detect) {
            (Some(elo), ..) => Some(unit.pairs_for_halfwidth(elo)?),
            (_, Some(reliability), _) => {
                let needed =
                    "--reliability needs the spread of the positions: --spread, or --pilot";
                ensure!(assumed.spread.is_some(), needed);
                let pairs = unit.pairs_for_reliability(reliability)?;
                Some(pairs.context("positions that do not differ cannot be ranked: --spread 0")?)
            }
            (.., Some(spread)) => Some(pairs_to_detect(&unit, spread)?),
            _ => None,
        };
        let columns: [QuestionColumn<PlanSummary>; 4] = [
            ("± position", 1, |plan| Some(plan.halfwidth_elo)),
            ("spread found", 1, |plan| plan.mde_tau_elo),
            ("distance found", 1, |plan| {
                Some(plan.mde_one_vs_average_bonferroni)
            }),
            ("reliability", 2, |plan| {
                Some(plan.reliability).filter(|reliability| *reliability > 0.0)
            }),
        ];
        let (asked, summary) = ([wanted, self.pairs], PositionPlan::summary);
        self.basis
            .answer(&assumed, asked, (1.0, summary), &columns, out)
    }
}

/// The smallest number of pairs with which this spread is found.
fn pairs_to_detect(unit: &PositionPlan, spread: f64) -> Result<f64> {
    ensure!(spread > 0.0, "--detect {spread} is not possible");
    ensure!(unit.positions > 1, "one position has no spread");
    let found = |pairs: f64| {
        let tau = PositionPlan { pairs, ..*unit }.detectable_tau_elo()?;
        anyhow::Ok(tau.is_some_and(|tau| tau <= spread))
    };
    let mut enough = 2.0;
    while !found(enough)? {
        enough *= 2.0;
        let is_possible = enough < MAX_PAIRS;
        ensure!(is_possible, "no number of pairs finds so small a spread");
    }
    let mut too_few = enough / 2.0_f64;
    while enough - too_few > 1.0 {
        let middle = ((enough + too_few) / 2.0).floor();
        if found(middle)? {
            enough = middle
        } else {
            too_few = middle
        }
    }
    Ok(enough)
}

impl MeanArguments {
    /// Answers the question.
    ///
    /// # Errors
    /// Numbers that are not possible, or an output that cannot be written.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let assumed = self.basis.assume()?;
        ensure!(
            !self.all || assumed.spread.is_some(),
            "--all needs the spread of the positions: --spread, or --pilot"
        );
        let wanted = |elo: f64| {
            let wanted = assumed.plan.pairs_for_mean(positive(elo)?, self.all)?;
            wanted.with_context(|| {
                format!(
                    "no number of pairs does: {} with this spread leave the mean of all \
                     less certain than ±{elo} Elo; take more positions",
                    count(assumed.plan.positions, "position")
                )
            })
        };
        let columns: [QuestionColumn<MeanSummary>; 3] = [
            ("± these", 1, |mean| Some(mean.halfwidth_these)),
            ("± all", 1, |mean| Some(mean.halfwidth_all)),
            ("found", 1, |mean| Some(mean.detectable_these)),
        ];
        let mut columns = columns.to_vec();
        if assumed.spread.is_none() {
            columns.remove(1);
        }
        let wanted = self.elo.map(wanted).transpose()?;
        let (asked, summary) = ([wanted, self.pairs], PositionPlan::mean);
        self.basis
            .answer(&assumed, asked, (1.0, summary), &columns, out)
    }
}

impl MapsArguments {
    /// Answers the question.
    ///
    /// # Errors
    /// Numbers that are not possible, or an output that cannot be written.
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let assumed = self.basis.assume()?;
        ensure!(
            assumed.spread.is_some_and(|[spread, ..]| spread > 0.0),
            "maps of positions that do not differ cannot be compared: say --spread, or --pilot"
        );
        let wanted = |elo: f64| Ok(assumed.plan.pairs_for_difference(positive(elo)?)?);
        let wanted: Result<Option<f64>> = self.difference.map(wanted).transpose();
        let columns: [QuestionColumn<MapsSummary>; 5] = [
            ("± difference", 1, |maps| Some(maps.difference_halfwidth)),
            ("found", 1, |maps| Some(maps.difference_detectable)),
            ("reliability", 2, |maps| Some(maps.reliability)),
            ("± correlation", 2, |maps| maps.correlation_halfwidth),
            ("found", 2, |maps| maps.correlation_detectable),
        ];
        let (asked, summary) = ([wanted?, self.pairs], PositionPlan::two_maps);
        self.basis
            .answer(&assumed, asked, (2.0, summary), &columns, out)
    }
}

fn positive(elo: f64) -> Result<f64> {
    ensure!(elo > 0.0 && elo.is_finite(), "± {elo} Elo is not possible");
    Ok(elo)
}
