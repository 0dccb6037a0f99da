//! The section for organisers of an event: standings, crosstable, rounds, games, and the board.

use maud::{Markup, html};

use crate::analysis::EventKind;
use crate::referee::end_words;
use crate::report::statistics::{ratings_beside, unrated_words};

use super::facts::{EventFacts, GamesSource, place};
use super::packed::ListedGame;
use super::tables::{crosstable, progress, rounds, standings};

/// A list with more games than this is not printed: nobody reads a hundred printed pages of it.
const PRINTED: usize = 200;

/// The section.
pub(super) fn section(facts: &EventFacts, prefix: &str) -> Markup {
    html! {
        (progress(&facts.roster, &facts.board))
        (standings(&facts.roster, &facts.board, &ratings_beside(&facts.statistics), &facts.command_of_event("status", "")))
        @if facts.verdict.kind != EventKind::Tree && facts.statistics.engines.len() > 2 {
            @if let Some(words) = unrated_words(&facts.statistics) { p { (words) } }
        }
        @if facts.roster.participants.len() > 1 { (crosstable(&facts.board, Some(&format!("#{prefix}")))) }
        (rounds(&facts.board, &format!("#{prefix}")).unwrap_or_default())
        (games(facts, prefix))
    }
}

pub(super) fn games(facts: &EventFacts, prefix: &str) -> Markup {
    let hidden = facts.all_games - facts.games.len() as u64;
    let command = facts.command_of_event("export", "--format csv");
    html! {
        h4 id=(format!("{prefix}games")) { "Games" }
        @if facts.games.is_empty() { p { "No game is finished yet." } }
        @else {
            @if hidden > 0 {
                p.warning { "This page holds " (facts.games.len()) " of " (facts.all_games) " games."
                    @if facts.source == GamesSource::Store { " All of them: " code { (command) } ", and games.pgn." } }
            }
            (viewer(prefix))
            p.filter hidden { span {} " " button type="button" { "show all games" } }
            @if facts.games.len() > PRINTED {
                p.printed { "Not printed: the list of " (facts.games.len()) " games. " code { (command) } " has it too." }
            }
            div.wide.scroll.many-games[facts.games.len() > PRINTED] tabindex="0" role="region" aria-label="List of games" { table.games data-prefix=(prefix) {
                thead { tr { th { "game" } th { "start" } th { "White" } th { "Black" } th { "result" } th { "end" } th { "plies" } } }
                tbody { @for game in &facts.games { (game_row(facts, prefix, game)) } }
            } }
            p.source { "computed by " code { (command) } }
        }
    }
}

/// There are thousands of rows, so the style sheet defines the look of a column, and not each row.
fn game_row(facts: &EventFacts, prefix: &str, game: &ListedGame) -> Markup {
    let round = &game.round;
    let [white, black] = game.seats.map(|seat| place(&facts.roster, seat));
    html! {
        tr id=(format!("{prefix}game-{round}")) data-p=(format!("{white} {black}")) data-s=[game.start] {
            td { a href=(format!("#{prefix}game-{round}")) { (round) } }
            td { @if let Some(number) = game.number { (number) } }
            td { (facts.roster.name(game.seats[0])) }
            td { (facts.roster.name(game.seats[1])) }
            td { (game.result) }
            td { (end_words(&game.reason)) }
            td { (game.plies) }
        }
    }
}

/// The board, which the script shows once it has unpacked the moves.
fn viewer(prefix: &str) -> Markup {
    html! {
        p.unpacking data-prefix=(prefix) { "The games can be played through on a board in a browser that runs this page's script." }
        div.viewer id=(format!("{prefix}viewer")) data-prefix=(prefix) hidden tabindex="0" role="group" aria-label="Board. Arrow keys: back and forward; Home and End; F turns the board" {
            div.players { p.black {} p.white {} }
            svg.board viewBox="0 0 376 376" role="img" aria-label="Board" {}
            div.beside {
                h5.title {}
                p.start {}
                div.buttons {
                    button type="button" data-go="first" aria-label="To the start" { "|◀" }
                    button type="button" data-go="back" aria-label="One move back" { "◀" }
                    button type="button" data-go="forward" aria-label="One move forward" { "▶" }
                    button type="button" data-go="last" aria-label="To the end" { "▶|" }
                    button type="button" data-go="turn" aria-label="Turn the board" { "⇅" }
                    button type="button" data-go="before" { "previous game" }
                    button type="button" data-go="next" { "next game" }
                }
                p.now aria-live="polite" {}
                svg.evaluations viewBox="0 0 360 120" role="img" aria-label="Evaluations of both engines from White's view" {}
                p.curves { span."swatch"."e0" {} span.white {} " " span."swatch"."e1" {} span.black {} }
                div.moves tabindex="0" role="region" aria-label="Moves" {}
            }
        }
    }
}
