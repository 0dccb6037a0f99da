//! Standings, crosstable and rounds of the report and of the live page.

use std::collections::BTreeMap;
use std::ops::Range;

use maud::{Markup, html};

use crate::report::tables::encounter_points;
use crate::report::tie_break_lines;
use crate::schedule::{Decision, Encounter};
use crate::sink::decision_word;
use crate::text::count;
use crate::tournament::{Contest, Roster, Scoreboard, decision_lines, ruling_lines};

/// Longer lists than this are folded.
const FEW: usize = 3;

/// How far the event is, which engines are out, and what the arbiter has decided.
pub(crate) fn progress(roster: &Roster, board: &Scoreboard) -> Markup {
    html! {
        p {
            (count(board.games(), "game")) " and " (count(board.pairs(), "complete pair")) " counted"
            @if let Some(planned) = roster.planned_games {
                " of " (count(planned, "game")) " planned; missing: " (board.missing_games(planned))
            }
            @if roster.voided_games > 0 { "; " (count(roster.voided_games, "voided game")) " in the log" }
            "."
            @if let Some(label) = &roster.adaptive { " Adaptive: " (label) "." }
        }
        @for line in ruling_lines(board) { p.warning { (line) } }
        @if !roster.decisions.is_empty() {
            h4 { "The arbiter's book" }
            ul { @for line in decision_lines(roster) { li { (line) } } }
        }
    }
}

/// The standings with their tie-breaks, and the ratings that `rating` has for names; `command` computes these again.
pub(crate) fn standings(
    roster: &Roster,
    board: &Scoreboard,
    rating: impl Fn(&str) -> Option<[String; 2]>,
    command: &str,
) -> Markup {
    let names = board.participants().iter();
    let ratings: Vec<_> = names.map(|entry| rating(&entry.name)).collect();
    let rated = ratings.iter().any(Option::is_some);
    let rows = board.standings();
    let unplayed = rows.iter().any(|row| row.unplayed_points() > 0.0);
    let tie_breaks = board.tie_breaks().iter();
    let tie_breaks: Vec<&str> = tie_breaks.map(|rule| rule.words()).collect();
    let is_tree = board
        .contest()
        .is_some_and(|contest| contest.progress().is_some());
    html! {
        h4 { "Standings" }
        @if roster.is_self_play() {
            p { "Sanity check: one engine plays itself, so its copies should be equal." }
        }
        div.wide tabindex="0" role="region" aria-label="Standings" { table {
            thead { tr { th { "#" } th { "engine" } th { "points" } th { "games" } th { "W−D−L" } th { "with White" } @if rated { th { "Elo" } th { "±" } } th { "SB" } th { "pairs won 2−0" } @if unplayed { th { "unplayed" } } } }
            tbody { @for row in &rows {
                @let index = usize::from(row.engine);
                @let [white, black] = board.by_color(index);
                @let total = white.plus(black);
                tr {
                    td { (row.place) }
                    th scope="row" { (board.participants()[index].name) }
                    td { (format!("{:.1}", row.points())) }
                    td { (total.games()) }
                    td { (total.wins) "−" (total.draws) "−" (total.losses) }
                    td { (white.wins) "−" (white.draws) "−" (white.losses) }
                    @if rated {
                        @for cell in 0..2 { td { (ratings[index].as_ref().map_or("-", |cells| cells[cell].as_str())) } }
                    }
                    td { (format!("{:.2}", row.sonneborn_berger_points())) }
                    td { (row.double_wins) }
                    @if unplayed { td { (format!("{:.1}", row.unplayed_points())) } }
                }
            } }
        } }
        (equal_points(board))
        p.source { @if is_tree { "Engines are ordered by how far they came, then by " } @else { "Engines with equal points are ordered by " }
             (tie_breaks.join(", ")) "." @if rated { " Elo is the rating by all games together, ± its 95 % interval." } " Computed by "
            code { (command) } }
    }
}

/// The reasons for the order of engines with equal points.
fn equal_points(board: &Scoreboard) -> Markup {
    let lines = tie_break_lines(board);
    html! {
        @if lines.len() > FEW {
            details { summary { "Why engines with equal points stand as they do" } ul { @for line in &lines { li { (line) } } } }
        } @else {
            @for line in &lines { p { (line) } }
        }
    }
}

/// Points of each engine against each other. `games` is the beginning of addresses on a page that lists the games
/// (`#e1-`); with it a cell opens its games. A table wider than paper is printed in parts, one below the other.
pub(crate) fn crosstable(board: &Scoreboard, games: Option<&str>) -> Markup {
    let order: Vec<usize> = board
        .standings()
        .iter()
        .map(|row| usize::from(row.engine))
        .collect();
    let print = Print::of(board, &order);
    let all = 0..order.len();
    html! {
        div.crosstable.small[print == Print::Small].broad[matches!(print, Print::Broad(_))] {
            h4 { "Crosstable" }
            @if let Print::Broad(columns) = print && columns < order.len() {
                div.wide.on-screen tabindex="0" role="region" aria-label="Crosstable" { (points_table(board, &order, all, games)) }
                @for first in (0..order.len()).step_by(columns) {
                    @let part = first..order.len().min(first + columns);
                    div.printed { (points_table(board, &order, part, None)) }
                }
            } @else {
                div.wide tabindex="0" role="region" aria-label="Crosstable" { (points_table(board, &order, all, games)) }
            }
        }
    }
}

/// The way in which a crosstable is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Print {
    /// Like other tables.
    Usual,
    /// In small print.
    Small,
    /// In smaller print on a landscape page, with at most this number of columns.
    Broad(usize),
}

impl Print {
    /// From the width of the widest cell. A digit is up to 0.65 of the font size wide; A4 is 540 points wide between
    /// its margins and 785 high, of which a name takes some 110.
    fn of(board: &Scoreboard, order: &[usize]) -> Print {
        let cells = order
            .iter()
            .flat_map(|row| order.iter().map(move |column| (*row, *column)));
        let characters =
            cells.map(|(row, column)| encounter_points(board, row, column).chars().count());
        let characters = characters.max().unwrap_or(1);
        let width = |size: usize, padding: usize| (characters * size * 65).div_ceil(100) + padding;
        let columns = order.len();
        if columns * width(9, 11) <= 430 {
            Print::Usual
        } else if columns * width(7, 3) <= 430 {
            Print::Small
        } else {
            Print::Broad((655 / width(6, 3)).max(1))
        }
    }
}

fn points_table(
    board: &Scoreboard,
    order: &[usize],
    part: Range<usize>,
    games: Option<&str>,
) -> Markup {
    let columns = order.iter().enumerate().skip(part.start).take(part.len());
    html! {
        table.cross {
            thead { tr { th { "#" } th { "engine" } @for (place, _) in columns.clone() { th { (place + 1) } } } }
            tbody { @for (place, row) in order.iter().enumerate() { tr {
                td { (place + 1) }
                th scope="row" { (board.participants()[*row].name) }
                @for (_, column) in columns.clone() { (cell(board, [*row, *column], games)) }
            } } }
        }
    }
}

fn cell(board: &Scoreboard, [row, column]: [usize; 2], games: Option<&str>) -> Markup {
    let points = encounter_points(board, row, column);
    let is_met = points.contains('/');
    html! {
        td {
            @if let Some(games) = games.filter(|_| is_met) { a href=(format!("{games}games-players-{row}-{column}")) { (points) } }
            @else { (points) }
        }
    }
}

/// How encounters of an elimination tree were decided: the winner, and by what.
type Decided = BTreeMap<(u16, u16), (u16, Decision)>;

/// The rounds of an event, side by side: the tree of an elimination is shown as a bracket.
pub(crate) fn rounds(board: &Scoreboard) -> Option<Markup> {
    let contest = board.contest()?;
    let progress = contest.progress();
    let is_tree = progress.is_some();
    let decided: Decided = progress.map_or_else(Decided::new, |progress| {
        let decisions = progress.decisions();
        decisions
            .map(|(key, winner, _, by)| (key, (winner, by)))
            .collect()
    });
    let encounters = contest.history().encounters();
    let mut by_round = BTreeMap::<u16, Vec<&Encounter>>::new();
    for ((round, _), encounter) in &encounters {
        by_round.entry(*round).or_default().push(encounter);
    }
    Some(html! {
        h4 { @if is_tree { "Bracket" } @else { "Rounds" } }
        @if by_round.is_empty() { p { "No round is drawn yet." } }
        div.wide tabindex="0" role="region" aria-label="Rounds" { div.rounds.tree[is_tree] {
            @for (round, boards) in &by_round {
                section.round {
                    h5 { "Round " (round) @if let Some(planned) = contest.planned_rounds() { " of " (planned) } }
                    div.encounters { @for card in cards(board, contest, boards, &decided, *round) { (card) } }
                }
            }
        } }
    })
}

/// The encounters of a round and its byes, in the order of boards; byes without a board come last.
fn cards(
    board: &Scoreboard,
    contest: &Contest,
    encounters: &[&Encounter],
    decided: &Decided,
    round: u16,
) -> Vec<Markup> {
    let drawn = encounters.iter().map(|encounter| {
        let place = (encounter.place.round, encounter.place.board);
        (
            place.1,
            card(board, contest, encounter, decided.get(&place)),
        )
    });
    let byes = byes(board, contest, decided, round).into_iter();
    let byes = byes.map(|(place, name)| (place, html! { p.encounter { (name) " has a bye" } }));
    let mut cards: Vec<(u16, Markup)> = drawn.chain(byes).collect();
    cards.sort_by_key(|(place, _)| *place);
    cards.into_iter().map(|(_, card)| card).collect()
}

fn card(
    board: &Scoreboard,
    contest: &Contest,
    encounter: &Encounter,
    decided: Option<&(u16, Decision)>,
) -> Markup {
    let open = !encounter.is_complete() && contest.history().is_open(encounter);
    let place = encounter.place;
    let progress = contest.progress();
    let name = progress.and_then(|progress| progress.name(place.round, place.board));
    html! {
        div.encounter {
            @for (side, engine) in encounter.engines.into_iter().enumerate() {
                @let won = decided.is_some_and(|(winner, _)| *winner == engine);
                p class=[won.then_some("won")] {
                    span { (board.engine_name(engine)) }
                    span { (format!("{:.1}", f64::from(encounter.half_points[side]) / 2.0)) }
                }
            }
            p.state {
                // One child: the style sheet spreads several children over the line.
                span {
                    @if let Some(name) = name { b { (name) } ", " }
                    "board " (place.board)
                    @if let Some((_, by)) = decided { @if *by != Decision::Points { ", decided by " (decision_word(*by)) } }
                    @else if open { ", " (encounter.played) " of " (encounter.games) " games" }
                    @else if !encounter.is_complete() { ", withdrawn" }
                }
            }
        }
    }
}

/// The engines with a bye in a round, with the board if there is one.
fn byes(
    board: &Scoreboard,
    contest: &Contest,
    decided: &Decided,
    round: u16,
) -> Vec<(u16, String)> {
    let listed = contest.history().byes().iter();
    let listed = listed
        .filter(|bye| bye.round == round)
        .map(|bye| (u16::MAX, bye.engine));
    let drawn = decided.iter();
    let drawn = drawn.filter(|((of, _), (_, by))| *of == round && *by == Decision::Bye);
    let drawn = drawn.map(|((_, place), (winner, _))| (*place, *winner));
    listed
        .chain(drawn)
        .map(|(place, engine)| (place, board.engine_name(engine)))
        .collect()
}
