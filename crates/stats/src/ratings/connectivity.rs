//! Which engines the games can rate.
//!
//! Ford (1957): ratings by maximum likelihood are finite only if, however the
//! engines are split in two, somebody in each half took points from somebody
//! in the other. In terms of graphs: the engines must be strongly connected
//! by "took points from".

use serde::Serialize;

use crate::games::Cell;

/// Why an engine has no finite rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unrated {
    /// It has not played.
    NoGames,
    /// It never lost a point to the rated engines, directly or by way of
    /// others: its rating is plus infinity.
    AboveAll,
    /// It never took a point from the rated engines: minus infinity.
    BelowAll,
    /// The results do not compare it with the rated engines at all.
    Incomparable,
}

/// Components of the tournament and the engines left out of the ratings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connectivity {
    /// For each engine the component it belongs to, numbered from 0. Ratings
    /// of different components cannot be compared.
    pub component: Vec<usize>,
    /// For each engine why it cannot be rated; `None` where it can.
    pub unrated: Vec<Option<Unrated>>,
}

impl Connectivity {
    /// Analyses the games of `engines` engines, counted by (White, Black).
    pub fn of(engines: usize, colours: &[Cell]) -> Self {
        let graph = PointsGraph::new(engines, colours);
        let component = components(&graph.opponents);
        let blocks = strong_blocks(&graph, engines);
        let unrated = (0..engines)
            .map(|engine| graph.unrated(engine, &component, &blocks))
            .collect();
        Self { component, unrated }
    }

    /// Can this engine be rated?
    pub fn is_rated(&self, engine: u16) -> bool {
        self.unrated
            .get(usize::from(engine))
            .is_some_and(Option::is_none)
    }

    /// The components with at least one rated engine: the members of each.
    pub fn rated_components(&self) -> Vec<Vec<usize>> {
        let mut members = std::collections::BTreeMap::<usize, Vec<usize>>::new();
        for (engine, component) in self.component.iter().enumerate() {
            if self.unrated[engine].is_none() {
                members.entry(*component).or_default().push(engine);
            }
        }
        members.into_values().collect()
    }
}

/// Who met whom and who took points from whom.
struct PointsGraph {
    opponents: Vec<Vec<usize>>,
    victims: Vec<Vec<usize>>,
    robbers: Vec<Vec<usize>>,
    games: Vec<(usize, usize, f64)>,
}

impl PointsGraph {
    fn new(engines: usize, colours: &[Cell]) -> Self {
        let empty = vec![Vec::new(); engines];
        let mut graph = Self {
            opponents: empty.clone(),
            victims: empty.clone(),
            robbers: empty,
            games: Vec::new(),
        };
        for cell in colours.iter().filter(|cell| cell.games() > 0.0) {
            let (white, black) = (usize::from(cell.white), usize::from(cell.black));
            graph.opponents[white].push(black);
            graph.opponents[black].push(white);
            graph.games.push((white, black, cell.games()));
            if cell.score() > 0.0 {
                graph.took_points(white, black);
            }
            if cell.score() < cell.games() {
                graph.took_points(black, white);
            }
        }
        graph
    }

    fn took_points(&mut self, robber: usize, victim: usize) {
        self.victims[robber].push(victim);
        self.robbers[victim].push(robber);
    }

    /// The engine's status, given the strong block rated in each component.
    fn unrated(&self, engine: usize, component: &[usize], blocks: &[usize]) -> Option<Unrated> {
        if self.opponents[engine].is_empty() {
            return Some(Unrated::NoGames);
        }
        let rated = self.largest_block(component[engine], component, blocks);
        match rated {
            Some(block) if blocks[engine] == block => None,
            Some(block) => Some(self.place(engine, block, blocks)),
            None => Some(Unrated::Incomparable),
        }
    }

    /// The strong block of at least two engines with the most games inside.
    fn largest_block(&self, wanted: usize, component: &[usize], blocks: &[usize]) -> Option<usize> {
        let mut games = std::collections::BTreeMap::<usize, f64>::new();
        for &(a, b, count) in &self.games {
            if component[a] == wanted && blocks[a] == blocks[b] {
                *games.entry(blocks[a]).or_default() += count;
            }
        }
        games
            .into_iter()
            .max_by(|x, y| x.1.total_cmp(&y.1).then(y.0.cmp(&x.0)))
            .map(|(block, _)| block)
    }

    fn place(&self, engine: usize, block: usize, blocks: &[usize]) -> Unrated {
        let meets = |reached: Vec<bool>| reached.iter().zip(blocks).any(|(r, b)| *r && *b == block);
        match (
            meets(reachable(&self.victims, engine)),
            meets(reachable(&self.robbers, engine)),
        ) {
            (true, _) => Unrated::AboveAll,
            (_, true) => Unrated::BelowAll,
            _ => Unrated::Incomparable,
        }
    }
}

/// For each engine the number of its strongly connected block: a block is what
/// can be reached both along and against "took points from".
fn strong_blocks(graph: &PointsGraph, engines: usize) -> Vec<usize> {
    let mut block = vec![usize::MAX; engines];
    for engine in 0..engines {
        if block[engine] != usize::MAX {
            continue;
        }
        let forward = reachable(&graph.victims, engine);
        let backward = reachable(&graph.robbers, engine);
        for other in (0..engines).filter(|other| forward[*other] && backward[*other]) {
            block[other] = engine;
        }
    }
    block
}

/// Numbers the connected components of an undirected graph.
fn components(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut component = vec![usize::MAX; neighbours.len()];
    let mut count = 0;
    for start in 0..neighbours.len() {
        if component[start] != usize::MAX {
            continue;
        }
        let reached = reachable(neighbours, start);
        for (engine, _) in reached.iter().enumerate().filter(|(_, reached)| **reached) {
            component[engine] = count;
        }
        count += 1;
    }
    component
}

fn reachable(neighbours: &[Vec<usize>], start: usize) -> Vec<bool> {
    let mut reached = vec![false; neighbours.len()];
    let mut open = vec![start];
    reached[start] = true;
    while let Some(engine) = open.pop() {
        for &next in &neighbours[engine] {
            if !reached[next] {
                reached[next] = true;
                open.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(white: u16, black: u16, results: [u32; 3]) -> Cell {
        Cell {
            start: 0,
            white,
            black,
            results,
        }
    }

    #[test]
    fn engines_with_perfect_scores_stand_outside() {
        let games = [
            cell(0, 1, [1, 0, 1]),
            cell(1, 2, [0, 1, 0]),
            cell(3, 0, [0, 0, 4]),
            cell(4, 2, [2, 0, 0]),
        ];
        let found = Connectivity::of(6, &games);
        let expected = [
            None,
            None,
            None,
            Some(Unrated::AboveAll),
            Some(Unrated::BelowAll),
        ];
        assert_eq!(found.unrated[..5], expected);
        assert_eq!(found.unrated[5], Some(Unrated::NoGames));
        assert_eq!(found.rated_components(), [vec![0, 1, 2]]);
    }

    #[test]
    fn separate_groups_are_separate_components() {
        let found = Connectivity::of(4, &[cell(0, 1, [1, 0, 1]), cell(2, 3, [0, 1, 0])]);
        assert_eq!(found.component, [0, 0, 1, 1]);
        assert_eq!(found.rated_components().len(), 2);
    }

    #[test]
    fn nobody_is_rated_when_one_engine_wins_everything() {
        let found = Connectivity::of(2, &[cell(0, 1, [0, 0, 3])]);
        assert_eq!(found.unrated, [Some(Unrated::Incomparable); 2]);
        assert!(found.rated_components().is_empty());
    }
}
