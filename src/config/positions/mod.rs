//! `[positions]`: where the games begin.
//!
//! | file | what |
//! |---|---|
//! | `mod` | which kind of positions is named, and books |
//! | `start_numbers` | start numbers: listed, drawn, all, with their partners |
//! | `made` | starts that the players make themselves |

pub(super) mod made;
mod start_numbers;

use crate::chess::random::Random;
use crate::chess::start::{StartNumber, Variant};
use crate::config::book::{self, BookFile, Choice, Reading};
use crate::config::context::Context;
use crate::config::entry::{Entry, Place};
use crate::config::polyglot_book;
use crate::config::problem::Problem;
use crate::config::rounds;
use crate::config::section::Section;
use crate::config::tournament::NamedFile;
use crate::event::PositionDraw;
use crate::schedule::{Opening, Openings, Twister};

pub(super) use start_numbers::ranges;
use start_numbers::{all, as_listed, ascending_ranges, numbered, numbers};

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
    /// Pairs of every encounter on every position, as the file says.
    pub(super) pairs: u32,
    pub(super) context: &'a Context<'a>,
}

/// The positions, which pairs get them, and how players make starts; `None` after an error.
pub(super) fn read<'a>(
    section: Option<Section<'a>>,
    surroundings: &PositionsContext<'_>,
) -> (Option<Positions>, Drawn<'a>, made::Making<'a>) {
    let Some(mut section) = section else {
        return (None, None, None);
    };
    let making = made::rules(&mut section, surroundings.variant);
    let draw = section.optional("draw");
    let draw = draw.and_then(|entry| Some((rounds::draw(&entry)?, entry.place)));
    let rules = making.as_ref().map(|(rules, _)| *rules);
    let positions = match rules {
        Some(rules) if rules.system.places() => made::placed(section, rules, surroundings),
        Some(rules) => {
            let bases = read_kind(section, surroundings);
            bases.map(|bases| made::bases(bases, rules))
        }
        None => read_kind(section, surroundings),
    };
    (positions, draw, making)
}

fn read_kind(mut section: Section<'_>, surroundings: &PositionsContext<'_>) -> Option<Positions> {
    let kind = only_kind(&mut section, surroundings.context);
    let (choice, choice_place) = polyglot_book::choice(section.optional("choice"));
    let exclude = section.optional("exclude");
    let plies = section.optional("plies");
    let order = section.optional("order");
    let start = section.optional("start");
    let limit = section.optional("limit");
    let format = section.optional("format");
    section.finish();
    let plies = plies.and_then(|entry| Some((entry.integer(0..=1000)?, entry.place)));
    let order = order.and_then(|entry| entry.choice(&ORDERS));
    let variant = surroundings.variant?;
    let excluded = match exclude {
        Some(exclude) => numbers(&exclude, variant)?,
        None => Vec::new(),
    };
    let Kind {
        source,
        drawn,
        starts,
        is_polyglot,
    } = kind?;
    if let (Some(place), false) = (choice_place, is_polyglot) {
        place.fail::<()>(Problem::error(
            "`choice` belongs to a Polyglot book, `file`",
        ));
    }
    if let (Some((_, place)), true) = (&plies, source.key != "file") {
        place.fail::<()>(Problem::error("`plies` belongs to a book of games, `file`"));
    }
    if surroundings.public && (source.key == "sample" || drawn.is_some()) {
        let title = "a sample is drawn with a seed that is not whole before it is announced";
        let help = "all = true with draw = \"round\" draws from all; or take `public_source` out";
        source.fail::<()>(Problem::error(title).help(help));
    }
    let is_book = source.key == "file";
    if let (Some(format), false) = (&format, is_book) {
        format.fail::<()>(Problem::error("`format` belongs to a book, `file`"));
    }
    let part = part_of_book(order, &start, &limit, is_book, surroundings.seed);
    let is_part = part.is_some();
    let sequential = order.map(|order| order != Order::Random);
    let sequential = sequential.or(surroundings.recorded_order);
    let sequential = is_part || sequential.unwrap_or(source.key == "numbers");
    let mut positions = match is_book {
        true if is_polyglot => {
            let starts = match starts {
                Some(starts) if starts.key == "all" => Some(all(&starts, variant)?),
                Some(starts) => Some(as_listed(&starts, variant)?),
                None => None,
            };
            let wanted = polyglot_book::Wanted {
                variant,
                starts,
                excluded: &excluded,
                plies: plies.map_or(book::DEFAULT_PLIES, |(plies, _)| plies),
                choice,
                sample: drawn.as_ref(),
                seed: surroundings.seed,
            };
            let mut book = polyglot_book::read(&source, &wanted, surroundings.context)?;
            book.openings = book::chosen(book.openings, part.as_deref());
            of_lines(book, drawn.is_some().then_some(surroundings.seed), variant)
        }
        true => {
            let words = [("epd", false), ("pgn", true)];
            let reading = Reading {
                plies,
                games: format.and_then(|entry| entry.choice(&words)),
                choice: part,
            };
            let book = from_book(&source, reading, &excluded, variant, surroundings.context)?;
            sample_of_book(book, drawn, surroundings.seed)?
        }
        false => numbered(&source, variant, surroundings.seed, &excluded, sequential)?,
    };
    if positions.openings.is_empty() {
        return source.fail(Problem::error("no position is left to play from"));
    }
    if !excluded.is_empty() {
        positions.label += &format!(", without {}", ascending_ranges(&excluded));
    }
    if is_part {
        let all = positions.openings.len();
        positions.openings = positions.openings.played_in((0..all).collect());
    } else if is_book && sequential {
        positions.openings = from_place(positions.openings, start)?;
    } else if let Some(start) = start {
        let title = "`start` is a place in a book that is played in its order";
        let help = "file = \"book.epd\" and order = \"sequential\"";
        start.fail::<()>(Problem::error(title).help(help));
    }
    Some(positions)
}

/// In which order positions are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// As they are listed.
    Sequential,
    /// Drawn with the seed, again for every cycle.
    Random,
    /// As another runner shuffles a book.
    Shuffled(Twister),
}

const ORDERS: [(&str, Order); 4] = [
    ("sequential", Order::Sequential),
    ("random", Order::Random),
    ("fastchess", Order::Shuffled(Twister::Fastchess)),
    ("cutechess", Order::Shuffled(Twister::Cutechess)),
];

/// What is played of a book, if not all in its own order, or in one that is drawn for every cycle:
/// its order is turned until the place `start` is the first, and cut after `limit` openings.
fn part_of_book<'a>(
    order: Option<Order>,
    start: &Option<Entry<'_>>,
    limit: &Option<Entry<'_>>,
    is_book: bool,
    seed: u64,
) -> Option<Box<Choice<'a>>> {
    let shuffled = match order {
        Some(Order::Shuffled(twister)) => Some(twister),
        _ => None,
    };
    if limit.is_none() && shuffled.is_none() {
        return None;
    }
    let is_listed = shuffled.is_some() || order == Some(Order::Sequential);
    if let (Some(limit), false) = (limit, is_book && is_listed) {
        let title = "`limit` is the end of a book that is played in one order";
        let help = "file = \"book.epd\" and order = \"sequential\"";
        return limit.fail(Problem::error(title).help(help));
    }
    if !is_book {
        return None;
    }
    let whole = |entry: &Option<Entry<'_>>| entry.as_ref().map(|entry| entry.integer(1..=u32::MAX));
    let first = whole(start).flatten().unwrap_or(1) - 1;
    let most = whole(limit).flatten();
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
struct Kind<'a> {
    source: Entry<'a>,
    /// How many are drawn of a book.
    drawn: Option<Entry<'a>>,
    /// The starts from which a Polyglot book is followed: `all` or `numbers`.
    starts: Option<Entry<'a>>,
    is_polyglot: bool,
}

/// The one key that says which positions, and what belongs to it.
fn only_kind<'a>(section: &mut Section<'a>, context: &Context<'_>) -> Option<Kind<'a>> {
    let [mut all, mut numbers, sample, file] = KINDS.map(|kind| section.optional(kind));
    let (sample, drawn) = match &file {
        Some(_) => (None, sample),
        None => (sample, None),
    };
    let is_polyglot = file
        .as_ref()
        .is_some_and(|file| polyglot_book::is_polyglot(file, context));
    let is_polyglot = is_polyglot && !section.has_own("format");
    let starts = match is_polyglot {
        true if all.is_some() => all.take(),
        true => numbers.take(),
        false => None,
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
    Some(Kind {
        source: entry,
        drawn,
        starts,
        is_polyglot,
    })
}

/// The lines of a Polyglot book.
fn of_lines(book: BookFile, drawn: Option<u64>, variant: Variant) -> Positions {
    let (count, name) = (book.openings.len(), book.name);
    let how = drawn.map_or("the best moves".to_owned(), |seed| {
        format!("drawn with seed {seed}")
    });
    Positions {
        label: format!("{count} lines of {name}, {how}"),
        openings: Openings::book(variant, book.openings),
        book: book.file,
    }
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

fn from_book(
    source: &Entry<'_>,
    reading: Reading<'_>,
    excluded: &[StartNumber],
    variant: Variant,
    context: &Context<'_>,
) -> Option<Positions> {
    let BookFile {
        openings,
        name,
        file,
    } = book::read(source, reading, variant, context)?;
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
