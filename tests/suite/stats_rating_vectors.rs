//! Reference vectors of the kind `rating`.

use arbiter960::stats::ratings::RatingInput;
use arbiter960::stats::ratings::report::RatingReport;
use arbiter960::stats::ratings::table::{RatingOptions, RatingTable};
use arbiter960::stats::standings::TieBreak;
use serde_json::Value;

use super::match_vector_cases::{ReferenceVector, compare, vectors_of_kind};
use super::rating_vectors::games_of;

#[test]
fn rating_vectors() {
    // Every case is tried: one that differs must not hide another.
    let mut wrong = Vec::new();
    for vector in vectors_of_kind("rating") {
        vector.check_inputs(&["csv", "level", "anchor"]);
        let games = games_of(&vector);
        let options = RatingOptions {
            anchors: anchors(&vector, games.engines()),
            ..Default::default()
        };
        let input = RatingInput::new(&games);
        let table = RatingTable::new(&input, &options);
        let report = RatingReport::new(&input, &table, &options, &TieBreak::DEFAULT, [true; 2]);
        let ours = serde_json::to_value(&report).expect("serialisable");
        let allowed = |place: &str, _| tolerance(&vector, place);
        compare(&vector.id, &vector.outputs, &ours, &allowed, &mut wrong);
    }
    assert_eq!(wrong, [""; 0]);
}

/// An anchor is given by name (at 0 Elo), as an object with name and Elo, or
/// as an object of names with their Elo.
fn anchors(vector: &ReferenceVector, engines: &[String]) -> Vec<(u16, f64)> {
    let index = |name: &str| {
        let place = engines.iter().position(|engine| engine == name);
        place.expect("a known anchor") as u16
    };
    match &vector.inputs["anchor"] {
        Value::Null => Vec::new(),
        Value::String(name) => vec![(index(name), 0.0)],
        Value::Object(values) => values
            .iter()
            .map(|(name, elo)| (index(name), elo.as_f64().expect("Elo")))
            .collect(),
        other => panic!("{}: anchor {other}", vector.id),
    }
}

/// The vector's own tolerances: by method for Davidson and BayesElo, by
/// quantity for the logistic model. Counts are exact.
fn tolerance(vector: &ReferenceVector, place: &str) -> f64 {
    let path = &place[vector.id.len() + 1..];
    let is_name = |name: &&str| name.parse::<usize>().is_err();
    let field = path.rsplit('.').find(is_name).unwrap_or("");
    let named = |name: &str| vector.tolerance[name].as_f64();
    let own = match path.split('.').next().unwrap() {
        "davidson" => named("davidson"),
        "standings" | "complete_pairs" => Some(0.0),
        _ if field.starts_with("white_elo_se") || field.starts_with("se_") => named("se"),
        _ if field == "white_elo" => named("white_elo"),
        _ if field.starts_with("los") => named("los"),
        _ if field == "elo" => named("elo"),
        _ => None,
    };
    own.unwrap_or_else(|| panic!("no tolerance for {place}"))
}
