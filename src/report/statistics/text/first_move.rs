//! The first-move advantage: White's score, and the same in Elo between equal engines.

use crate::analysis::{EventStatistics, FirstMoveReport, RatedReport, SelectedReport};

use super::encounter::{null_check, score, selection_label};
use super::named_positions::{TableOf, named};
use super::numbers::{count, elo, elo_or_dash, labelled, line, or_dash, paragraph, percent};
use super::parts::{TextPart, parts};
use super::tables::{named_cells, named_table};
use super::variation::variation;

/// Minimum number of positions for errors clustered by position to be shown.
const FEWEST_CLUSTERS: usize = 6;

/// The section on the first move; `None` without games.
pub(super) fn first_move(statistics: &EventStatistics) -> Option<String> {
    section(statistics, named_table)
}

/// The same in parts, for pages with another layout than a terminal's.
pub(crate) fn first_move_parts(statistics: &EventStatistics) -> Option<Vec<TextPart>> {
    Some(parts(&section(statistics, named_cells)?))
}

fn section(statistics: &EventStatistics, table: TableOf) -> Option<String> {
    if statistics.white.games() == 0 {
        return None;
    }
    let report = &statistics.first_move;
    let mut text = "The first move\n".to_owned();
    text += &paragraph(&format!("{}.", report.estimand));
    text += &line("White", &white(statistics));
    text += &line("draws", &or_dash(report.advantage.draw_rate, percent));
    text += &mean(report);
    text += &selections(statistics);
    text += &variation(report);
    Some(text + &named(statistics, table))
}

/// The text for a table of results.
pub(crate) fn of_results(total: [u64; 3], report: &FirstMoveReport) -> String {
    paragraph(&format!("{}.", report.estimand))
        + &line("White", &score(total, ""))
        + &mean(report)
        + &variation(report)
}

/// The text for games whose tags say how strong the players are.
pub(crate) fn of_rated(report: &RatedReport) -> String {
    let scale = report.first_move.advantage.scale;
    let scale = scale.map_or(String::new(), |scale| {
        let worth = format!(
            "a difference of 100 Elo in the tags was worth {:.1} ± {:.1}",
            100.0 * scale.value,
            100.0 * scale.error
        );
        line("ratings", &worth)
    });
    let without = match report.without_ratings {
        0 => String::new(),
        games => line(
            "left out",
            &format!("{} without both ratings", count(games, "game")),
        ),
    };
    of_results(report.white, &report.first_move) + &scale + &without
}

fn white(statistics: &EventStatistics) -> String {
    let played = match statistics.self_play {
        true => "",
        false => " between these engines",
    };
    score(statistics.white.0, played)
}

/// White's mean advantage, with both errors.
fn mean(report: &FirstMoveReport) -> String {
    let Some(found) = &report.advantage.mean else {
        return String::new();
    };
    let ends = |error: Option<f64>| match error {
        Some(half_width) => format!("± {half_width:.1}"),
        None => "unknown".to_owned(),
    };
    // With two positions the interval for other positions would be ± 1500 Elo, which is of no use.
    let all = match found.positions >= FEWEST_CLUSTERS {
        true => ends(found.elo_error_all),
        false => format!("unknown ({})", count(found.positions as u64, "position")),
    };
    let mean = labelled!(
        "advantage",
        "{} Elo ({}), the mean over positions; 95 %: these starts {}, all starts {all}",
        elo(found.elo),
        percent(found.score),
        ends(found.elo_error_these),
    );
    mean + &equal_strength(report)
}

/// The mean between equal engines: it follows from laws of draws, not directly from games.
fn equal_strength(report: &FirstMoveReport) -> String {
    let Some(found) = &report.advantage.equal_strength else {
        return String::new();
    };
    let [low, high] = found.range();
    // Near the mean the engines are as good as equal.
    labelled!(
        "at equal strength",
        "{} to {} Elo by three laws of draws, 95 % [{:+.1}, {:+.1}]; self-play needs none",
        elo(low),
        elo(high),
        found.elo_lo,
        found.elo_hi
    )
}

/// The same without forfeits, if there are forfeits.
fn selections(statistics: &EventStatistics) -> String {
    let one = |selection: &SelectedReport| {
        let found = selection.mean.as_ref();
        let error = found.and_then(|f| f.elo_error_these.or(f.elo_error_all));
        let error = error.map_or_else(String::new, |error| format!(" ± {error:.1}"));
        labelled!(
            selection_label(selection.selection),
            "{}{error}   {}",
            elo_or_dash(found.map(|f| f.elo)),
            count(selection.games as u64, "game")
        )
    };
    statistics.selections.iter().map(one).collect()
}

/// The few numbers of self-play below the first lines.
pub(crate) fn self_play(statistics: &EventStatistics) -> String {
    if statistics.white.games() == 0 {
        return String::new();
    }
    let report = &statistics.first_move;
    paragraph(&format!("{}.", report.estimand))
        + &line("White", &white(statistics))
        + &line("draws", &or_dash(report.advantage.draw_rate, percent))
        + &mean(report)
        + &null_check(statistics).unwrap_or_default()
}
