//! The length of an SPRT, and its chances.

use std::io::Write;

use clap::ValueEnum;
use serde::Serialize;

use super::{PlaySpeed, cell, table};
use crate::cli::mistakes::share;
use crate::stats::StatisticsError;
use crate::stats::elo::elo_per_score;
use crate::stats::sprt::characteristics::{characteristics, most_games};
use crate::stats::sprt::{Hypotheses, Model};
use crate::text::{count, signed, write_json};

/// Hypotheses nearer to each other than this, Elo, take billions of games.
const MIN_ELO_DISTANCE: f64 = 0.01;

/// How long an SPRT will take, and with which probability it passes.
///
/// The ratio is taken as a Brownian motion (Wald's approximation). Without --elo a table over
/// differences around both hypotheses.
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
#[command(after_help = "Examples:
  arbiter960 plan sprt --elo0 0 --elo1 5 --draw-rate 0.6
  arbiter960 plan sprt --elo0 0 --elo1 5 --draw-rate 0.6 --elo 3 --games-per-hour 2000
  arbiter960 plan sprt --elo0 0 --elo1 5 --draw-rate 0.6 --max-pairs 20000
  arbiter960 plan sprt --elo0 -3 --elo1 1 --draw-rate 0.9 --bias 40 --model logistic")]
pub(crate) struct TestArguments {
    /// The null hypothesis, in the model's scale
    #[arg(long, value_name = "ELO", default_value_t = 0.0)]
    elo0: f64,

    /// The alternative, in the model's scale
    #[arg(long, value_name = "ELO", default_value_t = 5.0)]
    elo1: f64,

    /// Probability of passing wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,

    /// Probability of failing wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,

    /// What an Elo of the hypotheses is
    #[arg(long, value_name = "MODEL", default_value = "normalized")]
    model: EloScale,

    /// The test has decided after this number of pairs at the latest (`bounds = "truncated"` in [sprt])
    #[arg(long, value_name = "N")]
    max_pairs: Option<u64>,

    /// Share of drawn games, 0 to 1
    #[arg(long, value_name = "D", value_parser = share)]
    draw_rate: f64,

    /// Root mean square of White's edge over the positions, in Elo (RMS bias, as `stats` prints it)
    #[arg(long, value_name = "ELO", default_value_t = 0.0)]
    bias: f64,

    /// The true difference, in logistic Elo
    #[arg(long, value_name = "ELO")]
    elo: Option<f64>,

    #[command(flatten)]
    speed: PlaySpeed,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EloScale {
    Normalized,
    Logistic,
    Bayesian,
}

/// What to expect at one true difference.
#[derive(Debug, Serialize)]
struct Expected {
    /// Logistic Elo.
    elo: f64,
    pass_prob: f64,
    games: f64,
    /// Not exceeded by 99 of 100 tests; of a test with an end by none.
    most_games: f64,
    /// Both of the same test without an end, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    games_without_end: Option<[f64; 2]>,
    hours: Option<f64>,
}

/// Runs the question.
///
/// # Errors
/// Numbers that are not possible, or an output that cannot be written.
pub(crate) fn run(arguments: &TestArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let model = match arguments.model {
        EloScale::Normalized => Model::Normalized,
        EloScale::Logistic => Model::Logistic,
        EloScale::Bayesian => Model::Bayesian,
    };
    let (elo0, elo1) = (arguments.elo0, arguments.elo1);
    let hypotheses = Hypotheses::new(model, elo0, elo1, arguments.alpha, arguments.beta)?;
    anyhow::ensure!(
        elo1 - elo0 >= MIN_ELO_DISTANCE,
        "no test tells {elo0} from {elo1} Elo in a lifetime: {MIN_ELO_DISTANCE} apart at least"
    );
    let endless = arguments.max_pairs.map(|_| hypotheses);
    let most = arguments.max_pairs;
    let truncated = most.map(|pairs| hypotheses.truncated_at(pairs));
    let hypotheses = truncated.transpose()?.unwrap_or(hypotheses);
    let per_hour = arguments.speed.games_per_hour()?;
    let one = arguments.elo.map(|elo| vec![elo]);
    let differences = one.unwrap_or_else(|| arguments.differences(model));
    let mut rows = Vec::new();
    for elo in differences {
        let (draws, bias) = (arguments.draw_rate, arguments.bias);
        let expected = characteristics(&hypotheses, elo, draws, bias)?;
        let endless = endless.map(|test| {
            let expected = characteristics(&test, elo, draws, bias)?;
            Ok::<_, StatisticsError>([expected.games, most_games(&test, elo, draws, bias)?])
        });
        rows.push(Expected {
            elo,
            pass_prob: expected.pass_prob,
            games: expected.games,
            most_games: most_games(&hypotheses, elo, draws, bias)?,
            games_without_end: endless.transpose()?,
            hours: per_hour.map(|per_hour| expected.games / per_hour),
        });
    }
    if arguments.json {
        return Ok(write_json(out, &rows)?);
    }
    arguments.print(&rows, out)
}

impl TestArguments {
    /// Five differences in logistic Elo, from below the one hypothesis to above the other.
    fn differences(&self, model: Model) -> Vec<f64> {
        // A normalised Elo is a standard deviation of a game's score over C.
        let sd = (0.25 * (1.0 - self.draw_rate)).max(0.0).sqrt();
        let scale = match model {
            Model::Normalized => sd * elo_per_score(0.5) * std::f64::consts::LN_10 / 800.0,
            Model::Logistic | Model::Bayesian => 1.0,
        };
        let at = |share: f64| scale * (self.elo0 + share * (self.elo1 - self.elo0));
        [-0.5, 0.0, 0.5, 1.0, 1.5].map(at).to_vec()
    }

    fn print(&self, rows: &[Expected], out: &mut dyn Write) -> anyhow::Result<()> {
        let hypotheses = format!("SPRT of [{}, {}]", self.elo0, self.elo1);
        let errors = format!("alpha {}, beta {}", self.alpha, self.beta);
        let draws = 100.0 * self.draw_rate;
        writeln!(out, "{hypotheses}, {errors}, {draws:.0} % draws\n")?;
        if let Some(pairs) = self.max_pairs {
            let games = count(2 * pairs, "game");
            writeln!(out, "It has decided after {games} at the latest.\n")?;
        }
        let mut heads = vec![
            "true Elo (log.)",
            "passes %",
            "games expected",
            "99 % within",
        ];
        if self.max_pairs.is_some() {
            heads.extend(["without an end", "99 % within"]);
        }
        heads.extend(rows.first().and_then(|row| row.hours).map(|_| "hours"));
        let row = |row: &Expected| {
            let mut cells = vec![
                signed(row.elo, 2),
                cell(Some(100.0 * row.pass_prob), 1),
                cell(Some(row.games), 0),
                cell(Some(row.most_games), 0),
            ];
            let endless = row.games_without_end.into_iter().flatten();
            cells.extend(endless.map(|games| cell(Some(games), 0)));
            cells.extend(row.hours.map(|hours| cell(Some(hours), 1)));
            cells
        };
        let rows = rows.iter().map(row).collect();
        Ok(write!(out, "{}", table(&heads, rows))?)
    }
}
