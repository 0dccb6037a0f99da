//! Text by strangers (an engine's name, a fault quoted) made harmless.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with every control character, and every character that turns the
/// direction of writing, shown as an escape, so that no engine's name can move
/// the cursor, clear a screen or hide itself.
///
/// ```
/// assert_eq!(arbiter960::sink::printable("Eve\u{1b}[2J"), r"Eve\u{1b}[2J");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
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

/// Controls (C0, DEL, C1), line and paragraph separators, and the marks of
/// bidirectional text (Unicode Standard Annex 9) and zero width.
fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
        )
}

/// Appends a field of CSV (RFC 4180): quoted where it has to be, control
/// characters made visible first. A text that a spreadsheet would take for a
/// formula is quoted with an apostrophe before it.
pub fn csv_field(out: &mut String, text: &str) {
    let text = printable(text);
    let formula = text.starts_with(['=', '+', '-', '@']);
    let quoted = formula || text.contains([',', '"']) || text.starts_with(' ');
    if !quoted {
        out.push_str(&text);
        return;
    }
    let apostrophe = if formula { "'" } else { "" };
    // Writing into a string cannot fail.
    let _infallible = write!(out, "\"{apostrophe}{}\"", text.replace('"', "\"\""));
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
    }

    #[test]
    fn csv_fields_are_quoted_where_they_must_be() {
        let field = |text| {
            let mut out = String::new();
            csv_field(&mut out, text);
            out
        };
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"hi\""), "\"say \"\"hi\"\"\"");
        assert_eq!(field("two\nlines"), r"two\nlines");
        assert_eq!(field("=cmd()"), "\"'=cmd()\"");
    }
}
