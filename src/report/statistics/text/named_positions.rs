//! The positions that may be named, and why none may. Nothing is called favourable here that the
//! games do not separate from the average.

use crate::analysis::EventStatistics;
use crate::report::verdict::unnamed;
use crate::stats::advantage::RankVerdict;
use crate::stats::advantage::report::PositionReport;

use super::numbers::{count, elo_or_dash, interval, line, or_dash, paragraph, probability};

/// How many of a list of named positions are shown.
const SHOWN: usize = 12;

/// Makes a table of positions.
pub(super) type TableOf = fn(&EventStatistics, &[&PositionReport]) -> String;

/// The positions that may be named, or that none may.
pub(super) fn named(statistics: &EventStatistics, table: TableOf) -> String {
    let report = &statistics.first_move;
    if report.advantage.hier.is_none() {
        return String::new();
    }
    if let Some(why) = report.unnamed {
        return line(
            "by position",
            &format!("not distinguishable: {}", unnamed(why)),
        );
    }
    let lists = [
        (RankVerdict::AboveAverage, "Most favourable to White"),
        (RankVerdict::BelowAverage, "Least favourable to White"),
    ];
    let mut text = String::new();
    for (verdict, title) in lists {
        let positions = report.named(verdict);
        if positions.is_empty() {
            continue;
        }
        let shown: Vec<&PositionReport> = positions.iter().take(SHOWN).copied().collect();
        text += &format!(
            "\n{title} (s ≤ 0.05): {}\n",
            count(positions.len() as u64, "position")
        );
        text += &table(statistics, &shown);
    }
    if !text.is_empty() {
        text += &paragraph(
            "95 %: holds for 95 % of all positions, and for those that look most extreme; not for those \
             that truly are: a position's own games alone say `own_elo_lo`, `own_elo_hi` (csv, json). \
             selected: holds for positions that are named because of these games.",
        );
    }
    if text.is_empty() {
        let smallest = or_dash(report.smallest_s_value(), probability);
        text = line(
            "by position",
            &format!(
                "not distinguishable: no position can be told from the average (smallest s-value \
                 {smallest}, 0.05 is needed)"
            ),
        );
    }
    text + &standard(statistics)
}

/// Start 518, which people ask for.
fn standard(statistics: &EventStatistics) -> String {
    let positions = &statistics.first_move.advantage.positions;
    let Some(position) = positions.iter().find(|position| position.start == 518) else {
        return String::new();
    };
    let ends = position.elo_lo.zip(position.elo_hi);
    let ends = ends.map_or_else(|| "-".to_owned(), |(lo, hi)| interval(lo, hi));
    line(
        "number 518",
        &format!(
            "{} Elo, 95 % {ends}; above the mean with probability {}",
            elo_or_dash(position.elo),
            or_dash(position.p_above_mean, probability)
        ),
    )
}
