//! `[event]`: the name, what decides the plan, and who meets whom.

use std::num::NonZeroUsize;
use std::time::Duration;

use regex_lite::Regex;

use super::keys::KeyKind::{Either, List, Text, Whole, Word};
use super::keys::{KeyKind, keys};
use super::problem::Problem;
use super::section::{Entry, EntryPlace, Section};
use super::value::{KeyType, WordValue, WrittenValue, words};
use crate::chess::start::Variant;
use crate::event::identity::{FormatWord, PublicDraw};
use crate::event::{
    AfterInterruption, Colours, PositionDraw, Series, SeriesOpening, SeriesOrder, SwappedGames,
};
use crate::text::nearest;
use crate::uci::KeptLines;

/// Maximum number of expressions of `keep_lines`.
const MAX_KEPT_LINES: usize = 16;

/// The contents of `[event]`. An unknown word for the format is taken as the nearest known one, so that its tables are
/// not reported as those of another format; or as the format whose table or heroes the event has.
pub(super) fn read<'a>(root: &mut Section<'a>) -> EventKeys<'a> {
    let example = "[event] with name = \"First steps\"";
    let section = root.required("event", example);
    let section = section.and_then(|entry| entry.table());
    let mut event = EventKeys::read(section.unwrap_or_else(|| root.absent("event")));
    let title = "`pairs` and `games` exclude each other";
    let help = "leave one of them";
    event.games.error_if(event.pairs.is_written(), title, help);
    if let (None, Some(entry)) = (event.format.value, &event.format.entry) {
        let written = entry.text();
        let meant = written.and_then(|word| nearest(word, FormatWord::NAMES.iter().copied()));
        let mut words = FormatWord::WORDS.iter();
        let meant = words
            .find(|(word, _)| meant.map_or_else(|| root.has_own(word), |meant| meant == *word));
        let meant = meant.map(|(_, word)| *word);
        let heroes = event.heroes.is_written().then_some(FormatWord::Gauntlet);
        event.format.value = meant.or(heroes);
    }
    event
}

impl EventKeys<'_> {
    /// `None` if the file names an unknown variant.
    pub(super) fn known_variant(&self) -> Option<Variant> {
        let usual = (!self.variant.is_written()).then_some(Variant::Chess960);
        self.variant.value.or(usual)
    }

    pub(super) fn games_per_pair(&self) -> u8 {
        self.pair_games.value.unwrap_or(2)
    }

    /// The regular expressions of `keep_lines`.
    pub(super) fn kept_lines(&self) -> KeptLines {
        let lines = self.keep_lines.value.as_deref().unwrap_or_default();
        let title = format!("`keep_lines` has more than {MAX_KEPT_LINES} expressions");
        let help = "several can be one: \"first|second\"";
        self.keep_lines
            .error_if(lines.len() > MAX_KEPT_LINES, title, help);
        let expression = |line: &WrittenValue<'_, String>| match Regex::new(&line.value) {
            Ok(expression) => Some(expression),
            Err(error) => {
                let title = format!("`keep_lines` has no regular expression here: {error}");
                line.entry.refuse(title, "as in \"^info string \"")
            }
        };
        KeptLines::new(lines.iter().filter_map(expression).collect())
    }
}

/// Keys of events in which every pair takes the next position.
pub(super) fn check_turns(
    event: &EventKeys<'_>,
    draw: PositionDraw,
    adaptive: bool,
    end: &EntryPlace<'_>,
) {
    let next = draw == PositionDraw::Next;
    if next && adaptive {
        let title = "[adaptive] chooses the positions of its pairs, and draw = \"next\" does, too";
        end.error(title, "take one of them out");
    }
    let swapped = &event.swapped_games;
    let is_later = swapped.value != SwappedGames::AtOnce;
    let title = "`swapped_games` is about rounds, and this event has none";
    let help = "draw = \"round\" in [positions], or take this line out";
    swapped.error_if(is_later && !draw.is_in_rounds(), title, help);
    let help = "draw = \"next\" in [positions], or take this line out";
    let is_lone = event.pair_games.value == Some(1);
    let title = "a pair of one game belongs to events in which every pair takes the next position";
    let lone_game = || Problem::error(title).help(help);
    event.pair_games.fail_if(is_lone && !next, lone_game);
    if event.colours.value != Colours::Balanced && !next {
        let title = "`colours` belongs to events in which every pair takes the next position";
        end.error(title, help);
    }
}

/// The event's name, which is also that of its folder.
pub(super) fn folder_name(entry: &Entry<'_>) -> Option<String> {
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
    let title = format!("`name` cannot be the name of a folder: {wrong}");
    let help = "the results of the event lie in a folder of this name";
    entry.refuse(title, help)
}

/// The seed of an event of which a part is announced in public, and the parts it was made of. `chosen` is the part that
/// the organiser has chosen, if the file or the command line names it.
pub(super) fn public_draw(event: &EventKeys<'_>, chosen: Option<u64>) -> Option<PublicDraw> {
    let source = &event.public_source;
    event.public_seed.error_if(
        !source.is_written(),
        "`public_seed` needs to say beforehand where it comes from",
        "public_source = \"lottery 6 of 49 of 2026-12-05\", before the draw is published",
    );
    let title = "with `public_source` the other part of the seed must be chosen";
    let help = "seed = a large number, kept secret";
    source.error_if(chosen.is_none(), title, help);
    Some(PublicDraw {
        seed: chosen?,
        source: source.value.clone()?,
        announced: event.public_seed.value.clone(),
    })
}

words! {
    Variant by name;
    AfterInterruption by word;
    SwappedGames by word;
}

words! {
    FormatWord {
        "match" => Match,
        "round-robin" => RoundRobin,
        "gauntlet" => Gauntlet,
        "knockout" => Knockout,
        "double-elimination" => DoubleElimination,
        "ladder" => Ladder,
        "swiss" => Swiss,
    }
    Colours {
        "balanced" => Balanced,
        "white-black" => WhiteBlack,
        "black-white" => BlackWhite,
        "white" => White,
        "black" => Black,
    }
}

keys! {
    /// The values of `[event]`.
    EventKeys<'a>, "event", "[event]", "The name, the plan, and who meets whom.";

    /// The name of the event, and the folder of its results: results/NAME.
    name: String [required], "name = \"First steps\"",
        refused ["not the name of a folder: empty, `.` or `..`, a slash, a control character, more than 200 bytes"];
    /// The `Site` tag of the PGN.
    site: String [= "?"], "site = \"Mainz\"";
    /// Decides every random choice: the same file and seed make the same plan.
    seed: u64 [or "drawn, printed and recorded"] Whole(0, u64::MAX as i128), "seed = 960";
    /// Where the public part of the seed will come from (`arbiter960 draw --help`).
    public_source: String [or "the seed has no public part"],
        "seed = 7\npublic_source = \"lottery 6 of 49 of 2026-12-05\"",
        refused ["without `seed`", "together with `sample`"];
    /// The announced text, letter by letter. It and `seed` make the seed of the event.
    public_seed: String [or "not announced yet: nothing can be played"],
        "seed = 7\npublic_source = \"lottery 6 of 49 of 2026-12-05\"\npublic_seed = \"3 11 19 27 33 41\"",
        refused ["without `public_source`"];
    /// The rules, and which start positions there are (docs/variants.md).
    variant: Variant [or "\"chess960\""], "variant = \"dfrc\"";
    /// Who meets whom (docs/formats.md). The last four are played in rounds, as results decide.
    format: FormatWord [or "\"match\" for two engines, \"round-robin\" for more"],
        "format = \"round-robin\"",
        refused ["a match of more than two", "\"swiss\" without [swiss]", "in rounds with [sprt], [adaptive] or `games`"];
    /// The engines of a gauntlet that meet all the others, by name.
    heroes: Entry<'a> [or "the first engine"] List(&Text),
        "format = \"gauntlet\"\nheroes = [\"New\"]",
        refused ["without format = \"gauntlet\"", "no engine of this name", "every engine, or none"];
    /// How often every two engines meet on each position, each time with both colours. Where results decide: the
    /// pairs of an encounter. With `draw`: how often every two meet.
    pairs: u32 [= 1] Whole(1, 1_000_000_000), in "pairs of games", "pairs = 4";
    /// The event ends after this number of games: a longer list of positions is cut, a shorter one begins again.
    games: u64 [or "every position is played `pairs` times"] Whole(1, 2_000_000_000), in "games",
        "games = 500",
        refused ["an odd number: games come in pairs with the colours swapped"];
    /// The games of a pair. 1: no game with swapped colours, so the start position's advantage is not cancelled.
    pair_games: u8 [or "2; 1 where an engine that plays itself would repeat its game"] Whole(1, 2), in "games",
        "pair_games = 2",
        refused ["1 without draw = \"next\" in [positions]"];
    /// The colours of the engine that is named first, as fastchess and cutechess-cli give them with -noswap and
    /// -reverse.
    colours: Colours [= "balanced"], "colours = \"balanced\"",
        refused ["another than \"balanced\" without draw = \"next\" in [positions]"];
    /// When the games with swapped colours are played: each behind the first of its pair; when all first games of the round
    /// were played; or those of a whole cycle of a round-robin. With several pairs an encounter all first games of the first
    /// pairs come first, then their second games, then the next pairs.
    swapped_games: SwappedGames [= "after-game"], "swapped_games = \"after-game\"",
        refused ["another than \"after-game\" in an event that is not played in rounds"];
    /// At most one a core; `arbiter960 doctor --engine` recommends a number.
    concurrency: NonZeroUsize [= 1] Whole(1, 1024), in "games at once", "concurrency = 4";
    /// Processors for each game that no other game and no other event on this machine uses.
    cpus_per_lane: NonZeroUsize [or "the system places the engines"] Whole(1, 1024), in "processors",
        "cpus_per_lane = 1",
        refused ["together with the `cpus` of an engine", "more than the machine has"];
    /// How long a lane waits between two games, so that the machine cools down.
    pause: Duration [or "none"], in "seconds", "pause = 5";
    /// A game that a run left behind when it was stopped at once or killed goes on at its move, or is played from its start
    /// (docs/reliability.md).
    interrupted: AfterInterruption [or "\"resume\" where both sides have more than five minutes together for sixty moves each, else \"replay\""],
        "interrupted = \"resume\"";
    /// Whether the arbiter may replace an engine by another build (`arbiter960 decide RESULTS replace ENGINE`).
    replacements: bool [= true], "replacements = false";
    /// Regular expressions: the last line of a search that matches each is stored (column `lines`, docs/store.md).
    keep_lines: Vec<WrittenValue<'a, String>> [or "[]"], "keep_lines = [\"^info string \"]",
        refused ["not a regular expression", "more than 16"];
}

/// The series of an event whose positions are dealt in this way, with this number of games a pair.
pub(super) fn read_series(
    section: Option<Section<'_>>,
    draw: PositionDraw,
    games_per_pair: u8,
) -> Option<Series> {
    let section = section?;
    if draw != PositionDraw::Next {
        let title = "[series] belongs to events in which every pair takes the next position";
        let help = "draw = \"next\" in [positions], or take this table out";
        section.error(title, help);
    }
    let keys = SeriesKeys::read(section);
    let a_pair = u32::from(games_per_pair);
    let games = keys.games.value.unwrap_or(a_pair);
    let title = "the games of a series are no whole number of pairs";
    let help = "an even number, or pair_games = 1 in [event]";
    keys.games
        .error_if(!games.is_multiple_of(a_pair), title, help);
    Some(Series {
        order: keys.order.value,
        games,
        opening: keys.opening.value,
    })
}

words! {
    SeriesOrder { "circle" => Circle, "pyramid" => Pyramid }
}

/// A number of games, or a word.
impl<'a> KeyType<'a> for SeriesOpening {
    const KIND: KeyKind = Either(&[Whole(1, 1_000_000), Word(&["series", "round"])]);

    fn read(entry: &Entry<'a>, _kind: &KeyKind, _unit: &str) -> Option<SeriesOpening> {
        let [series, round] = [SeriesOpening::Series, SeriesOpening::Round];
        if entry.is_string() {
            entry.choice(&[("series", series), ("round", round)])
        } else {
            entry.integer(1..=1_000_000).map(SeriesOpening::Games)
        }
    }
}

keys! {
    /// The values of `series`.
    SeriesKeys<'a>, "series", "series", "Two engines play this number of games in a row before the next two meet, as with cutechess-cli. `pairs`: how often every two meet; `colours`: who has White; -reverse swaps the colours of each meeting once more.";

    /// "circle": in rounds. "pyramid": the second meets the first, the third those two, and so on.
    order: SeriesOrder [= "circle"], "games = 2\norder = \"pyramid\"";
    /// Games of two engines before the next two meet.
    games: u32 [required] Whole(1, 1_000_000), in "games", "games = 4",
        refused ["an odd number where a pair has two games", "without draw = \"next\" in [positions]"];
    /// How many games are played from a position, or all of a series, or of a round.
    opening: SeriesOpening [= 1], in "games", "games = 4\nopening = \"round\"";
}
