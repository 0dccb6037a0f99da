//! Planning against an independent implementation.

use super::match_vector_cases::check_kind;
use arbiter960::stats::planning::PositionPlan;
use serde_json::json;

#[test]
fn plan_vectors() {
    let inputs = "draw_ratio white_score pairs positions tau_elo dispersion".split(' ');
    check_kind("plan", &inputs.collect::<Vec<_>>(), |vector| {
        let number = |name: &str, default| vector.inputs[name].as_f64().unwrap_or(default);
        let plan = PositionPlan {
            draw_ratio: number("draw_ratio", f64::NAN),
            white_score: number("white_score", 0.5),
            pairs: number("pairs", f64::NAN),
            positions: vector.inputs["positions"].as_u64().expect("a number"),
            tau_elo: number("tau_elo", 0.0),
            dispersion: number("dispersion", 1.0),
        };
        json!(plan.summary().expect("a possible plan"))
    });
}
