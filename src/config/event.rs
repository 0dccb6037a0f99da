//! `[event]`: the name, what decides the plan, and who meets whom.

use regex_lite::Regex;

use super::entry::{Entry, EntryPlace};
use super::keys::event::Event;
use super::problem::Problem;
use super::section::Section;
use super::value::{WordValue, WrittenValue};
use crate::chess::start::Variant;
use crate::event::identity::{FormatWord, PublicDraw};
use crate::event::{Colours, PositionDraw};
use crate::referee::KeptLines;
use crate::text::nearest;

/// Maximum number of expressions of `keep_lines`.
const MOST_EXPRESSIONS: usize = 16;

/// The contents of `[event]`. An unknown word for the format is taken as the nearest known one, so that its tables are
/// not reported as those of another format; or as the format whose table or heroes the event has.
pub(super) fn read<'a>(root: &mut Section<'a>) -> Event<'a> {
    let example = "[event] with name = \"First steps\"";
    let section = root
        .required("event", example)
        .and_then(|entry| entry.table());
    let mut event = Event::read(section.unwrap_or_else(|| root.absent("event")));
    event.games.fail_if(event.pairs.is_written(), || {
        let title = "`pairs` and `games` exclude each other";
        Problem::error(title).help("leave one of them")
    });
    if let (None, Some(entry)) = (event.format.value, &event.format.entry) {
        let written = entry.is_string().then(|| entry.string()).flatten();
        let meant = written.and_then(|word| nearest(word, FormatWord::NAMES.iter().copied()));
        let of_name = |name| FormatWord::WORDS.iter().find(|(word, _)| *word == name);
        let table = FormatWord::WORDS
            .iter()
            .find(|(name, _)| root.has_own(name));
        let meant = meant.and_then(of_name).or(table).map(|(_, word)| *word);
        let heroes = event.heroes.is_written().then_some(FormatWord::Gauntlet);
        event.format.value = meant.or(heroes);
    }
    event
}

impl Event<'_> {
    /// The name, which is also that of its folder.
    pub(super) fn folder_name(&self) -> String {
        let name = self.name.entry.as_ref().and_then(folder_name);
        name.unwrap_or_default()
    }

    /// `None` if the file names an unknown variant.
    pub(super) fn known_variant(&self) -> Option<Variant> {
        match self.variant.entry {
            None => Some(Variant::Chess960),
            Some(_) => self.variant.value,
        }
    }

    /// Games of a pair.
    pub(super) fn games_per_pair(&self) -> u8 {
        self.pair_games.value.unwrap_or(2)
    }

    /// The regular expressions of `keep_lines`.
    pub(super) fn kept_lines(&self) -> KeptLines {
        let lines = self.keep_lines.value.as_deref().unwrap_or_default();
        self.keep_lines.fail_if(lines.len() > MOST_EXPRESSIONS, || {
            let title = format!("`keep_lines` has more than {MOST_EXPRESSIONS} expressions");
            Problem::error(title).help("several can be one: \"first|second\"")
        });
        let expression = |line: &WrittenValue<'_, String>| match Regex::new(&line.value) {
            Ok(expression) => Some(expression),
            Err(error) => {
                let title = format!("`keep_lines` has no regular expression here: {error}");
                let problem = Problem::error(title).help("as in \"^info string \"");
                line.entry.fail(problem)
            }
        };
        KeptLines::new(lines.iter().filter_map(expression).collect())
    }
}

/// Keys of events in which every pair takes the next position.
pub(super) fn check_turns(
    event: &Event<'_>,
    draw: PositionDraw,
    adaptive: bool,
    end: &EntryPlace<'_>,
) {
    let next = draw == PositionDraw::Next;
    if next && adaptive {
        let title = "[adaptive] chooses the positions of its pairs, and draw = \"next\" does, too";
        end.fail::<()>(Problem::error(title).help("take one of them out"));
    }
    let help = "draw = \"next\" in [positions], or take this line out";
    let is_lone = event.pair_games.value == Some(1);
    event.pair_games.fail_if(is_lone && !next, || {
        let title =
            "a pair of one game belongs to events in which every pair takes the next position";
        Problem::error(title).help(help)
    });
    if event.colours.value != Colours::Balanced && !next {
        let title = "`colours` belongs to events in which every pair takes the next position";
        end.fail::<()>(Problem::error(title).help(help));
    }
}

/// The event's name, which is also that of its folder.
fn folder_name(entry: &Entry<'_>) -> Option<String> {
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

/// The seed of an event of which a part is announced in public, and the parts it was made of. `chosen` is the part that
/// the organiser has chosen, if the file or the command line names it.
pub(super) fn public_draw(event: &Event<'_>, chosen: Option<u64>) -> Option<PublicDraw> {
    let source = &event.public_source;
    event.public_seed.fail_if(!source.is_written(), || {
        let help =
            "public_source = \"lottery 6 of 49 of 2026-12-05\", before the draw is published";
        let title = "`public_seed` needs to say beforehand where it comes from";
        Problem::error(title).help(help)
    });
    source.fail_if(source.value.is_some() && chosen.is_none(), || {
        let title = "with `public_source` the other part of the seed must be chosen";
        Problem::error(title).help("seed = a large number, kept secret")
    });
    Some(PublicDraw {
        seed: chosen?,
        source: source.value.clone()?,
        announced: event.public_seed.value.clone(),
    })
}
