//! A comparison of events: draws and advantage by limit, and every two maps of the advantage.

use maud::{Markup, html};

use crate::analysis::ComparisonReport;
use crate::stats::maps::AdvantageMap;

use super::facts::EventFacts;
use super::figure::{Data, Figure, field};
use super::plot::{Plot, range};

/// The section; if the events cannot be compared, it gives the reason.
pub(super) fn section(events: &[EventFacts], compared: Result<&ComparisonReport, &str>) -> Markup {
    let paths: Vec<String> = events.iter().map(EventFacts::path).collect();
    let command = format!("arbiter960 compare {}", paths.join(" "));
    html! {
        section #compared aria-labelledby="compared-title" {
            h2 #compared-title { "The events beside each other" }
            (by_limit(events))
            @match compared {
                Ok(report) => (maps(report, &command)),
                Err(why) => p.warning { "Their maps of the advantage cannot be compared: " (why) },
            }
        }
    }
}

fn by_limit(events: &[EventFacts]) -> Markup {
    html! {
        h4 { "Draws and advantage by limit" }
        div.wide { table {
            thead { tr { th { "event" } th { "limit" } th { "games" } th { "draws" } th { "advantage, Elo" } th { "these starts ±" } th { "all starts ±" } } }
            tbody { @for (place, event) in events.iter().enumerate() {
                @let statistics = &event.statistics;
                @let report = &statistics.first_move.advantage;
                @let found = report.mean.as_ref();
                tr {
                    th scope="row" { a href=(format!("#e{}-", place + 1)) { (event.roster.event) } }
                    td { (statistics.limits.join("; ")) }
                    td { (statistics.white.games()) }
                    td.result { (or_unknown(report.draw_rate.map(|share| format!("{:.1} %", 100.0 * share)))) }
                    td { (or_unknown(found.map(|found| format!("{:+.1}", found.elo)))) }
                    td { (or_unknown(found.and_then(|f| f.elo_error_these).map(|error| format!("{error:.1}")))) }
                    td { (or_unknown(found.and_then(|f| f.elo_error_all).map(|error| format!("{error:.1}")))) }
                }
            } }
        } }
    }
}

fn or_unknown(value: Option<String>) -> String {
    value.unwrap_or_else(|| "unknown".to_owned())
}

fn maps(report: &ComparisonReport, command: &str) -> Markup {
    html! {
        @for (place, pair) in report.pairs.iter().enumerate() {
            @let (one, other) = (&report.maps[pair.first].map, &report.maps[pair.second].map);
            @let words = match &pair.correlation {
                Some(found) => format!(
                    "Correlation of the true advantages, the noise of both taken off: {:.2} [{:.2}, {:.2}] over {} starts; that the maps are unrelated: p = {:.3}. \
                     With the noise left in it is {:.2}.",
                    found.correlation, found.lo, found.hi, found.starts, found.p_unrelated, found.raw
                ),
                None => "Too few starts in common for a correlation.".to_owned(),
            };
            (two_maps(place, one, other, &words, command))
        }
    }
}

fn two_maps(
    place: usize,
    one: &AdvantageMap,
    other: &AdvantageMap,
    words: &str,
    command: &str,
) -> Markup {
    let partner = |start: u32| {
        let found = other
            .points
            .binary_search_by_key(&start, |point| point.start);
        Some(&other.points[found.ok()?])
    };
    let points = one.points.iter();
    let points: Vec<(u32, [f64; 2])> = points
        .filter_map(|point| Some((point.start, [point.elo, partner(point.start)?.elo])))
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
            "Each start's estimate in {} (across) and in {} (up), not drawn towards anything. {words}",
            one.name, other.name
        ),
        data: Some(data),
        command: command.to_owned(),
    };
    figure.around(&plot.around("Two maps", &plot.dots("dots", at())))
}
