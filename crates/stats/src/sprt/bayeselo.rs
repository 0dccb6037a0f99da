//! BayesElo's scale, for bounds that were given in it, and the ratio of cutechess-cli.
//!
//! P(win) = 1/(1 + 10^((drawelo-b)/400)), P(loss) = 1/(1 + 10^((drawelo+b)/400)):
//! the model of Rao and Kupper as used by R. Coulom's BayesElo.

use crate::counts::Trinomial;
use crate::elo::elo_from_score;
use crate::sample::Sample;

/// The draw parameter of the games played, zero counts regularised: 200 log₁₀ of the
/// product of the odds of not losing and not winning. `None` without games.
pub fn drawelo(games: &Trinomial) -> Option<f64> {
    let sample = Sample::from(*games);
    if sample.is_empty() {
        return None;
    }
    Some(drawelo_of(sample.regularized().cells()))
}

/// The draw parameter of two equal engines that draw a share `draw_ratio`, in (0, 1).
pub fn drawelo_from_draw_ratio(draw_ratio: f64) -> f64 {
    let decided = (1.0 - draw_ratio) / 2.0;
    drawelo_of(&[decided, draw_ratio, decided])
}

fn drawelo_of(cells: &[f64]) -> f64 {
    let total: f64 = cells.iter().sum();
    let (loss, win) = (cells[0] / total, cells[2] / total);
    200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10()
}

/// Probabilities of loss, draw and win at BayesElo difference `bayeselo`.
pub fn probabilities(bayeselo: f64, drawelo: f64) -> [f64; 3] {
    let expected = |x: f64| 1.0 / (1.0 + 10f64.powf(x / 400.0));
    let (win, loss) = (expected(drawelo - bayeselo), expected(drawelo + bayeselo));
    [loss, (1.0 - win - loss).max(0.0), win]
}

/// The Elo difference with the mean score of a BayesElo difference.
pub fn logistic_elo(bayeselo: f64, drawelo: f64) -> f64 {
    let [loss, _, win] = probabilities(bayeselo, drawelo);
    elo_from_score((0.5 + 0.5 * (win - loss)).clamp(1e-12, 1.0 - 1e-12))
}

/// cutechess' ratio: half a game more in every cell, bounds divided by BayesElo's
/// scale 4x/(1+x)², x = 10^(-drawelo/400).
pub fn cutechess_llr(bounds: [f64; 2], games: &Trinomial) -> f64 {
    if games.games() == 0 {
        return 0.0;
    }
    let cells = games.0.map(|count| count as f64 + 0.5);
    let drawelo = drawelo_of(&cells);
    let x = 10f64.powf(-drawelo / 400.0);
    let scale = 4.0 * x / (1.0 + x).powi(2);
    let [p0, p1] = bounds.map(|bound| probabilities(bound / scale, drawelo));
    // A probability that underflows is as good as impossible, not infinitely so.
    let ln = |p: f64| p.max(f64::MIN_POSITIVE).ln();
    let terms = cells.iter().zip(p1.iter().zip(&p0));
    terms.map(|(n, (&p1, &p0))| n * (ln(p1) - ln(p0))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_draw_parameter_is_recovered() {
        let [loss, draw, win] = probabilities(0.0, 120.0);
        assert!((loss - win).abs() < 1e-15);
        assert!((drawelo_from_draw_ratio(draw) - 120.0).abs() < 1e-9);
        assert_eq!(drawelo(&Trinomial::default()), None);
    }

    #[test]
    fn even_matches_favour_neither_symmetric_bound() {
        let games = Trinomial([100, 300, 100]);
        let llr = cutechess_llr([-5.0, 5.0], &games);
        assert!(llr.abs() < 1e-9, "{llr}");
    }
}
