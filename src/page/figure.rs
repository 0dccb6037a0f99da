//! A figure: its drawing, its caption in words, its data and the command that computes it again.

use maud::{Markup, html};

use crate::text::csv_row;

/// A table of data that the page offers for download.
pub(super) struct Data {
    /// The file's name.
    pub name: String,
    /// Comma-separated values with a header.
    pub csv: String,
}

impl Data {
    /// Rows of fields with a header; fields are quoted if they must be.
    pub(super) fn new(
        name: &str,
        header: &str,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Data {
        let (name, mut csv) = (name.to_owned(), format!("{header}\n"));
        for row in rows {
            csv_row(&mut csv, row);
            csv.push('\n');
        }
        Data { name, csv }
    }
}

/// The parts of a figure in addition to its drawing.
pub(super) struct Figure<'a> {
    /// Its anchor.
    pub id: String,
    pub title: &'a str,
    /// A description of the drawing, also for readers who cannot see it.
    pub text: String,
    pub data: Option<Data>,
    /// The command that computes the numbers again.
    pub command: String,
}

impl Figure<'_> {
    /// The figure around its drawing.
    pub(super) fn around(&self, drawing: &Markup) -> Markup {
        html! {
            figure id=(self.id) {
                figcaption {
                    h4 { (self.title) }
                    p { (self.text) }
                }
                (drawing)
                p.source {
                    @if let Some(data) = &self.data { (download(data)) " · " }
                    "computed by " code { (self.command) }
                }
            }
        }
    }
}

/// A link that saves the data; it needs no script.
pub(super) fn download(data: &Data) -> Markup {
    html! { a download=(data.name) href=(address(&data.csv)) { (data.name) } }
}

/// The text as a data address.
fn address(text: &str) -> String {
    let mut address = String::with_capacity(text.len() + text.len() / 8);
    address.push_str("data:text/csv;charset=utf-8,");
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b",.-_/:;[]()=+*".contains(&byte);
        match plain {
            true => address.push(char::from(byte)),
            false => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

/// A number for a table of data; empty if it is not defined.
pub(super) fn field(value: Option<f64>) -> String {
    let value = value.filter(|value| value.is_finite());
    value.map_or_else(String::new, |value| format!("{value:.4}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_holds_nothing_that_ends_it() {
        let address = address("a,b\n\"<script>\" #% ü");
        assert_eq!(
            address,
            "data:text/csv;charset=utf-8,a,b%0A%22%3Cscript%3E%22%20%23%25%20%C3%BC"
        );
    }

    #[test]
    fn fields_with_commas_are_quoted() {
        let data = Data::new("a.csv", "a,b", [vec!["x, y".to_owned(), "z".to_owned()]]);
        assert_eq!(data.csv, "a,b\n\"x, y\",z\n");
    }
}
