//! `arbiter960 plan`: what an experiment needs, before it begins; and hours from games.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;

use super::exit;
use crate::cli::sources::games_of;
use crate::clock::{Limits, TimeControl, TimeLimit};
use crate::stats::planning::odds::{LevelRatio, RatioGames, level_ratio};
use crate::store::Reader;
use crate::text::{Table, about, count, decimal, write_json};

mod assumptions;
mod positions;
mod test;

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
  arbiter960 plan odds results/half results/even
  arbiter960 plan time --games 7680 --tc 10+0.1 --concurrency 2")]
pub(crate) struct PlanArguments {
    #[command(subcommand)]
    question: PlanQuestion,
}

#[derive(Debug, clap::Subcommand)]
enum PlanQuestion {
    Precision(positions::PrecisionArguments),
    Mean(positions::MeanArguments),
    Maps(positions::MapsArguments),
    Sprt(test::TestArguments),
    Odds(OddsArguments),
    Time(TimeArguments),
}

/// Runs the command.
///
/// # Errors
/// Numbers that are not possible, or an output that cannot be written.
pub(crate) fn run(arguments: &PlanArguments, out: &mut dyn Write) -> Result<u8> {
    match &arguments.question {
        PlanQuestion::Precision(arguments) => arguments.run(out)?,
        PlanQuestion::Mean(arguments) => arguments.run(out)?,
        PlanQuestion::Maps(arguments) => arguments.run(out)?,
        PlanQuestion::Sprt(arguments) => test::run(arguments, out)?,
        PlanQuestion::Odds(arguments) => run_odds(arguments, out)?,
        PlanQuestion::Time(arguments) => run_time(arguments, out)?,
    }
    Ok(exit::DONE)
}

/// A table of numbers: a head and the text of each row for every column.
fn table(heads: &[&str], rows: Vec<Vec<String>>) -> String {
    let table = Table::new(heads, &[]);
    Table { rows, ..table }.text()
}

/// A number with decimals, where there is one.
fn cell(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(|| "-".to_owned(), |number| decimal(number, decimals))
}

/// How fast games are played.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct PlaySpeed {
    /// Games an hour, of all lanes together, as an event's progress shows them
    #[arg(long, value_name = "N", conflicts_with = "tc")]
    games_per_hour: Option<f64>,

    /// The clock of each side, as in PGN: 10+0.1, 40/5400+30:1800+30. A side is taken to use all
    /// it gets, so games are rather shorter
    #[arg(long, value_name = "TC")]
    tc: Option<TimeControl>,

    /// Games at once, for --tc
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: u32,

    /// Moves of each side in a game, for --tc
    #[arg(long, value_name = "N", default_value_t = 70)]
    moves: u32,
}

impl PlaySpeed {
    /// Games an hour; `None` if no time was given.
    ///
    /// # Errors
    /// A number that is not possible.
    pub(crate) fn games_per_hour(&self) -> Result<Option<f64>> {
        if let Some(games) = self.games_per_hour {
            let is_possible = games > 0.0 && games.is_finite();
            ensure!(is_possible, "--games-per-hour {games} is not possible");
            return Ok(Some(games));
        }
        ensure!(self.concurrency > 0, "--concurrency must be 1 or more");
        ensure!(self.moves > 0, "--moves must be 1 or more");
        let game = |control: &TimeControl| 2.0 * longest(control, self.moves).as_secs_f64();
        let per_hour = |seconds: f64| 3600.0 * f64::from(self.concurrency) / seconds;
        Ok(self.tc.as_ref().map(|control| per_hour(game(control))))
    }

    /// `, 12 h 18 min`; empty if no time was given.
    ///
    /// # Errors
    /// As [`Self::games_per_hour`].
    pub(crate) fn text(&self, games: f64) -> Result<String> {
        let words = |per_hour: f64| format!(", {}", about(3600.0 * games / per_hour));
        Ok(self.games_per_hour()?.map(words).unwrap_or_default())
    }
}

/// All the time a side gets for this number of moves.
pub(super) fn longest(control: &TimeControl, moves: u32) -> Duration {
    let mut left = moves;
    let mut sum = Duration::ZERO;
    let stages = control.stages();
    // The last stage repeats if it has a number of moves.
    for stage in stages.iter().chain(stages.last().into_iter().cycle()) {
        let in_stage = stage.moves.map_or(left, |moves| moves.get().min(left));
        sum += stage.base + stage.increment * in_stage;
        left -= in_stage;
        if left == 0 {
            break;
        }
    }
    sum
}

/// Hours for a number of games.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 plan time --games 7680 --games-per-hour 5400
  arbiter960 plan time --games 7680 --tc 10+0.1 --concurrency 2")]
pub(crate) struct TimeArguments {
    /// Games to play
    #[arg(long, value_name = "N")]
    games: u64,

    #[command(flatten)]
    speed: PlaySpeed,
}

/// Runs the question.
///
/// # Errors
/// Numbers that are not possible, or an output that cannot be written.
fn run_time(arguments: &TimeArguments, out: &mut dyn Write) -> Result<()> {
    let per_hour = arguments.speed.games_per_hour()?;
    let per_hour = per_hour.context("say how fast games are played: --games-per-hour, or --tc")?;
    let time = arguments.speed.text(arguments.games as f64)?;
    let games = count(arguments.games, "game");
    Ok(writeln!(out, "{games}{time} at {per_hour:.0} an hour")?)
}

// The time ratio that makes starts level, from events with limits by colour.

/// Which part of Black's time White needs so that both score one half, and the interval of that ratio.
///
/// It reads events that were played with [time.white] and [time.black], at two ratios or more. White's score is taken as
/// a logistic curve of the logarithm of the ratio; the games of a start are one observation.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 plan odds results/half results/even results/double")]
struct OddsArguments {
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

fn run_odds(arguments: &OddsArguments, out: &mut dyn Write) -> Result<()> {
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
    let beyond = if is_inside {
        ""
    } else {
        "\nThat is beyond all ratios that were played: play an event there."
    };
    format!("Level at {ratio:.3} of Black's time for White ({interval}; {starts}).{beyond}")
}

/// White's time divided by Black's in an event.
fn ratio_of(path: &Path) -> Result<f64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_gets_every_stage_it_reaches() {
        let seconds = |text: &str, moves| {
            let control: TimeControl = text.parse().expect("a time control");
            longest(&control, moves).as_secs()
        };
        assert_eq!(seconds("10+1", 70), 80);
        assert_eq!(seconds("40/100+1:50+2", 70), 100 + 40 + 50 + 60);
        assert_eq!(seconds("40/100", 70), 200);
    }
}
