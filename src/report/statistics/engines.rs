//! The tables of engines and of pairs. The columns are in `docs/files.md`.

use std::collections::BTreeMap;

use crate::analysis::{EventStatistics, FieldReport, RatingModel, StartRecord};
use crate::stats::counts::Trinomial;
use crate::stats::games::GameRow;
use crate::stats::ratings::report::{LogisticReport, StandingReport};
use crate::stats::standings::Standing;
use crate::text::{CellValue, ColumnUnit, columns, csv, short_name};
use crate::tournament::{Rating, Ratings, Scoreboard};

/// The first of these in one line, and the number of others.
pub(super) fn first_of(all: &[String], most: usize, separator: &str) -> String {
    let named: Vec<String> = all.iter().take(most).map(|one| short_name(one)).collect();
    match all.len().saturating_sub(most) {
        0 => named.join(separator),
        more => format!("{} and {more} more", named.join(separator)),
    }
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
    colors: [Trinomial; 2],
}

/// Every engine, best first; the copies of self-play in their order.
pub(crate) fn engine_rows<'a>(statistics: &'a EventStatistics) -> Vec<EngineRow<'a>> {
    let mut colors = vec![[Trinomial::default(); 2]; statistics.engines.len()];
    for row in statistics.counted.rows() {
        colors[usize::from(row.white)][0].add(row.result);
        colors[usize::from(row.black)][1].add(row.result.reversed());
    }
    let field = statistics.ratings.as_ref();
    let row = |engine: usize, standing: Option<&'a StandingReport>| EngineRow {
        statistics,
        name: &statistics.engines[engine],
        place: standing.map(|own| own.place as u64),
        standing,
        rating: field.and_then(|field| field.rating(engine, &statistics.engines[engine])),
        colors: colors[engine],
    };
    match field {
        Some(field) => {
            let standings = field.ratings.standings.iter();
            standings.map(|own| row(own.engine, Some(own))).collect()
        }
        None => (0..colors.len()).map(|engine| row(engine, None)).collect(),
    }
}

/// The ratings that the standings contain; none of fewer than three engines, because the difference of two is printed
/// in another place, and none by another model.
pub(crate) fn ratings_beside(statistics: &EventStatistics) -> Ratings {
    let field = statistics.ratings.as_ref();
    let is_shown = field.is_some_and(|field| field.model == RatingModel::Logistic);
    if is_shown && statistics.engines.len() > 2 {
        statistics.ratings_by_engine()
    } else {
        Ratings::new()
    }
}

columns! {
    EngineRow<'_> {
        PLACE: "place", "#", ColumnUnit::Count, |row| CellValue::whole(row.place);
        NAME: "name", "engine", ColumnUnit::Name, |row| CellValue::Text(row.name.to_owned());
        POINTS: "points", "points", ColumnUnit::Number(1), |row| CellValue::real(row.standing.map(|own| own.points));
        GAMES: "games", "games", ColumnUnit::Count, |row| CellValue::Whole(row.total().games());
        SCORE: "", "score", ColumnUnit::Share, |row| CellValue::real(row.total().score());
        WDL: "", "W-D-L", ColumnUnit::Count, |row| CellValue::Results(row.total().reversed().0);
        WHITE: "", "White W-D-L", ColumnUnit::Count, |row| CellValue::Results(row.colors[0].reversed().0);
        BLACK: "", "Black W-D-L", ColumnUnit::Count, |row| CellValue::Results(row.colors[1].reversed().0);
        WINS: "wins", "", ColumnUnit::Count, |row| CellValue::Whole(row.total().wins());
        DRAWS: "draws", "", ColumnUnit::Count, |row| CellValue::Whole(row.total().draws());
        LOSSES: "losses", "", ColumnUnit::Count, |row| CellValue::Whole(row.total().losses());
        ELO: "elo", "Elo", ColumnUnit::Elo(1), |row| CellValue::real(row.elo());
        ERROR: "elo_error", "±", ColumnUnit::Number(1), |row| row.rating.map_or(CellValue::Missing("-"), |own| own.error());
        SE_PAIR: "se_pair", "", ColumnUnit::Number(1), |row| CellValue::real(row.of(|logistic| &logistic.se_pair));
        SE_POSITION: "se_position", "", ColumnUnit::Number(1), |row| CellValue::real(row.of(|logistic| &logistic.se_position));
        BEST: "best_place", "", ColumnUnit::Count, |row| CellValue::whole(row.places().map(|[best, _]| best as u64));
        WORST: "worst_place", "", ColumnUnit::Count, |row| CellValue::whole(row.places().map(|[_, worst]| worst as u64));
        PLACES: "", "places", ColumnUnit::Count, |row| row.places().map_or(CellValue::Missing("-"), from_to);
        DIRECT: "direct", "direct", ColumnUnit::Number(1), |row| CellValue::real(row.standing.map(|own| own.direct));
        SB: "sonneborn_berger", "SB", ColumnUnit::Number(2), |row| CellValue::real(row.standing.map(|own| own.sb));
        DOUBLE_WINS: "double_wins", "", ColumnUnit::Count, |row| CellValue::whole(row.standing.map(|own| own.double_wins));
        ALLOCATION: "allocation", "", ColumnUnit::Text, |row| CellValue::text(Some(allocation(row.statistics).to_owned()));
        MODEL: "model", "", ColumnUnit::Text, |row| CellValue::text(Some(row.statistics.ratings.as_ref().map_or("", |own| own.model.name()).to_owned()));
        LIMITS: "limits", "", ColumnUnit::Text, |row| CellValue::text(Some(row.statistics.limits.join("; ")));
        LEVEL: "level", "", ColumnUnit::Number(2), |row| CellValue::Real(row.statistics.level);
    }
    LIST[8]: PLACE NAME ELO ERROR POINTS GAMES WDL PLACES;
    BESIDE_PLACES[6]: NAME ELO ERROR GAMES WDL PLACES;
    TABLE[10]: PLACE NAME ELO ERROR PLACES POINTS GAMES WDL DIRECT SB;
    BY_COLOR[8]: NAME GAMES SCORE WDL WHITE BLACK ELO ERROR;
    FOR_PROGRAMS[19]: PLACE NAME POINTS GAMES WINS DRAWS LOSSES ELO ERROR SE_PAIR SE_POSITION BEST WORST SB DOUBLE_WINS ALLOCATION
        MODEL LIMITS LEVEL;
}

/// `2`, or `2-3`.
fn from_to([best, worst]: [usize; 2]) -> CellValue {
    if best == worst {
        CellValue::Whole(best as u64)
    } else {
        CellValue::Text(format!("{best}-{worst}"))
    }
}

impl EngineRow<'_> {
    fn total(&self) -> Trinomial {
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
        let ranks = &self.headline()?.ranks;
        let ranks = ranks.get(self.standing?.engine)?.as_ref()?;
        Some([ranks.best, ranks.worst])
    }

    /// Whether the results compare it with the rated engines.
    fn is_connected(&self) -> bool {
        let standing = self.standing.zip(self.headline());
        standing.is_some_and(|(own, field)| {
            let logistic = field.ratings.logistic.as_ref();
            logistic.is_none_or(|logistic| logistic.unrated[own.engine].is_none())
        })
    }

    /// Its group; games connect no two groups.
    pub(crate) fn group(&self) -> Option<usize> {
        let groups = &self.statistics.ratings.as_ref()?.groups;
        groups.get(self.standing?.engine).copied()
    }

    /// Its rating, if it has one.
    pub(crate) fn elo(&self) -> Option<f64> {
        Some(self.rating?.elo)
    }
}

/// Why engines of a field have no Elo; nothing where all have one.
pub(crate) fn unrated_words(statistics: &EventStatistics) -> Option<String> {
    statistics.ratings.as_ref()?;
    let mut rows = engine_rows(statistics);
    let reason = |row: &EngineRow<'_>| match row.total().reversed().0 {
        [_, 0, 0] => "every game won",
        [0, 0, _] => "every game lost",
        _ if row.is_connected() => "the interval is wider than 800 Elo",
        _ => "no results connect them with the others",
    };
    if rows.iter().all(|row| row.elo().is_none()) {
        let words = "No Elo: these games do not determine how strong the engines are.";
        return Some(words.to_owned());
    }
    let mut parts: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    rows.retain(|row| row.elo().is_none() && row.total().games() > 0);
    for row in &rows {
        let names = parts.entry(reason(row)).or_default();
        names.push(row.name.to_owned());
    }
    let parts = parts.iter();
    let parts = parts.map(|(why, names)| format!("{} ({why})", first_of(names, 12, ", ")));
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| format!("No Elo for {}.", parts.join("; ")))
}

/// One row for each engine, best first, as CSV, with the places of an event that has its own.
pub(crate) fn engines_csv(statistics: &EventStatistics, board: Option<&Scoreboard>) -> String {
    let mut rows = engine_rows(statistics);
    rows.retain(|row| row.standing.is_some());
    if let Some(board) = board {
        let standings = board.standings();
        for row in &mut rows {
            let is_own = |own: &&Standing| board.engine_name(own.engine) == row.name;
            row.place = standings.iter().find(is_own).map(|own| own.place as u64);
        }
        rows.sort_by_key(|row| row.place.unwrap_or(u64::MAX));
    }
    csv(&EngineRow::FOR_PROGRAMS, rows.into_iter())
}

/// A complete pair.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairRow<'a> {
    statistics: &'a EventStatistics,
    /// Its number, from 1.
    pair: u32,
    start: u32,
    /// The engine with White in the first game of the file.
    first: &'a str,
    second: &'a str,
    /// The first engine's points with White and with Black.
    scores: [f64; 2],
}

columns! {
    PairRow<'_> {
        PAIR: "pair", "pair", ColumnUnit::Count, |row| CellValue::whole(Some(row.pair));
        START: "", "start", ColumnUnit::Text, |row| CellValue::Text(row.statistics.start_label(row.start));
        NUMBER: "number", "", ColumnUnit::Count, |row| CellValue::whole(row.record().and_then(|start| start.number));
        BACK_RANK: "back_rank", "", ColumnUnit::Text, |row| CellValue::text(Some(row.record().map_or_else(String::new, |start| start.back_rank.clone())));
        FIRST: "first", "first", ColumnUnit::Text, |row| CellValue::Text(row.first.to_owned());
        SECOND: "second", "second", ColumnUnit::Text, |row| CellValue::Text(row.second.to_owned());
        AS_WHITE: "first_as_white", "White", ColumnUnit::Number(1), |row| CellValue::Real(row.scores[0]);
        AS_BLACK: "first_as_black", "Black", ColumnUnit::Number(1), |row| CellValue::Real(row.scores[1]);
        POINTS: "first_points", "points", ColumnUnit::Number(1), |row| CellValue::Real(row.scores[0] + row.scores[1]);
        ALLOCATION: "allocation", "", ColumnUnit::Text, |row| CellValue::text(Some(allocation(row.statistics).to_owned()));
        LIMITS: "limits", "", ColumnUnit::Text, |row| CellValue::text(Some(row.statistics.limits.join("; ")));
    }
    FOR_PEOPLE[7]: PAIR START FIRST SECOND AS_WHITE AS_BLACK POINTS;
    FOR_PROGRAMS[10]: PAIR NUMBER BACK_RANK FIRST SECOND AS_WHITE AS_BLACK POINTS ALLOCATION LIMITS;
}

impl PairRow<'_> {
    fn record(&self) -> Option<&StartRecord> {
        self.statistics.start(self.start)
    }
}

/// One row for each complete pair, in order, as CSV.
pub(crate) fn pairs_csv(statistics: &EventStatistics) -> String {
    csv(&PairRow::FOR_PROGRAMS, pair_rows(statistics).into_iter())
}

/// All complete pairs, in order.
pub(crate) fn pair_rows(statistics: &EventStatistics) -> Vec<PairRow<'_>> {
    let mut pairs = BTreeMap::<u32, Vec<GameRow>>::new();
    for row in statistics.counted.rows() {
        if let Some(pair) = row.pair {
            pairs.entry(pair).or_default().push(row);
        }
    }
    let is_swapped = |one: &GameRow, other: &GameRow| {
        one.white == other.black && one.black == other.white && one.start == other.start
    };
    let complete = pairs.into_iter();
    let complete = complete.filter_map(|(pair, games)| match games[..] {
        [one, other] if is_swapped(&one, &other) => Some(PairRow {
            statistics,
            pair: pair + 1,
            start: one.start,
            first: &statistics.engines[usize::from(one.white)],
            second: &statistics.engines[usize::from(one.black)],
            scores: [one.result.points(), 1.0 - other.result.points()],
        }),
        _ => None,
    });
    complete.collect()
}
