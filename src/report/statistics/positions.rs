//! The table of start positions: one row for each start with a game. The columns are in `docs/files.md`.

use super::cells::Kind::{Real, Text, Whole};
use super::cells::{Cell, Column, csv};
use super::csv::{allocation, limits};
use crate::analysis::{EventStatistics, StartRecord};
use crate::stats::advantage::{PositionReport, RankVerdict};

/// The columns of a position.
pub(crate) const POSITION_COLUMNS: [Column; 33] = [
    ("number", Whole),
    ("back_rank", Text),
    ("games", Whole),
    ("pairs", Whole),
    ("white_wins", Whole),
    ("draws", Whole),
    ("white_losses", Whole),
    ("white_score", Real),
    ("distinct", Whole),
    ("effective", Real),
    ("first_divergence", Whole),
    ("raw", Real),
    ("shrunk", Real),
    ("shrunk_sd", Real),
    ("reliability", Real),
    ("elo", Real),
    ("elo_lo", Real),
    ("elo_hi", Real),
    ("own_elo_lo", Real),
    ("own_elo_hi", Real),
    ("simultaneous_elo_lo", Real),
    ("simultaneous_elo_hi", Real),
    ("p_above_mean", Real),
    ("lfsr", Real),
    ("p_value", Real),
    ("svalue", Real),
    ("p_above_518", Real),
    ("p_equivalent", Real),
    ("verdict", Text),
    ("allocation", Text),
    ("engines", Text),
    ("limits", Text),
    ("level", Real),
];

/// One row for each start with a game, as CSV.
pub(crate) fn positions_csv(statistics: &EventStatistics) -> String {
    csv(&POSITION_COLUMNS, position_rows(statistics))
}

/// The rows of the table.
pub(crate) fn position_rows(statistics: &EventStatistics) -> impl Iterator<Item = Vec<Cell>> {
    let engines = statistics.first_move.advantage.engines.join("; ");
    let origin = [
        Cell::Text(engines),
        Cell::Text(limits(statistics)),
        Cell::Real(Some(statistics.level)),
    ];
    let positions = &statistics.first_move.advantage.positions;
    let starts = statistics.starts.iter().zip(positions);
    starts.map(move |(start, position)| {
        let mut row = position_cells(start, position);
        row.push(Cell::Text(allocation(statistics).to_owned()));
        row.extend(origin.iter().cloned());
        row
    })
}

/// All columns before the verdict.
fn position_cells(start: &StartRecord, p: &PositionReport) -> Vec<Cell> {
    let copies = start.copies.as_ref();
    let [losses, draws, wins] = start.results;
    let score =
        (p.games > 0).then(|| (f64::from(wins) + 0.5 * f64::from(draws)) / f64::from(p.games));
    let mut row = vec![
        Cell::Whole(start.number),
        Cell::Text(start.back_rank.clone()),
    ];
    row.extend([p.games, p.pairs, wins, draws, losses].map(|count| Cell::Whole(Some(count))));
    row.extend([
        Cell::Real(score),
        Cell::Whole(copies.map(|copies| copies.distinct)),
        Cell::Real(copies.map(|copies| copies.effective)),
        Cell::Whole(copies.and_then(|copies| copies.first_divergence)),
    ]);
    let estimates = [
        p.raw,
        p.shrunk,
        p.shrunk_sd,
        p.reliability,
        p.elo,
        p.elo_lo,
        p.elo_hi,
        p.own_elo_lo,
        p.own_elo_hi,
        p.simultaneous_elo_lo,
        p.simultaneous_elo_hi,
        p.p_above_mean,
        p.lfsr,
        p.p_value,
        p.svalue,
        p.p_above_reference,
        p.p_equivalent,
    ];
    row.extend(estimates.map(Cell::Real));
    row.push(Cell::Text(p.verdict.map_or("", verdict_word).to_owned()));
    row
}

fn verdict_word(verdict: RankVerdict) -> &'static str {
    match verdict {
        RankVerdict::AboveAverage => "above_average",
        RankVerdict::BelowAverage => "below_average",
        RankVerdict::NotDistinguishable => "not_distinguishable",
    }
}
