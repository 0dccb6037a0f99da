//! Standings and crosstables, and every table whose columns are engines. Pure: counts in, tables out.

use crate::analysis::{EventKind, EventStatistics, Verdict, decision_words};
use crate::sink::{decided_encounters, won_without_games};
use crate::stats::standings::{Standing, TieBreak};
use crate::text::{ColumnUnit, Table, count, or_dash, paragraph, printable, short_name};
use crate::tournament::{EventState, Ratings, Scoreboard, StandingRow, ruling_lines, void_lines};

use super::statistics;

/// Opponents in one crosstable; more would not fit a terminal.
const MAX_IN_CROSSTABLE: usize = 10;

/// Tie-breaks in a table on a terminal.
const MAX_TIE_BREAKS: usize = 2;

/// The standings without ratings.
pub fn standings(board: &Scoreboard) -> String {
    rated_standings(board, &Ratings::new())
}

/// The same with these ratings.
pub(crate) fn rated_standings(board: &Scoreboard, ratings: &Ratings) -> String {
    let table = standings_table(board, ratings, MAX_TIE_BREAKS);
    table.narrowed(&["White W-D-L", "±"]).text()
}

/// The standings with these ratings and the values of so many tie-breaks, in the order of the rules.
pub(crate) fn standings_table(board: &Scoreboard, ratings: &Ratings, tie_breaks: usize) -> Table {
    let standings = board.standings();
    let rows = board.rows(&standings, ratings);
    let mut table = Table::from_columns(&StandingRow::for_people(&rows), &rows);
    let value = |standing: &Standing, rule: TieBreak| {
        let mut values = standing.tie_breaks();
        values.find(|(own, _)| *own == rule)?.1
    };
    let has_value = |rule: &TieBreak| standings.iter().any(|row| value(row, *rule).is_some());
    let rules = board.tie_breaks().iter().copied();
    let rules = rules.filter(|rule| *rule != TieBreak::Lot && has_value(rule));
    for rule in rules.take(tie_breaks) {
        let head = (rule.head().to_owned(), ColumnUnit::Count);
        table.heads.push(head);
        for (cells, standing) in table.rows.iter_mut().zip(&standings) {
            cells.push(or_dash(value(standing, rule), |value| rule.text(value)));
        }
    }
    table
}

/// A word on standings whose order by points is not the order of strength.
pub(crate) fn order_line(board: &Scoreboard, ratings: &Ratings) -> Option<String> {
    let standings = board.standings();
    let disagree = StandingRow::disagree(&board.rows(&standings, ratings));
    let words =
        "Points and Elo have different orders: not all engines met opponents of the same strength.";
    disagree.then(|| words.to_owned())
}

/// Points of each engine against each other, in the order of the standings; `None` for two engines (the standings show
/// everything) and for too many to fit.
pub fn crosstable(board: &Scoreboard) -> Option<String> {
    let order = board.order();
    if order.len() < 3 || order.len() > MAX_IN_CROSSTABLE {
        return None;
    }
    let names = |engine: usize| short_name(&board.participants()[engine].name);
    let points = |row, column| encounter_points(board, row, column);
    Some(square(&order, names, points).text())
}

/// A table of all against all.
pub(super) fn square(
    order: &[usize],
    name: impl Fn(usize) -> String,
    cell: impl Fn(usize, usize) -> String,
) -> Table {
    let numbers = (1..=order.len()).map(|number| number.to_string());
    let heads: Vec<String> = ["#", "engine"]
        .map(str::to_owned)
        .into_iter()
        .chain(numbers)
        .collect();
    let mut table = Table::new(&heads, &[1]);
    for (place, &row) in order.iter().enumerate() {
        let start = [(place + 1).to_string(), name(row)];
        let cells = order.iter().map(|&column| cell(row, column));
        table.rows.push(start.into_iter().chain(cells).collect());
    }
    table
}

/// A cell of a crosstable, `1.5/2`: points of games; a dot on the diagonal, and a dash where two have not met.
pub(crate) fn encounter_points(board: &Scoreboard, row: usize, column: usize) -> String {
    let games = board.encounter(row, column).total();
    match games.games() {
        _ if row == column => "·".to_owned(),
        0 => "-".to_owned(),
        count => format!("{:.1}/{count}", games.points()),
    }
}

// The table below the first lines on a terminal: the one that fits the kind of event, short enough to be seen at once;
// a tree of encounters, and tie-breaks in sentences.

/// Lines of a list of ratings, its header among them.
const MAX_LINES: usize = 12;

/// Warnings below a table.
const MAX_WARNINGS: usize = 2;

/// The table of an event, or of games without an event.
pub(crate) fn results(
    verdict: &Verdict,
    state: Option<&EventState>,
    statistics: Option<&EventStatistics>,
) -> String {
    let text = match (verdict.kind, state, statistics) {
        (EventKind::Test | EventKind::Match, _, Some(statistics))
            if statistics.encounter.is_some() =>
        {
            statistics::two_engines(statistics, verdict).text() + &rulings(state)
        }
        (EventKind::SelfPlay, _, Some(statistics)) => statistics::self_play(statistics).text(),
        (_, Some(state), statistics) => of_event(verdict.kind, state, statistics),
        (_, None, Some(statistics)) => cut(&statistics::ratings(statistics).text()),
        (_, None, None) => String::new(),
    };
    let is_rated = verdict.kind != EventKind::Tree;
    let warnings = statistics.map(|found| statistics::warnings(found, is_rated));
    let warnings = warnings.unwrap_or_default();
    let shown = warnings.iter().take(MAX_WARNINGS);
    let mut text = text + &sentences(shown);
    let more = warnings.len().saturating_sub(MAX_WARNINGS);
    if more > 0 {
        text += &format!("{}: `stats --details`\n", count(more as u64, "more remark"));
    }
    text
}

/// The event's own table.
pub(crate) fn of_event(
    kind: EventKind,
    state: &EventState,
    statistics: Option<&EventStatistics>,
) -> String {
    let board = state.board();
    let ratings = statistics
        .map(statistics::ratings_beside)
        .unwrap_or_default();
    let table = match bracket(board).filter(|_| kind == EventKind::Tree) {
        Some(bracket) => bracket,
        None => rated_standings(board, &ratings),
    };
    let mut said = ruling_lines(board);
    if kind != EventKind::Tree {
        said.extend(order_line(board, &ratings));
        said.extend(tie_break_lines(board));
    }
    said.extend(void_lines(board));
    let builds = statistics.and_then(builds).unwrap_or_default();
    table + &sentences(said.iter()) + &builds
}

/// The ratings of every build, where engines were replaced: the results of two builds are not one engine's.
fn builds(statistics: &EventStatistics) -> Option<String> {
    let sources = statistics.sources.iter();
    let names = sources.flat_map(|source| &source.replaced_engines);
    let names: Vec<_> = names.map(|name| printable(name)).collect();
    let table = (!names.is_empty()).then(|| statistics::ratings(statistics).text())?;
    let words = format!(
        "Ratings of every build. Replaced during the event: {}.",
        names.join(", ")
    );
    Some(format!("\n{}{}", paragraph(&words, 0), cut(&table)))
}

/// The first lines of a table, and how many more there are.
fn cut(table: &str) -> String {
    let lines: Vec<&str> = table.lines().collect();
    if lines.len() <= MAX_LINES {
        return table.to_owned();
    }
    let (shown, rest) = lines.split_at(MAX_LINES - 1);
    let more = count(rest.len() as u64, "more line");
    format!("{}\n… {more}: `stats --details`\n", shown.join("\n"))
}

/// The engines of a match that are out.
fn rulings(state: Option<&EventState>) -> String {
    let lines = state.map(|state| ruling_lines(state.board()));
    sentences(lines.iter().flatten())
}

fn sentences<'a>(said: impl Iterator<Item = &'a String>) -> String {
    said.map(|line| paragraph(line, 0)).collect()
}

/// The encounters of a tree by round, the last round first; `None` for other events.
fn bracket(board: &Scoreboard) -> Option<String> {
    let contest = board.contest()?;
    let progress = contest.progress()?;
    let decided = decided_encounters(contest);
    let name = |engine: u16| printable(&board.engine_name(engine)).into_owned();
    let mut rows: Vec<((u16, u16), String)> = Vec::new();
    for (place, encounter) in contest.history().encounters() {
        let [one, other] = encounter.engines;
        let points = encounter.half_points.map(|half| f64::from(half) / 2.0);
        let title = progress.name(place.0, place.1).unwrap_or_default();
        let state = match decided.get(&place) {
            Some((winner, by)) => match decision_words(*by) {
                Some(words) => format!("   {} wins by {words}", name(*winner)),
                None => String::new(),
            },
            None => format!("   {} of {} games", encounter.played, encounter.games),
        };
        let row = format!(
            "{:<8} {:<12} {} {:.1} - {:.1} {}{state}",
            format!("round {}", place.0),
            title,
            name(one),
            points[0],
            points[1],
            name(other)
        );
        rows.push((place, row.trim_end().to_owned()));
    }
    for (place, winner, words) in won_without_games(contest, &decided) {
        let title = progress.name(place.0, place.1).unwrap_or_default();
        let round = format!("round {}", place.0);
        let row = format!("{round:<8} {title:<12} {} {words}", name(winner));
        rows.push((place, row));
    }
    rows.sort_by_key(|((round, board), _)| (std::cmp::Reverse(*round), *board));
    Some(rows.into_iter().map(|(_, row)| row + "\n").collect())
}

/// A sentence for every two engines with equal points that a tie-break, not their games, has separated.
pub(crate) fn tie_break_lines(board: &Scoreboard) -> Vec<String> {
    let table = board.standings();
    let name =
        |engine: u16| printable(&board.participants()[usize::from(engine)].name).into_owned();
    let decided = table.windows(2).filter_map(|two| {
        let rule = two[1].decided_by?;
        let value = |row: usize| {
            let mut values = two[row].tie_breaks();
            let value = values
                .find(|(own, _)| *own == rule)
                .and_then(|(_, value)| value);
            value.map_or_else(String::new, |value| rule.text(value))
        };
        let [above, below] = [0, 1].map(|row| name(two[row].engine));
        let values = match rule {
            TieBreak::Lot => String::new(),
            _ => format!(" ({} to {})", value(0), value(1)),
        };
        Some(format!(
            "{above} stands above {below} by {}{values}: they have equal points.",
            rule.words()
        ))
    });
    decided.collect()
}
