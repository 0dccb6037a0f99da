//! The tables of engines and of pairs. The columns are in `docs/files.md`.

use crate::analysis::{EventStatistics, FieldReport, RatingModel};
use crate::stats::ratings::report::{LogisticReport, StandingReport};
use crate::text::{Cell, Unit, columns, csv};
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

columns! {
    EngineRow<'_> {
        PLACE: "place", "#", Unit::Count, |row| Cell::whole(row.place);
        NAME: "name", "engine", Unit::Name, |row| Cell::Text(row.name.to_owned());
        POINTS: "points", "points", Unit::Number(1), |row| Cell::real(row.standing.map(|own| own.points));
        GAMES: "games", "games", Unit::Count, |row| Cell::Whole(row.total().games());
        SCORE: "", "score", Unit::Share, |row| Cell::real(row.total().score());
        WDL: "", "W-D-L", Unit::Count, |row| Cell::Results(row.total().wdl());
        WHITE: "", "White W-D-L", Unit::Count, |row| Cell::Results(row.colors[0].wdl());
        BLACK: "", "Black W-D-L", Unit::Count, |row| Cell::Results(row.colors[1].wdl());
        WINS: "wins", "", Unit::Count, |row| Cell::Whole(row.total().wins);
        DRAWS: "draws", "", Unit::Count, |row| Cell::Whole(row.total().draws);
        LOSSES: "losses", "", Unit::Count, |row| Cell::Whole(row.total().losses);
        ELO: "elo", "Elo", Unit::Elo(1), |row| row.rating.map_or(Cell::Missing("-"), |own| own.elo());
        ERROR: "elo_error", "±", Unit::Number(1), |row| row.rating.map_or(Cell::Missing("-"), |own| own.error());
        SE_PAIR: "se_pair", "", Unit::Number(1), |row| Cell::real(row.of(|logistic| &logistic.se_pair));
        SE_POSITION: "se_position", "", Unit::Number(1), |row| Cell::real(row.of(|logistic| &logistic.se_position));
        BEST: "best_place", "", Unit::Count, |row| Cell::whole(row.places().map(|[best, _]| best as u64));
        WORST: "worst_place", "", Unit::Count, |row| Cell::whole(row.places().map(|[_, worst]| worst as u64));
        PLACES: "", "places", Unit::Count, |row| row.places().map_or(Cell::Missing("-"), from_to);
        DIRECT: "direct", "direct", Unit::Number(1), |row| Cell::real(row.standing.map(|own| own.direct));
        SB: "sonneborn_berger", "SB", Unit::Number(2), |row| Cell::real(row.standing.map(|own| own.sb));
        DOUBLE_WINS: "double_wins", "", Unit::Count, |row| Cell::whole(row.standing.map(|own| own.double_wins));
        ALLOCATION: "allocation", "", Unit::Text, |row| Cell::Text(allocation(row.statistics).to_owned());
        MODEL: "model", "", Unit::Text, |row| Cell::Text(row.statistics.ratings.as_ref().map_or("", |own| own.model.name()).to_owned());
        LIMITS: "limits", "", Unit::Text, |row| Cell::Text(limits(row.statistics));
        LEVEL: "level", "", Unit::Number(2), |row| Cell::Real(row.statistics.level);
    }
    LIST[8]: PLACE NAME ELO ERROR POINTS GAMES WDL PLACES;
    TABLE[10]: PLACE NAME ELO ERROR PLACES POINTS GAMES WDL DIRECT SB;
    BY_COLOR[8]: NAME GAMES SCORE WDL WHITE BLACK ELO ERROR;
    FOR_PROGRAMS[19]: PLACE NAME POINTS GAMES WINS DRAWS LOSSES ELO ERROR SE_PAIR SE_POSITION BEST WORST SB DOUBLE_WINS ALLOCATION
        MODEL LIMITS LEVEL;
}

/// `2`, or `2-3`.
fn from_to([best, worst]: [usize; 2]) -> Cell {
    match best == worst {
        true => Cell::Whole(best as u64),
        false => Cell::Text(format!("{best}-{worst}")),
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
