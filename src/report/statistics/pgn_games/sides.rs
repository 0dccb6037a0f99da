//! Who played a game of a PGN file.

use crate::pgn::RawGame;

use super::super::collection::Collector;
use super::PgnFile;

impl Collector {
    /// The engines of White and Black, and whether they are one. Where a name
    /// plays itself, its two copies are told apart.
    pub(super) fn opponents(
        &mut self,
        file: &mut PgnFile,
        game: &RawGame<'_>,
        start: u32,
    ) -> ([u16; 2], bool) {
        let name = |tag: &str| game.tag(tag).unwrap_or("?".into());
        let (white, black) = (name("White"), name("Black"));
        if white != black {
            return ([self.engine(&white), self.engine(&black)], false);
        }
        let [first, second] = [1, 2].map(|copy| self.engine(&format!("{white} #{copy}")));
        let second_is_white = match game.tag("WhiteCopy").as_deref() {
            Some(copy) => copy == "2",
            None => {
                let turn = file.turns.entry((start, first)).or_insert(true);
                *turn = !*turn;
                *turn
            }
        };
        (
            if second_is_white {
                [second, first]
            } else {
                [first, second]
            },
            true,
        )
    }

    /// What is known of the engine on a side: its name, version and options.
    pub(super) fn side_identity(&mut self, game: &RawGame<'_>, side: &str) -> u32 {
        let tag = |name: &str| game.tag(&format!("{side}{name}"));
        let mut text = tag("").unwrap_or_default().into_owned();
        for name in ["Version", "Options"] {
            if let Some(value) = tag(name) {
                text.push('\n');
                text.push_str(&value);
            }
        }
        self.identity(&text)
    }
}
