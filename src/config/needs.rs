//! What a machine must have to play an engine: instruction sets, and tags that its owner gives it.

use std::collections::BTreeSet;

use super::problem::Problem;
use super::value::{ReadValue, WrittenValue};

/// The longest name.
const LONGEST: usize = 40;

/// The needs of an engine, sorted, each once.
pub(super) fn read(needs: &ReadValue<'_, Option<Vec<WrittenValue<'_, String>>>>) -> Vec<String> {
    let need = |need: &WrittenValue<'_, String>| match tag(&need.value) {
        Ok(need) => Some(need),
        Err(title) => {
            let problem = Problem::error(title).help("for example: needs = [\"avx2\"]");
            need.entry.fail(problem)
        }
    };
    let needs: BTreeSet<String> = needs.value.iter().flatten().filter_map(need).collect();
    needs.into_iter().collect()
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
