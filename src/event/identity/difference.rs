//! In what two identities differ, for people: where, what was, what is. Nothing is decided here.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// One difference between two identities.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Where, such as `engines[0].sha256`.
    pub path: String,
    /// What the store says; `None` if it says nothing.
    pub stored: Option<Value>,
    /// What the event file says now; `None` if it says nothing.
    pub now: Option<Value>,
}

/// A value as its JSON.
pub(super) fn value(value: &impl Serialize) -> Value {
    // Maps have texts as keys and numbers are finite: there is nothing that JSON cannot say.
    serde_json::to_value(value).unwrap_or_default()
}

/// Everything in which two values differ, in the order of the keys: objects and arrays are
/// compared member by member, anything else as a whole.
pub(super) fn differences(stored: &impl Serialize, now: &impl Serialize) -> Vec<Difference> {
    let mut found = Vec::new();
    compare("", Some(&value(stored)), Some(&value(now)), &mut found);
    found
}

fn compare(path: &str, stored: Option<&Value>, now: Option<&Value>, found: &mut Vec<Difference>) {
    match (stored, now) {
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            let added = new.keys().filter(|key| !old.contains_key(*key));
            let mut keys: Vec<&String> = old.keys().chain(added).collect();
            keys.sort();
            let dot = if path.is_empty() { "" } else { "." };
            for key in keys {
                let place = format!("{path}{dot}{key}");
                compare(&place, old.get(key), new.get(key), found);
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            for index in 0..old.len().max(new.len()) {
                let place = format!("{path}[{index}]");
                compare(&place, old.get(index), new.get(index), found);
            }
        }
        _ if stored == now => {}
        _ => found.push(Difference {
            path: path.to_owned(),
            stored: stored.cloned(),
            now: now.cloned(),
        }),
    }
}

impl Difference {
    /// Calls the engine of a path `engines[1].limits` by its name, and its margin as in the event file.
    pub(super) fn name_engine(&mut self, names: &[String]) {
        if let Some(key) = self.path.strip_suffix("_us") {
            self.path = format!("{key}_ms");
            for value in [&mut self.stored, &mut self.now].into_iter().flatten() {
                *value = value.as_f64().map(|micros| micros / 1e3).into();
            }
        }
        let rest = self.path.strip_prefix("engines[");
        if let Some((index, key)) = rest.and_then(|rest| rest.split_once("]."))
            && let Some(name) = index.parse().ok().and_then(|index: usize| names.get(index))
        {
            self.path = format!("engine {name:?}, {key}");
        }
    }
}

/// The longest value shown; a whole list of positions is not for people.
const SHOWN_CHARACTERS: usize = 60;

impl fmt::Display for Difference {
    /// `time.control: was "10+0.1", is now "20+0.2"`. Values are shown as
    /// JSON, so that control characters are escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.path.is_empty();
        let path = if whole { "identity" } else { &self.path };
        let engine =
            |value: &Option<Value>| value.as_ref()?.get("name")?.as_str().map(str::to_owned);
        let (stored, now) = (&self.stored, &self.now);
        match (stored, now, engine(stored), engine(now)) {
            (None, Some(_), _, Some(name)) => write!(f, "added: engine {name:?}"),
            (Some(_), None, Some(name), _) => write!(f, "removed: engine {name:?}"),
            (None, ..) | (Some(Value::Null), Some(Value::Object(_)), ..) => {
                write!(f, "{path}: added, {}", shown(now))
            }
            (_, None, ..) | (Some(Value::Object(_)), Some(Value::Null), ..) => {
                write!(f, "{path}: removed, was {}", shown(stored))
            }
            _ => write!(f, "{path}: was {}, is now {}", shown(stored), shown(now)),
        }
    }
}

fn shown(value: &Option<Value>) -> String {
    let mut text = match value {
        None => return "nothing".to_owned(),
        Some(Value::Null) => return "none".to_owned(),
        Some(value) => value.to_string(),
    };
    if let Some((end, _)) = text.char_indices().nth(SHOWN_CHARACTERS) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equal_identities_have_no_difference() {
        let identity = json!({"seed": 1, "engines": [{"name": "A"}]});
        assert_eq!(differences(&identity, &identity), []);
    }

    #[test]
    fn differences_are_shown_with_their_place() {
        let stored = json!({"seed": 1, "engines": [{"name": "A", "sha256": "00"}], "pairs": 2});
        let now =
            json!({"seed": 1, "engines": [{"name": "A", "sha256": "ff"}, "B"], "time": "1+0"});
        let shown: Vec<String> = differences(&stored, &now)
            .iter()
            .map(Difference::to_string)
            .collect();
        assert_eq!(
            shown,
            [
                r#"engines[0].sha256: was "00", is now "ff""#,
                r#"engines[1]: added, "B""#,
                "pairs: removed, was 2",
                r#"time: added, "1+0""#,
            ]
        );
    }
}
