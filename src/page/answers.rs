//! The first answer for a reader: the verdict, the same as in the program's other outputs, with links to the games and
//! positions that it mentions.

use maud::{Markup, html};

use crate::report::verdict::first_lines;
use crate::stats::advantage::RankVerdict;
use crate::text::count;

use super::facts::{EventFacts, NOT_SAID};

/// Maximum number of games and positions that are linked.
const LINKED: usize = 24;

/// The first lines.
pub(super) fn answers(facts: &EventFacts, prefix: &str) -> Markup {
    html! {
        div.answers {
            @for (id, line) in first_lines(&facts.verdict) { p data-claim=(id) { (line) } }
            @if facts.statistics.counted.is_empty() { p { "No game is finished yet." } }
            (named(facts, prefix))
            (faults(facts, prefix))
        }
    }
}

/// The positions that may be named, as links to their rows in the table.
fn named(facts: &EventFacts, prefix: &str) -> Markup {
    let report = &facts.statistics.first_move;
    let mut named = report.named(RankVerdict::AboveAverage);
    named.extend(report.named(RankVerdict::BelowAverage));
    html! {
        @if !named.is_empty() {
            p.links { "Positions that stand out:"
                @for position in named.iter().take(LINKED) {
                    " " a href=(format!("#{prefix}start-{}", position.start)) { (facts.statistics.start_label(position.start)) }
                }
            }
        }
    }
}

/// The games with a fault, as links to the games.
fn faults(facts: &EventFacts, prefix: &str) -> Markup {
    let with_fault = facts.games.iter().filter(|game| game.fault.is_some());
    let rounds: Vec<String> = with_fault.map(|game| game.round.clone()).collect();
    let unsaid = facts.reasons.get(NOT_SAID).copied().unwrap_or(0);
    html! {
        @if rounds.is_empty() && unsaid > 0 {
            p { "Of " (count(unsaid, "game")) " the file does not say how they ended." }
        }
        @if !rounds.is_empty() {
            p.links { "Games with a fault:"
                @for round in rounds.iter().take(LINKED) { " " a href=(format!("#{prefix}game-{round}")) { (round) } }
                @if rounds.len() > LINKED { " …" }
            }
        }
    }
}
