//! Reads the reference vectors of one match and compares results with them.

use serde::Deserialize;
use serde_json::Value;
use std::path::PathBuf;

/// One case: inputs, expected outputs and how close a result must be.
#[derive(Debug, Deserialize)]
pub struct ReferenceVector {
    pub id: String,
    pub kind: String,
    pub inputs: Value,
    pub outputs: Value,
    #[serde(default)]
    pub tolerance: Value,
}

/// The tolerance of most kinds: a result passes if its error is within the absolute or the relative tolerance.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Tolerance {
    abs: f64,
    rel: f64,
}

/// The file of `ARBITER960_VECTORS` if that is set, else the project's own.
pub fn vectors_path() -> PathBuf {
    match std::env::var_os("ARBITER960_VECTORS") {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/vectors.json"),
    }
}

/// All vectors of one kind; at least one unless another file is given.
pub fn vectors_of_kind(kind: &str) -> Vec<ReferenceVector> {
    #[derive(Deserialize)]
    struct File {
        vectors: Vec<ReferenceVector>,
    }
    let path = vectors_path();
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
    let file: File = serde_json::from_str(&text).expect("the vectors are well-formed");
    let mut chosen = file.vectors;
    chosen.retain(|vector| vector.kind == kind);
    if std::env::var_os("ARBITER960_VECTORS").is_none() {
        assert!(!chosen.is_empty(), "no vector of kind {kind}");
    }
    chosen
}

/// A kind that no test asks for would be skipped silently. The tests of vectors are in
/// the files named `*_vectors.rs`, and each names its kind.
#[test]
fn every_kind_of_vectors_has_a_test() {
    let tests = test_sources();
    let text = std::fs::read_to_string(vectors_path()).expect("the vectors are there");
    let file: Value = serde_json::from_str(&text).expect("the vectors are well-formed");
    for vector in file["vectors"].as_array().expect("a list of vectors") {
        let kind = vector["kind"].as_str().expect("a kind");
        assert!(has_test(&tests, kind), "no test for the kind {kind}");
    }
    assert!(!has_test(&tests, "no such kind"));
}

fn test_sources() -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let files = std::fs::read_dir(folder).expect("the tests are there");
    let paths = files.map(|file| file.expect("a file").path());
    let named = |path: &PathBuf| path.to_string_lossy().ends_with("_vectors.rs");
    let text = |path| std::fs::read_to_string(path).expect("a readable file");
    paths.filter(named).map(text).collect()
}

/// Counts in a case, which may be written as whole floats.
pub fn counts(value: &Value) -> Vec<u64> {
    let cells = value.as_array().expect("an array of counts").iter();
    cells
        .map(|cell| cell.as_f64().expect("a count") as u64)
        .collect()
}

/// Whether some test asks for the vectors of this kind.
fn has_test(sources: &str, kind: &str) -> bool {
    let mut calls = ["check_kind(", "vectors_of_kind("]
        .into_iter()
        .flat_map(|call| sources.split(call).skip(1));
    let name = format!("\"{kind}\"");
    calls.any(|arguments| arguments.trim_start().starts_with(&name))
}

impl ReferenceVector {
    /// An input that is not among the known ones would be ignored silently: it fails.
    pub fn check_inputs(&self, known: &[&str]) {
        for name in self.inputs.as_object().expect("inputs").keys() {
            assert!(
                known.contains(&name.as_str()),
                "{}: unknown input {name}",
                self.id
            );
        }
    }
}

/// Computes every vector of `kind` and compares; all differences are reported together.
pub fn check_kind(kind: &str, known: &[&str], compute: impl Fn(&ReferenceVector) -> Value) {
    let mut differences = Vec::new();
    for vector in vectors_of_kind(kind) {
        vector.check_inputs(known);
        let tolerance: Tolerance = serde_json::from_value(vector.tolerance.clone()).unwrap();
        let allowed = |_: &str, expected: f64| tolerance.abs.max(tolerance.rel * expected.abs());
        let actual = compute(&vector);
        compare(
            &vector.id,
            &vector.outputs,
            &actual,
            &allowed,
            &mut differences,
        );
    }
    assert_eq!(differences, [""; 0]);
}

/// Every expected field must exist and agree; further fields are allowed. By its place and its value it is known how far
/// a number may be from the expected one.
pub fn compare(
    place: &str,
    expected: &Value,
    actual: &Value,
    allowed: &dyn Fn(&str, f64) -> f64,
    differences: &mut Vec<String>,
) {
    match (expected, actual) {
        (Value::Object(fields), _) => {
            for (name, value) in fields {
                let found = actual.get(name).unwrap_or(&Value::Null);
                compare(
                    &format!("{place}.{name}"),
                    value,
                    found,
                    allowed,
                    differences,
                );
            }
        }
        (Value::Array(items), Value::Array(found)) if items.len() == found.len() => {
            for (index, (item, other)) in items.iter().zip(found).enumerate() {
                compare(
                    &format!("{place}.{index}"),
                    item,
                    other,
                    allowed,
                    differences,
                );
            }
        }
        _ if agree(expected, actual, |expected| allowed(place, expected)) => {}
        _ => differences.push(format!("{place}: expected {expected}, found {actual}")),
    }
}

fn agree(expected: &Value, actual: &Value, allowed: impl Fn(f64) -> f64) -> bool {
    if let (Some(expected), Some(actual)) = (expected.as_f64(), actual.as_f64()) {
        return (expected - actual).abs() <= allowed(expected);
    }
    // What the reference calls undefined may be left out.
    expected == actual || (expected == "nan" && actual.is_null())
}

#[test]
fn the_comparison_notices_every_kind_of_difference() {
    use serde_json::json;
    let expected = json!({"a": 1.0, "b": {"c": "inf"}, "d": [1, 2], "e": "nan"});
    let found = |actual: Value| {
        let mut differences = Vec::new();
        compare("case", &expected, &actual, &|_, _| 1e-6, &mut differences);
        let places = differences
            .iter()
            .map(|words| words.split(':').next().unwrap().to_owned());
        places.collect::<Vec<_>>()
    };
    let near = json!({"a": 1.0000005, "b": {"c": "inf"}, "d": [1, 2]});
    assert_eq!(found(near), [""; 0]);
    let far = json!({"a": 1.000002, "b": {"c": "-inf"}, "d": [1], "e": 0.0});
    assert_eq!(found(far), ["case.a", "case.b.c", "case.d", "case.e"]);
    let other = json!({"a": 1.0, "b": {}, "d": [1, 2.1], "e": null});
    assert_eq!(found(other), ["case.b.c", "case.d.1"]);
    assert_eq!(found(json!({})), ["case.a", "case.b.c", "case.d"]);
}
