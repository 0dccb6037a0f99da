//! The section about the value of the first move.

use maud::{Markup, html};

use crate::report::statistics::{PlayedStart, TextPart, all_played, first_move_parts};

use super::course::white_narrowing;
use super::facts::EventFacts;
use super::figure::{Figure, download};
use super::heat_map::{self, heat_map};
use super::positions::{data, table};
use super::spread::{caterpillar, funnel, raw_and_shrunken, true_effects, twins};

/// The section.
pub(super) fn section(facts: &EventFacts, prefix: &str) -> Markup {
    let statistics = &facts.statistics;
    let positions = all_played(statistics);
    html! {
        @match first_move_parts(statistics) {
            None => p { "No game is finished yet." },
            Some(parts) => {
                h4 { "What can and cannot be said" }
                (words(&parts))
                p.source { "computed by " code { (facts.command("stats", "")) } }
                (figures(facts, prefix, &positions))
                p.source { "Data of the positions' figures: " (download(&data(&positions))) }
                (table(facts, prefix, &positions))
            }
        }
    }
}

/// The part that grows while an event is played.
pub(super) fn growing(facts: &EventFacts, prefix: &str) -> Markup {
    let positions = all_played(&facts.statistics);
    let figure = |name, title, drawn| figure(facts, prefix, name, title, drawn);
    html! {
        (white_narrowing(facts, prefix).unwrap_or_default())
        @if has_map(&positions) {
            (figure("map", "The start numbers", heat_map(&facts.statistics, prefix, &positions)))
        }
        @if let Some(drawn) = caterpillar(&positions) {
            (figure("estimates", "Estimates with intervals", drawn))
        }
    }
}

fn has_map(positions: &[PlayedStart<'_>]) -> bool {
    positions.len() >= heat_map::FEWEST && positions.iter().any(|one| one.report.elo.is_some())
}

fn figure(
    facts: &EventFacts,
    prefix: &str,
    name: &str,
    title: &str,
    (drawing, text): (Markup, String),
) -> Markup {
    let figure = Figure {
        id: format!("{prefix}figure-{name}"),
        title,
        text,
        data: None,
        command: facts.command("stats", "--by position --format csv"),
    };
    figure.around(&drawing)
}

fn figures(facts: &EventFacts, prefix: &str, positions: &[PlayedStart<'_>]) -> Markup {
    let statistics = &facts.statistics;
    let figure = |name, title, drawn| figure(facts, prefix, name, title, drawn);
    html! {
        (growing(facts, prefix))
        @if let Some(drawn) = raw_and_shrunken(positions) {
            (figure("shrunken", "Raw and shrunken scores", drawn))
        }
        @if let Some(drawn) = true_effects(statistics) {
            (figure("effects", "Distribution of true effects", drawn))
        }
        @if let Some(drawn) = funnel(statistics, positions) {
            (figure("funnel", "Scores against games", drawn))
        }
        @if let Some(drawn) = twins(statistics, facts.roster.variant, positions) {
            (figure("twins", "Mirror twins", drawn))
        }
    }
}

/// The text of `stats` on a page, without its title: lines with their names, paragraphs, and tables whose rows become
/// blocks below each other on a narrow screen.
fn words(parts: &[TextPart]) -> Markup {
    // The page has a separate title.
    let parts = parts
        .iter()
        .skip_while(|part| matches!(part, TextPart::Title(_)));
    html! {
        dl.words {
            @for part in parts {
                @match part {
                    TextPart::Title(text) => dd.whole { b { (text) } },
                    TextPart::Paragraph(text) => dd.whole { (text) },
                    TextPart::Line(label, text) => { dt { (label) } dd { (text) } },
                    TextPart::Table(header, rows) => dd.whole { (small_table(header, rows)) },
                }
            }
        }
    }
}

fn small_table(header: &[String], rows: &[Vec<String>]) -> Markup {
    html! {
        table.stacked {
            thead { tr { @for name in header { th { (name) } } } }
            tbody { @for row in rows { tr {
                @for (name, cell) in header.iter().zip(row) { td data-name=(name) { (cell) } }
            } } }
        }
    }
}
