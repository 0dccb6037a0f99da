//! `[adaptive]`: pairs go to positions for which it is uncertain on which side of a boundary they lie.

use super::engine::ReadEngine;
use super::entry::{Entry, EntryPlace};
use super::keys::stopping::Adaptive;
use super::participants;
use super::problem::Problem;
use super::section::Section;
use super::tournament::AdaptiveSettings;
use super::value::WordValue;
use crate::chess::start::StartNumber;
use crate::event::identity::{AdaptiveTerms, Boundary, BoundaryWord};
use crate::schedule::{Format, Openings};
use crate::stats::planning::allocation::default_batch;

/// The settings, for an event with these positions and engines; `None` after an error
/// that leaves nothing to check.
pub(super) fn read(
    section: Section<'_>,
    openings: &Openings,
    format: &Format,
    engines: &[ReadEngine<'_>],
) -> Option<AdaptiveSettings> {
    check_event(&section.place(), openings, engines);
    let keys = Adaptive::read(section);
    let boundary = keys.boundary.entry;
    let boundary = boundary.and_then(|entry| read_boundary(&entry, keys.top.entry, openings));
    let min_pairs = keys.min_pairs.value;
    let encounters = encounters(format, participants::count(engines));
    let first = u64::from(min_pairs) * u64::from(openings.len()) * encounters;
    let max_pairs = keys.max_pairs.value;
    keys.max_pairs
        .fail_if(max_pairs.is_some_and(|pairs| pairs <= first), || {
            let title = format!("the first pairs on all positions are {first} already");
            let help = "`max_pairs` counts them too; give it more, or take [adaptive] out";
            Problem::error(title).help(help)
        });
    let usual = default_batch(openings.len() as usize) as u32;
    Some(AdaptiveSettings {
        terms: AdaptiveTerms {
            boundary: boundary?,
            threshold: keys.threshold.value,
            min_pairs,
            batch: keys.batch.value.unwrap_or(usual),
        },
        max_pairs: max_pairs?,
    })
}

/// What an adaptive event needs of the rest of the file.
fn check_event(place: &EntryPlace<'_>, openings: &Openings, engines: &[ReadEngine<'_>]) {
    if openings.variant().pairs_with_partner() {
        let title = "[adaptive] needs starts that are the same for both sides";
        let help = "where they differ, a start and its partner only say something together";
        place.fail::<()>(Problem::error(title).help(help));
    }
    if openings.len() == 1 {
        let title = "with one position there is nothing to choose from";
        place.fail::<()>(Problem::error(title).help("take [adaptive] out"));
    }
    let limited = engines.iter().all(|engine| engine.limited);
    if !engines.is_empty() && limited && engines.iter().all(|e| e.spec.repeats_itself()) {
        let title = "with this limit further pairs on a position repeat the first";
        let help = "nodes with nodes_jitter = 0.1, or a clock, make games that differ";
        place.fail::<()>(Problem::error(title).help(help));
    }
}

/// `"mean"`, `"top"` with how many, or the number of a start of the event.
fn read_boundary(
    entry: &Entry<'_>,
    top: Option<Entry<'_>>,
    openings: &Openings,
) -> Option<Boundary> {
    if !entry.is_string() {
        refuse_top(top);
        return start(entry, openings);
    }
    if entry.choice(BoundaryWord::WORDS)? == BoundaryWord::Top {
        let Some(top) = top else {
            let help = "for example: top = 48";
            return entry.fail(Problem::missing("`top` says how many").help(help));
        };
        let most = openings.len().saturating_sub(1).max(1);
        return Some(Boundary::Top(top.integer(1..=most)?));
    }
    refuse_top(top);
    Some(Boundary::Mean)
}

fn refuse_top(top: Option<Entry<'_>>) {
    if let Some(top) = top {
        let help = "boundary = \"top\"";
        top.fail::<()>(Problem::error("`top` belongs to another boundary").help(help));
    }
}

fn start(entry: &Entry<'_>, openings: &Openings) -> Option<Boundary> {
    let number = StartNumber(entry.integer(0..=u32::MAX)?);
    let is_it = |&index: &u32| openings.number(index) == Some(number);
    if (0..openings.len()).any(|index| is_it(&index)) {
        return Some(Boundary::Start(number));
    }
    let title = format!("start {number} is not one of the event's positions");
    let help = "boundary is \"mean\", \"top\", or the number of a start that is played";
    entry.fail(Problem::error(title).help(help))
}

/// The pairs of a cycle on each position.
fn encounters(format: &Format, participants: usize) -> u64 {
    let all = participants as u64;
    match format {
        Format::Match => 1,
        Format::RoundRobin => all * all.saturating_sub(1) / 2,
        Format::Gauntlet { heroes } => {
            let heroes = heroes.len() as u64;
            heroes * all.saturating_sub(heroes)
        }
        // Refused with [adaptive].
        Format::Knockout(_)
        | Format::DoubleElimination(_)
        | Format::Ladder(_)
        | Format::Swiss(_) => 0,
    }
}
