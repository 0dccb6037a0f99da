//! The sections of a page: results and games, the engines, the first move, and several events beside each other.

use std::time::Duration;

use maud::{Markup, PreEscaped, html};

use crate::analysis::{ComparisonReport, EventKind};
use crate::referee::end_words;
use crate::report::comparison::comparison;
use crate::report::statistics::{
    PlayedStart, all_played, first_move_section, ratings_beside, unrated_words,
};
use crate::report::variations::{RARE, variation_lines};
use crate::store::FlagFalls;
use crate::text::{Table, count, duration, duration_of_seconds};

use super::charts::{figures, two_maps};
use super::facts::{EventFacts, GamesSource, place};
use super::games::ListedGame;
use super::tables::{block, cells, commands, document, heads, results, table};

/// A list with more games than this is not printed: nobody reads a hundred printed pages of it.
const PRINTED: usize = 200;

/// Fewer starts than this say nothing about the first move in an event that is not about it.
const FEWEST_STARTS: usize = 24;

/// A section: its name in links, its title and its content.
pub(super) type PageSection = (&'static str, &'static str, fn(&EventFacts, &str) -> Markup);

const RESULTS: PageSection = ("organiser", "Results and games", of_results);
const ENGINES: PageSection = ("developer", "The engines", of_engines);
const STARTS: PageSection = ("researcher", "The first move", of_starts);

/// In the order of what such an event is played for; one without anything to say is left out.
pub(super) fn sections(facts: &EventFacts) -> Vec<PageSection> {
    let kind = facts.verdict.kind;
    let mut sections = match kind {
        EventKind::SelfPlay => vec![STARTS, ENGINES, RESULTS],
        EventKind::Test | EventKind::Match => vec![ENGINES, RESULTS, STARTS],
        _ => vec![RESULTS, ENGINES, STARTS],
    };
    let starts = facts.statistics.first_move.advantage.positions.len();
    let fewest = if kind.is_contest() { FEWEST_STARTS } else { 1 };
    sections.retain(|(name, ..)| match *name {
        "researcher" => starts >= fewest,
        "developer" => !facts.games.is_empty(),
        _ => true,
    });
    sections
}

fn of_results(facts: &EventFacts, prefix: &str) -> Markup {
    let is_rated = facts.verdict.kind != EventKind::Tree && facts.statistics.engines.len() > 2;
    html! {
        (results(&facts.roster, &facts.board, &ratings_beside(&facts.statistics), prefix))
        @if let Some(words) = unrated_words(&facts.statistics).filter(|_| is_rated) { p.span { "Elo is shown where every engine has one. " (words) } }
        (games(facts, prefix))
        (commands(&[facts.command_of_event("status", ""), facts.command_of_event("export", "--format csv")]))
    }
}

/// The games, for the viewer.
pub(super) fn games(facts: &EventFacts, prefix: &str) -> Markup {
    let hidden = facts.all_games - facts.games.len() as u64;
    let command = facts.command_of_event("export", "--format csv");
    let listed = html! {
        @if facts.games.is_empty() { p { "No game is finished yet." } }
        @else {
            @if hidden > 0 {
                p.warning { "This page holds " (facts.games.len()) " of " (facts.all_games) " games."
                    @if facts.source == GamesSource::Store { " All of them: " code { (command) } ", and games.pgn." } }
            }
            noscript { p { "The games can be played through on a board, and figures are drawn, in a browser that runs this page's script." } }
            script type="application/octet-stream" data-games=(prefix) { (PreEscaped(&facts.moves)) }
            p.filter hidden { span {} " " button type="button" { "show all games" } }
            @if facts.games.len() > PRINTED {
                p.printed { "Not printed: the list of " (facts.games.len()) " games. " code { (command) } " has it too." }
            }
            div.wide.scroll.many-games[facts.games.len() > PRINTED] tabindex="0" role="group" aria-label="List of games" { table.games data-prefix=(prefix) {
                thead { tr { th { "game" } th { "start" } th { "White" } th { "Black" } th { "result" } th { "end" } th { "plies" } } }
                tbody { @for game in &facts.games { (game_row(facts, prefix, game)) } }
            } }
        }
    };
    block("span", "Games", &listed)
}

/// There are thousands of rows, so the style sheet defines the look of a column, and not each row.
fn game_row(facts: &EventFacts, prefix: &str, game: &ListedGame) -> Markup {
    let round = &game.round;
    let [white, black] = game.seats.map(|seat| place(&facts.roster, seat));
    html! {
        tr id=(format!("{prefix}game={round}")) data-p=(format!("{white}-{black}")) data-s=[game.start] {
            td { a href=(format!("#{prefix}game={round}")) { (round) } }
            td { @if let Some(number) = game.number { (number) } }
            td { (facts.roster.name(game.seats[0])) }
            td { (facts.roster.name(game.seats[1])) }
            td { (game.result) }
            td { (end_words(&game.reason)) }
            td { (game.plies) }
        }
    }
}

fn of_engines(facts: &EventFacts, prefix: &str) -> Markup {
    let names = match facts.verdict.kind {
        EventKind::Tree | EventKind::SelfPlay => "terminations time depth",
        _ => "sprt elo pairs terminations time depth",
    };
    let mut all = vec![facts.command("stats", "")];
    all.push(facts.command_of_event("export", "--format jsonl"));
    if facts.source == GamesSource::Store {
        all.push(facts.command("explain", "GAME"));
    }
    html! {
        (figures(prefix, names))
        div.stack { (block("", "Clocks and latency", &clocks(facts))) (variations(facts)) }
        (commands(&all))
    }
}

/// What is known about clocks, and about the runner's own latency.
fn clocks(facts: &EventFacts) -> Markup {
    let of_seats = || facts.timing.engines.values();
    let has_clock = of_seats().any(|timing| timing.least_left.is_some());
    let heads = ["engine", "longest search", "least left on its clock"];
    let columns = if has_clock { 3 } else { 2 };
    let mut known = Table::new(&heads[..columns], &[0]);
    let words = |value: Option<f64>, none: &str| value.map_or(none.to_owned(), duration_of_seconds);
    for entry in &facts.roster.participants {
        let timing = facts.timing.engines.get(&entry.seat);
        known.rows.extend(timing.map(|timing| {
            let longest = words(timing.longest, "not known");
            let least = words(timing.least_left, "no clock");
            let row = [entry.name.clone(), longest, least];
            row.into_iter().take(columns).collect()
        }));
    }
    html! {
        (table("Clocks", &known))
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

/// Expected lines that do not hold; where nothing was looked at there is nothing to say.
fn variations(facts: &EventFacts) -> Markup {
    let found = facts.variations.as_ref();
    // As at the end of the run; that few are wrong is said all the same.
    let lines = found.map(|found| variation_lines(found, facts.all_games, RARE));
    let any = found.is_some_and(|found| found.engines.iter().any(|engine| engine.flawed() > 0));
    let told = html! {
        @match &lines {
            None => p { "Not looked at: " code { (facts.command("stats", "--moves")) } },
            Some(lines) if lines.is_empty() && any => p { "Of no engine more than one in a hundred is wrong. Which: " code { (facts.command("stats", "--moves")) } },
            Some(lines) if lines.is_empty() => p { "Every variation that was looked at holds." },
            Some(lines) => { ul { @for line in lines { li.more[line.starts_with(' ')] { (line.trim().replace('`', "")) } } } }
        }
    };
    html! { @if facts.source == GamesSource::Store { (block("", "Principal variations", &told)) } }
}

/// What can be said about the first move, the map of start numbers and the table of positions.
fn of_starts(facts: &EventFacts, prefix: &str) -> Markup {
    let statistics = &facts.statistics;
    // The page has a title of its own.
    let said = document(&first_move_section(statistics).0[1..]);
    html! {
        (figures(prefix, "estimates map"))
        (block("two", "What can and cannot be said", &said))
        (figures(prefix, "white effects twins funnel"))
        div.block.span { (positions(prefix, &all_played(statistics))) }
        (commands(&[facts.command("stats", ""), facts.command("stats", "--by position --format csv")]))
    }
}

/// The table of all positions, with links to their games.
fn positions(prefix: &str, played: &[PlayedStart<'_>]) -> Markup {
    html! {
        details id=(format!("{prefix}positions")) {
            summary { @if played.len() == 1 { "Table of the position" } @else { "Table of all " (played.len()) " positions" } }
            p { "In the order of start numbers: an order by estimate would look like a ranking." }
            div.wide tabindex="0" role="group" aria-label="Table of positions" { table.numbers {
                thead { tr { (heads(&[PlayedStart::NUMBER])) (heads(&PlayedStart::ON_PAGE)) } }
                tbody { @for one in played {
                    tr id=(format!("{prefix}start={}", one.start.start)) {
                        td { a href=(format!("#{prefix}games-of={}", one.start.start)) { (one.label()) } }
                        (cells(&PlayedStart::ON_PAGE, one))
                    }
                } }
            } }
        }
    }
}

/// Every two maps of the advantage; if they cannot be compared, the reason.
pub(super) fn compared(events: &[EventFacts], found: Result<&ComparisonReport, &str>) -> Markup {
    let paths: Vec<String> = events.iter().map(EventFacts::path).collect();
    html! {
        section #compared .blocks aria-labelledby="compared-title" {
            h3 #compared-title { "The events beside each other" }
            @match found {
                Ok(report) => {
                    div.block.span { (document(&comparison(report).0)) }
                    @for (place, pair) in report.pairs.iter().enumerate() {
                        (two_maps(place, &report.maps[pair.first].map, &report.maps[pair.second].map))
                    }
                }
                Err(why) => p.warning { "Their maps of the advantage cannot be compared: " (why) },
            }
            (commands(&[format!("arbiter960 compare {}", paths.join(" "))]))
        }
    }
}
