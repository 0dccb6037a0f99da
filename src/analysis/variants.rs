//! Engines of one name that are not one engine: another program, or other limits.

use std::collections::HashMap;

use crate::event::engine_and_copy;

/// Between the parts of an engine's key.
const BETWEEN: char = '\u{1f}';

/// The key of an engine of an event: its name, its limits, its program.
pub(super) fn key(name: &str, limits: &str, program: &str) -> String {
    format!("{name}{BETWEEN}{limits}{BETWEEN}{program}")
}

/// The labels of the engines of a collection.
pub(super) struct Labels {
    /// One label for each engine.
    pub labels: Vec<String>,
    /// For each key the engine's place among the labels.
    pub places: Vec<u16>,
    /// Names that are shared by more than one engine.
    pub told_apart: Vec<String>,
}

/// Labels for keys. A key without limits and program (a PGN file gives neither for certain) is the one engine of its
/// name, if there is only one. With `pools` each name is one engine.
pub(super) fn labels(keys: &[String], pools: bool) -> Labels {
    let parts: Vec<Vec<&str>> = keys
        .iter()
        .map(|key| key.split(BETWEEN).collect())
        .collect();
    let mut found = Labels {
        labels: Vec::new(),
        places: Vec::with_capacity(keys.len()),
        told_apart: Vec::new(),
    };
    let mut by_name = HashMap::<&str, Vec<&Vec<&str>>>::new();
    for own in parts.iter().filter(|own| own.len() > 1) {
        by_name.entry(own[0]).or_default().push(own);
    }
    let mut known = HashMap::<String, usize>::new();
    for own in &parts {
        let name = own[0];
        let variants = by_name.get(name).map_or(&[][..], Vec::as_slice);
        let is_one = pools || variants.len() < 2;
        if !is_one && !found.told_apart.iter().any(|told| told == name) {
            found.told_apart.push(name.to_owned());
        }
        let label = match is_one {
            true => name.to_owned(),
            false => label(name, own, variants),
        };
        let next = found.labels.len();
        let place = *known.entry(label.clone()).or_insert(next);
        if place == next {
            found.labels.push(label);
        }
        found.places.push(u16::try_from(place).unwrap_or(u16::MAX));
    }
    found
}

/// By the limits if they distinguish the variants, otherwise by the order of the programs.
fn label(name: &str, own: &[&str], variants: &[&Vec<&str>]) -> String {
    let [_, limits, program] = own else {
        return with_suffix(name, "PGN");
    };
    let alike: Vec<&str> = variants
        .iter()
        .filter(|other| other[1] == *limits)
        .map(|other| other[2])
        .collect();
    match alike.iter().position(|other| other == program) {
        Some(place) if alike.len() > 1 => {
            with_suffix(name, &format!("{limits}, program {}", place + 1))
        }
        _ => with_suffix(name, limits),
    }
}

/// The number of a copy stays last.
fn with_suffix(name: &str, suffix: &str) -> String {
    match engine_and_copy(name) {
        (bare, Some(copy)) => format!("{bare} ({suffix}) #{copy}"),
        (name, None) => format!("{name} ({suffix})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_at_two_limits_is_two_engines() {
        let keys = [
            key("Fish #1", "nodes=250", "a"),
            key("Fish #1", "nodes=2000", "a"),
            key("Other", "nodes=250", "b"),
            "Other".to_owned(),
            "Fish #1".to_owned(),
        ];
        let apart = labels(&keys, false);
        let expected = [
            "Fish (nodes=250) #1",
            "Fish (nodes=2000) #1",
            "Other",
            "Fish (PGN) #1",
        ];
        assert_eq!(apart.labels, expected);
        assert_eq!(
            (apart.places, apart.told_apart),
            (vec![0, 1, 2, 2, 3], vec!["Fish #1".into()])
        );
        let pooled = labels(&keys, true);
        assert_eq!(
            (pooled.labels.len(), pooled.places),
            (2, vec![0, 0, 1, 1, 0])
        );
    }

    #[test]
    fn programs_at_one_limit_are_numbered() {
        let keys = [
            key("A", "1+0", "old"),
            key("A", "1+0", "new"),
            key("A", "2+0", "new"),
        ];
        let expected = ["A (1+0, program 1)", "A (1+0, program 2)", "A (2+0)"];
        assert_eq!(labels(&keys, false).labels, expected);
    }
}
