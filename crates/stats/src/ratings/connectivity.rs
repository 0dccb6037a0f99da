//! Which engines the games can rate.
//!
//! Ford (1957): ratings by maximum likelihood are finite only if, however the
//! engines are split in two, somebody in each half took points from somebody
//! in the other. In terms of graphs: the engines must be strongly connected
//! by "took points from".

use std::collections::BTreeMap;

use serde::Serialize;

use crate::games::{Cell, GameScore, GameTable, Pairing};

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
    pub fn new(engines: usize, colours: &[Cell]) -> Self {
        let graph = PointsGraph::new(engines, colours);
        let component = numbered(&graph.opponents, 0..engines);
        let blocks = strong_blocks(&graph, engines);
        let unrated = graph.unrated(&component, &blocks);
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
        let mut members = BTreeMap::<usize, Vec<usize>>::new();
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

    /// Every engine's status, given the strong block rated in each component.
    fn unrated(&self, component: &[usize], blocks: &[usize]) -> Vec<Option<Unrated>> {
        let engines = component.len();
        // By strong block of at least two engines the games inside.
        let mut within = BTreeMap::<usize, f64>::new();
        for &(one, other, games) in &self.games {
            if blocks[one] == blocks[other] {
                *within.entry(blocks[one]).or_default() += games;
            }
        }
        let mut rated: Vec<Option<(f64, usize)>> = vec![None; engines];
        for (block, games) in within {
            let best = &mut rated[component[block]];
            // Of equal ones the first.
            if best.is_none_or(|(most, _)| games > most) {
                *best = Some((games, block));
            }
        }
        let of_rated = |engine: usize| rated[component[engine]].map(|(_, block)| block);
        let inside: Vec<usize> = (0..engines)
            .filter(|engine| of_rated(*engine) == Some(blocks[*engine]))
            .collect();
        let above = reached_from(&self.robbers, &inside);
        let below = reached_from(&self.victims, &inside);
        let status = |engine: usize| match of_rated(engine) {
            _ if self.opponents[engine].is_empty() => Some(Unrated::NoGames),
            None => Some(Unrated::Incomparable),
            Some(block) if blocks[engine] == block => None,
            Some(_) if above[engine] => Some(Unrated::AboveAll),
            Some(_) if below[engine] => Some(Unrated::BelowAll),
            Some(_) => Some(Unrated::Incomparable),
        };
        (0..engines).map(status).collect()
    }
}

/// For each engine the first of its strongly connected block by "took points from" (Kosaraju's two
/// passes).
fn strong_blocks(graph: &PointsGraph, engines: usize) -> Vec<usize> {
    let mut last_first = left(&graph.victims, engines);
    last_first.reverse();
    let mut block = numbered(&graph.robbers, last_first);
    let mut first: Vec<Option<usize>> = vec![None; engines];
    for (engine, block) in block.iter_mut().enumerate() {
        *block = *first[*block].get_or_insert(engine);
    }
    block
}

/// The engines in the order in which a search in depth leaves them.
fn left(neighbours: &[Vec<usize>], engines: usize) -> Vec<usize> {
    let mut seen = vec![false; engines];
    let mut order = Vec::with_capacity(engines);
    for start in 0..engines {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut open = vec![(start, 0)];
        while let Some((engine, next)) = open.last_mut() {
            match neighbours[*engine].get(*next) {
                None => {
                    order.push(*engine);
                    open.pop();
                }
                Some(&other) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[other], true) {
                        open.push((other, 0));
                    }
                }
            }
        }
    }
    order
}

/// Numbers what is reached from each start and not from one before it.
fn numbered(neighbours: &[Vec<usize>], starts: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut number = vec![usize::MAX; neighbours.len()];
    let mut count = 0;
    for start in starts {
        if number[start] != usize::MAX {
            continue;
        }
        let mut open = vec![start];
        number[start] = count;
        while let Some(engine) = open.pop() {
            for &next in &neighbours[engine] {
                if number[next] == usize::MAX {
                    number[next] = count;
                    open.push(next);
                }
            }
        }
        count += 1;
    }
    number
}

fn reached_from(neighbours: &[Vec<usize>], starts: &[usize]) -> Vec<bool> {
    let number = numbered(neighbours, starts.iter().copied()).into_iter();
    number.map(|number| number != usize::MAX).collect()
}

// The games, summarised once for every rating method.

/// With fewer positions than this errors by position would be a guess from a handful of
/// numbers: pairs are the unit, and the claim is about just these positions.
pub const FEWEST_POSITIONS: usize = 6;

/// Counted games, as the rating methods need them.
#[derive(Clone, Debug)]
pub struct RatingInput {
    /// The engines' names.
    pub engines: Vec<String>,
    /// Games by (start, White, Black).
    pub cells: Vec<Cell>,
    /// Games by (White, Black).
    pub colours: Vec<Cell>,
    /// The complete pairs and the single games.
    pub pairing: Pairing,
    /// How many pairs are equal: the first engine, the second, and White's results of both games decide their scores.
    pub pair_kinds: BTreeMap<PairKind, u32>,
    /// The games outside complete pairs by (White, Black).
    pub singles: Vec<Cell>,
}

/// A pair without its start.
pub type PairKind = (u16, u16, [GameScore; 2]);

impl RatingInput {
    /// Summarises the games of a table.
    pub fn new(table: &GameTable) -> Self {
        let cells = table.cells();
        let colours = Cell::by_colours(&cells);
        let pairing = table.pairing();
        let mut pair_kinds = BTreeMap::<PairKind, u32>::new();
        for pair in &pairing.pairs {
            let kind = (pair.first, pair.second, pair.white_results);
            *pair_kinds.entry(kind).or_default() += 1;
        }
        let single_cells: Vec<Cell> = pairing
            .single_games
            .iter()
            .map(|place| table.row(*place))
            .map(|row| Cell::of_game(row.start, row.white, row.black, row.result))
            .collect();
        Self {
            engines: table.engines().to_vec(),
            colours,
            pair_kinds,
            singles: Cell::by_colours(&single_cells),
            pairing,
            cells,
        }
    }

    /// How many positions have games.
    pub fn positions(&self) -> usize {
        self.cells.chunk_by(|a, b| a.start == b.start).count()
    }

    /// Do positions carry more than one pair, so that errors must be
    /// clustered by position?
    pub(crate) fn positions_repeat(&self) -> bool {
        let mut starts: Vec<u32> = self.pairing.pairs.iter().map(|pair| pair.start).collect();
        starts.sort_unstable();
        starts.windows(2).any(|two| two[0] == two[1])
    }
}

/// Each game by itself.
pub(super) fn single_games(cells: &[Cell]) -> impl Iterator<Item = (Vec<Cell>, u32)> {
    let by_result = |cell: &Cell| {
        let Cell { white, black, .. } = *cell;
        let results = GameScore::ALL.into_iter().zip(cell.results);
        results.map(move |(result, count)| (vec![Cell::of_game(0, white, black, result)], count))
    };
    let all = cells.iter().flat_map(by_result);
    all.filter(|(_, count)| *count > 0)
}

/// Pairs, and the games outside of them; how often there are such.
pub(super) fn pairs(input: &RatingInput) -> impl Iterator<Item = (Vec<Cell>, u32)> {
    let kinds = input.pair_kinds.iter();
    let kinds = kinds.map(|(&(one, other, [first, second]), &count)| {
        let first = Cell::of_game(0, one, other, first);
        (vec![first, Cell::of_game(0, other, one, second)], count)
    });
    kinds.chain(single_games(&input.singles))
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
        let found = Connectivity::new(6, &games);
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
        let found = Connectivity::new(4, &[cell(0, 1, [1, 0, 1]), cell(2, 3, [0, 1, 0])]);
        assert_eq!(found.component, [0, 0, 1, 1]);
        assert_eq!(found.rated_components().len(), 2);
    }

    #[test]
    fn nobody_is_rated_when_one_engine_wins_everything() {
        let found = Connectivity::new(2, &[cell(0, 1, [0, 0, 3])]);
        assert_eq!(found.unrated, [Some(Unrated::Incomparable); 2]);
        assert!(found.rated_components().is_empty());
    }
}
