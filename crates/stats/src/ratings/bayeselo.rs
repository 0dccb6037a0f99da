//! Ratings as BayesElo computes them (R. Coulom): the model of Rao & Kupper
//! (1967), a prior of virtual draws, `mm 1 1` for White's advantage and the
//! draw parameter, and the displayed scale. For comparison with published
//! lists; the headline ratings are elsewhere.

use std::collections::BTreeMap;

use crate::games::Cell;
use crate::numeric::linear::Symmetric;

use super::ELO_PER_LOGIT;
use super::fit::FitError;
use super::input::RatingInput;

/// Ratings in the unscaled Elo of the model; BayesElo displays strengths and
/// errors multiplied by `scale`.
#[derive(Clone, Debug, PartialEq)]
pub struct BayesElo {
    /// Ratings, mean zero.
    pub elo: Vec<f64>,
    /// White's advantage.
    pub advantage: f64,
    /// The draw parameter.
    pub drawelo: f64,
    /// `4x / (1 + x)²`, `x = 10^(−drawelo/400)`.
    pub scale: f64,
    /// Errors from the diagonal of the Hessian (BayesElo's default).
    pub se_diagonal: Vec<f64>,
    /// Errors from the whole Hessian (its command `covariance`).
    pub se_covariance: Vec<f64>,
}

/// The number of virtual draws BayesElo gives each engine by default.
pub const PRIOR_DRAWS: f64 = 2.0;

impl BayesElo {
    /// Rates the engines with games; others get the mean.
    ///
    /// # Errors
    /// Without games, or where every game was drawn (the draw parameter is
    /// then infinite).
    pub fn new(input: &RatingInput, prior_draws: f64) -> Result<Self, FitError> {
        let engines = input.engines.len();
        let counts = ResultCounts::new(&input.colours, engines, prior_draws);
        let all: f64 = input.colours.iter().map(Cell::games).sum();
        let draws: f64 = input.colours.iter().map(Cell::draws).sum();
        match all {
            0.0 => return Err(FitError::NothingToRate),
            _ if all == draws => return Err(FitError::OnlyDraws),
            _ => {}
        }
        let parameters = counts.maximise()?;
        counts.displayed(&parameters)
    }
}

/// Real and virtual results of each (White, Black): White's losses, draws and
/// wins.
struct ResultCounts {
    engines: usize,
    results: BTreeMap<(usize, usize), [f64; 3]>,
}

impl ResultCounts {
    /// Each engine brings `prior / 4` virtual draws with each colour, spread
    /// over its opponents in proportion to the games.
    fn new(colours: &[Cell], engines: usize, prior: f64) -> Self {
        let mut results = BTreeMap::<(usize, usize), [f64; 3]>::new();
        let mut meetings = BTreeMap::<(usize, usize), f64>::new();
        let mut games = vec![0.0; engines];
        for cell in colours {
            let (white, black) = (usize::from(cell.white), usize::from(cell.black));
            let entry = results.entry((white, black)).or_default();
            entry
                .iter_mut()
                .zip(cell.results)
                .for_each(|(sum, n)| *sum += f64::from(n));
            *meetings
                .entry((white.min(black), white.max(black)))
                .or_default() += cell.games();
            games[white] += cell.games();
            games[black] += cell.games();
        }
        for ((a, b), met) in meetings.into_iter().filter(|(_, met)| *met > 0.0) {
            let share = 0.25 * prior * met * (1.0 / games[a] + 1.0 / games[b]);
            results.entry((a, b)).or_default()[1] += share;
            results.entry((b, a)).or_default()[1] += share;
        }
        Self { engines, results }
    }

    /// Newton's method on (strengths, advantage, draw parameter), all in
    /// natural logarithms; the posterior is concave.
    fn maximise(&self) -> Result<Vec<f64>, FitError> {
        let mut parameters = vec![0.0; self.engines + 2];
        parameters[self.engines + 1] = 0.6;
        for _ in 0..200 {
            let (gradient, mut information) = self.derivatives(&parameters);
            self.regularise(&mut information);
            let step = information
                .cholesky()
                .ok_or(FitError::Singular)?
                .solve(&gradient);
            let largest = step.iter().fold(0.0_f64, |a, s| a.max(s.abs()));
            let draw = parameters[self.engines + 1];
            // The draw parameter must stay positive.
            let room = if step[self.engines + 1] < 0.0 {
                -0.5 * draw / step[self.engines + 1]
            } else {
                1.0
            };
            let share = (1.0 / largest).min(room).min(1.0);
            parameters
                .iter_mut()
                .zip(&step)
                .for_each(|(p, s)| *p += share * s);
            if largest < 1e-10 {
                return Ok(parameters);
            }
        }
        Err(FitError::Unbounded)
    }

    fn regularise(&self, information: &mut Symmetric) {
        let mut parent: Vec<usize> = (0..self.engines).collect();
        let root = |parent: &[usize], mut engine: usize| {
            while parent[engine] != engine {
                engine = parent[engine];
            }
            engine
        };
        for &(a, b) in self.results.keys() {
            let (a, b) = (root(&parent, a), root(&parent, b));
            parent[a] = b;
        }
        for group in 0..self.engines {
            let members: Vec<(usize, f64)> = (0..self.engines)
                .filter(|engine| root(&parent, *engine) == group)
                .map(|engine| (engine, 1.0))
                .collect();
            information.add_outer_sparse(&members, 1.0);
        }
    }

    /// Gradient and information. With `a` = wins + draws and `b` = losses +
    /// draws, `ln L = a ln F(x−d) + b ln F(−x−d) + draws · ln(e^{2d} − 1)`.
    fn derivatives(&self, parameters: &[f64]) -> (Vec<f64>, Symmetric) {
        let (advantage, draw) = (self.engines, self.engines + 1);
        let mut gradient = vec![0.0; self.engines + 2];
        let mut information = Symmetric::zeros(self.engines + 2);
        let d = parameters[draw];
        let gap = -(-2.0 * d).exp_m1();
        for (&(white, black), &[losses, draws, wins]) in &self.results {
            let x = parameters[white] - parameters[black] + parameters[advantage];
            let (f, g) = (1.0 / (1.0 + (d - x).exp()), 1.0 / (1.0 + (d + x).exp()));
            let (a, b) = (wins + draws, losses + draws);
            let entries = [(white, 1.0), (black, -1.0), (advantage, 1.0)];
            let slope = a * (1.0 - f) - b * (1.0 - g);
            let (left, right) = (a * f * (1.0 - f), b * g * (1.0 - g));
            entries
                .iter()
                .for_each(|(place, sign)| gradient[*place] += sign * slope);
            gradient[draw] += -a * (1.0 - f) - b * (1.0 - g) + 2.0 * draws / gap;
            information.add_outer_sparse(&entries, left + right);
            entries
                .iter()
                .for_each(|(place, sign)| information.add(draw, *place, sign * (right - left)));
            let curvature = 4.0 * draws * (-2.0 * d).exp() / (gap * gap);
            information.add(draw, draw, left + right + curvature);
        }
        (gradient, information)
    }

    fn displayed(&self, parameters: &[f64]) -> Result<BayesElo, FitError> {
        let drawelo = parameters[self.engines + 1] * ELO_PER_LOGIT;
        let x = (-parameters[self.engines + 1]).exp();
        let scale = 4.0 * x / (1.0 + x).powi(2);
        let (_, mut information) = self.derivatives(parameters);
        let inverse_root = |value: f64| {
            if value > 0.0 {
                ELO_PER_LOGIT / value.sqrt()
            } else {
                0.0
            }
        };
        let se_diagonal = (0..self.engines)
            .map(|e| inverse_root(information.at(e, e)))
            .collect();
        self.regularise(&mut information);
        let se_covariance = self.covariance_errors(&information)?;
        let elo = parameters[..self.engines]
            .iter()
            .map(|theta| theta * ELO_PER_LOGIT)
            .collect();
        let advantage = parameters[self.engines] * ELO_PER_LOGIT;
        Ok(BayesElo {
            elo,
            advantage,
            drawelo,
            scale,
            se_diagonal,
            se_covariance,
        })
    }

    /// The strengths' errors with advantage and draw parameter held, as
    /// BayesElo does.
    fn covariance_errors(&self, information: &Symmetric) -> Result<Vec<f64>, FitError> {
        let mut strengths = Symmetric::zeros(self.engines);
        for i in 0..self.engines {
            (0..=i).for_each(|j| strengths.set(i, j, information.at(i, j)));
        }
        let inverse = strengths.cholesky().ok_or(FitError::Singular)?.inverse();
        let share = 1.0 / (self.engines as f64).powi(2);
        Ok((0..self.engines)
            .map(|e| (inverse.at(e, e) - share).max(0.0).sqrt() * ELO_PER_LOGIT)
            .collect())
    }
}
