//! Gates on three truths that no model here assumes: a few positions that carry all
//! differences, heavy tails, and engines that like positions. Short; `cargo bench --bench truths`
//! prints what every figure of `stats` does under all of them.

use arbiter960::stats::advantage::{AdvantageOptions, AdvantageReport, RankVerdict};

use super::simulated_truths::{Design, Played, Truth};

/// What was found over several events.
#[derive(Default)]
struct Found {
    positions: f64,
    covered: f64,
    /// At the twentieth of the positions that look most extreme.
    looked: f64,
    look_covered: f64,
    named: f64,
    /// Shares of wrong signs among the named, event by event.
    wrong: Vec<f64>,
    if_normal: usize,
    selected_missed: f64,
    spreads_covered: f64,
}

fn analyse(design: &Design, events: u64) -> Found {
    let mut found = Found::default();
    for seed in 1..=events {
        let played = design.play(seed);
        let report = AdvantageReport::new(&played.table, &AdvantageOptions::default(), |_| None);
        found.enter(&played, &report);
    }
    found
}

impl Found {
    fn enter(&mut self, played: &Played, report: &AdvantageReport) {
        let mean = played.alphas.iter().sum::<f64>() / played.alphas.len() as f64;
        let inside = |ends: (Option<f64>, Option<f64>), truth: f64| {
            // An end that is missing is open: where White won every game, say.
            let low = ends.0.unwrap_or(f64::NEG_INFINITY);
            let high = ends.1.unwrap_or(f64::INFINITY);
            f64::from(u8::from(low <= truth && truth <= high))
        };
        let (mut named, mut wrong) = (0.0, 0.0);
        let mut by_distance = Vec::new();
        for position in &report.positions {
            let place = position.start as usize;
            let (alpha, elo) = (played.alphas[place], played.elo[place]);
            let covered = inside((position.elo_lo, position.elo_hi), elo);
            self.positions += 1.0;
            self.covered += covered;
            let distance = position.alpha.expect("an estimate") - mean;
            by_distance.push((distance.abs(), covered));
            let sign = match position.verdict.expect("a verdict") {
                RankVerdict::AboveAverage => 1.0,
                RankVerdict::BelowAverage => -1.0,
                RankVerdict::NotDistinguishable => continue,
            };
            named += 1.0;
            wrong += f64::from(u8::from(sign * (alpha - mean) <= 0.0));
            let ends = (position.selected_elo_lo, position.selected_elo_hi);
            self.selected_missed += 1.0 - inside(ends, elo);
        }
        by_distance.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, covered) in &by_distance[..by_distance.len().div_ceil(20)] {
            self.looked += 1.0;
            self.look_covered += covered;
        }
        self.named += named;
        self.wrong.push(wrong / f64::max(named, 1.0));
        let shape = report.shape.expect("a mixture");
        self.if_normal += shape.named_if_normal;
        let elo_mean = played.elo.iter().sum::<f64>() / played.elo.len() as f64;
        let squares = played.elo.iter().map(|elo| (elo - elo_mean).powi(2));
        let sd = (squares.sum::<f64>() / (played.elo.len() - 1) as f64).sqrt();
        let [_, low, high] = shape.sd_elo;
        self.spreads_covered += inside((Some(low), Some(high)), sd);
    }

    /// What must hold under every truth.
    fn check(&self, what: &str) {
        let events = self.wrong.len() as f64;
        let wrong = self.wrong.iter().sum::<f64>() / events;
        let covered = self.covered / self.positions;
        let looked = self.look_covered / self.looked;
        let missed = self.selected_missed / self.named.max(1.0);
        println!(
            "{what}: {} named ({} under one normal), wrong {wrong:.3}, intervals {covered:.3}, \
             of the extreme {looked:.3}, selected missed {missed:.3}, spread {:.2}",
            self.named,
            self.if_normal,
            self.spreads_covered / events
        );
        assert!(wrong <= 0.06, "{what}: wrong signs {wrong}");
        assert!((0.925..=0.999).contains(&covered), "{what}: {covered}");
        assert!(looked >= 0.88, "{what}: extreme {looked}");
        assert!(missed <= 0.1, "{what}: selected {missed}");
        assert!(self.spreads_covered >= 0.8 * events, "{what}: spread");
        assert!(self.named >= events, "{what}: {} named", self.named);
    }
}

#[test]
fn few_positions_that_carry_all_differences_do_not_name_others() {
    let found = analyse(&Design::two_engines(Truth::Sparse, 240, 12, 0.5), 12);
    found.check("sparse");
    assert!(
        found.named < 0.8 * found.if_normal as f64,
        "one normal distribution names {}, the mixture {}",
        found.if_normal,
        found.named
    );
}

#[test]
fn heavy_tails_keep_the_promises() {
    analyse(&Design::two_engines(Truth::HeavyTails, 240, 12, 0.5), 12).check("t3");
}

#[test]
fn engines_that_like_positions_keep_the_promises() {
    analyse(&Design::two_engines(Truth::Interaction, 240, 12, 0.5), 12).check("interaction");
}
