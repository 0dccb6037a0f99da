//! `[event]`: the name, what decides the plan, and who meets whom.

use std::num::NonZeroUsize;
use std::time::Duration;

use regex_lite::Regex;

use super::entry::{Entry, Place};
use super::problem::Problem;
use super::section::Section;
use crate::chess::start::Variant;
use crate::event::identity::PublicDraw;
use crate::event::{Colours, PositionDraw};
use crate::referee::KeptLines;
use crate::text::nearest;

/// The most games of an event.
const MOST_GAMES: u64 = 2_000_000_000;

/// The most expressions of `keep_lines`.
const MOST_EXPRESSIONS: usize = 16;

/// What `[event]` says.
pub(super) struct Event<'a> {
    pub(super) name: String,
    pub(super) site: String,
    /// `None` if the file does not say it.
    pub(super) seed: Option<u64>,
    /// `None` if it was no variant.
    pub(super) variant: Option<Variant>,
    /// What it is, or is probably meant to be.
    pub(super) format: Option<(FormatWord, Place<'a>)>,
    /// A word that is no format, nor nearly one.
    unknown_format: Option<Place<'a>>,
    pub(super) pairs: Option<(u32, Place<'a>)>,
    pub(super) games: Option<(u64, Place<'a>)>,
    pub(super) concurrency: NonZeroUsize,
    pub(super) cpus_per_lane: Option<(NonZeroUsize, Place<'a>)>,
    pub(super) pause: Option<Duration>,
    pub(super) heroes: Option<Entry<'a>>,
    pub(super) public_source: Option<Entry<'a>>,
    pub(super) public_seed: Option<Entry<'a>>,
    pub(super) replacements: bool,
    pub(super) colours: Colours,
    /// Games of a pair, if the file says it.
    pub(super) pair_games: Option<(u8, Place<'a>)>,
    pub(super) kept_lines: KeptLines,
}

const COLOURS: [(&str, Colours); 5] = [
    ("balanced", Colours::Balanced),
    ("white-black", Colours::WhiteBlack),
    ("black-white", Colours::BlackWhite),
    ("white", Colours::White),
    ("black", Colours::Black),
];

/// The formats that can be played.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FormatWord {
    Match,
    RoundRobin,
    Gauntlet,
    Knockout,
    DoubleElimination,
    Ladder,
    Swiss,
}

/// Every format of the language.
const FORMATS: [(&str, FormatWord); 7] = [
    ("match", FormatWord::Match),
    ("round-robin", FormatWord::RoundRobin),
    ("gauntlet", FormatWord::Gauntlet),
    ("knockout", FormatWord::Knockout),
    ("double-elimination", FormatWord::DoubleElimination),
    ("ladder", FormatWord::Ladder),
    ("swiss", FormatWord::Swiss),
];

pub(super) fn read<'a>(section: Option<Section<'a>>) -> Event<'a> {
    let Some(mut section) = section else {
        return Event::nothing();
    };
    let name = section.required("name", "name = \"First steps\"");
    let (format, unknown_format) = section.optional("format").map_or((None, None), format);
    let pairs = section.optional("pairs");
    let games = section.optional("games");
    if let (Some(_), Some(games)) = (&pairs, &games) {
        let title = "`pairs` and `games` exclude each other";
        games.fail::<()>(Problem::error(title).help("leave one of them"));
    }
    let cpus_per_lane = section.optional("cpus_per_lane");
    let event = Event {
        name: name.and_then(folder_name).unwrap_or_default(),
        site: section
            .optional("site")
            .and_then(|site| site.string())
            .unwrap_or("?")
            .to_owned(),
        seed: section
            .optional("seed")
            .and_then(|seed| seed.integer(0..=u64::MAX)),
        variant: match section.optional("variant") {
            None => Some(Variant::Chess960),
            Some(entry) => entry.choice(&Variant::ALL.map(|variant| (variant.name(), variant))),
        },
        format,
        unknown_format,
        pairs: pairs.and_then(|entry| Some((entry.integer(1..=1_000_000_000)?, entry.place))),
        games: games.and_then(|entry| Some((entry.integer(1..=MOST_GAMES)?, entry.place))),
        concurrency: section
            .optional("concurrency")
            .and_then(|entry| NonZeroUsize::new(entry.integer(1..=1024)?))
            .unwrap_or(NonZeroUsize::MIN),
        cpus_per_lane: cpus_per_lane
            .and_then(|entry| Some((NonZeroUsize::new(entry.integer(1..=1024)?)?, entry.place))),
        pause: section.optional("pause").and_then(|entry| entry.seconds()),
        heroes: section.optional("heroes"),
        public_source: section.optional("public_source"),
        public_seed: section.optional("public_seed"),
        replacements: section
            .optional("replacements")
            .and_then(|entry| entry.boolean())
            .unwrap_or(true),
        colours: section
            .optional("colours")
            .and_then(|entry| entry.choice(&COLOURS))
            .unwrap_or_default(),
        pair_games: section
            .optional("pair_games")
            .and_then(|entry| Some((entry.integer(1..=2)?, entry.place))),
        kept_lines: section
            .optional("keep_lines")
            .and_then(|entry| kept_lines(&entry))
            .unwrap_or_default(),
    };
    section.finish();
    event
}

/// The regular expressions of `keep_lines`.
fn kept_lines(entry: &Entry<'_>) -> Option<KeptLines> {
    let elements = entry.list()?;
    if elements.len() > MOST_EXPRESSIONS {
        let title = format!("`keep_lines` has more than {MOST_EXPRESSIONS} expressions");
        return entry.fail(Problem::error(title).help("several can be one: \"first|second\""));
    }
    let expression = |element: &Entry<'_>| match Regex::new(element.string()?) {
        Ok(expression) => Some(expression),
        Err(error) => {
            let title = format!("`keep_lines` has no regular expression here: {error}");
            element.fail(Problem::error(title).help("as in \"^info string \""))
        }
    };
    Some(KeptLines::new(
        elements.iter().filter_map(expression).collect(),
    ))
}

/// The format and its place; of a word that is none, and has been reported, the format that it nearly
/// names, so that its tables are not taken for those of another.
fn format(entry: Entry<'_>) -> (Option<(FormatWord, Place<'_>)>, Option<Place<'_>>) {
    if let Some(word) = entry.choice(&FORMATS) {
        return (Some((word, entry.place)), None);
    }
    let written = entry.is_string().then(|| entry.string()).flatten();
    let meant = written.and_then(|word| nearest(word, FORMATS.iter().map(|(name, _)| *name)));
    let meant = meant.and_then(|meant| FORMATS.iter().find(|(name, _)| *name == meant));
    match meant {
        Some((_, word)) => (Some((*word, entry.place)), None),
        None => (None, Some(entry.place)),
    }
}

impl<'a> Event<'a> {
    /// Takes an event whose format is no known word for one of the format whose table or heroes it has.
    pub(super) fn guess_format(&mut self, root: &Section<'a>) {
        let tables = FORMATS.iter().find(|(name, _)| root.has_own(name));
        let heroes = self.heroes.as_ref().map(|_| FormatWord::Gauntlet);
        let meant = tables.map(|(_, word)| *word).or(heroes);
        if let (Some(place), Some(word)) = (self.unknown_format.take(), meant) {
            self.format = Some((word, place));
        }
    }
}

impl Event<'_> {
    /// What stands for a table that is missing.
    fn nothing() -> Event<'static> {
        Event {
            name: String::new(),
            site: String::new(),
            seed: None,
            variant: Some(Variant::Chess960),
            format: None,
            unknown_format: None,
            pairs: None,
            games: None,
            concurrency: NonZeroUsize::MIN,
            cpus_per_lane: None,
            pause: None,
            heroes: None,
            public_source: None,
            public_seed: None,
            replacements: true,
            colours: Colours::Balanced,
            pair_games: None,
            kept_lines: KeptLines::default(),
        }
    }
}

/// What belongs to events in which every pair takes the next position.
pub(super) fn check_turns(event: &Event<'_>, draw: PositionDraw, adaptive: bool, end: &Place<'_>) {
    let next = draw == PositionDraw::Next;
    if next && adaptive {
        let title = "[adaptive] chooses the positions of its pairs, and draw = \"next\" does, too";
        end.fail::<()>(Problem::error(title).help("take one of them out"));
    }
    let help = "draw = \"next\" in [positions], or take this line out";
    if let (Some((1, place)), false) = (&event.pair_games, next) {
        let title =
            "a pair of one game belongs to events in which every pair takes the next position";
        place.fail::<()>(Problem::error(title).help(help));
    }
    if event.colours != Colours::Balanced && !next {
        let title = "`colours` belongs to events in which every pair takes the next position";
        end.fail::<()>(Problem::error(title).help(help));
    }
}

/// The event's name, which is also that of its folder.
fn folder_name(entry: Entry<'_>) -> Option<String> {
    let name = entry.string()?;
    let wrong = if name.trim().is_empty() {
        "it is empty"
    } else if name.contains(['/', '\\']) {
        "it has a slash"
    } else if name == "." || name == ".." {
        "it means another folder"
    } else if name.chars().any(char::is_control) {
        "it has control characters"
    } else if name.len() > 200 {
        "it is longer than 200 bytes"
    } else {
        return Some(name.to_owned());
    };
    let help = "the results of the event lie in a folder of this name";
    let title = format!("`name` cannot be the name of a folder: {wrong}");
    entry.fail(Problem::error(title).help(help))
}

/// The seed of an event of which a part is announced in public, and what it was made of. `chosen` is
/// the part that the organiser has chosen, if the file or the command line names it.
pub(super) fn public_draw(event: &Event<'_>, chosen: Option<u64>) -> Option<PublicDraw> {
    let announced = event.public_seed.as_ref().and_then(|entry| entry.string());
    let Some(source) = &event.public_source else {
        if let Some(entry) = &event.public_seed {
            let help =
                "public_source = \"lottery 6 of 49 of 2026-12-05\", before the draw is published";
            let title = "`public_seed` needs to say beforehand where it comes from";
            entry.fail::<()>(Problem::error(title).help(help));
        }
        return None;
    };
    let text = source.string()?;
    let Some(seed) = chosen else {
        let title = "with `public_source` the other part of the seed must be chosen";
        return source.fail(Problem::error(title).help("seed = a large number, kept secret"));
    };
    Some(PublicDraw {
        seed,
        source: text.to_owned(),
        announced: announced.map(str::to_owned),
    })
}
