//! The entrance of who runs an event: standings, crosstable, games, and the board.

use maud::{Markup, html};

use crate::chess::Color;
use crate::report::statistics::elo;
use crate::report::{tie_break_lines, tie_break_words};
use crate::stats::elo::elo_from_score;
use crate::store::ResultRow;
use crate::tournament::{decision_lines, ruling_lines};

use super::facts::EventFacts;

/// The section.
pub(super) fn section(facts: &EventFacts, prefix: &str) -> Markup {
    html! {
        section id=(format!("{prefix}organiser")) aria-labelledby=(format!("{prefix}organiser-title")) {
            h3 id=(format!("{prefix}organiser-title")) { "Organiser: results and games" }
            (progress(facts))
            (standings(facts))
            @if facts.roster.participants.len() > 1 { (crosstable(facts, prefix)) }
            (games(facts, prefix))
        }
    }
}

fn progress(facts: &EventFacts) -> Markup {
    let board = &facts.board;
    html! {
        p {
            (board.games()) " games and " (board.pairs()) " complete pairs are counted"
            @if let Some(planned) = facts.roster.planned_games {
                " of " (planned) " games planned; " (board.missing_games(planned)) " are missing"
            }
            @if facts.roster.voided_games > 0 { "; " (facts.roster.voided_games) " voided games are in the log" }
            "."
            @if let Some(label) = &facts.roster.adaptive { " Adaptive: " (label) "." }
        }
        @for line in ruling_lines(board) { p.warning { (line) } }
        @if facts.roster.decisions.len() > 0 {
            h4 { "The arbiter's book" }
            ul { @for line in decision_lines(&facts.roster) { li { (line) } } }
        }
    }
}

fn standings(facts: &EventFacts) -> Markup {
    let board = &facts.board;
    let tie_breaks = board.tie_breaks().iter();
    let tie_breaks: Vec<&str> = tie_breaks.map(|rule| tie_break_words(*rule)).collect();
    html! {
        h4 { "Standings" }
        @if facts.roster.is_self_play() {
            p { "Sanity check: one engine plays itself, so its copies should be equal." }
        }
        div.wide { table {
            thead { tr { th { "#" } th { "engine" } th { "points" } th { "games" } th { "W−D−L" } th { "with White" } th { "Elo" } th { "SB" } th { "pairs won 2−0" } } }
            tbody { @for row in board.standings() {
                @let index = usize::from(row.engine);
                @let [white, black] = board.by_color(index);
                @let total = white.plus(black);
                @let score = total.score().filter(|score| *score > 0.0 && *score < 1.0);
                tr {
                    td { (row.place) }
                    th scope="row" { (board.participants()[index].name) }
                    td { (format!("{:.1}", row.points())) }
                    td { (total.games()) }
                    td { (total.wins) "−" (total.draws) "−" (total.losses) }
                    td { (white.wins) "−" (white.draws) "−" (white.losses) }
                    td { @match score { Some(score) => (elo(elo_from_score(score))), None => "-" } }
                    td { (format!("{:.2}", row.sonneborn_berger_points())) }
                    td { (row.double_wins) }
                }
            } }
        } }
        @for line in tie_break_lines(board) { p { (line) } }
        p.source { "Engines with equal points are ordered by " (tie_breaks.join(", ")) ". Elo is the difference to the opponents met. Computed by "
            code { (facts.command("status", "")) } }
    }
}

/// Points of each against each other; a cell opens its games.
fn crosstable(facts: &EventFacts, prefix: &str) -> Markup {
    let board = &facts.board;
    let order: Vec<usize> = board
        .standings()
        .iter()
        .map(|row| usize::from(row.engine))
        .collect();
    html! {
        h4 { "Crosstable" }
        div.wide { table {
            thead { tr { th { "#" } th { "engine" } @for place in 1..=order.len() { th { (place) } } } }
            tbody { @for (place, row) in order.iter().enumerate() { tr {
                td { (place + 1) }
                th scope="row" { (board.participants()[*row].name) }
                @for column in &order {
                    @let games = board.encounter(*row, *column).total();
                    td {
                        @if row == column { "·" }
                        @else if games.games() == 0 { "-" }
                        @else {
                            a href=(format!("#{prefix}games-players-{row}-{column}")) {
                                (format!("{:.1}/{}", games.points(), games.games()))
                            }
                        }
                    }
                }
            } } }
        } }
    }
}

fn games(facts: &EventFacts, prefix: &str) -> Markup {
    let hidden = facts.all_games - facts.games.len() as u64;
    let command = facts.command("export", "--format csv");
    html! {
        h4 id=(format!("{prefix}games")) { "Games" }
        @if facts.games.is_empty() { p { "No game is finished yet." } }
        @else {
            @if hidden > 0 {
                p.warning { "This page holds " (facts.games.len()) " of " (facts.all_games) " games, those with a fault first, then in the order of finishing. All of them: "
                    code { (command) } ", and games.pgn." }
            }
            (viewer(prefix))
            p.filter hidden { span {} " " button type="button" { "show all games" } }
            div.wide.scroll tabindex="0" role="region" aria-label="List of games" { table.games data-prefix=(prefix) {
                thead { tr { th { "game" } th { "start" } th { "White" } th { "Black" } th { "result" } th { "end" } th { "plies" } } }
                tbody { @for game in &facts.games { (game_row(facts, prefix, game)) } }
            } }
            p.source { "computed by " code { (command) } }
        }
    }
}

fn game_row(facts: &EventFacts, prefix: &str, game: &ResultRow) -> Markup {
    let round = game.id.round();
    let [white, black] = Color::ALL.map(|color| facts.place(game, color));
    html! {
        tr id=(format!("{prefix}game-{round}")) data-p=(format!("{white} {black}")) data-s=[game.number.map(|number| number.0)] {
            td { a href=(format!("#{prefix}game-{round}")) { (round) } }
            td { @if let Some(number) = game.number { (number) } }
            td { (facts.roster.name(game.seats[0])) }
            td { (facts.roster.name(game.seats[1])) }
            td { (game.outcome.result()) }
            td { (game.outcome.reason()) }
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
