//! How often what was printed was true, and the tables of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Shares by the name of what was printed; names sort in the order of the table.
#[derive(Default)]
pub(crate) struct Tally(BTreeMap<&'static str, Share>);

/// A share: events, or positions of events.
#[derive(Default, Clone, Copy)]
struct Share {
    hits: f64,
    count: f64,
}

impl Tally {
    /// Enters one case.
    pub(crate) fn add(&mut self, what: &'static str, hit: bool) {
        self.add_share(what, f64::from(u8::from(hit)));
    }

    /// Enters the share of one event.
    pub(crate) fn add_share(&mut self, what: &'static str, share: f64) {
        let entry = self.0.entry(what).or_default();
        entry.hits += share;
        entry.count += 1.0;
    }
}

/// A row a claim, a column a truth.
pub(crate) fn table(tallies: &[(&str, Tally)]) -> String {
    let mut names: Vec<&'static str> = Vec::new();
    for (_, tally) in tallies {
        names.extend(tally.0.keys());
    }
    names.sort_unstable();
    names.dedup();
    let labels: Vec<&str> = tallies.iter().map(|(label, _)| *label).collect();
    let mut text = format!("| printed | {} |\n|---|", labels.join(" | "));
    text += &"--:|".repeat(labels.len());
    for name in names {
        write!(text, "\n| {name} |").expect("memory");
        for (_, tally) in tallies {
            match tally.0.get(name) {
                Some(share) => write!(text, " {:.1} |", 100.0 * share.hits / share.count),
                None => write!(text, " - |"),
            }
            .expect("memory");
        }
    }
    text + "\n"
}
