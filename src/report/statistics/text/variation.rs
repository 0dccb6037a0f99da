//! Do the start positions differ, and by how much at most?

use crate::analysis::FirstMoveReport;
use crate::stats::advantage::{AdvantageReport, SpreadReport};

use super::numbers::{count, labelled, line, p_value};

/// Do the positions differ, and by how much?
pub(super) fn variation(report: &FirstMoveReport) -> String {
    let advantage = &report.advantage;
    let text = match (&advantage.spread, &advantage.spread_reason) {
        (Some(spread), _) => differ(spread),
        (None, Some(why)) => format!("not known: {why}"),
        (None, None) => "not known".to_owned(),
    };
    line("positions differ", &text)
        + &farthest(advantage)
        + &unbalanced(advantage)
        + &equivalence(advantage)
        + &twins(advantage)
        + &interaction(advantage)
}

/// The bound first: an estimate near zero would be read as a finding.
fn differ(spread: &SpreadReport) -> String {
    let low = match spread.sd_elo_lo > 0.0 {
        true => format!(", at least {:.1}", spread.sd_elo_lo),
        false => String::new(),
    };
    let mut text = format!(
        "by at most {:.1} Elo{low} (standard deviation of these starts, 95 %; estimate {:.1}); that \
         they do not differ: {}",
        spread.sd_elo_hi,
        spread.sd_elo,
        p_value(spread.p_value)
    );
    if let Some(cochran) = &spread.cochran {
        text += &format!(
            " (Q = {:.0} on {} degrees of freedom, {})",
            cochran.q,
            cochran.df,
            p_value(cochran.p_value)
        );
    }
    text
}

fn farthest(advantage: &AdvantageReport) -> String {
    let Some(elo) = advantage.farthest_elo else {
        return String::new();
    };
    line(
        "no position",
        &format!("is farther than {elo:.0} Elo from their mean (all intervals together, 95 %)"),
    )
}

fn unbalanced(advantage: &AdvantageReport) -> String {
    let Some([fewest, most]) = advantage.unbalanced else {
        return String::new();
    };
    labelled!(
        "pairs a position",
        "{fewest} to {most}: each position counts alike in the mean, and is named by its own \
             pairs alone"
    )
}

/// How many positions differ from the mean by less than the margin, if one was given.
fn equivalence(advantage: &AdvantageReport) -> String {
    let Some(found) = advantage.equivalence else {
        return String::new();
    };
    labelled!(
        "equivalent",
        "{} of {} are within {} Elo of the mean with at least 95 % probability each",
        found.positions,
        count(advantage.positions.len() as u64, "position"),
        found.margin_elo,
    )
}

fn twins(advantage: &AdvantageReport) -> String {
    let Some(mirror) = &advantage.mirror else {
        return String::new();
    };
    let classes = count(mirror.classes as u64, "pair");
    labelled!(
        "mirror twins",
        "{classes} of twins; that they share no advantage: {}",
        p_value(mirror.p_value)
    )
}

/// Whether the difference of two engines' scores depends on the position.
fn interaction(advantage: &AdvantageReport) -> String {
    let Some(p) = advantage.interaction_p else {
        return String::new();
    };
    labelled!(
        "interaction",
        "that no score of one engine against another depends on the position: {}",
        p_value(p)
    )
}
