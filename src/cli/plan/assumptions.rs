//! The assumptions of a plan about games and positions, given or from a pilot event, and what the plan achieves.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;

use super::duration::PlaySpeed;
use crate::analysis::{Collector, EventStatistics};
use crate::cli::stats::{folder_of, is_event};
use crate::stats::planning::{PositionPlan, PrecisionError};
use crate::store::Reader;

/// What every question about start positions is told besides what it asks.
#[derive(Debug, clap::Args)]
pub(crate) struct PositionBasis {
    #[command(flatten)]
    pub(super) assumptions: Assumptions,

    #[command(flatten)]
    pub(super) speed: PlaySpeed,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl PositionBasis {
    /// Plans with these numbers of pairs per position; each pair is played by `times` two engines.
    pub(super) fn planned<T>(
        &self,
        assumed: &Assumed,
        pairs: &[f64],
        times: f64,
        summary: fn(&PositionPlan) -> Result<T, PrecisionError>,
    ) -> anyhow::Result<Vec<PlannedRun<T>>> {
        let per_hour = self.speed.games_per_hour()?;
        let planned = |pairs: &f64| {
            let plan = assumed.plan(*pairs);
            let games = times * plan.games();
            Ok(PlannedRun {
                games,
                hours: per_hour.map(|per_hour| games / per_hour),
                summary: summary(&plan)?,
                plan,
            })
        };
        pairs.iter().map(planned).collect()
    }
}

/// A table of plans: pairs and games in columns of these widths, then the columns of the question, then hours.
pub(super) fn table<T>(
    plans: &[PlannedRun<T>],
    [pairs, games]: [usize; 2],
    header: &str,
    row: impl Fn(&T) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    let timed = plans.iter().any(|planned| planned.hours.is_some());
    let hours = if timed { "     hours" } else { "" };
    writeln!(out, "{:>pairs$}{:>games$}{header}{hours}", "pairs", "games")?;
    for planned in plans {
        let (number, played) = (planned.plan.pairs, planned.games);
        let hours = planned.hours.map(|hours| format!("{hours:>10.1}"));
        let (row, hours) = (row(&planned.summary), hours.unwrap_or_default());
        writeln!(out, "{number:>pairs$}{played:>games$}{row}{hours}")?;
    }
    Ok(())
}

/// Options of every question about start positions.
#[derive(Debug, clap::Args)]
pub(crate) struct Assumptions {
    /// Share of drawn games, 0 to 1
    #[arg(long, value_name = "D", required_unless_present = "pilot")]
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
}

/// A plan and what it achieves.
#[derive(Debug, Serialize)]
pub(super) struct PlannedRun<T> {
    #[serde(flatten)]
    pub(super) plan: PositionPlan,
    pub(super) games: f64,
    pub(super) hours: Option<f64>,
    #[serde(flatten)]
    pub(super) summary: T,
}

/// The assumptions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Assumed {
    draw_rate: f64,
    white_score: f64,
    dispersion: f64,
    /// The spread, and the ends of its interval if it comes from a pilot.
    spread: Option<[f64; 3]>,
    positions: u64,
    is_pilot: bool,
}

impl Assumptions {
    /// Reads the pilot, if there is one.
    ///
    /// # Errors
    /// It cannot be read, or has too few games to plan by.
    pub(crate) fn assume(&self) -> anyhow::Result<Assumed> {
        let pilot = self.pilot.as_deref().map(Pilot::read).transpose()?;
        let of = |value: fn(&Pilot) -> f64| pilot.as_ref().map(value);
        let given = self.spread.map(|spread| [spread; 3]);
        Ok(Assumed {
            draw_rate: self.draw_rate.or(of(|p| p.draw_rate)).unwrap_or_default(),
            white_score: self.white_score.or(of(|p| p.white_score)).unwrap_or(0.5),
            dispersion: self.dispersion.or(of(|p| p.dispersion)).unwrap_or(1.0),
            spread: given.or(pilot.as_ref().and_then(|p| p.spread)),
            positions: self.positions,
            is_pilot: pilot.is_some(),
        })
    }
}

impl Assumed {
    /// The plan with this number of pairs per position.
    pub(crate) fn plan(&self, pairs: f64) -> PositionPlan {
        PositionPlan {
            draw_ratio: self.draw_rate,
            white_score: self.white_score,
            pairs,
            positions: self.positions,
            tau_elo: self.spread().unwrap_or(0.0),
            dispersion: self.dispersion,
        }
    }

    /// The spread, if anything is known of it.
    pub(crate) fn spread(&self) -> Option<f64> {
        self.spread.map(|[spread, ..]| spread)
    }

    /// Number of positions.
    pub(crate) fn positions(&self) -> u64 {
        self.positions
    }

    /// Share of drawn games.
    pub(crate) fn draw_rate(&self) -> f64 {
        self.draw_rate
    }

    /// A line on the results of a pilot; empty without one.
    pub(crate) fn words(&self) -> String {
        if !self.is_pilot {
            return String::new();
        }
        let spread = match self.spread {
            Some([at, low, high]) if low < high => {
                format!("spread {at:.1} Elo, 95 % [{low:.1}, {high:.1}]")
            }
            Some([at, ..]) => format!("spread {at:.1} Elo"),
            None => "spread not known: too few positions".to_owned(),
        };
        format!(
            "as the pilot has it: {:.1} % draws, White's score {:.3}, dispersion {:.2}, {spread}\n",
            100.0 * self.draw_rate,
            self.white_score,
            self.dispersion
        )
    }
}

/// The data of an event for planning another one.
struct Pilot {
    draw_rate: f64,
    white_score: f64,
    dispersion: f64,
    spread: Option<[f64; 3]>,
}

impl Pilot {
    fn read(path: &Path) -> anyhow::Result<Pilot> {
        let name = path.display().to_string();
        let mut collector = Collector::new(false);
        if is_event(path) {
            collector.add_store(&Reader::open(folder_of(path))?)?;
        } else {
            let file = crate::pgn::open(path).with_context(|| format!("cannot read {name}"))?;
            collector
                .add_pgn(&name, file, true)
                .with_context(|| name.clone())?;
        }
        let statistics = EventStatistics::new(&collector.finish());
        let advantage = &statistics.first_move.advantage;
        let draw_rate = advantage.draw_rate;
        let score = advantage.mean.map(|found| found.score);
        let within = advantage.unit_variance;
        let Some(((draw_rate, white_score), within)) = draw_rate.zip(score).zip(within) else {
            anyhow::bail!(
                "{name} is no pilot: it needs positions that were played in two pairs, and a game \
                 that was won"
            );
        };
        let unit = PositionPlan {
            white_score,
            ..PositionPlan::new(draw_rate, 1.0, 1, 0.0)
        };
        Ok(Pilot {
            draw_rate,
            white_score,
            dispersion: within / unit.sd_pair_score()?.powi(2),
            spread: advantage
                .spread
                .map(|s| [s.sd_elo, s.sd_elo_lo, s.sd_elo_hi]),
        })
    }
}
