//! The positions that may be named, and why none may. A position is called favourable only if the games distinguish it
//! from the average.

use crate::analysis::EventStatistics;
use crate::report::verdict::unnamed;
use crate::stats::advantage::{PositionReport, RankVerdict};

use super::numbers::{
    count, elo_or_dash, interval, labelled, line, or_dash, paragraph, probability,
};

/// Maximum number of named positions shown of a list.
const SHOWN: usize = 12;

/// Makes a table of positions.
pub(super) type TableOf = fn(&EventStatistics, &[&PositionReport]) -> String;

/// The positions that may be named, or the statement that none may.
pub(super) fn named(statistics: &EventStatistics, table: TableOf) -> String {
    let report = &statistics.first_move;
    if report.advantage.spread.is_none() {
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
            "\n{title}, by more than 5 Elo: {}\n",
            count(positions.len() as u64, "position")
        );
        text += &table(statistics, &shown);
    }
    if !text.is_empty() {
        text += &paragraph(
            "Of those named at most 5 % lie within 5 Elo of the mean (s is that share among the \
             clearest). 95 %: drawn towards the mean by chance; together: holds for all positions at once.",
        );
    } else {
        let smallest = or_dash(report.smallest_s_value(), probability);
        text = labelled!(
            "by position",
            "not distinguishable: no position can be told from the average (s ≤ 0.05 is needed, \
                 the smallest is {smallest})"
        );
    }
    text + &standard(statistics)
}

/// Start 518, which people often look for.
fn standard(statistics: &EventStatistics) -> String {
    let positions = &statistics.first_move.advantage.positions;
    let Some(position) = positions.iter().find(|position| position.start == 518) else {
        return String::new();
    };
    let ends = position.elo_lo.zip(position.elo_hi);
    let ends = ends.map_or_else(|| "-".to_owned(), |(lo, hi)| interval(lo, hi));
    labelled!(
        "number 518",
        "{} Elo, 95 % {ends}; above the mean with probability {}",
        elo_or_dash(position.elo),
        or_dash(position.p_above_mean, probability)
    )
}
