//! The whole page: one file with its style, its script and its data. It begins with the verdict, the same as in the
//! program's other outputs, with links to the games and positions that it mentions.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::analysis::{ComparisonReport, Verdict};
use crate::referee::end_words;
use crate::report::verdict::{FirstLines, first_lines};
use crate::text::{count, printable_lines};

use super::charts;
use super::facts::{EventFacts, GamesSource, NOT_SAID};
use super::sections::{compared, games, sections};

/// The style of all pages.
pub(crate) const STYLE: &str = include_str!("page.css");
/// The script of all pages.
pub(crate) const SCRIPT: &str = concat!(
    include_str!("script/board.js"),
    include_str!("script/viewer.js"),
    include_str!("script/games.js"),
    include_str!("script/charts.js"),
    include_str!("script/before.js"),
    include_str!("script/desk.js"),
    include_str!("script/live.js"),
    include_str!("script/begin.js"),
);
/// The symbols of the pieces, which all boards use.
const PIECES: &str = include_str!("pieces.svg");

/// The page of one event, or of several: the verdict over all together comes first, then a section that compares them.
pub(crate) fn page(
    events: &[EventFacts],
    together: Option<(&Verdict, Result<&ComparisonReport, &str>)>,
) -> String {
    let names = events.iter().map(|facts| facts.roster.event.as_str());
    let names: Vec<&str> = names.collect();
    let prefix = |place: usize| match place {
        0 => String::new(),
        _ => format!("event={}&", place + 1),
    };
    let content = html! {
        @if let Some((verdict, found)) = together {
            h2.first { "All events together" }
            (answers(&first_lines(verdict)))
            (compared(events, found))
        }
        @for (place, facts) in events.iter().enumerate() { (event(facts, &prefix(place), events.len() > 1)) }
    };
    whole(&names.join(", "), &html! {}, &content, Origin::File)
}

/// The list of the finished games alone, with their moves, as a part of a page.
pub(crate) fn list_of_games(facts: &EventFacts) -> String {
    finished(&games(facts, ""))
}

/// As it is sent or written. No line ends between a number and its sign.
pub(crate) fn finished(part: &Markup) -> String {
    printable_lines(&part.0).replace(" %", "\u{a0}%")
}

/// Where a page comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It is a file, with its style and its script.
    File,
    /// A server has it, and these, too.
    Server,
    /// The same of an event that is played: without a script the page is loaded again at intervals.
    Playing,
}

/// A complete page.
pub(crate) fn whole(title: &str, state: &Markup, content: &Markup, origin: Origin) -> String {
    let is_file = origin == Origin::File;
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                @if is_file { meta http-equiv="Content-Security-Policy" content=(policy()); }
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="generator" content=(concat!("arbiter960 ", env!("CARGO_PKG_VERSION")));
                title { (title) " · arbiter960" }
                @if origin == Origin::Playing { noscript { meta http-equiv="refresh" content=(RELOAD); } }
                // Nothing is drawn before the script has drawn the figures.
                @if is_file { link rel="expect" href="#end" blocking="render"; style { (PreEscaped(STYLE)) } }
                @else {
                    link rel="icon" type="image/svg+xml" href="/icon.svg";
                    link rel="stylesheet" href="/page.css";
                    // Nothing is drawn before it has left room for the boards.
                    script src="/page.js" defer blocking="render" {}
                }
            }
            body {
                (PreEscaped(PIECES))
                a.skip href="#content" { "To the content" }
                header { h1 { (title) } (state) }
                main #content { (PreEscaped(finished(content))) }
                @if is_file { script { (PreEscaped(SCRIPT)) } }
                footer #end { p { "Made by arbiter960. " @if is_file { "What the numbers mean is said in docs/statistics.md. Everything on this page is in this file." } @else { "Nothing on this page can change the event." } } }
            }
        }
    };
    // HTML does not need the end tags of cells and rows, and there are many. Text from outside is escaped, so it
    // contains no such tag.
    let markup = markup.into_string().replace("</td>", "");
    // Escaping protects the markup, but lets through characters that change the direction of writing.
    printable_lines(&markup.replace("</tr>", ""))
}

/// A page without a script is loaded again after this many seconds.
const RELOAD: u32 = 15;

/// The figures that grow while an event is played, as a fragment of a page.
pub(crate) fn growing_figures(facts: &EventFacts) -> String {
    let names = charts::growing(facts.verdict.kind);
    finished(&html! { (charts::tables(facts, "")) (charts::figures("", names)) })
}

fn event(facts: &EventFacts, prefix: &str, one_of_several: bool) -> Markup {
    // No two parts of a page have one name.
    let of_which = one_of_several.then(|| format!(" of {}", facts.roster.event));
    let of_which = of_which.unwrap_or_default();
    html! {
        article {
            h2.unseen[!one_of_several] { @if one_of_several { (facts.roster.event) } @else { "In short" } }
            @if facts.statistics.running { p.warning { "This event is being played now: the page shows what was stored when it was made." } }
            @if let Some(rebuilt) = &facts.roster.rebuilt { p.warning { "This event's store was lost, and made anew " (rebuilt) "." } }
            (answers(&first_lines(&facts.verdict)))
            (prizes(facts))
            @if facts.statistics.counted.is_empty() { p { "No game is finished yet." } }
            (faults(facts, prefix))
            @if facts.source == GamesSource::Pgn { (of_a_file(facts)) }
            @let sections = sections(facts);
            (charts::tables(facts, prefix))
            nav aria-label=(format!("Sections{of_which}")) {
                @for (id, title, _) in &sections { a href=(format!("#{prefix}{id}")) { (title) } }
            }
            @for (id, title, drawn) in sections {
                section.blocks id=(format!("{prefix}{id}")) aria-labelledby=(format!("{prefix}{id}-title")) {
                    h3 id=(format!("{prefix}{id}-title")) { (title) @if one_of_several { span.unseen { (of_which) } } }
                    (drawn(facts, prefix))
                }
            }
            @if facts.source == GamesSource::Store {
                p.source { "Commands on this page need the event's folder, " code { (facts.path()) } ", with its event.db. With games.pgn alone, "
                    code { "arbiter960 report games.pgn" } " makes a page whose commands need nothing else." }
            }
        }
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
        p.source {
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

/// Maximum number of games that are linked.
const LINKED: usize = 24;

/// The first lines of a verdict.
pub(crate) fn answers(lines: &FirstLines) -> Markup {
    html! { div.answers { @for (id, line) in lines { p data-claim=(id) { (line) } } } }
}

/// Who has the first three places of a contest that is over; engines that no rule separates share one, but a list of many says
/// nothing.
fn prizes(facts: &EventFacts) -> Markup {
    let standings = facts.board.standings();
    let first: Vec<_> = standings.iter().take_while(|row| row.place <= 3).collect();
    let has_prizes = facts.verdict.is_final && facts.verdict.kind.has_winner() && first.len() <= 6;
    html! {
        @if has_prizes { ol.prizes aria-label="Prize list" {
            @for row in first { li value=(row.place) { (facts.board.engine_name(row.engine)) } }
        } }
    }
}

/// The games with a fault, as links to the games, and whose it was.
fn faults(facts: &EventFacts, prefix: &str) -> Markup {
    let games = facts.games.iter();
    let all =
        games.filter_map(|game| Some((game, facts.roster.name(game.seats[game.fault?.index()]))));
    let all: Vec<_> = all.collect();
    let unsaid = facts.reasons.get(NOT_SAID).copied().unwrap_or(0);
    html! {
        @if all.is_empty() && unsaid > 0 {
            p { "Of " (count(unsaid, "game")) " the file does not say how they ended." }
        }
        @if !all.is_empty() {
            p.links { "Games with a fault:"
                @for (game, name) in all.iter().take(LINKED) {
                    " " a href=(format!("#{prefix}game={}", game.round)) { (game.round) } " (" (name) ", " (end_words(&game.reason)) ")"
                }
                @if all.len() > LINKED { " …" }
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
