//! An event file while it is being written.

/// An event file that is being written.
#[derive(Default)]
pub(super) struct Text(String);

impl Text {
    /// The text that was written.
    pub(super) fn finish(self) -> String {
        self.0
    }

    /// Begins a table.
    pub(super) fn header(&mut self, header: &str) {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0 += &format!("{header}\n");
    }

    /// A key with a value that needs no quotes.
    pub(super) fn plain(&mut self, key: &str, value: impl std::fmt::Display) {
        self.0 += &format!("{key} = {value}\n");
    }

    /// A key with a string.
    pub(super) fn text(&mut self, key: &str, value: &str) {
        self.plain(key, quoted(value));
    }
}

/// A string as TOML writes it.
pub(super) fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// A list of strings.
pub(super) fn list(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let words: Vec<String> = words
        .into_iter()
        .map(|word| quoted(word.as_ref()))
        .collect();
    format!("[{}]", words.join(", "))
}
