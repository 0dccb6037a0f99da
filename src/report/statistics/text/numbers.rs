//! Numbers and lines of the same form everywhere.

use std::borrow::Cow;

pub(crate) use crate::text::count;
use crate::text::{page_width, printable, printable_lines, signed, wrap};

/// The width of the names of lines.
pub(super) const LABEL: usize = 18;

/// The longest engine name shown.
const NAME: usize = 28;

/// `+12.3`; infinite differences are `+inf` and `-inf`.
pub(crate) fn elo(value: f64) -> String {
    signed(value, 1)
}

/// `+12.3`, or `-` without a value.
pub(crate) fn elo_or_dash(value: Option<f64>) -> String {
    or_dash(value, elo)
}

/// `[+2.3, +22.1]`.
pub(crate) fn interval(low: f64, high: f64) -> String {
    format!("[{}, {}]", elo(low), elo(high))
}

/// A table without blanks at the ends of its lines.
pub(crate) fn rendered(table: &comfy_table::Table) -> String {
    let text = table.to_string();
    text.lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}

/// `53.4 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A value written by `show`, or `-`.
pub(crate) fn or_dash(value: Option<f64>, show: impl Fn(f64) -> String) -> String {
    let value = value.filter(|value| !value.is_nan());
    value.map_or_else(|| "-".to_owned(), show)
}

/// A probability: `0.034`, `< 0.001`.
pub(crate) fn probability(p: f64) -> String {
    match p {
        p if p < 0.0005 => "< 0.001".to_owned(),
        p => format!("{p:.3}"),
    }
}

/// `p = 0.034`, `p < 0.001`.
pub(crate) fn p_value(p: f64) -> String {
    match p {
        p if p < 0.0005 => "p < 0.001".to_owned(),
        p => format!("p = {p:.3}"),
    }
}

/// An engine's name, harmless and not too long.
pub(crate) fn name(name: &str) -> Cow<'_, str> {
    let harmless = printable(name);
    if harmless.chars().count() <= NAME {
        return harmless;
    }
    let start: String = harmless.chars().take(NAME - 1).collect();
    Cow::Owned(format!("{start}…"))
}

/// Names in one line.
const NAMED: usize = 12;

/// Names with commas; of many the first ones, and the number of others.
pub(crate) fn some_names(all: &[String]) -> String {
    let named: Vec<_> = all.iter().take(NAMED).map(|one| name(one)).collect();
    match all.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// `  label             text`, the text broken at blanks below itself.
pub(crate) fn line(label: &str, text: &str) -> String {
    let mut lines = String::new();
    let mut label = label;
    for part in wrapped(text, page_width() - LABEL - 2) {
        lines.push_str(&format!("  {label:<LABEL$}{part}\n"));
        label = "";
    }
    lines
}

/// A line whose text is formatted.
macro_rules! labelled {
    ($label:expr, $($text:tt)*) => {
        $crate::report::statistics::numbers::line($label, &format!($($text)*))
    };
}
pub(in crate::report) use labelled;

/// A paragraph, broken at blanks.
pub(crate) fn paragraph(text: &str) -> String {
    let lines = wrapped(text, page_width() - 2).into_iter();
    lines.map(|line| format!("  {line}\n")).collect()
}

/// The text in lines; control characters of names are made harmless.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    wrap(&printable_lines(text), width, "", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_never_odd() {
        assert_eq!(
            (elo(-0.01), elo(f64::INFINITY)),
            ("+0.0".into(), "+inf".into())
        );
        assert_eq!(elo_or_dash(Some(f64::NAN)), "-");
        assert_eq!(
            (probability(1e-9), p_value(0.05)),
            ("< 0.001".into(), "p = 0.050".into())
        );
    }

    #[test]
    fn long_lines_are_broken_below_themselves() {
        let text = line("label", &"word ".repeat(30));
        assert!(
            text.lines().count() > 1
                && text
                    .lines()
                    .all(|line| line.chars().count() <= page_width())
        );
        assert!(
            text.lines()
                .nth(1)
                .is_some_and(|line| line.starts_with(&" ".repeat(LABEL + 2)))
        );
    }
}
