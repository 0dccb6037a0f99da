//! The scores of a search as fastchess reads them, and its warnings about missing ones.

use crate::referee::EndedSearch;
use crate::uci::{InfoLine, Score};

/// The warning about a search without a readable score; `name` is the name of the engine.
pub(super) fn missing_score(search: &EndedSearch, name: &str) -> Option<String> {
    let Some(line) = last_scored(search) else {
        let words = "Warning; No info line available to extract score from engine";
        return search.said_more.then(|| format!("{words} {name}\n"));
    };
    let trouble = unreadable(line)?;
    Some(format!(
        "Warning; Could not extract score from engine {name}: {trouble}\n"
    ))
}

/// Why the score of a line cannot be read. A readable score comes before the moves, with its kind and its value.
fn unreadable(line: &str) -> Option<String> {
    let mut words = line.split(' ').take_while(|word| *word != "pv");
    if !words.any(|word| word == "score") {
        return Some("Element 'score' not found".to_owned());
    }
    let (Some(kind), Some(value)) = (words.next(), words.next()) else {
        return Some("Element 'score' has no type or value".to_owned());
    };
    if !matches!(kind, "cp" | "mate") {
        return Some(format!("Unexpected score type: info {line}"));
    }
    let is_number = value.parse::<i64>().is_ok();
    (!is_number).then(|| format!("Invalid score value: {value}"))
}

/// Whether a line is the first of several variations, or the only one.
pub(super) fn is_first(line: &str) -> bool {
    InfoLine::new(line).is_first()
}

/// The last scored line of the first variation: exact scores are preferred to bounds.
pub(super) fn last_scored(search: &EndedSearch) -> Option<&str> {
    let mut lines = search.lines.iter().rev().filter(|line| is_first(line));
    let last = lines.clone().next();
    let exact = lines.find(|line| InfoLine::new(line).parse().bound.is_none());
    exact.or(last).map(String::as_str)
}

/// The number of moves to the mate that a line announces; negative if the engine is mated.
pub(super) fn mate(line: &str) -> Option<i32> {
    match InfoLine::new(line).parse().score {
        Some(Score::Mate(moves)) => Some(moves),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_that_cannot_be_read_have_the_words_of_fastchess() {
        let said = |line: &str| unreadable(line).unwrap_or_default();
        assert_eq!(said("depth 3 score cp -12 pv e2e4"), "");
        assert_eq!(said("pv e2e4 score cp 1"), "Element 'score' not found");
        let no_value = "Element 'score' has no type or value";
        assert_eq!(said("depth 3 score cp"), no_value);
        assert_eq!(
            said("score wdl 3"),
            "Unexpected score type: info score wdl 3"
        );
        assert_eq!(said("score cp x"), "Invalid score value: x");
    }
}
