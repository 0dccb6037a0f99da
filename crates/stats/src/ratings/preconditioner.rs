//! An approximate inverse of an information matrix, for graphs of players that are long: whoever meets only neighbours
//! hears of the others by way of thousands, and conjugate gradients with the diagonal alone take as many steps.
//!
//! Players are put in an order in which opponents stand near each other (Cuthill & McKee 1969). What lies near the
//! diagonal is then factored exactly; opponents who stand far away count in the diagonal alone. A player most of whose
//! games are with such opponents has nothing but his diagonal: there the graph is not long.

use std::collections::VecDeque;

/// Opponents this many places away are far.
const WIDTH: usize = 64;

/// A Cholesky factor, each row from its first entry that is kept to the diagonal.
#[derive(Clone, Debug)]
pub(super) struct Preconditioner {
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
