//! The entrance of who asks what the first move is worth.

use maud::{Markup, html};

use crate::report::statistics::first_move;

use super::facts::EventFacts;
use super::figure::{Figure, download};
use super::heat_map::{self, heat_map};
use super::positions::{Played, data, played, table};
use super::scores::{funnel, twins};
use super::spread::{caterpillar, raw_and_shrunken, true_effects};

/// The section.
pub(super) fn section(facts: &EventFacts, prefix: &str) -> Markup {
    let statistics = &facts.statistics;
    let positions = played(statistics);
    html! {
        section id=(format!("{prefix}researcher")) aria-labelledby=(format!("{prefix}researcher-title")) {
            h3 id=(format!("{prefix}researcher-title")) { "Researcher: the first move" }
            @match first_move(statistics) {
                None => p { "No game is finished yet." },
                Some(text) => {
                    h4 { "What can and cannot be said" }
                    pre.words tabindex="0" { (text.trim_end()) }
                    p.source { "computed by " code { (facts.command("stats", "")) } }
                    (figures(facts, prefix, &positions))
                    p.source { "Data of the positions' figures: " (download(&data(&positions))) }
                    (table(facts, prefix, &positions))
                }
            }
        }
    }
}

fn figures(facts: &EventFacts, prefix: &str, positions: &[Played<'_>]) -> Markup {
    let statistics = &facts.statistics;
    let command = facts.command("stats", "--by position --format csv");
    let figure = |name: &str, title: &str, (drawing, text): (Markup, String)| {
        let figure = Figure {
            id: format!("{prefix}figure-{name}"),
            title,
            text,
            data: None,
            command: command.clone(),
        };
        figure.around(&drawing)
    };
    let has_map =
        positions.len() >= heat_map::FEWEST && positions.iter().any(|one| one.report.elo.is_some());
    html! {
        @if has_map {
            (figure("map", "The start numbers", heat_map(statistics, prefix, positions)))
        }
        @if let Some(drawn) = caterpillar(positions) {
            (figure("estimates", "Estimates with intervals", drawn))
        }
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
