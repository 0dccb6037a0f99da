//! What an engine says of itself from the start of its process to `uciok`. The runner reads `option` lines tolerantly; here they
//! are held against the protocol ("option", UCI specification of April 2006).

use std::collections::BTreeSet;

use super::bench::{Bench, Checked, none_of, wrong};
use crate::text::{count, duration};
use crate::uci::{Message, OptionDeclaration, OptionKind};

pub(super) fn uci_ok(bench: &Bench) -> Checked {
    Ok(format!("after {}", duration(bench.introduction.took)))
}

pub(super) fn identity(bench: &Bench) -> Checked {
    let identity = &bench.introduction.identity;
    match identity_problem(&bench.introduction.lines) {
        None => Ok(format!("{}, by {}", identity.name, identity.author)),
        Some(problem) => wrong(problem),
    }
}

pub(super) fn order(bench: &Bench) -> Checked {
    if let Some(line) = bench.introduction.afterwards.first() {
        return wrong(format!("{line:?} comes after `uciok`"));
    }
    none_of(order_problem(&bench.introduction.lines))
}

pub(super) fn silent_start(bench: &Bench) -> Checked {
    match bench.introduction.unasked.as_slice() {
        [] => Ok(String::new()),
        [line, ..] => wrong(format!("it said {line:?} before `uci`")),
    }
}

/// What is wrong with name and author in the lines up to `uciok`.
fn identity_problem(lines: &[String]) -> Option<String> {
    let of_kind = |word: &str, line: &String| match Message::parse(line) {
        Message::Name(name) if word == "name" => Some(name.to_owned()),
        Message::Author(author) if word == "author" => Some(author.to_owned()),
        _ => None,
    };
    for word in ["name", "author"] {
        let given = lines.iter().filter_map(|line| of_kind(word, line));
        let given: Vec<String> = given.collect();
        match given.as_slice() {
            [] => return Some(format!("there is no `id {word}`")),
            [text] if text.is_empty() => return Some(format!("`id {word}` is empty")),
            [_] => {}
            several => {
                let times = count(several.len(), "time");
                return Some(format!("`id {word}` comes {times}"));
            }
        }
    }
    None
}

/// What comes out of order: `id`, then `option`, then `uciok`.
fn order_problem(lines: &[String]) -> Option<String> {
    let mut declared = false;
    for line in lines {
        match Message::parse(line) {
            Message::Option(_) => declared = true,
            Message::Name(_) | Message::Author(_) if declared => {
                return Some(format!("{line:?} comes after an option"));
            }
            Message::Name(_) | Message::Author(_) | Message::UciOk => {}
            _ if line.trim().is_empty() => {}
            _ => return Some(format!("{line:?} is neither `id`, `option` nor `uciok`")),
        }
    }
    None
}

pub(super) fn declarations(bench: &Bench) -> Checked {
    none_of(malformed(introduced(bench)))?;
    let count = bench.introduction.identity.options.len();
    Ok(format!("{count} options"))
}

pub(super) fn defaults(bench: &Bench) -> Checked {
    none_of(contradictions(introduced(bench)))
}

fn introduced(bench: &Bench) -> impl Iterator<Item = &str> {
    bench.introduction.lines.iter().map(String::as_str)
}

pub(super) fn chess960(bench: &Bench) -> Checked {
    match bench.introduction.identity.options.get("UCI_Chess960") {
        Some(_) => Ok(String::new()),
        None => wrong("it declares no option UCI_Chess960; --standard leaves this section out"),
    }
}

/// What is malformed in the `option` lines, a text each, and names that come twice.
fn malformed<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut names = BTreeSet::new();
    let mut problems = Vec::new();
    for line in lines.filter(|line| line.trim_start().starts_with("option")) {
        match Message::parse(line) {
            Message::Option(option) => {
                if !names.insert(option.name.to_lowercase()) {
                    problems.push(format!("{:?} is declared twice", option.name));
                }
                problems.extend(missing(line, &option));
            }
            _ => problems.push(format!("{line:?} has no name or no known type")),
        }
    }
    problems
}

/// What the line of an option does not say and must.
fn missing(line: &str, option: &OptionDeclaration) -> Option<String> {
    let words: &[&str] = match option.kind {
        OptionKind::Check { .. } | OptionKind::String { .. } => &["default"],
        OptionKind::Spin { .. } => &["default", "min", "max"],
        OptionKind::Combo { .. } => &["default", "var"],
        OptionKind::Button => &[],
    };
    let declared = line.rsplit_once(" type ").map_or("", |(_, rest)| rest);
    let mut declared = declared.split_ascii_whitespace();
    let kind = declared.next().unwrap_or_default();
    let rest: Vec<&str> = declared.collect();
    let problem = |what: String| Some(format!("{:?}, of type {kind}, {what}", option.name));
    for word in words {
        let Some(at) = rest.iter().position(|other| other == word) else {
            return problem(format!("has no {word}"));
        };
        let value = rest.get(at + 1).copied().unwrap_or_default();
        let number = value.parse::<i64>().is_ok();
        match option.kind {
            OptionKind::Spin { .. } if !number => {
                return problem(format!("has {word} {value:?}, which is no number"));
            }
            OptionKind::Check { .. } if !matches!(value, "true" | "false") => {
                return problem(format!("has default {value:?}, not true or false"));
            }
            _ => {}
        }
    }
    None
}

/// Ranges and defaults that contradict each other, a text each. `lines` are the engine's
/// words, because a range that is upside down is put right when it is read.
fn contradictions<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let problem = |line: &str| match Message::parse(line) {
        Message::Option(option) => contradiction(line, &option),
        _ => None,
    };
    lines.filter_map(problem).collect()
}

fn contradiction(line: &str, option: &OptionDeclaration) -> Option<String> {
    let name = &option.name;
    match &option.kind {
        OptionKind::Spin { .. } => {
            let [default, min, max] = ["default", "min", "max"].map(|word| number(line, word));
            let (default, min, max) = (default?, min?, max?);
            if min > max {
                return Some(format!("{name:?} has min {min} above max {max}"));
            }
            let inside = (min..=max).contains(&default);
            (!inside).then(|| format!("{name:?} has default {default} outside of {min} to {max}"))
        }
        OptionKind::Combo { default, values } => {
            let known = values.contains(default);
            (!known).then(|| format!("{name:?} has default {default:?}, which is no choice"))
        }
        _ => None,
    }
}

/// The number after the last occurrence of this word.
fn number(line: &str, word: &str) -> Option<i64> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let mut twos = words.windows(2).rev();
    twos.find(|two| two[0] == word)?[1].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.split('|').map(str::to_owned).collect()
    }

    #[test]
    fn name_and_author_come_once_each() {
        let problem = |text: &str| identity_problem(&lines(text)).unwrap_or_default();
        assert_eq!(problem("id name A|id author B|uciok"), "");
        assert!(problem("id name A|uciok").contains("no `id author`"));
        assert!(problem("id name|id author B").contains("empty"));
        assert!(problem("id name A|id name B|id author B").contains("2 times"));
    }

    #[test]
    fn what_comes_between_is_named() {
        let problem = |text: &str| order_problem(&lines(text)).unwrap_or_default();
        let option = "option name A type button";
        assert_eq!(problem(&format!("id name A|{option}|uciok")), "");
        assert!(problem(&format!("{option}|id name A|uciok")).contains("after an option"));
        assert!(problem("A banner|id name A|uciok").contains("A banner"));
    }

    const GOOD: [&str; 6] = [
        "option name Hash type spin default 16 min 1 max 1024",
        "option name Style of play type combo default Very Solid var Very Solid var Wild",
        "option name Clear Hash type button",
        "option name Mobility (Middle Game) [x] type spin default 1 min -1 max 2",
        "option name Path type string default <empty>",
        "option name OwnBook type check default true",
    ];

    #[test]
    fn good_lines_have_no_problem() {
        assert_eq!(malformed(GOOD.into_iter()), Vec::<String>::new());
        assert_eq!(contradictions(GOOD.into_iter()), Vec::<String>::new());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cases = [
            ("option", "no name"),
            ("option name A type spin default 1 min 0", "has no max"),
            ("option name A type spin default x min 0 max 1", "no number"),
            ("option name A type check", "has no default"),
            (
                "option name A type check default 1",
                "\"1\", not true or false",
            ),
            ("option name A type combo default B", "has no var"),
            ("option name A type colour default red", "no known type"),
            (
                "option name hash type spin default 1 min 0 max 1",
                "declared twice",
            ),
        ];
        for (line, words) in cases {
            let problems = malformed([GOOD[0], line].into_iter());
            assert_eq!(problems.len(), 1, "{line}: {problems:?}");
            assert!(problems[0].contains(words), "{problems:?}");
        }
    }

    #[test]
    fn contradictions_are_named() {
        let cases = [
            (
                "option name A type spin default 5 min 9 max 1",
                "min 9 above max 1",
            ),
            (
                "option name A type spin default 0 min 1 max 9",
                "outside of 1 to 9",
            ),
            (
                "option name A type combo default X var Y var Z",
                "no choice",
            ),
        ];
        for (line, words) in cases {
            let problems = contradictions([line].into_iter());
            assert_eq!(problems.len(), 1, "{line}");
            assert!(problems[0].contains(words), "{problems:?}");
        }
    }
}
