//! Ratings of many engines.

use crate::analysis::{EventStatistics, FieldReport, RatingModel};
use crate::report::tables::square;
use crate::stats::ratings::ClusterUnit;
use crate::stats::ratings::report::StandingReport;
use crate::text::{
    Document, Table, count, elo, elo_or_dash, is_narrow, or_dash, percent, probability, short_name,
};

use super::encounter::selection_label;
use super::engines::{EngineRow, engine_rows};

/// With more engines the list of all pairs of engines would be too long.
const MAX_COMPARED: usize = 6;

/// With more engines a LOS matrix would not fit.
const MAX_IN_MATRIX: usize = 12;

/// Ratio of the games of the engine with the most to those of the engine with the fewest (at least one). From this
/// ratio on a table by points would show who played most, so the list is ordered by rating.
const UNEQUAL_GAMES: u32 = 3;

/// Rows of a list in a text; `--by engine` has all.
const MAX_ROWS: usize = 100;

/// The section on ratings; for two engines it is separate. Places and tie-breaks of an event are in its
/// own standings.
pub(super) fn field(statistics: &EventStatistics, document: &mut Document) {
    let Some(field) = shown(statistics) else {
        return;
    };
    document.title("Ratings");
    ratings(statistics, document);
    match field.model {
        RatingModel::Logistic => logistic(field, document),
        RatingModel::Davidson => davidson(field, document),
    }
    selections(statistics, document);
    tie_breaks(field, document);
    if field.model == RatingModel::Logistic {
        comparisons(statistics, field, document);
        superiority(statistics, field, document);
    }
}

fn shown(statistics: &EventStatistics) -> Option<&FieldReport> {
    let shown = statistics.engines.len() > 2 || statistics.shows_ratings;
    statistics.ratings.as_ref().filter(|_| shown)
}

/// All pairs of a few engines, with simultaneous intervals.
fn comparisons(statistics: &EventStatistics, field: &FieldReport, document: &mut Document) {
    let many = statistics.engines.len() > MAX_COMPARED;
    if !field.anchors.is_empty() || field.comparisons.is_empty() || many {
        return;
    }
    let mut table = Table::new(&["engine", "against", "Elo", "±", "p"], &[0, 1]);
    for found in &field.comparisons {
        let engine = |place: u16| short_name(&statistics.engines[usize::from(place)]);
        table.rows.push(vec![
            engine(found.first),
            engine(found.second),
            elo(found.elo),
            format!("{:.1}", found.elo_error),
            probability(found.p_adjusted),
        ]);
    }
    document
        .title("Every two engines; all intervals hold together with 95 %, p is adjusted for all");
    document.table(table);
}

/// The ratings of not too many engines without forfeits, if there are forfeits.
fn selections(statistics: &EventStatistics, document: &mut Document) {
    if statistics.engines.len() > MAX_IN_MATRIX {
        return;
    }
    for selection in &statistics.selections {
        let ratings = statistics.engines.iter().zip(&selection.ratings);
        let shown = ratings.filter_map(|(engine, rating)| {
            let [value, error] = (*rating).filter(|[_, error]| is_narrow(2.0 * error))?;
            let (engine, value) = (short_name(engine), elo(value));
            Some(format!("{engine} {value} ± {error:.1}"))
        });
        let mut shown: Vec<String> = shown.collect();
        if shown.is_empty() {
            shown.push("no Elo".to_owned());
        }
        document.line(selection_label(selection.selection), shown.join(", "));
    }
}

/// The lines below the logistic ratings.
fn logistic(field: &FieldReport, document: &mut Document) {
    let Some(logistic) = &field.ratings.logistic else {
        return missing(field, "logistic", document);
    };
    document.line("errors", errors(field));
    let error = field.white_elo_error.map(|error| format!(" ± {error:.1}"));
    let white = elo_or_dash(logistic.white_elo) + &error.unwrap_or_default();
    let words = "Elo added to White's rating; what the first move is worth is said below";
    document.line("White", format!("{white} {words}"));
    if !field.anchors.is_empty() {
        let anchors = field.anchors.iter();
        let anchors = anchors.map(|(engine, at)| format!("{} at {at:.1}", short_name(engine)));
        document.line("anchors", anchors.collect::<Vec<_>>().join(", "));
    }
}

fn davidson(field: &FieldReport, document: &mut Document) {
    let Some(davidson) = &field.ratings.davidson else {
        return missing(field, "davidson", document);
    };
    document.line(
        "model",
        "Davidson: Elo of wins against losses, the more above that of points the more is drawn; \
         errors 95 %, clustered by pair",
    );
    let (drawn, first) = (percent(davidson.draw_prob_equal), elo(davidson.white_elo));
    let equal = format!("{drawn} drawn, {first} Elo for the first move");
    document.line("equal engines", equal);
}

/// Why there are no ratings by this model.
fn missing(field: &FieldReport, method: &str, document: &mut Document) {
    let mut reasons = field.ratings.reasons.iter();
    let why = reasons.find(|(missing, _)| *missing == method);
    let why = why.map_or("", |(_, why)| why.as_str());
    document.paragraph(format!("no ratings: {why}"));
}

/// The table of ratings of three engines or more, and how many are not in it.
pub(super) fn ratings(statistics: &EventStatistics, document: &mut Document) {
    let Some(field) = shown(statistics) else {
        return;
    };
    // Groups that no game connects have tables of their own: places count within one.
    let mut groups: Vec<Vec<EngineRow<'_>>> = Vec::new();
    for row in engine_rows(statistics) {
        let same = |group: &&mut Vec<EngineRow<'_>>| group[0].group() == row.group();
        match groups.iter_mut().find(same) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    if groups.iter().filter(|group| group.len() > 1).count() < 2 {
        return group_table(field, engine_rows(statistics), document);
    }
    for (number, mut group) in (1..).zip(groups) {
        let all: Vec<u64> = group.iter().filter_map(|row| row.place).collect();
        let above = |place: u64| all.iter().filter(|other| **other < place).count() as u64;
        for row in &mut group {
            row.place = row.place.map(|place| 1 + above(place));
        }
        document.title(format!("Group {number}, which has not met the others"));
        group_table(field, group, document);
    }
}

fn group_table(field: &FieldReport, mut rows: Vec<EngineRow<'_>>, document: &mut Document) {
    let is_of_event = field.tie_breaks.is_of_event;
    if !is_of_event && !is_list(field) {
        return document.table(Table::from_columns(&EngineRow::TABLE, &rows));
    }
    // By rating: places are elsewhere, or the engines played very different numbers of games. Those without one last.
    let elo = |row: &EngineRow<'_>| row.elo().unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|one, other| elo(other).total_cmp(&elo(one)));
    let more = rows.len().saturating_sub(MAX_ROWS);
    rows.truncate(MAX_ROWS);
    for (place, row) in (1..).zip(&mut rows) {
        row.place = row.elo().map(|_| place);
    }
    // Of hundreds of players no places are computed.
    let without = usize::from(field.ranks.iter().all(Option::is_none));
    let all = if is_of_event {
        &EngineRow::BESIDE_PLACES[..]
    } else {
        &EngineRow::LIST[..]
    };
    document.table(Table::from_columns(&all[..all.len() - without], &rows));
    if more > 0 {
        document.paragraph(format!("… {}: --by engine", count(more, "more engine")));
    }
}

fn is_list(field: &FieldReport) -> bool {
    let rows = || field.ratings.standings.iter();
    let games = || rows().map(|row| row.games).filter(|games| *games > 0);
    games().max().unwrap_or(0) > UNEQUAL_GAMES * games().min().unwrap_or(0)
}

const PLACES: &str = "places: the set that holds the true one with 95 %";

fn errors(field: &FieldReport) -> String {
    let Some((clusters, unit)) = field.clusters.zip(field.unit) else {
        return "none: too few independent observations".to_owned();
    };
    let unit = match unit {
        ClusterUnit::Game => "game",
        ClusterUnit::Pair => "pair",
        ClusterUnit::Position => "position",
        ClusterUnit::AllPairs if field.ranks.iter().all(Option::is_none) => {
            return "95 %, for each player, with one dispersion of results for all".to_owned();
        }
        ClusterUnit::AllPairs => {
            let why = "with one dispersion of results for all, because some have few pairs";
            return format!("95 %, {why}; {PLACES}");
        }
    };
    let clusters = count(clusters as u64, unit);
    format!("95 %, clustered by {unit} ({clusters}); {PLACES}")
}

/// Engines with equal points, and the rule that ranks one above the other.
fn tie_breaks(field: &FieldReport, document: &mut Document) {
    let standings = &field.ratings.standings;
    let level = |two: &[StandingReport]| two[0].points == two[1].points;
    if field.tie_breaks.is_of_event || is_list(field) || !standings.windows(2).any(level) {
        return;
    }
    for two in standings.windows(2) {
        if let Some(rule) = two[1].decided_by.map(|rule| rule.words()) {
            let (above, below) = (short_name(&two[0].name), short_name(&two[1].name));
            let words = format!("{above} stands above {below} by {rule}");
            document.line("tie-break", words + "; the points do not separate them");
        }
    }
    let rules = field.tie_breaks.order.iter();
    let names: Vec<&str> = rules.map(|rule| rule.name()).collect();
    document.line("tie-breaks", names.join(", "));
}

/// P(row is stronger than column), in the order of the standings.
fn superiority(statistics: &EventStatistics, field: &FieldReport, document: &mut Document) {
    let rows = field.ratings.standings.iter();
    let order: Vec<usize> = rows.map(|row| row.engine).collect();
    let shown = field.ratings.logistic.as_ref();
    let Some(logistic) = shown.filter(|_| order.len() <= MAX_IN_MATRIX) else {
        return;
    };
    let names = |engine: usize| short_name(&statistics.engines[engine]);
    let cell = |row: usize, column: usize| match logistic.los[row][column] {
        _ if row == column => "·".to_owned(),
        value => or_dash(value, |los| format!("{:.0}", 100.0 * los)),
    };
    document.title("Likelihood of superiority, per cent");
    document.table(square(&order, names, cell));
}
