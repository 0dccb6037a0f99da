//! The table of start positions: one row for each start with a game. The columns are in `docs/files.md`.

use super::engines::{allocation, limits};
use crate::analysis::{EventStatistics, StartRecord};
use crate::stats::advantage::{PositionReport, RankVerdict};
use crate::stats::duplicates::StartDuplicates;
use crate::text::{CellValue, ColumnUnit, columns, csv};

/// A start position with its results and estimates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlayedStart<'a> {
    statistics: &'a EventStatistics,
    pub(crate) start: &'a StartRecord,
    pub(crate) report: &'a PositionReport,
}

/// These positions, in their order.
pub(crate) fn played<'a>(
    statistics: &'a EventStatistics,
    positions: impl IntoIterator<Item = &'a PositionReport>,
) -> Vec<PlayedStart<'a>> {
    let found = positions.into_iter().filter_map(|report| {
        let start = statistics.start(report.start)?;
        Some(PlayedStart {
            statistics,
            start,
            report,
        })
    });
    found.collect()
}

/// Every position, in the order of start numbers: an order by estimate would look like a ranking.
pub(crate) fn all_played(statistics: &EventStatistics) -> Vec<PlayedStart<'_>> {
    played(statistics, &statistics.first_move.advantage.positions)
}

/// One row for each start with a game, as CSV.
pub(crate) fn positions_csv(statistics: &EventStatistics) -> String {
    let rows = all_played(statistics).into_iter();
    csv(&PlayedStart::FOR_PROGRAMS, rows)
}

columns! {
    PlayedStart<'_> {
        NUMBER: "number", "number", ColumnUnit::Count, |row| CellValue::whole(row.start.number);
        BACK_RANK: "back_rank", "back rank", ColumnUnit::Text, |row| CellValue::text(Some(row.start.back_rank.clone()));
        GAMES: "games", "games", ColumnUnit::Count, |row| CellValue::whole(Some(row.report.games));
        PAIRS: "pairs", "pairs", ColumnUnit::Count, |row| CellValue::whole(Some(row.report.pairs));
        WDL: "", "White W-D-L", ColumnUnit::Count, |row| CellValue::Results([2, 1, 0].map(|points| row.start.results[points].into()));
        WINS: "white_wins", "", ColumnUnit::Count, |row| CellValue::whole(Some(row.start.results[2]));
        DRAWS: "draws", "", ColumnUnit::Count, |row| CellValue::whole(Some(row.start.results[1]));
        LOSSES: "white_losses", "", ColumnUnit::Count, |row| CellValue::whole(Some(row.start.results[0]));
        SCORE: "white_score", "score", ColumnUnit::Share, |row| CellValue::real(row.score());
        DISTINCT: "distinct", "", ColumnUnit::Count, |row| CellValue::whole(row.copies().map(|copies| copies.distinct));
        EFFECTIVE: "effective", "", ColumnUnit::Number(1), |row| CellValue::real(row.copies().map(|copies| copies.effective));
        DIVERGENCE: "first_divergence", "", ColumnUnit::Count, |row| CellValue::whole(row.copies().and_then(|copies| copies.first_divergence));
        RAW: "raw", "", ColumnUnit::Share, |row| CellValue::real(row.report.raw);
        SHRUNK: "shrunk", "shrunk", ColumnUnit::Share, |row| CellValue::real(row.report.shrunk);
        SHRUNK_SD: "shrunk_sd", "", ColumnUnit::Share, |row| CellValue::real(row.report.shrunk_sd);
        RELIABILITY: "reliability", "", ColumnUnit::Share, |row| CellValue::real(row.report.reliability);
        ELO: "elo", "Elo", ColumnUnit::Elo(0), |row| CellValue::real(row.report.elo);
        ELO_LO: "elo_lo", "", ColumnUnit::Elo(0), |row| CellValue::real(row.report.elo_lo);
        ELO_HI: "elo_hi", "", ColumnUnit::Elo(0), |row| CellValue::real(row.report.elo_hi);
        INTERVAL: "", "95 %", ColumnUnit::Elo(0), |row| row.interval(row.report.elo_lo, row.report.elo_hi);
        OWN_LO: "own_elo_lo", "", ColumnUnit::Elo(0), |row| CellValue::real(row.report.own_elo_lo);
        OWN_HI: "own_elo_hi", "", ColumnUnit::Elo(0), |row| CellValue::real(row.report.own_elo_hi);
        OWN: "", "own 95 %", ColumnUnit::Elo(0), |row| row.interval(row.report.own_elo_lo, row.report.own_elo_hi);
        TOGETHER_LO: "simultaneous_elo_lo", "", ColumnUnit::Elo(0), |row| CellValue::real(row.report.simultaneous_elo_lo);
        TOGETHER_HI: "simultaneous_elo_hi", "", ColumnUnit::Elo(0), |row| CellValue::real(row.report.simultaneous_elo_hi);
        TOGETHER: "", "together", ColumnUnit::Elo(0), |row| row.interval(row.report.simultaneous_elo_lo, row.report.simultaneous_elo_hi);
        P: "p_above_mean", "P", ColumnUnit::Number(2), |row| CellValue::real(row.report.p_above_mean);
        LFSR: "lfsr", "", ColumnUnit::Number(3), |row| CellValue::real(row.report.lfsr);
        P_VALUE: "p_value", "", ColumnUnit::Number(3), |row| CellValue::real(row.report.p_value);
        S: "svalue", "s", ColumnUnit::Number(3), |row| CellValue::real(row.report.svalue);
        ABOVE_518: "p_above_518", "", ColumnUnit::Number(3), |row| CellValue::real(row.report.p_above_reference);
        EQUIVALENT: "p_equivalent", "", ColumnUnit::Number(3), |row| CellValue::real(row.report.p_equivalent);
        VERDICT: "verdict", "may be said", ColumnUnit::Word, |row| CellValue::text(Some(row.report.verdict.map_or("", verdict_word).to_owned()));
        ALLOCATION: "allocation", "", ColumnUnit::Text, |row| CellValue::text(Some(allocation(row.statistics).to_owned()));
        ENGINES: "engines", "", ColumnUnit::Text, |row| CellValue::text(Some(row.statistics.first_move.advantage.engines.join("; ")));
        LIMITS: "limits", "", ColumnUnit::Text, |row| CellValue::text(Some(limits(row.statistics)));
        LEVEL: "level", "", ColumnUnit::Number(2), |row| CellValue::Real(row.statistics.level);
    }
    FOR_PROGRAMS[33]: NUMBER BACK_RANK GAMES PAIRS WINS DRAWS LOSSES SCORE DISTINCT EFFECTIVE DIVERGENCE RAW SHRUNK SHRUNK_SD
        RELIABILITY ELO ELO_LO ELO_HI OWN_LO OWN_HI TOGETHER_LO TOGETHER_HI P LFSR P_VALUE S ABOVE_518 EQUIVALENT VERDICT
        ALLOCATION ENGINES LIMITS LEVEL;
    FOR_DOWNLOAD[13]: NUMBER BACK_RANK WINS DRAWS LOSSES SCORE RAW SHRUNK ELO ELO_LO ELO_HI S VERDICT;
    RESULTS[6]: NUMBER BACK_RANK GAMES PAIRS WDL SCORE;
    BY_NUMBER[10]: NUMBER BACK_RANK GAMES SCORE SHRUNK ELO INTERVAL OWN P S;
    NAMED[9]: NUMBER BACK_RANK GAMES SCORE ELO INTERVAL TOGETHER P S;
    ON_PAGE[8]: BACK_RANK GAMES WDL SCORE ELO INTERVAL S VERDICT;
}

impl PlayedStart<'_> {
    fn copies(&self) -> Option<&StartDuplicates> {
        self.start.copies.as_ref()
    }

    /// White's points per game.
    pub(crate) fn score(&self) -> Option<f64> {
        let [losses, draws, wins] = self.start.results.map(f64::from);
        let games = losses + draws + wins;
        (games > 0.0).then(|| (wins + draws / 2.0) / games)
    }

    pub(crate) fn games(&self) -> u32 {
        self.start.results.iter().sum()
    }

    /// `+13 [−26, +55]`, or empty without a model.
    pub(crate) fn estimate(&self) -> String {
        let words = || format!("{} {}", Self::ELO.shown(self), Self::INTERVAL.shown(self));
        self.report.elo.map(|_| words()).unwrap_or_default()
    }

    /// The start number; `-` for a start without one.
    pub(crate) fn label(&self) -> String {
        Self::NUMBER.shown(self)
    }

    /// Whether it may be named.
    pub(crate) fn is_named(&self) -> bool {
        let verdict = self.report.verdict;
        verdict.is_some_and(|verdict| verdict != RankVerdict::NotDistinguishable)
    }

    /// An interval of its Elo, if it has one.
    fn interval(&self, low: Option<f64>, high: Option<f64>) -> CellValue {
        match self.report.elo {
            Some(_) => CellValue::interval(low, high),
            None => CellValue::Missing("-"),
        }
    }
}

fn verdict_word(verdict: RankVerdict) -> &'static str {
    match verdict {
        RankVerdict::AboveAverage => "above_average",
        RankVerdict::BelowAverage => "below_average",
        RankVerdict::NotDistinguishable => "not_distinguishable",
    }
}
