//! Limits for the stored variations of engines, and for the lines that an event stores: enough for any honest engine,
//! and not so much that an engine which writes without end could fill a disk.

use std::borrow::Cow;

/// Maximum length of one variation, in bytes: some two hundred half-moves.
pub(super) const LONGEST: usize = 1024;

/// Maximum length of all variations of one game, in bytes.
const OF_A_GAME: usize = 256 * 1024;

/// Written at the end of a variation that was shortened.
pub const CUT_VARIATION: &str = "…";

/// The space left for the variations of a game.
#[derive(Debug)]
pub(super) struct Allowance(usize);

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance(OF_A_GAME)
    }
}

impl Allowance {
    /// The variation, or its beginning up to the end of a word, and [`CUT_VARIATION`].
    pub(super) fn keep<'a>(&mut self, variation: &'a str) -> Cow<'a, str> {
        let most = LONGEST.min(self.0);
        if variation.len() <= most {
            self.0 -= variation.len();
            return Cow::Borrowed(variation);
        }
        // A word that ends exactly at the limit is kept.
        let begin = &variation.as_bytes()[..most];
        let end = match variation.as_bytes()[most] {
            b' ' => Some(most),
            _ => begin.iter().rposition(|byte| *byte == b' '),
        };
        let kept = end.and_then(|end| variation.get(..end)).unwrap_or("");
        self.0 -= kept.len();
        let separator = if kept.is_empty() { "" } else { " " };
        Cow::Owned(format!("{kept}{separator}{CUT_VARIATION}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variation_is_cut_at_a_words_end() {
        let mut allowance = Allowance::default();
        assert_eq!(allowance.keep("e2e4 e7e5"), "e2e4 e7e5");
        let endless = "e2e4 ".repeat(12_000);
        let kept = allowance.keep(&endless);
        assert_eq!(kept, format!("{}{CUT_VARIATION}", "e2e4 ".repeat(205)));
        assert_eq!(allowance.keep(&"x".repeat(5000)), CUT_VARIATION);
        assert_eq!(allowance.keep(&"é".repeat(5000)), CUT_VARIATION);
    }

    #[test]
    fn a_game_has_room_for_so_much() {
        let mut allowance = Allowance::default();
        let endless = "e2e4 ".repeat(12_000);
        let kept: usize = (0..10_000).map(|_| allowance.keep(&endless).len()).sum();
        assert!(
            kept <= OF_A_GAME + 10_000 * (CUT_VARIATION.len() + 1),
            "{kept}"
        );
    }
}
