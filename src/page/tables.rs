//! Standings and crosstable of the report and of the live page, and the writer of tables and texts.

use maud::{Markup, html};

use super::rounds::{games_of, rounds};
use crate::report::tables::{
    FEW_GAMES, HOW_FAR, LEGEND, all_against_all, by_rounds, order_line, standings_table,
};
use crate::report::tie_break_lines;
use crate::text::{Column, ColumnUnit, Table, TextPart, count};
use crate::tournament::{
    Ratings, Roster, Scoreboard, StageBoard, decision_lines, entrant_lines, ruling_lines,
    unusual_games,
};

/// Longer lists than this are folded.
const FEW: usize = 3;

/// How far the event is, and which engines are out.
fn progress(roster: &Roster, board: &Scoreboard) -> Markup {
    html! {
        p.source {
            (count(board.games(), "game")) " and " (count(board.pairs(), "complete pair")) " counted"
            @if let Some((planned, missing)) = board.planned_games().zip(board.missing_games()) {
                " of " (count(planned, "game")) " planned; missing: " (missing)
            }
            @for (name, words) in unusual_games(board) { "; " (name) ": " (words) }
            @if roster.voided_games > 0 { "; " (count(roster.voided_games, "voided game")) " in the log" }
            "."
            @if let Some(label) = &roster.adaptive { " Adaptive: " (label) "." }
        }
        @for line in ruling_lines(board).into_iter().chain(entrant_lines(roster)) { p.warning { (line) } }
    }
}

/// What the arbiter has decided.
fn book(roster: &Roster) -> Markup {
    let lines = decision_lines(roster);
    html! {
        @if !lines.is_empty() { (block("two", "The arbiter's book", &html! { ul { @for line in lines { li { (line) } } } })) }
    }
}

/// A part of a section under its title; `room` says how many columns of the page it takes: one, `two`, or all (`span`).
pub(crate) fn block(room: &str, title: &str, content: &Markup) -> Markup {
    html! { div class=(format!("block {room}").trim_end()) { h4 { (title) } (content) } }
}

/// The commands that compute a section again.
pub(super) fn commands(all: &[String]) -> Markup {
    html! { p.source.span { "Computed by" @for command in all { " " code { (command) } } } }
}

/// The results of an event: of a tree the bracket comes first, and Elo says nothing; the rounds of a contest say
/// more than its crosstable. `prefix` begins the addresses of games.
pub(crate) fn results(
    roster: &Roster,
    board: &Scoreboard,
    ratings: &Ratings,
    prefix: &str,
) -> Markup {
    let contest = board.contest();
    let is_tree = contest.is_some_and(|contest| contest.progress().is_some());
    let games = format!("#{prefix}");
    let stages = board.stages_from_last();
    if !stages.is_empty() {
        return html! {
            @for stage in &stages { (of_stage(stage, board, &games)) }
            h3.span { (HOW_FAR) }
            (standings(roster, board, &Ratings::new()))
            (book(roster))
        };
    }
    let rounds = rounds_block(board, (1, 1), board, &games);
    html! {
        @if is_tree { (rounds) (standings(roster, board, &Ratings::new())) }
        @else {
            (standings(roster, board, ratings))
            @if !roster.is_self_play() && roster.participants.len() > 1 { (crosstable(board, &games)) }
            (rounds)
        }
        (book(roster))
    }
}

/// A group of a stage: its bracket, or its table and its rounds.
fn of_stage(stage: &StageBoard, event: &Scoreboard, games: &str) -> Markup {
    let (part, board) = (&stage.part, &stage.board);
    let first = (part.rounds.start, part.boards.start);
    let is_tree = part.rules.progress(&part.history).is_some();
    let content = html! {
        (table(&part.name, &standings_table(board, &Ratings::new(), usize::MAX)))
        (equal_points(board))
        @if !part.is_played() { p.source { "Not over." } }
    };
    html! {
        h3.span { (part.name) }
        @if !is_tree { (block("two", "Standings", &content)) }
        (rounds_block(board, first, event, games))
    }
}

/// The rounds of an event or of a group in their block; nothing where there are none.
fn rounds_block(board: &Scoreboard, first: (u16, u16), event: &Scoreboard, games: &str) -> Markup {
    let drawn = rounds(board, first, event, games);
    drawn.map_or_else(Markup::default, |(title, drawn)| {
        block("span", title, &drawn)
    })
}

/// The standings with their tie-breaks and these ratings.
fn standings(roster: &Roster, board: &Scoreboard, ratings: &Ratings) -> Markup {
    let tie_breaks = board.tie_breaks().iter();
    let tie_breaks: Vec<&str> = tie_breaks.map(|rule| rule.words()).collect();
    let contest = board.contest();
    let is_tree = contest.is_some_and(|contest| contest.places().is_some());
    // No tie-break orders a tree or stages, nor says it anything of two, or of copies.
    let is_ordered = !is_tree && !roster.is_self_play() && board.participants().len() > 2;
    let shown = standings_table(board, ratings, if is_ordered { usize::MAX } else { 0 });
    let is_rated = shown.heads.iter().any(|(head, _)| head == "Elo");
    let content = html! {
        (table("Standings", &shown))
        @if let Some(words) = order_line(board, ratings) { p { (words) } }
        @if is_ordered { (equal_points(board)) }
        (progress(roster, board))
        p.source { @if roster.is_self_play() { "Sanity check: one engine plays itself, so its copies should be equal." } @else if is_tree { "Engines are ordered by how far they came." }
             @else if is_ordered { "Engines with equal points are ordered by " (tie_breaks.join(", ")) "." } @if is_rated { " Elo is the rating by all games together, ± its 95 % interval." } }
    };
    block("two", "Standings", &content)
}

/// The heads of these columns.
pub(super) fn heads<R>(columns: &[Column<R>]) -> Markup {
    html! { @for column in columns { (head(column.unit, column.head)) } }
}

/// The cells of a row. A page has room for whole names.
pub(super) fn cells<R>(columns: &[Column<R>], row: &R) -> Markup {
    html! { @for column in columns { (cell(column.unit, &column.shown(row), None)) } }
}

/// The head of a column; words begin at the left.
fn head(unit: ColumnUnit, head: &str) -> Markup {
    html! { th.w[unit.is_words()] { (head) } }
}

/// A cell; a name is the head of its row.
fn cell(unit: ColumnUnit, shown: &str, column: Option<&String>) -> Markup {
    html! {
        @if unit == ColumnUnit::Name { th scope="row" data-name=[column] { (shown) } }
        @else if unit.is_words() { td.w data-name=[column] { (shown) } }
        @else { td data-name=[column] { (shown) } }
    }
}

/// A table as wide as it is, which scrolls where the screen is narrower.
pub(super) fn table(name: &str, table: &Table) -> Markup {
    html! { div.wide tabindex="0" role="group" aria-label=(name) { table.numbers { (filled(table, false)) } } }
}

/// Head and rows; in stacked ones each cell has the name of its column.
fn filled(table: &Table, is_stacked: bool) -> Markup {
    html! {
        thead { tr { @for (name, unit) in &table.heads { (head(*unit, name)) } } }
        tbody { @for row in &table.rows { tr {
            @for ((name, unit), shown) in table.heads.iter().zip(row) { (cell(*unit, shown, is_stacked.then_some(name))) }
        } } }
    }
}

/// A text of statistics: lines with their labels, paragraphs, and tables whose rows become blocks below each other on a
/// narrow screen.
pub(super) fn document(parts: &[TextPart]) -> Markup {
    html! {
        dl.words {
            @for part in parts {
                @match part {
                    TextPart::Title(text) => dd.whole { b { (text) } },
                    TextPart::Paragraph(text) => dd.whole { (text) },
                    TextPart::Line(label, text) => { dt { (label) } dd { (text) } },
                    TextPart::Table(table) => dd.whole { table.numbers.stacked { (filled(table, true)) } },
                }
            }
        }
    }
}

/// The reasons for the order of engines with equal points.
fn equal_points(board: &Scoreboard) -> Markup {
    let lines = tie_break_lines(board);
    html! {
        @if lines.len() > FEW {
            details { summary { "Why engines with equal points stand as they do" } ul { @for line in &lines { li { (line) } } } }
        } @else {
            @for line in &lines { p { (line) } }
        }
    }
}

/// Characters of a row that fit on paper, in small print, and on a page on its side; and those between two columns.
const PAPER: [[usize; 2]; 3] = [[100, 2], [138, 2], [226, 2]];

/// Of an event in rounds by rounds, else of all against all; a cell opens its games. A table wider than paper is printed
/// in parts, one below the other.
fn crosstable(board: &Scoreboard, games: &str) -> Markup {
    let by_rounds = by_rounds(board, &Ratings::new(), FEW_GAMES);
    let legend = by_rounds.as_ref().map(|_| LEGEND);
    let table = by_rounds.unwrap_or_else(|| all_against_all(board));
    let [usual, small, broad] = PAPER.map(|room| table.parts(room));
    let is_broad = small.len() > 1;
    let order = board.order();
    let address = |row: usize, head: &str, cell: &str| {
        head.parse::<usize>().ok()?;
        // By rounds the cell says who the opponent is, else the head of the column.
        let opponent = if legend.is_some() { cell } else { head };
        let end = opponent.find(|character: char| !character.is_ascii_digit());
        let number: usize = opponent[..end.unwrap_or(opponent.len())].parse().ok()?;
        let has_games = legend.is_some() || cell.contains('/');
        has_games.then(|| games_of(games, order[row], order[number - 1]))
    };
    html! {
        div.block.two.small[usual.len() > 1].broad[is_broad] {
            h4 { "Crosstable" }
            div.wide.on-screen[is_broad] tabindex="0" role="group" aria-label="Crosstable" { (crossed(&table, address)) }
            @if is_broad { @for part in &broad { div.printed { (crossed(part, address)) } } }
            @if let Some(legend) = legend { p.source { (legend) } }
        }
    }
}

/// A table with an address for cells that have one, by row, head and text.
fn crossed(table: &Table, address: impl Fn(usize, &str, &str) -> Option<String>) -> Markup {
    html! {
        table.cross {
            thead { tr { @for (name, _) in &table.heads { th { (name) } } } }
            tbody { @for (row, cells) in table.rows.iter().enumerate() { tr {
                @for ((head, unit), shown) in table.heads.iter().zip(cells) {
                    @if *unit == ColumnUnit::Name { th scope="row" { (shown) } }
                    @else if let Some(address) = address(row, head, shown) { td { a href=(address) { (shown) } } }
                    @else { td { (shown) } }
                }
            } } }
        }
    }
}
