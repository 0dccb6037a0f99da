//! The first-move advantage. Nothing is called favourable here that the games
//! do not separate from the average.

use crate::analysis::EventStatistics;
use crate::analysis::{FEWEST_FOR_SPREAD, FirstMoveReport, SelectedReport, Unnamed};
use crate::stats::advantage::hierarchical::shape::PredictiveCheck;
use crate::stats::advantage::report::PositionReport;
use crate::stats::advantage::{AdvantageReport, Verdict};
use crate::stats::elo::elo_from_score;

use super::encounter::selection_label;
use super::numbers::{
    count, elo, elo_or_dash, interval, line, name, or_dash, p_value, paragraph, percent,
    probability,
};
use super::tables::named_table;

/// How many of a list of named positions are shown.
const SHOWN: usize = 12;

/// The section on the first move; `None` without games.
pub(crate) fn first_move(statistics: &EventStatistics) -> Option<String> {
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
    Some(text + &named(statistics))
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
        None => "± unknown".to_owned(),
    };
    line(
        "advantage",
        &format!(
            "{} Elo at equal strength ({}); 95 %: these starts {}, all starts {}",
            elo(found.elo),
            percent(found.score),
            ends(found.elo_error_these),
            ends(found.elo_error_all)
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

/// Do the positions differ, and by how much?
fn variation(report: &FirstMoveReport) -> String {
    let advantage = &report.advantage;
    let likelihood = advantage.hier.as_ref().and_then(|layer_b| layer_b.lrt_p);
    let spread = advantage.shape.as_ref().map(|shape| shape.sd_elo);
    // Without the mixture, what one normal distribution says.
    let spread = spread.or(report.tau_elo);
    let spread = spread.filter(|_| report.tau_elo.is_some());
    let text = match (spread, &advantage.hier_reason) {
        (Some([sd, low, high]), _) => format!(
            "by {sd:.1} Elo (standard deviation of these starts), 95 % [{low:.1}, {high:.1}]; that \
             they do not differ at all: {} (likelihood ratio)",
            or_dash(likelihood, p_value)
        ),
        (None, Some(why)) => format!("not known: {why}"),
        (None, None) if advantage.hier.is_some() => format!(
            "not known: {} are too few for a spread, {FEWEST_FOR_SPREAD} are needed",
            count(advantage.positions.len() as u64, "position")
        ),
        (None, None) => "not known: it has no finite fit".to_owned(),
    };
    line("positions differ", &text)
        + &other_tests(advantage)
        + &drawishness(advantage)
        + &shape(report)
        + &equivalence(report)
}

/// How much positions differ in drawishness, where the model was asked to let them.
fn drawishness(advantage: &AdvantageReport) -> String {
    let Some(omega) = advantage.draw_spread else {
        return String::new();
    };
    line(
        "drawishness",
        &format!(
            "differs by {omega:.2} over the positions (standard deviation of δ, the logarithm of the \
             odds of a draw); positions and their intervals are those of this model"
        ),
    )
}

/// How much the assumption of a shape matters, and whether the shapes yield such results.
fn shape(report: &FirstMoveReport) -> String {
    let shape = report.advantage.shape.as_ref();
    let Some(shape) = shape.filter(|_| report.tau_elo.is_some()) else {
        return String::new();
    };
    let three = |check: &PredictiveCheck| {
        let parts = [check.skewness, check.kurtosis, check.extreme];
        parts.map(|p| format!("{p:.3}")).join(", ")
    };
    let named = match report.unnamed {
        Some(_) => String::new(),
        None => format!(
            "named under the mixture of shapes {}, under one normal distribution {}; ",
            shape.named, shape.named_if_normal
        ),
    };
    let mut text = line(
        "shape",
        &format!(
            "{named}scores as skewed, as long-tailed, as extreme as these have p = {} (normal: {})",
            three(&shape.predictive),
            three(&shape.predictive_if_normal)
        ),
    );
    text += &line(
        "no position",
        &format!(
            "is farther than {:.0} Elo from the mean of these starts, with 95 % probability",
            shape.farthest_elo
        ),
    );
    text
}

/// How many positions differ from the mean by less than matters, where that was asked for.
fn equivalence(report: &FirstMoveReport) -> String {
    let Some(found) = report.advantage.equivalence else {
        return String::new();
    };
    line(
        "equivalent",
        &format!(
            "{} of {} are within {} Elo of the mean with at least 95 % probability each; all of \
             them: probability {}",
            found.positions,
            count(report.advantage.positions.len() as u64, "position"),
            found.margin_elo,
            probability(found.p_all)
        ),
    )
}

/// The analysis of variance, and the dispersion of the positions' totals by pairs. With one
/// pair a position the games of a pair must be taken for independent, which is said.
fn other_tests(advantage: &AdvantageReport) -> String {
    let mut tests = Vec::new();
    if let Some(p) = advantage.layer_a.as_ref().and_then(|a| a.p_value) {
        let exact = advantage.permutation_p.map(p_value);
        let exact = exact.map_or_else(String::new, |p| format!(" (by permutation {p})"));
        tests.push(format!("F {}{exact}", p_value(p)));
    }
    if let Some(dispersion) = &advantage.dispersion {
        tests.push(match &dispersion.by_pairs {
            Some(by_pairs) => format!("dispersion {}", p_value(by_pairs.p_value)),
            None => format!(
                "dispersion {} if the games of a pair are independent",
                p_value(dispersion.p_value)
            ),
        });
    }
    if tests.is_empty() {
        return String::new();
    }
    line("other tests", &tests.join(", "))
}

/// Pair dispersion, mirror twins, engine by position.
fn checks(report: &FirstMoveReport) -> String {
    let advantage = &report.advantage;
    let replicated = advantage.layer_a.as_ref().is_some_and(|a| a.df2 > 0);
    let mut text = String::new();
    if let Some(phi) = advantage.phi.filter(|_| replicated) {
        let applied = match advantage.phi_applied == 1.0 {
            true => "not applied",
            false => "all counts divided by it",
        };
        text += &line(
            "pair dispersion",
            &format!("{phi:.3} (1 where the model holds), {applied}"),
        );
    }
    text + &mirror_twins(advantage) + &interaction(advantage)
}

fn mirror_twins(advantage: &AdvantageReport) -> String {
    let Some(mirror) = &advantage.mirror else {
        return String::new();
    };
    let Some(p) = mirror.permutation_p.or(mirror.p_value) else {
        return String::new();
    };
    let correlation = advantage.mirror_correlation.filter(|_| mirror.se.is_some());
    let correlation = correlation.map_or_else(String::new, |rho| format!(", correlation {rho:.2}"));
    let classes = count(mirror.classes as u64, "pair");
    line(
        "mirror twins",
        &format!(
            "{classes} of twins; that they share no advantage: {}{correlation}",
            p_value(p)
        ),
    )
}

/// Whether strength depends on the position, and whose does most.
fn interaction(advantage: &AdvantageReport) -> String {
    let Some(found) = &advantage.interaction else {
        return String::new();
    };
    let mut text = format!(
        "that no engine's strength depends on the position: {}",
        p_value(found.p_value)
    );
    let largest = found.engines.iter().max_by(|a, b| a.sd.total_cmp(&b.sd));
    if let Some(largest) = largest.filter(|e| found.engines.len() > 2 && e.sd > 0.0) {
        text += &format!(
            "; most that of {}, by {} of score (standard deviation)",
            name(&largest.engine),
            percent(largest.sd)
        );
    }
    line("interaction", &text)
}

/// The second witness, beside the results and never instead of them.
fn evaluations(report: &FirstMoveReport) -> String {
    if let Some(why) = &report.evaluations_reason {
        return line("evaluations", &format!("no second witness: {why}"));
    }
    let Some(found) = report.evaluations.as_ref().map(|found| &found.all) else {
        return String::new();
    };
    let gain = match found.gain_lo.zip(found.gain_hi) {
        Some((low, high)) => format!("{:.2} [{low:.2}, {high:.2}]", found.gain),
        None => format!("{:.2}, interval unknown,", found.gain),
    };
    line(
        "evaluations",
        &format!(
            "as a second witness they explain {} of the results' variance; the squared error of the \
             results alone is {gain} times as large, both drawn towards the mean of all starts; \
             bias over positions {} [{}, {}] of score (by position in the json)",
            percent(found.explained),
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
    if let Some(why) = report.unnamed {
        return line(
            "by position",
            &format!("not distinguishable: {}", unnamed(why)),
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
        text += &named_table(statistics, &shown);
    }
    if !text.is_empty() {
        text += &paragraph(
            "95 %: holds for 95 % of all positions, and for those that look most extreme; not for those \
             that truly are: a position's own games alone say `own_elo_lo`, `own_elo_hi` (csv, json). \
             selected: holds for positions that are named because of these games.",
        );
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

/// Why no position is named.
pub(crate) fn unnamed(why: Unnamed) -> &'static str {
    match why {
        Unnamed::NotReplicated => {
            "no position was played in two pairs, so chance cannot be told from the positions"
        }
        Unnamed::Copies => {
            "more than a tenth of the games are copies of others; vary the games (a clock, \
             nodes_jitter, a book) to learn about single positions"
        }
    }
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
pub(crate) fn white_line(statistics: &EventStatistics) -> Option<String> {
    let white = &statistics.white;
    let games = white.games();
    if games == 0 {
        return None;
    }
    let score = (white.wins() as f64 + 0.5 * white.draws() as f64) / games as f64;
    let report = &statistics.first_move;
    let mean = match &report.advantage.equal_strength {
        Some(found) => match found.elo_error_these.or(found.elo_error_all) {
            Some(error) => format!("{} ± {error:.1}", elo(found.elo)),
            None => elo(found.elo),
        },
        None => elo(elo_from_score(score)),
    };
    Some(format!(
        "White scored {} of {}, Elo {mean}: {}",
        percent(score),
        count(games, "game"),
        report.estimand
    ))
}
