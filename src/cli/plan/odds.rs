//! The time ratio that makes starts level, from events with limits by colour.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Serialize;

use super::{cell, table};
use crate::cli::sources::games_of;
use crate::clock::{Limits, TimeLimit};
use crate::stats::planning::odds::{LevelRatio, RatioGames, level_ratio};
use crate::store::Reader;
use crate::text::{count, write_json};

/// Which part of Black's time White needs so that both score one half, and the interval of that ratio.
///
/// It reads events that were played with [time.white] and [time.black], at two ratios or more. White's score is taken as
/// a logistic curve of the logarithm of the ratio; the games of a start are one observation.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 plan odds results/half results/even results/double")]
pub(crate) struct OddsArguments {
    /// The events' folders
    #[arg(value_name = "RESULTS", required = true)]
    events: Vec<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The games of one event.
#[derive(Debug, Serialize)]
struct EventAtRatio {
    event: String,
    ratio: f64,
    games: f64,
    white_score: f64,
}

pub(super) fn run(arguments: &OddsArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut cells: Vec<RatioGames> = Vec::new();
    let mut events: Vec<EventAtRatio> = Vec::new();
    for path in &arguments.events {
        let ratio = ratio_of(path)?;
        let first = cells.len();
        for row in games_of(path)?.table.cells() {
            let [losses, draws, wins] = row.results.map(f64::from);
            cells.push(RatioGames {
                start: row.start,
                ratio,
                games: losses + draws + wins,
                points: wins + draws / 2.0,
            });
        }
        let sum = |value: fn(&RatioGames) -> f64| cells[first..].iter().map(value).sum::<f64>();
        let games = sum(|cell| cell.games);
        events.push(EventAtRatio {
            event: path.display().to_string(),
            ratio,
            games,
            white_score: sum(|cell| cell.points) / games.max(1.0),
        });
    }
    let found = level_ratio(&cells, 0.95)?;
    if arguments.json {
        let found = serde_json::json!({
            "ratio": found.ratio,
            "interval": found.interval,
            "log_odds_per_doubling": found.per_doubling,
            "starts": found.starts,
            "events": events,
        });
        return Ok(write_json(out, &found)?);
    }
    let row = |event: &EventAtRatio| {
        vec![
            cell(Some(event.ratio), 3),
            cell(Some(event.games), 0),
            cell(Some(100.0 * event.white_score), 1),
            event.event.clone(),
        ]
    };
    let heads = ["White's time / Black's", "games", "White %", "event"];
    write!(out, "{}", table(&heads, events.iter().map(row).collect()))?;
    writeln!(out, "{}", words(&found, &events))?;
    Ok(())
}

fn words(found: &LevelRatio, events: &[EventAtRatio]) -> String {
    let interval = match found.interval {
        Some([low, high]) => format!("95 %: {low:.3} to {high:.3}"),
        None => "more games are needed for an interval".to_owned(),
    };
    let starts = count(found.starts as u64, "start");
    let (ratio, mut below, mut above) = (found.ratio, events.iter(), events.iter());
    let is_inside =
        below.any(|event| event.ratio <= ratio) && above.any(|event| event.ratio >= ratio);
    let beyond = match is_inside {
        true => "",
        false => "\nThat is beyond all ratios that were played: play an event there.",
    };
    format!("Level at {ratio:.3} of Black's time for White ({interval}; {starts}).{beyond}")
}

/// White's time divided by Black's in an event.
fn ratio_of(path: &Path) -> anyhow::Result<f64> {
    let name = path.display();
    let reader = Reader::open(path).with_context(|| format!("{name} is no event"))?;
    let identity = reader.begun()?.identity;
    let Some([white, black]) = &identity.limits_by_colour else {
        let mut limits = identity.engines.iter().map(|engine| &engine.limits);
        let first = limits.next();
        if limits.all(|limits| Some(limits) == first) {
            return Ok(1.0);
        }
        bail!("the engines of {name} have different limits, and not White and Black");
    };
    ratio(white, black).with_context(|| {
        format!(
            "{name}: White's limit ({white}) and Black's ({black}) are no multiples of each other"
        )
    })
}

/// One limit as a multiple of the other, if they are of one kind.
fn ratio(white: &Limits, black: &Limits) -> Option<f64> {
    match (&white.time, &black.time) {
        (TimeLimit::None, TimeLimit::None) => {
            let [white, black] = [white.nodes?, black.nodes?];
            Some(white as f64 / black as f64)
        }
        (TimeLimit::MoveTime(white), TimeLimit::MoveTime(black)) => {
            Some(white.as_secs_f64() / black.as_secs_f64())
        }
        (TimeLimit::Clock(of_white), TimeLimit::Clock(of_black)) => {
            let [white, black] = [of_white, of_black].map(|clock| {
                let first = clock.stages().first();
                first.map(|stage| stage.base.as_secs_f64())
            });
            let ratio = white? / black?;
            (of_black.scaled(ratio).as_ref() == Some(of_white)).then_some(ratio)
        }
        _ => None,
    }
}
