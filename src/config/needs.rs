//! What a machine must have to play an engine: instruction sets, and tags that its owner gives it.

use std::collections::BTreeSet;

use super::entry::Entry;
use super::problem::Problem;
use super::section::Section;

/// The longest name.
const LONGEST: usize = 40;

/// The needs of an engine, sorted, each once.
pub(super) fn read(section: &mut Section<'_>) -> Vec<String> {
    let list = section.optional("needs");
    let elements = list.and_then(|list| list.list()).unwrap_or_default();
    let needs: BTreeSet<String> = elements.iter().filter_map(need).collect();
    needs.into_iter().collect()
}

fn need(element: &Entry<'_>) -> Option<String> {
    match tag(element.string()?) {
        Ok(need) => Some(need),
        Err(title) => element.fail(Problem::error(title).help("for example: needs = [\"avx2\"]")),
    }
}

/// The name of an instruction set, or a tag.
///
/// # Errors
/// It has other letters, in words.
pub(crate) fn tag(text: &str) -> Result<String, String> {
    let fits =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
    match (1..=LONGEST).contains(&text.len()) && text.bytes().all(fits) {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "an instruction set or a tag is a name of 1 to {LONGEST} letters a to z, digits, `-`, `_` and `.`"
        )),
    }
}
