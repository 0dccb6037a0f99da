//! What a reader wants to know first: who has won, who is stronger and how sure, whether start positions differ, which
//! stand out for certain, and what went wrong.

use maud::{Markup, html};

use crate::report::statistics::{conclusion_lines, p_value, unnamed};
use crate::stats::advantage::RankVerdict;
use crate::text::count;

use super::facts::{EventFacts, NOT_SAID};
use super::strength::verdict;
use super::winner::winner;

/// The answers.
pub(super) fn answers(facts: &EventFacts, prefix: &str) -> Markup {
    let statistics = &facts.statistics;
    let strength = conclusion_lines(statistics);
    html! {
        dl.answers {
            @if let Some(winner) = winner(facts) {
                dt { "Who won?" }
                dd { (winner) }
            }
            dt { "Who is stronger, and how sure is it?" }
            dd {
                @if let Some(words) = verdict(statistics) { p { (words) } }
                @if strength.is_empty() && statistics.counted.is_empty() { "No game is finished yet." }
                @for line in &strength { p { (line.trim()) } }
            }
            dt { "Do start positions differ?" }
            dd { (differ(facts)) }
            dt { "Which stand out for certain?" }
            dd { (named(facts, prefix)) }
            dt { "What went wrong?" }
            dd { (wrong(facts, prefix)) }
        }
    }
}

fn differ(facts: &EventFacts) -> String {
    let report = &facts.statistics.first_move;
    let Some(found) = report.advantage.spread else {
        return "Not known: too few games or positions.".to_owned();
    };
    let spread = format!(
        "by at most {:.1} Elo (standard deviation, 95 %)",
        found.sd_elo_hi
    );
    let p = p_value(found.p_value);
    match (report.unnamed, found.p_value <= 0.05) {
        (Some(why), _) => format!(
            "Not known: {}. The games as they are say {spread}, {p}.",
            unnamed(why)
        ),
        (None, true) => format!(
            "Yes, for these engines at these limits: by {:.1} to {:.1} Elo (standard deviation, 95 %); that they do not: {p}.",
            found.sd_elo_lo, found.sd_elo_hi
        ),
        (None, false) => format!(
            "These games do not show it: they differ {spread}; that they do not differ at all: {p}."
        ),
    }
}

fn named(facts: &EventFacts, prefix: &str) -> Markup {
    let report = &facts.statistics.first_move;
    let lists = [
        (
            RankVerdict::AboveAverage,
            "More favourable to White than the average",
        ),
        (
            RankVerdict::BelowAverage,
            "Less favourable to White than the average",
        ),
    ];
    let lists = lists.map(|(verdict, title)| (title, report.named(verdict)));
    html! {
        @if lists.iter().all(|(_, named)| named.is_empty()) {
            "None: no position can be told from the average by these games."
        }
        @for (title, named) in lists.iter().filter(|(_, named)| !named.is_empty()) {
            (title) " by more than 5 Elo, the clearest first: "
            @for (place, position) in named.iter().enumerate() {
                @if place > 0 { ", " }
                a href=(format!("#{prefix}start-{}", position.start)) { (start_label(facts, position.start)) }
            }
            ". "
        }
    }
}

fn wrong(facts: &EventFacts, prefix: &str) -> Markup {
    let with_fault = facts.games.iter().filter(|game| game.fault.is_some());
    let rounds: Vec<String> = with_fault.map(|game| game.round.clone()).collect();
    let unsaid = facts.reasons.get(NOT_SAID).copied().unwrap_or(0);
    html! {
        @if rounds.is_empty() && unsaid > 0 {
            "Not known: of " (count(unsaid, "game")) " the file does not say how they ended."
        } @else if facts.statistics.counted.is_empty() { "No game is finished yet." }
        @else if rounds.is_empty() { "Nothing: no game has a fault." }
        @else {
            (count(rounds.len() as u64, "game")) " with a fault: "
            @for (place, round) in rounds.iter().take(24).enumerate() {
                @if place > 0 { ", " }
                a href=(format!("#{prefix}game-{round}")) { (round) }
            }
            @if rounds.len() > 24 { " …" }
            ". "
        }
        @if facts.roster.voided_games > 0 { " Not counted: " (count(facts.roster.voided_games, "voided game")) "." }
    }
}

/// The number of a start, or its name.
fn start_label(facts: &EventFacts, start: u32) -> String {
    let found = facts.statistics.start(start);
    found.map_or_else(
        || start.to_string(),
        |found| match found.number {
            Some(number) => number.to_string(),
            None => found.back_rank.clone(),
        },
    )
}
