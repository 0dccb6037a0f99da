//! What to write instead, for the most frequent mistakes.

use super::keys::{self, KeyKind};
use crate::text::nearest;

/// Keys of other programs: the table, the key as written there, and ours.
const KEYS: [(&str, &str, &str); 5] = [
    ("positions", "book", "file"),
    ("positions", "openings", "file"),
    ("time", "tc", "control"),
    ("engine", "tc", "time.control"),
    ("engine", "cmd", "command"),
];

/// Words of other programs, and ours.
const WORDS: [(&str, &str); 3] = [
    ("cup", "knockout"),
    ("league", "round-robin"),
    ("sudden-death", "knockout"),
];

/// Our key of this table that another program calls so.
fn ours(table: &str, key: &str) -> Option<&'static str> {
    let known = KEYS.iter().find(|known| (known.0, known.1) == (table, key));
    known.map(|(_, _, ours)| *ours)
}

/// The key of this table that is probably meant by one that it does not have.
pub(super) fn meant(table: &str, key: &str) -> Option<&'static str> {
    let known = keys::table(table)?.keys.iter().map(|own| own.name);
    let near = || nearest(key, known).filter(|_| of_key(table, key).is_none());
    ours(table, key).or_else(near)
}

/// A key that this table does not have: ours, or the tables that have it.
pub(super) fn of_key(table: &str, key: &str) -> Option<String> {
    if let Some(ours) = ours(table, key) {
        return Some(format!("write `{ours}`"));
    }
    let others = keys::TABLES.iter().filter(|other| {
        let is_table = !other.header.is_empty() && other.name != table;
        is_table && other.key(key).is_some()
    });
    let headers: Vec<&str> = others.map(|other| other.header).collect();
    let (first, rest) = headers.split_first()?;
    let is_own_table = keys::table(table).is_some_and(|own| !own.header.is_empty());
    match (rest, is_own_table) {
        // For a key that many tables have, the right table cannot be guessed.
        ([], _) => Some(format!("`{key}` belongs to {first}")),
        (_, false) if *first == "[event]" => Some(format!("`{key}` belongs to {first}")),
        _ => None,
    }
}

/// A word that this key does not take.
pub(super) fn of_word(word: &str, possible: &[&str]) -> Option<String> {
    let word = word.to_lowercase();
    let (_, ours) = WORDS.iter().find(|(theirs, _)| *theirs == word)?;
    possible.contains(ours).then(|| format!("write \"{ours}\""))
}

/// A line that is not TOML.
pub(super) fn of_syntax(message: &str, line: &str) -> Option<String> {
    let message = message.to_lowercase();
    let (key, value) = line.split_once('=').unwrap_or((line, ""));
    let (key, value) = (key.trim(), value.split('#').next().unwrap_or("").trim());
    if message.contains("duplicate") && line.trim_start().starts_with('[') {
        let name = line.trim().trim_matches(['[', ']']);
        let table = keys::table(name).filter(|table| table.header.starts_with("[["))?;
        return Some(format!("there can be several: write {}", table.header));
    }
    if message.contains("duplicate") {
        return Some(format!("`{key}` stands twice: leave one of them"));
    }
    if value.starts_with('"') && value.contains('\\') {
        let plain = value.trim_matches('"');
        return Some(format!(
            "a text with backslashes stands in single quotes: {key} = '{plain}'"
        ));
    }
    let switch = match value.to_lowercase().as_str() {
        "yes" | "on" | "true" => Some("true"),
        "no" | "off" | "false" => Some("false"),
        _ => None,
    };
    if let Some(switch) = switch {
        return Some(format!("write {key} = {switch}"));
    }
    if let Some(value) = value.strip_prefix('=') {
        return Some(format!("write one equals sign: {key} = {}", value.trim()));
    }
    if let Some(kind) = kind_of_number(key) {
        return Some(number(kind, key, value));
    }
    let value = value.trim_matches(['“', '”', '„', '«', '»']);
    let is_bare = !value.is_empty() && !value.starts_with(['"', '\'', '[', '{']);
    is_bare.then(|| format!("put it in quotes: {key} = \"{value}\""))
}

/// The kind of number that this key wants in every table that has it; `None` if one takes something else.
fn kind_of_number(key: &str) -> Option<&'static KeyKind> {
    let keys = || keys::TABLES.iter().filter_map(|table| table.key(key));
    let is_number = |kind: &KeyKind| matches!(kind, KeyKind::Whole(..) | KeyKind::Number(..));
    let kind = &keys().next()?.kind;
    keys().all(|key| is_number(&key.kind)).then_some(kind)
}

/// A number as TOML has it: without a sign between thousands, and with a point.
fn number(kind: &KeyKind, key: &str, value: &str) -> String {
    let is_whole = matches!(kind, KeyKind::Whole(..));
    let mut groups = value.split([',', ' ', '\'']).skip(1);
    let meant = if is_whole && groups.all(|group| group.len() == 3) {
        value.replace([',', ' ', '\''], "")
    } else {
        value.replace(',', ".")
    };
    let is_one = if is_whole {
        meant.parse::<u64>().is_ok()
    } else {
        meant.parse::<f64>().is_ok()
    };
    match (is_one, is_whole) {
        (true, _) => format!("write {key} = {meant}"),
        (false, true) => "write a whole number, without a unit".to_owned(),
        (false, false) => "write a number, without a unit".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commonest_mistakes_have_a_cure() {
        let quoted = of_syntax(
            "invalid float, expected nothing",
            "control = 10+0.1 # blitz",
        );
        assert_eq!(quoted.unwrap(), "put it in quotes: control = \"10+0.1\"");
        let switch = of_syntax("string values must be quoted", "all = yes");
        assert_eq!(switch.unwrap(), "write all = true");
        let path = of_syntax("missing escaped value", r#"command = "C:\Engines\sf.exe""#);
        assert_eq!(
            path.unwrap(),
            r"a text with backslashes stands in single quotes: command = 'C:\Engines\sf.exe'"
        );
        let twice = of_syntax("duplicate key", "[engine]");
        assert_eq!(twice.unwrap(), "there can be several: write [[engine]]");
        let twice = of_syntax("duplicate key", "name = \"a\"");
        assert_eq!(twice.unwrap(), "`name` stands twice: leave one of them");
        let digits = of_syntax("invalid integer", "nodes = 1,000").unwrap();
        assert_eq!(digits, "write nodes = 1000");
        let unit = of_syntax("invalid integer", "nodes = 50k").unwrap();
        assert_eq!(unit, "write a whole number, without a unit");
        let half = of_syntax("invalid integer", "pairs = 1,5").unwrap();
        assert_eq!(half, "write a whole number, without a unit");
        let comma = of_syntax("invalid float", "alpha = 0,05").unwrap();
        assert_eq!(comma, "write alpha = 0.05");
        let switch = of_syntax("duplicate key", "all = true");
        assert_eq!(switch.unwrap(), "`all` stands twice: leave one of them");
        let equals = of_syntax("extra `=`", "nodes == 50").unwrap();
        assert_eq!(equals, "write one equals sign: nodes = 50");
        let curly = of_syntax("invalid string", "control = “10+0.1”").unwrap();
        assert_eq!(curly, "put it in quotes: control = \"10+0.1\"");
        assert_eq!(of_key("", "name").unwrap(), "`name` belongs to [event]");
        assert_eq!(of_key("positions", "book").unwrap(), "write `file`");
        assert_eq!(of_key("time", "tc").unwrap(), "write `control`");
        assert_eq!(
            of_key("event", "rounds").unwrap(),
            "`rounds` belongs to [swiss]"
        );
        assert_eq!(of_key("event", "nonsense"), None);
        assert_eq!(of_word("cup", &["knockout"]).unwrap(), "write \"knockout\"");
        assert_eq!(of_word("cup", &["red"]), None);
    }
}
