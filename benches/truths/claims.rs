//! What is printed, and whether it is true.
//!
//! Names end in what is promised: `95` of intervals (more is on the safe side), `<= 5` of errors.

use serde_json::Value;

use crate::simulated_truths::{Design, Played, Truth};
use crate::tally::Tally;
use crate::{has_interaction, population_elo};

/// Judges one event.
pub(crate) fn judge(design: &Design, played: &Played, json: &Value, tally: &mut Tally) {
    positions(design, played, json, tally);
    tests(design, json, tally);
    tests_at_one_level(design, json, tally);
    shape(design, json, tally);
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
    let (mut false_signs, mut promised) = (0.0, 0.0);
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
        let above = number(row, "/p_above_mean").expect("a probability");
        promised += above.min(1.0 - above) / rows.len() as f64;
        let wrong_side = (above > 0.5) != (alpha > mean);
        false_signs += f64::from(u8::from(wrong_side)) / rows.len() as f64;
        let sign = match row["verdict"].as_str() {
            Some("above_average") => 1.0,
            Some("below_average") => -1.0,
            _ => continue,
        };
        named += 1.0;
        wrong += f64::from(u8::from(sign * (alpha - mean) <= 0.0));
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
        "position: credible interval (95 on average), all 92",
        share(&cases, |c| c.credible),
    );
    tally.add_share("position: own interval, all 94", share(&cases, |c| c.own));
    tally.add_share("position: likelier side of the mean is wrong", false_signs);
    tally.add_share(
        "position: likelier side of the mean, P that it is wrong",
        promised,
    );
    // Equally extreme ones stay in the order of their numbers, which says nothing of their games.
    cases.sort_by(|a, b| b.truly.total_cmp(&a.truly));
    let extreme = &cases[..twentieth];
    tally.add_share(
        "position: credible interval, truly extreme (no promise)",
        share(extreme, |c| c.credible),
    );
    tally.add_share(
        "position: own interval, truly extreme 94",
        share(extreme, |c| c.own),
    );
    cases.sort_by(|a, b| b.looks.total_cmp(&a.looks));
    let extreme = &cases[..twentieth];
    tally.add_share(
        "position: credible interval (95 on average), looks extreme 90",
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
    beside_518(played, rows, tally);
}

/// Positions said to be above number 518.
fn beside_518(played: &Played, rows: &serde_json::Map<String, Value>, tally: &mut Tally) {
    let Some(standard) = played.alphas.get(518) else {
        return;
    };
    let (mut named, mut wrong) = (0.0, 0.0);
    for (key, row) in rows {
        if key != "518" && number(row, "/s_above_518").is_some_and(|s| s <= 0.05) {
            let place: usize = key.parse().expect("a start number");
            named += 1.0;
            wrong += f64::from(u8::from(played.alphas[place] <= *standard));
        }
    }
    tally.add_share(
        "position: not above 518 though s_above_518 says so <= 5",
        wrong / f64::max(named, 1.0),
    );
}

struct Case {
    truly: f64,
    looks: f64,
    credible: bool,
    own: bool,
}

fn spread(design: &Design, played: &Played, json: &Value, tally: &mut Tally) {
    let shape = "/first_move/shape";
    let promise = match played.elo.len() > 240 {
        true => "spread of these positions, more than 240 of them 90",
        false => "spread of these positions 95",
    };
    tally.add(
        promise,
        holds(
            json,
            &format!("{shape}/sd_elo/1"),
            &format!("{shape}/sd_elo/2"),
            variance(&played.elo).sqrt(),
        ),
    );
    tally.add(
        "spread of these positions in logits (JSON, no promise)",
        holds(
            json,
            &format!("{shape}/sd_lo"),
            &format!("{shape}/sd_hi"),
            variance(&played.alphas).sqrt(),
        ),
    );
    farthest(played, json, tally);
    // White's scores without a model, and how much of a raw score is not luck.
    let score = |elo: &f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let variance = variance(&played.elo.iter().map(score).collect::<Vec<_>>());
    if design.apart == 0.0 {
        let layer = "/first_move/layer_a";
        let (low, high) = (format!("{layer}/tau2_lo"), format!("{layer}/tau2_hi"));
        tally.add(
            "spread without a model (JSON), these positions 95",
            holds(json, &low, &high, variance),
        );
    }
    let (low, high) = ("/first_move/hier/tau_lo", "/first_move/hier/tau_hi");
    if design.tau > 0.0 {
        tally.add(
            "spread under one normal (JSON, no promise)",
            holds(json, low, high, design.tau),
        );
    }
}

/// Over just these positions.
fn variance(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (count - 1.0)
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
        let all = number(json, "/first_move/equivalence/p_all");
        if all.is_some_and(|p| p >= 0.95) {
            tally.add(
                "all are within 20 Elo, said with P >= 0.95 95",
                truth <= 20.0,
            );
        }
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
        let dispersion = p("dispersion/by_pairs/p_value").or(p("dispersion/p_value"));
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

/// Tests of which only one level is promised.
fn tests_at_one_level(design: &Design, json: &Value, tally: &mut Tally) {
    let p = |name: &str| number(json, &format!("/first_move/{name}"));
    if design.tau == 0.0 {
        if let Some(p) = p("permutation_p") {
            tally.add("test: F by permutation <= 5", p <= 0.05);
        }
        if let Some(found) = p("bh_selected_q05") {
            tally.add(
                "test: any position with bh_q <= 0.05 (JSON) <= 5",
                found > 0.0,
            );
        }
    }
}

/// The checks of what the advantages look like; each event has three.
fn shape(design: &Design, json: &Value, tally: &mut Tally) {
    let mut check = |which: &str, name: &'static str| {
        let p = ["skewness", "kurtosis", "extreme"]
            .map(|part| number(json, &format!("/first_move/shape/{which}/{part}")));
        let small: Vec<bool> = p.iter().flatten().map(|p| *p < 0.05).collect();
        tally.add_mean(name, &small);
    };
    let is_normal = matches!(
        design.truth,
        Truth::Normal | Truth::Interaction | Truth::PairsShareWhite | Truth::PairsShareEngine
    );
    check(
        "predictive",
        "shape: the mixture fits, p < 0.05 (no promise)",
    );
    match is_normal || design.tau == 0.0 {
        true => check("predictive_if_normal", "shape: is normal, p < 0.05 <= 5"),
        false => check(
            "predictive_if_normal",
            "shape: is not normal, p < 0.05 (power)",
        ),
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
    let beyond = |los: f64| !(0.025..=0.975).contains(&los);
    if let Some(los) = number(json, "/match/by_position/los") {
        tally.add(
            "two engines: LOS by position beyond 97.5 % <= 5",
            beyond(los),
        );
    }
    let within = |value: &str, error: &str, truth: f64| {
        let (value, error) = (number(json, value)?, number(json, error)?);
        Some((value - truth).abs() <= error)
    };
    let fishtest = within("/match/fishtest/elo", "/match/fishtest/elo_error", these);
    if let Some(holds) = fishtest {
        tally.add(
            "two engines: Fishtest's Elo, just these positions (no promise)",
            holds,
        );
    }
    if design.truth != Truth::Interaction
        && let Some(los) = number(json, "/match/fishtest/los")
    {
        tally.add("two engines: LOS beyond 97.5 % <= 5", beyond(los));
        if let Some(holds) = within("/match/nelo/nelo", "/match/nelo/error_full", 0.0) {
            tally.add("two engines: nElo 95", holds);
        }
        let ratio = "/match/ratios/pairs_ratio";
        if number(json, ratio).is_some() {
            let (low, high) = (format!("{ratio}_lo"), format!("{ratio}_hi"));
            tally.add("two engines: pair ratio 95", holds(json, &low, &high, 1.0));
        }
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
        let mut held = Vec::new();
        for (i, ranks) in list("/ratings/ranks")
            .unwrap_or_default()
            .iter()
            .enumerate()
        {
            let (best, worst) = (ranks["best"].as_u64(), ranks["worst"].as_u64());
            let place = true_place(i) as u64;
            held.push(best.is_some_and(|b| b <= place) && worst.is_some_and(|w| place <= w));
        }
        tally.add_mean("many engines: set of places 95", &held);
        return;
    }
    equal_field(design, json, tally);
}

/// Engines of equal strength.
fn equal_field(design: &Design, json: &Value, tally: &mut Tally) {
    let list = |pointer: &str| -> Vec<Option<f64>> {
        let values = json.pointer(pointer).and_then(Value::as_array);
        values.into_iter().flatten().map(Value::as_f64).collect()
    };
    let near = |values: &str, errors: &str, factor: f64| -> Vec<bool> {
        let both = list(values).into_iter().zip(list(errors));
        both.filter_map(|(value, error)| Some(value?.abs() <= factor * error?))
            .collect()
    };
    let rating = near("/ratings/logistic/elo", "/ratings/elo_error", 1.0);
    tally.add_mean("many engines: rating 95", &rating);
    if design.truth != Truth::Interaction {
        let davidson = near("/ratings/davidson/elo", "/ratings/davidson/se", 1.96);
        tally.add_mean(
            "many engines: Davidson's rating, just these positions 95",
            &davidson,
        );
    }
    let bayes = near("/ratings/bayeselo/elo", "/ratings/bayeselo/se_cov", 1.96);
    tally.add_mean("many engines: BayesElo's rating (no promise)", &bayes);
    let matrix = json
        .pointer("/ratings/logistic/los")
        .and_then(Value::as_array);
    let rows = matrix.into_iter().flatten().enumerate();
    let mut beyond = Vec::new();
    for (i, row) in rows {
        let below = row.as_array().into_iter().flatten().take(i);
        beyond.extend(
            below
                .filter_map(Value::as_f64)
                .map(|los| !(0.025..=0.975).contains(&los)),
        );
    }
    tally.add_mean("many engines: LOS beyond 97.5 % <= 5", &beyond);
    let compared = json
        .pointer("/ratings/comparisons")
        .and_then(Value::as_array);
    let compared: Vec<&Value> = compared.into_iter().flatten().collect();
    if !compared.is_empty() {
        let inside = |found: &&Value| {
            let (elo, error) = (number(found, "/elo"), number(found, "/elo_error"));
            elo.zip(error)
                .is_some_and(|(elo, error)| elo.abs() <= error)
        };
        let sure = |found: &&Value| number(found, "/p_adjusted").is_some_and(|p| p < 0.05);
        tally.add(
            "many engines: every two, all hold together 95",
            compared.iter().all(inside),
        );
        tally.add(
            "many engines: every two, any p < 0.05 <= 5",
            compared.iter().any(sure),
        );
    }
    let white = number(json, "/ratings/logistic/white_elo");
    if let Some((elo, error)) = white.zip(number(json, "/ratings/white_elo_error")) {
        let truth = population_elo(design);
        tally.add(
            "many engines: White, positions like these 95",
            (elo - truth).abs() <= error,
        );
    }
}
