//! Errors of long lists: rating lists and human games, where a matrix of every two players would not
//! fit.
//!
//! A sandwich takes a player's error from his own few games; for a player who drew both of his games it gives no error.
//! So one dispersion holds for all: `φ = Σ residuals² / Σ variances` over pairs and single games (McCullagh & Nelder
//! 1989), and the covariance is `φ H⁻¹`. Its diagonal comes from vectors drawn with the covariance `H`, in Rao and
//! Blackwell's form: the part by a player's own games, `1/H_ii`, is exact, and the draws add what his opponents' errors
//! do (Sidén et al. 2018). White's advantage has the sandwich itself, which needs one column of `H⁻¹`.

use std::collections::BTreeMap;

use crate::games::Cell;
use crate::numeric::{SplitMix, beside};

use super::connectivity::{FEWEST_POSITIONS, RatingInput, pairs};
use super::fit::ModelFit;
use super::information::Information;

/// Vectors solved at once.
const LANES: usize = 8;
/// Such groups of vectors, on each of two threads.
const GROUPS: u64 = 16;

/// The dispersion, and the variances of all parameters; `None` where White's advantage has no error.
pub(super) fn variances(fit: &ModelFit, input: &RatingInput) -> Option<(Dispersion, Vec<f64>)> {
    let dispersion = Dispersion::new(fit, input);
    let information = fit.information(input);
    let mut variances = diagonal_of_inverse(fit, &information);
    variances
        .iter_mut()
        .for_each(|variance| *variance *= dispersion.value);
    if let Some(place) = fit.layout.white {
        variances[place] = white(fit, input, &information, place)?;
    }
    Some((dispersion, variances))
}

/// Degrees of freedom from which on a dispersion is estimated. Scores between 0 and 1 have none above 1.
const FEWEST_FREEDOM: usize = 10;

/// One dispersion for all.
pub(super) struct Dispersion {
    /// By which variances of the model are multiplied.
    pub(super) value: f64,
    /// Degrees of freedom with which it is known.
    pub(super) freedom: f64,
    /// Pairs, and games outside of pairs.
    pub(super) units: usize,
}

impl Dispersion {
    /// Squares of what the players scored beyond expectation, over their variances by the model; the largest that scores
    /// can have if too few observations are left beyond the ratings themselves.
    pub(super) fn new(fit: &ModelFit, input: &RatingInput) -> Self {
        let (mut units, mut squares, mut variances) = (0, 0.0, 0.0);
        for (games, count) in pairs(input) {
            let expected = games.iter().map(|game| fit.moments(game.white, game.black));
            let Some(expected) = expected.collect::<Option<Vec<_>>>() else {
                continue;
            };
            // Beyond expectation for the one that has White in the first game.
            let own = games.iter().zip(&expected).map(|(game, expected)| {
                let residual = game.score() - expected.score;
                if game.white == games[0].white {
                    residual
                } else {
                    -residual
                }
            });
            let own: f64 = own.sum();
            units += count as usize;
            squares += f64::from(count) * own * own;
            let variance: f64 = expected.iter().map(|one| one.score_variance).sum();
            variances += f64::from(count) * variance;
        }
        let rated = fit.connectivity.unrated.iter().filter(|why| why.is_none());
        let left = units.saturating_sub(rated.count());
        let freedom = left as f64;
        let (value, freedom) = if left >= FEWEST_FREEDOM {
            (squares / variances * units as f64 / freedom, freedom)
        } else {
            (1.0, f64::INFINITY)
        };
        Self {
            value,
            freedom,
            units,
        }
    }
}

fn diagonal_of_inverse(fit: &ModelFit, information: &Information) -> Vec<f64> {
    let own = information.diagonal();
    let mut free = vec![None; own.len()];
    for group in &fit.layout.floating {
        group
            .iter()
            .for_each(|place| free[*place] = Some(group.len()));
    }
    let sums = |seed: u64| squares(information, &own, seed);
    let (one, other) = beside(|| sums(1), || sums(2));
    let draws = (2 * GROUPS) as f64 * LANES as f64;
    let variance = |place: usize| {
        if fit.layout.is_fixed(place) {
            0.0
        } else {
            let left = free[place].map_or(1.0, |size| 1.0 - 2.0 / size as f64);
            left / own[place] + (one[place] + other[place]) / draws
        }
    };
    (0..own.len()).map(variance).collect()
}

/// Sums over draws of the squares of what the others' errors do to each parameter.
fn squares(information: &Information, own: &[f64], seed: u64) -> Vec<f64> {
    let mut sums = vec![0.0; own.len()];
    let mut random = SplitMix::new(960 + seed);
    for _ in 0..GROUPS {
        let noise = information.noise::<LANES>(|| random.bits());
        let (drawn, _) = information.solve(&noise, 1e-3);
        for (place, sum) in sums.iter_mut().enumerate() {
            let others = |k: usize| drawn[place][k] - noise[place][k] / own[place];
            *sum += (0..LANES).map(|k| others(k).powi(2)).sum::<f64>();
        }
    }
    sums
}

/// The sandwich's variance of White's advantage, by position where there are some.
fn white(
    fit: &ModelFit,
    input: &RatingInput,
    information: &Information,
    place: usize,
) -> Option<f64> {
    let mut unit = vec![[0.0]; fit.layout.size];
    unit[place] = [1.0];
    let (column, _) = information.solve(&unit, 1e-9);
    let influence = |cell: &Cell| {
        let expected = fit.moments(cell.white, cell.black)?;
        let [one, other] = [cell.white, cell.black].map(|e| column[usize::from(e)][0]);
        let residual = cell.score() - cell.games() * expected.score;
        Some((one - other + column[place][0]) * residual)
    };
    let by_position = input.positions() >= FEWEST_POSITIONS;
    let clusters: Vec<f64> = if by_position {
        input
            .cells
            .chunk_by(|a, b| a.start == b.start)
            .map(|cells| cells.iter().filter_map(influence).sum())
            .collect()
    } else {
        by_meeting(&input.colours, influence)
    };
    let count = clusters.len() as f64;
    let squares: f64 = clusters.iter().map(|u| u * u).sum();
    (count > 1.0).then(|| squares * count / (count - 1.0))
}

/// Sums over both colours of two players.
fn by_meeting(colours: &[Cell], influence: impl Fn(&Cell) -> Option<f64>) -> Vec<f64> {
    let mut sums = BTreeMap::<[u16; 2], f64>::new();
    for cell in colours {
        if let Some(own) = influence(cell) {
            let players = [cell.white.min(cell.black), cell.white.max(cell.black)];
            *sums.entry(players).or_default() += own;
        }
    }
    sums.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameFlags, GameRow, GameScore, GameTable};
    use crate::ratings::fit::MOST_DENSE;
    use crate::ratings::{ELO_PER_LOGIT, GameModel};

    /// Single games of players who meet their neighbours on a ring, so that errors travel far.
    fn ring(players: u16, games: usize) -> GameTable {
        let mut random = SplitMix::new(5);
        let names = (0..players).map(|player| format!("Player {player}"));
        let mut table = GameTable::new(names.collect());
        for _ in 0..games {
            let white = random.below(players.into()) as u16;
            let black = (white + 1 + random.below(4) as u16) % players;
            let result = GameScore::ALL[random.below(3)];
            let (start, pair, flags) = (random.below(40) as u32, None, GameFlags::default());
            let row = GameRow {
                white,
                black,
                start,
                pair,
                result,
                flags,
            };
            table.push(row).expect("a valid game");
        }
        table
    }

    fn fitted(input: &RatingInput) -> ModelFit {
        ModelFit::new(GameModel::Logistic, input, &[], true).expect("ratings")
    }

    /// 256 draws know a standard deviation to 4 %, and here, where errors travel far, they are most of it.
    #[test]
    fn errors_are_those_of_the_whole_matrix() {
        let input = RatingInput::new(&ring(120, 1500));
        let fit = fitted(&input);
        let (_, found) = variances(&fit, &input).expect("errors");
        let inverse = fit.inverse_information.as_ref().expect("few players");
        let phi = Dispersion::new(&fit, &input).value;
        // White's advantage, the last, has the sandwich.
        for (player, drawn) in found.iter().take(120).enumerate() {
            let exact = (phi * inverse.at(player, player)).sqrt();
            let drawn = drawn.sqrt();
            assert!(
                (drawn / exact - 1.0).abs() < 0.12,
                "{player}: {drawn} {exact}"
            );
        }
    }

    /// 2,000 players on a ring: the diagonal alone would take hundreds of steps.
    #[test]
    fn long_graphs_take_few_steps() {
        let input = RatingInput::new(&ring(2000, 20_000));
        let fit = fitted(&input);
        let information = fit.information(&input);
        let noise = information.noise::<1>(|| 1);
        let (solved, steps) = information.solve(&noise, 1e-9);
        assert!(steps.is_some_and(|steps| steps < 40), "{steps:?}");
        let left = information.times(&solved);
        let largest = left.iter().zip(&noise).map(|(a, b)| (a[0] - b[0]).abs());
        assert!(largest.fold(0.0, f64::max) < 1e-5);
    }

    #[test]
    fn a_long_list_is_rated_and_its_ratings_explain_the_scores() {
        let input = RatingInput::new(&ring(4 * MOST_DENSE as u16, 12_000));
        let fit = fitted(&input);
        assert!(fit.inverse_information.is_none());
        let mut left = vec![0.0; input.engines.len()];
        for cell in &input.colours {
            let expected = fit.moments(cell.white, cell.black);
            let beyond = expected.map_or(0.0, |m| cell.score() - cell.games() * m.score);
            left[usize::from(cell.white)] += beyond;
            left[usize::from(cell.black)] -= beyond;
        }
        let of_rated = left
            .iter()
            .zip(&fit.connectivity.unrated)
            .filter(|(_, why)| why.is_none());
        assert!(of_rated.into_iter().all(|(left, _)| left.abs() < 1e-7));
        let (_, variances) = variances(&fit, &input).expect("errors");
        let white = fit.layout.white.expect("White");
        let white = variances[white].sqrt() * ELO_PER_LOGIT;
        assert!((1.5..3.5).contains(&white), "{white}");
    }
}
