//! `[sprt]`: a test that decides when to stop.

use super::keys::stopping::{Bounds, Sprt};
use super::problem::Problem;
use super::section::Section;
use super::tournament::SprtSettings;
use crate::event::identity::SprtTerms;
use crate::stats::sprt::TestUnit;
use crate::stats::sprt::repeats::FEWEST_STARTS;

/// Fewer start positions may leave a test undecided.
const FEW_STARTS: u32 = 100;

/// The settings, for an event with this number of participants and start positions; `usual` is the default for what the
/// test counts.
pub(super) fn read(
    section: Section<'_>,
    participants: usize,
    starts: Option<u32>,
    usual: TestUnit,
) -> SprtSettings {
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
    // Pairs of one game cannot be counted as pairs.
    let is_pairs = matches!(keys.unit.value, Some(TestUnit::Pairs | TestUnit::Starts));
    keys.unit.fail_if(usual == TestUnit::Games && is_pairs, || {
        let title = "with pair_games = 1 there are no pairs to count";
        Problem::error(title).help("unit = \"games\"")
    });
    let settings = SprtSettings {
        terms: SprtTerms {
            elo0,
            elo1,
            alpha: keys.alpha.value,
            beta: keys.beta.value,
            model: keys.model.value,
            wald: keys.bounds.value != Bounds::Corrected,
            unit: keys.unit.value.unwrap_or(usual),
        },
        max_pairs: keys.max_pairs.value,
        max_time: keys.max_hours.value,
        running: keys.running.value,
    };
    if let Some(problem) = starts.and_then(|starts| of_starts(&settings, starts)) {
        place.fail::<()>(problem);
    }
    settings
}

/// Warns about a test in which start positions repeat.
fn of_starts(settings: &SprtSettings, starts: u32) -> Option<Problem> {
    if u64::from(starts) >= settings.max_pairs {
        return None;
    }
    let (positions, these) = match starts {
        1 => ("start position".to_owned(), "it"),
        _ => (format!("{starts} start positions"), "these"),
    };
    let more = "more starts: `all = true` or a larger `sample` in [positions], or a book";
    if starts < FEWEST_STARTS as u32 {
        let title = format!(
            "this test says who is stronger from its {positions}, and nothing beyond {these}"
        );
        return Some(Problem::warning(title).help(more));
    }
    if settings.terms.unit != TestUnit::Starts {
        let title = format!(
            "this test counts every result on its {positions} as a new one: the error rates hold for \
             {these} alone, not for starts like {these}"
        );
        return Some(Problem::warning(title).help("unit = \"starts\""));
    }
    let title = format!(
        "this test may not end before `max_pairs`: on its {positions} pairs repeat, and those on one \
         start count as one observation"
    );
    (starts < FEW_STARTS).then(|| Problem::warning(title).help(more))
}
