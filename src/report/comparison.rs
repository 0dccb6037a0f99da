//! The comparison of events: tables and sentences for people, and for programs a row for each start of each map.

use crate::analysis::{Compared, ComparisonReport};
use crate::report::statistics::numbers::{
    count, elo, labelled, line, name, or_dash, p_value, paragraph, percent, rendered,
};
use crate::report::tables::new_table;
use crate::stats::maps::pooling::{Pooled, Trend};
use crate::text::{csv_number, csv_row, printable};

/// The whole comparison.
pub(crate) fn text(report: &ComparisonReport) -> String {
    let sections = [
        maps(report),
        repeated(report),
        agreement(report),
        common(report),
        strength(report),
    ];
    let sections: Vec<String> = sections.into_iter().flatten().collect();
    sections.join("\n")
}

fn plus_minus(half_width: Option<f64>) -> String {
    or_dash(half_width, |half_width| format!("{half_width:.1}"))
}

fn maps(report: &ComparisonReport) -> Option<String> {
    let mut text = "Maps: White's advantage between these engines, Elo\n".to_owned();
    let header = [
        "#", "engines", "limit", "games", "starts", "mean", "± these", "± all", "spread",
    ];
    let mut table = new_table(&header, &[1, 2]);
    for (place, map) in report.maps.iter().enumerate() {
        let mean = &map.map.mean;
        let found = &map.map.spread;
        let [at, low, high] = [found.sd_elo, found.sd_elo_lo, found.sd_elo_hi];
        let spread = format!("{at:.1} [{low:.1}, {high:.1}]");
        table.add_row(vec![
            (place + 1).to_string(),
            name(&map.engines.join(", ")).into_owned(),
            printable(&map.limits.join("; ")).into_owned(),
            map.games.to_string(),
            map.starts.to_string(),
            elo(mean.elo),
            plus_minus(mean.elo_error_these),
            plus_minus(mean.elo_error_all),
            spread,
        ]);
    }
    text += &rendered(&table);
    Some(
        text + &paragraph(
            "± these: for just these starts; ± all: for starts like these; spread: standard \
             deviation over the starts, noise taken off. Intervals are 95 %.",
        ),
    )
}

/// Games that are in two maps: how far one map repeats the other.
fn repeated(report: &ComparisonReport) -> Option<String> {
    let mut text = String::new();
    for pair in report.pairs.iter().filter(|pair| pair.games_in_common > 0) {
        let [first, second] = [pair.first, pair.second].map(|place| &report.maps[place]);
        let told = match pair.difference.is_some() {
            true => "",
            false => "; they agree by construction, so nothing else is said of the two",
        };
        text += &paragraph(&format!(
            "Maps {} and {} have {} games in common, move for move, of {} and {}{told}.",
            pair.first + 1,
            pair.second + 1,
            pair.games_in_common,
            first.games,
            second.games
        ));
    }
    (!text.is_empty()).then(|| "The same games\n".to_owned() + &text)
}

fn agreement(report: &ComparisonReport) -> Option<String> {
    if report.pairs.is_empty() {
        return None;
    }
    let header = [
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
    let mut table = new_table(&header, &[0]);
    for pair in &report.pairs {
        let correlation = pair.correlation.as_ref();
        let difference = pair.difference.as_ref();
        let two = |value: f64| format!("{value:.2}");
        table.add_row(vec![
            format!("{}, {}", pair.first + 1, pair.second + 1),
            difference.map_or(0, |d| d.starts).to_string(),
            or_dash(correlation.map(|c| c.correlation), two),
            correlation.map_or_else(|| "-".to_owned(), |c| format!("[{:.2}, {:.2}]", c.lo, c.hi)),
            or_dash(correlation.map(|c| c.raw), two),
            or_dash(correlation.map(|c| c.p_unrelated), p_value),
            or_dash(difference.map(|d| d.elo), elo),
            plus_minus(difference.map(|d| d.elo_error_these)),
            plus_minus(difference.and_then(|d| d.elo_error_all)),
            or_dash(difference.map(|d| d.p_parallel), p_value),
        ]);
    }
    let text = "Every two maps\n".to_owned() + &rendered(&table);
    Some(
        text + &paragraph(
            "correlation: of the starts' true advantages, noise taken off (raw: left in); \
             unrelated: p that the maps have nothing in common; difference: the second's mean less \
             the first's over the starts of both; parallel: p that the maps differ by one amount \
             everywhere.",
        ),
    )
}

/// The pooled results of all maps.
fn common(report: &ComparisonReport) -> Option<String> {
    let mut text = String::new();
    if let Some(mean) = &report.mean {
        text += &pooled("mean advantage", mean);
    }
    if let Some(found) = &report.mean_trend {
        text += &trend("mean, trend", found);
    }
    let title = "All maps\n";
    (!text.is_empty()).then(|| title.to_owned() + &text)
}

fn strength(report: &ComparisonReport) -> Option<String> {
    let found = report.strength.as_ref()?;
    let [first, second] = &found.engines;
    let mut text = format!("{} against {}\n", name(first), name(second));
    for (place, [value, error]) in found.elo.iter().enumerate() {
        let limits = report.maps.get(place).map(|map| map.limits.join("; "));
        let limits = limits.unwrap_or_default();
        text += &line(
            &format!("map {}", place + 1),
            &format!("{} ± {error:.1} Elo at {}", elo(*value), printable(&limits)),
        );
    }
    if let Some(mean) = &found.pooled {
        text += &pooled("all", mean);
    }
    if let Some(found) = &found.trend {
        text += &trend("trend", found);
    }
    Some(text)
}

fn pooled(label: &str, found: &Pooled) -> String {
    labelled!(
        label,
        "{} ± {:.1} Elo over {}; they differ by {:.1} Elo [{:.1}, {:.1}] (I² {}); that they are \
             equal: {}",
        elo(found.mean),
        found.error,
        count(found.count as u64, "map"),
        found.spread,
        found.spread_lo,
        found.spread_hi,
        percent(found.heterogeneity),
        p_value(found.p_equal)
    )
}

fn trend(label: &str, found: &Trend) -> String {
    labelled!(
        label,
        "{} ± {} Elo each time the limit doubles (depth: each ply); no trend: {}",
        elo(found.slope),
        plus_minus(found.error),
        or_dash(found.p_value, p_value)
    )
}

/// The columns of the CSV.
const COLUMNS: &str = "map,source,engines,limits,level,number,back_rank,pairs,elo,elo_sd";

/// A row for each start of each map, in the numbers' full precision; lines end in CRLF (RFC 4180).
pub(crate) fn csv(report: &ComparisonReport, sources: &[Compared]) -> String {
    let mut text = format!("{COLUMNS}\r\n");
    for (place, map) in report.maps.iter().enumerate() {
        let source = sources.iter().find(|source| source.source == map.source);
        let starts = source.map(|source| &source.collection.starts);
        for point in &map.map.points {
            let number = starts.and_then(|starts| starts.number(point.start));
            let back_rank = starts.map(|starts| {
                let back_rank = starts.back_rank(point.start);
                back_rank.unwrap_or_else(|| starts.label(point.start))
            });
            let origin = [
                (place + 1).to_string(),
                map.source.clone(),
                map.engines.join("; "),
                map.limits.join("; "),
                report.level.to_string(),
                number.map_or_else(String::new, |n| n.to_string()),
                back_rank.unwrap_or_default(),
                point.pairs.to_string(),
            ];
            let values = [point.elo, point.variance.sqrt()].map(|value| csv_number(Some(value)));
            csv_row(&mut text, origin.iter().chain(&values));
            text.push_str("\r\n");
        }
    }
    text
}
