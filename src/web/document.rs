//! The live page of an event, and the pairs on it that have not begun.

use std::collections::VecDeque;
use std::path::PathBuf;

use maud::{Markup, PreEscaped, html};

use super::boards::Boards;
use crate::analysis::Verdict;
use crate::event::{Decisions, GameId, PairId, PlayedGame, Seat};
use crate::page::{Origin, answers, block, results, whole};
use crate::referee::Outcome;
use crate::report::verdict::{FirstLines, first_lines};
use crate::text::{count, printable};
use crate::tournament::{EventPhase, EventState, EventView, Ratings};

/// Maximum number of coming pairs that are listed.
const COMING: usize = 8;

/// Where the facts come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageStage {
    /// This process plays the event.
    Playing,
    /// This process has played the event.
    Over,
    /// The event is read from the store; another process may play it.
    Stored,
}

/// A game in the list of results.
#[derive(Debug, Clone)]
pub(super) struct FinishedGame {
    pub(super) name: String,
    pub(super) number: Option<u32>,
    pub(super) players: [String; 2],
    id: GameId,
    playing: u32,
    played: Outcome,
}

impl FinishedGame {
    pub(super) fn new(
        game: &PlayedGame,
        playing: u32,
        (name, players): (String, [String; 2]),
    ) -> FinishedGame {
        FinishedGame {
            name,
            number: game.number.map(|number| number.0),
            players,
            id: game.id,
            playing,
            played: game.record.outcome.clone(),
        }
    }

    /// Result and end under the arbiter's decisions.
    fn end(&self, decisions: &Decisions) -> (&'static str, String) {
        let counts = decisions.outcome(self.id, self.playing, &self.played);
        counts.map_or(("", "does not count".to_owned()), |outcome| {
            (outcome.result(), outcome.to_string())
        })
    }
}

/// All that a page is made of.
#[derive(Debug)]
pub(super) struct PageParts {
    pub(super) folder: PathBuf,
    pub(super) view: EventView,
    pub(super) stage: PageStage,
    pub(super) boards: Boards,
    pub(super) finished: VecDeque<FinishedGame>,
    pub(super) coming: Coming,
    /// The drawings.
    pub(super) figures: String,
    /// What went wrong in this run.
    pub(super) warnings: Vec<String>,
    /// The first lines with all statistics; only when the event is over.
    pub(super) said: FirstLines,
}

/// A pair of the plan that has not been played yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ComingPair {
    pub(crate) pair: PairId,
    /// The start number, if the start has one.
    pub(crate) number: Option<u32>,
    /// White and Black of the first game.
    pub(crate) seats: [Seat; 2],
}

/// The pairs in the order in which they will begin.
#[derive(Debug, Default)]
pub(super) struct Coming {
    pub(super) pairs: VecDeque<ComingPair>,
    /// How many have begun.
    pub(super) begun: u64,
}

impl Coming {
    /// A list of these pairs.
    pub(super) fn new(pairs: Vec<ComingPair>) -> Coming {
        let pairs = VecDeque::from(pairs);
        Coming { pairs, begun: 0 }
    }

    /// A game of the pair has begun, or is over.
    pub(super) fn begins(&mut self, pair: PairId) {
        // Pairs begin in about this order, so this one is near the front.
        let place = self.pairs.iter().position(|known| known.pair == pair);
        if let Some(place) = place {
            self.pairs.remove(place);
            self.begun += 1;
        }
    }

    /// The next pairs, at most `most`, and the number of those after them.
    pub(super) fn next(&self, most: usize) -> (impl Iterator<Item = &ComingPair>, usize) {
        let rest = self.pairs.len().saturating_sub(most);
        (self.pairs.iter().take(most), rest)
    }
}

/// The page of an event at this moment, with or without a script.
pub(super) fn page(parts: &PageParts) -> String {
    let title = parts.view.read(|event| event.roster().event.clone());
    let state = html! { p #state .what role="status" { (state(parts)) } };
    let content = html! {
        noscript { p.warning { "Without its script this page has no boards, and shows the event as it was when it was loaded. While the event is played it is loaded again every 15 seconds." } }
        h2.unseen { "The event" }
        h3.unseen { "Results" }
        div #tables .blocks { (tables(parts)) }
        div #boards .boards data-lanes=(parts.boards.lanes()) {}
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
pub(super) fn index(together: &FirstLines, events: &[(usize, [String; 2])]) -> String {
    let content = html! {
        (answers(together))
        ul.events { @for (place, [name, said]) in events { li { a href=(format!("{place}/")) { (name) } (said) } } }
    };
    whole("Events", &html! {}, &content, Origin::Server)
}

/// Where the event stands, and where its running games are if not here.
fn state(parts: &PageParts) -> String {
    let phase = parts.view.read(EventState::phase);
    match (parts.stage, phase) {
        (PageStage::Stored, EventPhase::Over) | (PageStage::Playing | PageStage::Over, _) => {
            phase.to_string()
        }
        (PageStage::Stored, _) => format!(
            "{phase} From the event's store: the running games are on the page that run --web shows."
        ),
    }
}

/// What is computed from the facts: the first lines, results, coming games, the last games.
pub(super) fn tables(parts: &PageParts) -> Markup {
    let results = |event: &EventState| results(event.roster(), event.board(), &Ratings::new(), "");
    html! {
        (first(parts))
        @for words in &parts.warnings { p.warning.span { (printable(words)) } }
        (parts.view.read(results))
        (pairings(parts, true))
        (block("two", "Last games", &last_games(parts)))
        (coming(parts))
    }
}

fn last_games(parts: &PageParts) -> Markup {
    let finished = parts.view.read(|event| {
        let decisions = &event.roster().decisions;
        let with_end = |game: &FinishedGame| (game.clone(), game.end(decisions));
        parts.finished.iter().map(with_end).collect::<Vec<_>>()
    });
    html! {
        @if finished.is_empty() { p { "No game is finished yet." } }
        @else {
            div.wide tabindex="0" role="region" aria-label="Last games" { table.results {
                thead { tr { th { "game" } th { "start" } th { "White" } th { "Black" } th { "result" } th { "end" } } }
                tbody { @for (game, (result, end)) in finished { tr {
                    td { a href=(format!("#game={}", game.name)) { (game.name) } }
                    td { @if let Some(number) = game.number { (number) } }
                    td.name { (game.players[0]) }
                    td.name { (game.players[1]) }
                    td.result { (result) }
                    td.end { (printable(&end)) }
                } } }
            } }
        }
    }
}

/// Who meets whom in this round and the next, or in the next alone, of an event in rounds that is not over.
fn pairings(parts: &PageParts, only_next: bool) -> Markup {
    let rounds = parts.view.read(EventState::pairings).unwrap_or_default();
    html! {
        @for round in rounds.iter().filter(|round| round.provisional || !only_next) { div.block {
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

/// The same as a page that prints.
pub(super) fn pairings_page(parts: &PageParts) -> Option<String> {
    let title = parts.view.read(|event| {
        let contest = event.board().contest()?;
        let shown = event.pairings().into_iter().flatten().next();
        let round = shown.map_or(contest.history().last_round(), |shown| shown.round);
        Some(format!("{}, round {round}", event.roster().event))
    })?;
    let content = html! { div.blocks { (pairings(parts, false)) } };
    Some(whole(&title, &html! {}, &content, Origin::Server))
}

/// The pairs that begin next, if the plan has any.
fn coming(parts: &PageParts) -> Markup {
    if parts.coming.pairs.is_empty() || parts.stage != PageStage::Playing {
        return Markup::default();
    }
    let (next, rest) = parts.coming.next(COMING);
    let rows = next.map(|coming| {
        let name = |seat| parts.view.read(|event| event.roster().name(seat));
        html! { tr {
            td { (coming.pair.0 + 1) }
            td { @if let Some(number) = coming.number { (number) } }
            td.name { (name(coming.seats[0])) }
            td.name { (name(coming.seats[1])) }
        } }
    });
    let content = html! {
        div.wide { table.coming {
            thead { tr { th { "pair" } th { "start" } th { "White first" } th { "Black first" } } }
            tbody { @for row in rows { (row) } }
        } }
        @if rest > 0 { p.what { "and " (count(rest, "more pair")) } }
    };
    block("", "Coming pairs", &content)
}

/// The first lines. While games are played they contain only values that stay valid under repeated looks; else, those
/// of the statistics, as `status` has them.
fn first(parts: &PageParts) -> Markup {
    let lines =
        parts.view.read(
            |event| match event.is_over() || parts.stage == PageStage::Stored {
                true if !parts.said.is_empty() => parts.said.clone(),
                _ => first_lines(&Verdict::of_event(event, None)),
            },
        );
    answers(&lines)
}

fn addresses(parts: &PageParts) -> Markup {
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
