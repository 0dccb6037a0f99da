//! How wide text for people is.

use std::sync::OnceLock;

/// The width where nobody says it.
const USUAL: usize = 100;

/// The narrowest page that tables can keep to, and the widest that is still easy to read.
const LIMITS: [usize; 2] = [60, 160];

static COLUMNS: OnceLock<usize> = OnceLock::new();

/// Says once, when the program begins, how wide the terminal is; `None` without a terminal.
pub(crate) fn set_page_width(columns: Option<usize>) {
    let [least, most] = LIMITS;
    let width = columns.map_or(USUAL, |columns| columns.clamp(least, most));
    // Whoever said it first was right.
    let _known = COLUMNS.set(width);
}

/// The columns of a page of text for people.
pub(crate) fn page_width() -> usize {
    *COLUMNS.get().unwrap_or(&USUAL)
}
