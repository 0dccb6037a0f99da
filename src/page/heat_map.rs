//! The start numbers as a map: a cell for each, whose colour is the estimate.

use maud::{Markup, html};

use crate::analysis::EventStatistics;
use crate::report::statistics::PlayedStart;

/// Number of cells in a row, and the side of a cell including the line next to it (`report.css` has the side without
/// it).
const COLUMNS: usize = 32;
const SIDE: usize = 20;

/// No map is drawn for fewer positions.
pub(super) const FEWEST: usize = 24;

/// Number of colour classes on each side of the mean.
const CLASSES: f64 = 4.0;

/// A cell's places under the three orders, and its colour.
struct HeatCell {
    by_number: usize,
    by_estimate: usize,
    by_files: usize,
    class: i32,
}

/// The map, and the words that say what its colours mean.
pub(super) fn heat_map(
    statistics: &EventStatistics,
    prefix: &str,
    played: &[PlayedStart<'_>],
) -> (Markup, String) {
    let mean = statistics.first_move.advantage.mean.as_ref();
    let centre = mean.map_or(0.0, |mean| mean.elo);
    let estimates = played.iter().filter_map(|one| one.report.elo);
    let widest = estimates
        .map(|elo| (elo - centre).abs())
        .fold(1.0_f64, f64::max);
    let cells = cells(played, centre, widest / CLASSES);
    let rows = played.len().div_ceil(COLUMNS);
    let (width, height) = (COLUMNS * SIDE, rows * SIDE);
    let place = |index: usize| [index % COLUMNS * SIDE, index / COLUMNS * SIDE];
    let drawing = html! {
        fieldset.orders hidden data-map=(prefix) {
            legend { "Order" }
            @for (value, name) in [("n", "start number"), ("e", "estimate"), ("f", "files of king and rooks")] {
                label { input type="radio" name=(format!("{prefix}order")) value=(value) checked[value == "n"]; (name) }
            }
        }
        svg.map id=(format!("{prefix}map")) viewBox=(format!("0 0 {width} {height}")) role="group" aria-label="Estimates by start number" {
            @for (one, cell) in played.iter().zip(&cells) {
                @let [x, y] = place(cell.by_number);
                @let drawn = html! {
                    rect class=(class(cell.class, one)) x=(x) y=(y)
                        data-o=(format!("{} {} {}", cell.by_number, cell.by_estimate, cell.by_files)) {
                        title { (one.label()) " " (one.start.back_rank) " " (one.estimate()) }
                    }
                };
                // A page without the table of positions has no prefix.
                @if prefix.is_empty() { (drawn) }
                @else { a href=(format!("#{prefix}start-{}", one.start.start)) tabindex="-1" { (drawn) } }
            }
        }
        p.readout id=(format!("{prefix}readout")) aria-live="polite" { @if !prefix.is_empty() { "Every cell is a row of the table below; with the Tab key arrows go from cell to cell. " } @if played.iter().any(|one| one.start.number == Some(518)) { "Number 518 has a frame." } }
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

fn class(class: i32, one: &PlayedStart<'_>) -> String {
    let standard = one.start.number == Some(518);
    let marked = if standard { " mark" } else { "" };
    // Positions that may be named have full colour; the others are faint.
    let faint = if one.is_named() { "" } else { " faint" };
    format!("h{}{marked}{faint}", class + 4)
}

fn cells(played: &[PlayedStart<'_>], centre: f64, step: f64) -> Vec<HeatCell> {
    let by = |order: Vec<usize>| {
        let mut places = vec![0; order.len()];
        for (place, index) in order.into_iter().enumerate() {
            places[index] = place;
        }
        places
    };
    let indices = || (0..played.len()).collect::<Vec<_>>();
    let mut estimates = indices();
    let elo = |index: &usize| played[*index].report.elo.unwrap_or(centre);
    estimates.sort_by(|a, b| elo(a).total_cmp(&elo(b)));
    let mut files = indices();
    files.sort_by_key(|index| king_and_rooks(&played[*index].start.back_rank));
    let (by_estimate, by_files) = (by(estimates), by(files));
    (0..played.len())
        .map(|index| HeatCell {
            by_number: index,
            by_estimate: by_estimate[index],
            by_files: by_files[index],
            class: (((elo(&index) - centre) / step).round() as i32).clamp(-4, 4),
        })
        .collect()
}

/// The files of the king and of both rooks: what castling depends on.
fn king_and_rooks(back_rank: &str) -> [Option<usize>; 3] {
    [
        back_rank.find('K'),
        back_rank.find('R'),
        back_rank.rfind('R'),
    ]
}
