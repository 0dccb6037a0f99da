//! The section about the value of the first move: what can be said, the map of start numbers with a cell for each whose
//! colour is the estimate, and the table of positions.

use std::cmp::Ordering;

use maud::{Markup, html};

use crate::analysis::EventStatistics;
use crate::report::statistics::{PlayedStart, all_played, first_move_section};
use crate::text::{CellValue, Column};

use super::charts::white_narrowing;
use super::facts::EventFacts;
use super::plot::{Data, Figure, download, field};
use super::spread::{caterpillar, funnel, raw_and_shrunken, true_effects, twins};
use super::tables::{block, cells, commands, document, heads};

/// The section.
pub(super) fn section(facts: &EventFacts, prefix: &str) -> Markup {
    let statistics = &facts.statistics;
    let positions = all_played(statistics);
    html! {
        @if positions.is_empty() { p { "No game is finished yet." } }
        @else {
            // The page has a title of its own.
            (block("two", "What can and cannot be said", &document(&first_move_section(statistics).0[1..])))
            (figures(facts, prefix, &positions))
            div.block.span { (table(prefix, &positions)) }
            (commands(&[facts.command("stats", ""), facts.command("stats", "--by position --format csv")]))
        }
    }
}

/// The part that grows while an event is played.
pub(super) fn growing(facts: &EventFacts, prefix: &str) -> Markup {
    let positions = all_played(&facts.statistics);
    let figure = |name, title, drawn| figure(prefix, name, title, drawn);
    // A page that grows has no table of positions, to which cells lead.
    let has_table = !facts.games.is_empty();
    html! {
        (white_narrowing(facts, prefix).unwrap_or_default())
        @if has_map(&positions) {
            (figure("map", "The start numbers", heat_map(&facts.statistics, (prefix, has_table), &positions)))
        }
        @if let Some(drawn) = caterpillar(&positions) {
            (figure("estimates", "Estimates with intervals", drawn))
        }
    }
}

fn has_map(positions: &[PlayedStart<'_>]) -> bool {
    positions.len() >= MIN_MAPPED && positions.iter().any(|one| one.report.elo.is_some())
}

fn figure(prefix: &str, name: &str, title: &str, (drawing, text): (Markup, String)) -> Markup {
    let figure = Figure {
        id: format!("{prefix}figure-{name}"),
        title,
        text,
        data: None,
    };
    figure.around(&drawing)
}

fn figures(facts: &EventFacts, prefix: &str, positions: &[PlayedStart<'_>]) -> Markup {
    let statistics = &facts.statistics;
    let figure = |name, title, drawn| figure(prefix, name, title, drawn);
    // Of few positions these say nothing.
    if positions.len() < MIN_MAPPED {
        return growing(facts, prefix);
    }
    html! {
        (growing(facts, prefix))
        @if let Some(drawn) = raw_and_shrunken(positions) {
            (figure("shrunken", "Raw and shrunken scores", drawn))
        }
        @if let Some(drawn) = true_effects(statistics) {
            (figure("effects", "Distribution of true effects", drawn))
        }
        @if let Some(drawn) = funnel(statistics, positions) {
            (figure("funnel", "Scores against games", drawn))
        }
        @if let Some(drawn) = twins(statistics, facts.roster.variant, positions) {
            (figure("twins", "Mirror twins", drawn))
        }
    }
}

/// The data of the positions, for download.
fn data(played: &[PlayedStart<'_>]) -> Data {
    let columns = PlayedStart::FOR_DOWNLOAD;
    let row = |row| columns.iter().map(|column| short(column, row)).collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    Data::new("positions.csv", &names.join(","), played.iter().map(row))
}

/// A field with few digits: there may be a thousand rows.
fn short<R>(column: &Column<R>, row: &R) -> String {
    match (column.value)(row) {
        CellValue::Real(value) => field(Some(value)),
        other => other.field(),
    }
}

/// The table of all positions, with links to their games.
fn table(prefix: &str, played: &[PlayedStart<'_>]) -> Markup {
    html! {
        details id=(format!("{prefix}positions")) {
            summary { @if played.len() == 1 { "Table of the position" } @else { "Table of all " (played.len()) " positions" } }
            p { "In the order of start numbers: an order by estimate would look like a ranking. " (download(&data(played))) }
            div.wide tabindex="0" role="region" aria-label="Table of positions" { table.numbers {
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

/// Number of cells in a row, and the side of a cell including the line next to it (`page.css` has the side without
/// it).
const COLUMNS: usize = 32;
const SIDE: usize = 20;

/// No map is drawn for fewer positions.
const MIN_MAPPED: usize = 24;

/// Number of colour classes on each side of the mean.
const CLASSES: f64 = 4.0;

/// The map, and the words that say what its colours mean.
fn heat_map(
    statistics: &EventStatistics,
    (prefix, has_table): (&str, bool),
    played: &[PlayedStart<'_>],
) -> (Markup, String) {
    let mean = statistics.first_move.advantage.mean.as_ref();
    let centre = mean.map_or(0.0, |mean| mean.elo);
    let estimates = played.iter().filter_map(|one| one.report.elo);
    let away = estimates.map(|elo| (elo - centre).abs());
    let widest = away.fold(1.0_f64, f64::max);
    let elo = |one: &PlayedStart<'_>| one.report.elo.unwrap_or(centre);
    let by_estimate = places(played, |a, b| elo(a).total_cmp(&elo(b)));
    let by_files = places(played, |a, b| king_and_rooks(a).cmp(&king_and_rooks(b)));
    let class = |one| (CLASSES * (elo(one) - centre) / widest).round() as i32;
    let (width, height) = (COLUMNS * SIDE, played.len().div_ceil(COLUMNS) * SIDE);
    let place = |index: usize| [index % COLUMNS * SIDE, index / COLUMNS * SIDE];
    let drawing = html! {
        @if has_table { fieldset.orders hidden data-map=(prefix) {
            legend { "Order" }
            @for (value, name) in [("n", "start number"), ("e", "estimate"), ("f", "files of king and rooks")] {
                label { input type="radio" name=(format!("{prefix}order")) value=(value) checked[value == "n"]; (name) }
            }
        } }
        svg.map id=(format!("{prefix}map")) viewBox=(format!("0 0 {width} {height}")) role="group" aria-label="Estimates by start number" {
            @for (index, one) in played.iter().enumerate() {
                @let [x, y] = place(index);
                @let drawn = html! {
                    rect class=(style(class(one), one)) x=(x) y=(y)
                        data-o=(format!("{index} {} {}", by_estimate[index], by_files[index])) {
                        title { (one.label()) " " (one.start.back_rank) " " (one.estimate()) }
                    }
                };
                @if has_table { a href=(format!("#{prefix}start={}", one.start.start)) tabindex="-1" { (drawn) } }
                @else { (drawn) }
            }
        }
        p.readout id=(format!("{prefix}readout")) aria-live="polite" { @if has_table { "Every cell is a row of the table below; with the Tab key arrows go from cell to cell. " } @if played.iter().any(|one| one.start.number == Some(518)) { "Number 518 has a frame." } }
        p.scale aria-hidden="true" {
            (format!("{:+.0} Elo", centre - widest)) " "
            @for class in -4..=4 { span class=(format!("swatch h{}", class + 4)) {} }
            (format!(" {:+.0} Elo", centre + widest))
        }
    };
    let words = format!(
        "A cell for each of {} start positions. Its colour is the estimate of White's advantage there, from {:+.0} to \
         {:+.0} Elo around the mean of {centre:+.0}. {} Estimates are drawn towards the mean by what is chance in them; neighbours in \
         the order by estimate are not told apart by that order.",
        played.len(),
        centre - widest,
        centre + widest,
        match played.iter().filter(|one| one.is_named()).count() {
            0 => "Every cell is faded: no position can be told from the average.".to_owned(),
            named =>
                format!("{named} in full colour can be told from the average; faded ones cannot."),
        }
    );
    (drawing, words)
}

fn style(class: i32, one: &PlayedStart<'_>) -> String {
    let standard = one.start.number == Some(518);
    let marked = if standard { " mark" } else { "" };
    // Positions that may be named have full colour; the others are faint.
    let faint = if one.is_named() { "" } else { " faint" };
    format!("h{}{marked}{faint}", class + 4)
}

/// The place of each position in this order; those that are equal keep theirs.
fn places(
    played: &[PlayedStart<'_>],
    order: impl Fn(&PlayedStart<'_>, &PlayedStart<'_>) -> Ordering,
) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..played.len()).collect();
    sorted.sort_by(|a, b| order(&played[*a], &played[*b]));
    let mut places = vec![0; sorted.len()];
    for (place, index) in sorted.into_iter().enumerate() {
        places[index] = place;
    }
    places
}

/// The files of the king and of both rooks: what castling depends on.
fn king_and_rooks(one: &PlayedStart<'_>) -> [Option<usize>; 3] {
    let rank = &one.start.back_rank;
    [rank.find('K'), rank.find('R'), rank.rfind('R')]
}
