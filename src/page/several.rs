//! A comparison of events: draws and advantage by limit, and every two maps of the advantage.

use maud::{Markup, html};

use crate::analysis::ComparisonReport;
use crate::report::comparison::comparison;
use crate::stats::maps::{AdvantageMap, in_common};
use crate::text::{Table, elo_or_dash, or_dash, percent};

use super::facts::EventFacts;
use super::plot::{Data, Figure, Plot, field, range};
use super::tables::{block, commands, document, table};

/// The section; if the events cannot be compared, it gives the reason.
pub(super) fn section(events: &[EventFacts], compared: Result<&ComparisonReport, &str>) -> Markup {
    let paths: Vec<String> = events.iter().map(EventFacts::path).collect();
    html! {
        section #compared .blocks aria-labelledby="compared-title" {
            h2 #compared-title { "The events beside each other" }
            (block("two", "Draws and advantage by limit", &by_limit(events)))
            @match compared {
                Ok(report) => {
                    div.block.span { (document(&comparison(report).0)) }
                    @for (place, pair) in report.pairs.iter().enumerate() {
                        (two_maps(place, &report.maps[pair.first].map, &report.maps[pair.second].map))
                    }
                }
                Err(why) => p.warning { "Their maps of the advantage cannot be compared: " (why) },
            }
            (commands(&[format!("arbiter960 compare {}", paths.join(" "))]))
        }
    }
}

/// Draws and advantage of each event, by its limit.
fn by_limit(events: &[EventFacts]) -> Markup {
    let heads = [
        "event",
        "limit",
        "games",
        "draws",
        "advantage, Elo",
        "these starts ±",
        "all starts ±",
    ];
    let mut shown = Table::new(&heads, &[0]);
    for event in events {
        let report = &event.statistics.first_move.advantage;
        let found = report.mean.as_ref();
        let error = |error: f64| format!("{error:.1}");
        shown.rows.push(vec![
            event.roster.event.clone(),
            event.statistics.limits.join("; "),
            event.statistics.white.games().to_string(),
            or_dash(report.draw_rate, percent),
            elo_or_dash(found.map(|found| found.elo)),
            or_dash(found.and_then(|found| found.elo_error_these), error),
            or_dash(found.and_then(|found| found.elo_error_all), error),
        ]);
    }
    table("Draws and advantage by limit", &shown)
}

fn two_maps(place: usize, one: &AdvantageMap, other: &AdvantageMap) -> Markup {
    let common = in_common(one, other).into_iter();
    let points: Vec<(u32, [f64; 2])> = common
        .map(|(one, other)| (one.start, [one.elo, other.elo]))
        .collect();
    if points.len() < 2 {
        return html! { p { (one.name) " and " (other.name) " have no starts in common." } };
    }
    let at = || points.iter().map(|(_, at)| *at);
    let plot = Plot::new(
        320.0,
        ("advantage in the first, Elo", range(at().map(|at| at[0]))),
        ("advantage in the second, Elo", range(at().map(|at| at[1]))),
    );
    let row = |(start, [x, y]): &(u32, [f64; 2])| {
        vec![start.to_string(), field(Some(*x)), field(Some(*y))]
    };
    let id = format!("maps-{}", place + 1);
    let header = "start,first_elo,second_elo";
    let data = Data::new(&format!("{id}.csv"), header, points.iter().map(row));
    let figure = Figure {
        id,
        title: "Two maps of White's advantage",
        text: format!(
            "Each start's estimate in {} (across) and in {} (up), not drawn towards anything.",
            one.name, other.name
        ),
        data: Some(data),
    };
    figure.around(&plot.around("Two maps", &plot.dots("dots", at())))
}
