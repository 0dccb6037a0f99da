//! The transposition table: what is known of a position from an earlier search.

use crate::evaluate::MATED_AT_MOST;
use arbiter960_chess::Move;

/// How a stored score is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScoreBound {
    Exact,
    /// The true score is at least this.
    AtLeast,
    /// The true score is at most this.
    AtMost,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableEntry {
    pub(crate) best: Option<Move>,
    /// From the side to move; mates are counted from this position.
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) bound: ScoreBound,
}

impl ScoreBound {
    /// What a score means that a search of this window gave.
    pub(crate) fn from_score(score: i32, alpha: i32, beta: i32) -> ScoreBound {
        match score {
            _ if score >= beta => ScoreBound::AtLeast,
            _ if score > alpha => ScoreBound::Exact,
            _ => ScoreBound::AtMost,
        }
    }
}

impl TableEntry {
    /// The score, if it lies outside of this window for certain: inside, the line is wanted.
    pub(crate) fn cuts(&self, alpha: i32, beta: i32) -> Option<i32> {
        let above = self.score >= beta && self.bound != ScoreBound::AtMost;
        let below = self.score <= alpha && self.bound != ScoreBound::AtLeast;
        (above || below).then_some(self.score)
    }
}

/// So many slots are remembered as used: a table hardly used is cleared at once.
const MAX_USED_SLOTS: usize = 1 << 14;

/// Entries of two words, key and contents, one for each slot. All zero is empty: such a table
/// comes from the system without being written, so a new one costs nothing until it is used.
pub struct TranspositionTable {
    slots: Vec<[u64; 2]>,
    /// The slots in use, if there are no more than [`MAX_USED_SLOTS`].
    used: Vec<u32>,
    generation: u8,
}

impl TranspositionTable {
    /// A table of this size in mebibytes.
    pub fn new(mebibytes: usize) -> TranspositionTable {
        let slots = vec![[0; 2]; mebibytes.max(1) * (1 << 20) / 16];
        TranspositionTable {
            slots,
            used: Vec::with_capacity(MAX_USED_SLOTS + 1),
            generation: 1,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.used.len() > MAX_USED_SLOTS {
            self.slots.fill([0; 2]);
        } else {
            self.used
                .iter()
                .for_each(|&slot| self.slots[slot as usize] = [0; 2]);
        }
        self.used.clear();
        self.generation = 1;
    }

    /// Takes another size, empty. The old memory is given back first.
    pub fn resize(&mut self, mebibytes: usize) {
        self.slots = Vec::new();
        *self = TranspositionTable::new(mebibytes);
    }

    /// Begins a new search: older entries may be replaced.
    pub(crate) fn age(&mut self) {
        self.generation = self.generation % 63 + 1;
    }

    /// What is known of a position `ply` half-moves from the root.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: i32) -> Option<TableEntry> {
        let [stored, contents] = self.slots[self.slot(key)];
        if stored != key || contents == 0 {
            return None;
        }
        let mut entry = unpack(contents);
        // Mates are stored as seen from their position and needed as seen from the root.
        entry.score -= mate_sign(entry.score) * ply;
        Some(entry)
    }

    /// Keeps an entry, unless a deeper one of this search holds its slot.
    #[inline]
    pub(crate) fn store(&mut self, key: u64, ply: i32, mut entry: TableEntry) {
        let slot = self.slot(key);
        let [stored, contents] = self.slots[slot];
        let current = contents >> 58 == u64::from(self.generation);
        if current && stored != key && unpack(contents).depth > entry.depth + 2 {
            return;
        }
        if entry.best.is_none() && stored == key && contents != 0 {
            entry.best = unpack(contents).best;
        }
        if contents == 0 && self.used.len() <= MAX_USED_SLOTS {
            self.used.push(slot as u32);
        }
        entry.score += mate_sign(entry.score) * ply;
        self.slots[slot] = [key, pack(entry, self.generation)];
    }

    /// How full the table is with entries of this search, permille.
    pub(crate) fn fill(&self) -> usize {
        let current = |slot: &&[u64; 2]| slot[1] >> 58 == u64::from(self.generation);
        self.slots.iter().take(1000).filter(current).count()
    }

    fn slot(&self, key: u64) -> usize {
        // The high bits of the product spread the keys evenly over any number of slots.
        ((u128::from(key) * self.slots.len() as u128) >> 64) as usize
    }
}

/// 1 for a mate given, -1 for a mate suffered, 0 for any other score.
fn mate_sign(score: i32) -> i32 {
    if score.abs() >= MATED_AT_MOST {
        score.signum()
    } else {
        0
    }
}

/// Move in bits 0–15, score in 16–31, depth in 32–39, bound in 40–41, generation in 58–63.
fn pack(entry: TableEntry, generation: u8) -> u64 {
    u64::from(entry.best.map_or(0, Move::bits))
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.depth.clamp(0, 255) as u8) << 32
        | (entry.bound as u64) << 40
        | u64::from(generation) << 58
}

fn unpack(contents: u64) -> TableEntry {
    TableEntry {
        best: Some(contents as u16)
            .filter(|bits| *bits != 0)
            .and_then(Move::from_bits),
        score: i32::from((contents >> 16) as u16 as i16),
        depth: i32::from((contents >> 32) as u8),
        bound: match contents >> 40 & 3 {
            0 => ScoreBound::Exact,
            1 => ScoreBound::AtLeast,
            _ => ScoreBound::AtMost,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: i32, depth: i32, bound: ScoreBound) -> TableEntry {
        let best = Some(Move::new("g1".parse().unwrap(), "f3".parse().unwrap()));
        TableEntry {
            best,
            score,
            depth,
            bound,
        }
    }

    #[test]
    fn entries_come_back() {
        let mut table = TranspositionTable::new(1);
        for (key, bound) in [
            (1 << 60, ScoreBound::Exact),
            (2 << 60, ScoreBound::AtLeast),
            (3 << 60, ScoreBound::AtMost),
        ] {
            table.store(key, 5, entry(-123, 7, bound));
            assert_eq!(table.probe(key, 9), Some(entry(-123, 7, bound)));
        }
        assert_eq!(table.probe(4 << 60, 0), None);
        table.clear();
        assert_eq!(table.probe(1 << 60, 0), None);
    }

    #[test]
    fn mates_are_counted_from_the_position() {
        let mut table = TranspositionTable::new(1);
        let mate_in_two_plies = MATED_AT_MOST + 90;
        table.store(7, 4, entry(mate_in_two_plies, 3, ScoreBound::Exact));
        assert_eq!(table.probe(7, 4).unwrap().score, mate_in_two_plies);
        assert_eq!(table.probe(7, 6).unwrap().score, mate_in_two_plies - 2);
    }

    #[test]
    fn a_table_is_empty_again_however_much_it_was_used() {
        let mut table = TranspositionTable::new(1);
        for count in [10, MAX_USED_SLOTS as u64, 3 * MAX_USED_SLOTS as u64] {
            let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (0..count)
                .for_each(|number| table.store(key(number), 0, entry(1, 2, ScoreBound::Exact)));
            table.clear();
            assert!(table.slots.iter().all(|slot| *slot == [0; 2]), "{count}");
        }
    }

    #[test]
    fn a_deeper_entry_of_this_search_stays() {
        let mut table = TranspositionTable::new(1);
        table.store(5, 0, entry(1, 9, ScoreBound::Exact));
        table.store(6, 0, entry(2, 3, ScoreBound::Exact));
        assert!(table.probe(5, 0).is_some() && table.probe(6, 0).is_none());
        table.age();
        table.store(6, 0, entry(2, 3, ScoreBound::Exact));
        assert!(table.probe(6, 0).is_some());
    }
}
