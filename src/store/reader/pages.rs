//! Games and results a page at a time: no read transaction stays open, so a slow reader never prevents the writer's log
//! from being emptied.

use std::collections::VecDeque;

use crate::event::{Decisions, GameRuling};
use crate::store::error::Result;

use super::Reader;
use super::rows::{ResultRow, StoredGame, read_games, read_results};

/// After every place in the order of finishing.
pub(super) const LAST_PLACE: u64 = i64::MAX as u64;

/// A row in the order of finishing.
pub trait PagedRow: Sized {
    /// The rows of a page, after one place in the order, up to another.
    fn page(reader: &Reader, between: [u64; 2]) -> Result<VecDeque<Self>>;

    /// Its place in the order.
    fn place(&self) -> u64;

    /// The row under these decisions; `None` if it does not count.
    fn under(self, decisions: &Decisions) -> Option<Self>;
}

impl PagedRow for StoredGame {
    fn page(reader: &Reader, between: [u64; 2]) -> Result<VecDeque<StoredGame>> {
        read_games(reader, between)
    }

    fn place(&self) -> u64 {
        self.sequence
    }

    fn under(mut self, decisions: &Decisions) -> Option<StoredGame> {
        match decisions.ruling(self.game.id, self.playing) {
            GameRuling::AsPlayed => {}
            GameRuling::Superseded { .. } => return None,
            GameRuling::Ruled { outcome, .. } => self.game.record.outcome = outcome,
        }
        Some(self)
    }
}

impl PagedRow for ResultRow {
    fn page(reader: &Reader, between: [u64; 2]) -> Result<VecDeque<ResultRow>> {
        read_results(reader, between)
    }

    fn place(&self) -> u64 {
        self.sequence
    }

    fn under(mut self, decisions: &Decisions) -> Option<ResultRow> {
        match decisions.ruling(self.id, self.playing) {
            GameRuling::AsPlayed => {}
            GameRuling::Superseded { .. } => return None,
            GameRuling::Ruled { outcome, .. } => {
                self.outcome = outcome;
                // The game's fault counts against nobody.
                self.fault = None;
            }
        }
        Some(self)
    }
}

/// Rows after a place in the order of finishing. They are numbered from 1 without a gap, at least up to the last row that
/// the table had at the beginning.
pub struct StoredRows<'r, T> {
    reader: &'r Reader,
    /// Whether only what counts under the arbiter's decisions is wanted, with the result that they give it.
    ruled: bool,
    /// The number of that last row, once it is known.
    until: Option<u64>,
    after: u64,
    /// No row after this place is read.
    limit: u64,
    page: VecDeque<T>,
    ended: bool,
}

impl<'r, T: PagedRow> StoredRows<'r, T> {
    pub(super) fn new(
        reader: &'r Reader,
        [after, limit]: [u64; 2],
        ruled: bool,
    ) -> StoredRows<'r, T> {
        StoredRows {
            reader,
            ruled,
            until: None,
            after,
            limit,
            page: VecDeque::new(),
            ended: false,
        }
    }

    fn step(&mut self) -> Result<Option<T>> {
        let until = match self.until {
            Some(until) => until,
            None => *self.until.insert(self.reader.last_place()?.min(self.limit)),
        };
        loop {
            if self.page.is_empty() {
                self.page = T::page(self.reader, [self.after, self.limit])?;
            }
            let Some(row) = self.page.pop_front() else {
                return self.reader.reaches(self.after, until).map(|()| None);
            };
            self.reader.follows(self.after, row.place())?;
            self.after = row.place();
            let row = if self.ruled {
                row.under(self.reader.decisions())
            } else {
                Some(row)
            };
            if row.is_some() {
                return Ok(row);
            }
        }
    }
}

impl<T: PagedRow> Iterator for StoredRows<'_, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.ended {
            return None;
        }
        let row = self.step();
        self.ended = !matches!(row, Ok(Some(_)));
        row.transpose()
    }
}
