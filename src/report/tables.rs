//! Tables for the terminal, at most as wide as the terminal. Pure: counts in, text out.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use crate::chess::StartNumber;
use crate::chess::start::Variant;
use crate::sink::back_rank;
use crate::stats::standings::Standing;
use crate::text::{page_width, printable};
use crate::tournament::{NumberRow, Scoreboard};

/// A line under the header, and nothing else.
const RULED: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Opponents in one crosstable; more would not fit.
const LARGEST_CROSSTABLE: usize = 10;

/// Maximum length of a name.
const NAME_WIDTH: usize = 24;

/// The standings: rank, points, games, W-D-L, both colours, Sonneborn–Berger. Ratings come from the statistics, and are
/// printed nowhere else.
pub fn standings(board: &Scoreboard) -> String {
    rated_standings(board, |_| None)
}

/// The same, with the ratings that `rating` gives for names, as two cells, if it gives any.
pub(crate) fn rated_standings(
    board: &Scoreboard,
    rating: impl Fn(&str) -> Option<[String; 2]>,
) -> String {
    let rows = board.standings();
    let engine = |row: &Standing| &board.participants()[usize::from(row.engine)].name;
    let ratings: Vec<Option<[String; 2]>> = rows.iter().map(|row| rating(engine(row))).collect();
    let rated = ratings.iter().any(Option::is_some);
    let unplayed = rows.iter().any(|row| row.unplayed_points() > 0.0);
    let mut header = vec!["#", "engine", "points", "games", "W-D-L", "White W-D-L"];
    if rated {
        header.extend(["Elo", "±"]);
    }
    header.push("SB");
    if unplayed {
        header.push("unplayed");
    }
    let mut table = new_table(&header, &[1]);
    for (standing, rating) in rows.iter().zip(ratings) {
        let mut cells = standing_row(board, standing);
        if rated {
            let cell = rating.unwrap_or_else(|| ["-".to_owned(), "-".to_owned()]);
            cells.splice(6..6, cell);
        }
        if unplayed {
            cells.push(format!("{:.1}", standing.unplayed_points()));
        }
        table.add_row(cells);
    }
    table.to_string()
}

fn standing_row(board: &Scoreboard, standing: &Standing) -> Vec<String> {
    let index = usize::from(standing.engine);
    let [white, black] = board.by_color(index);
    let total = white.plus(black);
    vec![
        standing.place.to_string(),
        name(board, index),
        format!("{:.1}", standing.points()),
        total.games().to_string(),
        results(total.wins, total.draws, total.losses),
        results(white.wins, white.draws, white.losses),
        format!("{:.2}", standing.sonneborn_berger_points()),
    ]
}

/// Points of each engine against each other, in the order of the standings; `None` for two engines (the standings show
/// everything) and for too many to fit.
pub fn crosstable(board: &Scoreboard) -> Option<String> {
    let order: Vec<usize> = board
        .standings()
        .iter()
        .map(|row| usize::from(row.engine))
        .collect();
    if order.len() < 3 || order.len() > LARGEST_CROSSTABLE {
        return None;
    }
    let numbers: Vec<String> = (1..=order.len()).map(|number| number.to_string()).collect();
    let header = ["#", "engine"]
        .into_iter()
        .chain(numbers.iter().map(String::as_str));
    let mut table = new_table(&header.collect::<Vec<_>>(), &[1]);
    for (place, &row) in order.iter().enumerate() {
        let points = order
            .iter()
            .map(|&column| encounter_points(board, row, column));
        let start = [(place + 1).to_string(), name(board, row)];
        table.add_row(start.into_iter().chain(points));
    }
    Some(table.to_string())
}

/// A cell of a crosstable, `1.5/2`: points of games; a dot on the diagonal, and a dash where two have not met.
pub(crate) fn encounter_points(board: &Scoreboard, row: usize, column: usize) -> String {
    let games = board.encounter(row, column).total();
    match games.games() {
        _ if row == column => "·".to_owned(),
        0 => "-".to_owned(),
        count => format!("{:.1}/{count}", games.points()),
    }
}

/// Games, pairs, White's W-D-L and score by start number, and the sum. Of more than `most` numbers the first are shown,
/// with the number of the others.
pub fn start_numbers(variant: Variant, board: &Scoreboard, most: usize) -> String {
    let header = [
        "number",
        "back rank",
        "games",
        "pairs",
        "White W-D-L",
        "White's score",
    ];
    let mut table = new_table(&header, &[1]);
    let count = board.numbers().len();
    for (number, row) in board.numbers().take(most) {
        table.add_row(number_row(number, variant, row));
    }
    let sum = board
        .numbers()
        .fold(NumberRow::default(), |sum, (_, row)| NumberRow {
            pairs: sum.pairs + row.pairs,
            white: sum.white.plus(row.white),
        });
    let mut last = counts(&sum);
    last.splice(0..0, ["all".to_owned(), String::new()]);
    table.add_row(last);
    let hidden = count.saturating_sub(most);
    match hidden {
        0 => table.to_string(),
        _ => format!("{table}\n{hidden} more start numbers are in positions.csv"),
    }
}

fn number_row(number: StartNumber, variant: Variant, row: &NumberRow) -> Vec<String> {
    let mut cells = vec![
        number.to_string(),
        back_rank(variant, number).unwrap_or_default(),
    ];
    cells.extend(counts(row));
    cells
}

fn counts(row: &NumberRow) -> Vec<String> {
    let white = row.white;
    let score = white.score();
    vec![
        white.games().to_string(),
        row.pairs.to_string(),
        results(white.wins, white.draws, white.losses),
        score.map_or_else(|| "-".to_owned(), |score| format!("{:.1} %", 100.0 * score)),
    ]
}

fn results(wins: u64, draws: u64, losses: u64) -> String {
    format!("{wins}-{draws}-{losses}")
}

fn name(board: &Scoreboard, participant: usize) -> String {
    let name = printable(&board.participants()[participant].name);
    if name.chars().count() <= NAME_WIDTH {
        return name.into_owned();
    }
    let start: String = name.chars().take(NAME_WIDTH - 1).collect();
    format!("{start}…")
}

/// A table whose columns are aligned to the right, except those in `left`.
pub(super) fn new_table(header: &[&str], left: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(RULED);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(page_width()).unwrap_or(u16::MAX));
    table.set_header(header);
    for (index, column) in table.column_iter_mut().enumerate() {
        if !left.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
