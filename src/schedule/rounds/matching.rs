//! Can everybody be paired? Perfect matchings in graphs of any shape.
//!
//! Edmonds' algorithm ("Paths, trees, and flowers", Canadian Journal of Mathematics 17, 1965):
//! a matching grows along alternating paths, in which circles of odd length (blossoms) are
//! shrunk to one vertex. Here a blossom is remembered by the base of each of its vertices.

use std::collections::VecDeque;

/// The perfect matchings of a graph, by one of them.
#[derive(Debug, Clone)]
pub(super) struct Matchings {
    /// Which vertices may be paired.
    allowed: Vec<Vec<bool>>,
    /// The partner of each vertex; itself while it has none.
    partners: Vec<usize>,
    /// Whose partner stays.
    fixed: Vec<bool>,
}

impl Matchings {
    /// Those of a graph with this number of vertices; `allowed` is called once for each two. `None` if there is none.
    pub(super) fn new(
        count: usize,
        mut allowed: impl FnMut(usize, usize) -> bool,
    ) -> Option<Matchings> {
        let mut matchings = Matchings {
            allowed: vec![vec![false; count]; count],
            partners: (0..count).collect(),
            fixed: vec![false; count],
        };
        for one in 0..count {
            for other in one + 1..count {
                let is_allowed = allowed(one, other);
                matchings.allowed[one][other] = is_allowed;
                matchings.allowed[other][one] = is_allowed;
            }
        }
        // By Berge's theorem a vertex that cannot be reached now is never matched later.
        let is_paired = |one| matchings.partners[one] != one || matchings.pair(one);
        (0..count).all(is_paired).then_some(matchings)
    }

    /// Pairs two for good, if they may be paired, and then all others that are not paired for good; else changes nothing.
    pub(super) fn fix(&mut self, one: usize, other: usize) -> bool {
        if !self.allowed[one][other] || self.fixed[one] || self.fixed[other] {
            return false;
        }
        let [left, left_too] = [one, other].map(|vertex| self.partners[vertex]);
        self.set_fixed(one, other, true);
        if left == other {
            return true;
        }
        (self.partners[left], self.partners[left_too]) = (left, left_too);
        self.join(one, other);
        let can_be = self.pair(left);
        if !can_be {
            self.set_fixed(one, other, false);
            self.join(one, left);
            self.join(other, left_too);
        }
        can_be
    }

    fn set_fixed(&mut self, one: usize, other: usize, fixed: bool) {
        (self.fixed[one], self.fixed[other]) = (fixed, fixed);
    }

    fn join(&mut self, one: usize, other: usize) {
        (self.partners[one], self.partners[other]) = (other, one);
    }

    /// Gives a partner to a vertex that has none, along an alternating path to another; `false` if there is no such path.
    fn pair(&mut self, root: usize) -> bool {
        let search = PathSearch::new(self);
        let Some((mut inner, parent)) = search.run(root) else {
            return false;
        };
        loop {
            let outer = parent[inner];
            let next = self.partners[outer];
            self.join(inner, outer);
            if outer == root {
                return true;
            }
            inner = next;
        }
    }
}

/// One search for an alternating path from a vertex without a partner to another.
struct PathSearch<'a> {
    graph: &'a Matchings,
    /// From where an inner vertex was reached; itself if it was not.
    parent: Vec<usize>,
    /// The base of the blossom of each vertex.
    base: Vec<usize>,
    /// Vertices from which edges are looked at.
    outer: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'a> PathSearch<'a> {
    fn new(graph: &'a Matchings) -> PathSearch<'a> {
        let count = graph.partners.len();
        PathSearch {
            graph,
            parent: (0..count).collect(),
            base: (0..count).collect(),
            outer: vec![false; count],
            queue: VecDeque::new(),
        }
    }

    /// The end of the path and the parents on it; `None` if there is no path.
    fn run(mut self, root: usize) -> Option<(usize, Vec<usize>)> {
        let partners = &self.graph.partners;
        self.look_from(root);
        while let Some(from) = self.queue.pop_front() {
            for (to, &mate) in partners.iter().enumerate() {
                if !self.graph.allowed[from][to]
                    || self.graph.fixed[to]
                    || self.base[from] == self.base[to]
                    || mate == from
                {
                    continue;
                }
                if to == root || self.parent[mate] != mate {
                    self.shrink(from, to);
                } else if self.parent[to] == to {
                    self.parent[to] = from;
                    if mate == to {
                        return Some((to, self.parent));
                    }
                    self.look_from(mate);
                }
            }
        }
        None
    }

    fn look_from(&mut self, vertex: usize) {
        if !std::mem::replace(&mut self.outer[vertex], true) {
            self.queue.push_back(vertex);
        }
    }

    /// An edge between two outer vertices closes a blossom: all of it becomes outer.
    fn shrink(&mut self, one: usize, other: usize) {
        let base = self.common_base(one, other);
        let mut blossom = vec![false; self.base.len()];
        for (mut at, mut child) in [(one, other), (other, one)] {
            while self.base[at] != base {
                let mate = self.graph.partners[at];
                blossom[self.base[at]] = true;
                blossom[self.base[mate]] = true;
                self.parent[at] = child;
                (at, child) = (self.parent[mate], mate);
            }
        }
        for vertex in 0..self.base.len() {
            if blossom[self.base[vertex]] {
                self.base[vertex] = base;
                self.look_from(vertex);
            }
        }
    }

    /// Where the ways of both to the root meet.
    fn common_base(&self, one: usize, other: usize) -> usize {
        let mut passed = vec![false; self.base.len()];
        let way = |from| std::iter::successors(Some(from), |at| self.step(*at));
        way(self.base[one]).for_each(|at| passed[at] = true);
        // The root is on both.
        let mut other = way(self.base[other]);
        other.find(|at| passed[*at]).unwrap_or(self.base[one])
    }

    /// One blossom nearer to the root; `None` at the root.
    fn step(&self, base: usize) -> Option<usize> {
        let mate = self.graph.partners[base];
        (mate != base).then(|| self.base[self.parent[mate]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::random::Random;

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
                let is_allowed = random.below(10) < density;
                (edges[one][other], edges[other][one]) = (is_allowed, is_allowed);
                is_allowed
            });
            let mut left: Vec<usize> = (0..count).collect();
            assert_eq!(matchings.is_some(), by_trying(&edges, &left), "{edges:?}");
            found[usize::from(matchings.is_some())] += 1;
            let Some(mut matchings) = matchings else {
                continue;
            };
            while let [one, rest @ ..] = &left[..] {
                let (one, mut rest) = (*one, rest.to_vec());
                random.shuffle(&mut rest);
                let partner = rest.iter().position(|other| {
                    let others = rest.iter().copied().filter(|place| place != other);
                    let is_possible =
                        edges[one][*other] && by_trying(&edges, &others.collect::<Vec<_>>());
                    assert_eq!(matchings.fix(one, *other), is_possible, "{edges:?}");
                    is_possible
                });
                rest.remove(partner.expect("everybody has a partner"));
                left = rest;
            }
        }
        assert!(found[0] > 500 && found[1] > 500, "{found:?}");
    }

    #[test]
    fn an_odd_number_cannot_be_paired() {
        assert!(Matchings::new(5, |_, _| true).is_none());
        assert!(Matchings::new(0, |_, _| true).is_some());
    }

    #[test]
    fn partners_are_partners_of_each_other() {
        let mut random = Random::new(5);
        let matchings = Matchings::new(60, |_, _| random.below(10) < 2).expect("dense enough");
        for (one, other) in matchings.partners.iter().enumerate() {
            assert!(matchings.partners[*other] == one && matchings.allowed[one][*other]);
        }
    }
}
