//! Text by strangers (an engine's name, a fault quoted) made harmless for people's eyes and for programs, and what they
//! probably meant.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write;
use std::io;

use serde::Serialize;
use strsim::osa_distance;

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

/// A JSON text with every character that [`printable`] shows as an escape, also those
/// that JSON does not ask for. Outside of strings only the ends of lines are such.
pub(crate) fn harmless_json(text: &str) -> String {
    let mut harmless = String::with_capacity(text.len());
    for character in text.chars() {
        if character != '\n' && is_harmful(character) {
            // Writing into a string cannot fail.
            let _infallible = write!(harmless, "\\u{:04x}", u32::from(character));
        } else {
            harmless.push(character);
        }
    }
    harmless
}

/// Writes a value as indented JSON, harmless as [`harmless_json`] makes it, without the whole text in
/// memory: of 100,000 openings it has 150 MB.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn write_json(out: &mut dyn io::Write, value: &impl Serialize) -> io::Result<()> {
    let mut out = HarmlessJson(io::BufWriter::new(out));
    serde_json::to_writer_pretty(&mut out, value)?;
    io::Write::write_all(&mut out, b"\n")?;
    io::Write::flush(&mut out)
}

/// Writes a value as a line of JSON, harmless as [`harmless_json`] makes it; `buffer` is for reuse.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn write_json_line(
    out: &mut dyn io::Write,
    buffer: &mut Vec<u8>,
    value: &impl Serialize,
) -> io::Result<()> {
    buffer.clear();
    serde_json::to_writer(&mut *buffer, value)?;
    buffer.push(b'\n');
    io::Write::write_all(&mut HarmlessJson(out), buffer)
}

/// Makes harmless what a serialiser writes, which is whole characters every time.
struct HarmlessJson<W>(W);

impl<W: io::Write> io::Write for HarmlessJson<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_ascii() && !bytes.iter().any(|b| b.is_ascii_control() && *b != b'\n') {
            self.0.write_all(bytes)?;
            return Ok(bytes.len());
        }
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.write_all(harmless_json(text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Appends a field of CSV (RFC 4180): quoted where it has to be, control
/// characters made visible first. A text that a spreadsheet would take for a
/// formula is quoted with an apostrophe before it; a number is none.
fn csv_field(out: &mut String, text: &str) {
    let text = printable(text);
    let formula = text.starts_with(['=', '+', '-', '@']) && text.parse::<f64>().is_err();
    let quoted = formula || text.contains([',', '"']) || text.starts_with(' ');
    if !quoted {
        out.push_str(&text);
        return;
    }
    let apostrophe = if formula { "'" } else { "" };
    // Writing into a string cannot fail.
    let _infallible = write!(out, "\"{apostrophe}{}\"", text.replace('"', "\"\""));
}

/// Appends a row of CSV without the end of its line, which files of this program have of two kinds.
pub(crate) fn csv_row<T: AsRef<str>>(out: &mut String, fields: impl IntoIterator<Item = T>) {
    for (place, field) in fields.into_iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        csv_field(out, field.as_ref());
    }
}

/// A number as a field: the shortest text that is read back as the same; nothing where it is not
/// defined or not finite.
pub(crate) fn csv_number(value: Option<f64>) -> String {
    let value = value.filter(|value| value.is_finite());
    value.map_or_else(String::new, |value| value.to_string())
}

// What was probably meant by a word that does not exist.

/// The nearest of some words, if one is near enough to be meant: at most a third of its
/// letters away (insertions, deletions, substitutions and exchanges of neighbours). Upper and
/// lower case, blanks and signs do not count.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = plain(word);
    let near = |candidate: &'a str| {
        let meant = plain(candidate);
        let distance = osa_distance(&word, &meant);
        let close = 3 * distance <= meant.chars().count().max(3);
        (close && distance < word.chars().count()).then_some((distance, candidate))
    };
    let nearest = known.into_iter().filter_map(near);
    nearest
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// What was probably meant, or else what there is.
pub(crate) fn suggestion(word: &str, known: &[&str]) -> Option<String> {
    match nearest(word, known.iter().copied()) {
        Some(meant) => Some(format!("did you mean `{meant}`?")),
        None if known.is_empty() => None,
        None => {
            // A reader of keys may have asked for one twice.
            let mut seen = HashSet::new();
            let each: Vec<&str> = known
                .iter()
                .copied()
                .filter(|word| seen.insert(*word))
                .collect();
            Some(format!("possible are {}", each.join(", ")))
        }
    }
}

fn plain(word: &str) -> String {
    let letters = word.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
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

    #[test]
    fn json_means_the_same_and_turns_nothing() {
        let evil = "a\u{9b}31m\u{202e}é\n";
        let text = serde_json::to_string_pretty(&[evil]).unwrap();
        let harmless = harmless_json(&text);
        assert_eq!(harmless, "[\n  \"a\\u009b31m\\u202eé\\n\"\n]");
        assert_eq!(
            serde_json::from_str::<Vec<String>>(&harmless).unwrap(),
            [evil]
        );
    }

    #[test]
    fn json_that_is_written_is_the_same_as_text() {
        let value = ["a\u{9b}31m\u{202e}é\n", "plain", "\u{7f}\"\u{1}"];
        let mut written = Vec::new();
        write_json(&mut written, &value).unwrap();
        let text = serde_json::to_string_pretty(&value).unwrap() + "\n";
        assert_eq!(String::from_utf8(written).unwrap(), harmless_json(&text));
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
        assert_eq!(field("-1.5e-7"), "-1.5e-7");
        assert_eq!(field("-1+cmd()"), "\"'-1+cmd()\"");
    }

    #[test]
    fn rows_of_csv_have_every_field() {
        let mut out = String::new();
        csv_row(
            &mut out,
            ["a", "", "b,c", &csv_number(Some(-0.1)), &csv_number(None)],
        );
        assert_eq!(out, "a,,\"b,c\",-0.1,");
    }

    #[test]
    fn what_there_is_is_named_once() {
        let words = suggestion("x", &["env", "name", "env"]);
        assert_eq!(words.as_deref(), Some("possible are env, name"));
    }

    #[test]
    fn near_is_not_everything() {
        let known = ["concurrency", "pairs", "seed", "Move Overhead", "Threads"];
        for (word, meant) in [
            ("concurency", Some("concurrency")),
            ("conucrrency", Some("concurrency")),
            ("Seed", Some("seed")),
            ("pair", Some("pairs")),
            ("moveoverhead", Some("Move Overhead")),
            ("Thread", Some("Threads")),
            ("rounds", None),
            ("Elo", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
    }
}
