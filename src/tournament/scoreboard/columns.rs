//! The columns of the standings, which every table of them is written from.

use std::collections::BTreeMap;

use serde_json::json;

use crate::stats::elo::elo_from_score;
use crate::stats::standings::{Standing, TieBreak};
use crate::text::{Cell, Column, Unit};
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
    /// What stands in the place of a rating that is not finite.
    pub(crate) unrated: &'static str,
    /// Whether it was given.
    pub(crate) fixed: bool,
}

impl Rating {
    pub(crate) fn elo(&self) -> Cell {
        self.elo.map_or(Cell::Missing(self.unrated), Cell::Real)
    }

    pub(crate) fn error(&self) -> Cell {
        match self.fixed {
            true => Cell::Missing("fixed"),
            false => Cell::real(self.error),
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

impl<'a> StandingRow<'a> {
    const RANK: Column<Self> = Column::new("rank", "#", Unit::Count, |row| {
        Cell::Whole(row.standing.place as u64)
    });
    const NAME: Column<Self> = Column::new("name", "engine", Unit::Text, |row| {
        Cell::Text(row.participant.name.clone())
    });
    const POINTS: Column<Self> = Column::new("points", "points", Unit::Number(1), |row| {
        Cell::Real(row.standing.points())
    });
    const GAMES: Column<Self> = Column::new("games", "games", Unit::Count, |row| {
        Cell::Whole(row.total().games())
    });
    const TOTAL: Column<Self> = Column::new("total", "W-D-L", Unit::Count, |row| {
        Cell::Results(row.total().wdl())
    });
    const WHITE: Column<Self> = Column::new("white", "White W-D-L", Unit::Count, |row| {
        Cell::Results(row.white.wdl())
    });
    const ELO: Column<Self> = Column::new("elo", "Elo", Unit::Elo(1), |row| {
        row.rating.map_or(Cell::Missing("-"), |r| r.elo())
    });
    const ERROR: Column<Self> = Column::new("elo_error", "±", Unit::Number(1), |row| {
        row.rating.map_or(Cell::Missing("-"), |r| r.error())
    });
    const SB: Column<Self> = Column::new("sonneborn_berger", "SB", Unit::Number(2), |row| {
        Cell::Real(row.standing.sonneborn_berger_points())
    });
    const DOUBLE_WINS: Column<Self> =
        Column::new("double_wins", "pairs won 2-0", Unit::Count, |row| {
            Cell::Whole(row.standing.double_wins.into())
        });
    const UNPLAYED: Column<Self> =
        Column::new("unplayed_points", "unplayed", Unit::Number(1), |row| {
            Cell::Real(row.standing.unplayed_points())
        });

    /// For people: ratings and unplayed points only where somebody has any, what fits a page and not a terminal only
    /// on a page.
    pub(crate) fn for_people(rows: &[Self], on_page: bool) -> Vec<Column<Self>> {
        let rated = rows.iter().any(|row| row.rating.is_some());
        let unplayed = |row: &Self| row.standing.unplayed_points() > 0.0;
        let mut columns = vec![
            Self::RANK,
            Self::NAME,
            Self::POINTS,
            Self::GAMES,
            Self::TOTAL,
            Self::WHITE,
        ];
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

    /// For programs.
    pub(crate) const FOR_PROGRAMS: [Column<Self>; 17] = [
        Self::RANK,
        Self::POINTS,
        Self::UNPLAYED,
        Self::NAME,
        Column::new("engine", "", Unit::Count, |row| {
            Cell::Json(json!(row.participant.seat.engine))
        }),
        Column::new("copy", "", Unit::Count, |row| {
            Cell::Json(json!(row.participant.seat.copy))
        }),
        Self::TOTAL,
        Self::WHITE,
        Column::new("black", "Black W-D-L", Unit::Count, |row| {
            Cell::Results(row.black.wdl())
        }),
        Self::ELO,
        Column::new("elo_lo", "", Unit::Count, |row| {
            Cell::Json(json!(row.end(0)))
        }),
        Column::new("elo_hi", "", Unit::Count, |row| {
            Cell::Json(json!(row.end(1)))
        }),
        Column::new("performance", "", Unit::Count, |row| {
            Cell::Json(json!(performance(row.total())))
        }),
        Self::SB,
        Self::DOUBLE_WINS,
        Column::new("tie_breaks", "", Unit::Count, |row| {
            let values = row.standing.tie_breaks();
            let by_name =
                |(rule, value): (TieBreak, Option<f64>)| (rule.name().to_owned(), json!(value));
            Cell::Json(values.map(by_name).collect())
        }),
        Column::new("decided_by", "", Unit::Text, |row| {
            Cell::Json(json!(row.standing.decided_by.map(TieBreak::name)))
        }),
    ];

    /// The rows of `crosstable.json` begin with these.
    pub(crate) const IN_CROSSTABLE: [Column<Self>; 3] = [Self::RANK, Self::NAME, Self::POINTS];

    fn total(&self) -> Record {
        self.white.plus(self.black)
    }

    fn end(&self, end: usize) -> Option<f64> {
        Some(self.rating?.ends?[end])
    }
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
