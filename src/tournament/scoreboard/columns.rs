//! The columns of the standings, which every table of them is written from.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::stats::elo::elo_from_score;
use crate::stats::standings::{Standing, TieBreak};
use crate::text::{CellValue, Column, ColumnUnit, columns};
use crate::tournament::roster::Participant;

use super::{Record, Scoreboard};

/// The rating of an engine by all games together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rating {
    pub(crate) elo: Option<f64>,
    /// Half of its 95 % interval; none without variance.
    pub(crate) error: Option<f64>,
    /// Both ends of the interval.
    pub(crate) ends: Option<[f64; 2]>,
    /// What is shown instead of a rating that is not finite.
    pub(crate) unrated: &'static str,
    /// Whether it was given.
    pub(crate) fixed: bool,
}

impl Rating {
    pub(crate) fn elo(&self) -> CellValue {
        self.elo
            .map_or(CellValue::Missing(self.unrated), CellValue::Real)
    }

    pub(crate) fn error(&self) -> CellValue {
        match self.fixed {
            true => CellValue::Missing("fixed"),
            false => CellValue::real(self.error),
        }
    }
}

/// The ratings of an event's engines, by name.
pub(crate) type Ratings = BTreeMap<String, Rating>;

/// An engine in the standings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StandingRow<'a> {
    pub(crate) participant: &'a Participant,
    pub(crate) standing: &'a Standing,
    white: Record,
    black: Record,
    rating: Option<Rating>,
}

impl Scoreboard {
    /// The rows of the standings, with these ratings.
    pub(crate) fn rows<'a>(
        &'a self,
        standings: &'a [Standing],
        ratings: &Ratings,
    ) -> Vec<StandingRow<'a>> {
        let row = |standing: &'a Standing| {
            let place = usize::from(standing.engine);
            let participant = &self.participants[place];
            let [white, black] = self.by_color(place);
            StandingRow {
                participant,
                standing,
                white,
                black,
                rating: ratings.get(&participant.name).copied(),
            }
        };
        standings.iter().map(row).collect()
    }
}

columns! {
    StandingRow<'_> {
        RANK: "rank", "#", ColumnUnit::Count, |row| CellValue::Whole(row.standing.place as u64);
        NAME: "name", "engine", ColumnUnit::Name, |row| CellValue::Text(row.participant.name.clone());
        ENGINE: "engine", "", ColumnUnit::Count, |row| CellValue::Whole(row.participant.seat.engine.into());
        COPY: "copy", "", ColumnUnit::Count, |row| CellValue::Whole(row.participant.seat.copy.into());
        POINTS: "points", "points", ColumnUnit::Number(1), |row| CellValue::Real(row.standing.points());
        GAMES: "games", "games", ColumnUnit::Count, |row| CellValue::Whole(row.total().games());
        TOTAL: "total", "W-D-L", ColumnUnit::Count, |row| CellValue::Results(row.total().wdl());
        WHITE: "white", "White W-D-L", ColumnUnit::Count, |row| CellValue::Results(row.white.wdl());
        BLACK: "black", "Black W-D-L", ColumnUnit::Count, |row| CellValue::Results(row.black.wdl());
        ELO: "elo", "Elo", ColumnUnit::Elo(1), |row| row.rating.map_or(CellValue::Missing("-"), |own| own.elo());
        ERROR: "elo_error", "±", ColumnUnit::Number(1), |row| row.rating.map_or(CellValue::Missing("-"), |own| own.error());
        ELO_LO: "elo_lo", "", ColumnUnit::Elo(1), |row| CellValue::real(row.end(0));
        ELO_HI: "elo_hi", "", ColumnUnit::Elo(1), |row| CellValue::real(row.end(1));
        PERFORMANCE: "performance", "", ColumnUnit::Elo(1), |row| CellValue::real(performance(row.total()));
        SB: "sonneborn_berger", "SB", ColumnUnit::Number(2), |row| CellValue::Real(row.standing.sonneborn_berger_points());
        DOUBLE_WINS: "double_wins", "pairs won 2-0", ColumnUnit::Count, |row| CellValue::Whole(row.standing.double_wins.into());
        UNPLAYED: "unplayed_points", "unplayed", ColumnUnit::Number(1), |row| CellValue::Real(row.standing.unplayed_points());
        TIE_BREAKS: "tie_breaks", "", ColumnUnit::Count, |row| CellValue::Json(tie_breaks(row.standing));
        DECIDED_BY: "decided_by", "", ColumnUnit::Text, |row| CellValue::Json(json!(row.standing.decided_by.map(TieBreak::name)));
    }
    FOR_PROGRAMS[17]: RANK POINTS UNPLAYED NAME ENGINE COPY TOTAL WHITE BLACK ELO ELO_LO ELO_HI PERFORMANCE SB DOUBLE_WINS
        TIE_BREAKS DECIDED_BY;
    IN_CROSSTABLE[3]: RANK NAME POINTS;
    ALWAYS[6]: RANK NAME POINTS GAMES TOTAL WHITE;
}

impl StandingRow<'_> {
    /// For people: ratings and unplayed points only where somebody has any, what fits a page and not a terminal only
    /// on a page.
    pub(crate) fn for_people(rows: &[Self], on_page: bool) -> Vec<Column<Self>> {
        let rated = rows.iter().any(|row| row.rating.is_some());
        let unplayed = |row: &Self| row.standing.unplayed_points() > 0.0;
        let mut columns = Vec::from(Self::ALWAYS);
        columns.extend(
            rated
                .then_some([Self::ELO, Self::ERROR])
                .into_iter()
                .flatten(),
        );
        columns.push(Self::SB);
        columns.extend(on_page.then_some(Self::DOUBLE_WINS));
        columns.extend(rows.iter().any(unplayed).then_some(Self::UNPLAYED));
        columns
    }

    fn total(&self) -> Record {
        self.white.plus(self.black)
    }

    fn end(&self, end: usize) -> Option<f64> {
        Some(self.rating?.ends?[end])
    }
}

/// The value of every tie-break, by its name.
fn tie_breaks(standing: &Standing) -> Value {
    let values = standing.tie_breaks();
    values
        .map(|(rule, value)| (rule.name().to_owned(), json!(value)))
        .collect()
}

/// The logistic Elo difference to all opponents met, counted as one opponent; `None` for a score of 0 or 1, or without
/// games.
fn performance(record: Record) -> Option<f64> {
    let score = record
        .score()
        .filter(|score| *score > 0.0 && *score < 1.0)?;
    // Turns -0.0 into 0.0.
    Some(elo_from_score(score) + 0.0)
}
