//! The first-move advantage: White's score, and what it is worth between equal engines.

use crate::analysis::EventStatistics;
use crate::analysis::{FirstMoveReport, SelectedReport};

use super::encounter::{null_check, selection_label};
use super::named_positions::{TableOf, named};
use super::numbers::{count, elo, elo_or_dash, line, or_dash, paragraph, percent};
use super::parts::{TextPart, parts};
use super::tables::{named_cells, named_table};
use super::variation::{checks, variation};

/// Positions from which errors clustered by position are shown.
const FEWEST_CLUSTERS: usize = 6;

/// The section on the first move; `None` without games.
pub(super) fn first_move(statistics: &EventStatistics) -> Option<String> {
    section(statistics, named_table)
}

/// The same in parts, for who lays it out in another way than a terminal.
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
    text += &checks(report);
    text += &evaluations(report);
    Some(text + &named(statistics, table))
}

fn white(statistics: &EventStatistics) -> String {
    let white = &statistics.white;
    let points = white.wins() as f64 + 0.5 * white.draws() as f64;
    format!(
        "{points:.1} of {} ({}){}: {} won, {} drawn, {} lost",
        white.games(),
        percent(points / white.games() as f64),
        if statistics.self_play {
            ""
        } else {
            " between these engines"
        },
        white.wins(),
        white.draws(),
        white.losses()
    )
}

/// White's mean advantage, with both errors.
fn mean(report: &FirstMoveReport) -> String {
    let Some(found) = &report.advantage.equal_strength else {
        return line(
            "advantage",
            "not known: no finite estimate at equal strength",
        );
    };
    let ends = |error: Option<f64>| match error {
        Some(half_width) => format!("± {half_width:.1}"),
        None => "unknown".to_owned(),
    };
    // Of two positions ± 1500 Elo is said of the others, which helps nobody.
    let all = match found.positions >= FEWEST_CLUSTERS {
        true => ends(found.elo_error_all),
        false => format!("unknown ({})", count(found.positions as u64, "position")),
    };
    line(
        "advantage",
        &format!(
            "{} Elo at equal strength ({}); 95 %: these starts {}, all starts {all}",
            elo(found.elo),
            percent(found.score),
            ends(found.elo_error_these),
        ),
    )
}

/// The same without forfeits, where there are any.
fn selections(statistics: &EventStatistics) -> String {
    let one = |selection: &SelectedReport| {
        let found = selection.equal_strength.as_ref();
        let error = found.and_then(|f| f.elo_error_these.or(f.elo_error_all));
        let error = error.map_or_else(String::new, |error| format!(" ± {error:.1}"));
        line(
            selection_label(selection.selection),
            &format!(
                "{}{error}   {}",
                elo_or_dash(found.map(|f| f.elo)),
                count(selection.games as u64, "game")
            ),
        )
    };
    statistics.selections.iter().map(one).collect()
}

/// Evaluations, a surrogate for results: beside the results and never instead of them.
fn evaluations(report: &FirstMoveReport) -> String {
    if let Some(why) = &report.evaluations_reason {
        return line("evaluations", &format!("not used: {why}"));
    }
    let Some(found) = report.evaluations.as_ref().map(|found| &found.all) else {
        return String::new();
    };
    let gain = match found.gain_lo.zip(found.gain_hi) {
        // Not 95 %: simulated, the range held the true factor in about seven of ten events.
        Some((low, high)) => format!(
            "{:.2} times as large ({low:.2} to {high:.2} by jackknife, which holds in about 70 %)",
            found.gain
        ),
        None => format!("{:.2} times as large (interval unknown)", found.gain),
    };
    line(
        "evaluations",
        &format!(
            "they explain {} of the results' variance; the squared error of the \
             results alone is {gain}, both drawn towards the mean of all starts; \
             bias over positions {} [{}, {}] of score (by position in the json)",
            percent(found.explained),
            percent(found.tau_residual),
            percent(found.tau_residual_lo),
            percent(found.tau_residual_hi)
        ),
    )
}

/// The few numbers of self-play that stand below the first lines.
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
