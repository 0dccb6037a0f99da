//! The reference vectors of the multi-engine statistics: their files, the reading of their games, and a comparison that
//! leaves no field out.

use std::collections::HashMap;
use std::path::PathBuf;

use arbiter960::stats::games::{GameFlags, GameRow, GameScore, GameTable};
use serde_json::Value;

use super::match_vector_cases::vectors_path;

/// One reference case.
pub struct Vector {
    pub id: String,
    pub inputs: Value,
    pub outputs: Value,
    pub tolerance: HashMap<String, f64>,
    folder: PathBuf,
}

/// All cases of one kind; an error if it has no cases.
pub fn vectors_of_kind(kind: &str) -> Vec<Vector> {
    let path = vectors_path();
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let file: Value = serde_json::from_str(&text).expect("the vectors are JSON");
    let folder = path.parent().expect("a file has a folder").join("data");
    let cases = file["vectors"].as_array().expect("a list of vectors");
    let found: Vec<Vector> = cases
        .iter()
        .filter(|case| case["kind"] == kind)
        .map(|case| Vector {
            id: case["id"].as_str().expect("an id").to_owned(),
            inputs: case["inputs"].clone(),
            outputs: case["outputs"].clone(),
            tolerance: serde_json::from_value(case["tolerance"].clone()).expect("tolerances"),
            folder: folder.clone(),
        })
        .collect();
    if found.is_empty() {
        // A file may hold other kinds only; the repository's own may not.
        assert!(
            std::env::var_os("ARBITER960_VECTORS").is_some(),
            "no vector of kind {kind}"
        );
        eprintln!("skipped: {} holds no vector of kind {kind}", path.display());
    }
    found
}

impl Vector {
    /// Fails on an input option this test would otherwise ignore.
    pub fn check_inputs(&self, known: &[&str]) {
        for name in self.inputs.as_object().expect("inputs").keys() {
            assert!(
                known.contains(&name.as_str()),
                "{}: unknown input option {name}",
                self.id
            );
        }
    }

    /// The games of the case; engines in alphabetical order.
    pub fn games(&self) -> GameTable {
        let name = self.inputs["csv"].as_str().expect("a csv file");
        let path = self.folder.join(name);
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        read_games(&text)
    }

    /// Compares our value with the expected one, field by field: what differs, in words.
    pub fn differences(
        &self,
        ours: &Value,
        tolerance: impl Fn(&[String]) -> f64,
    ) -> Option<String> {
        let mut comparison = Comparison {
            tolerance: &tolerance,
            path: Vec::new(),
            wrong: Vec::new(),
        };
        comparison.compare(&self.outputs, ours);
        let wrong = comparison.wrong;
        (!wrong.is_empty()).then(|| {
            let count = wrong.len();
            format!("{}: {count} differences\n{}", self.id, wrong.join("\n"))
        })
    }
}

fn read_games(text: &str) -> GameTable {
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let column = |name| {
        header
            .iter()
            .position(|h| *h == name)
            .unwrap_or_else(|| panic!("column {name}"))
    };
    let [round, pair, start, white, black, result] =
        ["round", "pair", "start_number", "white", "black", "result"].map(column);
    let rows: Vec<Vec<&str>> = lines.filter(|row| row.len() == header.len()).collect();
    let mut names: Vec<String> = rows
        .iter()
        .flat_map(|row| [row[white].to_owned(), row[black].to_owned()])
        .collect();
    names.sort();
    names.dedup();
    let engine = |name: &str| {
        names
            .iter()
            .position(|n| n == name)
            .expect("a known engine") as u16
    };
    let mut table = GameTable::new(names.clone());
    let mut pairs = HashMap::new();
    for row in &rows {
        let next = pairs.len() as u32;
        let pair = *pairs.entry((row[round], row[pair])).or_insert(next);
        let row = GameRow {
            white: engine(row[white]),
            black: engine(row[black]),
            start: row[start].parse().expect("a start number"),
            pair: Some(pair),
            result: parse_result(row[result]),
            flags: GameFlags::default(),
        };
        table.push(row).expect("a valid game");
    }
    table
}

fn parse_result(text: &str) -> GameScore {
    match text {
        "1-0" => GameScore::Win,
        "0-1" => GameScore::Loss,
        "1/2-1/2" => GameScore::Draw,
        other => panic!("not a result: {other}"),
    }
}

struct Comparison<'a> {
    tolerance: &'a dyn Fn(&[String]) -> f64,
    path: Vec<String>,
    wrong: Vec<String>,
}

impl Comparison<'_> {
    fn compare(&mut self, expected: &Value, ours: &Value) {
        match (expected, ours) {
            (Value::Object(fields), Value::Object(own)) => {
                for (name, value) in fields {
                    self.inside(name, value, own.get(name));
                }
            }
            (Value::Array(items), Value::Array(own)) => {
                if items.len() != own.len() {
                    self.report(&items.len().to_string(), &own.len().to_string());
                }
                for (index, value) in items.iter().enumerate() {
                    self.inside(&index.to_string(), value, own.get(index));
                }
            }
            (Value::Number(_), Value::Number(_)) => self.compare_numbers(expected, ours),
            // The reference writes quantities that do not exist as "nan".
            (Value::String(text), Value::Null) if text == "nan" => {}
            _ if expected == ours => {}
            _ => self.report(&expected.to_string(), &ours.to_string()),
        }
    }

    fn inside(&mut self, name: &str, expected: &Value, ours: Option<&Value>) {
        self.path.push(name.to_owned());
        match ours {
            Some(ours) => self.compare(expected, ours),
            // What does not exist may be left out.
            None if expected == "nan" => {}
            None => self.report(&expected.to_string(), "nothing"),
        }
        self.path.pop();
    }

    fn compare_numbers(&mut self, expected: &Value, ours: &Value) {
        let (a, b) = (
            expected.as_f64().expect("a number"),
            ours.as_f64().expect("a number"),
        );
        let tolerance = (self.tolerance)(&self.path);
        let close = (a - b).abs() <= tolerance;
        if !close {
            self.report(&format!("{a} ± {tolerance:e}"), &b.to_string());
        }
    }

    fn report(&mut self, expected: &str, ours: &str) {
        self.wrong.push(format!(
            "{}: expected {expected}, ours {ours}",
            self.path.join(".")
        ));
    }
}

#[test]
fn the_comparison_notices_what_differs() {
    let expected =
        serde_json::json!({"a": [1.0, 2.0], "b": "x", "c": "nan", "d": {"e": 1}, "f": "nan"});
    let ours = serde_json::json!({"a": [1.0, 2.1], "b": "y", "c": 0.0, "d": {}});
    let mut comparison = Comparison {
        tolerance: &|_| 0.05,
        path: Vec::new(),
        wrong: Vec::new(),
    };
    comparison.compare(&expected, &ours);
    let places: Vec<&str> = comparison
        .wrong
        .iter()
        .map(|w| w.split(':').next().unwrap_or(""))
        .collect();
    assert_eq!(places, ["a.1", "b", "c", "d.e"]);
}
