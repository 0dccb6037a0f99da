//! Start numbers: listed, drawn, all, with their partners.

use std::collections::HashSet;

use super::Positions;
use crate::chess::start::{StartNumber, StartRange, Variant, partner, sample};
use crate::config::problem::Problem;
use crate::config::section::Entry;
use crate::schedule::Openings;
use crate::text::count;

/// `all`, `numbers` or `sample`.
pub(super) fn numbered(
    source: &Entry<'_>,
    variant: Variant,
    seed: u64,
    excluded: &[StartNumber],
    sequential: bool,
) -> Option<Positions> {
    let (numbers, label): (Vec<StartNumber>, String) = match source.key {
        "all" => (
            all(source, variant)?,
            format!("all {} of {variant}", count(variant.count(), "start")),
        ),
        "sample" => {
            let chosen = sampled(source, variant, seed, excluded)?;
            let number = chosen.len();
            let label = format!("{number} of the starts of {variant}, drawn with seed {seed}");
            (chosen, label)
        }
        _ => {
            let given = as_listed(source, variant)?;
            let coupled = with_partners(&given, variant, usize::MAX, excluded);
            let is_left = |number: &&StartNumber| excluded.binary_search(number).is_err();
            let left = given.iter().filter(is_left);
            warn_of_partners(source, coupled.len() - left.count());
            let added = coupled.iter().filter(|number| !given.contains(number));
            let all: Vec<StartNumber> = given.iter().chain(added).copied().collect();
            (coupled, format!("{variant} {}", ascending_ranges(&all)))
        }
    };
    let mut kept = numbers;
    kept.retain(|number| excluded.binary_search(number).is_err());
    let openings = match Openings::numbered(variant, kept.iter().copied()) {
        Ok(openings) if sequential => in_listed_order(openings, &kept),
        Ok(openings) => openings,
        Err(error) => return source.fail(Problem::error(error.to_string())),
    };
    Some(Positions::new(openings, label))
}

/// The positions, played in the order of this list.
fn in_listed_order(openings: Openings, listed: &[StartNumber]) -> Openings {
    let mut sorted = listed.to_vec();
    sorted.sort_unstable();
    let place = |number| sorted.binary_search(number).ok();
    let order = listed.iter().filter_map(place).map(|place| place as u32);
    let order = order.collect();
    openings.played_in(order)
}

pub(super) fn all(source: &Entry<'_>, variant: Variant) -> Option<Vec<StartNumber>> {
    if source.boolean()? {
        return Some(variant.numbers().collect());
    }
    let title = "`all` can only be true";
    source.refuse(title, "all = true, or another way to say which positions")
}

/// The number asked for of the starts that are not excluded. Excluded starts are drawn too and skipped, so that
/// otherwise the sample equals that of an event without exclusions.
pub(super) fn sampled(
    source: &Entry<'_>,
    variant: Variant,
    seed: u64,
    excluded: &[StartNumber],
) -> Option<Vec<StartNumber>> {
    // At most all starts of the variant.
    let passed_over = excluded.len() as u32;
    let count: u32 = source.integer(1..=variant.count() - passed_over)?;
    let drawn = sample(variant, count + passed_over, seed).ok()?;
    Some(with_partners(&drawn, variant, count as usize, excluded))
}

/// At least `enough` of the numbers, or all of them if they are fewer, in their order and without those excluded. Where
/// the arrays of White and Black are independent, every start is followed by its partner: only the two together measure
/// the value of the first move.
fn with_partners(
    numbers: &[StartNumber],
    variant: Variant,
    enough: usize,
    excluded: &[StartNumber],
) -> Vec<StartNumber> {
    let partner = |number| partner(variant, number).unwrap_or(number);
    let mut known: HashSet<StartNumber> = excluded.iter().copied().collect();
    let mut chosen = Vec::new();
    for &number in numbers {
        if chosen.len() >= enough {
            break;
        }
        if known.insert(number) {
            chosen.push(number);
            chosen.extend(Some(partner(number)).filter(|&partner| known.insert(partner)));
        }
    }
    chosen
}

/// The file should name everything that is played: an added start is reported.
fn warn_of_partners(source: &Entry<'_>, added: usize) {
    if added > 0 {
        let title = format!("{added} more: every start comes with its partner, black/white");
        let help = "only the two together say what the first move is worth; name both, \
                    or take one out with `exclude`";
        source.fail::<()>(Problem::warning(title).help(help));
    }
}

/// Start numbers and ranges of them, ascending and each once.
pub(super) fn numbers(list: &Entry<'_>, variant: Variant) -> Option<Vec<StartNumber>> {
    let mut numbers = as_listed(list, variant)?;
    numbers.sort_unstable();
    Some(numbers)
}

/// Start numbers and ranges of them in the order of the list, none of them twice.
pub(super) fn as_listed(list: &Entry<'_>, variant: Variant) -> Option<Vec<StartNumber>> {
    let elements = list.list()?;
    let ranges = elements.iter();
    let ranges = ranges.filter_map(|element| range(element, variant));
    let ranges: Vec<StartRange> = ranges.collect();
    if ranges.len() < elements.len() {
        return None;
    }
    let numbers: Vec<StartNumber> = ranges.iter().flat_map(|range| range.numbers()).collect();
    let mut known: HashSet<StartNumber> = HashSet::new();
    match numbers.iter().find(|number| !known.insert(**number)) {
        None => Some(numbers),
        Some(number) => {
            let help = "name it once; `pairs` in [event] says how often each position is played";
            list.refuse(format!("start {number} is in the list twice"), help)
        }
    }
}

pub(super) fn range(element: &Entry<'_>, variant: Variant) -> Option<StartRange> {
    let text = if element.is_string() {
        element.string()?.to_owned()
    } else {
        element.integer(0..=u32::MAX)?.to_string()
    };
    match StartRange::parse(variant, &text) {
        Ok(range) => Some(range),
        Err(error) => {
            let help = "start numbers such as 518, and ranges such as \"0-99\"";
            element.refuse(error.to_string(), help)
        }
    }
}

/// Numbers as people write them, in ascending order: `0-99, 518`.
pub(super) fn ascending_ranges(numbers: &[StartNumber]) -> String {
    let mut ascending = numbers.to_vec();
    ascending.sort_unstable();
    ranges(&ascending)
}

/// Numbers as people write them, in their order: `0-99, 518`.
pub(in crate::config) fn ranges(numbers: &[StartNumber]) -> String {
    let runs = numbers.chunk_by(|first, second| first.0 + 1 == second.0);
    let texts = runs.map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        run => run.iter().map(StartNumber::to_string).collect(),
    });
    texts.collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_ranges() {
        let text =
            |numbers: &[u32]| ranges(&numbers.iter().copied().map(StartNumber).collect::<Vec<_>>());
        assert_eq!(text(&[0, 1, 2, 518, 520, 521]), "0-2, 518, 520-521");
        assert_eq!(text(&[]), "");
    }
}
