//! The comparison of events: tables and sentences for people, and for programs a row for each start of each map.

use crate::analysis::{Compared, ComparisonReport, MapReport, Starts, games_in_common};
use crate::stats::maps::MapPoint;
use crate::stats::maps::{Pooled, Trend};
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
    let heads = [
        "#", "engines", "limit", "games", "starts", "mean", "± these", "± all", "spread",
    ];
    let mut table = Table::new(&heads, &[1, 2]);
    for (place, map) in report.maps.iter().enumerate() {
        let mean = &map.map.mean;
        let found = &map.map.spread;
        let [at, low, high] = [found.sd_elo, found.sd_elo_lo, found.sd_elo_hi];
        table.rows.push(vec![
            (place + 1).to_string(),
            short_name(&map.engines.join(", ")),
            map.limits.join("; "),
            map.games.to_string(),
            map.starts.to_string(),
            elo(mean.elo),
            plus_minus(mean.elo_error_these),
            plus_minus(mean.elo_error_all),
            format!("{at:.1} [{low:.1}, {high:.1}]"),
        ]);
    }
    document.table(table);
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
    for pair in report.pairs.iter().filter(|pair| pair.difference.is_none()) {
        if pair.games_in_common > 0 {
            document.paragraph(format!(
                "Maps {} and {} agree by construction, so nothing else is said of the two.",
                pair.first + 1,
                pair.second + 1
            ));
        }
    }
}

fn agreement(report: &ComparisonReport, document: &mut Document) {
    if report.pairs.is_empty() {
        return;
    }
    document.title("Every two maps");
    let heads = [
        "maps",
        "starts",
        "correlation",
        "95 %",
        "raw",
        "unrelated",
        "difference",
        "± these",
        "± all",
        "parallel",
    ];
    let mut table = Table::new(&heads, &[0]);
    for pair in &report.pairs {
        let correlation = pair.correlation.as_ref();
        let difference = pair.difference.as_ref();
        let two = |value: f64| decimal(value, 2);
        table.rows.push(vec![
            format!("{}, {}", pair.first + 1, pair.second + 1),
            difference.map_or(0, |d| d.starts).to_string(),
            or_dash(correlation.map(|c| c.correlation), two),
            correlation.map_or_else(
                || "-".to_owned(),
                |c| format!("[{}, {}]", two(c.lo), two(c.hi)),
            ),
            or_dash(correlation.map(|c| c.raw), two),
            or_dash(correlation.map(|c| c.p_unrelated), p_value),
            or_dash(difference.map(|d| d.elo), elo),
            plus_minus(difference.map(|d| d.elo_error_these)),
            plus_minus(difference.and_then(|d| d.elo_error_all)),
            or_dash(difference.map(|d| d.p_parallel), p_value),
        ]);
    }
    document.table(table);
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
    let [first, second] = &found.engines;
    document.title(format!(
        "{} against {}",
        short_name(first),
        short_name(second)
    ));
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
    format!(
        "{} ± {:.1} Elo over {}; they differ by {:.1} Elo [{:.1}, {:.1}] (I² {}); that they are \
         equal: {}",
        elo(found.mean),
        found.error,
        count(found.count, "map"),
        found.spread,
        found.spread_lo,
        found.spread_hi,
        percent(found.heterogeneity),
        p_value(found.p_equal)
    )
}

fn trend(found: &Trend) -> String {
    format!(
        "{} ± {} Elo each time the limit doubles (depth: each ply); no trend: {}",
        elo(found.slope),
        plus_minus(found.error),
        or_dash(found.p_value, p_value)
    )
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
