//! `[positions]`: where the games begin.
//!
//! | file | what |
//! |---|---|
//! | `mod` | which kind of positions is named |
//! | `book` | a book of EPD, FEN lines or PGN |
//! | `polyglot_book` | lines of a Polyglot book |
//! | `start_numbers` | start numbers: listed, drawn, all, with their partners |
//! | `made` | starts that the players make themselves |

mod book;
pub(super) mod made;
mod polyglot_book;
mod start_numbers;

use std::collections::BTreeMap;

use book::OpeningChoice;
use start_numbers::{ascending_ranges, numbered, numbers};

use super::files::Context;
use super::keys::positions::{Order, PositionKeys};
use super::problem::Problem;
use super::section::{Entry, EntryPlace, Section};
use super::tournament::NamedFile;
use crate::chess::random::Random;
use crate::chess::start::Variant;
use crate::event::PositionDraw;
use crate::schedule::{Openings, Twister};

pub(super) use start_numbers::ranges;

/// The contents of `[positions]`.
pub(super) struct Positions {
    pub(super) openings: Openings,
    /// In words.
    pub(super) label: String,
    /// The book, if there is one.
    pub(super) book: Option<NamedFile>,
    /// The text of what cannot be read in it, by the opening that replaces it.
    pub(super) unreadable: BTreeMap<u32, String>,
}

impl Positions {
    /// Positions that are in no book.
    pub(super) fn new(openings: Openings, label: String) -> Positions {
        Positions {
            openings,
            label,
            book: None,
            unreadable: BTreeMap::new(),
        }
    }
}

/// Whether each round or encounter has separate positions, and the place of that setting.
pub(super) type Drawn<'a> = Option<(PositionDraw, EntryPlace<'a>)>;

/// Settings of other tables that affect the positions.
pub(super) struct PositionsContext<'a> {
    pub(super) variant: Option<Variant>,
    pub(super) seed: u64,
    /// Whether an event that has begun plays its positions in a listed order.
    pub(super) recorded_order: Option<bool>,
    /// Whether a part of the seed is announced in public.
    pub(super) public: bool,
    /// Pairs of every encounter on every position, as the file says.
    pub(super) pairs: u32,
    pub(super) context: &'a Context<'a>,
}

/// The positions, which pairs get them, and how players make starts; `None` after an error.
pub(super) fn read<'a>(
    section: Option<Section<'a>>,
    surroundings: &PositionsContext<'_>,
) -> (Option<Positions>, Drawn<'a>, made::Making<'a>) {
    let Some(section) = section else {
        return (None, None, None);
    };
    let place = section.place();
    let keys = PositionKeys::read(section);
    let making = made::rules(&keys, surroundings.variant);
    let rules = making.as_ref().map(|(rules, _)| *rules);
    let positions = match rules {
        Some(rules) if rules.system.places() => made::placed(&keys, rules, surroundings),
        Some(rules) => {
            let bases = read_kind(&keys, &place, surroundings);
            bases.map(|bases| made::bases(bases, rules))
        }
        None => read_kind(&keys, &place, surroundings),
    };
    (positions, keys.draw.placed(), making)
}

fn read_kind(
    keys: &PositionKeys<'_>,
    place: &EntryPlace<'_>,
    surroundings: &PositionsContext<'_>,
) -> Option<Positions> {
    let kind = only_kind(keys, place, surroundings.context);
    let variant = surroundings.variant?;
    let excluded = match &keys.exclude.entry {
        Some(exclude) => numbers(exclude, variant)?,
        None => Vec::new(),
    };
    let kind = kind?;
    check_kind(keys, &kind, surroundings.public);
    let part = part_of_book(keys, kind.is_book(), surroundings.seed);
    let is_part = part.is_some();
    let listed = keys.order.value.map(|order| order != Order::Random);
    let listed = listed.or(surroundings.recorded_order);
    let sequential = is_part || listed.unwrap_or(kind.source.key == "numbers");
    let mut positions = match (kind.is_polyglot, kind.is_book()) {
        (true, _) => polyglot_book::read(keys, &kind, &excluded, part.as_deref(), surroundings)?,
        (false, true) => {
            let (source, context) = (&kind.source, surroundings.context);
            let book = book::read(keys, source, part.as_deref(), &excluded, variant, context)?;
            sample_of_book(book, kind.drawn.as_ref(), surroundings.seed)?
        }
        (false, false) => {
            let (source, seed) = (&kind.source, surroundings.seed);
            numbered(source, variant, seed, &excluded, sequential)?
        }
    };
    if positions.openings.is_empty() {
        let help = "`exclude` takes all of them out";
        let problem = Problem::error("no position is left to play from");
        return kind.source.fail(problem.help(help));
    }
    if !excluded.is_empty() {
        positions.label += &format!(", without {}", ascending_ranges(&excluded));
    }
    if is_part {
        let all = positions.openings.len();
        positions.openings = positions.openings.played_in((0..all).collect());
    } else if kind.is_book() && sequential {
        positions.openings = from_place(positions.openings, keys.start.entry.as_ref())?;
    } else {
        let title = "`start` is a place in a book that is played in its order";
        keys.start
            .error(title, "file = \"book.epd\" and order = \"sequential\"");
    }
    Some(positions)
}

/// Refuses keys that are only for books, and keys that need a known seed.
fn check_kind(keys: &PositionKeys<'_>, kind: &PositionSource<'_>, public: bool) {
    keys.choice.fail_if(!kind.is_polyglot, || {
        Problem::error("`choice` belongs to a Polyglot book, `file`")
    });
    keys.plies.fail_if(!kind.is_book(), || {
        Problem::error("`plies` belongs to a book of games, `file`")
    });
    keys.format.fail_if(!kind.is_book(), || {
        Problem::error("`format` belongs to a book, `file`")
    });
    if public && (kind.source.key == "sample" || kind.drawn.is_some()) {
        let title = "a sample is drawn with a seed that is not whole before it is announced";
        let help = "all = true with draw = \"round\" draws from all; or take `public_source` out";
        kind.source.error(title, help);
    }
}

/// The part of a book that is played, if it is not the whole book in its own order. The order (the book's, or one drawn
/// for every cycle) is rotated until the place `start` is the first, and cut after `limit` openings.
fn part_of_book(keys: &PositionKeys<'_>, is_book: bool, seed: u64) -> Option<Box<OpeningChoice>> {
    let shuffled = match keys.order.value {
        Some(Order::Fastchess) => Some(Twister::FASTCHESS),
        Some(Order::Cutechess) => Some(Twister::CUTECHESS),
        Some(Order::Sequential | Order::Random) | None => None,
    };
    let is_listed = shuffled.is_some() || keys.order.value == Some(Order::Sequential);
    let is_possible = is_book && is_listed;
    let title = "`limit` is the end of a book that is played in one order";
    let help = "file = \"book.epd\" and order = \"sequential\"";
    keys.limit.error_if(!is_possible, title, help);
    if !is_possible || (shuffled.is_none() && !keys.limit.is_written()) {
        return None;
    }
    let start = keys.start.entry.as_ref();
    let start = start.and_then(|start| start.integer(1..=u32::MAX));
    let first = start.unwrap_or(1) - 1;
    let most = keys.limit.value;
    Some(Box::new(move |all: u32| {
        let mut order = match shuffled {
            Some(twister) => twister.order(seed, all),
            None => (0..all).collect(),
        };
        if all > 0 {
            order.rotate_left((first % all) as usize);
        }
        if let Some(most) = most {
            order.truncate(most as usize);
        }
        order
    }))
}

/// What `[positions]` takes its positions from.
struct PositionSource<'a> {
    source: Entry<'a>,
    /// How many are drawn of a book.
    drawn: Option<Entry<'a>>,
    /// The starts from which a Polyglot book is followed: `all` or `numbers`.
    starts: Option<Entry<'a>>,
    is_polyglot: bool,
}

impl PositionSource<'_> {
    fn is_book(&self) -> bool {
        self.source.key == "file"
    }
}

/// The one key that chooses the positions, with the keys that go with it.
fn only_kind<'a>(
    keys: &PositionKeys<'a>,
    place: &EntryPlace<'_>,
    context: &Context<'_>,
) -> Option<PositionSource<'a>> {
    let [mut all, mut numbers] = [&keys.all, &keys.numbers].map(|key| key.entry.clone());
    let file = keys.file.entry.clone();
    let (sample, drawn) = match &file {
        Some(_) => (None, keys.sample.entry.clone()),
        None => (keys.sample.entry.clone(), None),
    };
    let is_polyglot = |file| polyglot_book::is_polyglot(file, context);
    let is_polyglot = !keys.format.is_written() && file.as_ref().is_some_and(is_polyglot);
    let starts = if is_polyglot {
        all.take().or_else(|| numbers.take())
    } else {
        None
    };
    let mut entries = [all, numbers, sample, file].into_iter().flatten();
    let Some(entry) = entries.next() else {
        let title = "[positions] does not say which";
        let help =
            "one of: all = true, numbers = [518, \"0-99\"], sample = 50, file = \"book.epd\"";
        return place.fail(Problem::missing(title).help(help));
    };
    for other in entries {
        let title = format!("`{}` and `{}` exclude each other", entry.key, other.key);
        other.error(title, "leave one of them");
    }
    Some(PositionSource {
        source: entry,
        drawn,
        starts,
        is_polyglot,
    })
}

/// Of a book the positions that `sample` draws, in the order of the book.
fn sample_of_book(mut book: Positions, drawn: Option<&Entry<'_>>, seed: u64) -> Option<Positions> {
    let Some(drawn) = drawn else {
        return Some(book);
    };
    let all = book.openings.len();
    let count: u32 = drawn.integer(1..=all)?;
    let mut chosen = Random::new(seed).sample_distinct(u64::from(all), u64::from(count));
    chosen.sort_unstable();
    let openings = chosen.iter().map(|index| book.openings.get(*index as u32));
    book.openings = Openings::book(book.openings.variant(), openings.collect());
    book.label = format!("{count} of the {}, drawn with seed {seed}", book.label);
    Some(book)
}

/// A book that is played in its order, from the place `start` on and then from its beginning.
fn from_place(openings: Openings, start: Option<&Entry<'_>>) -> Option<Openings> {
    let all = openings.len();
    let first = match start {
        Some(start) => start.integer(1..=all)? - 1,
        None => 0,
    };
    Some(openings.played_in((first..all).chain(0..first).collect()))
}
