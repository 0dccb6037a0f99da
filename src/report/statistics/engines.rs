//! The tables of engines and of pairs. The columns are in `docs/files.md`.

use crate::analysis::{EventStatistics, FieldReport, RatingModel};
use crate::stats::ratings::report::{LogisticReport, StandingReport};
use crate::text::{Cell, Column, Unit, csv};
use crate::tournament::{Rating, Ratings, Record};

use super::pairs::{PairRow, pair_rows};

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

/// An engine with its results and its rating.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EngineRow<'a> {
    statistics: &'a EventStatistics,
    name: &'a str,
    /// Its place in the table.
    pub(crate) place: Option<u64>,
    /// None in self-play, whose copies have no places.
    standing: Option<&'a StandingReport>,
    rating: Option<Rating>,
    /// With White and with Black.
    colors: [Record; 2],
}

/// Every engine, best first; the copies of self-play in their order.
pub(crate) fn engine_rows(statistics: &EventStatistics) -> Vec<EngineRow<'_>> {
    let mut colors = vec![[Record::default(); 2]; statistics.engines.len()];
    for row in statistics.counted.rows() {
        colors[usize::from(row.white)][0].add(row.result);
        colors[usize::from(row.black)][1].add(row.result.reversed());
    }
    match &statistics.ratings {
        Some(field) => {
            let standings = field.ratings.standings.iter();
            standings
                .map(|own| EngineRow::new(statistics, colors[own.engine], own.engine, Some(own)))
                .collect()
        }
        None => {
            let copies = colors.into_iter().enumerate();
            copies
                .map(|(engine, colors)| EngineRow::new(statistics, colors, engine, None))
                .collect()
        }
    }
}

/// The ratings that stand in the standings; none of fewer than three engines, because the difference of two is printed
/// in another place, and none by another model.
pub(crate) fn ratings_beside(statistics: &EventStatistics) -> Ratings {
    let field = statistics.ratings.as_ref();
    let is_shown = field.is_some_and(|field| field.model == RatingModel::Logistic);
    match is_shown && statistics.engines.len() > 2 {
        true => statistics.ratings_by_engine(),
        false => Ratings::new(),
    }
}

impl<'a> EngineRow<'a> {
    fn new(
        statistics: &'a EventStatistics,
        colors: [Record; 2],
        engine: usize,
        standing: Option<&'a StandingReport>,
    ) -> EngineRow<'a> {
        let name = statistics.engines[engine].as_str();
        let field = statistics.ratings.as_ref();
        EngineRow {
            statistics,
            name,
            place: standing.map(|own| own.place as u64),
            standing,
            rating: field.map(|field| field.rating(engine, name)),
            colors,
        }
    }

    const PLACE: Column<Self> =
        Column::new("place", "#", Unit::Count, |row| Cell::whole(row.place));
    const NAME: Column<Self> = Column::new("name", "engine", Unit::Text, |row| {
        Cell::Text(row.name.to_owned())
    });
    const POINTS: Column<Self> = Column::new("points", "points", Unit::Number(1), |row| {
        Cell::real(row.standing.map(|own| own.points))
    });
    const GAMES: Column<Self> = Column::new("games", "games", Unit::Count, |row| {
        Cell::Whole(row.total().games())
    });
    const WDL: Column<Self> = Column::new("", "W-D-L", Unit::Count, |row| {
        Cell::Results(row.total().wdl())
    });
    const ELO: Column<Self> = Column::new("elo", "Elo", Unit::Elo(1), |row| {
        row.rating.map_or(Cell::Missing("-"), |own| own.elo())
    });
    const ERROR: Column<Self> = Column::new("elo_error", "±", Unit::Number(1), |row| {
        row.rating.map_or(Cell::Missing("-"), |own| own.error())
    });
    const PLACES: Column<Self> = Column::new("", "places", Unit::Count, |row| {
        let places = row.places();
        places.map_or(Cell::Missing("-"), |places| match places {
            [best, worst] if best == worst => Cell::Whole(best as u64),
            [best, worst] => Cell::Text(format!("{best}-{worst}")),
        })
    });
    const DIRECT: Column<Self> = Column::new("direct", "direct", Unit::Number(1), |row| {
        Cell::real(row.standing.map(|own| own.direct))
    });
    const SB: Column<Self> = Column::new("sonneborn_berger", "SB", Unit::Number(2), |row| {
        Cell::real(row.standing.map(|own| own.sb))
    });

    /// A list of ratings; long ones have no places, the last column.
    pub(crate) const LIST: [Column<Self>; 8] = [
        Self::PLACE,
        Self::NAME,
        Self::ELO,
        Self::ERROR,
        Self::POINTS,
        Self::GAMES,
        Self::WDL,
        Self::PLACES,
    ];

    /// The table of ratings, in the order of points.
    pub(crate) const TABLE: [Column<Self>; 10] = [
        Self::PLACE,
        Self::NAME,
        Self::ELO,
        Self::ERROR,
        Self::PLACES,
        Self::POINTS,
        Self::GAMES,
        Self::WDL,
        Self::DIRECT,
        Self::SB,
    ];

    /// Every engine with both colours.
    pub(crate) const BY_COLOR: [Column<Self>; 8] = [
        Self::NAME,
        Self::GAMES,
        Column::new("", "score", Unit::Share, |row| {
            Cell::real(row.total().score())
        }),
        Self::WDL,
        Column::new("", "White W-D-L", Unit::Count, |row| {
            Cell::Results(row.colors[0].wdl())
        }),
        Column::new("", "Black W-D-L", Unit::Count, |row| {
            Cell::Results(row.colors[1].wdl())
        }),
        Self::ELO,
        Self::ERROR,
    ];

    const FOR_PROGRAMS: [Column<Self>; 19] = [
        Self::PLACE,
        Self::NAME,
        Self::POINTS,
        Self::GAMES,
        Column::new("wins", "", Unit::Count, |row| Cell::Whole(row.total().wins)),
        Column::new("draws", "", Unit::Count, |row| {
            Cell::Whole(row.total().draws)
        }),
        Column::new("losses", "", Unit::Count, |row| {
            Cell::Whole(row.total().losses)
        }),
        Self::ELO,
        Self::ERROR,
        Column::new("se_pair", "", Unit::Number(1), |row| {
            Cell::real(row.of(|logistic| &logistic.se_pair))
        }),
        Column::new("se_position", "", Unit::Number(1), |row| {
            Cell::real(row.of(|logistic| &logistic.se_position))
        }),
        Column::new("best_place", "", Unit::Count, |row| {
            Cell::whole(row.places().map(|[best, _]| best as u64))
        }),
        Column::new("worst_place", "", Unit::Count, |row| {
            Cell::whole(row.places().map(|[_, worst]| worst as u64))
        }),
        Self::SB,
        Column::new("double_wins", "", Unit::Count, |row| {
            Cell::whole(row.standing.map(|own| own.double_wins))
        }),
        Column::new("allocation", "", Unit::Text, |row| {
            Cell::Text(allocation(row.statistics).to_owned())
        }),
        Column::new("model", "", Unit::Text, |row| {
            Cell::Text(
                row.statistics
                    .ratings
                    .as_ref()
                    .map_or("", |own| own.model.name())
                    .to_owned(),
            )
        }),
        Column::new("limits", "", Unit::Text, |row| {
            Cell::Text(limits(row.statistics))
        }),
        Column::new("level", "", Unit::Number(2), |row| {
            Cell::Real(row.statistics.level)
        }),
    ];

    fn total(&self) -> Record {
        let [white, black] = self.colors;
        white.plus(black)
    }

    /// The ratings by the usual model, if these are shown.
    fn headline(&self) -> Option<&FieldReport> {
        let field = self.statistics.ratings.as_ref()?;
        (field.model == RatingModel::Logistic).then_some(field)
    }

    fn of(&self, list: impl Fn(&LogisticReport) -> &Vec<Option<f64>>) -> Option<f64> {
        let logistic = self.headline()?.ratings.logistic.as_ref()?;
        *list(logistic).get(self.standing?.engine)?
    }

    /// The best and the worst place that it may have.
    fn places(&self) -> Option<[usize; 2]> {
        let ranks = self
            .headline()?
            .ranks
            .get(self.standing?.engine)?
            .as_ref()?;
        Some([ranks.best, ranks.worst])
    }

    /// Its rating, if it is finite.
    pub(crate) fn elo(&self) -> Option<f64> {
        self.rating?.elo
    }
}

/// One row for each engine, best first, as CSV.
pub(crate) fn engines_csv(statistics: &EventStatistics) -> String {
    csv(
        &EngineRow::FOR_PROGRAMS,
        engine_rows(statistics)
            .into_iter()
            .filter(|row| row.standing.is_some()),
    )
}

/// One row for each complete pair, in order, as CSV.
pub(crate) fn pairs_csv(statistics: &EventStatistics) -> String {
    csv(&PairRow::FOR_PROGRAMS, pair_rows(statistics).into_iter())
}
