//! What the figures and the table of positions share.

use maud::{Markup, html};

use crate::analysis::{EventStatistics, StartRecord};
use crate::report::statistics::whole_elo;
use crate::stats::advantage::{PositionReport, RankVerdict};

use super::facts::EventFacts;
use super::figure::{Data, csv, field};

/// A position with its name and results.
pub(super) struct Played<'a> {
    pub start: &'a StartRecord,
    pub report: &'a PositionReport,
}

impl Played<'_> {
    /// The start number; `-` for a start without one.
    pub(super) fn label(&self) -> String {
        match self.start.number {
            Some(number) => number.to_string(),
            None => "-".to_owned(),
        }
    }

    pub(super) fn games(&self) -> u32 {
        self.start.results.iter().sum()
    }

    /// White's points per game.
    pub(super) fn score(&self) -> Option<f64> {
        let [_, draws, wins] = self.start.results.map(f64::from);
        let games = self.games();
        (games > 0).then(|| (wins + draws / 2.0) / f64::from(games))
    }

    /// The verdict on it, in words.
    pub(super) fn verdict(&self) -> &'static str {
        match self.report.verdict {
            Some(RankVerdict::AboveAverage) => "above average",
            Some(RankVerdict::BelowAverage) => "below average",
            Some(RankVerdict::NotDistinguishable) => "not distinguishable",
            None => "",
        }
    }

    /// Whether it may be named.
    pub(super) fn is_named(&self) -> bool {
        let verdict = self.report.verdict;
        matches!(
            verdict,
            Some(RankVerdict::AboveAverage | RankVerdict::BelowAverage)
        )
    }

    /// `+13 [−26, +55]`, or empty without a model.
    pub(super) fn estimate(&self) -> String {
        let report = self.report;
        match (report.elo, report.elo_lo, report.elo_hi) {
            (Some(elo), Some(low), Some(high)) => {
                let [elo, low, high] = [elo, low, high].map(whole_elo);
                format!("{elo} [{low}, {high}]")
            }
            _ => String::new(),
        }
    }
}

/// Every position, in the order of start numbers.
pub(super) fn played(statistics: &EventStatistics) -> Vec<Played<'_>> {
    let reports = &statistics.first_move.advantage.positions;
    let found = reports.iter().filter_map(|report| {
        let place = statistics
            .starts
            .binary_search_by_key(&report.start, |start| start.start);
        let start = &statistics.starts[place.ok()?];
        Some(Played { start, report })
    });
    found.collect()
}

/// The data of the positions, for download.
pub(super) fn data(played: &[Played<'_>]) -> Data {
    let row = |one: &Played<'_>| {
        let [losses, draws, wins] = one.start.results.map(|count| count.to_string());
        let report = one.report;
        let mut row = vec![one.label(), one.start.back_rank.clone()];
        row.extend([wins, draws, losses]);
        let values = [
            one.score(),
            report.raw,
            report.shrunk,
            report.elo,
            report.elo_lo,
            report.elo_hi,
            report.svalue,
        ];
        row.extend(values.map(field));
        row.push(one.verdict().to_owned());
        row
    };
    let header = "number,back_rank,white_wins,draws,white_losses,white_score,raw,shrunken,elo,elo_lo,elo_hi,svalue,verdict";
    Data {
        name: "positions.csv".to_owned(),
        csv: csv(header, played.iter().map(row)),
    }
}

/// The table of all positions, with links to their games.
pub(super) fn table(facts: &EventFacts, prefix: &str, played: &[Played<'_>]) -> Markup {
    let command = facts.command("stats", "--by position");
    html! {
        details id=(format!("{prefix}positions")) {
            summary { @if played.len() == 1 { "Table of the position" } @else { "Table of all " (played.len()) " positions" } }
            p { "In the order of start numbers: an order by estimate would look like a ranking. Computed by " code { (command) } "." }
            div.wide tabindex="0" role="region" aria-label="Table of positions" { table {
                thead { tr { th { "start" } th { "back rank" } th { "games" } th { "White W−D−L" } th { "score" } th { "Elo [95 %]" } th { "s-value" } th { "may be said" } } }
                tbody { @for one in played {
                    @let [losses, draws, wins] = one.start.results;
                    tr id=(format!("{prefix}start-{}", one.start.start)) {
                        td { a href=(format!("#{prefix}games-start-{}", one.start.start)) { (one.label()) } }
                        td.mono { (one.start.back_rank) }
                        td { (one.games()) }
                        td { (wins) "−" (draws) "−" (losses) }
                        td { @if let Some(score) = one.score() { (format!("{:.1} %", 100.0 * score)) } }
                        td { (one.estimate()) }
                        td { @if let Some(s) = one.report.svalue { (format!("{s:.3}")) } }
                        td { (one.verdict()) }
                    }
                } }
            } }
        }
    }
}
