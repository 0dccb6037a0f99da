//! `[series]`: games of two engines one after the other, as cutechess-cli plays them.

use super::entry::Entry;
use super::keys::KeyKind::{Either, Whole, Word};
use super::keys::{KeyKind, keys};
use super::problem::Problem;
use super::section::Section;
use super::value::{KeyType, words};
use crate::event::{PositionDraw, Series, SeriesOpening, SeriesOrder};

/// The series of an event whose positions are dealt in this way, with this number of games a pair.
pub(super) fn read(
    section: Option<Section<'_>>,
    draw: PositionDraw,
    games_per_pair: u8,
) -> Option<Series> {
    let section = section?;
    if draw != PositionDraw::Next {
        let title = "[series] belongs to events in which every pair takes the next position";
        let help = "draw = \"next\" in [positions], or take this table out";
        section.fail::<()>(Problem::error(title).help(help));
    }
    let keys = SeriesKeys::read(section);
    let games = keys.games.value.unwrap_or(u32::from(games_per_pair));
    keys.games
        .fail_if(!games.is_multiple_of(u32::from(games_per_pair)), || {
            let title = "the games of a series are no whole number of pairs";
            Problem::error(title).help("an even number, or pair_games = 1 in [event]")
        });
    Some(Series {
        order: keys.order.value,
        games,
        opening: keys.opening.value,
    })
}

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
    SeriesKeys<'a>, "series", "series", "Two engines play this number of games in a row before the next two meet, as with cutechess-cli. `pairs`: how often every two meet; `colours`: who has White; -reverse swaps the colours of each meeting once more.";

    /// "circle": in rounds. "pyramid": the second meets the first, the third those two, and so on.
    order: SeriesOrder [= "circle"], "",
        "games = 2\norder = \"pyramid\"";
    /// Games of two engines before the next two meet.
    games: u32 [required] Whole(1, 1_000_000), "games",
        "games = 4",
        refused ["an odd number where a pair has two games", "without draw = \"next\" in [positions]"];
    /// How many games are played from a position, or all of a series, or of a round.
    opening: SeriesOpening [= 1] Either(&[Whole(1, 1_000_000), Word(&["series", "round"])]), "games",
        "games = 4\nopening = \"round\"";
}
