//! `[series]`: games of two engines one after the other, as cutechess-cli plays them.

use super::entry::Entry;
use super::problem::Problem;
use super::section::Section;
use crate::event::{PositionDraw, Series, SeriesOpening, SeriesOrder};

const ORDERS: [(&str, SeriesOrder); 2] = [
    ("circle", SeriesOrder::Circle),
    ("pyramid", SeriesOrder::Pyramid),
];

const OPENINGS: [(&str, SeriesOpening); 2] = [
    ("series", SeriesOpening::Series),
    ("round", SeriesOpening::Round),
];

/// The series of an event whose positions are dealt in this way, of so many games a pair.
pub(super) fn read(
    section: Option<Section<'_>>,
    draw: PositionDraw,
    games_per_pair: u8,
) -> Option<Series> {
    let mut section = section?;
    if draw != PositionDraw::Next {
        let title = "[series] belongs to events in which every pair takes the next position";
        let help = "draw = \"next\" in [positions], or take this table out";
        section.fail::<()>(Problem::error(title).help(help));
    }
    let games = section.required("games", "games = 4");
    let games = games.and_then(|entry| Some((entry.integer(1..=1_000_000_u32)?, entry)));
    if let Some((count, entry)) = &games
        && !count.is_multiple_of(u32::from(games_per_pair))
    {
        let title = "the games of a series are no whole number of pairs";
        let help = "an even number, or pair_games = 1 in [event]";
        entry.fail::<()>(Problem::error(title).help(help));
    }
    let series = Series {
        order: section
            .optional("order")
            .and_then(|entry| entry.choice(&ORDERS))
            .unwrap_or_default(),
        games: games.map_or(1, |(count, _)| count),
        opening: section
            .optional("opening")
            .and_then(|entry| opening(&entry))
            .unwrap_or(SeriesOpening::Games(1)),
    };
    section.finish();
    Some(series)
}

/// A number of games, or a word.
fn opening(entry: &Entry<'_>) -> Option<SeriesOpening> {
    match entry.is_string() {
        true => entry.choice(&OPENINGS),
        false => entry.integer(1..=1_000_000).map(SeriesOpening::Games),
    }
}
