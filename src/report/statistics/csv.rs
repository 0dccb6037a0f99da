//! Tables for other programs: RFC 4180, lines end in CRLF, an undefined value is empty. The columns are in
//! `docs/files.md`.

use crate::analysis::EventStatistics;
use crate::analysis::RatingModel;
use crate::text::{csv_number, csv_row};

use super::cells::Kind::{Real, Text, Whole};
use super::cells::{Cell, Column, csv};
use super::text::pair_rows;

const ENGINE_COLUMNS: &str = "place,name,points,games,wins,draws,losses,elo,elo_error,se_pair,\
    se_position,best_place,worst_place,sonneborn_berger,double_wins,allocation,model,limits,level";

/// The columns of a pair.
pub(crate) const PAIR_COLUMNS: [Column; 10] = [
    ("pair", Whole),
    ("number", Whole),
    ("back_rank", Text),
    ("first", Text),
    ("second", Text),
    ("first_as_white", Real),
    ("first_as_black", Real),
    ("first_points", Real),
    ("allocation", Text),
    ("limits", Text),
];

fn end_row(text: &mut String, fields: &[String]) {
    csv_row(text, fields);
    text.push_str("\r\n");
}

/// The limits of the games.
pub(super) fn limits(statistics: &EventStatistics) -> String {
    statistics.limits.join("; ")
}

/// The last column of every table: whether results decided which positions got the pairs.
pub(super) fn allocation(statistics: &EventStatistics) -> &'static str {
    match statistics.adaptive {
        Some(_) => "adaptive",
        None => "",
    }
}

/// One row for each engine, best first. Without ratings, as in self-play, the table has no rows.
pub(crate) fn engines_csv(statistics: &EventStatistics) -> String {
    let mut text = format!("{ENGINE_COLUMNS}\r\n");
    let Some(found) = &statistics.ratings else {
        return text;
    };
    for row in &found.ratings.standings {
        let engine = row.engine;
        let of = |list: &[Option<f64>]| list.get(engine).copied().flatten();
        let headline = found.model == RatingModel::Logistic;
        let logistic = found.ratings.logistic.as_ref().filter(|_| headline);
        let (elo, error) = found.shown(engine);
        let ranks = found.ranks.get(engine).and_then(Option::as_ref);
        let ranks = ranks.filter(|_| headline);
        let place = |place: Option<usize>| place.map_or_else(String::new, |p| p.to_string());
        let mut fields = vec![
            row.place.to_string(),
            row.name.clone(),
            row.points.to_string(),
        ];
        fields.extend([row.games, row.wins, row.draws, row.losses].map(|count| count.to_string()));
        let se_pair = logistic.and_then(|l| of(&l.se_pair));
        let se_position = logistic.and_then(|l| of(&l.se_position));
        fields.extend([elo, error, se_pair, se_position].map(csv_number));
        fields.extend([
            place(ranks.map(|ranks| ranks.best)),
            place(ranks.map(|ranks| ranks.worst)),
            row.sb.to_string(),
            row.double_wins.to_string(),
            allocation(statistics).to_owned(),
            found.model.name().to_owned(),
            limits(statistics),
            statistics.level.to_string(),
        ]);
        end_row(&mut text, &fields);
    }
    text
}

/// One row for each complete pair, in order, as CSV.
pub(crate) fn pairs_csv(statistics: &EventStatistics) -> String {
    csv(&PAIR_COLUMNS, pair_cells(statistics))
}

/// The rows of the table of pairs.
pub(crate) fn pair_cells(statistics: &EventStatistics) -> impl Iterator<Item = Vec<Cell>> {
    let limits = limits(statistics);
    pair_rows(statistics).into_iter().map(move |row| {
        let [as_white, as_black] = row.scores;
        let back_rank = row.start.map_or_else(String::new, |s| s.back_rank.clone());
        vec![
            Cell::Whole(Some(row.pair)),
            Cell::Whole(row.start.and_then(|start| start.number)),
            Cell::Text(back_rank),
            Cell::Text(row.first.to_owned()),
            Cell::Text(row.second.to_owned()),
            Cell::Real(Some(as_white)),
            Cell::Real(Some(as_black)),
            Cell::Real(Some(as_white + as_black)),
            Cell::Text(allocation(statistics).to_owned()),
            Cell::Text(limits.clone()),
        ]
    })
}
