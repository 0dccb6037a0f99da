//! `[series]`: games of two engines one after the other, as cutechess-cli plays them.

use super::keys::series as keys;
use super::problem::Problem;
use super::section::Section;
use crate::event::{PositionDraw, Series};

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
    let keys = keys::Series::read(section);
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
