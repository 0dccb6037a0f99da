//! What was probably meant by a name that does not exist.

/// The name most similar to `wanted`, if any is similar enough to be meant.
pub fn nearest_name<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| -> Vec<char> {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let target = plain(wanted);
    let farthest = (target.len() / 3).max(2);
    names
        .map(|name| (edit_distance(&target, &plain(name)), name))
        .filter(|(distance, _)| *distance <= farthest && *distance < target.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Levenshtein's distance: letters to insert, delete or replace.
fn edit_distance(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_ignores_case_and_blanks() {
        let names = ["Move Overhead", "MultiPV", "Threads"];
        assert_eq!(
            nearest_name("moveoverhead", names.into_iter()),
            Some("Move Overhead")
        );
        assert_eq!(nearest_name("Thread", names.into_iter()), Some("Threads"));
        assert_eq!(nearest_name("Elo", names.into_iter()), None);
    }
}
