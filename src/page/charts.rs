//! The figures of a page as tables of numbers, which its script draws (`script/charts.js`) and offers as files.

use std::cmp::Reverse;

use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use crate::analysis::EventKind;
use crate::referee::end_words;
use crate::report::statistics::{PlayedStart, all_played};
use crate::stats::maps::{AdvantageMap, in_common};
use crate::stats::sprt::Decision;
use crate::text::{CellValue, Column, ColumnUnit, columns, harmless_json, p_value};

use super::facts::{CurvePoint, EventFacts};
use super::games::SearchMean;

/// Where the script draws these figures, if they show something.
pub(super) fn figures(prefix: &str, names: &str) -> Markup {
    html! { event-figures data-of=(prefix) data-figures=(names) {} }
}

/// The names of the figures that grow while an event is played.
pub(super) fn growing(kind: EventKind) -> &'static str {
    match kind {
        // Of a cup, Elo says nothing.
        EventKind::Tree => "",
        EventKind::SelfPlay => "estimates map white",
        _ => "sprt elo white estimates map",
    }
}

/// The tables of an event's figures.
pub(super) fn tables(facts: &EventFacts, prefix: &str) -> Markup {
    let positions = all_played(&facts.statistics);
    let all = [
        ("event", about(facts)),
        ("course", table(&CurvePoint::FOR_DOWNLOAD, &facts.course)),
        ("pairs", pairs(facts)),
        ("terminations", terminations(facts)),
        ("moves", moves(facts)),
        ("positions", table(&PlayedStart::FOR_DOWNLOAD, &positions)),
    ];
    written(prefix, &all)
}

/// The figure of two maps of White's advantage.
pub(super) fn two_maps(place: usize, one: &AdvantageMap, other: &AdvantageMap) -> Markup {
    let prefix = format!("maps-{place}-");
    let common = in_common(one, other);
    let all = |value: fn(&_) -> Value| common.iter().map(value).collect::<Value>();
    let maps = json!([
        ["start", all(|(one, _)| json!(one.start))],
        ["first_elo", all(|(one, _)| rounded(one.elo))],
        ["second_elo", all(|(_, other)| rounded(other.elo))],
    ]);
    let event = json!([["engines", [one.name, other.name]]]);
    html! { (written(&prefix, &[("event", event), ("maps", maps)])) (figures(&prefix, "maps")) }
}

fn written(prefix: &str, tables: &[(&str, Value)]) -> Markup {
    html! { @for (name, table) in tables {
        script type="application/json" data-of=(prefix) data-table=(name) { (in_script(table)) }
    } }
}

/// As the text of a script, which nothing but `<` can end.
pub(crate) fn in_script(value: &Value) -> PreEscaped<String> {
    PreEscaped(harmless_json(&value.to_string()).replace('<', "\\u003c"))
}

/// With few digits: there may be thousands.
fn rounded(value: f64) -> Value {
    json!((value * 1e4).round() / 1e4)
}

/// Each column with its name and its values.
fn table<R>(columns: &[Column<R>], rows: &[R]) -> Value {
    let cell = |value: CellValue| match value {
        CellValue::Real(value) => rounded(value),
        other => json!(other),
    };
    let column = |column: &Column<R>| {
        let values = rows.iter().map(|row| cell((column.value)(row)));
        json!([column.name, values.collect::<Vec<_>>()])
    };
    columns.iter().map(column).collect()
}

/// What the figures say in words.
fn about(facts: &EventFacts) -> Value {
    let statistics = &facts.statistics;
    let report = &statistics.first_move;
    let names = facts.roster.participants.iter();
    let names: Vec<&str> = names.map(|entry| entry.name.as_str()).collect();
    let test = statistics.sprt.as_ref().map(|test| {
        let decision = match test.status.decision {
            Decision::Accepted => "H1 is accepted, the test has passed",
            Decision::Rejected => "H0 is accepted, the test has failed",
            Decision::Undecided => "undecided",
        };
        json!({
            "bounds": test.status.corrected_bounds,
            "llr": test.status.llr,
            "pairs": test.status.pairs,
            "decision": decision,
        })
    });
    let twins = report.advantage.mirror.as_ref();
    json!([
        ["engines", names],
        ["running", statistics.running],
        ["mean", report.advantage.mean.map(|mean| mean.elo)],
        ["spread", report.spread_elo()],
        ["twins", twins.map(|twins| p_value(twins.p_value))],
        ["test", test],
    ])
}

columns! {
    CurvePoint {
        PAIRS: "pairs", "", ColumnUnit::Count, |row| CellValue::Whole(row.pairs);
        ELO: "elo", "", ColumnUnit::Elo(1), |row| CellValue::real(row.elo.map(|found| found[0]));
        LOW: "elo_lo", "", ColumnUnit::Elo(1), |row| CellValue::real(row.elo.map(|found| found[1]));
        HIGH: "elo_hi", "", ColumnUnit::Elo(1), |row| CellValue::real(row.elo.map(|found| found[2]));
        WHITE: "white_elo", "", ColumnUnit::Elo(1), |row| CellValue::real(row.white.map(|found| found[0]));
        WHITE_LOW: "white_elo_lo", "", ColumnUnit::Elo(1), |row| CellValue::real(row.white.map(|found| found[1]));
        WHITE_HIGH: "white_elo_hi", "", ColumnUnit::Elo(1), |row| CellValue::real(row.white.map(|found| found[2]));
        RATIO: "llr", "", ColumnUnit::Number(2), |row| CellValue::real(row.ratio);
    }
    FOR_DOWNLOAD[8]: PAIRS ELO LOW HIGH WHITE WHITE_LOW WHITE_HIGH RATIO;
}

/// Complete pairs of two engines by the points of the first one.
fn pairs(facts: &EventFacts) -> Value {
    let counts = facts.statistics.encounter.as_ref();
    let counts = counts.map(|found| found.counts.pairs.0);
    let points = ["0 (LL)", "½ (LD)", "1 (WL, DD)", "1½ (WD)", "2 (WW)"];
    json!([["points", points], ["pairs", counts.unwrap_or_default()]])
}

/// The ways in which games ended, the most frequent first.
fn terminations(facts: &EventFacts) -> Value {
    let reasons = facts.reasons.iter();
    let mut rows: Vec<(&str, u64)> = reasons.map(|(word, games)| (&**word, *games)).collect();
    rows.sort_by_key(|(word, games)| (Reverse(*games), *word));
    let all = |value: fn(&(&str, u64)) -> Value| rows.iter().map(value).collect::<Value>();
    json!([
        ["reason", all(|row| json!(row.0))],
        ["end", all(|row| json!(end_words(row.0)))],
        ["games", all(|row| json!(row.1))],
    ])
}

/// Means by each engine's own move number.
fn moves(facts: &EventFacts) -> Value {
    let participants = facts.roster.participants.iter();
    let rows = participants.flat_map(|entry| {
        let known = facts.timing.engines.get(&entry.seat).into_iter();
        let moves = known.flat_map(|timing| (1..).zip(&timing.by_move));
        moves.map(|(number, means)| (&entry.name, number, means))
    });
    let rows: Vec<(&String, u32, &[SearchMean; 2])> = rows.collect();
    let all = |value: fn(&(&String, u32, &[SearchMean; 2])) -> Value| {
        rows.iter().map(value).collect::<Value>()
    };
    json!([
        ["engine", all(|row| json!(row.0))],
        ["move", all(|row| json!(row.1))],
        ["seconds", all(|row| json!(row.2[0].value().map(rounded)))],
        ["depth", all(|row| json!(row.2[1].value().map(rounded)))],
    ])
}
