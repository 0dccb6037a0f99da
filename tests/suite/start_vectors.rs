//! Reference vectors of the kind `chess960`: start numbers and their mirrors.

use arbiter960::chess::start::{Setup, StartNumber, Variant, mirror, parse_number};
use serde_json::{Map, Value, json};

use super::match_vector_cases::{ReferenceVector, check_kind};

#[test]
fn chess960_vectors() {
    check_kind("chess960", &["numbers"], |vector| {
        let numbers = numbers(vector);
        json!({
            "backrank": by_number(&numbers, |number| json!(back_rank(number))),
            "mirror": by_number(&numbers, |number| {
                json!(mirror(Variant::Chess960, number).expect("a mirror").0)
            }),
        })
    });
}

/// The numbers asked for.
fn numbers(vector: &ReferenceVector) -> Vec<StartNumber> {
    let given = vector.inputs["numbers"].clone();
    let given: Vec<u32> = serde_json::from_value(given).expect("start numbers");
    given.into_iter().map(StartNumber).collect()
}

/// White's pieces; they lead back to the number.
fn back_rank(number: StartNumber) -> String {
    let setup = Setup::new(Variant::Chess960, number).expect("one of the 960");
    let rank = setup.white.to_string();
    assert_eq!(parse_number(Variant::Chess960, &rank), Ok(number));
    rank
}

fn by_number(numbers: &[StartNumber], value: impl Fn(StartNumber) -> Value) -> Value {
    let entries = numbers.iter();
    let entries = entries.map(|&number| (number.to_string(), value(number)));
    Value::Object(entries.collect::<Map<_, _>>())
}
