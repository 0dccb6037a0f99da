//! Crosstables: by rounds, as arbiters print them (whom each engine met, with which colours and results; points,
//! tie-breaks), and of all against all.

use crate::text::{Column, ColumnUnit, Table, page_width, paragraph};
use crate::tournament::{Ratings, Scoreboard, SignedGame, StandingRow};

use super::tables::{add_tie_breaks, square};

/// Games of an encounter that are shown one by one; of more, the points are.
pub(crate) const FEW_GAMES: usize = 2;

/// What the cells say.
pub(crate) const LEGEND: &str = "12w1b=: against number 12, won with White and drawn with Black. + and -: won and lost \
     without play. U, H, Z: no opponent, with all points, half of them, none.";

/// Parts, one below the other, of a crosstable on a terminal.
const MAX_PARTS: usize = 4;

/// The crosstable by rounds, or of points of each engine against each other where there are no rounds; `None` for two
/// engines (the standings show everything) and for too many to fit a terminal.
pub fn crosstable(board: &Scoreboard) -> Option<String> {
    if board.participants().len() < 3 {
        return None;
    }
    if let Some(table) = by_rounds(board, &Ratings::new(), FEW_GAMES) {
        return Some(table.text() + &paragraph(LEGEND, 0));
    }
    let table = all_against_all(board);
    (table.parts([page_width(), 3]).len() <= MAX_PARTS).then(|| table.text())
}

/// Points of each engine against each other, in the order of the standings.
pub(crate) fn all_against_all(board: &Scoreboard) -> Table {
    let names = |engine: usize| board.participants()[engine].name.clone();
    square(&board.order(), names, |row, column| {
        encounter_points(board, row, column)
    })
}

/// In the order of the standings; `None` of an event that is not played in rounds. The games of an encounter are shown one
/// by one, if there are at most so many.
pub(crate) fn by_rounds(board: &Scoreboard, ratings: &Ratings, one_by_one: usize) -> Option<Table> {
    let rounds = board.round_games()?;
    let standings = board.standings();
    let rows = board.rows(&standings, ratings);
    let mut numbers = vec![0; rows.len()];
    for (number, row) in (1..).zip(&standings) {
        numbers[usize::from(row.engine)] = number;
    }
    let mut table = Table::new::<&str>(&[], &[]);
    table.rows.resize(rows.len(), Vec::new());
    let in_order = (1..=rows.len()).map(|number| number.to_string());
    table.push("#", ColumnUnit::Count, in_order);
    table.push("engine", ColumnUnit::Name, shown(&StandingRow::NAME, &rows));
    if !ratings.is_empty() && StandingRow::are_rated(&rows) {
        table.push("Elo", ColumnUnit::Elo(1), shown(&StandingRow::ELO, &rows));
    }
    table.kept = table.heads.len();
    for (number, round) in (1_usize..).zip(&rounds) {
        let games = standings.iter().map(|row| &round[usize::from(row.engine)]);
        let cells = games.map(|games| cell(games, &numbers, one_by_one));
        table.push(number.to_string(), ColumnUnit::Text, cells);
    }
    let points = shown(&StandingRow::POINTS, &rows);
    table.push("points", ColumnUnit::Number(1), points);
    add_tie_breaks(&mut table, board, &standings, 0);
    if (1..)
        .zip(&standings)
        .any(|(number, row)| row.place != number)
    {
        table.push("place", ColumnUnit::Count, shown(&StandingRow::RANK, &rows));
    }
    Some(table)
}

/// The cells of a column.
fn shown<R>(column: &Column<R>, rows: &[R]) -> Vec<String> {
    rows.iter().map(|row| column.shown(row)).collect()
}

/// What a round was for an engine; `numbers` are those of the rows, by participant.
fn cell(games: &[SignedGame], numbers: &[usize], one_by_one: usize) -> String {
    let Some(first) = games.first() else {
        return String::new();
    };
    let Some((opponent, _)) = first.against else {
        return first.sign.to_string();
    };
    let number = numbers[opponent];
    if games.len() <= one_by_one {
        let each = games.iter().filter_map(|game| {
            let color = ['w', 'b'][game.against?.1.index()];
            Some(format!("{color}{}", game.sign))
        });
        return number.to_string() + &each.collect::<String>();
    }
    let played = games.iter().filter(|game| !game.is_forfeit());
    let half_points: u32 = played.clone().map(|game| game.half_points()).sum();
    let points = f64::from(half_points) / 2.0;
    let forfeits = games.iter().filter(|game| game.is_forfeit());
    let forfeits: String = forfeits.map(|game| game.sign).collect();
    format!("{number} {points:.1}/{}{forfeits}", played.count())
}

/// A cell of a crosstable, `1.5/2`: points of games; `+2` and `-2` are games won and lost without play. A dot on the
/// diagonal, and a dash where two have not met.
fn encounter_points(board: &Scoreboard, row: usize, column: usize) -> String {
    let games = board.encounter(row, column).total();
    let unplayed = board.unplayed_wins_of([row, column]);
    match (games.games(), unplayed) {
        _ if row == column => "·".to_owned(),
        (0, 0) => "-".to_owned(),
        (0, unplayed) => format!("{unplayed:+}"),
        (count, 0) => format!("{:.1}/{count}", games.points()),
        (count, unplayed) => format!("{:.1}/{count}{unplayed:+}", games.points()),
    }
}
