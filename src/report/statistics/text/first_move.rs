//! The first-move advantage. Nothing is called favourable here that the games
//! do not separate from the average.

use crate::report::statistics::event::EventStatistics;
use crate::report::statistics::first_move::FirstMoveReport;
use crate::stats::advantage::Verdict;
use crate::stats::advantage::report::PositionReport;
use crate::stats::elo::elo_from_score;

use super::numbers::{
    count, elo, elo_or_dash, interval, line, or_dash, p_value, paragraph, percent, probability,
};
use super::tables::positions_table;

/// Of a list of named positions so many are shown.
const SHOWN: usize = 12;

/// The section on the first move; `None` without games.
pub fn first_move(statistics: &EventStatistics) -> Option<String> {
    if statistics.white.games() == 0 {
        return None;
    }
    let report = &statistics.first_move;
    let mut text = "The first move\n".to_owned();
    text += &paragraph(&format!("{}.", report.estimand));
    text += &line("White", &white(statistics));
    text += &line("draws", &or_dash(report.advantage.draw_rate, percent));
    text += &mean(report);
    text += &variation(report);
    text += &checks(report);
    text += &evaluations(report);
    Some(text + &named(statistics))
}

fn white(statistics: &EventStatistics) -> String {
    let white = &statistics.white;
    let points = white.wins() as f64 + 0.5 * white.draws() as f64;
    format!(
        "{points:.1} of {} ({}): {} won, {} drawn, {} lost",
        white.games(),
        percent(points / white.games() as f64),
        white.wins(),
        white.draws(),
        white.losses()
    )
}

/// White's mean advantage, with both errors.
fn mean(report: &FirstMoveReport) -> String {
    let Some((mean, fixed, sampled)) = report.mean_elo() else {
        return String::new();
    };
    // Equal results everywhere have a spread of 0, which is not to be believed.
    let known = |se: &f64| *se > 0.0;
    let error = |se: Option<f64>| match se.filter(known) {
        Some(half_width) => format!("± {half_width:.1}"),
        None => "error unknown".to_owned(),
    };
    let positions = report.advantage.layer_a.as_ref().map_or(0, |a| a.positions);
    let mut text = line(
        "advantage",
        &format!(
            "{} Elo, mean over {}: {} for just these positions, {} for positions like these",
            elo(mean),
            count(positions as u64, "position"),
            error(fixed),
            error(sampled)
        ),
    );
    if let Some(equal) = report.advantage.mean_white_elo_equal_strength {
        let score = or_dash(report.advantage.mean_white_score_equal_strength, percent);
        text += &line(
            "by the model",
            &format!("{} Elo ({score}) between equal engines", elo(equal)),
        );
    }
    text
}

/// Do the positions differ, and by how much?
fn variation(report: &FirstMoveReport) -> String {
    let advantage = &report.advantage;
    let mut text = String::new();
    match (&advantage.hier, report.tau_elo) {
        (Some(layer_b), Some([tau, low, high])) => {
            text += &line(
                "positions differ",
                &format!(
                    "by {tau:.1} Elo (standard deviation), 95 % [{low:.1}, {high:.1}]; that they do \
                     not differ at all: {} (likelihood ratio)",
                    p_value(layer_b.lrt_p)
                ),
            );
        }
        _ => {
            let why = advantage
                .hier_reason
                .as_deref()
                .unwrap_or("it has no finite fit");
            text += &line("positions differ", &format!("not known: {why}"));
        }
    }
    let tests = [
        ("F", advantage.layer_a.as_ref().and_then(|a| a.p_value)),
        (
            "dispersion",
            advantage.dispersion.as_ref().map(|d| d.p_value),
        ),
    ];
    let tests: Vec<String> = tests
        .into_iter()
        .filter_map(|(test, p)| Some(format!("{test} {}", p_value(p?))))
        .collect();
    if !tests.is_empty() {
        text += &line("other tests", &tests.join(", "));
    }
    text
}

/// Pair dispersion, mirror twins, engine by position.
fn checks(report: &FirstMoveReport) -> String {
    let advantage = &report.advantage;
    let mut text = String::new();
    if let Some(phi) = advantage.phi {
        let applied = if advantage.phi_applied == 1.0 {
            "not applied"
        } else {
            "all counts divided by it"
        };
        text += &line(
            "pair dispersion",
            &format!("{phi:.3} (1 where the model holds), {applied}"),
        );
    }
    if let Some(mirror) = advantage
        .mirror
        .as_ref()
        .filter(|mirror| mirror.p_value.is_some())
    {
        let correlation = or_dash(advantage.mirror_correlation, |rho| {
            format!(", correlation {rho:.2}")
        });
        let classes = count(mirror.classes as u64, "pair");
        let correlation = if correlation == "-" {
            String::new()
        } else {
            correlation
        };
        text += &line(
            "mirror twins",
            &format!(
                "{classes} of twins; they share an advantage: {}{correlation}",
                or_dash(mirror.p_value, p_value)
            ),
        );
    }
    if let Some(p) = advantage
        .engine_by_position
        .as_ref()
        .and_then(|e| e.analysis.p_value)
    {
        let text_of = format!(
            "the strength difference depends on the position: {}",
            p_value(p)
        );
        text += &line("interaction", &text_of);
    }
    text
}

/// The second witness, beside the results and never instead of them.
fn evaluations(report: &FirstMoveReport) -> String {
    if let Some(why) = &report.evaluations_reason {
        return line("evaluations", &format!("no second witness: {why}"));
    }
    let Some(found) = &report.evaluations else {
        return String::new();
    };
    line(
        "evaluations",
        &format!(
            "as a second witness they explain {} of the results' variance, worth {:.2} times the \
             pairs; bias over positions {} [{}, {}] of score (by position in the json)",
            percent(found.explained),
            found.mean_gain,
            percent(found.tau_residual),
            percent(found.tau_residual_lo),
            percent(found.tau_residual_hi)
        ),
    )
}

/// The positions that may be named, or that none may.
fn named(statistics: &EventStatistics) -> String {
    let report = &statistics.first_move;
    if report.advantage.hier.is_none() {
        return String::new();
    }
    if !report.is_replicated() {
        return line(
            "by position",
            "not distinguishable: no position was played in two pairs, so chance cannot be told \
             from the positions",
        );
    }
    let lists = [
        (Verdict::AboveAverage, "Most favourable to White"),
        (Verdict::BelowAverage, "Least favourable to White"),
    ];
    let mut text = String::new();
    for (verdict, title) in lists {
        let positions = report.named(verdict);
        if positions.is_empty() {
            continue;
        }
        let shown: Vec<&PositionReport> = positions.iter().take(SHOWN).copied().collect();
        text += &format!(
            "\n{title} (s ≤ 0.05): {}\n",
            count(positions.len() as u64, "position")
        );
        text += &positions_table(statistics, &shown);
    }
    if text.is_empty() {
        let smallest = or_dash(report.smallest_s_value(), probability);
        text = line(
            "by position",
            &format!(
                "not distinguishable: no position can be told from the average (smallest s-value \
                 {smallest}, 0.05 is needed)"
            ),
        );
    }
    text + &standard(statistics)
}

/// Start 518, which people ask for.
fn standard(statistics: &EventStatistics) -> String {
    let positions = &statistics.first_move.advantage.positions;
    let Some(position) = positions.iter().find(|position| position.start == 518) else {
        return String::new();
    };
    let ends = position.elo_lo.zip(position.elo_hi);
    let ends = ends.map_or_else(|| "-".to_owned(), |(lo, hi)| interval(lo, hi));
    line(
        "number 518",
        &format!(
            "{} Elo, 95 % {ends}; above the mean with probability {}",
            elo_or_dash(position.elo),
            or_dash(position.p_above_mean, probability)
        ),
    )
}

/// White's score in one line, for the end of a run.
pub fn white_line(statistics: &EventStatistics) -> Option<String> {
    let white = &statistics.white;
    let games = white.games();
    if games == 0 {
        return None;
    }
    let score = (white.wins() as f64 + 0.5 * white.draws() as f64) / games as f64;
    let report = &statistics.first_move;
    let mean = match report.mean_elo() {
        Some((mean, Some(fixed), _)) => format!("{} ± {fixed:.1}", elo(mean)),
        Some((mean, None, _)) => elo(mean),
        None => elo(elo_from_score(score)),
    };
    Some(format!(
        "White scored {} of {}, Elo {mean}: {}",
        percent(score),
        count(games, "game"),
        report.estimand
    ))
}
