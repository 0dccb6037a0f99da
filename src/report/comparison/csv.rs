//! A row for each start of each map, in the numbers' full precision.

use crate::analysis::{Compared, ComparisonReport};
use crate::stats::maps::MapPoint;
use crate::text::{csv_number, csv_row};

const COLUMNS: &str = "map,source,engines,limits,level,number,back_rank,pairs,elo,elo_sd,common_elo,\
    common_sd,common_svalue,joint_elo,joint_sd";

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
            let values = values(report, place, point).map(csv_number);
            csv_row(&mut text, origin.iter().chain(&values));
            text.push_str("\r\n");
        }
    }
    text
}

/// The start in this map alone, in all maps alike, and in this map from all of them.
fn values(report: &ComparisonReport, map: usize, point: &MapPoint) -> [Option<f64>; 7] {
    let components = report.components.as_ref();
    let common = components.and_then(|found| {
        let place = found.common.binary_search_by_key(&point.start, |c| c.start);
        found.common.get(place.ok()?)
    });
    let joint = components.and_then(|found| {
        let key = (point.start, map);
        let place = found.joint.binary_search_by_key(&key, |j| (j.start, j.map));
        found.joint.get(place.ok()?)
    });
    [
        Some(point.elo),
        Some(point.variance.sqrt()),
        common.map(|c| c.elo),
        common.map(|c| c.sd),
        common.map(|c| c.svalue),
        joint.map(|j| j.elo),
        joint.map(|j| j.sd),
    ]
}
