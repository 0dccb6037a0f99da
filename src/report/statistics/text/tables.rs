//! Long tables: by position, by engine, by pair.

use std::collections::BTreeMap;

use crate::analysis::{EventStatistics, StartRecord};
use crate::report::tables::new_table;
use crate::stats::advantage::PositionReport;
use crate::stats::games::GameRow;

use super::numbers::{
    elo_or_dash, line, name, or_dash, paragraph, percent, rendered, some_names, whole_elo,
};
use super::overview::adaptive;

/// What a table has a row for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum By {
    /// Start positions.
    Position,
    /// Engines.
    Engine,
    /// Complete pairs.
    Pair,
}

/// The whole table.
pub(crate) fn table(statistics: &EventStatistics, by: By) -> String {
    match by {
        By::Position => by_position(statistics),
        By::Engine => by_engine(statistics),
        By::Pair => by_pair(statistics),
    }
}

/// Every position, ordered by number: an order by estimate would look like a ranking.
fn by_position(statistics: &EventStatistics) -> String {
    let report = &statistics.first_move;
    let positions: Vec<&PositionReport> = report.advantage.positions.iter().collect();
    if positions.is_empty() {
        return paragraph("no games");
    }
    let mut text = paragraph(&format!("{}.", report.estimand));
    let draws = or_dash(report.advantage.draw_rate, percent);
    text += &line("engines", &some_names(&report.advantage.engines));
    text += &line("draws", &draws);
    text += &adaptive(statistics);
    text += &positions_table(statistics, &positions);
    text + &paragraph(
        "score: White's, in all games; shrunk: towards the mean by its noise; Elo of that; 95 %: holds \
         for 95 % of all positions, not for those that truly are the most extreme; own 95 %: of the \
         position's games alone, holds for any given position; P: above the mean; s: share of \
         positions within 5 Elo of the mean among all that are at least as clear. \
         Positions with s > 0.05 are not distinguishable from the average, whatever their order.",
    )
}

/// Every position with its estimates.
fn positions_table(statistics: &EventStatistics, positions: &[&PositionReport]) -> String {
    let header = [
        "number",
        "back rank",
        "games",
        "score",
        "shrunk",
        "Elo",
        "95 %",
        "own 95 %",
        "P",
        "s",
    ];
    let mut table = new_table(&header, &[1]);
    for position in positions {
        let [number, back_rank, games, score] = start_cells(statistics, position);
        let [elo, credible, p, s] = model_cells(position);
        let own = match position.elo {
            Some(_) => whole_interval(position.own_elo_lo, position.own_elo_hi),
            None => "-".to_owned(),
        };
        let shrunk = or_dash(position.shrunk, percent);
        table.add_row([
            number, back_rank, games, score, shrunk, elo, credible, own, p, s,
        ]);
    }
    rendered(&table)
}

/// The columns of [`named_rows`].
const NAMED: [&str; 9] = [
    "number",
    "back rank",
    "games",
    "score",
    "Elo",
    "95 %",
    "together",
    "P",
    "s",
];

/// Positions that are named because of their games, with the intervals that are valid for a selection.
pub(super) fn named_table(statistics: &EventStatistics, positions: &[&PositionReport]) -> String {
    let mut table = new_table(&NAMED, &[1]);
    for row in named_rows(statistics, positions) {
        table.add_row(row);
    }
    rendered(&table)
}

/// The same with tabs between cells, whatever the width of the page.
pub(super) fn named_cells(statistics: &EventStatistics, positions: &[&PositionReport]) -> String {
    let mut text = format!("{}\n", NAMED.join("\t"));
    for row in named_rows(statistics, positions) {
        text += &format!("{}\n", row.join("\t"));
    }
    text
}

fn named_rows(
    statistics: &EventStatistics,
    positions: &[&PositionReport],
) -> Vec<[String; NAMED.len()]> {
    let row = |position: &&PositionReport| {
        let [number, back_rank, games, score] = start_cells(statistics, position);
        let [elo, credible, p, s] = model_cells(position);
        let together = whole_interval(position.simultaneous_elo_lo, position.simultaneous_elo_hi);
        [
            number, back_rank, games, score, elo, credible, together, p, s,
        ]
    };
    positions.iter().map(row).collect()
}

/// Number, back rank, games, White's score.
fn start_cells(statistics: &EventStatistics, p: &PositionReport) -> [String; 4] {
    let start = statistics.start(p.start);
    let score = start.map(|start| {
        let [_, draws, wins] = start.results;
        (f64::from(wins) + 0.5 * f64::from(draws)) / f64::from(p.games.max(1))
    });
    [
        start
            .and_then(|start| start.number)
            .map_or_else(|| "-".to_owned(), |n| n.to_string()),
        start
            .map(|start| shortened(&start.back_rank))
            .unwrap_or_default(),
        p.games.to_string(),
        or_dash(score, percent),
    ]
}

/// Elo, its credible interval, P(above the mean), s-value.
fn model_cells(p: &PositionReport) -> [String; 4] {
    let two = |value: f64| format!("{value:.2}");
    let credible = match p.elo {
        Some(_) => whole_interval(p.elo_lo, p.elo_hi),
        None => "-".to_owned(),
    };
    [
        or_dash(p.elo, whole_elo),
        credible,
        or_dash(p.p_above_mean, two),
        or_dash(p.svalue, two),
    ]
}

/// A missing end is open.
fn whole_interval(low: Option<f64>, high: Option<f64>) -> String {
    let low = low.unwrap_or(f64::NEG_INFINITY);
    let high = high.unwrap_or(f64::INFINITY);
    format!("[{}, {}]", whole_elo(low), whole_elo(high))
}

/// Names of starts without a number are whole positions.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(20) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Every engine with both colours.
fn by_engine(statistics: &EventStatistics) -> String {
    let counted = &statistics.counted;
    let mut results = vec![[[0_u32; 3]; 2]; statistics.engines.len()];
    for row in counted.rows() {
        let half = usize::from(row.result.half_points());
        results[usize::from(row.white)][0][half] += 1;
        results[usize::from(row.black)][1][2 - half] += 1;
    }
    let header = [
        "engine",
        "games",
        "score",
        "W-D-L",
        "White W-D-L",
        "Black W-D-L",
        "Elo",
        "±",
    ];
    let mut table = new_table(&header, &[0]);
    for (engine, [white, black]) in results.into_iter().enumerate() {
        let total = [0, 1, 2].map(|i| white[i] + black[i]);
        let games: u32 = total.iter().sum();
        let points = f64::from(total[2]) + 0.5 * f64::from(total[1]);
        let ratings = statistics.ratings.as_ref();
        let (rating, error) = ratings.map_or((None, None), |field| field.shown(engine));
        table.add_row(vec![
            name(&statistics.engines[engine]).into_owned(),
            games.to_string(),
            or_dash((games > 0).then(|| points / f64::from(games)), percent),
            wdl(total),
            wdl(white),
            wdl(black),
            elo_or_dash(rating),
            or_dash(error, |error| format!("{error:.1}")),
        ]);
    }
    let mut text = rendered(&table);
    if statistics.self_play {
        text += &paragraph("Sanity check: one engine plays itself, so its copies should be equal.");
    }
    text
}

fn wdl([losses, draws, wins]: [u32; 3]) -> String {
    format!("{wins}-{draws}-{losses}")
}

/// A complete pair for a table.
pub(crate) struct PairRow<'a> {
    /// Its number, from 1.
    pub pair: u32,
    /// Its start position.
    pub start: Option<&'a StartRecord>,
    /// The engine with White in the first game of the file.
    pub first: &'a str,
    /// The other one.
    pub second: &'a str,
    /// The first engine's points with White and with Black.
    pub scores: [f64; 2],
}

/// All complete pairs, in order.
pub(crate) fn pair_rows(statistics: &EventStatistics) -> Vec<PairRow<'_>> {
    let mut pairs = BTreeMap::<u32, Vec<GameRow>>::new();
    for row in statistics.counted.rows() {
        if let Some(pair) = row.pair {
            pairs.entry(pair).or_default().push(row);
        }
    }
    let complete = pairs
        .into_iter()
        .filter_map(|(pair, games)| match games[..] {
            [one, other] if swapped(&one, &other) => Some((pair, one, other)),
            _ => None,
        });
    complete
        .map(|(pair, one, other)| PairRow {
            pair: pair + 1,
            start: statistics.start(one.start),
            first: &statistics.engines[usize::from(one.white)],
            second: &statistics.engines[usize::from(one.black)],
            scores: [one.result.points(), 1.0 - other.result.points()],
        })
        .collect()
}

fn swapped(one: &GameRow, other: &GameRow) -> bool {
    one.white == other.black && one.black == other.white && one.start == other.start
}

fn by_pair(statistics: &EventStatistics) -> String {
    let header = [
        "pair", "number", "first", "second", "White", "Black", "points",
    ];
    let mut table = new_table(&header, &[1, 2, 3]);
    let rows = pair_rows(statistics);
    if rows.is_empty() {
        return paragraph("no complete pairs");
    }
    for row in rows {
        let [white, black] = row.scores;
        table.add_row(vec![
            row.pair.to_string(),
            row.start
                .map_or_else(String::new, |start| match start.number {
                    Some(number) => number.to_string(),
                    None => shortened(&start.back_rank),
                }),
            name(row.first).into_owned(),
            name(row.second).into_owned(),
            points(white).to_owned(),
            points(black).to_owned(),
            format!("{:.1}", white + black),
        ]);
    }
    rendered(&table)
}

fn points(score: f64) -> &'static str {
    match score {
        1.0 => "1",
        0.0 => "0",
        _ => "½",
    }
}
