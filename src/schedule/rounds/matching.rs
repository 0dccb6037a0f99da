//! Can everybody be paired? Perfect matchings in graphs of any shape.
//!
//! Edmonds' algorithm ("Paths, trees, and flowers", Canadian Journal of Mathematics 17, 1965):
//! a matching grows along alternating paths, in which circles of odd length (blossoms) are
//! shrunk to one vertex. Here a blossom is remembered by the base of each of its vertices.

use std::collections::VecDeque;

/// Which vertices may be paired; no vertex with itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Graph {
    allowed: Vec<Vec<bool>>,
}

/// The partner of each vertex, where it has one.
pub(super) type Partners = Vec<Option<usize>>;

impl Graph {
    /// A graph with this number of vertices; `allowed` is called once for each two.
    pub(super) fn new(count: usize, mut allowed: impl FnMut(usize, usize) -> bool) -> Graph {
        let mut graph = Graph {
            allowed: vec![vec![false; count]; count],
        };
        let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
        for (one, other) in pairs {
            graph.set(one, other, allowed(one, other));
        }
        graph
    }

    fn set(&mut self, one: usize, other: usize, allowed: bool) {
        self.allowed[one][other] = allowed;
        self.allowed[other][one] = allowed;
    }

    /// How many vertices there are.
    pub(super) fn len(&self) -> usize {
        self.allowed.len()
    }

    /// Whether these two may be paired.
    pub(super) fn allows(&self, one: usize, other: usize) -> bool {
        self.allowed[one][other]
    }

    /// Pairs these two: neither may be paired with another vertex.
    pub(super) fn fix(&mut self, one: usize, other: usize) {
        for vertex in 0..self.len() {
            for fixed in [one, other] {
                self.set(vertex, fixed, false);
            }
        }
        self.set(one, other, true);
    }

    /// A perfect matching, built from these partners after the removal of those that the graph does not allow; `None`
    /// if no perfect matching exists.
    pub(super) fn perfect_matching(&self, begun: &Partners) -> Option<Partners> {
        let count = self.len();
        if count % 2 == 1 {
            return None;
        }
        let mut partners = vec![None; count];
        for (one, other) in begun.iter().enumerate() {
            if let Some(other) = *other
                && self.allows(one, other)
                && begun[other] == Some(one)
            {
                partners[one] = Some(other);
            }
        }
        for vertex in 0..count {
            if partners[vertex].is_none() {
                // By Berge's theorem a vertex that cannot be reached now is never matched later.
                let end = PathSearch::new(self, &partners).run(vertex)?;
                flip(&mut partners, end);
            }
        }
        Some(partners)
    }
}

/// An alternating path, from its free end back to its root.
fn flip(partners: &mut Partners, path: Vec<[usize; 2]>) {
    for [one, other] in path {
        partners[one] = Some(other);
        partners[other] = Some(one);
    }
}

/// One search for an alternating path from a vertex without a partner to another.
struct PathSearch<'a> {
    graph: &'a Graph,
    partners: &'a Partners,
    /// From where an inner vertex was reached.
    parent: Vec<Option<usize>>,
    /// The base of the blossom of each vertex.
    base: Vec<usize>,
    /// Vertices from which edges are looked at.
    outer: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'a> PathSearch<'a> {
    fn new(graph: &'a Graph, partners: &'a Partners) -> PathSearch<'a> {
        let count = graph.len();
        PathSearch {
            graph,
            partners,
            parent: vec![None; count],
            base: (0..count).collect(),
            outer: vec![false; count],
            queue: VecDeque::new(),
        }
    }

    /// The new pairs along the path; `None` if there is no path.
    fn run(mut self, root: usize) -> Option<Vec<[usize; 2]>> {
        self.outer[root] = true;
        self.queue.push_back(root);
        while let Some(from) = self.queue.pop_front() {
            for to in 0..self.graph.len() {
                if !self.graph.allows(from, to)
                    || self.base[from] == self.base[to]
                    || self.partners[from] == Some(to)
                {
                    continue;
                }
                let is_outer =
                    to == root || self.partners[to].is_some_and(|mate| self.parent[mate].is_some());
                if is_outer {
                    self.shrink(from, to);
                } else if self.parent[to].is_none() {
                    self.parent[to] = Some(from);
                    match self.partners[to] {
                        None => return Some(self.path(to)),
                        Some(mate) => {
                            self.outer[mate] = true;
                            self.queue.push_back(mate);
                        }
                    }
                }
            }
        }
        None
    }

    /// The pairs of the path that ends here.
    fn path(&self, end: usize) -> Vec<[usize; 2]> {
        let mut pairs = Vec::new();
        let mut inner = Some(end);
        while let Some(vertex) = inner {
            let Some(outer) = self.parent[vertex] else {
                break;
            };
            pairs.push([vertex, outer]);
            inner = self.partners[outer];
        }
        pairs
    }

    /// An edge between two outer vertices closes a blossom: all of it becomes outer.
    fn shrink(&mut self, one: usize, other: usize) {
        let base = self.common_base(one, other);
        let mut blossom = vec![false; self.graph.len()];
        self.mark(one, base, other, &mut blossom);
        self.mark(other, base, one, &mut blossom);
        for vertex in 0..self.graph.len() {
            if blossom[self.base[vertex]] {
                self.base[vertex] = base;
                if !self.outer[vertex] {
                    self.outer[vertex] = true;
                    self.queue.push_back(vertex);
                }
            }
        }
    }

    /// Where the ways of both to the root meet.
    fn common_base(&self, one: usize, other: usize) -> usize {
        let mut passed = vec![false; self.graph.len()];
        let mut at = self.base[one];
        loop {
            passed[at] = true;
            match self.step(at) {
                Some(next) => at = next,
                None => break,
            }
        }
        let mut at = self.base[other];
        while !passed[at] {
            match self.step(at) {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    /// One blossom nearer to the root.
    fn step(&self, base: usize) -> Option<usize> {
        let mate = self.partners[base]?;
        Some(self.base[self.parent[mate]?])
    }

    fn mark(&mut self, from: usize, base: usize, child: usize, blossom: &mut [bool]) {
        let (mut at, mut child) = (from, child);
        while self.base[at] != base {
            let Some(mate) = self.partners[at] else {
                return;
            };
            blossom[self.base[at]] = true;
            blossom[self.base[mate]] = true;
            self.parent[at] = Some(child);
            child = mate;
            match self.parent[mate] {
                Some(next) => at = next,
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::random::Random;

    /// Whether all of `left` can be paired, by trying everything.
    fn by_trying(graph: &Graph, left: &[usize]) -> bool {
        let Some((&first, rest)) = left.split_first() else {
            return true;
        };
        rest.iter().any(|&other| {
            let left: Vec<usize> = rest.iter().copied().filter(|one| *one != other).collect();
            graph.allows(first, other) && by_trying(graph, &left)
        })
    }

    #[test]
    fn a_perfect_matching_is_found_exactly_where_there_is_one() {
        let mut random = Random::new(12);
        let mut found = [0, 0];
        for _ in 0..4000 {
            let count = 2 * (1 + random.below(5) as usize);
            let density = 1 + random.below(9);
            let graph = Graph::new(count, |_, _| random.below(10) < density);
            let all: Vec<usize> = (0..count).collect();
            let matching = graph.perfect_matching(&vec![None; count]);
            assert_eq!(matching.is_some(), by_trying(&graph, &all), "{graph:?}");
            found[usize::from(matching.is_some())] += 1;
            for (one, other) in matching.into_iter().flatten().enumerate() {
                let other = other.expect("everybody has a partner");
                assert!(graph.allows(one, other));
            }
        }
        assert!(found[0] > 500 && found[1] > 500, "{found:?}");
    }

    #[test]
    fn whoever_was_paired_well_may_stay_so() {
        let graph = Graph::new(4, |_, _| true);
        let begun = vec![Some(3), None, None, Some(0)];
        assert_eq!(
            graph.perfect_matching(&begun),
            Some(vec![Some(3), Some(2), Some(1), Some(0)])
        );
    }

    #[test]
    fn partners_are_partners_of_each_other() {
        let mut random = Random::new(5);
        let graph = Graph::new(60, |_, _| random.below(10) < 2);
        let matching = graph
            .perfect_matching(&vec![None; 60])
            .expect("dense enough");
        for (one, other) in matching.iter().enumerate() {
            assert_eq!(matching[other.unwrap()], Some(one));
        }
    }
}
