//! What the games tell of the parameters, kept by White and Black. A product costs one step for each such pair, so a
//! list of 30,000 players, most of whom never met, is as easy to solve as to read.

use crate::games::Cell;
use crate::numeric::linear::Symmetric;

use super::models::{GameMoments, Layout};

/// The information matrix, made regular by its [`Layout`].
#[derive(Clone, Debug)]
pub(super) struct Information<'a> {
    layout: &'a Layout,
    meetings: Vec<MeetingMoments>,
}

/// All games of a White and a Black: variances and covariance of their score and their draws.
#[derive(Clone, Copy, Debug)]
struct MeetingMoments {
    white: u16,
    black: u16,
    score: f64,
    both: f64,
    draws: f64,
}

impl<'a> Information<'a> {
    /// Without any game.
    pub(super) fn new(layout: &'a Layout, meetings: usize) -> Self {
        let meetings = Vec::with_capacity(meetings);
        Self { layout, meetings }
    }

    /// Adds the games of a cell.
    pub(super) fn add(&mut self, cell: &Cell, moments: &GameMoments) {
        self.meetings.push(MeetingMoments {
            white: cell.white,
            black: cell.black,
            score: cell.games() * moments.score_variance,
            both: cell.games() * moments.covariance,
            draws: cell.games() * moments.draw_variance,
        });
    }

    /// The product with several vectors at once, which costs little more than with one.
    pub(super) fn times<const N: usize>(&self, v: &[[f64; N]]) -> Vec<[f64; N]> {
        let layout = self.layout;
        let mut product = vec![[0.0; N]; layout.size];
        let own = |place: usize| match layout.is_fixed(place) {
            true => [0.0; N],
            false => v[place],
        };
        let white = layout.white.map_or([0.0; N], own);
        let draw = layout.draw.map_or([0.0; N], own);
        let (mut sum_white, mut sum_draw) = ([0.0; N], [0.0; N]);
        for meeting in &self.meetings {
            let (one, other) = (usize::from(meeting.white), usize::from(meeting.black));
            let (first, second) = (own(one), own(other));
            for k in 0..N {
                let x = first[k] - second[k] + white[k];
                let score = meeting.score * x + meeting.both * draw[k];
                product[one][k] += score;
                product[other][k] -= score;
                sum_white[k] += score;
                sum_draw[k] += meeting.both * x + meeting.draws * draw[k];
            }
        }
        for (place, sum) in [(layout.white, sum_white), (layout.draw, sum_draw)] {
            if let Some(place) = place {
                product[place] = sum;
            }
        }
        for group in &layout.floating {
            for k in 0..N {
                let sum: f64 = group.iter().map(|place| v[*place][k]).sum();
                group.iter().for_each(|place| product[*place][k] += sum);
            }
        }
        for place in (0..layout.size).filter(|place| layout.is_fixed(*place)) {
            product[place] = v[place];
        }
        product
    }

    /// The diagonal, without what makes the matrix regular.
    pub(super) fn diagonal(&self) -> Vec<f64> {
        let layout = self.layout;
        let mut diagonal = vec![0.0; layout.size];
        for meeting in &self.meetings {
            let sides = [Some(meeting.white.into()), Some(meeting.black.into())];
            for place in sides.into_iter().chain([layout.white]).flatten() {
                diagonal[place] += meeting.score;
            }
            if let Some(place) = layout.draw {
                diagonal[place] += meeting.draws;
            }
        }
        for place in (0..layout.size).filter(|place| layout.is_fixed(*place)) {
            diagonal[place] = 1.0;
        }
        diagonal
    }

    /// Vectors whose covariance is this matrix, without what makes it regular: a sign for each
    /// meeting and each of the vectors.
    pub(super) fn noise<const N: usize>(&self, mut signs: impl FnMut() -> u64) -> Vec<[f64; N]> {
        let mut noise = vec![[0.0; N]; self.layout.size];
        let mut white = [0.0; N];
        for meeting in &self.meetings {
            let (one, other) = (usize::from(meeting.white), usize::from(meeting.black));
            let (bits, root) = (signs(), meeting.score.sqrt());
            for k in 0..N {
                let drawn = if bits >> k & 1 == 0 { root } else { -root };
                noise[one][k] += drawn;
                noise[other][k] -= drawn;
                white[k] += drawn;
            }
        }
        if let Some(place) = self.layout.white {
            noise[place] = white;
        }
        let fixed = (0..self.layout.size).filter(|place| self.layout.is_fixed(*place));
        fixed.for_each(|place| noise[place] = [0.0; N]);
        noise
    }

    /// The solutions of `M x = b`, each to this part of its `b`, by conjugate gradients scaled by the diagonal; and
    /// whether all were reached.
    pub(super) fn solve<const N: usize>(&self, b: &[[f64; N]], part: f64) -> (Vec<[f64; N]>, bool) {
        let diagonal = self.diagonal();
        let scaled = |v: &[[f64; N]]| -> Vec<[f64; N]> {
            let each = v.iter().zip(&diagonal);
            each.map(|(v, d)| v.map(|value| value / d.max(1e-300)))
                .collect()
        };
        let mut x = vec![[0.0; N]; b.len()];
        let mut rest = b.to_vec();
        let mut direction = scaled(&rest);
        let mut height = inner(&rest, &direction);
        let enough = height.map(|height| part * part * height);
        for _ in 0..(4 * b.len() + 50).min(MOST_STEPS) {
            if (0..N).all(|k| height[k] <= enough[k]) {
                return (x, true);
            }
            let along = self.times(&direction);
            let bend = inner(&direction, &along);
            let step: [f64; N] = std::array::from_fn(|k| ratio(height[k], bend[k]));
            for i in 0..b.len() {
                for k in 0..N {
                    x[i][k] += step[k] * direction[i][k];
                    rest[i][k] -= step[k] * along[i][k];
                }
            }
            let next = scaled(&rest);
            let reached = inner(&rest, &next);
            for i in 0..b.len() {
                for k in 0..N {
                    direction[i][k] = next[i][k] + ratio(reached[k], height[k]) * direction[i][k];
                }
            }
            height = reached;
        }
        (x, false)
    }

    /// Whether the games determine a parameter.
    pub(super) fn determines(&self, place: usize) -> bool {
        let mut unit = vec![[0.0]; self.layout.size];
        unit[place] = [1.0];
        self.solve(&unit, 1e-6).1
    }

    /// All entries.
    pub(super) fn dense(&self) -> Symmetric {
        let size = self.layout.size;
        let mut dense = Symmetric::zeros(size);
        for column in 0..size {
            let mut unit = vec![[0.0]; size];
            unit[column] = [1.0];
            let product = self.times(&unit);
            (0..=column).for_each(|row| dense.set(row, column, product[row][0]));
        }
        dense
    }
}

/// Steps after which a solution counts as not found.
const MOST_STEPS: usize = 5_000;

fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}

fn inner<const N: usize>(a: &[[f64; N]], b: &[[f64; N]]) -> [f64; N] {
    let mut sum = [0.0; N];
    for (a, b) in a.iter().zip(b) {
        (0..N).for_each(|k| sum[k] += a[k] * b[k]);
    }
    sum
}
