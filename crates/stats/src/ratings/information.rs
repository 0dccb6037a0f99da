//! What the games tell of the parameters, kept by White and Black. A product costs one step for each such pair, so a
//! list of 30,000 players, most of whom never met, is as easy to solve as to read.

use std::collections::VecDeque;
use std::sync::OnceLock;

use crate::games::Cell;
use crate::numeric::linear::Symmetric;

use super::models::{GameMoments, Layout};

/// The information matrix, made regular by its [`Layout`].
#[derive(Clone, Debug)]
pub(super) struct Information<'a> {
    layout: &'a Layout,
    meetings: Vec<MeetingMoments>,
    preconditioner: OnceLock<Preconditioner>,
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
        Self {
            layout,
            meetings,
            preconditioner: OnceLock::new(),
        }
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
        let own = |place: usize| {
            if layout.is_fixed(place) {
                [0.0; N]
            } else {
                v[place]
            }
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

    fn preconditioner(&self) -> Preconditioner {
        let mut neighbours = vec![Vec::new(); self.layout.size];
        for meeting in &self.meetings {
            let (one, other) = (usize::from(meeting.white), usize::from(meeting.black));
            if !self.layout.is_fixed(one) && !self.layout.is_fixed(other) {
                neighbours[one].push((other, meeting.score));
                neighbours[other].push((one, meeting.score));
            }
        }
        Preconditioner::new(&neighbours, self.diagonal(), &self.layout.floating)
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

    /// The solutions of `M x = b`, each to this part of its `b`, by conjugate gradients; and after how many steps all
    /// were reached.
    pub(super) fn solve<const N: usize>(
        &self,
        b: &[[f64; N]],
        part: f64,
    ) -> (Vec<[f64; N]>, Option<usize>) {
        let scale = self.preconditioner.get_or_init(|| self.preconditioner());
        let mut x = vec![[0.0; N]; b.len()];
        let mut rest = b.to_vec();
        let mut direction: Vec<[f64; N]> = scale.times(&rest);
        let mut height = inner(&rest, &direction);
        let enough = height.map(|height| part * part * height);
        for steps in 0..(4 * b.len() + 50).min(MOST_STEPS) {
            if (0..N).all(|k| height[k] <= enough[k]) {
                return (x, Some(steps));
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
            let next = scale.times(&rest);
            let reached = inner(&rest, &next);
            for i in 0..b.len() {
                for k in 0..N {
                    direction[i][k] = next[i][k] + ratio(reached[k], height[k]) * direction[i][k];
                }
            }
            height = reached;
        }
        (x, None)
    }

    /// Whether the games determine a parameter.
    pub(super) fn determines(&self, place: usize) -> bool {
        let mut unit = vec![[0.0]; self.layout.size];
        unit[place] = [1.0];
        self.solve(&unit, 1e-6).1.is_some()
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

// An approximate inverse of an information matrix, for graphs of players that are long: whoever meets only neighbours
// hears of the others by way of thousands, and conjugate gradients with the diagonal alone take as many steps.
//
// Players are put in an order in which opponents stand near each other (Cuthill & McKee 1969). What lies near the
// diagonal is then factored exactly; opponents who stand far away count in the diagonal alone. A player most of whose
// games are with such opponents has nothing but his diagonal: there the graph is not long.

/// Opponents this many places away are far.
const WIDTH: usize = 64;

/// A Cholesky factor, each row from its first entry that is kept to the diagonal.
#[derive(Clone, Debug)]
struct Preconditioner {
    /// The parameters in the order of the rows.
    order: Vec<usize>,
    rows: Vec<Vec<f64>>,
    /// Strengths that are determined up to a constant.
    floating: Vec<Vec<usize>>,
}

impl Preconditioner {
    /// Of the information that two players have in common, and of its diagonal, in which a part of each group that is
    /// determined up to a constant is held.
    pub(super) fn new(
        neighbours: &[Vec<(usize, f64)>],
        mut diagonal: Vec<f64>,
        floating: &[Vec<usize>],
    ) -> Self {
        let order = in_order(neighbours);
        let mut rank = vec![0; order.len()];
        (0..)
            .zip(&order)
            .for_each(|(row, place)| rank[*place] = row);
        for group in floating {
            let held = group.iter().copied().min_by_key(|place| rank[*place]);
            held.into_iter().for_each(|place| diagonal[place] *= 2.0);
        }
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(order.len());
        for (row, place) in order.iter().enumerate() {
            let own = &neighbours[*place];
            let near = |rank: usize| rank.abs_diff(row) <= WIDTH;
            let all: f64 = own.iter().map(|(_, weight)| weight).sum();
            let kept = own.iter().filter(|(other, _)| near(rank[*other]));
            let kept: f64 = kept.map(|(_, weight)| weight).sum();
            let before = own
                .iter()
                .filter(|(other, _)| 2.0 * kept >= all && near(rank[*other]) && rank[*other] < row);
            let first = before.clone().map(|(other, _)| rank[*other]).min();
            let first = first.unwrap_or(row);
            let mut entries = vec![0.0; row - first + 1];
            before.for_each(|(other, weight)| entries[rank[*other] - first] -= weight);
            entries[row - first] = diagonal[*place];
            rows.push(factored(entries, first, &rows));
        }
        Self {
            order,
            rows,
            floating: floating.to_vec(),
        }
    }

    /// The product with several vectors at once.
    pub(super) fn times<const N: usize>(&self, v: &[[f64; N]]) -> Vec<[f64; N]> {
        let mut x: Vec<[f64; N]> = self.order.iter().map(|place| v[*place]).collect();
        for (row, entries) in self.rows.iter().enumerate() {
            let (before, last) = x.split_at_mut(row);
            let (pivot, entries) = (entries[entries.len() - 1], &entries[..entries.len() - 1]);
            let before = &before[row - entries.len()..];
            for (entry, other) in entries.iter().zip(before) {
                (0..N).for_each(|k| last[0][k] -= entry * other[k]);
            }
            last[0].iter_mut().for_each(|value| *value /= pivot);
        }
        for (row, entries) in self.rows.iter().enumerate().rev() {
            let (before, last) = x.split_at_mut(row);
            let (pivot, entries) = (entries[entries.len() - 1], &entries[..entries.len() - 1]);
            last[0].iter_mut().for_each(|value| *value /= pivot);
            let before = &mut before[row - entries.len()..];
            for (entry, other) in entries.iter().zip(before) {
                (0..N).for_each(|k| other[k] -= entry * last[0][k]);
            }
        }
        let mut own = v.to_vec();
        (self.order.iter().zip(&x)).for_each(|(place, value)| own[*place] = *value);
        // The sums of groups are 0 in all that is solved for, and stay so.
        for group in &self.floating {
            (0..N).for_each(|k| {
                let sum: f64 = group.iter().map(|place| own[*place][k]).sum();
                let mean = sum / group.len() as f64;
                group.iter().for_each(|place| own[*place][k] -= mean);
            });
        }
        own
    }
}

/// A row of the factor, of a row of the matrix that begins in this column.
fn factored(mut entries: Vec<f64>, first: usize, rows: &[Vec<f64>]) -> Vec<f64> {
    let last = entries.len() - 1;
    for i in 0..last {
        let column = first + i;
        let other = &rows[column];
        let common = i.min(other.len() - 1);
        let product = entries[i - common..i]
            .iter()
            .zip(&other[other.len() - 1 - common..])
            .map(|(a, b)| a * b);
        entries[i] = (entries[i] - product.sum::<f64>()) / other[other.len() - 1];
    }
    let squares: f64 = entries[..last].iter().map(|entry| entry * entry).sum();
    let left = entries[last] - squares;
    // What is left of a diagonal that rounding has eaten is as good as held.
    let is_held = left > 1e-12 * entries[last];
    entries[last] = if is_held {
        left.sqrt()
    } else {
        entries[last].max(1e-300).sqrt()
    };
    entries
}

/// Each group from one of its ends, neighbours next to each other.
fn in_order(neighbours: &[Vec<(usize, f64)>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(neighbours.len());
    let mut is_placed = vec![false; neighbours.len()];
    for place in 0..neighbours.len() {
        if is_placed[place] {
            continue;
        }
        // The last that is reached is an end.
        let reached = breadth_first(neighbours, place, &mut is_placed);
        reached.iter().for_each(|place| is_placed[*place] = false);
        let end = reached.last().copied().unwrap_or(place);
        order.extend(breadth_first(neighbours, end, &mut is_placed));
    }
    order
}

fn breadth_first(
    neighbours: &[Vec<(usize, f64)>],
    from: usize,
    is_placed: &mut [bool],
) -> Vec<usize> {
    let mut found = Vec::new();
    let mut queue = VecDeque::from([from]);
    is_placed[from] = true;
    while let Some(place) = queue.pop_front() {
        found.push(place);
        let mut next: Vec<usize> = neighbours[place].iter().map(|(other, _)| *other).collect();
        next.retain(|other| !std::mem::replace(&mut is_placed[*other], true));
        next.sort_unstable_by_key(|other| (neighbours[*other].len(), *other));
        queue.extend(next);
    }
    found
}
