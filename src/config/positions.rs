//! `[positions]`: where the games begin.

use std::collections::HashSet;

use super::book;
use super::context::Context;
use super::entry::{Entry, Place};
use super::problem::Problem;
use super::rounds;
use super::section::Section;
use super::tournament::NamedFile;
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

/// The kinds of positions, of which an event has exactly one.
const KINDS: [&str; 4] = ["all", "numbers", "sample", "file"];

/// The positions, and which pairs get them; `None` after an error.
pub(super) fn read<'a>(
    section: Option<Section<'a>>,
    variant: Option<Variant>,
    seed: u64,
    context: &Context<'_>,
) -> (Option<Positions>, Drawn<'a>) {
    let Some(mut section) = section else {
        return (None, None);
    };
    let draw = section.optional("draw");
    let draw = draw.and_then(|entry| Some((rounds::draw(&entry)?, entry.place)));
    (read_kind(section, variant, seed, context), draw)
}

fn read_kind(
    mut section: Section<'_>,
    variant: Option<Variant>,
    seed: u64,
    context: &Context<'_>,
) -> Option<Positions> {
    let kind = only_kind(&mut section);
    let exclude = section.optional("exclude");
    let plies = section.optional("plies");
    section.finish();
    let plies = plies.and_then(|entry| Some((entry.integer(0..=1000)?, entry.place)));
    let variant = variant?;
    let excluded = match exclude {
        Some(exclude) => numbers(&exclude, variant)?,
        None => Vec::new(),
    };
    let source = kind?;
    if let (Some((_, place)), true) = (&plies, source.key != "file") {
        place.fail::<()>(Problem::error("`plies` belongs to a book of games, `file`"));
    }
    let mut positions = match source.key {
        "file" => from_book(&source, plies, &excluded, variant, context)?,
        _ => numbered(&source, variant, seed, &excluded)?,
    };
    if positions.openings.is_empty() {
        return source.fail(Problem::error("no position is left to play from"));
    }
    if !excluded.is_empty() {
        positions.label += &format!(", without {}", ranges(&excluded));
    }
    Some(positions)
}

/// The one key that says which positions.
fn only_kind<'a>(section: &mut Section<'a>) -> Option<Entry<'a>> {
    let entries = KINDS.map(|kind| section.optional(kind));
    let mut entries = entries.into_iter().flatten();
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
    Some(entry)
}

/// `all`, `numbers` or `sample`.
fn numbered(
    source: &Entry<'_>,
    variant: Variant,
    seed: u64,
    excluded: &[StartNumber],
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
            let given = numbers(source, variant)?;
            let coupled = with_partners(&given, variant, usize::MAX, excluded);
            let is_new = |number: &StartNumber| given.binary_search(number).is_err();
            let added: Vec<StartNumber> = coupled.into_iter().filter(is_new).collect();
            warn_of_partners(source, added.len());
            let mut numbers = [given, added].concat();
            numbers.sort_unstable();
            let label = format!("{variant} {}", ranges(&numbers));
            (numbers, label)
        }
    };
    let kept = numbers
        .into_iter()
        .filter(|number| excluded.binary_search(number).is_err());
    let openings = Openings::numbered(variant, kept);
    let openings =
        openings.or_else(|error| source.fail(Problem::error(error.to_string())).ok_or(()));
    Some(Positions {
        openings: openings.ok()?,
        label,
        book: None,
    })
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
    let ranges: Vec<Option<StartRange>> = list
        .list()?
        .iter()
        .map(|element| range(element, variant))
        .collect();
    let ranges: Option<Vec<StartRange>> = ranges.into_iter().collect();
    let mut numbers: Vec<StartNumber> = ranges?.iter().flat_map(StartRange::numbers).collect();
    numbers.sort_unstable();
    numbers.dedup();
    Some(numbers)
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

/// Ascending numbers as people write them: `0-99, 518`.
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
    let (openings, file) = book::read(source, plies, variant, context)?;
    let is_excluded = |opening: &Opening| {
        let number = opening.number.as_ref();
        number.is_some_and(|number| excluded.binary_search(number).is_ok())
    };
    let kept: Vec<Opening> = openings
        .into_iter()
        .filter(|opening| !is_excluded(opening))
        .collect();
    Some(Positions {
        label: format!("{} positions of {}", kept.len(), file.name),
        openings: Openings::book(variant, kept),
        book: Some(file),
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
