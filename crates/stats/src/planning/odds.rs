//! Which time ratio makes a start, or a set of starts, level: White's score as a logistic curve of the logarithm of the
//! ratio, and the place where it is one half.

use std::collections::BTreeMap;

use crate::numeric::distributions::student_quantile;
use crate::numeric::linear::Symmetric;
use crate::{StatisticsError, refused};

/// Games from one start at one ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioGames {
    /// What these games share with others: their start.
    pub start: u32,
    /// White's time divided by Black's, above 0.
    pub ratio: f64,
    /// Number of games.
    pub games: f64,
    /// White's points.
    pub points: f64,
}

/// Where White's score is one half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelRatio {
    /// White's time divided by Black's.
    pub ratio: f64,
    /// The ends of its interval; `None` where the games leave it open.
    pub interval: Option<[f64; 2]>,
    /// How much the logarithm of White's odds grows when its time doubles, and the standard error.
    pub per_doubling: [f64; 2],
    /// Starts; the interval treats the games of one as one observation.
    pub starts: usize,
}

/// Rounds of the fit; it converges in about five.
const MAX_ROUNDS: usize = 50;

/// The ratio at which White scores one half, with its interval at this level (0.95).
///
/// Quasi-likelihood with one cluster a start (Liang and Zeger 1986), factor c / (c − 1), Student's distribution with
/// c − 1 degrees of freedom; the interval of the root by Fieller's theorem (1954).
///
/// # Errors
/// The games do not make a curve.
pub fn level_ratio(cells: &[RatioGames], level: f64) -> Result<LevelRatio, StatisticsError> {
    if cells.windows(2).all(|two| two[0].ratio == two[1].ratio) {
        return refused("games at two ratios or more are needed");
    }
    let mut by_start: BTreeMap<u32, Vec<RatioGames>> = BTreeMap::new();
    for cell in cells {
        by_start.entry(cell.start).or_default().push(*cell);
    }
    let starts = by_start.len();
    let quantile = student_quantile(0.5 + level / 2.0, starts as f64 - 1.0);
    let Some(quantile) = quantile.filter(|_| starts > 1) else {
        return refused("games from two starts or more are needed");
    };
    let curve = fit(cells).filter(|[_, b]| *b > 0.0);
    let curve =
        curve.and_then(|curve| Some((curve, information(cells, curve).cholesky()?.inverse())));
    let Some(([a, b], bread)) = curve else {
        return refused("White's score does not grow with its time in these games");
    };
    let mut meat = Symmetric::zeros(2);
    for own in by_start.values() {
        let score = score(own, [a, b]);
        meat.add_outer(&score, starts as f64 / (starts as f64 - 1.0));
    }
    let variances = bread.sandwich(&meat);
    let [vaa, vab, vbb] = [(0, 0), (0, 1), (1, 1)].map(|(i, j)| variances.at(i, j));
    let factor = quantile * quantile;
    // (a + bx)² ≤ t² var(a + bx), a quadratic in x.
    let square = b * b - factor * vbb;
    let half = a * b - factor * vab;
    let constant = a * a - factor * vaa;
    let root = (half * half - square * constant).max(0.0).sqrt();
    let ends = (square > 0.0).then(|| [(-half - root) / square, (-half + root) / square]);
    Ok(LevelRatio {
        ratio: (-a / b).exp(),
        interval: ends.map(|ends| ends.map(f64::exp)),
        per_doubling: [b, vbb.sqrt()].map(|value| value * std::f64::consts::LN_2),
        starts,
    })
}

/// White's expected score at this logarithm of the ratio.
fn expected([a, b]: [f64; 2], log_ratio: f64) -> f64 {
    1.0 / (1.0 + (-(a + b * log_ratio)).exp())
}

/// The derivative of the quasi-likelihood.
fn score(cells: &[RatioGames], curve: [f64; 2]) -> [f64; 2] {
    let terms = cells.iter().map(|cell| {
        let x = cell.ratio.ln();
        let rest = cell.points - cell.games * expected(curve, x);
        [rest, rest * x]
    });
    terms.fold([0.0; 2], |sum, term| [sum[0] + term[0], sum[1] + term[1]])
}

/// Minus its second derivative.
fn information(cells: &[RatioGames], curve: [f64; 2]) -> Symmetric {
    let mut sum = Symmetric::zeros(2);
    for cell in cells {
        let x = cell.ratio.ln();
        let p = expected(curve, x);
        sum.add_outer(&[1.0, x], cell.games * p * (1.0 - p));
    }
    sum
}

fn fit(cells: &[RatioGames]) -> Option<[f64; 2]> {
    let mut curve = [0.0; 2];
    for _ in 0..MAX_ROUNDS {
        let step = information(cells, curve)
            .cholesky()?
            .solve(&score(cells, curve));
        // Longer steps overshoot.
        let longest = step[0].abs().max(step[1].abs());
        let share = if longest > 2.0 { 2.0 / longest } else { 1.0 };
        curve = [curve[0] + share * step[0], curve[1] + share * step[1]];
        if longest < 1e-10 {
            return Some(curve);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::SplitMix;

    /// Games of a curve with this root, whose starts differ by this much.
    fn played(random: &mut SplitMix, root: f64, spread: f64, starts: u32) -> Vec<RatioGames> {
        let mut cells = Vec::new();
        for start in 0..starts {
            let own = spread * random.normal();
            for ratio in [0.25, 0.5, 1.0, 2.0] {
                let log: f64 = f64::ln(ratio / root);
                let p = expected([own, 0.8], log);
                let games = 6.0;
                let points = (0..6).filter(|_| random.uniform() < p).count() as f64;
                cells.push(RatioGames {
                    start,
                    ratio,
                    games,
                    points,
                });
            }
        }
        cells
    }

    #[test]
    fn the_interval_holds_the_true_ratio_as_often_as_it_says() {
        let mut random = SplitMix::new(7);
        for (root, spread) in [(0.6, 0.0), (0.6, 0.5), (1.0, 0.3)] {
            let (mut held, mut known) = (0, 0);
            for _ in 0..600 {
                let cells = played(&mut random, root, spread, 30);
                let found = level_ratio(&cells, 0.95).unwrap();
                if let Some([low, high]) = found.interval {
                    known += 1;
                    held += i32::from(low <= root && root <= high);
                }
            }
            assert!(known > 590, "{known}");
            let share = f64::from(held) / f64::from(known);
            assert!((0.93..=0.975).contains(&share), "{root} {spread}: {share}");
        }
    }

    #[test]
    fn what_makes_no_curve_is_refused() {
        let cell = |start, ratio, points| RatioGames {
            start,
            ratio,
            games: 10.0,
            points,
        };
        let one = [cell(1, 1.0, 5.0), cell(2, 1.0, 6.0)];
        assert_eq!(
            level_ratio(&one, 0.95),
            refused("games at two ratios or more are needed")
        );
        assert_eq!(
            level_ratio(&[], 0.95),
            refused("games at two ratios or more are needed")
        );
        let start = [cell(1, 1.0, 5.0), cell(1, 2.0, 6.0)];
        assert_eq!(
            level_ratio(&start, 0.95),
            refused("games from two starts or more are needed")
        );
        let falling = [
            cell(1, 1.0, 7.0),
            cell(1, 2.0, 3.0),
            cell(2, 1.0, 6.0),
            cell(2, 2.0, 4.0),
        ];
        assert_eq!(
            level_ratio(&falling, 0.95),
            refused("White's score does not grow with its time in these games")
        );
        let won = [
            cell(1, 1.0, 10.0),
            cell(1, 2.0, 10.0),
            cell(2, 1.0, 10.0),
            cell(2, 2.0, 10.0),
        ];
        assert_eq!(
            level_ratio(&won, 0.95),
            refused("White's score does not grow with its time in these games")
        );
    }
}
