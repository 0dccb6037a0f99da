//! The ply at which games from a start first differ.

use std::collections::{BTreeMap, HashMap};

/// Finds the ply at which the games of a start first differ. Needs all moves,
/// but keeps those of one game for each start, White and Black only.
#[derive(Clone, Debug, Default)]
pub struct Divergence {
    meetings: HashMap<(u32, u32, u32), Meeting>,
}

/// The first game of a White and a Black from a start, and how many plies of
/// it all later ones share.
#[derive(Clone, Debug)]
struct Meeting {
    moves: Vec<u16>,
    shared: usize,
    diverged: bool,
}

impl Divergence {
    /// Looks at the next game: start, White's and Black's identity, the moves
    /// encoded in any unambiguous way.
    pub fn add(&mut self, start: u32, white: u32, black: u32, moves: &[u16]) {
        let first = || Meeting {
            moves: moves.to_vec(),
            shared: moves.len(),
            diverged: false,
        };
        let key = (start, white, black);
        let meeting = self.meetings.entry(key).or_insert_with(first);
        let pairs = meeting.moves.iter().zip(moves);
        let common = pairs.take_while(|(a, b)| a == b).count();
        if common < meeting.moves.len().max(moves.len()) {
            meeting.diverged = true;
            meeting.shared = meeting.shared.min(common);
        }
    }

    pub(super) fn first_plies(&self) -> BTreeMap<u32, u32> {
        let mut plies = BTreeMap::<u32, u32>::new();
        for ((start, ..), meeting) in self.meetings.iter().filter(|(_, m)| m.diverged) {
            let ply = meeting.shared as u32 + 1;
            let known = plies.entry(*start).or_insert(ply);
            *known = ply.min(*known);
        }
        plies
    }
}
