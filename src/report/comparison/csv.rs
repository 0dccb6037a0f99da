//! A row for each start of each map, in the numbers' full precision.

use crate::analysis::{Compared, ComparisonReport};
use crate::text::{csv_number, csv_row};

const COLUMNS: &str = "map,source,engines,limits,level,number,back_rank,pairs,elo,elo_sd";

/// The table; lines end in CRLF (RFC 4180).
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
