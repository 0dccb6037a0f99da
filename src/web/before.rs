//! What is known of an event before its games: the pairs that have not begun, the draw with its starts, when rounds begin,
//! who plays, and how the draw can be checked.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::shown::ShownEvent;
use crate::chess::FenDialect;
use crate::chess::start::{self, Setup, StartNumber, Variant};
use crate::config::Tournament;
use crate::page::block;
use crate::report::course::course_lines;
use crate::schedule::Opening;
use crate::text::{count, duration, instant, printable};
use crate::tournament::{EventPhase, EventState, RoundPairings};

/// Maximum number of coming pairs, and of starts, that are shown.
const MAX_SHOWN_PAIRS: usize = 8;
const MAX_SHOWN_STARTS: usize = 48;

/// The rounds that are paired, or can be.
pub(super) fn rounds(parts: &ShownEvent) -> Vec<RoundPairings> {
    parts.view.read(EventState::pairings).unwrap_or_default()
}

/// How many games can run at the beginning.
pub(super) fn lanes(parts: &ShownEvent) -> usize {
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
pub(super) fn pairings(parts: &ShownEvent, only_next: bool) -> Markup {
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
pub(super) fn coming(parts: &ShownEvent, tournament: &Tournament) -> Markup {
    let pairs = &parts.coming;
    let rest = pairs.len().saturating_sub(MAX_SHOWN_PAIRS);
    let rows = pairs.iter().take(MAX_SHOWN_PAIRS).map(|(pair, spec)| {
        let names = parts
            .view
            .read(|event| spec.seats(0).map(|seat| event.roster().name(seat)));
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
pub(super) fn draw(parts: &ShownEvent, tournament: &Tournament) -> Markup {
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
pub(super) fn schedule(tournament: &Tournament) -> Markup {
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
pub(super) fn players(parts: &ShownEvent) -> Markup {
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
