//! The live page of an event, and the texts at its other addresses. Before the games: the pairs that have not begun, the
//! draw with its starts, when rounds begin, who plays, and how the draw can be checked.

use std::collections::BTreeSet;
use std::time::Instant;

use maud::{Markup, PreEscaped, html};

use super::http::Text;
use super::shown::{PageStage, ShownEvent};
use crate::chess::FenDialect;
use crate::chess::start::{self, Setup, StartNumber, Variant};
use crate::config::Tournament;
use crate::page::{Origin, answers, block, finished, in_script, results, whole};
use crate::platform::read_text_untrusted;
use crate::report::course::course_lines;
use crate::report::verdict::FirstLines;
use crate::schedule::Opening;
use crate::sink::{crosstable_json, schedule_json, standings_json};
use crate::store::{Reader, ResultRow, StoreError};
use crate::text::{count, duration, instant, printable};
use crate::tournament::{EventPhase, EventState, Ratings, RoundPairings};

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
        div #boards .boards data-lanes=(parts.boards.lanes(lanes(parts))) {}
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
    let view = &parts.view;
    let has_results = view.read(|event| event.board().games() > 0 || event.is_over());
    let in_rounds = view.read(|event| event.board().contest().is_some());
    let begun = has_results || in_rounds && !waits;
    let playing = parts.stage == PageStage::Playing;
    let tournament = parts.tournament.as_deref().filter(|_| playing);
    let schedule = tournament.map(schedule).unwrap_or_default();
    html! {
        p #phase hidden data-phase=(phase.word()) { (state(parts)) }
        // Before the first result nothing can be said.
        (answers(&if has_results { parts.first_lines() } else { Vec::new() }))
        @for (moment, words) in parts.view.read(|event| event.roster().decisions.announced()) { p.announced { span { (moment) } " " (printable(&words)) } }
        @for words in parts.warnings() { p.warning.span { (printable(&words)) } }
        @if waits || !begun {
            @if let Some(tournament) = tournament { (draw(parts, tournament)) }
            (pairings(parts, true)) (schedule)
        }
        @if begun { (parts.view.read(results)) }
        (last_games(parts).unwrap_or_default())
        @if begun && !waits { (pairings(parts, true)) }
        @if let Some(tournament) = tournament { (coming(parts, tournament)) }
        (players(parts))
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
        let round = shown.map_or(contest.history().last_round(), |shown| shown.round);
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

/// Maximum number of coming pairs, and of starts, that are shown.
const MAX_SHOWN_PAIRS: usize = 8;
const MAX_SHOWN_STARTS: usize = 48;

/// The rounds that are paired, or can be.
fn rounds(parts: &ShownEvent) -> Vec<RoundPairings> {
    parts.view.read(EventState::pairings).unwrap_or_default()
}

/// How many games can run at the beginning.
fn lanes(parts: &ShownEvent) -> usize {
    let begins = parts.view.read(|event| {
        event.board().games() == 0 && !matches!(event.phase(), EventPhase::Waiting(_))
    });
    let Some(tournament) = parts.tournament.as_ref().filter(|_| begins) else {
        return 0;
    };
    let boards = rounds(parts).first().map_or(0, |round| round.boards.len());
    let pairs = parts.coming.len().max(boards);
    tournament.concurrency.get().min(pairs)
}

/// Who meets whom in this round and the next, or in the next alone, of an event in rounds that is not over.
fn pairings(parts: &ShownEvent, only_next: bool) -> Markup {
    html! {
        @for round in rounds(parts).iter().filter(|round| round.provisional || !only_next) { div.block {
            h4 { "Round " (round.round) @if round.provisional { ", if the arbiter decides nothing else" } }
            div.wide { table.coming {
                thead { tr { th { "board" } th { "White first" } th { "Black first" } } }
                tbody {
                    @for (board, players) in &round.boards {
                        tr { td { (board) } td.name { (players[0]) } td.name { (players[1]) } }
                    }
                    @for name in &round.byes { tr { td {} td.name { (name) } td { "bye" } } }
                }
            } }
        } }
    }
}

/// The pairs that begin next, if the plan has any.
fn coming(parts: &ShownEvent, tournament: &Tournament) -> Markup {
    let pairs = &parts.coming;
    let rest = pairs.len().saturating_sub(MAX_SHOWN_PAIRS);
    let rows = pairs.iter().take(MAX_SHOWN_PAIRS).map(|(pair, spec)| {
        let view = &parts.view;
        let names = view.read(|event| spec.seats(0).map(|seat| event.roster().name(seat)));
        html! { tr {
            td { (pair.0 + 1) }
            td { @if let Some(number) = tournament.openings.number(spec.opening) { (number) } }
            @for name in names { td.name { (name) } }
        } }
    });
    let content = html! {
        div.wide { table.coming {
            thead { tr { th { "pair" } th { "start" } th { "White first" } th { "Black first" } } }
            tbody { @for row in rows { (row) } }
        } }
        @if rest > 0 { p.what { "and " (count(rest, "more pair")) } }
    };
    html! { @if !pairs.is_empty() { (block("", "Coming pairs", &content)) } }
}

/// The starts of the coming round, or of the coming pairs.
fn draw(parts: &ShownEvent, tournament: &Tournament) -> Markup {
    let mut seen = BTreeSet::new();
    let of_rounds = parts.view.read(|event| {
        let contest = event.board().contest()?;
        Some(contest.coming_openings(tournament.rounds()?))
    });
    let of_pairs = parts.coming.iter().map(|(_, spec)| spec.opening);
    let mut openings: Vec<u32> = of_rounds.into_iter().flatten().chain(of_pairs).collect();
    openings.retain(|opening| seen.insert(*opening));
    let rest = openings.len().saturating_sub(MAX_SHOWN_STARTS);
    let content = html! {
        div.starts { @for opening in openings.iter().take(MAX_SHOWN_STARTS) {
            (drawn(tournament.openings.variant(), &tournament.openings.get(*opening)))
        } }
        @if rest > 0 { p.what { "and " (count(rest, "more start")) } }
    };
    html! { @if !openings.is_empty() { (block(if openings.len() > 1 { "span" } else { "" }, "The draw", &content)) } }
}

/// A start with its names; the script draws its board.
fn drawn(variant: Variant, opening: &Opening) -> Markup {
    let names = opening.number.map(|number| names(variant, number));
    html! { figure.start data-fen=(opening.start.fen(FenDialect::XFen)) { figcaption {
        @if let Some(number) = opening.number { b { (number) } " " }
        @for name in names.iter().flatten() { span { (name) } " " }
        @if !opening.moves.is_empty() { span { "then " (opening.move_texts().join(" ")) } }
    } } }
}

/// What a start is called beside its number.
fn names(variant: Variant, number: StartNumber) -> Vec<String> {
    let rank = Setup::new(variant, number).map(|setup| start::back_rank_text(&setup));
    let sides = start::white_and_black(variant, number);
    let mirror = start::mirror(variant, number).ok();
    let names = [
        rank.ok(),
        sides.map(|(white, black)| format!("{white}/{black}")),
        (variant == Variant::Chess960 && number.0 == 0).then(|| "960 on DGT's clocks".to_owned()),
        mirror.map(|mirror| format!("mirror of {mirror}")),
    ];
    names.into_iter().flatten().collect()
}

/// When rounds begin, if the event file says it.
fn schedule(tournament: &Tournament) -> Markup {
    let times = &tournament.round_times;
    let content = html! {
        table.times { tbody { @for (round, time) in (1..).zip(times) { tr {
            th scope="row" { "Round " (round) }
            td {
                @if let Some(starts) = time.starts { (instant(starts.0)) }
                @if !time.pause.is_zero() { " " (duration(time.pause)) " after the last game" }
                @if time.starts.is_none() && time.pause.is_zero() { "when the round before it is over" }
            }
        } } } }
    };
    let course = course_lines(tournament);
    html! {
        @if !times.is_empty() { (block("", "Schedule", &content)) }
        @if !course.is_empty() { (block("two", "How it is played", &html! { ul { @for line in &course { li { (line) } } } })) }
    }
}

/// Who plays, with version, options and limits, and on what.
fn players(parts: &ShownEvent) -> Markup {
    let content = html! {
        div.wide tabindex="0" role="region" aria-label="Engines" { table.engines {
            thead { tr { th { "engine" } th { "version" } th { "time" } th { "options" } } }
            tbody { @for engine in parts.round.engines() { tr {
                th scope="row" { (engine.name) }
                td { (printable(engine.version.as_deref().unwrap_or("–"))) }
                td { (engine.time_control) }
                td { @for (name, value) in &engine.options { span { (name) " = " (printable(value)) } " " } }
            } } }
        } }
        @if let Some(machine) = &parts.machine { p.source.machine { "On " (printable(machine)) "." } }
        p.source {
            "The draw is committed to by " code { (parts.commitment) } ", the SHA-256 of positions, rules, engines and seed. After the games "
            code { "arbiter960 verify --draw " (parts.commitment) " FOLDER" } " compares it with what was played."
        }
    };
    block("two", "The engines", &content)
}
