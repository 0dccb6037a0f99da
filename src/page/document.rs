//! The whole page: one file with its style, its script and its data. It begins with the verdict, the same as in the
//! program's other outputs, with links to the games and positions that it mentions.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::analysis::{ComparisonReport, EventKind, Verdict};
use crate::report::verdict::first_lines;
use crate::stats::advantage::RankVerdict;
use crate::text::{count, printable_lines};

use super::facts::{EventFacts, GamesSource, NOT_SAID};
use super::{developer, organiser, researcher, several};

/// The style of all pages.
pub(crate) const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = concat!(include_str!("map.js"), include_str!("report.js"));
/// The symbols of the pieces, which all boards use.
pub(crate) const PIECES: &str = include_str!("pieces.svg");

/// The page of one event, or of several: the verdict over all together comes first, then a section that compares them.
pub(crate) fn page(
    events: &[EventFacts],
    compared: Option<(&Verdict, Result<&ComparisonReport, &str>)>,
) -> String {
    let names = events.iter().map(|facts| facts.roster.event.as_str());
    let names: Vec<&str> = names.collect();
    let content = html! {
        @if let Some((verdict, compared)) = compared {
            h2.first { "All events together" }
            div.answers { (said(verdict)) }
            (several::section(events, compared))
        }
        @for (place, facts) in events.iter().enumerate() { (event(facts, &format!("e{}-", place + 1), events.len() > 1)) }
    };
    whole(&names.join(", "), &content)
}

/// Prefix of the addresses of a game, or of the games of a cell of the crosstable, on a page of games.
pub(crate) const GAMES_PREFIX: &str = "e1-";

/// A page with the finished games alone, on the same board.
pub(crate) fn games_page(facts: &EventFacts) -> String {
    let content = html! {
        article {
            p { a href="./" { "Back to the event" } }
            section { (organiser::games(facts, GAMES_PREFIX)) }
            (moves(facts, GAMES_PREFIX))
        }
    };
    whole(&facts.roster.event, &content)
}

/// A complete page, without other files.
fn whole(title: &str, content: &Markup) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="generator" content=(concat!("arbiter960 ", env!("CARGO_PKG_VERSION")));
                title { (title) " · arbiter960" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (PreEscaped(PIECES))
                a.skip href="#content" { "To the content" }
                header { h1 { (title) } }
                main #content { (content) }
                footer { p { "Made by arbiter960. What the numbers mean is said in docs/statistics.md. Everything on this page is in this file." } }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    // HTML does not need the end tags of cells and rows, and there are many. Text from outside is escaped, so it
    // contains no such tag.
    let markup = markup.into_string().replace("</td>", "");
    // Escaping protects the markup, but lets through characters that change the direction of writing.
    printable_lines(&markup.replace("</tr>", ""))
}

/// The moves of the games, for the board.
fn moves(facts: &EventFacts, prefix: &str) -> Markup {
    html! {
        @if !facts.games.is_empty() {
            script type="application/octet-stream" data-moves=(prefix) { (PreEscaped(&facts.moves)) }
        }
    }
}

/// The figures that grow while an event is played, as a fragment of a page.
pub(crate) fn growing_figures(facts: &EventFacts) -> String {
    let markup = html! { (developer::growing(facts, "")) (researcher::growing(facts, "")) };
    printable_lines(&markup.into_string())
}

fn event(facts: &EventFacts, prefix: &str, one_of_several: bool) -> Markup {
    html! {
        article id=(prefix) {
            @if one_of_several { h2 { (facts.roster.event) } } @else { h2.first { "In short" } }
            @if facts.statistics.running { p.warning { "This event is being played now: the page shows what was stored when it was made." } }
            @if facts.source == GamesSource::Pgn { (of_a_file(facts)) }
            @if let Some(rebuilt) = &facts.roster.rebuilt { p.warning { "This event's store was lost, and made anew " (rebuilt) "." } }
            (answers(facts, prefix))
            @if facts.source == GamesSource::Store {
                p.source { "Commands on this page need the event's folder, " code { (facts.path()) } ", with its event.db. With games.pgn alone, "
                    code { "arbiter960 report games.pgn" } " makes a page whose commands need nothing else." }
            }
            @let sections = sections(facts.verdict.kind);
            nav aria-label="Sections" {
                @for (id, title, _) in sections { a href=(format!("#{prefix}{id}")) { (title) } }
            }
            @for (id, title, drawn) in sections {
                section id=(format!("{prefix}{id}")) aria-labelledby=(format!("{prefix}{id}-title")) {
                    h3 id=(format!("{prefix}{id}-title")) { (title) }
                    (drawn(facts, prefix))
                }
            }
            (moves(facts, prefix))
        }
    }
}

/// A section for one kind of readers: its name in links, its title and its content.
type PageSection = (&'static str, &'static str, fn(&EventFacts, &str) -> Markup);

const RESULTS: PageSection = ("organiser", "Results and games", organiser::section);
const ENGINES: PageSection = ("developer", "The engines", developer::section);
const STARTS: PageSection = ("researcher", "The first move", researcher::section);

/// In the order of what such an event is played for.
fn sections(kind: EventKind) -> [PageSection; 3] {
    match kind {
        EventKind::SelfPlay => [STARTS, ENGINES, RESULTS],
        EventKind::Test | EventKind::Match => [ENGINES, RESULTS, STARTS],
        _ => [RESULTS, ENGINES, STARTS],
    }
}

/// What a PGN file does not contain, and which of its games are left out.
fn of_a_file(facts: &EventFacts) -> Markup {
    let source = facts.statistics.sources.first();
    let left_out = source.map(|source| {
        [
            (source.unfinished, "without a result"),
            (source.unreadable, "that cannot be read or break the rules"),
            (source.repeated, "that stand in the file twice"),
        ]
    });
    html! {
        p.warning {
            "This page was made of a PGN file, and knows of its games what tags and comments say: no plan, no tie-break rules, no voided games, "
            "no evidence for losses on time. Clocks and evaluations are shown where comments have them as [%clk], [%emt] and [%eval]."
            @for (games, words) in left_out.into_iter().flatten().filter(|(games, _)| *games > 0) {
                " Left out: " (count(games, "game")) " " (words) "."
            }
            @if let Some(first) = source.and_then(|source| source.first_unreadable.as_ref()) { " The first of them: " (first) }
        }
    }
}

/// Only this page's own style and script are allowed, by their hashes.
fn policy() -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

/// Maximum number of games and positions that are linked.
const LINKED: usize = 24;

/// The first lines of a verdict.
fn said(verdict: &Verdict) -> Markup {
    html! { @for (id, line) in first_lines(verdict) { p data-claim=(id) { (line) } } }
}

/// The first lines, with links.
pub(super) fn answers(facts: &EventFacts, prefix: &str) -> Markup {
    html! {
        div.answers {
            (said(&facts.verdict))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_and_the_style_cannot_end_their_elements() {
        for text in [STYLE, SCRIPT] {
            assert!(!text.to_ascii_lowercase().contains("</"), "an end tag");
            assert!(!text.contains("<!--"), "a comment of HTML");
        }
    }
}
