//! The start of a game of a PGN file: its number, or the position after its book.

use crate::chess::start::{StartNumber, Variant, number_of};
use crate::chess::{FenDialect, Position};
use crate::pgn::{GameStart, PgnError, RawGame};

use super::super::collection::Collector;
use super::PgnFile;
use super::moves::Replayed;

impl Collector {
    /// The start's key; what the tags say of it is looked up, not read again.
    pub(super) fn pgn_start(
        &mut self,
        file: &mut PgnFile,
        game: &RawGame<'_>,
        replayed: Option<&Replayed>,
        key: &mut String,
    ) -> Result<u32, PgnError> {
        key.clear();
        for tag in ["Variant", "StartVariant", "FEN"] {
            key.push_str(game.tag(tag).as_deref().unwrap_or_default());
            key.push('\n');
        }
        if game.tag("FEN").is_none() {
            key.push_str(game.tag("StartNumber").as_deref().unwrap_or_default());
        }
        if let Some(replayed) = replayed.filter(|replayed| replayed.book > 0) {
            let book = &replayed.moves[..replayed.book];
            key.extend(book.iter().map(|bits| format!(" {bits:04x}")));
        }
        if let Some(start) = file.starts.get(key.as_str()) {
            return Ok(*start);
        }
        let book = replayed.map_or(0, |replayed| replayed.book);
        let start = self.new_start(game, book)?;
        file.starts.insert(key.clone(), start);
        Ok(start)
    }

    fn new_start(&mut self, game: &RawGame<'_>, book: usize) -> Result<u32, PgnError> {
        let mut replay = game.replay()?;
        if book == 0 {
            return Ok(match numbered(replay.start()) {
                Some((variant, number)) => self.starts.numbered(variant, number),
                None => self.starts.named(&replay.position().fen(FenDialect::XFen)),
            });
        }
        while (replay.plies() as usize) < book {
            match replay.next_step() {
                Some(step) => step?,
                None => break,
            };
        }
        Ok(self.starts.named(&replay.position().fen(FenDialect::XFen)))
    }
}

/// The number of the start, where it is one of Chess960, or of the variant named.
fn numbered(start: &GameStart) -> Option<(Variant, StartNumber)> {
    let position: &Position = &start.position;
    let named = start.numbering();
    [named, Variant::Chess960, Variant::Dfrc]
        .into_iter()
        .find_map(|variant| Some((variant, number_of(variant, position)?)))
}
