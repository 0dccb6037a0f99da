//! How many nodes the engines searched compared to their limit: an engine that ignores its limit makes every sentence
//! about that limit untrue.

use serde::Serialize;

use crate::clock::NODES_OBEYED;
use crate::event::{GameId, Seat};
use crate::store::{Reader, StoreError, StoredGame};
use crate::tournament::Roster;

/// Number of pairs examined, spread over the event.
const PAIRS: u64 = 24;

/// One engine's use of its node limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeUse {
    pub engine: String,
    /// Searches with a limit whose nodes the engine reported.
    pub searches: usize,
    pub limit: u64,
    /// Median of the nodes it reported.
    pub nodes: u64,
    /// Median of nodes divided by limit.
    pub share: f64,
}

impl NodeUse {
    /// Whether it searched no more nodes than the limit, or somewhat more.
    pub fn is_obeyed(&self) -> bool {
        self.share <= NODES_OBEYED
    }
}

/// The engines of an event that played under limits in nodes.
pub(super) fn node_use(reader: &Reader, roster: &Roster) -> Result<Vec<NodeUse>, StoreError> {
    // By their numbers: the order in which games ended is another in every run.
    let pairs = reader.pairs_spread(PAIRS)?;
    let mut searches: Vec<(Seat, u64, u64)> = Vec::new();
    for pair in pairs {
        for game in [0, 1] {
            if let Some(stored) = reader.game(GameId { pair, game })? {
                add_searches(&stored, &mut searches);
            }
        }
    }
    let use_of = |seat: Seat| {
        let own = searches.iter().filter(|(other, ..)| *other == seat);
        let (limits, nodes): (Vec<u64>, Vec<u64>) = own.map(|(_, l, n)| (*l, *n)).unzip();
        let shares = limits
            .iter()
            .zip(&nodes)
            .map(|(l, n)| *n as f64 / *l as f64);
        let mut shares: Vec<f64> = shares.collect();
        shares.sort_by(f64::total_cmp);
        Some(NodeUse {
            engine: roster.name(seat),
            searches: shares.len(),
            limit: median(limits)?,
            nodes: median(nodes)?,
            share: *shares.get(shares.len() / 2)?,
        })
    };
    let seats = roster.participants.iter().map(|entry| entry.seat);
    Ok(seats.filter_map(use_of).collect())
}

fn add_searches(stored: &StoredGame, searches: &mut Vec<(Seat, u64, u64)>) {
    let record = &stored.game.record;
    let mut color = record.first_mover();
    for played in &record.moves {
        let seat = stored.game.seats[color.index()];
        if let Some((limit, nodes)) = played.nodes_limit.zip(played.thinking.nodes) {
            searches.push((seat, limit.max(1), nodes));
        }
        color = !color;
    }
}

fn median(mut values: Vec<u64>) -> Option<u64> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}
