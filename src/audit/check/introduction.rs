//! Whether an engine introduces itself as it should.

use crate::uci::{IdField, Message};

/// What is wrong with name and author in the lines up to `uciok`.
pub fn identity_problem(lines: &[String]) -> Option<String> {
    for (wanted, word) in [(IdField::Name, "name"), (IdField::Author, "author")] {
        let of_kind = |line: &String| match Message::parse(line) {
            Message::Id { field, value } if field == wanted => Some(value.to_owned()),
            _ => None,
        };
        let given: Vec<String> = lines.iter().filter_map(of_kind).collect();
        match given.as_slice() {
            [] => return Some(format!("there is no `id {word}`")),
            [text] if text.is_empty() => return Some(format!("`id {word}` is empty")),
            [_] => {}
            several => return Some(format!("`id {word}` comes {} times", several.len())),
        }
    }
    None
}

/// What comes out of order: `id`, then `option`, then `uciok`.
pub fn order_problem(lines: &[String]) -> Option<String> {
    let mut declared = false;
    for line in lines {
        match Message::parse(line) {
            Message::Option(_) => declared = true,
            Message::Id { .. } if declared => {
                return Some(format!("{line:?} comes after an option"));
            }
            Message::Id { .. } | Message::UciOk => {}
            _ if line.trim().is_empty() => {}
            _ => return Some(format!("{line:?} is neither `id`, `option` nor `uciok`")),
        }
    }
    None
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
}
