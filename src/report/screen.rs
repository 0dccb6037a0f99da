//! The table below the first lines on a terminal: the one that fits the kind of event, short enough to be seen at once.

use crate::analysis::{EventKind, EventStatistics, Verdict};
use crate::report::bracket::bracket;
use crate::report::{statistics, tables, tie_break_lines};
use crate::text::{count, paragraph, printable};
use crate::tournament::{EventState, ruling_lines, void_lines};

/// Rows of one table, its header and the lines below it.
const ROWS: usize = 12;

/// Sentences below a table.
const SENTENCES: usize = 2;

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
            statistics::two_engines(statistics, verdict)
        }
        (EventKind::SelfPlay, _, Some(statistics)) => statistics::self_play(statistics),
        (_, Some(state), statistics) => of_event(verdict.kind, state, statistics),
        (_, None, Some(statistics)) => cut(&statistics::ratings(statistics).unwrap_or_default()),
        (_, None, None) => String::new(),
    };
    let warnings = statistics.map(statistics::warnings).unwrap_or_default();
    text + &sentences(&warnings)
}

fn of_event(kind: EventKind, state: &EventState, statistics: Option<&EventStatistics>) -> String {
    let board = state.board();
    let table = match bracket(board).filter(|_| kind == EventKind::Tree) {
        Some(bracket) => bracket,
        None => {
            let ratings = statistics.map(statistics::ratings_beside);
            tables::rated_standings(board, &ratings.unwrap_or_default())
        }
    };
    let rulings = ruling_lines(board).into_iter().chain(void_lines(board));
    let mut said: Vec<String> = rulings.collect();
    if kind != EventKind::Tree {
        said.extend(tie_break_lines(board));
    }
    let builds = statistics.and_then(builds).unwrap_or_default();
    cut(&table) + &sentences(&said) + &builds
}

/// The ratings of every build, where engines were replaced: the results of two builds are not one engine's.
fn builds(statistics: &EventStatistics) -> Option<String> {
    let sources = statistics.sources.iter();
    let names = sources.flat_map(|source| &source.replaced_engines);
    let names: Vec<_> = names.map(|name| printable(name)).collect();
    let table = statistics::ratings(statistics).filter(|_| !names.is_empty())?;
    let words = format!(
        "Ratings of every build. Replaced during the event: {}.",
        names.join(", ")
    );
    Some(format!("\n{}{}", paragraph(&words, 0), cut(&table)))
}

/// The first lines of a table, and how many more there are.
fn cut(table: &str) -> String {
    let lines: Vec<&str> = table.lines().collect();
    let shown = if lines.len() > ROWS {
        ROWS - 1
    } else {
        lines.len()
    };
    let mut text: String = lines[..shown]
        .iter()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect();
    if shown < lines.len() {
        let more = count((lines.len() - shown) as u64, "more line");
        text += &format!("… {more}: `stats --details`\n");
    }
    text
}

fn sentences(all: &[String]) -> String {
    let mut text: String = all
        .iter()
        .take(SENTENCES)
        .map(|line| paragraph(line, 0))
        .collect();
    let more = all.len().saturating_sub(SENTENCES);
    if more > 0 {
        text += &format!("{}: `stats --details`\n", count(more as u64, "more remark"));
    }
    text
}
