//! How often what was printed was true, and the tables of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Shares by the name of what was printed; names sort in the order of the table, and end in what
/// is promised: `95` of intervals (more is on the safe side), `<= 5` of errors.
#[derive(Default)]
pub(crate) struct Tally(BTreeMap<&'static str, Share>);

/// A share: events, or positions of events. Its error is that of a mean over events.
#[derive(Default, Clone, Copy)]
struct Share {
    sum: f64,
    squares: f64,
    count: f64,
}

impl Share {
    fn percent(self) -> f64 {
        100.0 * self.sum / self.count
    }

    /// Monte-Carlo standard error, per cent; not 0 where all events were alike.
    fn error(self) -> f64 {
        let mean = self.sum / self.count;
        let variance = (self.squares / self.count - mean * mean).max(0.0);
        match variance > 0.0 {
            true => 100.0 * (variance / self.count).sqrt(),
            false => 100.0 / (self.count + 2.0),
        }
    }
}

impl Tally {
    /// Enters one case.
    pub(crate) fn add(&mut self, what: &'static str, hit: bool) {
        self.add_share(what, f64::from(u8::from(hit)));
    }

    /// Enters the share of one event.
    pub(crate) fn add_share(&mut self, what: &'static str, share: f64) {
        let entry = self.0.entry(what).or_default();
        entry.sum += share;
        entry.squares += share * share;
        entry.count += 1.0;
    }

    /// Enters the share of one event in which the claim was made at all.
    pub(crate) fn add_mean(&mut self, what: &'static str, hits: &[bool]) {
        if !hits.is_empty() {
            let true_ones = hits.iter().filter(|hit| **hit).count();
            self.add_share(what, true_ones as f64 / hits.len() as f64);
        }
    }
}

/// A row a claim, a column a truth: per cent, and the Monte-Carlo standard error. Below it what is
/// farther from its promise than chance explains.
pub(crate) fn table(tallies: &[(&str, Tally)]) -> String {
    let mut names: Vec<&'static str> = Vec::new();
    for (_, tally) in tallies {
        names.extend(tally.0.keys());
    }
    names.sort_unstable();
    names.dedup();
    let labels: Vec<&str> = tallies.iter().map(|(label, _)| *label).collect();
    let mut text = format!("| printed, % | {} |\n|---|", labels.join(" | "));
    text += &"--:|".repeat(labels.len());
    let mut outside = String::new();
    for name in names {
        write!(text, "\n| {name} |").expect("memory");
        for (label, tally) in tallies {
            let Some(share) = tally.0.get(name) else {
                text += " - |";
                continue;
            };
            let (found, error) = (share.percent(), share.error());
            write!(text, " {found:.1} ± {error:.1} |").expect("memory");
            if is_outside(name, found, error) {
                write!(outside, "\n* {name}, {label}: {found:.1} ± {error:.1}").expect("memory");
            }
        }
    }
    match outside.is_empty() {
        true => text + "\n\nNothing is outside of what is promised.\n",
        false => {
            text + "\n\nOutside of what is promised by more than 2.5 errors:\n" + &outside + "\n"
        }
    }
}

/// Whether a share breaks the promise in its name by more than 2.5 of its errors.
fn is_outside(name: &str, found: f64, error: f64) -> bool {
    if let Some((_, most)) = name.rsplit_once("<= ") {
        let most: f64 = most.parse().expect("a number after <=");
        return found - 2.5 * error > most;
    }
    let least = name
        .rsplit(' ')
        .next()
        .and_then(|word| word.parse::<f64>().ok());
    least.is_some_and(|least| found + 2.5 * error < least)
}
