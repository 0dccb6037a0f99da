//! The tree of an event in which losers go out: who meets whom, by where they come from.

use super::Elimination;
use crate::event::EncounterTieBreak;

/// Where a player of an encounter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entrant {
    /// A seed, from 0.
    Seed(usize),
    /// The winner of an earlier encounter.
    Winner(usize),
    Loser(usize),
    /// Nobody: an engine without an opponent advances without playing.
    Nobody,
}

/// An encounter of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    /// The round, from 1.
    pub round: u16,
    /// Its place in the round, from 1.
    pub board: u16,
    /// Who meets.
    pub sources: [Entrant; 2],
    /// The tiers of the winner and of the loser if the event ends here for them, 0 best; `None` for an engine that
    /// plays another encounter.
    pub tiers: [Option<u32>; 2],
    /// Played only if the second player of the encounter before has won it.
    pub is_second_final: bool,
}

impl Node {
    /// Round and board.
    pub(super) fn place(&self) -> (u16, u16) {
        (self.round, self.board)
    }

    pub(super) fn is_for_third_place(&self) -> bool {
        self.tiers == [Some(2), Some(3)]
    }
}

/// The tree of a format for this number of engines.
pub(crate) fn bracket(format: Elimination, engines: usize, third_place: bool) -> Vec<Node> {
    match format {
        Elimination::Knockout => knockout(engines, third_place),
        Elimination::Double => double(engines),
        Elimination::Ladder => ladder(engines),
    }
}

/// The encounters that are played: in the others an engine has no opponent.
pub(super) fn with_two_players(nodes: &[Node]) -> impl Iterator<Item = &Node> {
    let mut players: Vec<usize> = Vec::new();
    for node in nodes {
        let count = |source: &Entrant| match *source {
            Entrant::Seed(_) => 1,
            Entrant::Winner(earlier) => players[earlier].min(1),
            Entrant::Loser(earlier) => players[earlier] / 2,
            Entrant::Nobody => 0,
        };
        let both: usize = node.sources.iter().map(count).sum();
        players.push(both);
    }
    let both = nodes.iter().zip(players);
    both.filter_map(|(node, players)| (players == 2).then_some(node))
}

/// The first seed's and the second's halves of the tree never meet before the final, and so on.
fn order_of_seeds(places: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < places {
        let last = 2 * order.len() - 1;
        order = order.iter().flat_map(|&seed| [seed, last - seed]).collect();
    }
    order
}

/// The sources of a first round; where places are left over, the best seeds have no opponent.
fn first_round(engines: usize) -> Vec<[Entrant; 2]> {
    let source = |seed: usize| {
        if seed < engines {
            Entrant::Seed(seed)
        } else {
            Entrant::Nobody
        }
    };
    let order = order_of_seeds(engines.next_power_of_two().max(2)).into_iter();
    pairs_of(&order.map(source).collect::<Vec<_>>())
}

#[derive(Default)]
struct Tree(Vec<Node>);

impl Tree {
    fn add(&mut self, round: usize, sources: [Entrant; 2], tiers: [Option<u32>; 2]) -> usize {
        let round = round as u16;
        let boards = self.0.iter().filter(|node| node.round == round).count();
        self.0.push(Node {
            round,
            board: boards as u16 + 1,
            sources,
            tiers,
            is_second_final: false,
        });
        self.0.len() - 1
    }

    /// Encounters whose losers come to this tier; their numbers.
    fn add_all(&mut self, round: usize, all: Vec<[Entrant; 2]>, loser: Option<u32>) -> Vec<usize> {
        let add = |sources| self.add(round, sources, [None, loser]);
        all.into_iter().map(add).collect()
    }
}

fn winners(nodes: &[usize]) -> Vec<Entrant> {
    nodes.iter().copied().map(Entrant::Winner).collect()
}

fn knockout(engines: usize, third_place: bool) -> Vec<Node> {
    let mut tree = Tree::default();
    let mut sources = first_round(engines);
    let rounds = sources.len().ilog2() as usize + 1;
    let mut semifinals = Vec::new();
    for round in 1..rounds {
        let to_final = rounds - round;
        let is_out = to_final > 1 || !third_place;
        semifinals = tree.add_all(round, sources, is_out.then_some(2 * to_final as u32));
        sources = pairs_of(&winners(&semifinals));
    }
    tree.add(rounds, sources[0], [Some(0), Some(1)]);
    if third_place && let [one, other] = semifinals[..] {
        let losers = [Entrant::Loser(one), Entrant::Loser(other)];
        tree.add(rounds, losers, [Some(2), Some(3)]);
    }
    tree.0
}

/// The loser of an encounter goes to the second tree; a loser there is out. The winners of both trees meet; if the
/// winner of the second tree wins, both have lost once, and they meet again.
///
/// Round 1 is the first of the first tree. Round n of the first tree, from 2 on, is round
/// 2(n − 1); round m of the second tree is round m + 1.
fn double(engines: usize) -> Vec<Node> {
    let mut tree = Tree::default();
    let sources = first_round(engines);
    let rounds = sources.len().ilog2() as usize + 1;
    let out = |second_round: usize| Some((2 * rounds - second_round) as u32 + 1);
    let mut upper = tree.add_all(1, sources, None);
    let mut lower: Vec<Entrant> = losers(&upper);
    for round in 2..=rounds {
        let second = 2 * (round - 1) - 1;
        upper = tree.add_all(second + 1, pairs_of(&winners(&upper)), None);
        let nodes = tree.add_all(second + 1, pairs_of(&lower), out(second));
        let mut down = losers(&upper);
        if round % 2 == 0 {
            // Turned round, so that who met in the first tree do not meet at once.
            down.reverse();
        }
        let met = winners(&nodes).into_iter().zip(down);
        let met = met.map(|(one, other)| [one, other]).collect();
        lower = winners(&tree.add_all(second + 2, met, out(second + 1)));
    }
    let champions = [Entrant::Winner(upper[0]), lower[0]];
    let first = tree.add(2 * rounds, champions, [None, None]);
    let again = [Entrant::Winner(first), Entrant::Loser(first)];
    let second = tree.add(2 * rounds + 1, again, [Some(0), Some(1)]);
    tree.0[second].is_second_final = true;
    tree.0
}

fn losers(nodes: &[usize]) -> Vec<Entrant> {
    nodes.iter().copied().map(Entrant::Loser).collect()
}

fn pairs_of(sources: &[Entrant]) -> Vec<[Entrant; 2]> {
    sources.as_chunks().0.to_vec()
}

/// The last two of the order meet; the winner meets the next above, up to the first.
fn ladder(engines: usize) -> Vec<Node> {
    let mut tree = Tree::default();
    let mut challenger = Entrant::Seed(engines.saturating_sub(1));
    for (round, holder) in (1..).zip((0..engines.saturating_sub(1)).rev()) {
        let tiers = [(holder == 0).then_some(0), Some(holder as u32 + 1)];
        let node = tree.add(round, [Entrant::Seed(holder), challenger], tiers);
        challenger = Entrant::Winner(node);
    }
    tree.0
}

/// By what an encounter was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EncounterDecision {
    /// More points.
    Points,
    /// The last game, in which a draw counts for Black.
    Armageddon,
    /// Level after all playoffs: this did.
    TieBreak(EncounterTieBreak),
    /// The opponent was withdrawn.
    Walkover,
    /// There was no opponent.
    Bye,
    /// It was not needed: who would have had to win twice has lost.
    NotNeeded,
}

/// The state of an encounter of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EncounterState {
    /// It is not known yet who meets.
    Waiting,
    /// Nobody meets here.
    Empty,
    /// These are to be chosen: how many pairs of how many are.
    Due([u16; 2], [u32; 2]),
    /// It is being played.
    Playing,
    /// Winner and, where there is one, loser.
    Decided {
        winner: u16,
        loser: Option<u16>,
        by: EncounterDecision,
    },
}

impl EncounterState {
    /// Nothing more is played here.
    pub(super) fn is_settled(&self) -> bool {
        matches!(self, EncounterState::Decided { .. } | EncounterState::Empty)
    }
}

/// An encounter of a tree, and what was played in it.
#[derive(Debug, Clone)]
pub(super) struct TreeEncounter {
    pub(super) node: Node,
    pub(super) state: EncounterState,
    /// Its players, where they are known.
    pub(super) players: [Option<u16>; 2],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_stand_as_they_should() {
        assert_eq!(order_of_seeds(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        assert_eq!(order_of_seeds(1), [0]);
    }

    /// Plays a tree in which the first of two always wins, or always the second: who ends in
    /// which tier, and how many encounters were played.
    fn played(nodes: &[Node], first_wins: bool) -> (Vec<(u32, usize)>, usize) {
        let mut ends: Vec<[Option<usize>; 2]> = Vec::new();
        let (mut tiers, mut count) = (Vec::new(), 0);
        for node in nodes {
            let [one, other] = node.sources.map(|source| match source {
                Entrant::Seed(seed) => Some(seed),
                Entrant::Nobody => None,
                Entrant::Winner(at) => ends[at][0],
                Entrant::Loser(at) => ends[at][1],
            });
            let skipped = node.is_second_final && first_wins;
            count += usize::from(one.is_some() && other.is_some() && !skipped);
            let end = match (one, other) {
                (Some(one), Some(other)) if first_wins => [Some(one), Some(other)],
                (Some(one), Some(other)) => [Some(other), Some(one)],
                (one, other) => [one.or(other), None],
            };
            ends.push(end);
            for (player, tier) in end.into_iter().zip(node.tiers) {
                tiers.extend(tier.zip(player));
            }
        }
        tiers.sort_unstable();
        (tiers, count)
    }

    #[test]
    fn everybody_ends_in_one_place_for_any_number_of_engines() {
        for engines in 2..=64 {
            for format in [
                Elimination::Knockout,
                Elimination::Double,
                Elimination::Ladder,
            ] {
                for (third, first_wins) in [(false, true), (true, true), (true, false)] {
                    let nodes = bracket(format, engines, third);
                    let (tiers, count) = played(&nodes, first_wins);
                    let mut players: Vec<usize> = tiers.iter().map(|(_, player)| *player).collect();
                    players.sort_unstable();
                    let all: Vec<usize> = (0..engines).collect();
                    assert_eq!(players, all, "{format:?} of {engines}");
                    let expected = match format {
                        Elimination::Knockout => engines - 1 + usize::from(third && engines > 3),
                        Elimination::Double => 2 * engines - 2 + usize::from(!first_wins),
                        Elimination::Ladder => engines - 1,
                    };
                    // Of three the loser of the only semifinal is third without playing.
                    assert_eq!(
                        count, expected,
                        "{format:?} of {engines}, {third}, {first_wins}"
                    );
                }
            }
        }
    }

    #[test]
    fn no_engine_plays_twice_in_a_round_of_a_knockout() {
        for engines in 2..=64 {
            let nodes = knockout(engines, true);
            for node in &nodes {
                for source in node.sources {
                    if let Entrant::Winner(before) | Entrant::Loser(before) = source {
                        assert!(nodes[before].round < node.round);
                    }
                }
            }
        }
    }

    #[test]
    fn the_cup_of_thirteen_has_three_byes_for_the_best() {
        let alone: Vec<Entrant> = first_round(13)
            .into_iter()
            .filter(|sources| sources.contains(&Entrant::Nobody))
            .map(|sources| sources[0])
            .collect();
        assert_eq!(
            alone,
            [Entrant::Seed(0), Entrant::Seed(1), Entrant::Seed(2)]
        );
    }
}
