//! The live page of an event, and the texts at its other addresses.

use std::time::Instant;

use maud::{Markup, PreEscaped, html};

use super::before::{self, pairings};
use super::http::Text;
use super::shown::{PageStage, ShownEvent};
use crate::page::{Origin, answers, block, finished, in_script, results, whole};
use crate::platform::read_text_untrusted;
use crate::report::verdict::FirstLines;
use crate::sink::{crosstable_json, schedule_json, standings_json};
use crate::store::{Reader, ResultRow, StoreError};
use crate::text::printable;
use crate::tournament::{EventPhase, EventState, Ratings};

/// The addresses of the page, which shows other parts of itself at each.
pub(super) const VIEWS: [&str; 5] = ["", "wall", "start", "overlay", "desk"];

/// The text at an address; `None` for an unknown address.
pub(super) fn text(parts: &ShownEvent, address: &str) -> Option<Text> {
    let view = &parts.view;
    let text = match address {
        _ if VIEWS.contains(&address) => page(parts),
        "tables.html" => finished(&tables(parts)),
        "figures.html" => parts.figures.clone(),
        "pairings.html" => pairings_page(parts)?,
        "live.pgn" => parts.round.text(),
        "standings.json" => {
            // An event that is not played here: the text that its run has written, with the results of the statistics.
            let written = (parts.stage != PageStage::Playing)
                .then(|| read_text_untrusted(&parts.folder.join(address)).ok());
            let made = || view.read(|event| standings_json(event, event.running()));
            written.flatten().unwrap_or_else(made)
        }
        "crosstable.json" => view.read(|event| crosstable_json(event.roster(), event.board())),
        "schedule.json" => view.read(|event| schedule_json(event.roster(), event.board()))?,
        _ => return None,
    };
    Some(Text::new(address, text))
}

/// The page of an event at this moment, with or without a script.
fn page(parts: &ShownEvent) -> String {
    let title = parts.view.read(|event| event.roster().event.clone());
    let state = html! { p #state .what role="status" { (state(parts)) } };
    let content = html! {
        noscript { p.warning { "Without its script this page has no boards, and shows the event as it was when it was loaded. While the event is played it is loaded again every 15 seconds." } }
        h2.unseen { "The event" }
        h3.unseen { "Results" }
        div #tables .blocks { (tables(parts)) }
        div #boards .boards data-lanes=(parts.boards.lanes(before::lanes(parts))) {}
        // The first boards are drawn before anything else is asked for.
        @if parts.stage == PageStage::Playing { script #now type="application/json" { (in_script(&parts.boards.all(Instant::now()))) } }
        p #lost .what {}
        div #figures .blocks { (PreEscaped(&parts.figures)) }
        div #list .blocks {}
        (addresses(parts))
    };
    let origin = match parts.stage {
        PageStage::Playing => Origin::Playing,
        _ => Origin::Server,
    };
    whole(&title, &state, &content, origin)
}

/// The list of several events, below the first lines about all together.
pub(super) fn index(together: &FirstLines, events: &[(usize, [String; 3])]) -> String {
    let content = html! {
        (answers(together))
        ul.events { @for (place, [name, said, phase]) in events { li { a href=(format!("{place}/")) { (name) } (said) p.what { (phase) } } } }
    };
    whole("Events", &html! {}, &content, Origin::Server)
}

/// Where the event stands, and where its running games are if not here.
fn state(parts: &ShownEvent) -> Markup {
    let phase = parts.view.read(EventState::phase);
    html! {
        (phase)
        @if parts.stage == PageStage::Stored && phase != EventPhase::Over {
            " From the event's store: games are shown while they are played on the page of run --web."
        }
    }
}

/// What is computed from the facts: the first lines; before the first result the coming round, the draw and the players,
/// afterwards the results first.
fn tables(parts: &ShownEvent) -> Markup {
    let results = |event: &EventState| results(event.roster(), event.board(), &Ratings::new(), "");
    let phase = parts.view.read(EventState::phase);
    let waits = matches!(phase, EventPhase::Waiting(_));
    let has_results = parts
        .view
        .read(|event| event.board().games() > 0 || event.is_over());
    let in_rounds = parts.view.read(|event| event.board().contest().is_some());
    let begun = has_results || in_rounds && !waits;
    let playing = parts.stage == PageStage::Playing;
    let tournament = parts.tournament.as_deref().filter(|_| playing);
    let schedule = tournament.map(before::schedule).unwrap_or_default();
    html! {
        p #phase hidden data-phase=(phase.word()) { (state(parts)) }
        // Before the first result nothing can be said.
        (answers(&if has_results { parts.first_lines() } else { Vec::new() }))
        @for (moment, words) in parts.view.read(|event| event.roster().decisions.announced()) { p.announced { span { (moment) } " " (printable(&words)) } }
        @for words in parts.warnings() { p.warning.span { (printable(&words)) } }
        @if waits || !begun {
            @if let Some(tournament) = tournament { (before::draw(parts, tournament)) }
            (pairings(parts, true)) (schedule)
        }
        @if begun { (parts.view.read(results)) }
        (last_games(parts).unwrap_or_default())
        @if begun && !waits { (pairings(parts, true)) }
        @if let Some(tournament) = tournament { (before::coming(parts, tournament)) }
        (before::players(parts))
        @if begun && !waits { (schedule) }
    }
}

/// Maximum number of finished games that are listed.
const LISTED: u64 = 30;

fn last_games(parts: &ShownEvent) -> Result<Markup, StoreError> {
    let reader = Reader::open(&parts.folder)?;
    let last = reader.last_place()?;
    let rows = reader.results_between(last.saturating_sub(LISTED), last);
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let listed = parts.view.read(|event| {
        let roster = event.roster();
        let name = |row: &ResultRow| (roster.games.name(row.id), row.seats.map(|seat| roster.name(seat)));
        html! { @for (row, (name, [white, black])) in rows.iter().rev().map(|row| (row, name(row))) { tr {
            td { a href=(format!("#game={name}")) { (name) } }
            td { @if let Some(number) = row.number { (number) } }
            td.name { (white) }
            td.name { (black) }
            td.result { (row.outcome.result()) }
            td.end { (printable(&event.board().ending(row.seats, row.outcome.to_string()))) }
        } } }
    });
    let table = html! {
        div.wide.scroll tabindex="0" role="region" aria-label="Last games" { table.results {
            thead { tr { th { "game" } th { "start" } th { "White" } th { "Black" } th { "result" } th { "end" } } }
            tbody { (listed) }
        } }
    };
    Ok(html! { @if last > 0 { (block("two", "Last games", &table)) } })
}

/// The pairings as a page that prints.
fn pairings_page(parts: &ShownEvent) -> Option<String> {
    let title = parts.view.read(|event| {
        let contest = event.board().contest()?;
        let shown = event.pairings().into_iter().flatten().next();
        let round = shown.map_or(contest.history.last_round(), |shown| shown.round);
        Some(format!("{}, round {round}", event.roster().event))
    })?;
    let content = html! { div.blocks { (pairings(parts, false)) } };
    Some(whole(&title, &html! {}, &content, Origin::Server))
}

fn addresses(parts: &ShownEvent) -> Markup {
    let in_rounds = parts.view.read(|event| event.board().contest().is_some());
    let mut files = vec!["games.pgn", "live.pgn", "standings.json", "crosstable.json"];
    if in_rounds {
        files.extend(["pairings.html", "schedule.json"]);
    }
    files.push("events.ndjson");
    let has_report = parts.folder.join("report.html").is_file();
    html! {
        p.addresses {
            a href="#games" { "All finished games" }
            @if has_report { " " a href="report.html" { "The report" } }
            @for file in files { " " a.quiet href=(file) { (file) } }
        }
    }
}
