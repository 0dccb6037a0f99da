//! Simulation gates of the first-move advantage (requirement R10), seeded.

use arbiter960::stats::advantage::hierarchical::{AdvantagePosterior, HierarchicalOptions, Prior};
use arbiter960::stats::advantage::verdict::{RankVerdict, verdicts};
use arbiter960::stats::advantage::{AdvantageOptions, AdvantageReport};

use super::simulated_events::Event;
use super::study;

/// Two engines on a quarter of the positions, which takes a quarter of the time for as many events; on
/// all where the page's figures are made.
fn two_engines(pairs: u32, tau: f64) -> Event {
    Event {
        positions: if study::is_large() { 960 } else { 240 },
        ..Event::two_engines(pairs, 0.35, tau, 0.5)
    }
}

fn fit(event: &Event, seed: u64) -> (AdvantagePosterior, Vec<f64>) {
    let (games, alphas) = event.play(seed);
    let options = HierarchicalOptions::default();
    let fit = AdvantagePosterior::new(games.engines().len(), &games.cells(), &options);
    (fit.expect("a fit"), alphas)
}

/// Share of positions whose interval holds the true advantage.
fn coverage(fit: &AdvantagePosterior, alphas: &[f64]) -> f64 {
    let covered = |(position, alpha): &(
        &arbiter960::stats::advantage::hierarchical::PositionPosterior,
        &f64,
    )| { position.interval.0 <= **alpha && **alpha <= position.interval.1 };
    fit.positions.iter().zip(alphas).filter(covered).count() as f64 / alphas.len() as f64
}

/// Named positions, and those among them named with the wrong sign.
fn named(fit: &AdvantagePosterior, alphas: &[f64]) -> (usize, usize) {
    let mean = alphas.iter().sum::<f64>() / alphas.len() as f64;
    let wrong = |(verdict, alpha): &(&RankVerdict, &f64)| match verdict {
        RankVerdict::AboveAverage => **alpha <= mean,
        RankVerdict::BelowAverage => **alpha >= mean,
        RankVerdict::NotDistinguishable => false,
    };
    let verdicts = verdicts(&fit.positions);
    let count = verdicts
        .iter()
        .filter(|v| **v != RankVerdict::NotDistinguishable)
        .count();
    (count, verdicts.iter().zip(alphas).filter(wrong).count())
}

#[test]
fn intervals_cover_the_truth_with_ten_pairs() {
    let event = two_engines(10, 0.3);
    let runs = study::size(40);
    let fits = (0..runs).map(|seed| fit(&event, 1000 + seed));
    let (mut covered, mut tau) = (0.0, 0.0);
    for (fit, alphas) in fits {
        covered += coverage(&fit, &alphas) / runs as f64;
        tau += fit.tau_hat / runs as f64;
    }
    println!("{runs} runs, 10 pairs: coverage {covered:.4}, mean τ {tau:.4}, true 0.3");
    assert!((0.92..=0.97).contains(&covered), "coverage {covered}");
    assert!((tau - 0.3).abs() < 0.02, "mean τ {tau}");
}

#[test]
fn named_positions_have_the_right_sign_with_fifty_pairs() {
    let event = Event::two_engines(50, 0.35, 0.3, 0.5);
    let runs = study::size(10);
    let mut share = 0.0;
    let mut found = 0;
    for seed in 0..runs {
        let (fit, alphas) = fit(&event, 2000 + seed);
        let (count, wrong) = named(&fit, &alphas);
        found += count;
        share += wrong as f64 / count.max(1) as f64 / runs as f64;
    }
    println!("{runs} runs, 50 pairs: {found} named, mean false-sign share {share:.4}");
    assert!(found > 100 * runs as usize, "only {found} named");
    assert!(share <= 0.06, "false-sign share {share}");
}

#[test]
fn nothing_is_named_where_nothing_varies() {
    let event = two_engines(4, 0.0);
    let runs = study::size(100);
    let (mut rejected, mut flagged) = (0, 0);
    for seed in 0..runs {
        let (fit, alphas) = fit(&event, 3000 + seed);
        rejected += usize::from(fit.likelihood_ratio_p < 0.05);
        flagged += named(&fit, &alphas).0;
    }
    println!("{runs} runs without variation: {rejected} rejected, {flagged} positions named");
    assert!(
        rejected as f64 <= 0.08 * runs as f64,
        "{rejected} rejections"
    );
    assert!(flagged <= runs as usize / 20, "{flagged} positions named");
}

/// Two engines on positions that differ in drawishness as well: models M1 and M2, both under
/// the normal prior, the only one that M2 knows, so that they differ in the draws alone.
fn draw_propensity_event(omega: f64, seed: u64) -> (AdvantagePosterior, AdvantagePosterior) {
    let event = Event {
        positions: 200,
        omega,
        ..Event::two_engines(30, 0.35, 0.3, 0.5)
    };
    let (games, _) = event.play(seed);
    let fit = |draw_propensity| {
        let options = HierarchicalOptions {
            draw_propensity,
            prior: Prior::Normal,
            ..Default::default()
        };
        AdvantagePosterior::new(2, &games.cells(), &options).expect("a fit")
    };
    (fit(false), fit(true))
}

#[test]
fn the_spread_of_drawishness_is_found() {
    let (m1, m2) = draw_propensity_event(0.5, 7);
    eprintln!(
        "ω {:.3}, τ {:.3} (without ω {:.3})",
        m2.omega, m2.tau_hat, m1.tau_hat
    );
    assert!((m2.omega - 0.5).abs() < 0.1, "ω {}", m2.omega);
    assert!((m2.tau_hat - m1.tau_hat).abs() < 0.03);
    let differ = |(a, b): (&f64, f64)| (a - b).abs();
    let widths = |fit: &AdvantagePosterior| -> Vec<f64> {
        fit.positions.iter().map(|p| p.alpha.se).collect()
    };
    let largest = widths(&m1)
        .iter()
        .zip(widths(&m2))
        .map(differ)
        .fold(0.0, f64::max);
    assert!(largest > 0.001 && largest < 0.1, "{largest}");
}

#[test]
fn without_a_spread_of_drawishness_both_models_agree() {
    let (m1, m2) = draw_propensity_event(0.0, 8);
    eprintln!(
        "ω {:.3}, τ {:.3} (without ω {:.3})",
        m2.omega, m2.tau_hat, m1.tau_hat
    );
    assert!(m2.omega < 0.2, "ω {}", m2.omega);
    for (a, b) in m1.positions.iter().zip(&m2.positions) {
        assert!((a.alpha.value - b.alpha.value).abs() < 0.1 * a.alpha.se);
    }
}

#[test]
fn lists_of_favourable_positions_hold_only_what_is_separated() {
    let none = report(&Event {
        positions: 100,
        ..Event::two_engines(4, 0.35, 0.0, 0.5)
    });
    assert!(none.most_favourable().is_empty() && none.least_favourable().is_empty());
    assert!(none.permutation_p.is_some_and(|p| p > 0.05));
    let some = report(&Event {
        positions: 100,
        ..Event::two_engines(20, 0.35, 1.5, 0.5)
    });
    assert!(some.permutation_p.is_some_and(|p| p < 0.01));
    let elo: Vec<f64> = some
        .most_favourable()
        .iter()
        .filter_map(|p| p.elo)
        .collect();
    assert!(
        elo.len() > 10 && elo.windows(2).all(|two| two[0] >= two[1] - 1e-9),
        "{elo:?}"
    );
    assert!(
        some.most_favourable()
            .iter()
            .all(|p| p.svalue.is_some_and(|s| s <= 0.05))
    );
}

fn report(event: &Event) -> AdvantageReport {
    let options = AdvantageOptions {
        permutations: 199,
        ..Default::default()
    };
    AdvantageReport::new(&event.play(77).0, &options, |_| None)
}
