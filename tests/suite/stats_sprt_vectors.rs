//! Sequential tests against an independent implementation.

use super::reference_vectors::{ReferenceVector, check_kind};
use arbiter960::stats::counts::{Pentanomial, Trinomial};
use arbiter960::stats::sample::Sample;
use arbiter960::stats::sprt::{Hypotheses, Model, log_likelihood_ratio};
use serde_json::{Value, json};

#[test]
fn llr_vectors() {
    check_kind("llr", |vector| {
        let sample = sample(&vector.inputs["results"]);
        let hypotheses = hypotheses(vector);
        let bounds = [hypotheses.elo0(), hypotheses.elo1()];
        json!({
            "llr_exact": log_likelihood_ratio(hypotheses.model(), bounds, &sample),
            "bounds": hypotheses.bounds(),
        })
    });
}

fn hypotheses(vector: &ReferenceVector) -> Hypotheses {
    let number = |names: &[&str], default: f64| {
        names
            .iter()
            .find_map(|name| vector.inputs[*name].as_f64())
            .unwrap_or(default)
    };
    let model = match vector.inputs["model"].as_str() {
        None | Some("normalized") => Model::Normalized,
        Some("logistic") => Model::Logistic,
        Some(other) => panic!("{}: model {other}", vector.id),
    };
    let (elo0, elo1) = (number(&["elo0"], f64::NAN), number(&["elo1"], f64::NAN));
    let (alpha, beta) = (
        number(&["alpha", "bounds_alpha"], 0.05),
        number(&["beta", "bounds_beta"], 0.05),
    );
    Hypotheses::new(model, elo0, elo1, alpha, beta).expect("a possible test")
}

fn sample(value: &Value) -> Sample {
    let cells = value.as_array().expect("an array of counts");
    let counts: Vec<u64> = cells
        .iter()
        .map(|c| c.as_f64().expect("a count") as u64)
        .collect();
    match counts[..] {
        [l, d, w] => Trinomial([l, d, w]).into(),
        [ll, ld, m, wd, ww] => Pentanomial([ll, ld, m, wd, ww]).into(),
        _ => panic!("neither games nor pairs"),
    }
}
