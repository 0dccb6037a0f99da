//! The keys of `[series]`.

use super::KeyKind::{self, Either, Whole, Word};
use super::keys;
use crate::config::entry::Entry;
use crate::config::value::{KeyType, words};
use crate::event::{SeriesOpening, SeriesOrder};

/// The words for a number of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AllGames {
    Series,
    Round,
}

words! {
    SeriesOrder { "circle" => Circle, "pyramid" => Pyramid }
    AllGames { "series" => Series, "round" => Round }
}

/// A number of games, or a word.
impl<'a> KeyType<'a> for SeriesOpening {
    const KIND: KeyKind = Either(&[Whole(1, 1_000_000), AllGames::KIND]);

    fn read(entry: &Entry<'a>, _kind: &KeyKind, unit: &str) -> Option<SeriesOpening> {
        if !entry.is_string() {
            return entry.integer(1..=1_000_000).map(SeriesOpening::Games);
        }
        Some(match AllGames::read(entry, &AllGames::KIND, unit)? {
            AllGames::Series => SeriesOpening::Series,
            AllGames::Round => SeriesOpening::Round,
        })
    }
}

keys! {
    /// The values of `series`.
    Series<'a>, "series", "series", "Two engines play this number of games in a row before the next two meet, as with cutechess-cli. `pairs`: how often every two meet; `colours`: who has White; -reverse swaps the colours of each meeting once more.";

    order: SeriesOrder [= "circle"], "",
        "The order of meetings in a round-robin. \"circle\": in rounds, the first engine fixed and the others moving round it. \"pyramid\": the second meets the first, the third those two, and so on. In a gauntlet each hero meets all but heroes.",
        "games = 2\norder = \"pyramid\"";
    games: u32 [required] Whole(1, 1_000_000), "games",
        "Games of two engines before the next two meet.",
        "games = 4",
        refused ["an odd number where a pair has two games", "without draw = \"next\" in [positions]"];
    opening: SeriesOpening [= 1] Either(&[Whole(1, 1_000_000), Word(&["series", "round"])]), "games",
        "How many games are played from a position, or all of a series, or of a round. With more than two engines each series begins with the next position.",
        "games = 4\nopening = \"round\"";
}
