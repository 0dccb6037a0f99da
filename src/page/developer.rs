//! The section for developers of an engine.

use std::time::Duration;

use maud::{Markup, html};

use crate::analysis::EventKind;
use crate::report::variations::{Flaws, variation_lines};
use crate::store::FlagFalls;
use crate::text::{count, duration, duration_of_seconds};

use super::charts::{by_move, pairs_by_points, terminations};
use super::charts::{narrowing, test_path};
use super::facts::{EventFacts, GamesSource};
use super::games::ListedGame;
use super::tables::{block, commands};

/// Maximum number of lost games in one list.
const SHOWN: usize = 200;

/// The section.
pub(super) fn section(facts: &EventFacts, prefix: &str) -> Markup {
    html! {
        @if facts.games.is_empty() { p { "No game is finished yet." } } @else {
            (growing(facts, prefix))
            (pairs_by_points(facts, prefix).unwrap_or_default())
            (terminations(facts, prefix).unwrap_or_default())
            (by_move(facts, prefix))
            (block("", "Clocks and latency", &clocks(facts)))
            (faults(facts, prefix))
            (block("", "Principal variations", &variations(facts)))
            (losses(facts, prefix))
            (commands(&[facts.command("stats", ""), facts.command_of_event("export", "--format jsonl")]))
            @if facts.source == GamesSource::Store { p.source.span { "Why a game was lost: " code { (facts.command("explain", "GAME")) } } }
        }
    }
}

/// The part that grows while an event is played.
pub(super) fn growing(facts: &EventFacts, prefix: &str) -> Markup {
    html! {
        (test_path(facts, prefix).unwrap_or_default())
        // Of a cup, Elo says nothing.
        @if facts.verdict.kind != EventKind::Tree { (narrowing(facts, prefix).unwrap_or_default()) }
    }
}

fn faults(facts: &EventFacts, prefix: &str) -> Markup {
    let games = facts.games.iter();
    let with_fault: Vec<&ListedGame> = games.filter(|game| game.fault.is_some()).collect();
    html! {
        @if !with_fault.is_empty() { (block("span", "Games with a fault", &list(facts, prefix, &with_fault))) }
    }
}

fn losses(facts: &EventFacts, prefix: &str) -> Markup {
    let lost = facts.games.iter();
    let lost: Vec<&ListedGame> = lost
        .filter(|game| game.fault.is_none() && game.loser.is_some())
        .collect();
    html! {
        @if !lost.is_empty() { details.block.span {
            summary { "Games lost without a fault: " (lost.len()) }
            (list(facts, prefix, &lost))
        } }
    }
}

fn list(facts: &EventFacts, prefix: &str, games: &[&ListedGame]) -> Markup {
    html! {
        div.wide { table {
            thead { tr { th { "game" } th { "lost by, or fault of" } th { "colour" } th { "reason" } th { "plies" } } }
            tbody { @for game in games.iter().take(SHOWN) {
                @if let Some(side) = game.loser.or(game.fault) {
                    tr {
                        td { a href=(format!("#{prefix}game={}", game.round)) { (game.round) } }
                        td.name { (facts.roster.name(game.seats[side.index()])) }
                        td { (side) }
                        td.end { (game.ending) }
                        td { (game.plies) }
                    }
                }
            } }
        } }
        @if games.len() > SHOWN { p { (games.len() - SHOWN) " more are in the list of games." } }
    }
}

/// What is known about clocks, and about the runner's own latency.
fn clocks(facts: &EventFacts) -> Markup {
    html! {
        div.wide { table {
            thead { tr { th { "engine" } th { "longest search" } th { "least left on its clock" } } }
            tbody { @for entry in &facts.roster.participants {
                @if let Some(timing) = facts.timing.engines.get(&entry.seat) {
                    tr {
                        th scope="row" { (entry.name) }
                        td { @match timing.longest { Some(longest) => (duration_of_seconds(longest)), None => "not known" } }
                        td { @match timing.least_left { Some(left) => (duration_of_seconds(left)), None => "no clock" } }
                    }
                }
            } }
        } }
        @match &facts.flag_falls {
            Some(falls) => (evidence(facts, falls)),
            None => p { "Who is to blame for a loss on time, and how fast the runner was, no PGN file says." },
        }
    }
}

/// The causes of losses on time, and how long the runner itself waited.
fn evidence(facts: &EventFacts, flag_falls: &FlagFalls) -> Markup {
    let micros = |micros: u32| duration(Duration::from_micros(u64::from(micros)));
    html! {
        p {
            (flag_falls.words().unwrap_or_else(|| "No loss on time.".to_owned()))
            @if flag_falls.voided > 0 { " Void for a loss on time by this machine's fault: " (count(flag_falls.voided, "game")) "." }
            @match facts.timing.latency() {
                Some((moves, [median, high, longest])) => {
                    " Before the runner read a move, it waited for a processor itself " (micros(median)) " in the median of " (count(moves, "watched move"))
                    ", " (micros(high)) " at the 99th percentile, " (micros(longest)) " at most."
                }
                None => " No move was watched: the runner's own latency is not known.",
            }
        }
    }
}

/// Marks text between backquotes as code.
fn with_code(text: &str) -> Markup {
    html! {
        @for (place, part) in text.split('`').enumerate() {
            @if place % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn variations(facts: &EventFacts) -> Markup {
    let found = facts.variations.as_ref();
    let lines = found.map(|found| variation_lines(found, facts.all_games, Flaws::All));
    html! {
        @match lines {
            None if facts.source == GamesSource::Pgn => p { "Not looked at: a PGN file has none, or only a part of each." },
            None => p { "Not looked at: " code { (facts.command("stats", "--moves")) } },
            Some(lines) if lines.is_empty() => p { "Every variation that was looked at holds." },
            Some(lines) => { ul { @for line in lines { li.more[line.starts_with(' ')] { (with_code(line.trim())) } } } }
        }
    }
}
