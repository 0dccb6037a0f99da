//! The manual page `arbiter960-event(5)`.

use std::io::{self, Write};

use roff::{Roff, bold, italic, roman};

use super::{SMALLEST, default_in_words, kind_in_words, told_in};
use crate::config::keys::{Key, KeyTable, TABLES};

/// Writes the page.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn event_manual(version: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Roff::new();
    let source = format!("arbiter960 {version}");
    page.control(
        "TH",
        ["arbiter960-event", "5", "", source.as_str(), "File formats"],
    );
    section(&mut page, "NAME");
    page.text([roman(
        "arbiter960-event - the file that describes a chess engine event",
    )]);
    section(&mut page, "DESCRIPTION");
    page.text([roman(
        "An event file is TOML. Paths are relative to the file. arbiter960 run EVENT.toml plays it; with \
         --dry-run it is only checked. Everything wrong is shown at once, each with its line.",
    )]);
    example(&mut page, SMALLEST);
    for table in TABLES.into_iter().filter(|table| !table.header.is_empty()) {
        section(&mut page, table.header);
        page.text([roman(table.meaning)]);
        let mut shared: Vec<(&KeyTable, &Key)> = Vec::new();
        for key in table.keys {
            match told_in(table, key) {
                own if own.name == table.name => describe(&mut page, key),
                first => shared.push((first, key)),
            }
        }
        refer(&mut page, &shared);
    }
    section(&mut page, "SEE ALSO");
    page.text([
        bold("arbiter960"),
        roman("(1), "),
        bold("arbiter960-run"),
        roman("(1)"),
    ]);
    page.to_writer(out)
}

fn section(page: &mut Roff, title: &str) {
    page.control("SH", [title]);
}

fn describe(page: &mut Roff, key: &Key) {
    page.control("TP", []);
    let unit = match key.unit {
        "" => String::new(),
        unit => format!(" ({unit})"),
    };
    let kind = format!("  {}{unit}", kind_in_words(&key.kind));
    page.text([bold(key.name), italic(kind)]);
    page.text([
        roman(key.meaning),
        roman(" Default: "),
        roman(default_in_words(key)),
        roman("."),
    ]);
    if !key.errors.is_empty() {
        page.text([roman(format!("Refused: {}.", key.errors.join("; ")))]);
    }
    if !key.example.is_empty() {
        page.control("RS", []);
        example(page, key.example);
        page.control("RE", []);
    }
}

/// Refers to the keys that an earlier table describes.
fn refer(page: &mut Roff, shared: &[(&KeyTable, &Key)]) {
    let Some((first, _)) = shared.first() else {
        return;
    };
    let names: Vec<&str> = shared.iter().map(|(_, key)| key.name).collect();
    page.control("PP", []);
    page.text([roman(format!(
        "As in {}: {}.",
        first.header,
        names.join(", ")
    ))]);
}

fn example(page: &mut Roff, lines: &str) {
    page.control("PP", []);
    page.control("nf", []);
    page.text([roman(lines.trim_end())]);
    page.control("fi", []);
}
