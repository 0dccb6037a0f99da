//! Start positions as the statistics number them.

use std::collections::HashMap;

use crate::chess::start::{self, Variant};
use crate::chess::{FenDialect, StartNumber};

/// The start of a game is one number in a table of games: its start number, or from here on its place among the names.
/// Above every start number, below the maximum of a table.
const FIRST_NAMED: u32 = 1 << 29;

/// Texts, each with a unique number.
#[derive(Debug, Clone, Default)]
pub(super) struct TextNumbers {
    places: HashMap<String, u32>,
    /// All texts, by number.
    pub(super) texts: Vec<String>,
}

impl TextNumbers {
    /// The number of a text, a new one if it was not met before.
    pub(crate) fn place(&mut self, text: &str) -> u32 {
        if let Some(place) = self.places.get(text) {
            return *place;
        }
        let place = self.texts.len() as u32;
        self.places.insert(text.to_owned(), place);
        self.texts.push(text.to_owned());
        place
    }
}

/// The starts of a collection. Those of the variant met first keep their start
/// numbers; all others (another variant, a book) are named.
#[derive(Debug, Clone, Default)]
pub struct Starts {
    variant: Option<Variant>,
    others: TextNumbers,
}

impl Starts {
    /// The key of a numbered start.
    pub(super) fn numbered(&mut self, variant: Variant, number: StartNumber) -> u32 {
        // Orthodox chess is start 518 of Chess960.
        let variant = match variant {
            Variant::Standard => Variant::Chess960,
            other => other,
        };
        if *self.variant.get_or_insert(variant) == variant {
            return number.0;
        }
        self.named(&format!("{} {number}", variant.name()))
    }

    /// The key of a start that has no number.
    pub(super) fn named(&mut self, name: &str) -> u32 {
        FIRST_NAMED + self.others.place(name)
    }

    /// The variant whose numbers the keys are.
    pub fn variant(&self) -> Variant {
        self.variant.unwrap_or(Variant::Chess960)
    }

    /// The start number, where the key is one.
    pub fn number(&self, start: u32) -> Option<StartNumber> {
        (start < FIRST_NAMED).then_some(StartNumber(start))
    }

    /// The start number, or the name.
    pub fn label(&self, start: u32) -> String {
        match start.checked_sub(FIRST_NAMED) {
            None => StartNumber(start).to_string(),
            Some(place) => self.others.texts[place as usize].clone(),
        }
    }

    /// The name of a start that has no number.
    pub(super) fn name(&self, start: u32) -> Option<String> {
        self.number(start).is_none().then(|| self.label(start))
    }

    /// White's first rank, where the start has a number.
    pub fn back_rank(&self, start: u32) -> Option<String> {
        back_rank(self.variant(), self.number(start)?)
    }

    /// The left-right mirror, if there is one.
    pub fn mirror(&self, start: u32) -> Option<u32> {
        let mirror = start::mirror(self.variant(), self.number(start)?);
        mirror.ok().map(|number| number.0)
    }
}

/// White's pieces on the first rank, or both sides' with a slash where they differ.
pub(crate) fn back_rank(variant: Variant, number: StartNumber) -> Option<String> {
    let fen = start::position(variant, number).ok()?.fen(FenDialect::XFen);
    let board = fen.split(' ').next()?;
    let black = board.split('/').next()?.to_ascii_uppercase();
    let white = board.split('/').next_back()?;
    Some(if white == black {
        white.to_owned()
    } else {
        format!("{white}/{black}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_different_variants_do_not_mix() {
        let mut starts = Starts::default();
        let [classic, double] = [Variant::Standard, Variant::Dfrc]
            .map(|variant| starts.numbered(variant, StartNumber(518)));
        assert_eq!(classic, 518);
        assert_ne!(double, 518);
        assert_eq!(
            (starts.label(classic), starts.label(double)),
            ("518".into(), "dfrc 518".into())
        );
        assert_eq!(starts.back_rank(classic).as_deref(), Some("RNBQKBNR"));
        assert_eq!(
            (starts.back_rank(double), starts.mirror(double)),
            (None, None)
        );
    }
}
