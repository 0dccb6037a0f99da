//! A row for each start of each map, in the numbers' full precision.

use crate::analysis::{Compared, ComparisonReport};
use crate::text::csv_field;

const COLUMNS: &str = "map,source,engines,limits,level,number,back_rank,pairs,elo,elo_sd,common_elo,common_sd,common_svalue";

/// The table; lines end in CRLF (RFC 4180).
pub(crate) fn csv(report: &ComparisonReport, sources: &[Compared]) -> String {
    let mut text = format!("{COLUMNS}\r\n");
    for (place, map) in report.maps.iter().enumerate() {
        let starts = sources
            .iter()
            .find(|source| source.source == map.source)
            .map(|source| &source.collection.starts);
        for point in &map.map.points {
            text.push_str(&(place + 1).to_string());
            for field in [&map.source, &map.engines.join("; "), &map.limits.join("; ")] {
                text.push(',');
                csv_field(&mut text, field);
            }
            let number = starts.and_then(|starts| starts.number(point.start));
            text.push_str(&format!(
                ",{},{},",
                report.level,
                number.map_or(String::new(), |n| n.to_string())
            ));
            csv_field(
                &mut text,
                &starts.map_or_else(String::new, |starts| {
                    let back_rank = starts.back_rank(point.start);
                    back_rank.unwrap_or_else(|| starts.label(point.start))
                }),
            );
            text.push_str(&format!(
                ",{},{},{}",
                point.pairs,
                point.elo,
                point.variance.sqrt()
            ));
            let common = report.components.as_ref().and_then(|found| {
                let place = found.common.binary_search_by_key(&point.start, |c| c.start);
                Some(found.common[place.ok()?])
            });
            match common {
                Some(c) => text.push_str(&format!(",{},{},{}\r\n", c.elo, c.sd, c.svalue)),
                None => text.push_str(",,,\r\n"),
            }
        }
    }
    text
}
