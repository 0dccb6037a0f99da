//! How often the printed statements are true with games like these.

use crate::report::tables::new_table;
use crate::stats::calibrate::{Calibration, Promise, Share, at_least};
use crate::stats::numeric::root::bisect;

use super::numbers::{paragraph, percent, rendered};

/// One line for each claim: what it promises, how often it held, and the exact interval of that.
pub(crate) fn calibration(found: &Calibration) -> String {
    let mut table = new_table(
        &["with games like these", "promised", "found", "95 %"],
        &[0],
    );
    let mut broken = Vec::new();
    for claim in Promise::ALL {
        let Some(share) = found.shares.get(&claim) else {
            continue;
        };
        let least = if claim.is_error() { "≤" } else { "" };
        let [low, high] = ends(share);
        table.add_row([
            claim.words().to_owned(),
            format!("{least}{}", percent(claim.promise())),
            percent(share.value()),
            format!("{} to {}", percent(low), percent(high)),
        ]);
        if share.p_value(claim) < 0.001 {
            broken.push(claim.words());
        }
    }
    let events = found.shares.values().map(|share| share.events).max();
    let mut text = rendered(&table);
    text += &paragraph(&format!(
        "{} events on the same starts with the same numbers of pairs, under ten laws of results \
         drawn at random.",
        events.unwrap_or(0)
    ));
    if !broken.is_empty() {
        text += &paragraph(&format!(
            "Do not rely on: {}. With games like these it does not hold as often as it says.",
            broken.join("; ")
        ));
    }
    text
}

/// Clopper and Pearson's interval of a share.
fn ends(share: &Share) -> [f64; 2] {
    let (hits, trials) = (share.sum.round() as u64, share.events);
    let above = |chance: f64| at_least(hits, trials, chance);
    let below = |chance: f64| 1.0 - at_least(hits + 1, trials, chance);
    let low = match hits {
        0 => 0.0,
        _ => bisect((0.0, 1.0), |_, _| 1e-6, |chance| above(chance) < 0.025),
    };
    let high = match hits == trials {
        true => 1.0,
        false => bisect((0.0, 1.0), |_, _| 1e-6, |chance| below(chance) > 0.025),
    };
    [low, high]
}
