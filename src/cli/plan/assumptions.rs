//! What a plan assumes about games and positions, given or from a pilot event, and what it achieves.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use super::{PlaySpeed, cell, table};
use crate::analysis::EventStatistics;
use crate::cli::mistakes::share;
use crate::cli::sources::games_of;
use crate::stats::StatisticsError;
use crate::stats::planning::PositionPlan;
use crate::text::{count, write_json};

/// The numbers of pairs per position shown by default.
const USUAL_PAIRS: [f64; 8] = [1.0, 2.0, 4.0, 10.0, 20.0, 50.0, 100.0, 200.0];

/// The most pairs per position of a plan.
pub(super) const MAX_PAIRS: f64 = 1e9;

/// Options of every question about start positions.
#[derive(Debug, clap::Args)]
pub(super) struct Assumptions {
    /// Share of drawn games, 0 to 1
    #[arg(long, value_name = "D", required_unless_present = "pilot", value_parser = share)]
    draw_rate: Option<f64>,

    /// An event or PGN file like the one that is planned: share of draws, White's score, dispersion
    /// and spread are taken from it, unless given here
    #[arg(long, value_name = "PATH")]
    pilot: Option<PathBuf>,

    /// Number of positions
    #[arg(long, value_name = "P", default_value_t = 960)]
    positions: u64,

    /// True spread (standard deviation) of the advantage over the positions, in Elo
    #[arg(long, value_name = "ELO")]
    spread: Option<f64>,

    /// White's mean score, 0 to 1; 0.5 if nothing else is known
    #[arg(long, value_name = "E")]
    white_score: Option<f64>,

    /// Pair dispersion, as `stats` prints it for an event like this; 1 if nothing else is known
    #[arg(long, value_name = "PHI")]
    dispersion: Option<f64>,

    #[command(flatten)]
    speed: PlaySpeed,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Assumed {
    /// With one pair per position.
    pub(super) plan: PositionPlan,
    /// The spread, and the ends of its interval if it comes from a pilot.
    pub(super) spread: Option<[f64; 3]>,
}

/// A plan and what it achieves.
#[derive(Debug, Serialize)]
pub(super) struct PlannedRun<T> {
    #[serde(flatten)]
    plan: PositionPlan,
    games: f64,
    hours: Option<f64>,
    #[serde(flatten)]
    summary: T,
}

/// A column of a question: its head, its decimals, its value.
pub(super) type QuestionColumn<T> = (&'static str, usize, fn(&T) -> Option<f64>);

/// What a plan achieves.
pub(super) type PlanOutcome<T> = fn(&PositionPlan) -> Result<T, StatisticsError>;

impl Assumptions {
    /// Prints the wanted number of pairs, or the given one, or several, each with what it achieves in these columns; a pair
    /// is played so many times.
    pub(super) fn answer<T: Serialize>(
        &self,
        assumed: &Assumed,
        [wanted, given]: [Option<f64>; 2],
        (times, summary): (f64, PlanOutcome<T>),
        columns: &[QuestionColumn<T>],
        out: &mut dyn Write,
    ) -> Result<()> {
        let most = given.is_none_or(|pairs| pairs <= MAX_PAIRS);
        ensure!(most, "--pairs: at most {MAX_PAIRS}");
        let wanted = wanted.map(|pairs| pairs.ceil().clamp(1.0, MAX_PAIRS));
        let one = wanted.or(given).map(|pairs| vec![pairs]);
        let pairs = one.unwrap_or_else(|| USUAL_PAIRS.to_vec());
        let per_hour = self.speed.games_per_hour()?;
        let planned = |pairs: f64| {
            let plan = PositionPlan {
                pairs,
                ..assumed.plan
            };
            let games = times * plan.games();
            anyhow::Ok(PlannedRun {
                games,
                hours: per_hour.map(|per_hour| games / per_hour),
                summary: summary(&plan)?,
                plan,
            })
        };
        let plans = pairs.into_iter().map(planned);
        let plans = plans.collect::<Result<Vec<_>>>()?;
        if self.json {
            return Ok(write_json(out, &plans)?);
        }
        assumed.tell(out)?;
        if let (Some(pairs), [plan]) = (wanted, plans.as_slice()) {
            let (games, time) = (plan.games, self.speed.text(plan.games)?);
            let (pairs, games) = (count(pairs as u64, "pair"), count(games as u64, "game"));
            let positions = count(plan.plan.positions, "position");
            writeln!(out, "{pairs} at each of {positions}: {games}{time}\n")?;
        }
        let mut heads = vec!["pairs", "games"];
        heads.extend(columns.iter().map(|(head, ..)| head));
        heads.extend(per_hour.map(|_| "hours"));
        let row = |planned: &PlannedRun<T>| {
            let mut row = vec![planned.plan.pairs.to_string(), planned.games.to_string()];
            let cells = columns.iter();
            let cells = cells.map(|(_, decimals, value)| cell(value(&planned.summary), *decimals));
            row.extend(cells);
            row.extend(planned.hours.map(|hours| cell(Some(hours), 1)));
            row
        };
        let rows = plans.iter().map(row).collect();
        Ok(write!(out, "{}", table(&heads, rows))?)
    }

    /// Reads the pilot, if there is one.
    ///
    /// # Errors
    /// It cannot be read, or has too few games to plan by.
    pub(super) fn assume(&self) -> Result<Assumed> {
        let known = match &self.pilot {
            Some(path) => pilot(path)?,
            None => Assumed {
                plan: PositionPlan::new(0.0, 1.0, 1, 0.0),
                spread: None,
            },
        };
        let spread = self.spread.map(|spread| [spread; 3]).or(known.spread);
        let given = |given: Option<f64>, known: f64| given.unwrap_or(known);
        let plan = PositionPlan {
            draw_ratio: given(self.draw_rate, known.plan.draw_ratio),
            white_score: given(self.white_score, known.plan.white_score),
            dispersion: given(self.dispersion, known.plan.dispersion),
            positions: self.positions,
            pairs: 1.0,
            tau_elo: spread.map_or(0.0, |[spread, ..]| spread),
        };
        Ok(Assumed { plan, spread })
    }
}

impl Assumed {
    /// Prints what is assumed, and what the columns of the tables mean.
    fn tell(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let plan = &self.plan;
        let spread = match self.spread {
            Some([at, low, high]) if low < high => {
                format!("spread {at:.1} Elo, 95 % [{low:.1}, {high:.1}]")
            }
            Some([at, ..]) => format!("spread {at:.1} Elo"),
            None => "spread not known".to_owned(),
        };
        writeln!(
            out,
            "{}, {:.1} % draws, White's score {:.3}, dispersion {:.2}, {spread}\n\
             In Elo: intervals with 95 %; a spread is found with 90 %, anything else with 80 %.\n",
            count(plan.positions, "position"),
            100.0 * plan.draw_ratio,
            plan.white_score,
            plan.dispersion
        )
    }
}

/// What an event like the planned one has shown.
fn pilot(path: &Path) -> Result<Assumed> {
    let statistics = EventStatistics::new(&games_of(path)?);
    let advantage = &statistics.first_move.advantage;
    let draw_rate = advantage.draw_rate;
    let score = advantage.mean.map(|found| found.score);
    let within = advantage.unit_variance;
    let known = draw_rate.zip(score).zip(within);
    let ((draw_rate, white_score), within) = known.with_context(|| {
        format!(
            "{} is no pilot: it needs positions that were played in two pairs, and a game that was won",
            path.display()
        )
    })?;
    let unit = PositionPlan {
        white_score,
        ..PositionPlan::new(draw_rate, 1.0, 1, 0.0)
    };
    let plan = PositionPlan {
        dispersion: within / unit.sd_pair_score()?.powi(2),
        ..unit
    };
    let spread = advantage.spread.filter(|s| s.sd_elo_hi.is_finite());
    let spread = spread.map(|s| [s.sd_elo, s.sd_elo_lo, s.sd_elo_hi]);
    Ok(Assumed { plan, spread })
}
