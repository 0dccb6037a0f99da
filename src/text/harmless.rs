//! Text by strangers (an engine's name, what it answered) made harmless for people's eyes.

use std::borrow::Cow;

/// The text with every control character, and every character that turns the
/// direction of writing, shown as an escape, so that no engine's name can move
/// the cursor, clear a screen or hide itself.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut harmless = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_harmful(character) {
            harmless.extend(character.escape_default());
        } else {
            harmless.push(character);
        }
    }
    Cow::Owned(harmless)
}

/// The same for a text of several lines, which stay.
pub(crate) fn printable_lines(text: &str) -> String {
    let lines: Vec<Cow<'_, str>> = text.split('\n').map(printable).collect();
    lines.join("\n")
}

/// Controls (C0, DEL, C1), line and paragraph separators, and the marks of
/// bidirectional text (Unicode Standard Annex 9) and zero width.
pub fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_text_is_left_alone() {
        assert!(matches!(printable("Stöckfish 17 棋"), Cow::Borrowed(_)));
    }

    #[test]
    fn controls_and_turned_text_become_visible() {
        let evil = "a\nb\u{9b}31m\u{202e}c\0\u{7f}";
        assert_eq!(printable(evil), r"a\nb\u{9b}31m\u{202e}c\u{0}\u{7f}");
        assert_eq!(
            printable_lines(evil),
            "a\n".to_owned() + r"b\u{9b}31m\u{202e}c\u{0}\u{7f}"
        );
    }
}
