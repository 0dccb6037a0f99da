//! The first-move advantage: White's score, the same in Elo between equal engines, whether start positions differ, and
//! which of them may be named: only those that the games distinguish from the average.

use crate::analysis::{EventStatistics, FirstMoveReport, SelectedReport, StartRecord};
use crate::stats::advantage::{AdvantageReport, PositionReport, RankVerdict, SpreadReport};
use crate::stats::duplicates::StartDuplicates;
use crate::text::{
    CellValue, ColumnUnit, Document, Table, columns, count, csv, elo, elo_or_dash, interval,
    is_narrow, or_dash, p_value, percent, probability,
};

use super::encounter::{null_check, score, selection_label};
use super::engines::allocation;

/// Minimum number of positions for errors clustered by position to be shown: with two positions the interval for other
/// positions would be ± 1500 Elo.
const MIN_CLUSTERS: usize = 6;

/// Maximum number of named positions shown of a list.
const MAX_NAMED: usize = 12;

/// The section on the first move; nothing without games.
pub(super) fn first_move(statistics: &EventStatistics, document: &mut Document) {
    if statistics.white.games() == 0 {
        return;
    }
    document.title("The first move");
    white(statistics, document);
    selections(statistics, document);
    variation(&statistics.first_move.advantage, document);
    named(statistics, document);
}

/// What is estimated, White's score, draws and the mean.
fn white(statistics: &EventStatistics, document: &mut Document) {
    let report = &statistics.first_move;
    let played = if statistics.self_play {
        ""
    } else {
        " between these engines"
    };
    document.paragraph(format!("{}.", report.estimand));
    document.line("White", score(statistics.white.0, played));
    document.line("draws", or_dash(report.advantage.draw_rate, percent));
    mean(report, document);
}

/// The text for a table of results.
pub(crate) fn of_results(total: [u64; 3], report: &FirstMoveReport) -> Document {
    Document::written(|document| {
        document.paragraph(format!("{}.", report.estimand));
        document.line("White", score(total, ""));
        mean(report, document);
        variation(&report.advantage, document);
    })
}

/// White's mean advantage, with both errors.
fn mean(report: &FirstMoveReport, document: &mut Document) {
    let Some(found) = &report.advantage.mean else {
        return;
    };
    let ends = |error: Option<f64>| match narrow(error) {
        Some(half_width) => format!("± {half_width:.1}"),
        None => "unknown".to_owned(),
    };
    let all = if found.positions >= MIN_CLUSTERS {
        ends(found.elo_error_all)
    } else {
        format!("unknown ({})", count(found.positions, "position"))
    };
    let score = percent(found.score);
    let errors = [found.elo_error_these, found.elo_error_all];
    let words = if found.elo.is_finite() && errors.into_iter().any(|one| narrow(one).is_some()) {
        let (elo, these) = (elo(found.elo), ends(found.elo_error_these));
        let starts = format!("these starts {these}, all starts {all}");
        format!("{elo} Elo ({score}), the mean over positions; 95 %: {starts}")
    } else {
        format!("no Elo ({score})")
    };
    document.line("advantage", words);
    // It follows from laws of draws, not directly from games; near the mean the engines are as good as equal.
    if let Some(found) = &report.advantage.equal_strength {
        let [least, most] = found.range().map(elo);
        let [low, high] = [found.elo_lo, found.elo_hi].map(elo);
        let laws = format!("{least} to {most} Elo by three laws of draws");
        let words = format!("{laws}, 95 % [{low}, {high}]; self-play needs none");
        document.line("at equal strength", words);
    }
}

/// Half the width of an interval that says something.
fn narrow(half_width: Option<f64>) -> Option<f64> {
    half_width.filter(|half| is_narrow(2.0 * half))
}

/// The same without forfeits, if there are forfeits.
fn selections(statistics: &EventStatistics, document: &mut Document) {
    let one = |selection: &SelectedReport| {
        let found = selection.mean.as_ref();
        let error = found.and_then(|f| narrow(f.elo_error_these.or(f.elo_error_all)));
        let shown = found.zip(error);
        let shown = shown.map(|(found, error)| format!("{} ± {error:.1}", elo(found.elo)));
        let games = count(selection.games, "game");
        format!("{}   {games}", shown.as_deref().unwrap_or("no Elo"))
    };
    for selection in &statistics.selections {
        document.line(selection_label(selection.selection), one(selection));
    }
}

/// The few numbers of self-play below the first lines.
pub(crate) fn self_play(statistics: &EventStatistics) -> Document {
    Document::written(|document| {
        if statistics.white.games() > 0 {
            white(statistics, document);
            null_check(statistics, document);
        }
    })
}

/// Do the positions differ, and by how much at most?
fn variation(advantage: &AdvantageReport, document: &mut Document) {
    let differ = match (&advantage.spread, &advantage.spread_reason) {
        (Some(spread), _) => differ(spread),
        (None, Some(why)) => format!("not known: {why}"),
        (None, None) => "not known".to_owned(),
    };
    document.line("positions differ", differ);
    if let Some(elo) = advantage.farthest_elo {
        let words =
            format!("is farther than {elo:.0} Elo from their mean (all intervals together, 95 %)");
        document.line("no position", words);
    }
    if let Some([fewest, most]) = advantage.unbalanced {
        let words = format!(
            "{fewest} to {most}: each position counts alike in the mean, and is named by its own pairs alone"
        );
        document.line("pairs a position", words);
    }
    if let Some(found) = advantage.equivalence {
        let (near, margin) = (found.positions, found.margin_elo);
        let all = count(advantage.positions.len(), "position");
        let within = format!("{near} of {all} are within {margin} Elo of the mean");
        let words = format!("{within} with at least 95 % probability each");
        document.line("equivalent", words);
    }
    if let Some(mirror) = &advantage.mirror {
        let (classes, p) = (count(mirror.classes, "pair"), p_value(mirror.p_value));
        let words = format!("{classes} of twins; that they share no advantage: {p}");
        document.line("mirror twins", words);
    }
    if let Some(p) = advantage.interaction_p.map(p_value) {
        let words =
            format!("that no score of one engine against another depends on the position: {p}");
        document.line("interaction", words);
    }
}

/// The bound first: an estimate near zero would be read as a finding.
fn differ(spread: &SpreadReport) -> String {
    if !spread.sd_elo_hi.is_finite() {
        return "not known: they differ less than chance alone makes them differ".to_owned();
    }
    let [at, low, high] = [spread.sd_elo, spread.sd_elo_lo, spread.sd_elo_hi];
    let low = if low > 0.0 {
        format!(", at least {low:.1}")
    } else {
        String::new()
    };
    let (starts, p) = (count(spread.positions, "start"), p_value(spread.p_value));
    let cochran = spread.cochran.as_ref().map(|cochran| {
        let (q, df, p) = (cochran.q, cochran.df, p_value(cochran.p_value));
        format!(" (Q = {q:.0} on {df} degrees of freedom, {p})")
    });
    let cochran = cochran.unwrap_or_default();
    format!(
        "by at most {high:.1} Elo{low} (standard deviation of the {starts} with two pairs, 95 %; estimate \
         {at:.1}); that they do not differ: {p}{cochran}"
    )
}

/// The positions that may be named, or the statement that none may.
fn named(statistics: &EventStatistics, document: &mut Document) {
    let report = &statistics.first_move;
    if report.advantage.spread.is_none() {
        return;
    }
    if let Some(why) = report.unnamed {
        let words = format!("not distinguishable: {}", why);
        return document.line("by position", words);
    }
    let before = document.0.len();
    for (verdict, title) in [
        (RankVerdict::AboveAverage, "Most favourable to White"),
        (RankVerdict::BelowAverage, "Least favourable to White"),
    ] {
        let positions: Vec<&PositionReport> = report.named(verdict);
        if positions.is_empty() {
            continue;
        }
        let number = count(positions.len(), "position");
        document.title(format!("{title}, by more than 5 Elo: {number}"));
        let rows = played(statistics, positions.into_iter().take(MAX_NAMED));
        document.table(Table::from_columns(&PlayedStart::NAMED, &rows));
    }
    if document.0.len() > before {
        document.paragraph(
            "Of those named at most 5 % lie within 5 Elo of the mean (s is that share among the \
             clearest). 95 %: drawn towards the mean by chance; together: holds for all positions at once.",
        );
    } else {
        let smallest = or_dash(report.smallest_s_value(), probability);
        let words = format!(
            "not distinguishable: no position can be told from the average (s ≤ 0.05 is needed, the \
             smallest is {smallest})"
        );
        document.line("by position", words);
    }
    // Start 518, which people often look for.
    let positions = &report.advantage.positions;
    if let Some(position) = positions.iter().find(|position| position.start == 518) {
        let elo = elo_or_dash(position.elo);
        let ends = position.elo_lo.zip(position.elo_hi);
        let ends = ends.map_or_else(|| "-".to_owned(), |(low, high)| interval(low, high));
        let above = or_dash(position.p_above_mean, probability);
        let words = format!("{elo} Elo, 95 % {ends}; above the mean with probability {above}");
        document.line("number 518", words);
    }
}

// The table of start positions: one row for each start with a game. The columns are in `docs/files.md`.

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
        LIMITS: "limits", "", ColumnUnit::Text, |row| CellValue::text(Some(row.statistics.limits.join("; ")));
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
    fn score(&self) -> Option<f64> {
        let [losses, draws, wins] = self.start.results.map(f64::from);
        let games = losses + draws + wins;
        (games > 0.0).then(|| (wins + draws / 2.0) / games)
    }

    /// The start number; `-` for a start without one.
    pub(crate) fn label(&self) -> String {
        Self::NUMBER.shown(self)
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
