//! Words of a line, and the text between keywords.

/// Walks over the words of a line and remembers where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Tokens { rest: text }
    }

    /// What has not been read, without blanks around it.
    pub(super) fn rest(&self) -> &'a str {
        self.rest.trim_ascii()
    }

    /// The next word without taking it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.split_word().map(|(word, _)| word)
    }

    /// Takes everything before the first word that ends it.
    pub(super) fn take_until(&mut self, ends: impl Fn(&str) -> bool) -> &'a str {
        let text = self.rest;
        loop {
            let before = self.rest;
            if self.next().is_none_or(&ends) {
                self.rest = before;
                return text[..text.len() - before.len()].trim_ascii();
            }
        }
    }

    fn split_word(&self) -> Option<(&'a str, &'a str)> {
        let text = self.rest.trim_ascii_start();
        if text.is_empty() {
            return None;
        }
        let end = text
            .bytes()
            .position(|byte| byte.is_ascii_whitespace())
            .unwrap_or(text.len());
        Some(text.split_at(end))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = self.split_word()?;
        self.rest = rest;
        Some(word)
    }
}

/// Splits `text` at the words in `keywords`: each keyword with the text up to the next one.
/// Blanks inside the text are kept; the text before the first keyword is skipped.
pub(super) fn fields<'a>(text: &'a str, keywords: &[&str]) -> Vec<(&'a str, &'a str)> {
    let mut found = Vec::new();
    let is_keyword = |word: &str| keywords.contains(&word);
    let mut tokens = Tokens::new(text);
    tokens.take_until(is_keyword);
    while let Some(keyword) = tokens.next() {
        found.push((keyword, tokens.take_until(is_keyword)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_by_any_blanks() {
        assert_eq!(
            Tokens::new(" \ta  b\tc ").collect::<Vec<_>>(),
            ["a", "b", "c"]
        );
        assert_eq!(Tokens::new("  ").next(), None);
    }

    #[test]
    fn fields_keep_blanks_inside_values() {
        let text = "junk default Fail High var Always var  Fail High  var";
        let expected = [
            ("default", "Fail High"),
            ("var", "Always"),
            ("var", "Fail High"),
            ("var", ""),
        ];
        assert_eq!(fields(text, &["default", "var"]), expected);
    }
}
