//! Ratings of many engines.

use crate::analysis::{EventStatistics, FieldReport, RatingModel, SelectedReport, TieBreaks};
use crate::report::statistics::engines::{EngineRow, engine_rows};
use crate::report::tables::{new_table, square, table_of};
use crate::stats::ratings::ClusterUnit;
use crate::stats::ratings::report::{LogisticReport, StandingReport};

use super::encounter::selection_label;
use super::numbers::{
    count, elo, elo_or_dash, labelled, line, name, or_dash, paragraph, percent, probability,
    rendered,
};

/// With more engines the list of all pairs of engines would be too long.
const MOST_SHOWN: usize = 6;

/// With more engines a LOS matrix would not fit.
const LARGEST_MATRIX: usize = 12;

/// The section on ratings; for two engines it is separate.
pub(crate) fn field(statistics: &EventStatistics) -> Option<String> {
    let field = statistics.ratings.as_ref()?;
    if statistics.engines.len() < 3 && !statistics.shows_ratings {
        return None;
    }
    let mut text = "Ratings\n".to_owned();
    text += &ratings_table(statistics, field);
    text += &match field.model {
        RatingModel::Logistic => headline(field),
        RatingModel::Davidson => davidson(field),
        RatingModel::BayesElo => bayeselo(field),
    };
    text += &selections(statistics);
    text += &tie_breaks(field);
    text += &comparisons(statistics, field);
    let logistic = field.ratings.logistic.as_ref();
    let logistic = logistic.filter(|_| field.model == RatingModel::Logistic);
    if let Some(matrix) = logistic.and_then(|logistic| superiority(statistics, logistic)) {
        text += "\nLikelihood of superiority, per cent\n";
        text += &matrix;
    }
    Some(text)
}

/// All pairs of a few engines, with simultaneous intervals.
fn comparisons(statistics: &EventStatistics, field: &FieldReport) -> String {
    let anchored = !field.anchors.is_empty() || field.model != RatingModel::Logistic;
    if anchored || field.comparisons.is_empty() || statistics.engines.len() > MOST_SHOWN {
        return String::new();
    }
    let mut table = new_table(&["engine", "against", "Elo", "±", "p"], &[0, 1]);
    for found in &field.comparisons {
        let engine = |place: u16| name(&statistics.engines[usize::from(place)]).into_owned();
        table.add_row([
            engine(found.first),
            engine(found.second),
            elo(found.elo),
            format!("{:.1}", found.elo_error),
            probability(found.p_adjusted),
        ]);
    }
    let heading =
        "\nEvery two engines; all intervals hold together with 95 %, p is adjusted for all\n";
    heading.to_owned() + &rendered(&table)
}

/// The ratings of not too many engines without forfeits, if there are forfeits.
fn selections(statistics: &EventStatistics) -> String {
    if statistics.engines.len() > LARGEST_MATRIX {
        return String::new();
    }
    let one = |selection: &SelectedReport| {
        let ratings = statistics.engines.iter().zip(&selection.ratings);
        let shown = ratings.filter_map(|(engine, rating)| {
            let [value, error] = (*rating)?;
            Some(format!("{} {} ± {error:.1}", name(engine), elo(value)))
        });
        let shown: Vec<String> = shown.collect();
        line(selection_label(selection.selection), &shown.join(", "))
    };
    statistics.selections.iter().map(one).collect()
}

/// The lines below the logistic ratings.
fn headline(field: &FieldReport) -> String {
    let Some(logistic) = &field.ratings.logistic else {
        return missing(field, "logistic");
    };
    let mut text = line("errors", &errors(field));
    text += &line("White", &white(field, logistic));
    if !field.anchors.is_empty() {
        let anchors = field.anchors.iter();
        let anchors = anchors.map(|(engine, at)| format!("{} at {at:.1}", name(engine)));
        text += &line("anchors", &anchors.collect::<Vec<_>>().join(", "));
    }
    text
}

fn davidson(field: &FieldReport) -> String {
    let Some(davidson) = &field.ratings.davidson else {
        return missing(field, "davidson");
    };
    let text = line(
        "model",
        "Davidson: Elo of wins against losses, the more above that of points the more is drawn; \
         errors 95 %, clustered by pair",
    );
    text + &labelled!(
        "equal engines",
        "{} drawn, {} Elo for the first move",
        percent(davidson.draw_prob_equal),
        elo(davidson.white_elo)
    )
}

fn bayeselo(field: &FieldReport) -> String {
    let Some(bayeselo) = &field.ratings.bayeselo else {
        return missing(field, "bayeselo");
    };
    let text = line(
        "model",
        "as BayesElo after \"mm 1 1\" and \"covariance\": games taken for independent, errors 95 %",
    );
    text + &labelled!(
        "parameters",
        "advantage {:.1}, drawelo {:.1}, ratings multiplied by {:.3}, a prior of 2 draws",
        bayeselo.advantage,
        bayeselo.drawelo,
        bayeselo.scale
    )
}

/// Why there are no ratings by this model.
fn missing(field: &FieldReport, method: &str) -> String {
    let mut reasons = field.ratings.reasons.iter();
    let why = reasons.find(|(missing, _)| *missing == method);
    let why = why.map_or("", |(_, why)| why.as_str());
    paragraph(&format!("no ratings: {why}"))
}

/// Ratio of the games of the engine with the most to those of the engine with the fewest (at least one). From this
/// ratio on a table by points would show who played most, so the list is ordered by rating.
const UNEQUAL: u32 = 3;

/// Rows of a list in a text; `--by engine` has all.
const LONGEST: usize = 100;

fn ratings_table(statistics: &EventStatistics, field: &FieldReport) -> String {
    let mut rows = engine_rows(statistics);
    if !is_list(field) {
        return rendered(&table_of(&EngineRow::TABLE, &rows));
    }
    // By rating, because the engines played very different numbers of games; those without one last.
    let elo = |row: &EngineRow<'_>| row.elo().unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|one, other| elo(other).total_cmp(&elo(one)));
    let more = rows.len().saturating_sub(LONGEST);
    rows.truncate(LONGEST);
    for (place, row) in (1..).zip(&mut rows) {
        row.place = row.elo().map(|_| place);
    }
    let more =
        (more > 0).then(|| format!("… {}: --by engine\n", count(more as u64, "more engine")));
    // Of hundreds of players no places are computed.
    let without = usize::from(field.ranks.iter().all(Option::is_none));
    let columns = &EngineRow::LIST[..EngineRow::LIST.len() - without];
    rendered(&table_of(columns, &rows)) + &more.unwrap_or_default()
}

fn is_list(field: &FieldReport) -> bool {
    let rows = || field.ratings.standings.iter();
    let games = || rows().map(|row| row.games).filter(|games| *games > 0);
    games().max().unwrap_or(0) > UNEQUAL * games().min().unwrap_or(0)
}

/// The table of ratings of three engines or more.
pub(crate) fn ratings(statistics: &EventStatistics) -> Option<String> {
    let field = statistics.ratings.as_ref()?;
    let shown = statistics.engines.len() > 2 || statistics.shows_ratings;
    shown.then(|| ratings_table(statistics, field))
}

fn errors(field: &FieldReport) -> String {
    let Some((clusters, unit)) = field.clusters.zip(field.unit) else {
        return "none: too few independent observations".to_owned();
    };
    let unit = match unit {
        ClusterUnit::Game => "game",
        ClusterUnit::Pair => "pair",
        ClusterUnit::Position => "position",
        ClusterUnit::AllPairs => {
            return "95 %, for each player, with one dispersion of results for all".to_owned();
        }
    };
    format!(
        "95 %, clustered by {unit} ({}); places: the set that holds the true one with 95 %",
        count(clusters as u64, unit)
    )
}

fn white(field: &FieldReport, logistic: &LogisticReport) -> String {
    let error = field.white_elo_error.map(|error| format!(" ± {error:.1}"));
    format!(
        "{}{} Elo added to White's rating; what the first move is worth is said below",
        elo_or_dash(logistic.white_elo),
        error.unwrap_or_default()
    )
}

/// Engines with equal points, and the rule that ranks one above the other.
fn tie_breaks(field: &FieldReport) -> String {
    let standings = &field.ratings.standings;
    let level = |two: &[StandingReport]| two[0].points == two[1].points;
    if is_list(field) || !standings.windows(2).any(level) {
        return String::new();
    }
    let decided = standings.windows(2).filter_map(|two| {
        let rule = two[1].decided_by?.words();
        let (above, below) = (name(&two[0].name), name(&two[1].name));
        Some(line(
            "tie-break",
            &format!("{above} stands above {below} by {rule}; the points do not separate them"),
        ))
    });
    let decided: String = decided.collect();
    decided + &line("tie-breaks", &order_words(&field.tie_breaks))
}

/// The rules by their names in an event file.
fn order_words(rules: &TieBreaks) -> String {
    let names: Vec<&str> = rules.order.iter().map(|rule| rule.name()).collect();
    let names = match names.is_empty() {
        true => "none that results decide".to_owned(),
        false => names.join(", "),
    };
    match rules.beyond {
        None => names,
        Some(next) => format!(
            "{names}; then {}, which needs more than results: `status` has the event's standings",
            next.name()
        ),
    }
}

/// P(row is stronger than column), in the order of the standings.
fn superiority(statistics: &EventStatistics, logistic: &LogisticReport) -> Option<String> {
    let field = statistics.ratings.as_ref()?;
    let rows = field.ratings.standings.iter();
    let order: Vec<usize> = rows.map(|row| row.engine).collect();
    if order.len() > LARGEST_MATRIX {
        return None;
    }
    let names = |engine: usize| name(&statistics.engines[engine]).into_owned();
    let cell = |row: usize, column: usize| match logistic.los[row][column] {
        _ if row == column => "·".to_owned(),
        value => or_dash(value, |los| format!("{:.0}", 100.0 * los)),
    };
    Some(rendered(&square(&order, names, cell)))
}
