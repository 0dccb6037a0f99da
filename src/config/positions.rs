//! `[positions]`: where the games begin.

use std::collections::HashSet;

use super::book::{self, BookFile};
use super::context::Context;
use super::entry::{Entry, Place};
use super::problem::Problem;
use super::rounds;
use super::section::Section;
use super::tournament::NamedFile;
use crate::chess::random::Random;
use crate::chess::start::{StartNumber, StartRange, Variant, partner, sample};
use crate::event::PositionDraw;
use crate::schedule::{Opening, Openings};

/// What `[positions]` says.
pub(super) struct Positions {
    pub(super) openings: Openings,
    /// In words.
    pub(super) label: String,
    /// The book, if there is one.
    pub(super) book: Option<NamedFile>,
}

/// Whether rounds or encounters have positions of their own, and where it stands.
pub(super) type Drawn<'a> = Option<(PositionDraw, Place<'a>)>;

/// The kinds of positions, of which an event has exactly one; or two: a sample of a file.
const KINDS: [&str; 4] = ["all", "numbers", "sample", "file"];

/// What decides about positions beside their table.
pub(super) struct PositionsContext<'a> {
    pub(super) variant: Option<Variant>,
    pub(super) seed: u64,
    /// Whether an event that has begun plays its positions in a listed order.
    pub(super) recorded_order: Option<bool>,
    /// Whether a part of the seed is announced in public.
    pub(super) public: bool,
    pub(super) context: &'a Context<'a>,
}

/// The positions, and which pairs get them; `None` after an error.
pub(super) fn read<'a>(
    section: Option<Section<'a>>,
    surroundings: &PositionsContext<'_>,
) -> (Option<Positions>, Drawn<'a>) {
    let Some(mut section) = section else {
        return (None, None);
    };
    let draw = section.optional("draw");
    let draw = draw.and_then(|entry| Some((rounds::draw(&entry)?, entry.place)));
    (read_kind(section, surroundings), draw)
}

fn read_kind(mut section: Section<'_>, surroundings: &PositionsContext<'_>) -> Option<Positions> {
    let kind = only_kind(&mut section);
    let exclude = section.optional("exclude");
    let plies = section.optional("plies");
    let order = section.optional("order");
    let start = section.optional("start");
    section.finish();
    let plies = plies.and_then(|entry| Some((entry.integer(0..=1000)?, entry.place)));
    let order = order.and_then(|entry| entry.choice(&ORDERS));
    let variant = surroundings.variant?;
    let excluded = match exclude {
        Some(exclude) => numbers(&exclude, variant)?,
        None => Vec::new(),
    };
    let (source, drawn) = kind?;
    if let (Some((_, place)), true) = (&plies, source.key != "file") {
        place.fail::<()>(Problem::error("`plies` belongs to a book of games, `file`"));
    }
    if surroundings.public && (source.key == "sample" || drawn.is_some()) {
        let title = "a sample is drawn with a seed that is not whole before it is announced";
        let help = "all = true with draw = \"round\" draws from all; or take `public_source` out";
        source.fail::<()>(Problem::error(title).help(help));
    }
    let sequential = order.or(surroundings.recorded_order);
    let sequential = sequential.unwrap_or(source.key == "numbers");
    let mut positions = match source.key {
        "file" => {
            let book = from_book(&source, plies, &excluded, variant, surroundings.context)?;
            sample_of_book(book, drawn, surroundings.seed)?
        }
        _ => numbered(&source, variant, surroundings.seed, &excluded, sequential)?,
    };
    if positions.openings.is_empty() {
        return source.fail(Problem::error("no position is left to play from"));
    }
    if !excluded.is_empty() {
        positions.label += &format!(", without {}", ascending_ranges(&excluded));
    }
    if source.key == "file" && sequential {
        positions.openings = from_place(positions.openings, start)?;
    } else if let Some(start) = start {
        let title = "`start` is a place in a book that is played in its order";
        let help = "file = \"book.epd\" and order = \"sequential\"";
        start.fail::<()>(Problem::error(title).help(help));
    }
    Some(positions)
}

/// The words of `order`, and whether positions are played as they are listed.
const ORDERS: [(&str, bool); 2] = [("sequential", true), ("random", false)];

/// The one key that says which positions, and how many are drawn of a book.
fn only_kind<'a>(section: &mut Section<'a>) -> Option<(Entry<'a>, Option<Entry<'a>>)> {
    let [all, numbers, sample, file] = KINDS.map(|kind| section.optional(kind));
    let (sample, drawn) = match &file {
        Some(_) => (None, sample),
        None => (sample, None),
    };
    let mut entries = [all, numbers, sample, file].into_iter().flatten();
    let Some(entry) = entries.next() else {
        let title = "[positions] does not say which";
        let help =
            "one of: all = true, numbers = [518, \"0-99\"], sample = 50, file = \"book.epd\"";
        return section.fail(Problem::missing(title).help(help));
    };
    for other in entries {
        let title = format!("`{}` and `{}` exclude each other", entry.key, other.key);
        other.fail::<()>(Problem::error(title).help("leave one of them"));
    }
    Some((entry, drawn))
}

/// Of a book the positions that `sample` draws, in the order of the book.
fn sample_of_book(mut book: Positions, drawn: Option<Entry<'_>>, seed: u64) -> Option<Positions> {
    let Some(drawn) = drawn else {
        return Some(book);
    };
    let all = book.openings.len();
    let count: u32 = drawn.integer(1..=all)?;
    let mut chosen = Random::new(seed).sample_distinct(u64::from(all), u64::from(count));
    chosen.sort_unstable();
    let openings = chosen
        .into_iter()
        .map(|index| book.openings.get(index as u32));
    book.openings = Openings::book(book.openings.variant(), openings.collect());
    book.label = format!("{count} of the {}, drawn with seed {seed}", book.label);
    Some(book)
}

/// A book that is played in its order, from the place `start` on and then from its beginning.
fn from_place(openings: Openings, start: Option<Entry<'_>>) -> Option<Openings> {
    let all = openings.len();
    let first = match start {
        Some(start) => start.integer(1..=all)? - 1,
        None => 0,
    };
    Some(openings.played_in((first..all).chain(0..first).collect()))
}

/// `all`, `numbers` or `sample`.
fn numbered(
    source: &Entry<'_>,
    variant: Variant,
    seed: u64,
    excluded: &[StartNumber],
    sequential: bool,
) -> Option<Positions> {
    let (numbers, label): (Vec<StartNumber>, String) = match source.key {
        "all" => (
            all(source, variant)?,
            format!("all {} starts of {variant}", variant.count()),
        ),
        "sample" => {
            let chosen = sampled(source, variant, seed, excluded)?;
            let label = format!(
                "{} of the starts of {variant}, drawn with seed {seed}",
                chosen.len()
            );
            (chosen, label)
        }
        _ => {
            let given = as_listed(source, variant)?;
            let coupled = with_partners(&given, variant, usize::MAX, excluded);
            let left = given
                .iter()
                .filter(|number| excluded.binary_search(number).is_err());
            warn_of_partners(source, coupled.len() - left.count());
            let added = coupled.iter().filter(|number| !given.contains(number));
            let all: Vec<StartNumber> = given.iter().chain(added).copied().collect();
            (coupled, format!("{variant} {}", ascending_ranges(&all)))
        }
    };
    let kept = numbers
        .into_iter()
        .filter(|number| excluded.binary_search(number).is_err());
    let kept: Vec<StartNumber> = kept.collect();
    let openings = Openings::numbered(variant, kept.iter().copied());
    let openings =
        openings.or_else(|error| source.fail(Problem::error(error.to_string())).ok_or(()));
    let openings = openings.ok()?;
    Some(Positions {
        openings: match sequential {
            true => in_listed_order(openings, &kept),
            false => openings,
        },
        label,
        book: None,
    })
}

/// The positions, which have an order of their own, played in the order of this list.
fn in_listed_order(openings: Openings, listed: &[StartNumber]) -> Openings {
    let mut sorted = listed.to_vec();
    sorted.sort_unstable();
    let place = |number| sorted.binary_search(number).ok();
    let order = listed.iter().filter_map(place).map(|place| place as u32);
    let order = order.collect();
    openings.played_in(order)
}

fn all(source: &Entry<'_>, variant: Variant) -> Option<Vec<StartNumber>> {
    if source.boolean()? {
        return Some(variant.numbers().collect());
    }
    let help = "all = true, or another way to say which positions";
    source.fail(Problem::error("`all` can only be true").help(help))
}

/// As many as asked for of the starts that are not excluded. The excluded are drawn too
/// and passed over, so that the sample is, but for them, that of an event without.
fn sampled(
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

/// At least `enough` of the numbers, or all of them if they are fewer, in their order and
/// without those excluded. Where the arrays of White and Black are independent, every start
/// has its partner beside it: only the two together say what the first move is worth.
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

/// The file is to say what is played: what it left out is added aloud.
fn warn_of_partners(source: &Entry<'_>, added: usize) {
    if added > 0 {
        let title = format!("{added} more: every start comes with its partner, black/white");
        let help = "only the two together say what the first move is worth; name both, \
                    or take one out with `exclude`";
        source.fail::<()>(Problem::warning(title).help(help));
    }
}

/// Start numbers and ranges of them, ascending and each once.
fn numbers(list: &Entry<'_>, variant: Variant) -> Option<Vec<StartNumber>> {
    let mut numbers = as_listed(list, variant)?;
    numbers.sort_unstable();
    Some(numbers)
}

/// Start numbers and ranges of them in the order of the list, each once.
fn as_listed(list: &Entry<'_>, variant: Variant) -> Option<Vec<StartNumber>> {
    let ranges: Vec<Option<StartRange>> = list
        .list()?
        .iter()
        .map(|element| range(element, variant))
        .collect();
    let ranges: Option<Vec<StartRange>> = ranges.into_iter().collect();
    let mut known: HashSet<StartNumber> = HashSet::new();
    let numbers = ranges?
        .into_iter()
        .flat_map(|range| range.numbers().collect::<Vec<_>>());
    Some(numbers.filter(|number| known.insert(*number)).collect())
}

fn range(element: &Entry<'_>, variant: Variant) -> Option<StartRange> {
    let text = match element.is_string() {
        true => element.string()?.to_owned(),
        false => element.integer(0..=u32::MAX)?.to_string(),
    };
    match StartRange::parse(variant, &text) {
        Ok(range) => Some(range),
        Err(error) => {
            let help = "start numbers such as 518, and ranges such as \"0-99\"";
            element.fail(Problem::error(error.to_string()).help(help))
        }
    }
}

/// Numbers as people write them, in ascending order: `0-99, 518`.
fn ascending_ranges(numbers: &[StartNumber]) -> String {
    let mut ascending = numbers.to_vec();
    ascending.sort_unstable();
    ranges(&ascending)
}

/// Numbers as people write them, in their order: `0-99, 518`.
pub(super) fn ranges(numbers: &[StartNumber]) -> String {
    let runs = numbers.chunk_by(|first, second| first.0 + 1 == second.0);
    let texts: Vec<String> = runs
        .map(|run| match run {
            [first, .., last] => format!("{first}-{last}"),
            run => run.iter().map(StartNumber::to_string).collect(),
        })
        .collect();
    texts.join(", ")
}

fn from_book(
    source: &Entry<'_>,
    plies: Option<book::Plies<'_>>,
    excluded: &[StartNumber],
    variant: Variant,
    context: &Context<'_>,
) -> Option<Positions> {
    let BookFile {
        openings,
        name,
        file,
    } = book::read(source, plies, variant, context)?;
    let is_excluded = |opening: &Opening| {
        let number = opening.number.as_ref();
        number.is_some_and(|number| excluded.binary_search(number).is_ok())
    };
    let kept: Vec<Opening> = openings
        .into_iter()
        .filter(|opening| !is_excluded(opening))
        .collect();
    Some(Positions {
        label: format!("{} positions of {}", kept.len(), name),
        openings: Openings::book(variant, kept),
        book: file,
    })
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
