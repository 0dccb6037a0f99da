//! What engines used of the processors while their opponents thought.

use std::collections::HashMap;

use serde::Serialize;

use crate::clock::NODES_OBEYED;
use crate::event::{GameId, Seat, engine_and_copy};
use crate::store::{Reader, StoreError, StoredGame};
use crate::tournament::{Builds, Roster};

/// One engine's use of its opponents' time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IdleUse {
    pub engine: String,
    /// Games in which this was measured.
    pub games: u64,
    /// The time measured, in seconds.
    pub watched_seconds: f64,
    /// What it used in that time, in seconds of one processor.
    pub cpu_seconds: f64,
    /// The share, per cent of one processor.
    pub percent: f64,
    /// The largest in one game.
    pub largest_percent: f64,
    /// The largest that the event allows.
    pub allowed_percent: u32,
}

impl IdleUse {
    /// Whether it was above what the event allows, in one game at least.
    pub fn is_above(&self) -> bool {
        self.largest_percent > f64::from(self.allowed_percent)
    }
}

/// The engines of an event.
pub(super) fn idle_use(reader: &Reader, builds: &Builds) -> Result<Vec<IdleUse>, StoreError> {
    let event = &builds.current;
    let allowed_percent = event.faults.idle_cpu.percent;
    let name = |engine: u16| {
        let engine = event.engines.get(usize::from(engine));
        engine.map_or_else(String::new, |engine| engine.name.clone())
    };
    let used = reader.idle_cpu()?.into_iter();
    let engines = used.map(|(engine, games, times, largest_percent)| IdleUse {
        engine: name(engine),
        games,
        watched_seconds: times.watched.as_secs_f64(),
        cpu_seconds: times.cpu.as_secs_f64(),
        percent: times.percent(),
        largest_percent,
        allowed_percent,
    });
    Ok(engines.collect())
}

// How many nodes the engines searched compared to their limit: an engine that ignores its limit makes every sentence
// about that limit untrue.

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
    /// Whether it searched about as many nodes as the limit.
    pub fn is_obeyed(&self) -> bool {
        NODES_OBEYED.contains(&self.share)
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
        let both = limits.iter().zip(&nodes);
        let mut shares: Vec<f64> = both.map(|(l, n)| *n as f64 / *l as f64).collect();
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
    let first = record.first_mover();
    for (played, color) in record.moves.iter().zip([first, !first].into_iter().cycle()) {
        let both = played.nodes_limit.zip(played.thinking.nodes);
        let search = both.map(|(limit, nodes)| (stored.game.seat(color), limit.max(1), nodes));
        searches.extend(search);
    }
}

fn median(mut values: Vec<u64>) -> Option<u64> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

// Engines of one name that are not one engine: another program, or other limits.

/// Between the parts of an engine's key.
const BETWEEN: char = '\u{1f}';

/// The key of an engine of an event: its name, its limits, its program.
pub(super) fn variant_key(name: &str, limits: &str, program: &str) -> String {
    format!("{name}{BETWEEN}{limits}{BETWEEN}{program}")
}

/// The labels of the engines of a collection.
pub(super) struct Labels {
    /// One label for each engine.
    pub labels: Vec<String>,
    /// For each key the engine's place among the labels.
    pub places: Vec<u16>,
    /// Names that are shared by more than one engine.
    pub told_apart: Vec<String>,
}

/// Labels for keys. A key without limits and program (a PGN file gives neither for certain) is the one engine of its
/// name, if there is only one. With `pools` each name is one engine.
pub(super) fn variant_labels(keys: &[String], pools: bool) -> Labels {
    let parts = keys.iter().map(|key| key.split(BETWEEN).collect());
    let parts: Vec<Vec<&str>> = parts.collect();
    let mut found = Labels {
        labels: Vec::new(),
        places: Vec::with_capacity(keys.len()),
        told_apart: Vec::new(),
    };
    let mut by_name = HashMap::<&str, Vec<&Vec<&str>>>::new();
    for own in parts.iter().filter(|own| own.len() > 1) {
        by_name.entry(own[0]).or_default().push(own);
    }
    let mut known = HashMap::<String, usize>::new();
    for own in &parts {
        let name = own[0];
        let variants = by_name.get(name).map_or(&[][..], Vec::as_slice);
        let is_one = pools || variants.len() < 2;
        if !is_one && !found.told_apart.iter().any(|told| told == name) {
            found.told_apart.push(name.to_owned());
        }
        let label = if is_one {
            name.to_owned()
        } else {
            label(name, own, variants)
        };
        let next = found.labels.len();
        let place = *known.entry(label.clone()).or_insert(next);
        if place == next {
            found.labels.push(label);
        }
        found.places.push(u16::try_from(place).unwrap_or(u16::MAX));
    }
    found
}

/// By the limits if they distinguish the variants, otherwise by the order of the programs.
fn label(name: &str, own: &[&str], variants: &[&Vec<&str>]) -> String {
    let [_, limits, program] = own else {
        return with_suffix(name, "PGN");
    };
    let alike = variants.iter().filter(|other| other[1] == *limits);
    let alike: Vec<&str> = alike.map(|other| other[2]).collect();
    match alike.iter().position(|other| other == program) {
        Some(place) if alike.len() > 1 => {
            with_suffix(name, &format!("{limits}, program {}", place + 1))
        }
        _ => with_suffix(name, limits),
    }
}

/// The number of a copy stays last.
fn with_suffix(name: &str, suffix: &str) -> String {
    match engine_and_copy(name) {
        (bare, Some(copy)) => format!("{bare} ({suffix}) #{copy}"),
        (name, None) => format!("{name} ({suffix})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_at_two_limits_is_two_engines() {
        let keys = [
            variant_key("Fish #1", "nodes=250", "a"),
            variant_key("Fish #1", "nodes=2000", "a"),
            variant_key("Other", "nodes=250", "b"),
            "Other".to_owned(),
            "Fish #1".to_owned(),
        ];
        let apart = variant_labels(&keys, false);
        let expected = [
            "Fish (nodes=250) #1",
            "Fish (nodes=2000) #1",
            "Other",
            "Fish (PGN) #1",
        ];
        assert_eq!(apart.labels, expected);
        assert_eq!(
            (apart.places, apart.told_apart),
            (vec![0, 1, 2, 2, 3], vec!["Fish #1".into()])
        );
        let pooled = variant_labels(&keys, true);
        assert_eq!(
            (pooled.labels.len(), pooled.places),
            (2, vec![0, 0, 1, 1, 0])
        );
    }

    #[test]
    fn programs_at_one_limit_are_numbered() {
        let keys = [
            variant_key("A", "1+0", "old"),
            variant_key("A", "1+0", "new"),
            variant_key("A", "2+0", "new"),
        ];
        let expected = ["A (1+0, program 1)", "A (1+0, program 2)", "A (2+0)"];
        assert_eq!(variant_labels(&keys, false).labels, expected);
    }
}
