//! The comparison of events: tables and sentences for people, and for programs a row for each start of each map.

use crate::analysis::{Compared, ComparisonReport, MapReport, PairReport, Starts, games_in_common};
use crate::stats::advantage::SpreadReport;
use crate::stats::maps::{MapPoint, Pooled, Trend};
use crate::text::{
    CellValue, ColumnUnit, Document, Table, columns, count, csv, decimal, elo, or_dash, p_value,
    percent, short_name,
};

/// The whole comparison.
pub(crate) fn comparison(report: &ComparisonReport) -> Document {
    Document::written(|document| {
        maps(report, document);
        repeated(report, document);
        agreement(report, document);
        common(report, document);
        strength(report, document);
    })
}

fn plus_minus(half_width: Option<f64>) -> String {
    or_dash(half_width, |half_width| format!("{half_width:.1}"))
}

fn maps(report: &ComparisonReport, document: &mut Document) {
    document.title("Maps: White's advantage between these engines, Elo");
    let maps: Vec<_> = (1..).zip(&report.maps).map(NumberedMap).collect();
    document.table(Table::from_columns(&NumberedMap::FOR_PEOPLE, &maps));
    document.paragraph(
        "± these: for just these starts; ± all: for starts like these; spread: standard deviation over \
         the starts, noise taken off. Intervals are 95 %.",
    );
}

/// Games that are in two sources: how far one repeats the other. It is known before anything is estimated.
pub(crate) fn same_games(sources: &[Compared]) -> Document {
    Document::written(|document| {
        for ([one, other], games) in games_in_common(sources) {
            let [first, second] = [one, other].map(|place| &sources[place]);
            let games = count(games, "game");
            let [of_first, of_second] = [first, second].map(|one| one.collection.table.len());
            document.paragraph(format!(
                "{games} in common, move for move, of {of_first} in {} and {of_second} in {}.",
                first.source, second.source
            ));
        }
    })
}

/// Maps of which one repeats the other.
fn repeated(report: &ComparisonReport, document: &mut Document) {
    for pair in &report.pairs {
        if pair.difference.is_none() && pair.games_in_common > 0 {
            let maps = format!("Maps {} and {}", pair.first + 1, pair.second + 1);
            let words = "agree by construction, so nothing else is said of the two.";
            document.paragraph(format!("{maps} {words}"));
        }
    }
}

fn agreement(report: &ComparisonReport, document: &mut Document) {
    if report.pairs.is_empty() {
        return;
    }
    document.title("Every two maps");
    document.table(Table::from_columns(&PairReport::FOR_PEOPLE, &report.pairs));
    document.paragraph(
        "correlation: of the starts' true advantages, noise taken off (raw: left in); unrelated: p that \
         the maps have nothing in common; difference: the second's mean less the first's over the starts \
         of both; parallel: p that the maps differ by one amount everywhere.",
    );
}

/// The pooled results of all maps.
fn common(report: &ComparisonReport, document: &mut Document) {
    if report.mean.is_some() || report.mean_trend.is_some() {
        document.title("All maps");
    }
    if let Some(mean) = &report.mean {
        document.line("mean advantage", pooled(mean));
    }
    if let Some(found) = &report.mean_trend {
        document.line("mean, trend", trend(found));
    }
}

fn strength(report: &ComparisonReport, document: &mut Document) {
    let Some(found) = &report.strength else {
        return;
    };
    let both = found.engines.each_ref().map(|name| short_name(name));
    document.title(both.join(" against "));
    for (place, [value, error]) in found.elo.iter().enumerate() {
        let limits = report.maps.get(place).map(|map| map.limits.join("; "));
        let limits = limits.unwrap_or_default();
        let words = format!("{} ± {error:.1} Elo at {limits}", elo(*value));
        document.line(format!("map {}", place + 1), words);
    }
    if let Some(mean) = &found.pooled {
        document.line("all", pooled(mean));
    }
    if let Some(found) = &found.trend {
        document.line("trend", trend(found));
    }
}

fn pooled(found: &Pooled) -> String {
    let (mean, maps) = (elo(found.mean), count(found.count, "map"));
    let (share, equal) = (percent(found.heterogeneity), p_value(found.p_equal));
    let [at, low, high] = [found.spread, found.spread_lo, found.spread_hi];
    let spread =
        format!("{at:.1} Elo [{low:.1}, {high:.1}] (I² {share}); that they are equal: {equal}");
    let error = found.error;
    format!("{mean} ± {error:.1} Elo over {maps}; they differ by {spread}")
}

fn trend(found: &Trend) -> String {
    let (slope, error) = (elo(found.slope), plus_minus(found.error));
    let none = or_dash(found.p_value, p_value);
    format!("{slope} ± {error} Elo each time the limit doubles (depth: each ply); no trend: {none}")
}

/// A map with its number.
struct NumberedMap<'a>((u64, &'a MapReport));

columns! {
    NumberedMap<'_> {
        NUMBER: "", "#", ColumnUnit::Count, |row| CellValue::Whole(row.0.0);
        ENGINES: "", "engines", ColumnUnit::Text, |row| CellValue::Text(short_name(&row.0.1.engines.join(", ")));
        LIMIT: "", "limit", ColumnUnit::Text, |row| CellValue::Text(row.0.1.limits.join("; "));
        GAMES: "", "games", ColumnUnit::Count, |row| CellValue::Whole(row.0.1.games as u64);
        STARTS: "", "starts", ColumnUnit::Count, |row| CellValue::Whole(row.0.1.starts as u64);
        MEAN: "", "mean", ColumnUnit::Elo(1), |row| CellValue::Real(row.0.1.map.mean.elo);
        THESE: "", "± these", ColumnUnit::Count, |row| CellValue::Text(plus_minus(row.0.1.map.mean.elo_error_these));
        ALL: "", "± all", ColumnUnit::Count, |row| CellValue::Text(plus_minus(row.0.1.map.mean.elo_error_all));
        SPREAD: "", "spread", ColumnUnit::Count, |row| CellValue::Text(spread(&row.0.1.map.spread));
    }
    FOR_PEOPLE[9]: NUMBER ENGINES LIMIT GAMES STARTS MEAN THESE ALL SPREAD;
}

fn spread(found: &SpreadReport) -> String {
    let [at, low, high] = [found.sd_elo, found.sd_elo_lo, found.sd_elo_hi];
    format!("{at:.1} [{low:.1}, {high:.1}]")
}

/// What may be missing in every row: the column stays.
fn number(value: Option<f64>, shown: fn(f64) -> String) -> CellValue {
    CellValue::Text(or_dash(value, shown))
}

fn two(value: f64) -> String {
    decimal(value, 2)
}

columns! {
    PairReport {
        MAPS: "", "maps", ColumnUnit::Text, |row| CellValue::Text(format!("{}, {}", row.first + 1, row.second + 1));
        STARTS: "", "starts", ColumnUnit::Count, |row| CellValue::Whole(row.difference.as_ref().map_or(0, |found| found.starts as u64));
        CORRELATION: "", "correlation", ColumnUnit::Count, |row| number(row.correlation.as_ref().map(|found| found.correlation), two);
        ENDS: "", "95 %", ColumnUnit::Count, |row| CellValue::Text(row.correlation.as_ref().map_or("-".to_owned(), |found| format!("[{}, {}]", two(found.lo), two(found.hi))));
        RAW: "", "raw", ColumnUnit::Count, |row| number(row.correlation.as_ref().map(|found| found.raw), two);
        UNRELATED: "", "unrelated", ColumnUnit::Count, |row| number(row.correlation.as_ref().map(|found| found.p_unrelated), p_value);
        DIFFERENCE: "", "difference", ColumnUnit::Count, |row| number(row.difference.as_ref().map(|found| found.elo), elo);
        THESE: "", "± these", ColumnUnit::Count, |row| CellValue::Text(plus_minus(row.difference.as_ref().map(|found| found.elo_error_these)));
        ALL: "", "± all", ColumnUnit::Count, |row| CellValue::Text(plus_minus(row.difference.as_ref().and_then(|found| found.elo_error_all)));
        PARALLEL: "", "parallel", ColumnUnit::Count, |row| number(row.difference.as_ref().map(|found| found.p_parallel), p_value);
    }
    FOR_PEOPLE[10]: MAPS STARTS CORRELATION ENDS RAW UNRELATED DIFFERENCE THESE ALL PARALLEL;
}

/// A start of a map.
struct MapStart<'a> {
    place: u64,
    map: &'a MapReport,
    level: f64,
    starts: Option<&'a Starts>,
    point: &'a MapPoint,
}

columns! {
    MapStart<'_> {
        MAP: "map", "", ColumnUnit::Count, |row| CellValue::Whole(row.place);
        SOURCE: "source", "", ColumnUnit::Text, |row| CellValue::Text(row.map.source.clone());
        ENGINES: "engines", "", ColumnUnit::Text, |row| CellValue::Text(row.map.engines.join("; "));
        LIMITS: "limits", "", ColumnUnit::Text, |row| CellValue::Text(row.map.limits.join("; "));
        LEVEL: "level", "", ColumnUnit::Number(2), |row| CellValue::Real(row.level);
        NUMBER: "number", "", ColumnUnit::Count, |row| CellValue::whole(row.starts.and_then(|starts| Some(starts.number(row.point.start)?.0)));
        BACK_RANK: "back_rank", "", ColumnUnit::Text, |row| CellValue::text(row.starts.map(|starts| starts.back_rank(row.point.start).unwrap_or_else(|| starts.label(row.point.start))));
        PAIRS: "pairs", "", ColumnUnit::Count, |row| CellValue::whole(Some(row.point.pairs));
        ELO: "elo", "", ColumnUnit::Elo(1), |row| CellValue::Real(row.point.elo);
        SD: "elo_sd", "", ColumnUnit::Number(1), |row| CellValue::Real(row.point.variance.sqrt());
    }
    FOR_PROGRAMS[10]: MAP SOURCE ENGINES LIMITS LEVEL NUMBER BACK_RANK PAIRS ELO SD;
}

/// A row for each start of each map, in the numbers' full precision.
pub(crate) fn comparison_csv(report: &ComparisonReport, sources: &[Compared]) -> String {
    let rows = (1..).zip(&report.maps).flat_map(|(place, map)| {
        let source = sources.iter().find(|source| source.source == map.source);
        let starts = source.map(|source| &source.collection.starts);
        map.map.points.iter().map(move |point| MapStart {
            place,
            map,
            level: report.level,
            starts,
            point,
        })
    });
    csv(&MapStart::FOR_PROGRAMS, rows)
}
