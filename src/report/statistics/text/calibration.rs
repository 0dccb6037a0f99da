//! How often the printed statements are true with games like these.

use crate::report::tables::new_table;
use crate::stats::calibrate::{Calibration, Promise, Share};
use crate::stats::interval::share_at_most;

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
    let at_most = |hits| share_at_most(hits, trials, 0.975).unwrap_or(1.0);
    [1.0 - at_most(trials.saturating_sub(hits)), at_most(hits)]
}
