//! `[sprt]`: a test that decides when to stop.

use super::keys::stopping::{Bounds, Sprt};
use super::problem::Problem;
use super::section::Section;
use super::tournament::SprtSettings;
use crate::stats::sprt::Unit;

/// The settings, for an event with this number of participants; `lone_games` where pairs are single
/// games.
pub(super) fn read(section: Section<'_>, participants: usize, lone_games: bool) -> SprtSettings {
    let place = section.place();
    let keys = Sprt::read(section);
    if participants > 2 {
        let help = "take [sprt] out, or all engines but two";
        let problem = Problem::error("an SPRT is between two engines").help(help);
        place.fail::<()>(problem);
    }
    let (elo0, elo1) = (keys.elo0.value, keys.elo1.value);
    if elo1 <= elo0 {
        let problem = Problem::error(format!("`elo1` must be above `elo0`, which is {elo0}"));
        match &keys.elo1.entry {
            Some(entry) => entry.fail::<()>(problem),
            None => place.fail(problem.help("elo1 is 5 where the file is silent")),
        };
    }
    // Pairs of one game are no pairs.
    let is_pairs = keys.unit.value == Some(Unit::Pairs);
    keys.unit.fail_if(lone_games && is_pairs, || {
        let title = "with pair_games = 1 there are no pairs to count";
        Problem::error(title).help("unit = \"games\"")
    });
    let usual = if lone_games { Unit::Games } else { Unit::Pairs };
    SprtSettings {
        elo0,
        elo1,
        alpha: keys.alpha.value,
        beta: keys.beta.value,
        model: keys.model.value,
        max_pairs: keys.max_pairs.value,
        max_time: keys.max_hours.value,
        corrected: keys.bounds.value == Bounds::Corrected,
        unit: keys.unit.value.unwrap_or(usual),
        running: keys.running.value,
    }
}
