//! Who played a game of a PGN file.

use crate::pgn::RawGame;

use super::super::collection::Collector;
use super::PgnFile;
use super::part::SaidOfGame;

impl Collector {
    /// The engines of White and Black. Where a name plays itself, its two copies are told apart.
    pub(super) fn opponents<'a>(
        &mut self,
        file: &mut PgnFile,
        game: &SaidOfGame,
        start: u32,
        text: impl Fn(u32) -> &'a String,
        mut engine: impl FnMut(&mut Self, u32) -> u16,
    ) -> [u16; 2] {
        let [white, black] = game.players;
        if white != black {
            return [engine(self, white), engine(self, black)];
        }
        let [first, second] = [1, 2].map(|copy| self.engine(&format!("{} #{copy}", text(white))));
        let second_is_white = game.second_copy_is_white.unwrap_or_else(|| {
            let turn = file.turns.entry((start, first)).or_insert(true);
            *turn = !*turn;
            *turn
        });
        if second_is_white {
            [second, first]
        } else {
            [first, second]
        }
    }
}

/// Whether the second copy of a name that plays itself has White; `None` if no tag says so.
pub(super) fn second_copy_is_white(game: &RawGame<'_>) -> Option<bool> {
    Some(game.tag("WhiteCopy")? == "2")
}

/// What is known of the engine on a side: its name, version and options.
pub(super) fn identity_text(game: &RawGame<'_>, side: &str) -> String {
    let tag = |name: &str| game.tag(&format!("{side}{name}"));
    let mut text = tag("").unwrap_or_default().into_owned();
    for name in ["Version", "Options"] {
        if let Some(value) = tag(name) {
            text.push('\n');
            text.push_str(&value);
        }
    }
    text
}
