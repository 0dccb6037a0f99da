//! Standings; crosstables by rounds, as arbiters print them (whom each engine met, with which colours and results;
//! points, tie-breaks), and of all against all. Pure: counts in, tables out.

use crate::analysis::{EventKind, EventStatistics, Verdict, decision_words};
use crate::schedule::EncounterDecision;
use crate::sink::{armageddon_words, won_without_games};
use crate::stats::standings::{Standing, TieBreak};
use crate::text::{Column, ColumnUnit, Table, count, or_dash, page_width, paragraph, printable};
use crate::tournament::{
    EventState, Ratings, Scoreboard, SignedGame, StageBoard, StandingRow, ruling_lines, void_lines,
};

use super::statistics;

/// Tie-breaks in a table on a terminal, if no more have decided.
const USUAL_TIE_BREAKS: usize = 2;

/// The standings without ratings.
pub fn standings(board: &Scoreboard) -> String {
    rated_standings(board, &Ratings::new())
}

/// The same with these ratings.
pub(crate) fn rated_standings(board: &Scoreboard, ratings: &Ratings) -> String {
    let table = standings_table(board, ratings, USUAL_TIE_BREAKS);
    let decided: Vec<_> = board.standings().iter().map(|row| row.decided_by).collect();
    let rules = board.tie_breaks().iter();
    let others = rules.filter(|rule| !decided.contains(&Some(**rule)));
    let others = others.map(|rule| rule.head()).rev();
    let spare: Vec<&str> = ["White W-D-L", "±"].into_iter().chain(others).collect();
    table.narrowed(&spare).text()
}

/// The standings with these ratings and with tie-breaks, as [`add_tie_breaks`] has them; without any if none are asked for.
pub(crate) fn standings_table(board: &Scoreboard, ratings: &Ratings, tie_breaks: usize) -> Table {
    let standings = board.standings();
    let rows = board.rows(&standings, ratings);
    let mut table = Table::from_columns(&StandingRow::for_people(&rows), &rows);
    if tie_breaks > 0 {
        add_tie_breaks(&mut table, board, &standings, tie_breaks);
    }
    table
}

/// A column for every tie-break up to the last that has decided a place, in the order of the rules, and for so many at
/// least.
fn add_tie_breaks(table: &mut Table, board: &Scoreboard, standings: &[Standing], least: usize) {
    let has_decided = |rule: &TieBreak| standings.iter().any(|row| row.decided_by == Some(*rule));
    let has_value = |rule: &TieBreak| standings.iter().any(|row| tie_break(row, *rule).is_some());
    let rules = board.tie_breaks().iter().copied();
    let rules = rules.filter(|rule| has_decided(rule) || *rule != TieBreak::Lot && has_value(rule));
    let rules: Vec<TieBreak> = rules.collect();
    let decided = rules.iter().rposition(has_decided);
    let decided = decided.map_or(0, |last| last + 1);
    for rule in rules.into_iter().take(least.max(decided)) {
        let values = standings.iter().map(|row| tie_break(row, rule));
        let cells = values.map(|value| or_dash(value, |value| rule.text(value)));
        table.push(rule.head(), ColumnUnit::Count, cells);
    }
}

/// What an engine has by this rule.
fn tie_break(row: &Standing, rule: TieBreak) -> Option<f64> {
    let mut values = row.tie_breaks();
    values.find(|(own, _)| *own == rule)?.1
}

/// A word on standings whose order by points is not the order of strength.
pub(crate) fn order_line(board: &Scoreboard, ratings: &Ratings) -> Option<String> {
    let standings = board.standings();
    let disagree = StandingRow::disagree(&board.rows(&standings, ratings));
    let words = "Points and Elo have different orders: Elo counts how strong opponents are, and no game that repeats another.";
    disagree.then(|| words.to_owned())
}

/// A table of all against all.
pub(super) fn square(
    order: &[usize],
    name: impl Fn(usize) -> String,
    cell: impl Fn(usize, usize) -> String,
) -> Table {
    let numbers = (1..=order.len()).map(|number| number.to_string());
    let first = ["#", "engine"].map(str::to_owned).into_iter();
    let mut table = Table::new(&first.chain(numbers).collect::<Vec<_>>(), &[]);
    table.heads[1].1 = ColumnUnit::Name;
    table.kept = 2;
    for (place, &row) in order.iter().enumerate() {
        let start = [(place + 1).to_string(), name(row)];
        let cells = order.iter().map(|&column| cell(row, column));
        table.rows.push(start.into_iter().chain(cells).collect());
    }
    table
}

// The table below the first lines on a terminal: the one that fits the kind of event, short enough to be seen at once;
// a tree of encounters, and tie-breaks in sentences.

/// Warnings below a table.
const MAX_WARNINGS: usize = 2;

/// The table of an event, or of games without an event.
pub(crate) fn results(
    verdict: &Verdict,
    state: Option<&EventState>,
    statistics: Option<&EventStatistics>,
) -> String {
    let mut text = match (verdict.kind, state, statistics) {
        (EventKind::Test | EventKind::Match, _, Some(found)) if found.encounter.is_some() => {
            // And the engines of a match that are out.
            let rulings = state.map(|state| ruling_lines(state.board()));
            statistics::two_engines(found, verdict).text() + &sentences(rulings.iter().flatten())
        }
        (EventKind::SelfPlay, _, Some(statistics)) => statistics::self_play(statistics).text(),
        (_, Some(state), statistics) => of_event(verdict.kind, state, statistics),
        (_, None, Some(statistics)) => statistics::ratings(statistics).text(),
        (_, None, None) => String::new(),
    };
    let is_rated = verdict.kind != EventKind::Tree;
    let warnings = statistics.map(|found| statistics::warnings(found, is_rated));
    let warnings = warnings.unwrap_or_default();
    text += &sentences(warnings.iter().take(MAX_WARNINGS));
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
    let ratings = statistics.map(statistics::ratings_beside);
    let ratings = ratings.unwrap_or_default();
    let table = stages(board).or_else(|| bracket(board, 1).filter(|_| kind == EventKind::Tree));
    let table = table.unwrap_or_else(|| rated_standings(board, &ratings));
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
    let names = names.join(", ");
    let words = format!("Ratings of every build. Replaced during the event: {names}.");
    Some(format!("\n{}{table}", paragraph(&words, 0)))
}

fn sentences<'a>(said: impl Iterator<Item = &'a String>) -> String {
    said.map(|line| paragraph(line, 0)).collect()
}

/// The title of the last table of an event in stages.
pub(crate) const HOW_FAR: &str = "How far everybody came";

/// The groups of an event in stages, the last stage first, and how far everybody has come; `None` for other events.
fn stages(board: &Scoreboard) -> Option<String> {
    let stages = board.stages_from_last();
    let text = |stage: &StageBoard| {
        let board = &stage.board;
        let first_round = stage.part.rounds.start;
        let table = bracket(board, first_round).unwrap_or_else(|| standings(board));
        let reasons = sentences(tie_break_lines(board).iter());
        let state = match (stage.part.is_played, board.games()) {
            (true, _) => "",
            (false, 0) => " (not begun)",
            (false, _) => " (not over)",
        };
        format!("{}{state}\n{table}{reasons}\n", printable(&stage.part.name))
    };
    let texts: String = stages.iter().map(text).collect();
    let mut order = Table::new(&["#", "engine"], &[1]);
    for row in board.standings() {
        let name = board.participants()[usize::from(row.engine)].name.clone();
        order.rows.push(vec![row.place.to_string(), name]);
    }
    let order = format!("{HOW_FAR}\n{}", order.text());
    let order = if board.games() > 0 { &order } else { "" };
    (!stages.is_empty()).then(|| texts + order)
}

/// The encounters of a tree by round, the last round first; `None` for other events. Its first round is called
/// `first_round`.
fn bracket(board: &Scoreboard, first_round: u16) -> Option<String> {
    let contest = board.contest()?;
    let progress = contest.progress()?;
    let decided = contest.decided();
    let name = |engine: u16| printable(&board.engine_name(engine)).into_owned();
    let mut rows: Vec<((u16, u16), String)> = Vec::new();
    for (place, encounter) in contest.encounters() {
        let [one, other] = encounter.engines;
        let points = encounter.half_points.map(|half| f64::from(half) / 2.0);
        let by = |by: EncounterDecision, winner: u16| {
            let (words, winner) = (decision_words(by)?, name(winner));
            let colours = armageddon_words(board, contest, &encounter);
            let colours = colours.map(|words| format!("\n{:<22}{words}", ""));
            let colours = colours.unwrap_or_default();
            Some(format!("   {winner} wins by {words}{colours}"))
        };
        let state = match decided.get(&place) {
            Some((winner, how)) => by(*how, *winner).unwrap_or_default(),
            None => format!("   {} of {} games", encounter.played, encounter.games),
        };
        let (one, other) = (name(one), name(other));
        let score = format!("{one} {:.1} - {:.1} {other}", points[0], points[1]);
        rows.push((place, score + &state));
    }
    for (place, winner, words) in won_without_games(contest, &decided) {
        rows.push((place, format!("{} {words}", name(winner))));
    }
    rows.sort_by_key(|((round, board), _)| (std::cmp::Reverse(*round), *board));
    let rows = rows.into_iter().map(|((round, board), row)| {
        let title = progress.name(round, board).unwrap_or_default();
        let round = format!("round {}", round + first_round - 1);
        format!("{round:<8} {title:<13} {row}\n")
    });
    Some(rows.collect())
}

/// A sentence for every two engines with equal points that a tie-break, not their games, has separated.
pub(crate) fn tie_break_lines(board: &Scoreboard) -> Vec<String> {
    let table = board.standings();
    let name = |row: &Standing| &board.participants()[usize::from(row.engine)].name;
    let decided = table.windows(2).filter_map(|two| {
        let rule = two[1].decided_by.filter(|_| board.games() > 0)?;
        let text = |row| tie_break(row, rule).map_or_else(String::new, |value| rule.text(value));
        let [above, below] = [0, 1].map(|row| printable(name(&two[row])));
        let values = match rule {
            TieBreak::Lot => String::new(),
            _ => format!(" ({} to {})", text(&two[0]), text(&two[1])),
        };
        let why = format!("{}{values}: they have equal points.", rule.words());
        Some(format!("{above} stands above {below} by {why}"))
    });
    decided.collect()
}

/// Games of an encounter that are shown one by one; of more, the points are.
pub(crate) const FEW_GAMES: usize = 2;

/// What the cells say.
pub(crate) const LEGEND: &str = "12w1b=: against number 12, won with White and drawn with Black. + and -: won and lost \
     without play. U, H, Z: no opponent, with all points, half of them, none.";

/// Parts, one below the other, of a crosstable on a terminal.
const MAX_PARTS: usize = 4;

/// The crosstable by rounds, or of points of each engine against each other where there are no rounds; `None` for two
/// engines (the standings show everything) and for too many to fit a terminal.
pub fn crosstable(board: &Scoreboard) -> Option<String> {
    if board.participants().len() < 3 {
        return None;
    }
    if let Some(table) = by_rounds(board, &Ratings::new(), FEW_GAMES) {
        return Some(table.text() + &paragraph(LEGEND, 0));
    }
    let table = all_against_all(board);
    (table.parts([page_width(), 3]).len() <= MAX_PARTS).then(|| table.text())
}

/// Points of each engine against each other, in the order of the standings.
pub(crate) fn all_against_all(board: &Scoreboard) -> Table {
    let names = |engine: usize| board.participants()[engine].name.clone();
    square(&board.order(), names, |row, column| {
        encounter_points(board, row, column)
    })
}

/// In the order of the standings; `None` of an event that is not played in rounds. The games of an encounter are shown one
/// by one, if there are at most so many.
pub(crate) fn by_rounds(board: &Scoreboard, ratings: &Ratings, one_by_one: usize) -> Option<Table> {
    let rounds = board.round_games()?;
    let standings = board.standings();
    let rows = board.rows(&standings, ratings);
    let mut numbers = vec![0; rows.len()];
    for (number, row) in (1..).zip(&standings) {
        numbers[usize::from(row.engine)] = number;
    }
    let mut table = Table::new::<&str>(&[], &[]);
    table.rows.resize(rows.len(), Vec::new());
    let in_order = (1..=rows.len()).map(|number| number.to_string());
    table.push("#", ColumnUnit::Count, in_order);
    table.push("engine", ColumnUnit::Name, shown(&StandingRow::NAME, &rows));
    if !ratings.is_empty() && StandingRow::are_rated(&rows) {
        table.push("Elo", ColumnUnit::Elo(1), shown(&StandingRow::ELO, &rows));
    }
    table.kept = table.heads.len();
    for (number, round) in (1_usize..).zip(&rounds) {
        let games = standings.iter().map(|row| &round[usize::from(row.engine)]);
        let cells = games.map(|games| cell(games, &numbers, one_by_one));
        table.push(number.to_string(), ColumnUnit::Text, cells);
    }
    let points = shown(&StandingRow::POINTS, &rows);
    table.push("points", ColumnUnit::Number(1), points);
    add_tie_breaks(&mut table, board, &standings, 0);
    if (1..)
        .zip(&standings)
        .any(|(number, row)| row.place != number)
    {
        table.push("place", ColumnUnit::Count, shown(&StandingRow::RANK, &rows));
    }
    Some(table)
}

/// The cells of a column.
fn shown<R>(column: &Column<R>, rows: &[R]) -> Vec<String> {
    rows.iter().map(|row| column.shown(row)).collect()
}

/// What a round was for an engine; `numbers` are those of the rows, by participant.
fn cell(games: &[SignedGame], numbers: &[usize], one_by_one: usize) -> String {
    let Some(first) = games.first() else {
        return String::new();
    };
    let Some((opponent, _)) = first.against else {
        return first.sign.to_string();
    };
    let number = numbers[opponent];
    if games.len() <= one_by_one {
        let each = games.iter().filter_map(|game| {
            let color = ['w', 'b'][game.against?.1.index()];
            Some(format!("{color}{}", game.sign))
        });
        return number.to_string() + &each.collect::<String>();
    }
    let played = games.iter().filter(|game| !game.is_forfeit());
    let half_points: u32 = played.clone().map(|game| game.half_points()).sum();
    let points = f64::from(half_points) / 2.0;
    let forfeits = games.iter().filter(|game| game.is_forfeit());
    let forfeits: String = forfeits.map(|game| game.sign).collect();
    format!("{number} {points:.1}/{}{forfeits}", played.count())
}

/// A cell of a crosstable, `1.5/2`: points of games; `+2` and `-2` are games won and lost without play. A dot on the
/// diagonal, and a dash where two have not met.
fn encounter_points(board: &Scoreboard, row: usize, column: usize) -> String {
    let games = board.encounter(row, column).total();
    let unplayed = board.unplayed_wins_of([row, column]);
    match (games.games(), unplayed) {
        _ if row == column => "·".to_owned(),
        (0, 0) => "-".to_owned(),
        (0, unplayed) => format!("{unplayed:+}"),
        (count, 0) => format!("{:.1}/{count}", games.points()),
        (count, unplayed) => format!("{:.1}/{count}{unplayed:+}", games.points()),
    }
}
