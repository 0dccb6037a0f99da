//! What was probably meant by a word that does not exist.

use std::collections::HashSet;

use strsim::osa_distance;

/// The nearest of some words, if one is near enough to be meant: at most a third of its
/// letters away (insertions, deletions, substitutions and exchanges of neighbours). Upper and
/// lower case, blanks and signs do not count.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = plain(word);
    let near = |candidate: &'a str| {
        let meant = plain(candidate);
        let distance = osa_distance(&word, &meant);
        let close = 3 * distance <= meant.chars().count().max(3);
        (close && distance < word.chars().count()).then_some((distance, candidate))
    };
    let nearest = known.into_iter().filter_map(near);
    nearest
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// What was probably meant, or else what there is.
pub(crate) fn suggestion(word: &str, known: &[&str]) -> Option<String> {
    match nearest(word, known.iter().copied()) {
        Some(meant) => Some(format!("did you mean `{meant}`?")),
        None if known.is_empty() => None,
        None => {
            // A reader of keys may have asked for one twice.
            let mut seen = HashSet::new();
            let each: Vec<&str> = known
                .iter()
                .copied()
                .filter(|word| seen.insert(*word))
                .collect();
            Some(format!("possible are {}", each.join(", ")))
        }
    }
}

fn plain(word: &str) -> String {
    let letters = word.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_is_named_once() {
        let words = suggestion("x", &["env", "name", "env"]);
        assert_eq!(words.as_deref(), Some("possible are env, name"));
    }

    #[test]
    fn near_is_not_everything() {
        let known = ["concurrency", "pairs", "seed", "Move Overhead", "Threads"];
        for (word, meant) in [
            ("concurency", Some("concurrency")),
            ("conucrrency", Some("concurrency")),
            ("Seed", Some("seed")),
            ("pair", Some("pairs")),
            ("moveoverhead", Some("Move Overhead")),
            ("Thread", Some("Threads")),
            ("rounds", None),
            ("Elo", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
    }
}
