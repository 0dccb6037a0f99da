//! The section for organisers of an event: standings, crosstable, rounds, and the games for the viewer.

use maud::{Markup, PreEscaped, html};

use crate::analysis::EventKind;
use crate::referee::end_words;
use crate::report::statistics::{ratings_beside, unrated_words};

use super::facts::{EventFacts, GamesSource, place};
use super::games::ListedGame;
use super::tables::{block, commands, results};

/// A list with more games than this is not printed: nobody reads a hundred printed pages of it.
const MAX_PRINTED_GAMES: usize = 200;

/// The section.
pub(super) fn section(facts: &EventFacts, prefix: &str) -> Markup {
    html! {
        (results(&facts.roster, &facts.board, &ratings_beside(&facts.statistics), prefix))
        @if facts.verdict.kind != EventKind::Tree && facts.statistics.engines.len() > 2 {
            @if let Some(words) = unrated_words(&facts.statistics) { p.span { (words) } }
        }
        (games(facts, prefix))
        (commands(&[facts.command_of_event("status", ""), facts.command_of_event("export", "--format csv")]))
    }
}

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
            noscript { p { "The games can be played through on a board in a browser that runs this page's script." } }
            script type="application/octet-stream" data-games=(prefix) { (PreEscaped(&facts.moves)) }
            p.filter hidden { span {} " " button type="button" { "show all games" } }
            @if facts.games.len() > MAX_PRINTED_GAMES {
                p.printed { "Not printed: the list of " (facts.games.len()) " games. " code { (command) } " has it too." }
            }
            div.wide.scroll.many-games[facts.games.len() > MAX_PRINTED_GAMES] tabindex="0" role="region" aria-label="List of games" { table.games data-prefix=(prefix) {
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
