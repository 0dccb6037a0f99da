//! Games and results a page at a time: no read transaction stays open, so a slow reader never prevents the writer's log
//! from being emptied.

use std::collections::VecDeque;

use crate::event::Decisions;

use super::error::Result;
use super::reader::Reader;
use super::rows::{ResultRow, StoredGame, read_games, read_results};

/// After every place in the order of finishing.
pub(super) const LAST_PLACE: u64 = i64::MAX as u64;

/// Games in the order of finishing; see [`Reader::games`].
pub struct StoredGames<'r>(Pages<'r, StoredGame>);

/// Results in the order of finishing; see [`Reader::results`].
pub struct StoredResults<'r>(Pages<'r, ResultRow>);

impl<'r> StoredGames<'r> {
    pub(super) fn new(reader: &'r Reader, after: u64) -> StoredGames<'r> {
        let pages = Pages::new(
            reader,
            read_games,
            |game| game.sequence,
            |game, _| Some(game),
        );
        StoredGames(Pages { after, ..pages })
    }

    pub(super) fn counted(reader: &'r Reader) -> StoredGames<'r> {
        let under = |game: StoredGame, decisions: &Decisions| game.under(decisions);
        StoredGames(Pages::new(reader, read_games, |game| game.sequence, under))
    }
}

impl<'r> StoredResults<'r> {
    /// After one place in the order of finishing, up to another.
    pub(super) fn new(reader: &'r Reader, [after, limit]: [u64; 2]) -> StoredResults<'r> {
        let under = |result: ResultRow, decisions: &Decisions| result.under(decisions);
        let pages = Pages::new(reader, read_results, |result| result.sequence, under);
        StoredResults(Pages {
            after,
            limit,
            ..pages
        })
    }
}

impl Iterator for StoredGames<'_> {
    type Item = Result<StoredGame>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

impl Iterator for StoredResults<'_> {
    type Item = Result<ResultRow>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

/// Rows after a sequence number, read a page at a time. They are numbered from 1 without a gap, at least up to the last
/// row that the table had at the beginning.
struct Pages<'r, T> {
    reader: &'r Reader,
    /// The number of that last row, once it is known.
    until: Option<u64>,
    /// No row after this place is read.
    limit: u64,
    read: fn(&Reader, [u64; 2]) -> Result<VecDeque<T>>,
    sequence: fn(&T) -> u64,
    /// Applies the arbiter's decisions to a row; `None` if it does not count.
    under: fn(T, &Decisions) -> Option<T>,
    after: u64,
    page: VecDeque<T>,
    ended: bool,
}

impl<'r, T> Pages<'r, T> {
    fn new(
        reader: &'r Reader,
        read: fn(&Reader, [u64; 2]) -> Result<VecDeque<T>>,
        sequence: fn(&T) -> u64,
        under: fn(T, &Decisions) -> Option<T>,
    ) -> Pages<'r, T> {
        Pages {
            reader,
            until: None,
            limit: LAST_PLACE,
            read,
            sequence,
            under,
            after: 0,
            page: VecDeque::new(),
            ended: false,
        }
    }

    fn next(&mut self) -> Option<Result<T>> {
        if self.ended {
            return None;
        }
        let row = self.step();
        self.ended = !matches!(row, Ok(Some(_)));
        row.transpose()
    }

    fn step(&mut self) -> Result<Option<T>> {
        let until = match self.until {
            Some(until) => until,
            None => *self.until.insert(self.reader.last_place()?.min(self.limit)),
        };
        loop {
            if self.page.is_empty() {
                self.page = (self.read)(self.reader, [self.after, self.limit])?;
            }
            let Some(row) = self.page.pop_front() else {
                return self.reader.reaches(self.after, until).map(|()| None);
            };
            self.reader.follows(self.after, (self.sequence)(&row))?;
            self.after = (self.sequence)(&row);
            let row = (self.under)(row, self.reader.decisions());
            if row.is_some() {
                return Ok(row);
            }
        }
    }
}
