//! Can everybody be paired? Perfect matchings in graphs of any shape, without a search.
//!
//! The matrix of a graph has a number for each edge, once with the other sign across the diagonal. A perfect matching
//! exists if its determinant is not 0 for some choice of the numbers (Tutte, "The factorization of linear graphs", 1947).
//! An edge belongs to a perfect matching if the inverse is not 0 in its place; what is left of the inverse without the
//! rows and columns of two vertices is that of the graph without them (Rabin and Vazirani, "Maximum matchings in general
//! graphs through randomization", 1989). The numbers are drawn, always alike, from so many that with thousands of
//! vertices none of this is wrong by chance with a probability of 10⁻¹².

use crate::chess::random::Random;

/// Numbers are counted modulo this prime.
const PRIME: u64 = (1 << 61) - 1;

/// The perfect matchings of a graph.
#[derive(Debug, Clone)]
pub(super) struct Matchings {
    /// Which vertices may be paired.
    allowed: Vec<Vec<bool>>,
    /// The inverse of its matrix.
    inverse: Vec<Vec<u64>>,
}

impl Matchings {
    /// Those of a graph with this number of vertices; `allowed` is called once for each two. `None` if there is none.
    pub(super) fn new(
        count: usize,
        mut allowed: impl FnMut(usize, usize) -> bool,
    ) -> Option<Matchings> {
        let mut random = Random::new(0);
        let mut edges = vec![vec![false; count]; count];
        // The matrix, and behind it the unit matrix.
        let mut rows = vec![vec![0; 2 * count]; count];
        for one in 0..count {
            rows[one][count + one] = 1;
            for other in one + 1..count {
                if allowed(one, other) {
                    (edges[one][other], edges[other][one]) = (true, true);
                    rows[one][other] = 1 + random.below(PRIME - 1);
                    rows[other][one] = PRIME - rows[one][other];
                }
            }
        }
        Some(Matchings {
            allowed: edges,
            inverse: inverse(rows)?,
        })
    }

    /// Whether these two may be paired, and then all others that are not paired yet.
    pub(super) fn allow(&self, one: usize, other: usize) -> bool {
        self.allowed[one][other] && self.inverse[one][other] != 0
    }

    /// Pairs two, as is [allowed](Self::allow).
    pub(super) fn fix(&mut self, one: usize, other: usize) {
        let rows = [one, other].map(|row| self.inverse[row].clone());
        let factor = inverted(rows[0][other]);
        for row in &mut self.inverse {
            let [to_one, to_other] = [row[one], row[other]].map(|part| product(part, factor));
            for (place, value) in row.iter_mut().enumerate() {
                let less = product(to_other, rows[0][place]);
                let more = product(to_one, rows[1][place]);
                *value = sum(*value, sum(more, PRIME - less));
            }
        }
    }
}

/// The right halves of these rows when the left ones have become the unit matrix; `None` if they cannot.
fn inverse(mut rows: Vec<Vec<u64>>) -> Option<Vec<Vec<u64>>> {
    let count = rows.len();
    for place in 0..count {
        let pivot = (place..count).find(|row| rows[*row][place] != 0)?;
        rows.swap(place, pivot);
        let factor = inverted(rows[place][place]);
        let unit: Vec<u64> = rows[place].iter().map(|v| product(*v, factor)).collect();
        let others = rows.iter_mut().enumerate().filter(|(at, _)| *at != place);
        for (_, row) in others {
            let factor = PRIME - row[place];
            // Before this place the unit matrix is complete.
            for (value, unit) in row[place..].iter_mut().zip(&unit[place..]) {
                *value = sum(*value, product(factor, *unit));
            }
        }
        rows[place] = unit;
    }
    Some(rows.into_iter().map(|row| row[count..].to_vec()).collect())
}

fn sum(one: u64, other: u64) -> u64 {
    let all = one + other;
    if all >= PRIME { all - PRIME } else { all }
}

fn product(one: u64, other: u64) -> u64 {
    let all = u128::from(one) * u128::from(other);
    // 2 to the 61st power is 1.
    sum(all as u64 & PRIME, (all >> 61) as u64)
}

/// By Fermat's little theorem.
fn inverted(number: u64) -> u64 {
    let powers = std::iter::successors(Some(number), |power| Some(product(*power, *power)));
    let bits = (0..61).map(|bit| (PRIME - 2) >> bit & 1 == 1);
    let factors = powers.zip(bits).filter(|(_, is_factor)| *is_factor);
    factors.fold(1, |all, (power, _)| product(all, power))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether all of `left` can be paired, by trying everything.
    fn by_trying(edges: &[Vec<bool>], left: &[usize]) -> bool {
        let Some((&first, rest)) = left.split_first() else {
            return true;
        };
        rest.iter().any(|&other| {
            let left: Vec<usize> = rest.iter().copied().filter(|one| *one != other).collect();
            edges[first][other] && by_trying(edges, &left)
        })
    }

    #[test]
    fn a_perfect_matching_is_found_exactly_where_there_is_one() {
        let mut random = Random::new(12);
        let mut found = [0, 0];
        for _ in 0..4000 {
            let count = 2 * (1 + random.below(5) as usize);
            let density = 1 + random.below(9);
            let mut edges = vec![vec![false; count]; count];
            let matchings = Matchings::new(count, |one, other| {
                edges[one][other] = random.below(10) < density;
                edges[one][other]
            });
            let mut left: Vec<usize> = (0..count).collect();
            assert_eq!(matchings.is_some(), by_trying(&edges, &left), "{edges:?}");
            found[usize::from(matchings.is_some())] += 1;
            let Some(mut matchings) = matchings else {
                continue;
            };
            while let [one, rest @ ..] = &left[..] {
                let one = *one;
                for other in rest {
                    let others = rest.iter().copied().filter(|place| place != other);
                    let is_possible =
                        edges[one][*other] && by_trying(&edges, &others.collect::<Vec<_>>());
                    assert_eq!(matchings.allow(one, *other), is_possible, "{edges:?}");
                }
                let other = rest
                    .iter()
                    .copied()
                    .find(|other| matchings.allow(one, *other));
                let other = other.expect("everybody has a partner");
                matchings.fix(one, other);
                left.retain(|place| ![one, other].contains(place));
            }
        }
        assert!(found[0] > 500 && found[1] > 500, "{found:?}");
    }

    #[test]
    fn an_odd_number_cannot_be_paired() {
        assert!(Matchings::new(5, |_, _| true).is_none());
        assert!(Matchings::new(0, |_, _| true).is_some());
    }
}
