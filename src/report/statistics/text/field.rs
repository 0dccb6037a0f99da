//! Ratings of many engines.

use crate::analysis::EventStatistics;
use crate::analysis::{FieldReport, TieBreaks};
use crate::analysis::{RatingModel, SelectedReport};
use crate::report::tables::new_table;
use crate::stats::ratings::report::{LogisticReport, StandingReport};
use crate::stats::ratings::{ClusterUnit, Unrated};

use super::encounter::selection_label;
use super::numbers::{
    count, elo, elo_or_dash, line, name, or_dash, paragraph, percent, probability, rendered,
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
    text += &ratings_table(field);
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
    text + &line(
        "equal engines",
        &format!(
            "{} drawn, {} Elo for the first move",
            percent(davidson.draw_prob_equal),
            elo(davidson.white_elo)
        ),
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
    text + &line(
        "parameters",
        &format!(
            "advantage {:.1}, drawelo {:.1}, ratings multiplied by {:.3}, a prior of 2 draws",
            bayeselo.advantage, bayeselo.drawelo, bayeselo.scale
        ),
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

/// The column of the places in a row.
const PLACES: usize = 4;

/// Rows of a list in a text; `--by engine` has all.
const LONGEST: usize = 100;

fn ratings_table(field: &FieldReport) -> String {
    if is_list(field) {
        return rating_list(field);
    }
    let header = [
        "#", "engine", "Elo", "±", "places", "points", "games", "W-D-L", "direct", "SB",
    ];
    let mut table = new_table(&header, &[1]);
    for row in &field.ratings.standings {
        let mut cells = rating_row(field, row);
        cells.extend([format!("{:.1}", row.direct), format!("{:.2}", row.sb)]);
        table.add_row(cells);
    }
    rendered(&table)
}

fn is_list(field: &FieldReport) -> bool {
    let rows = || field.ratings.standings.iter();
    let games = || rows().map(|row| row.games).filter(|games| *games > 0);
    games().max().unwrap_or(0) > UNEQUAL * games().min().unwrap_or(0)
}

/// By rating, because the engines played very different numbers of games; those without one last.
fn rating_list(field: &FieldReport) -> String {
    let mut rows: Vec<(Option<f64>, &StandingReport)> = field
        .ratings
        .standings
        .iter()
        .map(|row| (field.shown(row.engine).0, row))
        .collect();
    rows.sort_by(|one, other| {
        let elo = |row: &(Option<f64>, _)| row.0.unwrap_or(f64::NEG_INFINITY);
        elo(other).total_cmp(&elo(one))
    });
    let mut header = vec![
        "#", "engine", "Elo", "±", "places", "points", "games", "W-D-L",
    ];
    // Of hundreds of players no places are computed.
    let has_places = field.ranks.iter().any(Option::is_some);
    if !has_places {
        header.remove(PLACES);
    }
    let mut table = new_table(&header, &[1]);
    for (place, (rating, row)) in rows.iter().take(LONGEST).enumerate() {
        let mut cells = rating_row(field, row);
        cells[0] = rating.map_or_else(|| "-".to_owned(), |_| (place + 1).to_string());
        if !has_places {
            cells.remove(PLACES);
        }
        table.add_row(cells);
    }
    let more = rows.len().saturating_sub(LONGEST);
    let more =
        (more > 0).then(|| format!("… {}: --by engine\n", count(more as u64, "more engine")));
    rendered(&table) + &more.unwrap_or_default()
}

fn rating_row(field: &FieldReport, row: &StandingReport) -> Vec<String> {
    let engine = row.engine;
    let logistic = field.ratings.logistic.as_ref();
    let (rating, error) = field.shown(engine);
    let headline = field.model == RatingModel::Logistic;
    let unrated = logistic.and_then(|logistic| logistic.unrated[engine]);
    let unrated = unrated.filter(|_| rating.is_none());
    let ranks = field.ranks[engine].as_ref().filter(|_| headline);
    let anchored = headline && field.anchors.contains_key(&row.name);
    vec![
        row.place.to_string(),
        name(&row.name).into_owned(),
        unrated.map_or_else(|| elo_or_dash(rating), |why| unrated_word(why).to_owned()),
        match anchored {
            true => "fixed".to_owned(),
            // Without variance the error is unknown.
            false => or_dash(error.filter(|error| *error > 0.0), |error| {
                format!("{error:.1}")
            }),
        },
        ranks.map_or_else(
            || "-".to_owned(),
            |ranks| match (ranks.best, ranks.worst) {
                (best, worst) if best == worst => best.to_string(),
                (best, worst) => format!("{best}-{worst}"),
            },
        ),
        format!("{:.1}", row.points),
        row.games.to_string(),
        format!("{}-{}-{}", row.wins, row.draws, row.losses),
    ]
}

/// The rating of an engine and its error, the same as in the table of ratings; `None` with fewer than three engines,
/// because the difference of two is printed in another place.
pub(crate) fn rating_of(statistics: &EventStatistics, engine: &str) -> Option<[String; 2]> {
    let field = statistics.ratings.as_ref()?;
    let mut rows = field.ratings.standings.iter();
    let row = rows.find(|row| row.name == engine)?;
    let rated = statistics.engines.len() > 2 && field.model == RatingModel::Logistic;
    let mut cells = rating_row(field, row).into_iter().skip(2);
    Some([cells.next()?, cells.next()?]).filter(|_| rated)
}

/// The table of ratings of three engines or more.
pub(crate) fn ratings(statistics: &EventStatistics) -> Option<String> {
    let field = statistics.ratings.as_ref()?;
    let shown = statistics.engines.len() > 2 || statistics.shows_ratings;
    shown.then(|| ratings_table(field))
}

fn unrated_word(why: Unrated) -> &'static str {
    match why {
        Unrated::NoGames => "no games",
        Unrated::AboveAll => "+inf",
        Unrated::BelowAll => "-inf",
        Unrated::Incomparable => "?",
    }
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
    let order: Vec<usize> = field
        .ratings
        .standings
        .iter()
        .map(|row| row.engine)
        .collect();
    if order.len() > LARGEST_MATRIX {
        return None;
    }
    let numbers: Vec<String> = (1..=order.len()).map(|number| number.to_string()).collect();
    let header: Vec<&str> = ["#", "engine"]
        .into_iter()
        .chain(numbers.iter().map(String::as_str))
        .collect();
    let mut table = new_table(&header, &[1]);
    for (place, &row) in order.iter().enumerate() {
        let cell = |&column: &usize| match logistic.los[row][column] {
            _ if row == column => "·".to_owned(),
            value => or_dash(value, |los| format!("{:.0}", 100.0 * los)),
        };
        let head = [
            (place + 1).to_string(),
            name(&statistics.engines[row]).into_owned(),
        ];
        table.add_row(head.into_iter().chain(order.iter().map(cell)));
    }
    Some(rendered(&table))
}
