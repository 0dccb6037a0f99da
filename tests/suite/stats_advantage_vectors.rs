//! Reference vectors of the kind `fma`.

use arbiter960::chess::start::{StartNumber, Variant, mirror};
use arbiter960::stats::advantage::hierarchical::Prior;
use arbiter960::stats::advantage::{AdvantageOptions, AdvantageReport};
use serde_json::Value;

use super::rating_vectors::{Vector, vectors_of_kind};

#[test]
fn advantage_vectors() {
    // Every case is tried: one that differs must not hide another.
    let mut wrong = Vec::new();
    for mut vector in vectors_of_kind("fma") {
        vector.check_inputs(&["csv", "level", "model"]);
        let model = vector.inputs["model"].as_str().unwrap_or("M1");
        assert!(
            model.starts_with("M1") || model.starts_with("M2"),
            "{}: unknown model {model}",
            vector.id
        );
        let draw_propensity = model.starts_with("M2");
        let level = vector.inputs["level"].as_f64().unwrap_or(0.95);
        // The vectors report φ without applying it.
        let options = AdvantageOptions {
            level,
            temper: false,
            prior: Prior::Normal,
            exact: true,
            draw_propensity,
            ..Default::default()
        };
        let report = AdvantageReport::new(&vector.games(), &options, mirror_of);
        let ours = serde_json::to_value(&report).expect("serialisable");
        let selected = |vector: &Vector| {
            let positions = vector.outputs["positions"].as_object().expect("positions");
            let named = |p: &&Value| p["svalue"].as_f64().is_some_and(|s| s <= 0.05);
            Value::from(positions.values().filter(named).count())
        };
        assert_eq!(vector.outputs["n_selected_s05"], selected(&vector));
        align_ties(&mut vector, "lfsr", "svalue");
        // Of positions with equal rates the reference can select some and leave others: its
        // count is that of its s-values, checked above. Ours must be that of the aligned ones.
        vector.outputs["n_selected_s05"] = selected(&vector);
        align_ties(&mut vector, "p_above_518", "s_above_518");
        wrong.extend(vector.differences(&ours, |path| tolerance(&vector, path)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// s-values are running means over sorted rates, and positions with the same counts have the
/// same rate: which of them comes first is rounding noise in the reference, while ours take the
/// mean with all of them. So each group of equal rates (of the *reference*, to all its printed
/// digits) must have its largest value; every value is still compared.
fn align_ties(vector: &mut Vector, rate: &str, value: &str) {
    let positions = vector.outputs["positions"].as_object_mut();
    let positions = positions.expect("positions");
    let mut largest = std::collections::HashMap::<String, f64>::new();
    for position in positions.values() {
        if let Some(own) = position[value].as_f64() {
            let entry = largest.entry(position[rate].to_string()).or_insert(own);
            *entry = entry.max(own);
        }
    }
    for position in positions.values_mut().filter(|p| p[value].is_number()) {
        position[value] = largest[&position[rate].to_string()].into();
    }
}

/// The vector's own tolerances. Quantities it does not list take that of what
/// they are computed from.
fn tolerance(vector: &Vector, path: &[String]) -> f64 {
    let named = |name: &str| {
        let found = vector.tolerance.get(name).copied();
        found.unwrap_or_else(|| panic!("{}: no tolerance {name}", vector.id))
    };
    let field = path.last().map_or("", String::as_str);
    match (path[0].as_str(), field) {
        ("layer_a" | "mirror" | "dispersion" | "engine_by_position", _) => named("layer_a"),

        ("phi", _) => named("phi"),
        ("n_selected_s05" | "bh_selected_q05", _) => 0.0,
        ("mean_white_score_equal_strength", _) => named("white_score"),
        ("hier", field) => match field {
            "lrt" | "lrt_p" => named("lrt"),
            "mu" | "mu_se" => named("mu"),
            "m" | "m_se" => named("m"),
            _ if path[1].starts_with("theta") => named("theta_elo"),
            _ => named("tau"),
        },
        ("positions", field) => match field {
            "alpha" | "lo" | "hi" => named("alpha"),
            "sd" => named("sd"),
            "white_score" => named("white_score"),
            "elo" | "elo_lo" | "elo_hi" => named("elo"),
            "p_above_mean" | "lfsr" | "svalue" | "p_above_518" | "s_above_518" => named("lfsr"),
            "expected_rank" => named("expected_rank"),
            "exact_p_two" | "bh_q" => named("exact_p"),
            // Printed with nine digits.
            "raw" | "shrunk_a" | "reliability" => named("layer_a"),
            other => panic!("{}: no tolerance for {other}", vector.id),
        },
        _ => panic!("{}: no tolerance for {}", vector.id, path.join(".")),
    }
}

/// The start number of the left-right mirror image of a Chess960 position.
fn mirror_of(start: u32) -> Option<u32> {
    let mirror = mirror(Variant::Chess960, StartNumber(start));
    mirror.ok().map(|number| number.0)
}
