//! Reference vectors of the kind `fma`.

use arbiter960::chess::start::{StartNumber, Variant, mirror};
use arbiter960::stats::advantage::{AdvantageOptions, AdvantageReport};
use serde_json::Value;

use super::rating_vectors::{Vector, vectors_of_kind};

#[test]
fn advantage_vectors() {
    for vector in vectors_of_kind("fma") {
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
            draw_propensity,
            ..Default::default()
        };
        let report = AdvantageReport::new(&vector.games(), &options, mirror_of);
        let mut ours = serde_json::to_value(&report).expect("serialisable");
        align_ties(&vector, &mut ours, "lfsr", "svalue");
        align_ties(&vector, &mut ours, "p_above_518", "s_above_518");
        vector.compare(&ours, |path| tolerance(&vector, path));
    }
}

/// s-values are running means over sorted rates, and positions with the same
/// counts have the same rate: which of them comes first is rounding noise in
/// the reference. Within each group of equal rates (of the *reference*, to all
/// its printed digits) our values are put into its order; every value is still
/// compared.
fn align_ties(vector: &Vector, ours: &mut Value, rate: &str, value: &str) {
    let expected = vector.outputs["positions"].as_object().expect("positions");
    let mut groups = std::collections::HashMap::<String, Vec<&String>>::new();
    for (start, position) in expected {
        if position[value].is_number() {
            groups
                .entry(position[rate].to_string())
                .or_default()
                .push(start);
        }
    }
    for mut starts in groups.into_values().filter(|starts| starts.len() > 1) {
        let number = |v: &Value| v.as_f64().unwrap_or(f64::NAN);
        let mut values: Vec<Value> = starts
            .iter()
            .map(|s| ours["positions"][s.as_str()][value].clone())
            .collect();
        values.sort_by(|a, b| number(a).total_cmp(&number(b)));
        starts
            .sort_by(|a, b| number(&expected[*a][value]).total_cmp(&number(&expected[*b][value])));
        for (start, own) in starts.into_iter().zip(values) {
            ours["positions"][start.as_str()][value] = own;
        }
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
