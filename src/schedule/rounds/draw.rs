//! Which position each pair of a round gets.

use super::Rounds;
use crate::chess::random::Random;
use crate::event::{Place, PositionDraw};
use crate::schedule::derive::derived;

/// The positions of an event that is played in rounds: a function of the seed and of the place of a pair, and of what
/// was played in the same encounter before.
impl Rounds {
    /// The position of a pair. `used` are the positions of the earlier pairs of its encounter: no position comes twice
    /// before all were used.
    pub(crate) fn opening(&self, place: Place, used: &[u32]) -> u32 {
        if let Some((group, place)) = self.group_at(place) {
            return group.opening(place, used);
        }
        let uses = |opening: u32| used.iter().filter(|one| **one == opening).count();
        // A position that was used least is among any that follow each other.
        let all = u64::from(self.openings);
        let fewest = used.len() / self.openings as usize;
        let (stream, first) = self.stream(place);
        let mut order = (u64::MAX, Vec::new());
        for turn in first..first + 2 * all {
            let cycle = turn / all;
            if order.0 != cycle {
                order = (cycle, self.order_of_starts(&stream, cycle));
            }
            let opening = order.1[(turn % all) as usize];
            if uses(opening) <= fewest {
                return opening;
            }
        }
        order.1.first().copied().unwrap_or(0)
    }

    /// What the order of the positions depends on, and the place of the pair in this order.
    fn stream(&self, place: Place) -> (Vec<u64>, u64) {
        let (round, board) = (u64::from(place.round), u64::from(place.board));
        let pairs = |round: u16| u64::from(self.pairs(round));
        let (pair, pairs, before) = (
            u64::from(place.pair) - 1,
            pairs(place.round),
            (1..place.round).map(pairs).sum::<u64>(),
        );
        match self.rule {
            PositionDraw::Encounter => (vec![self.seed, 2, round, board], pair),
            // Extra pairs take nothing from the next round.
            _ if pair >= pairs => (vec![self.seed, 1, round], pair - pairs),
            _ => (vec![self.seed, 0], before + pair),
        }
    }

    fn order_of_starts(&self, stream: &[u64], cycle: u64) -> Vec<u32> {
        if let (Some(listed), [_, 0]) = (&self.listed, stream) {
            return listed.to_vec();
        }
        let mut numbers = stream.to_vec();
        numbers.push(cycle);
        let mut order: Vec<u32> = match &self.subset {
            Some(own) => own.to_vec(),
            None => (0..self.openings).collect(),
        };
        Random::new(derived("rounds", &numbers)).shuffle(&mut order);
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{ByePoints, SwissRules};
    use crate::schedule::RoundFormat;

    fn rounds(rule: PositionDraw, seed: u64, openings: u32, pairs: u32) -> Rounds {
        Rounds {
            format: RoundFormat::Swiss(SwissRules {
                seeds: Vec::new(),
                pairs,
                rounds: 1,
                groups: 1,
                forbidden: Vec::new(),
                bye: ByePoints::Win,
            }),
            rule,
            openings,
            listed: None,
            seed,
            extra_rounds: 0,
            round_limits: Vec::new(),
            subset: None,
        }
    }

    fn place(round: u16, board: u16, pair: u16) -> Place {
        Place { round, board, pair }
    }

    #[test]
    fn a_round_shares_its_positions_and_no_round_repeats_one_before_all_were_used() {
        let draw = rounds(PositionDraw::Round, 960, 12, 2);
        let mut seen = Vec::new();
        for round in 1..=6 {
            let first = draw.opening(place(round, 1, 1), &[]);
            let second = draw.opening(place(round, 1, 2), &[first]);
            assert_eq!(draw.opening(place(round, 7, 1), &[]), first);
            seen.extend([first, second]);
        }
        assert_eq!(seen, [5, 2, 11, 1, 0, 8, 3, 9, 7, 6, 4, 10]);
    }

    #[test]
    fn an_encounter_has_no_position_twice_before_all_were_used() {
        for rule in [PositionDraw::Round, PositionDraw::Encounter] {
            let draw = rounds(rule, 3, 5, 3);
            let mut used = Vec::new();
            for pair in 1..=10 {
                used.push(draw.opening(place(4, 2, pair), &used));
            }
            for half in used.chunks(5) {
                let mut half = half.to_vec();
                half.sort_unstable();
                assert_eq!(half, [0, 1, 2, 3, 4], "{used:?}");
            }
        }
    }

    #[test]
    fn encounters_have_positions_of_their_own() {
        let draw = rounds(PositionDraw::Encounter, 3, 960, 1);
        let mut drawn: Vec<u32> = (1..=8)
            .map(|board| draw.opening(place(1, board, 1), &[]))
            .collect();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), 8);
    }

    #[test]
    fn a_listed_order_is_that_of_the_rounds() {
        let mut draw = rounds(PositionDraw::Round, 3, 3, 1);
        draw.listed = Some([2, 0, 1].into());
        let drawn: Vec<u32> = (1..=4)
            .map(|round| draw.opening(place(round, 5, 1), &[]))
            .collect();
        assert_eq!(drawn, [2, 0, 1, 2]);
    }
}
