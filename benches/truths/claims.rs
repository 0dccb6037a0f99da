//! What is printed, and whether it is true.
//!
//! Names end in what is promised: `95` of intervals (more is on the safe side), `<= 5` of errors.

use serde_json::Value;

use crate::has_interaction;
use crate::simulated_truths::{Design, Played, Truth};
use crate::tally::Tally;

/// Judges one event.
pub(crate) fn judge(design: &Design, played: &Played, json: &Value, tally: &mut Tally) {
    positions(design, played, json, tally);
    tests(design, json, tally);
    headline(design, played, json, tally);
    match design.engines {
        2 => encounter(design, played, json, tally),
        _ => field(design, json, tally),
    }
}

fn number(json: &Value, pointer: &str) -> Option<f64> {
    match json.pointer(pointer)? {
        Value::String(text) if text == "inf" => Some(f64::INFINITY),
        Value::String(text) if text == "-inf" => Some(f64::NEG_INFINITY),
        value => value.as_f64(),
    }
}

/// Does the interval hold the truth? Ends that JSON leaves out are infinite.
fn holds(json: &Value, low: &str, high: &str, truth: f64) -> bool {
    let low = number(json, low).unwrap_or(f64::NEG_INFINITY);
    let high = number(json, high).unwrap_or(f64::INFINITY);
    low <= truth && truth <= high
}

/// The intervals and names of positions.
fn positions(design: &Design, played: &Played, json: &Value, tally: &mut Tally) {
    let Some(rows) = json
        .pointer("/first_move/positions")
        .and_then(Value::as_object)
    else {
        return;
    };
    let count = played.alphas.len();
    let mean = played.alphas.iter().sum::<f64>() / count as f64;
    let mut cases: Vec<Case> = Vec::new();
    let mut pooled = Vec::new();
    let (mut named, mut wrong, mut missed) = (0.0, 0.0, 0.0);
    for (key, row) in rows {
        let place: usize = key.parse().expect("a start number");
        let (alpha, elo) = (played.alphas[place], played.elo[place]);
        let Some(estimate) = number(row, "/alpha") else {
            continue;
        };
        cases.push(Case {
            truly: (alpha - mean).abs(),
            looks: (estimate - mean).abs(),
            credible: holds(row, "/elo_lo", "/elo_hi", elo),
            own: holds(row, "/own_elo_lo", "/own_elo_hi", elo),
        });
        let sign = match row["verdict"].as_str() {
            Some("above_average") => 1.0,
            Some("below_average") => -1.0,
            _ => continue,
        };
        named += 1.0;
        wrong += f64::from(u8::from(sign * (alpha - mean) <= 0.0));
        pooled.push(sign * (alpha - mean) <= 0.0);
        missed += f64::from(u8::from(!holds(
            row,
            "/selected_elo_lo",
            "/selected_elo_hi",
            elo,
        )));
    }
    let share = |cases: &[Case], of: fn(&Case) -> bool| {
        cases.iter().filter(|case| of(case)).count() as f64 / cases.len().max(1) as f64
    };
    let twentieth = cases.len().div_ceil(20);
    tally.add_share(
        "position: credible interval, all 95",
        share(&cases, |c| c.credible),
    );
    tally.add_share("position: own interval, all 95", share(&cases, |c| c.own));
    for is_wrong in pooled {
        tally.add("position: wrong signs, all named of all events", is_wrong);
    }
    // Equally extreme ones stay in the order of their numbers, which says nothing of their games.
    cases.sort_by(|a, b| b.truly.total_cmp(&a.truly));
    let extreme = &cases[..twentieth];
    tally.add_share(
        "position: credible interval, truly extreme (no promise)",
        share(extreme, |c| c.credible),
    );
    tally.add_share(
        "position: own interval, truly extreme 95",
        share(extreme, |c| c.own),
    );
    cases.sort_by(|a, b| b.looks.total_cmp(&a.looks));
    let extreme = &cases[..twentieth];
    tally.add_share(
        "position: credible interval, looks extreme 95",
        share(extreme, |c| c.credible),
    );
    tally.add_share(
        "position: wrong signs among the named <= 5",
        wrong / f64::max(named, 1.0),
    );
    tally.add_share(
        "position: selected intervals that miss <= 5",
        missed / f64::max(named, 1.0),
    );
    spread(design, played, json, tally);
}

struct Case {
    truly: f64,
    looks: f64,
    credible: bool,
    own: bool,
}

fn spread(design: &Design, played: &Played, json: &Value, tally: &mut Tally) {
    let count = played.alphas.len() as f64;
    let mean = played.alphas.iter().sum::<f64>() / count;
    let square = played
        .alphas
        .iter()
        .map(|a| (a - mean).powi(2))
        .sum::<f64>();
    let truth = (square / (count - 1.0)).sqrt();
    let shape = "/first_move/shape";
    let (low, high) = (format!("{shape}/sd_lo"), format!("{shape}/sd_hi"));
    tally.add(
        "spread of these positions 95",
        holds(json, &low, &high, truth),
    );
    farthest(played, json, tally);
    let (low, high) = ("/first_move/hier/tau_lo", "/first_move/hier/tau_hi");
    if design.tau > 0.0 {
        tally.add(
            "spread under one normal (JSON, no promise)",
            holds(json, low, high, design.tau),
        );
    }
}

/// The bound on the position farthest from the mean, and the positions within 20 Elo of it.
fn farthest(played: &Played, json: &Value, tally: &mut Tally) {
    let mean = played.alphas.iter().sum::<f64>() / played.alphas.len() as f64;
    // The Elo of the mean advantage, between the two positions beside it.
    let mut order: Vec<usize> = (0..played.alphas.len()).collect();
    order.sort_by(|a, b| played.alphas[*a].total_cmp(&played.alphas[*b]));
    let above = order.partition_point(|i| played.alphas[*i] < mean);
    let (low, high) = (order[above.max(1) - 1], order[above.min(order.len() - 1)]);
    let width = played.alphas[high] - played.alphas[low];
    let share = match width > 0.0 {
        true => (mean - played.alphas[low]) / width,
        false => 0.0,
    };
    let centre = played.elo[low] + share * (played.elo[high] - played.elo[low]);
    let distance = |elo: &f64| (elo - centre).abs();
    if let Some(bound) = number(json, "/first_move/shape/farthest_elo") {
        let truth = played.elo.iter().map(distance).fold(0.0, f64::max);
        tally.add("no position is farther from the mean 95", truth <= bound);
    }
    let rows = json
        .pointer("/first_move/positions")
        .and_then(Value::as_object);
    let (mut said, mut wrong) = (0.0, 0.0);
    for (key, row) in rows.into_iter().flatten() {
        if number(row, "/p_equivalent").is_some_and(|p| p >= 0.95) {
            let place: usize = key.parse().expect("a start number");
            said += 1.0;
            wrong += f64::from(u8::from(distance(&played.elo[place]) > 20.0));
        }
    }
    tally.add_share(
        "position: beyond 20 Elo though said to be within <= 5",
        wrong / f64::max(said, 1.0),
    );
}

/// Tests whose hypothesis is true.
fn tests(design: &Design, json: &Value, tally: &mut Tally) {
    let mut test = |p: Option<f64>, names: [&'static str; 2]| {
        if let Some(p) = p {
            tally.add(names[0], p < 0.05);
            tally.add(names[1], p < 0.001);
        }
    };
    let p = |name: &str| number(json, &format!("/first_move/{name}"));
    if design.tau == 0.0 {
        test(
            p("hier/lrt_p"),
            [
                "test: likelihood ratio <= 5",
                "test: likelihood ratio <= 0.1",
            ],
        );
        test(p("layer_a/p_value"), ["test: F <= 5", "test: F <= 0.1"]);
        let dispersion = p("dispersion/by_pairs").or(p("dispersion/p_value"));
        test(
            dispersion,
            ["test: dispersion <= 5", "test: dispersion <= 0.1"],
        );
    }
    // Twins do not share anything in any truth.
    let mirror = p("mirror/permutation_p").or(p("mirror/p_value"));
    test(
        mirror,
        ["test: mirror twins <= 5", "test: mirror twins <= 0.1"],
    );
    if !has_interaction(design.truth) {
        let interaction = p("interaction/p_value").or(p("engine_by_position/p_value"));
        test(
            interaction,
            ["test: interaction <= 5", "test: interaction <= 0.1"],
        );
    }
}

/// White's mean advantage between equal engines.
fn headline(design: &Design, played: &Played, json: &Value, tally: &mut Tally) {
    let path = "/first_move/equal_strength";
    let Some(elo) = number(json, &format!("{path}/elo")) else {
        return;
    };
    let count = played.elo.len() as f64;
    let score = |elo: &f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let mean = played.elo.iter().map(score).sum::<f64>() / count;
    let these = -400.0 * (1.0 / mean - 1.0).log10();
    let mut near = |error: &str, truth: f64, label: &'static str| {
        if let Some(half_width) = number(json, &format!("{path}/{error}")) {
            tally.add(label, (elo - truth).abs() <= half_width);
        }
    };
    near(
        "elo_error_these",
        these,
        "mean advantage: just these positions 95",
    );
    let all = population_elo(design);
    near(
        "elo_error_all",
        all,
        "mean advantage: positions like these 95",
    );
}

/// The mean over the population, by a long sample of positions.
fn population_elo(design: &Design) -> f64 {
    let wide = Design {
        positions: 20_000,
        pairs: 0,
        ..*design
    };
    let played = wide.play(1);
    let score = |elo: &f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let mean = played.elo.iter().map(score).sum::<f64>() / played.elo.len() as f64;
    -400.0 * (1.0 / mean - 1.0).log10()
}

/// Two engines of equal strength.
fn encounter(design: &Design, played: &Played, json: &Value, tally: &mut Tally) {
    if design.apart != 0.0 {
        return;
    }
    let ends = ["/match/profile/elo_lo", "/match/profile/elo_hi"];
    // The true mean score over just these positions is not ½ where engines like positions.
    let these = played.first_elo_here;
    tally.add(
        "two engines: Elo, just these positions 95",
        holds(json, ends[0], ends[1], these),
    );
    tally.add(
        "two engines: Elo, positions like these (no promise)",
        holds(json, ends[0], ends[1], 0.0),
    );
    if let (Some(elo), Some(error)) = (
        number(json, "/match/by_position/elo"),
        number(json, "/match/by_position/elo_error"),
    ) {
        tally.add("two engines: by position 95", elo.abs() <= error);
    }
    if design.truth != Truth::Interaction
        && let Some(los) = number(json, "/match/fishtest/los")
    {
        tally.add(
            "two engines: LOS beyond 97.5 % <= 5",
            !(0.025..=0.975).contains(&los),
        );
    }
}

/// More engines: ratings of equal ones, places of unequal ones.
fn field(design: &Design, json: &Value, tally: &mut Tally) {
    let list = |pointer: &str| json.pointer(pointer).and_then(Value::as_array).cloned();
    let names = list("/ratings/logistic/names").unwrap_or_default();
    // Engines are listed in the order of the files.
    let true_place = |i: usize| -> usize {
        let name = names[i].as_str().unwrap_or_default();
        name.rsplit(' ')
            .next()
            .and_then(|n| n.parse().ok())
            .unwrap_or(0)
            + 1
    };
    if design.apart > 0.0 {
        for (i, ranks) in list("/ratings/ranks")
            .unwrap_or_default()
            .iter()
            .enumerate()
        {
            let (best, worst) = (ranks["best"].as_u64(), ranks["worst"].as_u64());
            let place = true_place(i) as u64;
            let inside = best.is_some_and(|b| b <= place) && worst.is_some_and(|w| place <= w);
            tally.add("many engines: set of places 95", inside);
        }
        return;
    }
    let elo = list("/ratings/logistic/elo").unwrap_or_default();
    let errors = list("/ratings/elo_error").unwrap_or_default();
    for (elo, error) in elo.iter().zip(&errors) {
        if let (Some(elo), Some(error)) = (elo.as_f64(), error.as_f64()) {
            tally.add("many engines: rating 95", elo.abs() <= error);
        }
    }
    let los = list("/ratings/logistic/los").or_else(|| list("/ratings/logistic/los_pair"));
    for (i, row) in los.unwrap_or_default().iter().enumerate() {
        for value in row.as_array().into_iter().flatten().take(i) {
            let beyond = value.as_f64().map(|los| !(0.025..=0.975).contains(&los));
            if let Some(beyond) = beyond {
                tally.add("many engines: LOS beyond 97.5 % <= 5", beyond);
            }
        }
    }
}
