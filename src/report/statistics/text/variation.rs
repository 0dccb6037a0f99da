//! Do the start positions differ, how much, and does the model hold that says so?

use crate::analysis::{FEWEST_FOR_SPREAD, FirstMoveReport};
use crate::stats::advantage::AdvantageReport;
use crate::stats::advantage::hierarchical::shape::PredictiveCheck;

use super::numbers::{count, line, name, or_dash, p_value, percent, probability};

/// Do the positions differ, and by how much?
pub(super) fn variation(report: &FirstMoveReport) -> String {
    let advantage = &report.advantage;
    let likelihood = advantage.hier.as_ref().and_then(|model| model.lrt_p);
    let text = match (report.spread_elo(), &advantage.hier_reason) {
        (Some([sd, low, high]), _) => format!(
            "by {sd:.1} Elo (standard deviation of these starts), {} [{low:.1}, {high:.1}]; that \
             they do not differ at all: {} (likelihood ratio)",
            report.spread_level(),
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
pub(super) fn checks(report: &FirstMoveReport) -> String {
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

/// Pairs of twins from which their correlation is shown.
const FEWEST_TWINS: usize = 10;

fn mirror_twins(advantage: &AdvantageReport) -> String {
    let Some(mirror) = &advantage.mirror else {
        return String::new();
    };
    let Some(p) = mirror.permutation_p.or(mirror.p_value) else {
        return String::new();
    };
    // Of a few twins it is a number by chance.
    let correlation = advantage.mirror_correlation;
    let correlation = correlation.filter(|_| mirror.classes >= FEWEST_TWINS);
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
