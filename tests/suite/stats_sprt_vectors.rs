//! Sequential tests against an independent implementation.

use super::match_vector_cases::{ReferenceVector, check_kind, counts};
use arbiter960::stats::counts::Sample;
use arbiter960::stats::counts::{GameScore, PairScore, Pentanomial, Trinomial};
use arbiter960::stats::sprt::characteristics::characteristics;
use arbiter960::stats::sprt::hypotheses::cutechess_llr;
use arbiter960::stats::sprt::stagewise::stopped_test;
use arbiter960::stats::sprt::{Decision, Hypotheses, Model, Sprt, log_likelihood_ratio};
use serde_json::{Value, json};

/// Inputs that the tests below understand.
fn inputs() -> Vec<&'static str> {
    let names = "model elo0 elo1 alpha beta bounds_alpha bounds_beta results ldw_for_drawelo regularize level \
                 batch pairs coding elo draw_ratio rms_bias_elo order";
    names.split(' ').collect()
}

#[test]
fn llr_vectors() {
    check_kind("llr", &inputs(), |vector| {
        let sample = sample(&vector.inputs["results"]);
        let hypotheses = hypotheses(vector);
        let (model, bounds) = hypotheses.resolved(&games(vector));
        let regularized = vector.inputs["regularize"].as_str();
        let is_known = regularized.is_none_or(|how| how == "zero cells -> 1e-3");
        assert!(is_known, "{}", vector.id);
        json!({
            "llr_exact": log_likelihood_ratio(model, bounds, &sample),
            "bounds": hypotheses.bounds(),
        })
    });
}

#[test]
fn llr_bayeselo_vectors() {
    check_kind("llr_bayeselo", &inputs(), |vector| {
        let sample = sample(&vector.inputs["results"]);
        let games = counts(&vector.inputs["ldw_for_drawelo"]);
        let games = Trinomial(games.try_into().expect("three"));
        let bounds = ["elo0", "elo1"].map(|name| number(vector, &[name], f64::NAN));
        let test = Hypotheses::new(Model::Bayesian, bounds[0], bounds[1], 0.05, 0.05);
        let (model, resolved) = test.expect("a possible test").resolved(&games);
        json!({
            "llr_fishtest": log_likelihood_ratio(model, resolved, &sample),
            "llr_cutechess": cutechess_llr(bounds, &games),
        })
    });
}

#[test]
fn sprt_run_vectors() {
    check_kind("sprt_run", &inputs(), |vector| {
        json!({
            "siegmund": first_stop(vector, true),
            "plain": first_stop(vector, false),
        })
    });
}

#[test]
fn sprt_estimate_vectors() {
    check_kind("sprt_estimate", &inputs(), |vector| {
        let level = number(vector, &["level"], 0.95);
        let sample = sample(&vector.inputs["results"]);
        let games = games(vector);
        let stopped = stopped_test(&hypotheses(vector), &sample, &games, 1.0, level);
        json!(stopped.map(|stopped| stopped.stagewise))
    });
}

#[test]
fn sprt_characteristics_vectors() {
    check_kind("sprt_characteristics", &inputs(), |vector| {
        let number = |name| number(vector, &[name], 0.0);
        let (elo, draws, bias) = (number("elo"), number("draw_ratio"), number("rms_bias_elo"));
        json!(characteristics(&hypotheses(vector), elo, draws, bias).expect("possible games"))
    });
}

/// Plays a recorded sequence of pairs up to the decision.
fn first_stop(vector: &ReferenceVector, correction: bool) -> Value {
    let batch = vector.inputs["batch"].as_u64().unwrap_or(1);
    let mut sprt = Sprt::new(hypotheses(vector), batch, correction);
    let digits = vector.inputs["pairs"].as_str().expect("a string of digits");
    for digit in digits.bytes() {
        if sprt.update(pair_with(digit - b'0')).decision != Decision::Undecided {
            break;
        }
    }
    let status = sprt.status();
    let expected = &vector.outputs[if correction { "siegmund" } else { "plain" }]["state"];
    // The reference's word for a test that continues is neither of these.
    let still_open = expected != "accepted" && expected != "rejected";
    let state = match status.decision {
        Decision::Undecided if still_open => expected.clone(),
        decision => json!(decision),
    };
    json!({
        "state": state,
        "pairs": sprt.counts().pairs.pairs(),
        "counts": sprt.counts().pairs.0,
        "llr": status.llr,
    })
}

/// The games by result, which BayesElo's draw parameter is estimated from.
fn games(vector: &ReferenceVector) -> Trinomial {
    let given = ["ldw_for_drawelo", "results"].map(|name| &vector.inputs[name]);
    let given = given.into_iter().filter(|value| value.is_array());
    let mut cells = given.filter_map(|value| counts(value).try_into().ok());
    cells.next().map(Trinomial).unwrap_or_default()
}

/// Some pair with this many half-points.
fn pair_with(half_points: u8) -> PairScore {
    use GameScore::{Draw, Loss, Win};
    match half_points {
        0 => PairScore::new(Loss, Loss),
        1 => PairScore::new(Loss, Draw),
        2 => PairScore::new(Draw, Draw),
        3 => PairScore::new(Win, Draw),
        4 => PairScore::new(Win, Win),
        other => panic!("a pair has no {other} half-points"),
    }
}

/// The first of these inputs that is given.
fn number(vector: &ReferenceVector, names: &[&str], default: f64) -> f64 {
    let given = names.iter().find_map(|name| vector.inputs[*name].as_f64());
    given.unwrap_or(default)
}

fn hypotheses(vector: &ReferenceVector) -> Hypotheses {
    let model = match vector.inputs["model"].as_str() {
        None | Some("normalized") => Model::Normalized,
        Some("logistic") => Model::Logistic,
        Some("bayesian" | "bayeselo" | "BayesElo") => Model::Bayesian,
        Some(other) => panic!("{}: model {other}", vector.id),
    };
    let elo0 = number(vector, &["elo0"], f64::NAN);
    let elo1 = number(vector, &["elo1"], f64::NAN);
    let alpha = number(vector, &["alpha", "bounds_alpha"], 0.05);
    let beta = number(vector, &["beta", "bounds_beta"], 0.05);
    Hypotheses::new(model, elo0, elo1, alpha, beta).expect("a possible test")
}

fn sample(value: &Value) -> Sample {
    match counts(value)[..] {
        [l, d, w] => Trinomial([l, d, w]).into(),
        [ll, ld, m, wd, ww] => Pentanomial([ll, ld, m, wd, ww]).into(),
        _ => panic!("neither games nor pairs"),
    }
}
