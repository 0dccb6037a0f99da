//! Text by strangers (an engine's name, a fault quoted) made harmless for spreadsheets.

use std::fmt::Write;

pub use crate::uci::printable;

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
