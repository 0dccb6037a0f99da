//! The word that was probably meant.

/// The nearest of some words, if one is near: at most a third of the letters away,
/// without regard to upper and lower case.
pub(super) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    known
        .iter()
        .map(|&candidate| (distance(&word, &candidate.to_lowercase()), candidate))
        .filter(|&(distance, candidate)| 3 * distance <= candidate.chars().count().max(3))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// What was probably meant, or else what there is.
pub(super) fn suggestion(word: &str, known: &[&str]) -> Option<String> {
    match nearest(word, known) {
        Some(meant) => Some(format!("did you mean `{meant}`?")),
        None if known.is_empty() => None,
        None => Some(format!("possible are {}", known.join(", "))),
    }
}

/// Insertions, deletions, substitutions and exchanges of neighbours between two words
/// (optimal string alignment, after Damerau, 1964).
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut before_last = vec![0; to.len() + 1];
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for i in 1..=from.len() {
        let mut row = vec![i; to.len() + 1];
        for j in 1..=to.len() {
            let substituted = last[j - 1] + usize::from(from[i - 1] != to[j - 1]);
            row[j] = substituted.min(last[j] + 1).min(row[j - 1] + 1);
            let exchanged = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
            if exchanged {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (from, to, expected) in [
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("acb", "abc", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(from, to), expected, "{from} {to}");
            assert_eq!(distance(to, from), expected, "{to} {from}");
        }
    }

    #[test]
    fn near_is_not_everything() {
        let known = ["concurrency", "pairs", "seed"];
        assert_eq!(nearest("concurency", &known), Some("concurrency"));
        assert_eq!(nearest("Seed", &known), Some("seed"));
        assert_eq!(nearest("pair", &known), Some("pairs"));
        assert_eq!(nearest("rounds", &known), None);
    }
}
