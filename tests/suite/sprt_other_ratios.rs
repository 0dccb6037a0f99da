//! `sprt.elsewhere` of `stats --format json`: the ratios of other programs for the same pairs, computed
//! here once more by their own formulas.

use serde_json::Value;

use super::support::{arbiter960, words};

/// Statistics of a small match of two unequal strengths of the built-in engine, under a test that
/// it does not decide.
fn tested(model: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let output = arbiter960()
        .args([
            "match",
            "--name",
            "test",
            "--seed",
            "3",
            "--positions",
            "0-15",
        ])
        .args([
            "--engine",
            "builtin=sparring",
            "name=A",
            "option.Strength=4",
        ])
        .args([
            "--engine",
            "builtin=sparring",
            "name=B",
            "option.Strength=2",
        ])
        .args([
            "--depth",
            "2",
            "--max-moves",
            "40",
            "--sprt",
            "elo0=-2",
            "elo1=3",
        ])
        .args([&format!("model={model}"), "max_pairs=16"])
        .args([
            "--draw",
            "from=1",
            "moves=3",
            "score=80",
            "--quiet",
            "--results",
        ])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    let output = arbiter960()
        .args(["stats", "--format", "json"])
        .arg(folder.path().join("test"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", words(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn counts(json: &Value, pointer: &str) -> Vec<f64> {
    let counts = json.pointer(pointer).and_then(Value::as_array).unwrap();
    counts.iter().map(|n| n.as_f64().unwrap()).collect()
}

/// What is computed from pairs: their number, mean and variance, zero counts taken for 0.001.
fn pairs(json: &Value) -> [f64; 3] {
    let cells = counts(json, "/match/counts/pairs");
    assert_eq!(cells.iter().sum::<f64>(), 16.0, "{cells:?}");
    let cells: Vec<f64> = cells.iter().map(|n| n.max(0.001)).collect();
    let total: f64 = cells.iter().sum();
    let value = |i: usize| i as f64 / 4.0;
    let mean = (0..5).map(|i| cells[i] * value(i)).sum::<f64>() / total;
    let scatter = (0..5).map(|i| cells[i] * (value(i) - mean).powi(2));
    [total, mean, scatter.sum::<f64>() / total]
}

fn assert_ratio(json: &Value, name: &str, expected: f64) {
    let found = &json["sprt"]["elsewhere"][name];
    let near = found.as_f64().is_some_and(|x| (x - expected).abs() < 1e-9);
    assert!(near && expected != 0.0, "{name}: {found}, not {expected}");
}

fn assert_none(json: &Value, names: [&str; 2]) {
    for name in names {
        let found = json["sprt"]["elsewhere"].get(name);
        assert!(found.is_some_and(Value::is_null), "{name}: {found:?}");
    }
}

#[test]
fn other_ratios_of_logistic_bounds() {
    let json = tested("logistic");
    let [n, mean, variance] = pairs(&json);
    let [s0, s1] = [-2.0, 3.0].map(|elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)));
    let normal = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
    assert_ratio(&json, "normal", normal);
    let squares = [s0, s1].map(|s| variance + (mean - s).powi(2));
    assert_ratio(&json, "squares", 0.5 * n * (squares[0] / squares[1]).ln());
    assert_none(&json, ["legacy", "cutechess"]);
}

#[test]
fn other_ratios_of_normalised_bounds() {
    let json = tested("normalized");
    let [n, mean, variance] = pairs(&json);
    let found = (mean - 0.5) / (2.0 * variance).sqrt();
    let scale = 800.0 / 10_f64.ln();
    let squares = [-2.0, 3.0].map(|nelo| 1.0 + (found - nelo / scale).powi(2));
    // Two games a pair.
    assert_ratio(&json, "squares", n * (squares[0] / squares[1]).ln());
    assert_none(&json, ["legacy", "cutechess"]);
    assert!(json["sprt"]["elsewhere"]["normal"].is_null());
}

/// Old Fishtest takes the bounds as they are and zero counts for 0.001; cutechess divides them by
/// the scale of BayesElo and adds half a game to every count.
#[test]
fn other_ratios_of_bayeselo_bounds() {
    let json = tested("bayesian");
    let games = counts(&json, "/match/counts/games");
    assert_eq!(games.iter().sum::<f64>(), 32.0, "{games:?}");
    let ratio = |cells: &[f64], scaled: bool| {
        let total: f64 = cells.iter().sum();
        let [loss, win] = [cells[0] / total, cells[2] / total];
        let drawelo = 200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10();
        let x = 10_f64.powf(-drawelo / 400.0);
        let scale = if scaled {
            4.0 * x / (1.0 + x).powi(2)
        } else {
            1.0
        };
        let probabilities = |elo: f64| {
            let win = 1.0 / (1.0 + 10_f64.powf((drawelo - elo / scale) / 400.0));
            let loss = 1.0 / (1.0 + 10_f64.powf((drawelo + elo / scale) / 400.0));
            [loss, 1.0 - win - loss, win]
        };
        let [p0, p1] = [-2.0, 3.0].map(probabilities);
        (0..3).map(|i| cells[i] * (p1[i] / p0[i]).ln()).sum::<f64>()
    };
    let regularised: Vec<f64> = games.iter().map(|n| n.max(0.001)).collect();
    assert_ratio(&json, "legacy", ratio(&regularised, false));
    let more: Vec<f64> = games.iter().map(|n| n + 0.5).collect();
    assert_ratio(&json, "cutechess", ratio(&more, true));
    assert_none(&json, ["normal", "squares"]);
}
